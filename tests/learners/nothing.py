"""A learner who opened every unit and answered nothing.

Each file in this folder is one sample learner: cells in the percent format, one for each answered
exercise.  `# %% dot` is a right answer to `dot`, `# %% dot wrong` is one that must get no points.
`# %% like all_right` stands for that learner's answers to everything else, `# %% like banks` for a right
answer from `banks/` to every exercise, `# %% like mistakes` for a wrong one in each unit.
"""
