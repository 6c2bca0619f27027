"""Which cases of a test run at night alone."""

import pytest


def at_night(*values, **named):
    """Return a case that the gate leaves to the night."""
    return pytest.param(*values, marks=pytest.mark.nightly, **named)
