"""`torch.distributions`: shares by the logits."""

from typing import Any

from torch.op import METHODS


class Categorical:
    """One of several, each with its share."""

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        if logits is None:
            probs = METHODS["div"].run(probs, METHODS["sum"].run(probs, -1, True))
            logits = METHODS["log"].run(probs)
        self.logits = METHODS["sub"].run(logits, METHODS["logsumexp"].run(logits, -1, True))

    @property
    def probs(self) -> Any:
        return METHODS["softmax"].run(self.logits, -1)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of a share."""
        at = METHODS["unsqueeze"].run(value.long(), -1)
        shape = at._a.shape[:-1]
        wide = METHODS["expand"].run(self.logits, *shape, self.logits._a.shape[-1])
        return METHODS["squeeze"].run(METHODS["gather"].run(wide, -1, at), -1)

    def sample(self, sample_shape: Any = ()) -> Any:
        """One drawn."""
        flat = METHODS["reshape"].run(self.probs, -1, self.logits._a.shape[-1])
        return METHODS["multinomial"].run(flat, 1).reshape(self.logits._a.shape[:-1])
