"""Marks on their way out: nbgrader's table, one for people, and what changed since the last grading."""
