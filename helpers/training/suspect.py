"""An attention with a mistake that no training notices.  Find it with the checks before you read on."""

import torch

from helpers.reference import MultiHeadAttention


class SuspectAttention(MultiHeadAttention):
    """It trains, and its loss falls: what is wrong with it?"""

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        allowed: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """As `reference.MultiHeadAttention`, but for the order of two steps."""
        Q, K, V = self._split(self.W_q(query)), self._split(self.W_k(key)), self._split(self.W_v(value))
        weights = torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1)
        if allowed is not None:
            weights = weights * allowed  # too late: what is hidden has had its part of the sum
        return self.W_o((weights @ V).transpose(1, 2).flatten(2)), weights
