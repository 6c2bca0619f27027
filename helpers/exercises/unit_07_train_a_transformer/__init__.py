"""Unit 07: a block, a loss, a decoder that writes, and a head to look for.  One file per exercise."""
