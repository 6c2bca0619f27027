"""Exercises that are answered on their page: the cards, and the editor in them."""
