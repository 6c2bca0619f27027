"""Right answers, one module per unit."""
