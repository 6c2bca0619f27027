"""Unit 01: the dot product as similarity.  One file per exercise."""
