"""Questions that are asked again later, each computed from the records of the exercises and a draw."""
