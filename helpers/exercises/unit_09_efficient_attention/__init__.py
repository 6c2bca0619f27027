"""Unit 09: the same attention with less work or less memory.  One file per exercise."""
