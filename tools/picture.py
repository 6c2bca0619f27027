"""Draw the README's picture from the course's own example: `python -m tools.picture`."""

from helpers import example, plots, reference
from tools.shell import ROOT

PICTURE = ROOT / "images" / "i_saw_a_saw.png"


def main() -> None:
    """Write the picture of causal attention over "I saw a saw"."""
    Q, K, V = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)
    allowed = reference.causal_mask(len(example.TOKENS))
    output, weights = reference.attention(Q, K, V, allowed)
    scores = reference.scaled_scores(Q, K)
    figure = plots.chain(scores, allowed, weights, output, tokens=example.TOKENS, title="I saw a saw")
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(figure.png())
    print(f"{PICTURE.relative_to(ROOT)}: {figure.description}")


if __name__ == "__main__":
    main()
