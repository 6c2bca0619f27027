"""The attention concept inventory: its questions, and the sheet that asks them.

Imports `helpers.errors`, nothing else of the course.
"""
