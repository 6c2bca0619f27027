"""Unit 04: who may look at whom.  One file per exercise."""
