"""Answers to the exercises of unit 09."""
