"""Answers on the pages of the site: an answer's source goes in, what a notebook's check would show comes out.

No notebook is needed, and nothing of IPython: `calls.py` is what the page's worker calls.
"""
