"""How a class does, as one page without names: `python -m grading.analytics`."""
