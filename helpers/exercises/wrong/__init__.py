"""Known mistakes, written once: `rows` says how one is written, `generic` and the families serve many exercises."""
