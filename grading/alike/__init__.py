"""Hand-ins that share what no two people write alike, side by side for a human: `python -m grading.alike`."""
