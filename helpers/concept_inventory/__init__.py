"""The attention concept inventory: its questions, the two forms of it, and what answers come to.

Imports NumPy and `helpers.errors`, nothing else of the course.
"""
