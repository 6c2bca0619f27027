"""The training loop: draw, predict, compare, go back, step; and a bar and a plot that follow it."""

import html
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.beside.kernel import before_a_person, in_notebook

EVERY = 1.5
"""Seconds between two pictures: drawing one takes a while itself."""


def optimizer_of(model: nn.Module, learning_rate: float) -> torch.optim.Optimizer:
    """What moves the parameters of a model against their gradients: all at once, which is quicker here."""
    return torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.0, foreach=True)


def step_down(optimizer: torch.optim.Optimizer, loss: torch.Tensor) -> float:
    """Go back through a loss, and move each parameter a little."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train(
    step: Callable[[], float],
    steps: int,
    *,
    title: str,
    show: bool = True,
    guessing: float | None = None,
) -> list[float]:
    """Train a model and show how the loss falls.

    Args:
        step: draws a batch, does one step of training on it and returns the loss.
        steps: how many batches.
        title: of the picture.
        show: `False` trains in silence, where several models are compared in a table.
        guessing: the loss of one who knows nothing, to compare with.

    Returns:
        The loss of every step.
    """
    losses: list[float] = []
    progress = Progress(title, steps, show=show, guessing=guessing)
    for _ in range(steps):
        losses.append(step())
        progress.show(losses)
    progress.show(losses, last=True)
    return losses


class Progress:
    """A bar of text over a plot of the loss, shown in one place of the notebook; nothing elsewhere."""

    def __init__(self, title: str, steps: int, *, show: bool = True, guessing: float | None = None) -> None:
        self.title, self.steps, self.guessing = title, steps, guessing
        self.begun = self.drawn = time.monotonic()
        self.losses: list[float] = []
        self.handle: Any = None
        self.shown, self.watched = show and in_notebook(), before_a_person()

    def show(self, losses: list[float], *, last: bool = False) -> None:
        """Draw anew, unless the last picture is fresh; where nobody watches, the last one alone."""
        now = time.monotonic()
        if not self.shown or not (last or (self.watched and now - self.drawn > EVERY)):
            return
        from IPython.display import display

        self.losses = losses
        if self.handle is None:
            self.handle = display(self, display_id=True)
        else:
            self.handle.update(self)
        self.drawn = time.monotonic()

    def bar(self) -> str:
        """Such as "[##########----------] 300 of 600 steps, loss 0.71, 3 s"."""
        done = len(self.losses)
        marks = "#" * (20 * done // self.steps)
        seconds = time.monotonic() - self.begun
        loss = np.mean(self.losses[-20:])
        return f"[{marks:-<20}] {done} of {self.steps} steps, loss {loss:.3f}, {seconds:.0f} s"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from helpers import plots

        part = max(1, len(self.losses) // 40)  # a point is the mean of so many steps
        means = [np.mean(self.losses[i : i + part]) for i in range(0, len(self.losses) - part + 1, part)]
        places = part * np.arange(1, len(means) + 1)
        look = {"title": self.title, "x_label": "step", "y_label": "loss"}
        says = f"Each point is the mean loss of {part} steps."
        if self.guessing:
            look |= {"levels": {"guessing": self.guessing}}
            low = next((i for i, mean in enumerate(means) if mean < self.guessing / 10), None)
            if low is not None:
                look |= {"noted": {"loss": {f"a tenth of guessing: step {places[low]}": places[low]}}}
            elif len(self.losses) == self.steps:
                says += " It never gets down to a tenth of the loss of guessing."
        picture = plots.curves(places, {"loss": means}, **look).captioned(says)._repr_mimebundle_()
        bar = self.bar()
        return {
            "text/html": f"<pre>{html.escape(bar)}</pre>{picture['text/html']}",
            "text/plain": f"{bar}\n{picture['text/plain']}",
        }
