"""What lasts longer than one run: gradebook, syllabus, roster, changed marks, export, the basis of a mark.

May import `handed_in/`, `outside/`, `report.py`, `trouble.py` and `helpers/`.
"""
