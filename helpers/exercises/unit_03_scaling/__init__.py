"""Unit 03: why scores are divided by sqrt(d_k).  One file per exercise."""
