"""What a change touches: the exercise of a file, the unit of a shared one, all of what all are made of."""

import pytest

from helpers.units import UNIT_OF, UNITS
from tests import touched

SOFTMAX, HEADS = "05_softmax", "06_multi_head_attention"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        (f"helpers/exercises/unit_{SOFTMAX}/softmax_mistakes.py", {"softmax"}),
        (
            f"helpers/exercises/unit_{HEADS}/multi_head_attention_module.py",
            {"MultiHeadAttention"},
        ),
        ("helpers/beside/probes/rotary.py", {"rotary"}),
        (f"helpers/exercises/unit_{SOFTMAX}/__init__.py", set(UNITS[SOFTMAX])),
        (f"helpers/reference/unit_{SOFTMAX}.py", set(UNITS[SOFTMAX])),
        ("helpers/exercises/wrong/softmax.py", set(UNIT_OF)),
        ("helpers/beside/probe.py", set(UNIT_OF)),
        ("banks/registry.py", set(UNIT_OF)),
        ("helpers/plots/bars.py", set()),
    ],
)
def test_a_file_touches_its_exercises(path, names):
    assert touched.exercises([path]) == names


def test_a_file_that_is_new_or_changed_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(touched, "ROOT", tmp_path)
    touched.changed.cache_clear()
    assert touched.changed() is None
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        assert touched._git("-c", "user.name=a", "-c", "user.email=a@b", *words) is not None
    (tmp_path / "new.py").write_text("")
    touched.changed.cache_clear()
    assert touched.changed() == ["new.py"]
    touched.changed.cache_clear()
