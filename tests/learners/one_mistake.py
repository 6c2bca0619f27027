"""A learner with one typical mistake in each unit, the first of the bank, and everything else right."""

# %% like mistakes

# %% like all_right
