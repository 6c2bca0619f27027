"""What a learner calls about an answer: check, hint, progress, reset. May import all but the figures."""
