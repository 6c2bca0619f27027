"""Unit 02: queries, keys and values.  One file per exercise."""
