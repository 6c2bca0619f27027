"""What people get wrong in `KVCache`: the same cache with a step replaced, or with its memory elsewhere."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from helpers.exercises.wrong.rows import filled, mistakes, paired, rows

Tensor = torch.Tensor


def joined(old: Tensor | None, new: Tensor) -> Tensor:
    """The new tokens behind the old ones."""
    return new if old is None else torch.cat([old, new], dim=2)


def _keep(store: Any, k: Tensor, v: Tensor, join: Callable) -> None:
    store.before = (k, v) if store.K is None else (store.K, store.V)
    store.K, store.V = join(store.K, k), join(store.V, v)


def _nothing(_cache: Any) -> Any:
    return SimpleNamespace(K=None, V=None, chunks=[])


def variant(
    *,
    store: Callable[[Any], Any] = _nothing,
    join: Callable[[Tensor | None, Tensor], Tensor] = joined,
    keep: Callable[..., None] = _keep,
    give: Callable[..., Any] = lambda store, k, v: (store.K, store.V),
    length: Callable[[Any], int] = lambda store: 0 if store.K is None else store.K.shape[2],
) -> type:
    """A cache with some of its steps replaced by wrong ones."""

    class Cache:
        def __init__(self) -> None:
            self.store = store(self)

        def append(self, k: Tensor, v: Tensor) -> Any:
            self.store.chunks.append((k, v))
            keep(self.store, k, v, join)
            return give(self.store, k, v)

        def __len__(self) -> int:
            return length(self.store)

    return Cache


def _shared_by_all() -> Callable[[Any], Any]:
    """A memory that the second of two caches shares with the first; the next pair begins anew."""
    made: list[Any] = []

    def store(cache: Any) -> Any:
        if len(made) % 2 == 0:
            made.append(_nothing(cache))
        else:
            made.append(made[-1])
        return made[-1]

    return store


def _on(dim: int) -> dict[str, Callable]:
    return {"join": lambda old, new: new if old is None else torch.cat([old, new], dim=dim)}


def _count(store: Any, chunks: int | None = None) -> int:
    return sum(k.shape[2] for k, _ in store.chunks[:chunks])


def _from_zeros(old: Tensor | None, new: Tensor) -> Tensor:
    return joined(torch.zeros_like(new[:, :, :1]) if old is None else old, new)


def _of_chunks(end: Callable[[list[Tensor]], Tensor]) -> dict[str, Callable]:
    """The result is made of the list of chunks, and all tokens are counted."""
    each = {"give": lambda store, *_: tuple(end(list(some)) for some in zip(*store.chunks, strict=True))}
    return {"keep": lambda *_: None, **each, "length": _count}


def _in_place(store: Any, k: Tensor, v: Tensor, join: Callable) -> None:
    """The newest tokens always stand in front, in memory that earlier results look into."""
    for name, new in (("K", k), ("V", v)):
        old = getattr(store, name)
        whole = join(old, new)
        if old is not None:
            old.copy_(whole[:, :, -old.shape[2] :])
        setattr(store, name, whole)


def _unless(known: Callable[[list, Tensor, Tensor], bool]) -> dict[str, Callable]:
    """A chunk is left out where it is known already."""

    def keep(store: Any, k: Tensor, v: Tensor, join: Callable) -> None:
        *earlier, _ = store.chunks  # those that were kept, and this one
        if known(earlier, k, v):
            store.chunks.pop()
        else:
            _keep(store, k, v, join)

    return {"keep": keep}


def _equals(k: Tensor, v: Tensor | None = None) -> Callable[[tuple[Tensor, Tensor]], bool]:
    return lambda chunk: torch.equal(chunk[0], k) and (v is None or torch.equal(chunk[1], v))


def _by_shape(store: Any, k: Tensor, v: Tensor, join: Callable) -> None:
    """A chunk takes the place of an earlier one of its shape."""
    kept = {chunk[0].shape: chunk for chunk in store.chunks}
    store.chunks = list(kept.values())
    store.K, store.V = (torch.cat(some, 2) for some in zip(*store.chunks, strict=True))


def _limited(limit: int) -> Callable:
    def join(old: Tensor | None, new: Tensor) -> Tensor:
        whole = joined(old, new)
        if whole.shape[2] > limit:
            raise IndexError(f"the cache has room for {limit} tokens")
        return whole

    return join


_TOKENS = "The axes are (B, h, n, d). Which one should grow?"
_AGAIN = "May a text hold the same word twice? What does your code compare?"
_LEN = "len() counts tokens. Which size of K is that?"
_RETURN = "Look at the `return` of `append`."

MISTAKES = mistakes(
    variant,
    *rows(
        "overwritten-instead-of-collected: Your cache holds only the newest chunk: what came before is forgotten.",
        "Does `append` put the old tokens and the new ones together?",
        paired(join=lambda old, new: new),
        "returns-chunk: What you return is the newest chunk alone; all keys and values so far are asked for.",
        "What is in the cache after two appends, and what does `append` return of it?",
        paired(give=lambda store, k, v: (k, v)),
        "last-chunk-missing: You return what was there before this append; the new chunk belongs to it.",
        "Is the result made before or after the chunk is added?",
        paired(give=lambda store, k, v: store.before),
        "first-chunk-only: Your cache keeps its first chunk for ever: later ones do not reach it.",
        "What happens in `append` when there is something already?",
        paired(join=lambda old, new: new if old is None else old),
        "wrong-order: You put the new tokens before the old ones.",
        "In which order does `torch.cat` take its list?",
        paired(join=lambda old, new: new if old is None else torch.cat([new, old], dim=2)),
        "wrong-axis: You joined chunks along the batch; the tokens should become more.",
        _TOKENS,
        paired(**_on(0)),
        _of_chunks(torch.cat),
        "wrong-axis: You joined chunks along the heads; the tokens should become more.",
        _TOKENS,
        paired(**_on(1)),
        "wrong-axis: You joined chunks along the width; the tokens should become more.",
        _TOKENS,
        paired(**_on(3)),
        "last-token-only: You keep only the last token of each chunk; a chunk may hold several.",
        "Look for `[:, :, -1:]`.",
        paired(join=lambda old, new: joined(old, new[:, :, -1:])),
        "first-token-only: You keep only the first token of each chunk; a chunk may hold several.",
        "Look for `[:, :, :1]`.",
        paired(join=lambda old, new: joined(old, new[:, :, :1])),
        "not-kept: You return the old tokens and the new ones, but keep only the first chunk.",
        "What does the second append write to `self`?",
        _of_chunks(lambda some: torch.cat([some[0], *some[1:][-1:]], 2)) | {"length": lambda s: _count(s, 1)},
        "stacked: You stacked the chunks: that wants equal ones and makes a new axis; join them along the tokens.",
        "What does `torch.cat` do that `torch.stack` does not?",
        *(_of_chunks(lambda some, dim=dim: torch.stack(some, dim)) for dim in (0, 2)),
        _of_chunks(lambda some: torch.stack(some, 2).flatten(2, 3)),
        "axes-out-of-order: Heads and tokens have changed places in what you return: it should be (B, h, n, d).",
        "Look for `transpose(1, 2)`.",
        paired(give=lambda store, k, v: (store.K.transpose(1, 2), store.V.transpose(1, 2))),
        "first-chunk-twice: The first chunk is in your cache twice.",
        "What does the first append put the chunk together with?",
        {"join": lambda old, new: joined(new if old is None else old, new)},
        "equal-chunk-dropped: A chunk equal to the one before is left out of your cache; each append brings tokens of its own.",
        _AGAIN,
        _unless(lambda earlier, k, v: any(map(_equals(k, v), earlier[-1:]))),
        "equal-chunk-dropped: A chunk whose keys equal those of the one before is left out of your cache; each append brings tokens of its own.",
        _AGAIN,
        _unless(lambda earlier, k, v: any(map(_equals(k), earlier[-1:]))),
        "equal-chunk-dropped: A chunk equal to an earlier one is left out of your cache; each append brings tokens of its own.",
        _AGAIN,
        _unless(lambda earlier, k, v: any(map(_equals(k, v), earlier))),
        "equal-chunk-dropped: A chunk whose keys equal those of an earlier one is left out of your cache; each append brings tokens of its own.",
        _AGAIN,
        _unless(lambda earlier, k, v: any(map(_equals(k), earlier))),
        *filled(
            "prefix-dropped: Your cache keeps only the last {} tokens; it should keep all.",
            "Is there a longest length in your code, or a slice that counts from the end?",
            {
                str(most): {"join": lambda old, new, most=most: joined(old, new)[:, :, -most:]}
                for most in (4, 8, 10, 16, 32, 64, 100, 128, 256, 512, 1000, 1024, 2048, 4096)
            },
        ),
        "prefill-starts-anew: A chunk of several tokens makes your cache begin anew; it belongs behind the others too.",
        "When does your code take a chunk for the first one?",
        {"join": lambda old, new: new if new.shape[2] > 1 else joined(old, new)},
        "one-token-chunks: Your cache is made for chunks of one token; a chunk may hold several.",
        "What does `squeeze` do with an axis of another size, and which function joins pieces of unequal length?",
        _of_chunks(lambda some: torch.stack([one.squeeze(2) for one in some], 2))
        | {"length": lambda store: len(store.chunks)},
        _of_chunks(lambda some: torch.stack([one.squeeze(2) for one in some], 2)),
        "array-truth-value: You ask whether a tensor is true: with several numbers that is an error, and a single 0 counts as nothing.",
        "How can a cache tell that nothing is there yet? Compare with `None`, or count.",
        {"join": lambda old, new: torch.cat([old, new], 2) if old is not None and bool(old) else new},
        "overwritten-instead-of-collected: A chunk takes the place of an earlier one of the same shape; both belong into the cache.",
        "By what does your cache tell one chunk from another?",
        {"keep": _by_shape},
        "chunks-added: You added the chunk to what was there; it should stand behind it.",
        "`+` adds numbers. What puts tensors one behind the other?",
        {"join": lambda old, new: new if old is None else old + new},
        "starts-with-zeros: Your cache begins with a token of zeros that nobody appended.",
        "What is in the cache before the first append?",
        paired(join=_from_zeros),
        {"join": _from_zeros, "length": _count},
        {"join": _from_zeros, "length": lambda store: 1 + _count(store)},
        "keys-for-values: The keys stand in both places: they were stored, or returned, twice.",
        "Follow `v` from the head of `append` to its `return`.",
        paired(keep=lambda store, k, v, join: _keep(store, k, k, join)),
        {"give": lambda store, k, v: (store.K, store.K)},
        paired(keep=lambda store, k, v, join: _keep(store, k, k if len(store.chunks) > 1 else v, join)),
        "values-for-keys: The values stand in both places: they were stored, or returned, twice.",
        "Follow `k` from the head of `append` to its `return`.",
        paired(keep=lambda store, k, v, join: _keep(store, v, v, join)),
        "outputs-swapped: Keys and values have changed places: the keys come first in (K, V).",
        _RETURN,
        paired(give=lambda store, k, v: (store.V, store.K)),
        "values-not-kept: Your keys grow, but of the values you return the new chunk alone.",
        _RETURN,
        {"give": lambda store, k, v: (store.K, v)},
        "keys-not-kept: Your values grow, but of the keys you return the new chunk alone.",
        _RETURN,
        {"give": lambda store, k, v: (k, store.V)},
        "caches-share-memory: Two caches share one memory: what you append to one shows in the other.",
        "What belongs to one cache alone is made in `__init__`, on `self`: not in the class, a global or a default argument.",
        {"store": _shared_by_all()},
        "earlier-results-changed: A later append changes what an earlier one returned.",
        "Which line writes into a tensor that was handed out before? Make a new one, or write only behind its end.",
        {"keep": _in_place},
        "fixed-room: Your cache has room for a fixed number of tokens, and more do not fit.",
        "How large may a cache become? `torch.cat` makes room each time.",
        *({"join": _limited(limit)} for limit in (1024, 2048, 4096)),
        "len-counts-appends: len() counts calls of append; it should count tokens.",
        _LEN,
        paired(length=lambda store: len(store.chunks)),
        "len-of-wrong-axis: len() gives the batch size; it should count tokens.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else len(store.K)),
        "len-of-wrong-axis: len() gives the number of heads; it should count tokens.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else store.K.shape[1]),
        "len-of-wrong-axis: len() adds up the widths of the chunks; it should count tokens.",
        _LEN,
        {"length": lambda store: sum(k.shape[3] for k, _ in store.chunks)},
        "len-of-wrong-axis: len() gives the width; it should count tokens.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else store.K.shape[3]),
        "len-counts-too-much: len() counts every token once for each sequence of the batch.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else store.K.shape[0] * store.K.shape[2]),
        "len-counts-too-much: len() counts numbers; it should count tokens.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else store.K.numel()),
        "len-counts-too-much: len() counts keys and values apart: twice as many as there are tokens.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else 2 * store.K.shape[2]),
        "off-by-one: len() is one too large.",
        _LEN,
        paired(length=lambda store: 0 if store.K is None else 1 + store.K.shape[2]),
        "off-by-one: len() is one too large, and 1 before the first append.",
        _LEN,
        paired(length=lambda store: 1 if store.K is None else 1 + store.K.shape[2]),
        "off-by-one: len() is one too small.",
        _LEN,
        {"length": lambda store: 0 if store.K is None else store.K.shape[2] - 1},
        "len-of-last-chunk: len() counts the newest chunk alone; it should count all tokens.",
        _LEN,
        paired(length=lambda store: store.chunks[-1][0].shape[2] if store.chunks else 0),
        "len-always-0: len() is 0, whatever is appended.",
        _LEN,
        {"length": lambda store: 0},
    ),
)
