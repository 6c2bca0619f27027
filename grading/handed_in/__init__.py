"""A submission's way in: read, laid out, repaired, searched for flags. Runs nothing of it.

May import `grading/report.py` and `helpers/`.
"""
