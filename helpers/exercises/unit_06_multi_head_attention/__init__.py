"""Unit 06: several heads.  One file per exercise."""
