"""No term of the course, and no Python that an answer needs, comes before its explanation."""

import pytest

from tools import terms


def test_every_term_is_explained_where_it_comes_first_or_before():
    assert terms.too_early() == {}


def test_python_is_shown_before_an_answer_or_a_hint_needs_it():
    assert terms.python_too_early() == {}


def test_every_term_is_used():
    assert [term for term, (used, _) in terms.TERMS.items() if terms.first(used) is None] == []


@pytest.mark.parametrize(
    ("used", "explained"),
    [(r"\btokens?\b", r"what comes out of a decoder"), (r"\btokens?\b", r"\*\*decoder\*\*")],
    ids=["nowhere", "later"],
)
def test_a_term_that_comes_too_early_is_found(monkeypatch, used, explained):
    monkeypatch.setattr(terms, "TERMS", {"token": (used, explained)})
    assert list(terms.too_early()) == ["token"]


def test_python_that_is_shown_too_late_is_found(monkeypatch):
    monkeypatch.setattr(terms, "PYTHON", {"lambda": (r"np\.swapaxes", r"torch\.cat\(")})
    assert list(terms.python_too_early()) == ["lambda"]
