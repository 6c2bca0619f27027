"""All of the checks that runs beside learner code, and nothing else: in the sandbox when a class is graded.

May import itself, `reference/` and the ground: the modules at the top of `helpers/` that the sandbox holds.
"""
