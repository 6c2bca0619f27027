"""The tests, and what they stand on: sample learners, made-up classes, attacks, faults."""
