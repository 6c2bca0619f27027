"""Right and wrong answers to `KVCache`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

NAME = "KVCache"

# Right answers, each in its own style


@right(NAME, "None, then cat")
class FromNone:
    def __init__(self):
        self.K = None
        self.V = None

    def append(self, k, v):
        if self.K is None:
            self.K, self.V = k, v
        else:
            self.K = torch.cat((self.K, k), dim=2)
            self.V = torch.cat((self.V, v), dim=2)
        return self.K, self.V

    def __len__(self):
        return 0 if self.K is None else self.K.size(2)


@right(NAME, "lists of chunks")
class Lists:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return torch.cat(self.keys, dim=-2), torch.cat(self.values, dim=-2)

    def __len__(self):
        return sum(k.shape[-2] for k in self.keys)


@right(NAME, "room that doubles")
class Growing:
    def __init__(self):
        self.n = 0

    def append(self, k, v):
        B, h, new, d = k.shape
        if self.n == 0:
            self.K, self.V = k.new_empty(B, h, 2 * new, d), v.new_empty(B, h, 2 * new, d)
        if self.n + new > self.K.shape[2]:
            room = 2 * (self.n + new)
            K, V = k.new_empty(B, h, room, d), v.new_empty(B, h, room, d)
            K[:, :, : self.n], V[:, :, : self.n] = self.K[:, :, : self.n], self.V[:, :, : self.n]
            self.K, self.V = K, V
        self.K[:, :, self.n : self.n + new] = k
        self.V[:, :, self.n : self.n + new] = v
        self.n += new
        return self.K[:, :, : self.n], self.V[:, :, : self.n]

    def __len__(self):
        return self.n


@right(NAME, "a count beside")
class Counting:
    def __init__(self):
        self.kv = ()
        self.count = 0

    def append(self, k, v):
        self.count += k.shape[2]
        self.kv = (
            (k.clone(), v.clone())
            if not self.kv
            else tuple(torch.cat([old, new], 2) for old, new in zip(self.kv, (k, v), strict=True))
        )
        return self.kv

    def __len__(self):
        return self.count


@right(NAME, "an nn.Module with one stacked tensor")
class Stacked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.both = None

    def append(self, k, v):
        new = torch.stack([k, v])
        self.both = new if self.both is None else torch.cat([self.both, new], dim=3)
        return self.both[0], self.both[1]

    def __len__(self):
        return 0 if self.both is None else self.both.shape[3]


@right(NAME, "token by token, in dicts")
class Tokens:
    def __init__(self):
        self.kept = {"k": [], "v": []}

    def append(self, k, v):
        for i in range(k.shape[2]):
            self.kept["k"].append(k[:, :, i])
            self.kept["v"].append(v[:, :, i])
        return torch.stack(self.kept["k"], 2), torch.stack(self.kept["v"], 2)

    def __len__(self):
        return len(self.kept["k"])


# Wrong answers, each with the id of its mistake


def made(mistake, note="", **parts):
    """A right cache in which something is done otherwise."""
    return wrong(NAME, mistake, note=note)(type("Cache", (FromNone,), parts))


@wrong(NAME, "overwritten-instead-of-collected")
class OnlyNew(FromNone):
    def append(self, k, v):
        self.K, self.V = k, v
        return self.K, self.V


@wrong(NAME, "returns-chunk")
class ReturnsChunk(FromNone):
    def append(self, k, v):
        super().append(k, v)
        return k, v


@wrong(NAME, "first-chunk-only")
class FirstStays(FromNone):
    def append(self, k, v):
        if self.K is None:
            self.K, self.V = k, v
        return self.K, self.V


@wrong(NAME, "wrong-order")
class NewInFront(FromNone):
    def append(self, k, v):
        if self.K is not None:
            k, v = torch.cat([k, self.K], 2), torch.cat([v, self.V], 2)
        self.K, self.V = k, v
        return k, v


class Along(FromNone):
    axis = 2

    def append(self, k, v):
        if self.K is not None:
            k, v = torch.cat([self.K, k], self.axis), torch.cat([self.V, v], self.axis)
        self.K, self.V = k, v
        return k, v


@wrong(NAME, "wrong-axis", note="batch")
class AlongBatch(Along):
    axis = 0


@wrong(NAME, "wrong-axis", note="heads")
class AlongHeads(Along):
    axis = 1


@wrong(NAME, "wrong-axis", note="width")
class AlongWidth(Along):
    axis = -1


@wrong(NAME, "last-token-only")
class LastOfChunk(FromNone):
    def append(self, k, v):
        return super().append(k[:, :, -1:], v[:, :, -1:])


@wrong(NAME, "chunks-added")
class Adds(FromNone):
    def append(self, k, v):
        if self.K is None:
            self.K, self.V = k, v
        else:
            self.K, self.V = self.K + k, self.V + v
        return self.K, self.V


@wrong(NAME, "first-chunk-twice")
class Twice(FromNone):
    def append(self, k, v):
        if self.K is None:
            self.K, self.V = k, v
        self.K, self.V = torch.cat([self.K, k], 2), torch.cat([self.V, v], 2)
        return self.K, self.V


@wrong(NAME, "starts-with-zeros")
class Zeros(FromNone):
    def append(self, k, v):
        if self.K is None:
            self.K = self.V = torch.zeros_like(k[:, :, :1])
        return super().append(k, v)


@wrong(NAME, "keys-for-values")
class KeysTwice(FromNone):
    def append(self, k, v):
        return super().append(k, k)


@wrong(NAME, "outputs-swapped")
class Swapped(FromNone):
    def append(self, k, v):
        K, V = super().append(k, v)
        return V, K


@wrong(NAME, "keys-for-values", note="in the return")
class ReturnsKeysTwice(FromNone):
    def append(self, k, v):
        K, _ = super().append(k, v)
        return K, K


@wrong(NAME, "caches-share-memory", note="lists of the class")
class ClassLists:
    keys, values = [], []

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return torch.cat(self.keys, 2), torch.cat(self.values, 2)

    def __len__(self):
        return sum(k.shape[2] for k in self.keys)


@wrong(NAME, "caches-share-memory", note="default arguments")
class DefaultLists:
    def __init__(self, keys=[], values=[]):  # noqa: B006 - that is the mistake
        self.keys, self.values = keys, values

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return torch.cat(self.keys, 2), torch.cat(self.values, 2)

    def __len__(self):
        return sum(k.shape[2] for k in self.keys)


@wrong(NAME, "earlier-results-changed")
class OneBuffer:
    def __init__(self):
        self.n = 0

    def append(self, k, v):
        new = k.shape[2]
        if self.n == 0:
            self.K = k.new_zeros(*k.shape[:2], 5000, k.shape[3])
            self.V = v.new_zeros(*v.shape[:2], 5000, v.shape[3])
        self.K.copy_(torch.roll(self.K, -new, 2))
        self.V.copy_(torch.roll(self.V, -new, 2))
        self.K[:, :, -new:], self.V[:, :, -new:] = k, v
        self.n += new
        return self.K[:, :, -self.n :], self.V[:, :, -self.n :]

    def __len__(self):
        return self.n


@wrong(NAME, "fixed-room")
class Room:
    def __init__(self):
        self.n = 0

    def append(self, k, v):
        new = k.shape[2]
        if self.n == 0:
            self.K = k.new_zeros(*k.shape[:2], 2048, k.shape[3])
            self.V = v.new_zeros(*v.shape[:2], 2048, v.shape[3])
        self.K[:, :, self.n : self.n + new], self.V[:, :, self.n : self.n + new] = k, v
        self.n += new
        return self.K[:, :, : self.n], self.V[:, :, : self.n]

    def __len__(self):
        return self.n


made(
    "len-counts-appends",
    __len__=lambda self: getattr(self, "calls", 0),
    append=lambda self, k, v: (
        setattr(self, "calls", getattr(self, "calls", 0) + 1),
        FromNone.append(self, k, v),
    )[1],
)
made("len-of-wrong-axis", "batch", __len__=lambda self: 0 if self.K is None else len(self.K))
made("len-of-wrong-axis", "heads", __len__=lambda self: 0 if self.K is None else self.K.shape[1])
made("len-of-wrong-axis", "width", __len__=lambda self: 0 if self.K is None else self.K.shape[-1])
made("len-counts-too-much", "numbers", __len__=lambda self: 0 if self.K is None else self.K.numel())
made("len-of-an-empty-cache", __len__=lambda self: self.K.shape[2])
made("len-of-an-empty-cache", "len of None", __len__=lambda self: len(self.K))
made("returns-list", append=lambda self, k, v: list(FromNone.append(self, k, v)))
made("returns-none", append=lambda self, k, v: FromNone.append(self, k, v) and None)
made("returns-stacked", append=lambda self, k, v: torch.stack(FromNone.append(self, k, v)))
made("one-output-missing", append=lambda self, k, v: FromNone.append(self, k, v)[0])
made("extra-output", append=lambda self, k, v: (*FromNone.append(self, k, v), len(self)))
made("returns-numpy", append=lambda self, k, v: tuple(np.asarray(x) for x in FromNone.append(self, k, v)))
made("float32", append=lambda self, k, v: FromNone.append(self, k.float(), v.float()))


@wrong(NAME, "returns-list", note="lists of chunks in a tuple")
class ChunksAsTheyAre(Lists):
    def append(self, k, v):
        super().append(k, v)
        return self.keys, self.values


@wrong(NAME, "no-len")
class NoLen:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return torch.cat(self.keys, 2), torch.cat(self.values, 2)


@wrong(NAME, "last-chunk-missing")
class TooLate(FromNone):
    def append(self, k, v):
        before = (k, v) if self.K is None else (self.K, self.V)
        super().append(k, v)
        return before


@wrong(NAME, "values-not-kept")
class ForgetsValues(FromNone):
    def append(self, k, v):
        K, _ = super().append(k, v)
        return K, v


@wrong(NAME, "input-changed", "the chunks are turned in place")
class TurnedInPlace:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(k.transpose_(1, 2))
        self.values.append(v.transpose_(1, 2))
        return tuple(torch.cat(them, 1).transpose(1, 2) for them in (self.keys, self.values))

    def __len__(self):
        return sum(one.shape[1] for one in self.keys)


@wrong(NAME, "wrong-axis", note="lists joined along the batch")
class ListsAlongBatch(Lists):
    def append(self, k, v):
        super().append(k, v)
        return torch.cat(self.keys), torch.cat(self.values)


@wrong(NAME, "keys-for-values", note="from the second append on")
class KeysBehindValues(FromNone):
    def append(self, k, v):
        return super().append(k, v if self.K is None else k)


@wrong(NAME, "returns-chunk", note="replaced, but counted")
class ReplacedButCounted:
    def __init__(self):
        self.K = self.V = torch.zeros(0)
        self.n = 0

    def append(self, k, v):
        self.K, self.V, self.n = k, v, self.n + k.shape[2]
        return self.K, self.V

    def __len__(self):
        return self.n


@wrong(NAME, "stacked")
class Stacks(Lists):
    def append(self, k, v):
        super().append(k, v)
        return torch.stack(self.keys, dim=2), torch.stack(self.values, dim=2)


@wrong(NAME, "stacked", note="and flattened")
class StacksFlat(Stacks):
    def append(self, k, v):
        K, V = super().append(k, v)
        return K.flatten(2, 3), V.flatten(2, 3)


@wrong(NAME, "starts-with-zeros", note="counted, in an empty cache too")
class CountedZeros(Zeros):
    def __len__(self):
        return 1 if self.K is None else self.K.shape[2]


@wrong(NAME, "starts-with-zeros+outputs-swapped")
class ZerosSwapped(Zeros):
    def append(self, k, v):
        return super().append(k, v)[::-1]


@wrong(NAME, "fixed-sizes")
class FixedSizes(FromNone):
    def __init__(self):
        self.K = self.V = torch.zeros(1, 1, 0, 2)


@wrong(NAME, "not-kept")
class ReturnsWithoutKeeping(FromNone):
    def append(self, k, v):
        if self.K is None:
            return super().append(k, v)
        return torch.cat([self.K, k], 2), torch.cat([self.V, v], 2)


@wrong(NAME, "axes-out-of-order")
class TokensFirst(FromNone):
    def append(self, k, v):
        K, V = super().append(k, v)
        return K.transpose(1, 2), V.transpose(1, 2)


@wrong(NAME, "len-of-last-chunk")
class CountsLastChunk(FromNone):
    last = 0

    def append(self, k, v):
        self.last = k.shape[2]
        return super().append(k, v)

    def __len__(self):
        return self.last


@wrong("KVCache", "equal-chunk-dropped", "equal to the one before")
class SkipsEqual:
    def __init__(self):
        self.last, self.K, self.V = None, [], []

    def append(self, k, v):
        if self.last is None or not (torch.equal(k, self.last[0]) and torch.equal(v, self.last[1])):
            self.K.append(k)
            self.V.append(v)
            self.last = k, v
        return torch.cat(self.K, 2), torch.cat(self.V, 2)

    def __len__(self):
        return sum(k.shape[2] for k in self.K)


@wrong("KVCache", "equal-chunk-dropped", "kept by the numbers of the keys")
class ByContent:
    def __init__(self):
        self.chunks = {}

    def append(self, k, v):
        self.chunks.setdefault(k.numpy().tobytes(), (k, v))
        K, V = zip(*self.chunks.values(), strict=True)
        return torch.cat(K, dim=2), torch.cat(V, dim=2)

    def __len__(self):
        return sum(k.size(2) for k, _ in self.chunks.values())


@wrong("KVCache", "overwritten-instead-of-collected", "kept by shape")
class ByShape:
    def __init__(self):
        self.chunks = {}

    def append(self, k, v):
        self.chunks[k.shape] = k, v
        K, V = zip(*self.chunks.values(), strict=True)
        return torch.cat(K, dim=2), torch.cat(V, dim=2)

    def __len__(self):
        return sum(k.size(2) for k, _ in self.chunks.values())


@wrong("KVCache", "one-token-chunks")
class OneTokenAtATime:
    def __init__(self):
        self.K, self.V = [], []

    def append(self, k, v):
        self.K.append(k.squeeze(2))
        self.V.append(v.squeeze(2))
        return torch.stack(self.K, dim=2), torch.stack(self.V, dim=2)

    def __len__(self):
        return len(self.K)


class Kept:
    """A cache of one tensor each, for mistakes in how they grow."""

    def __init__(self):
        self.K = self.V = None

    def grown(self, old, new):
        return new if old is None else torch.cat([old, new], dim=2)

    def append(self, k, v):
        self.K, self.V = self.grown(self.K, k), self.grown(self.V, v)
        return self.K, self.V

    def __len__(self):
        return 0 if self.K is None else self.K.shape[2]


@wrong("KVCache", "prefix-dropped", "a window")
class LastEight(Kept):
    def grown(self, old, new):
        return super().grown(old, new)[:, :, -8:]


@wrong("KVCache", "prefill-starts-anew")
class PrefillAnew(Kept):
    def grown(self, old, new):
        return new if old is None or new.shape[2] > 1 else torch.cat([old, new], dim=2)


@wrong("KVCache", "array-truth-value")
class Truth(Kept):
    def grown(self, old, new):
        if old:
            return torch.cat([old, new], dim=2)
        return new


@wrong("KVCache", "len-of-wrong-axis", "the widths added up")
class WidthsAddedUp(Kept):
    length = 0

    def append(self, k, v):
        self.length += k.shape[-1]
        return super().append(k, v)

    def __len__(self):
        return self.length


@wrong("KVCache", "outputs-swapped", "stored in each other's place")
class StoredSwapped(Kept):
    def append(self, k, v):
        return super().append(v, k)


@wrong("KVCache", "values-for-keys", "the keys are made of v too")
class ValuesTwice(Kept):
    def append(self, k, v):
        return super().append(v, v)


@wrong(NAME, "array-truth-value", note="`if self.K` asks a tensor for one True or False")
class AsksTheTensor(FromNone):
    def append(self, k, v):
        if self.K:
            return super().append(k, v)
        self.K, self.V = k, v
        return self.K, self.V
