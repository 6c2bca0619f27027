"""Banks of right and wrong answers to the exercises."""
