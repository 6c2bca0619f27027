"""`torch.optim.lr_scheduler`: learning rates that fall."""

from typing import Any


class StepLR:
    """A rate that is multiplied by `gamma` every so many steps."""

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1) -> None:
        self.optimizer, self.step_size, self.gamma, self.last_epoch = optimizer, step_size, gamma, 0

    def step(self) -> None:
        """One step more."""
        self.last_epoch += 1
        if self.last_epoch % self.step_size == 0:
            for group in self.optimizer.param_groups:
                group["lr"] *= self.gamma
