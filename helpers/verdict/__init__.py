"""What judges observations and says what went wrong; it never runs beside learner code.

May import `exercises/`, `beside/` and the ground.
"""
