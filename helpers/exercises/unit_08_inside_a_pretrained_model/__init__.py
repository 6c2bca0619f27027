"""Unit 08: attention inside a model that others trained.  One file per exercise."""
