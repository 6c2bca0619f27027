"""Unit 00: how the course works.  One file per exercise."""
