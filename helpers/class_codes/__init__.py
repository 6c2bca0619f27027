"""Codes of twenty letters that say how far somebody is in a unit, and what a class of them comes to.

`docs/_static/class/code.js` does the same in a page; a test holds both to the same texts.
"""
