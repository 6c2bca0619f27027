"""All of the grader that runs in the sandbox, beside learner code.

May import itself, `helpers/beside/`, `helpers/reference/` and the ground of `helpers/`.
"""
