"""Reference answers of unit 09: the same attention with less work or less memory."""

import torch


class KVCache:
    """Keys and values of all tokens so far, for one layer (Shazeer, 2019, section 2.3)."""

    def __init__(self) -> None:
        self.K: torch.Tensor | None = None
        self.V: torch.Tensor | None = None

    def append(self, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Add the keys and values of one or more tokens, `(B, h, new, d)` each.

        Returns `(K, V)` so far, `(B, h, n_so_far, d)` each.
        """
        self.K = k if self.K is None else torch.cat([self.K, k], dim=2)
        self.V = v if self.V is None else torch.cat([self.V, v], dim=2)
        return self.K, self.V

    def __len__(self) -> int:
        return 0 if self.K is None else self.K.shape[2]


def causal_mask_with_cache(n_q: int, n_k: int) -> torch.Tensor:
    """Which of `n_k` tokens the last `n_q` of them may look at: boolean `(n_q, n_k)`.

    As `torch.nn.attention.bias.causal_lower_right`.

    Raises:
        ValueError: when there are more queries than keys.
    """
    if n_q > n_k:
        raise ValueError(f"n_q = {n_q} queries are no part of n_k = {n_k} tokens")
    return torch.arange(n_k) <= torch.arange(n_k - n_q, n_k).unsqueeze(1)


def grouped_query_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Attention of `Q (B, h_q, n, d)`, consecutive heads of which share one of `K, V (B, h_kv, n, d)`.

    As `F.scaled_dot_product_attention(..., enable_gqa=True)` (Ainslie et al., 2023, section 2.2).

    Raises:
        ValueError: when `h_q` is not a multiple of `h_kv`.
    """
    h_q, h_kv = Q.shape[1], K.shape[1]
    if h_q % h_kv:
        raise ValueError(f"h_q = {h_q} query heads cannot share h_kv = {h_kv} key heads evenly")
    groups = Q.unflatten(1, (h_kv, -1))  # (B, h_kv, heads of a group, n, d)
    scores = groups @ K.unsqueeze(2).transpose(-2, -1) / Q.shape[-1] ** 0.5
    return (torch.softmax(scores, dim=-1) @ V.unsqueeze(2)).flatten(1, 2)


def sliding_window_mask(n: int, window: int) -> torch.Tensor:
    """Causal, and at most `window - 1` tokens back: boolean `(n, n)` (Beltagy et al., 2020, section 3.1).

    Raises:
        ValueError: when the window has no room for the token itself.
    """
    if window < 1:
        raise ValueError(f"a window of {window} hides all of the n = {n} tokens; it should be 1 or more")
    back = torch.arange(n).unsqueeze(1) - torch.arange(n)
    return (back >= 0) & (back < window)


def online_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, block_size: int) -> torch.Tensor:
    """Attention of `Q (n_q, d_k)` to `K (n_k, d_k)`, `V (n_k, d_v)` by blocks of keys: `(n_q, d_v)`.

    The running maximum and sum of Milakov and Gimelshein (2018), algorithm 3, kept for an output as in
    Rabe and Staats (2021).  As `F.scaled_dot_product_attention`, without all scores at once.
    """
    largest = Q.new_full((len(Q), 1), -torch.inf)
    total = Q.new_zeros(len(Q), 1)
    output = Q.new_zeros(len(Q), V.shape[1])
    for keys, values in zip(K.split(block_size), V.split(block_size), strict=True):
        scores = Q @ keys.T / Q.shape[1] ** 0.5
        new = torch.maximum(largest, scores.max(dim=1, keepdim=True).values)
        powers, shrink = torch.exp(scores - new), torch.exp(largest - new)
        total = total * shrink + powers.sum(dim=1, keepdim=True)
        output = output * shrink + powers @ values
        largest = new
    return output / total


def rotary(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Rotate the pairs `(x[..., i], x[..., i + d/2])` of `x (..., n, d)` by `positions * base ** (-2 i / d)`.

    Su et al. (2021), equation 34, with the pairs half a width apart, as in GPT-NeoX.

    Raises:
        ValueError: when `d` is odd, so that a number has no partner.
    """
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"d = {d} is odd: it cannot be cut into 2 halves")
    theta = positions.unsqueeze(-1) * base ** (-2 * torch.arange(d // 2, dtype=torch.float64) / d)
    cos, sin = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
