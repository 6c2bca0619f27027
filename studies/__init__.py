"""Measurements that are made by hand, about once a year: README.md has their figures."""
