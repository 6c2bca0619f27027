"""Starts the sandbox, speaks to the processes in it, and looks at what comes out: nothing there is trusted.

May import `grading/inside/` and `helpers/`; runs no learner code.
"""
