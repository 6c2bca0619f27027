"""Forty sentences that visitors type into the first screen, written before what answers them."""

NINETY_WORDS = 5 * "the old keeper of the light left the island he left a note on the table for us "
SENTENCES = (
    # a word twice, with two meanings
    "She left her keys on the left",
    "I can open a can",
    "The bank on the river bank",
    "The bat hit the bat",
    "We duck when a duck flies over",
    "He wound a bandage around the wound",
    "The light is light",
    "Will Will write a will?",
    "Lead the way to the lead pipe",
    # a word twice, with one meaning or none
    "rose rose rose",
    "the the",
    "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo",
    "3.14159 is not 3.14159",
    # no word twice
    "Hello world",
    "What does attention do?",
    "The quick brown fox jumps over the lazy dog",
    "My name is Ada.",
    "i love pizza",
    "STOP SHOUTING AT ME",
    "asdf qwer zxcv",
    # one word, or less
    "saw",
    "Attention!",
    "antidisestablishmentarianism",
    "a",
    "7",
    "?",
    "...",
    # no English
    "Ich sah den Hund, der Hund sah mich nicht",
    "¿Dónde está la biblioteca?",
    "我看见一把锯",
    "こんにちは世界",
    "שלום עולם שלום",
    "Привет, мир",
    # signs
    "🐶",
    "🐶 loves 🐶",
    "I ❤️ my 👩‍👩‍👧",
    '<b>bold</b> & "quotes" <img src=x onerror=alert(1)>',
    "def f(x): return x + x",
    NINETY_WORDS,
    "x" * 300,
)
