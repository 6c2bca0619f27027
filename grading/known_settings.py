"""Which settings `[nbgrader.<class>]` in `term.toml` may name; traitlets says nothing of others."""

from collections.abc import Iterator, Mapping

import nbgrader.apps  # noqa: F401 - with all that it has settings of
from traitlets.config import Configurable

from grading import plugins  # noqa: F401 - the grader's own
from grading.term.choices import FILE, BadChoice
from grading.trouble import meant


def must_be_known(given: Mapping[str, Mapping[str, object]]) -> None:
    """Look at the settings of each class.

    Args:
        given: values by setting, by class.

    Raises:
        BadChoice: when there is no such class or setting, with the nearest there is.
    """
    classes = {one.__name__: one for one in _below(Configurable)}
    for name, settings in given.items():
        if name not in classes:
            raise BadChoice(f"{FILE}: nbgrader.{name}: there is no such class{meant(name, classes)}")
        there = classes[name].class_trait_names(config=True)
        for setting in settings:
            if setting not in there:
                near = meant(setting, there)
                raise BadChoice(f"{FILE}: nbgrader.{name}.{setting}: there is no such setting{near}")


def _below(one: type[Configurable]) -> Iterator[type[Configurable]]:
    for other in one.__subclasses__():
        yield other
        yield from _below(other)
