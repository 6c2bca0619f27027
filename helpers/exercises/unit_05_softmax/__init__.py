"""Unit 05: from scores to weights.  One file per exercise."""
