"""What a spreadsheet takes for a formula, which a name or a text must never be."""

SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def begins_a_formula(text: str) -> bool:
    """Whether a spreadsheet would compute this text instead of showing it."""
    return text.lstrip(" ").startswith(SIGNS)
