"""All of the grader that runs in the sandbox, beside learner code.

May import itself, the ground of `helpers/`, and its folders `beside/`, `reference/` and `pretrained/`.
"""
