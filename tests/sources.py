"""The answers of the banks as text, as they would stand in a learner's cell."""

import ast
import functools
import inspect
import sys
import textwrap

from banks import registry


@functools.cache
def bank(exercise):
    """The sources of right answers, and those of wrong ones, from `banks/`."""
    return tuple(
        [text for answer in answers if answer.exercise == exercise and (text := standalone(answer))]
        for answers in registry.load()
    )


def last_right(exercise):
    """The source of the last right answer that has one."""
    return _first(reversed(registry.load()[0]), exercise)


def first_wrong(exercise):
    """The source of the first wrong answer that has one."""
    return _first(registry.load()[1], exercise)


def _first(answers, exercise):
    """Only as many are written as are looked at: all of a bank take two seconds."""
    return next(text for one in answers if one.exercise == exercise and (text := standalone(one)))


def standalone(answer):
    """The source of a bank's answer bound to the exercise's name, with all that it needs of its module.

    Returns:
        The text, or `None` for one without source of its own: a library's, or made by another function.
    """
    name, thing = answer.exercise, answer.obj
    if isinstance(thing, str | int | float | tuple | list | type(None)):
        return f"{name} = {thing!r}"
    own, home = getattr(thing, "__name__", ""), getattr(thing, "__module__", None) or ""
    if not home.startswith("banks."):
        return None
    module = sys.modules[home]
    nodes = _top_level(module)
    if own not in nodes or getattr(thing, "__qualname__", "") != own:
        return None
    needed = _needed(own, nodes)
    lines = [textwrap.dedent(_without_decorators(nodes[one])) for one in nodes if one in needed]
    if own != name:
        lines.append(f"{name} = {own}")
    return "\n\n".join(dict.fromkeys([*_imports(module), *lines]))


@functools.cache
def _tree(module):
    return ast.parse(inspect.getsource(module))


@functools.cache
def _top_level(module):
    found = {}
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            found |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return found


@functools.cache
def _imports(module):
    nodes = [node for node in _tree(module).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return tuple(ast.unparse(node) for node in nodes if getattr(node, "module", "") != "banks.registry")


def _needed(name, nodes):
    found, todo = set(), [name]
    while todo:
        one = todo.pop()
        if one in nodes and one not in found:
            found.add(one)
            used = ast.parse(_without_decorators(nodes[one]))
            todo += [node.id for node in ast.walk(used) if isinstance(node, ast.Name)]
    return found


@functools.lru_cache(None)
def _without_decorators(node):
    if isinstance(node, ast.Assign):
        return ast.unparse(node)
    kept = [one for one in node.decorator_list if not ast.unparse(one).startswith(("wrong(", "right("))]
    node.decorator_list = kept
    return ast.unparse(node)
