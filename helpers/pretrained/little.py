"""A state dict with the names of the real one and a few random numbers, for looking at and trying out."""

import torch


def little_state(layers: int = 2, width: int = 4, seed: int = 0) -> dict[str, torch.Tensor]:
    """Weights of a BERT so narrow that one can read them; `width` in place of 384.

    Args:
        layers: how many layers it has.
        width: numbers of each token.
        seed: draws other numbers.
    """
    dice = torch.Generator().manual_seed(seed)

    def numbers(*shape: int) -> torch.Tensor:
        return (torch.randn(*shape, generator=dice) * width**-0.5).round(decimals=2)

    state = {f"embeddings.{name}_embeddings.weight": numbers(3, width) for name in ("word", "position")}
    for i in range(layers):
        for name, (d_out, d_in) in {
            "attention.self.query": (width, width),
            "attention.self.key": (width, width),
            "attention.self.value": (width, width),
            "attention.output.dense": (width, width),
            "intermediate.dense": (4 * width, width),
            "output.dense": (width, 4 * width),
        }.items():
            state[f"encoder.layer.{i}.{name}.weight"] = numbers(d_out, d_in)
            state[f"encoder.layer.{i}.{name}.bias"] = numbers(d_out)
    return state
