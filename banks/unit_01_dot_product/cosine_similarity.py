"""Right and wrong answers to `cosine_similarity`, as learners write them."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import right, wrong

# Right answers, each in its own style


@right("cosine_similarity", "norms, early return")
def cosine_norms(a, b):
    norm_a, norm_b = np.linalg.norm(a), np.linalg.norm(b)
    if norm_a == 0 or norm_b == 0:
        return 0.0
    return np.dot(a, b) / (norm_a * norm_b)


@right("cosine_similarity", "clipped")
def cosine_clipped_2(a, b):
    length = np.sqrt((a @ a) * (b @ b))
    return np.clip(a @ b / length, -1.0, 1.0) if length > 0 else 0.0


@right("cosine_similarity", "normalise first")
def cosine_normalise_first(a, b):
    if not a.any() or not b.any():
        return 0.0
    return float((a / np.linalg.norm(a)) @ (b / np.linalg.norm(b)))


@right("cosine_similarity", "loop and math")
def cosine_loop(a, b):
    product = square_a = square_b = 0.0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        product += x * y
        square_a += x * x
        square_b += y * y
    if square_a == 0.0 or square_b == 0.0:
        return 0.0
    return product / math.sqrt(square_a) / math.sqrt(square_b)


@right("cosine_similarity", "0 / 0 warns, then nan_to_num")
def cosine_nan_to_num(a, b):
    return np.nan_to_num(np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b)))


@right("cosine_similarity", "F.cosine_similarity, the library call")
def cosine_torch_library(a, b):
    return F.cosine_similarity(torch.from_numpy(a), torch.from_numpy(b), dim=0).item()


@right("cosine_similarity", "torch by hand, clamped, a 0-d array")
def cosine_torch(a, b):
    ta, tb = torch.tensor(a), torch.tensor(b)
    length = ta.norm() * tb.norm()
    if length == 0:
        return np.array(0.0)
    return (ta.dot(tb) / length).clamp(-1, 1).numpy()


@right("cosine_similarity", "law of cosines on unit vectors")
def cosine_law(a, b):
    length_a, length_b = math.hypot(*a), math.hypot(*b)
    if min(length_a, length_b) == 0:
        return 0.0
    gap = a / length_a - b / length_b
    return 1 - np.einsum("i,i->", gap, gap) / 2


@right("cosine_similarity", "np.divide with where, a 0-d array")
def cosine_divide_where(a, b):
    length = np.asarray(np.linalg.norm(a) * np.linalg.norm(b))
    return np.divide(np.dot(a, b), length, out=np.zeros_like(length), where=length > 0)


@right("cosine_similarity", "a dataclass does the work, warns")
def cosine_dataclass(a, b):
    @dataclass
    class Arrow:
        entries: np.ndarray

        @property
        def length(self):
            return float(np.sqrt(np.square(self.entries).sum()))

        def angle_to(self, other):
            if not (self.length and other.length):
                warnings.warn("an arrow without length has no direction", stacklevel=2)
                return math.pi / 2
            cosine = float(self.entries @ other.entries) / (self.length * other.length)
            return math.acos(max(-1.0, min(1.0, cosine)))

    angle = Arrow(a).angle_to(Arrow(b))
    return 0.0 if angle == math.pi / 2 else math.cos(angle)


@right("cosine_similarity", "hypot-free: unit vectors with 'or 1'")
def cosine_similarity_5(a, b):
    u = a / (np.sqrt((a * a).sum()) or 1)
    v = b / (np.sqrt((b * b).sum()) or 1)
    return np.clip(u @ v, -1, 1)


@right("cosine_similarity", "law of cosines of unit vectors, early return for zero")
def cosine_similarity_6(a, b):
    if not a.any() or not b.any():
        return 0.0
    u, v = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return 1 - ((u - v) ** 2).sum() / 2


@right("cosine_similarity", "math.hypot and sumprod")
def cosine_similarity_7(a, b):
    L = math.hypot(*a) * math.hypot(*b)
    return sum(float(x) * float(y) for x, y in zip(a, b)) / L if L else 0.0


# Wrong answers, those with one mistake together


@wrong("cosine_similarity", "zero-vector-nan")
def cosine_no_guard(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "zero-vector-nan", note="guards the first vector only")
def cosine_guard_one(a, b):
    if not a.any():
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "zero-vector-nan", note="guards only both zero: `and` for `or`")
def cosine_guard_and(a, b):
    length_a, length_b = np.linalg.norm(a), np.linalg.norm(b)
    if length_a == 0 and length_b == 0:
        return 0.0
    return a @ b / (length_a * length_b)


@wrong(
    "cosine_similarity",
    "zero-vector-nan",
    note="Only the first vector is checked for zero; a zero second vector gives 0/0.",
)
def cosine_1(a, b):
    if not a.any():
        return 0.0
    return (a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "zero-vector-nan", note="Handles the zero vector only when BOTH are zero")
def cosine_similarity_11(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 and nb == 0:
        return 0.0
    return float(np.dot(a, b) / (na * nb))


@wrong("cosine_similarity", "zero-vector-one", note="two zero vectors 'are identical'")
def cosine_zero_is_one(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norms if norms > 0 else 1.0


@wrong(
    "cosine_similarity",
    "zero-vector-one",
    note="Treats a zero vector as pointing the same way and returns 1 for it.",
)
def cosine_9(a, b):
    denominator = np.linalg.norm(a) * np.linalg.norm(b)
    if denominator == 0:
        return 1.0
    return (a * b).sum() / denominator


@wrong(
    "cosine_similarity",
    "zero-vector-one",
    note="Treats a zero dot product as 'zero vector' fine but returns 1.0 for zero vectors",
)
def cosine_similarity_16(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 1.0
    return float(a @ b / na / nb)


@wrong("cosine_similarity", "returns-none", note="for a zero vector")
def cosine_zero_none(a, b):
    if a.any() and b.any():
        return a @ b / math.sqrt((a @ a) * (b @ b))


@wrong("cosine_similarity", "epsilon-too-large", note="TensorFlow's floor below the squared length")
def cosine_l2_normalize(a, b):
    def l2_normalize(v, epsilon=1e-12):
        return v / np.sqrt(np.maximum(np.sum(v * v), epsilon))

    return np.sum(l2_normalize(a) * l2_normalize(b))


@wrong("cosine_similarity", "epsilon-too-large", note="wrong by 50 % for short vectors")
def cosine_eps(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-6)


@wrong("cosine_similarity", "epsilon-too-large", note="a short vector is taken for zero")
def cosine_threshold(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norms if norms > 1e-2 else 0.0


@wrong(
    "cosine_similarity",
    "epsilon-too-large",
    note="Adds 1e-2 to the denominator to dodge the zero division, which changes short vectors.",
)
def cosine_4(a, b):
    return np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-2)


@wrong(
    "cosine_similarity",
    "epsilon-too-large",
    note="Adds 1e-3 to the denominator to avoid dividing by zero: biased result for short vectors",
)
def cosine_similarity_12(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-3))


@wrong("cosine_similarity", "no-normalisation", note="right for unit vectors")
def cosine_is_dot(a, b):
    return a @ b


@wrong("cosine_similarity", "one-norm-forgotten", note="right when b has length 1")
def cosine_one_norm(a, b):
    length = np.linalg.norm(a)
    return a @ b / length if length > 0 else 0.0


@wrong("cosine_similarity", "one-norm-forgotten", note="a's length twice: right for equal lengths")
def cosine_same_norm_twice(a, b):
    if not a.any() or not b.any():
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(a))


@wrong("cosine_similarity", "no-square-root")
def cosine_squared_norms(a, b):
    norms = (a @ a) * (b @ b)
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "no-square-root", note="Normalises by squared lengths (forgot the square root)")
def cosine_similarity_9(a, b):
    na, nb = np.sum(a**2), np.sum(b**2)
    if na == 0 or nb == 0:
        return 0.0
    return float(a @ b / (na * nb))


@wrong("cosine_similarity", "lost-sign", note="right for acute angles")
def cosine_abs(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return np.abs(a @ b) / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "lost-sign", note="clipped to [0, 1]")
def cosine_clipped(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return float(np.clip(a @ b / norms, 0, 1)) if norms > 0 else 0.0


@wrong("cosine_similarity", "distance-instead-of-similarity")
def cosine_distance(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return 1 - a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "angle-instead-of-cosine")
def cosine_angle(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return np.arccos(np.clip(a @ b / norms, -1, 1)) if norms > 0 else 0.0


@wrong(
    "cosine_similarity", "angle-instead-of-cosine", note="Applies arccos and returns the angle in radians."
)
def cosine_7(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    cos = np.clip(a @ b / (na * nb), -1, 1)
    return float(np.arccos(cos))


@wrong(
    "cosine_similarity",
    "angle-instead-of-cosine",
    note="Returns the angle in radians (arccos) instead of the cosine",
)
def cosine_similarity_13(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    return float(np.arccos(np.clip(a @ b / (na * nb), -1, 1)))


@wrong("cosine_similarity", "wrong-norm", note="sum of absolute values")
def cosine_l1(a, b):
    norms = np.abs(a).sum() * np.abs(b).sum()
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "wrong-norm", note="sqrt(|a|^2 + |b|^2)")
def cosine_added_norms(a, b):
    norms = np.sqrt(a @ a + b @ b)
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "wrong-norm", note="number of entries")
def cosine_len(a, b):
    return a @ b / len(a)


@wrong(
    "cosine_similarity",
    "wrong-norm",
    note="Divides by the sums of absolute values (ord=1), not the Euclidean lengths.",
)
def cosine_6(a, b):
    na = np.linalg.norm(a, ord=1)
    nb = np.linalg.norm(b, ord=1)
    if na * nb == 0:
        return 0.0
    return a.dot(b) / (na * nb)


@wrong("cosine_similarity", "wrong-norm", note="Adds the norms in the denominator instead of multiplying")
def cosine_similarity_10(a, b):
    d = np.linalg.norm(a) + np.linalg.norm(b)
    return 0.0 if d == 0 else float(a @ b / d)


@wrong("cosine_similarity", "input-changed")
def cosine_in_place(a, b):
    if not a.any() or not b.any():
        return 0.0
    a /= np.linalg.norm(a)
    b /= np.linalg.norm(b)
    return a @ b


@wrong("cosine_similarity", "centred-first", note="Pearson correlation: right for zero-mean vectors")
def cosine_pearson(a, b):
    a, b = a - a.mean(), b - b.mean()
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "centred-first", note="Centres the vectors first (Pearson correlation)")
def cosine_similarity_14(a, b):
    a = a - a.mean()
    b = b - b.mean()
    n = np.linalg.norm(a) * np.linalg.norm(b)
    return 0.0 if n == 0 else float(a @ b / n)


@wrong("cosine_similarity", "any-instead-of-all", note="0.0 as soon as one entry is 0")
def cosine_all(a, b):
    if not a.all() or not b.all():
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong(
    "cosine_similarity",
    "any-instead-of-all",
    note="Returns 0 as soon as one entry is zero instead of when all entries are.",
)
def cosine_3(a, b):
    if not np.all(a) or not np.all(b):
        return 0.0
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


@wrong("cosine_similarity", "zero-sum-taken-for-zero")
def cosine_zero_sum(a, b):
    if a.sum() == 0 or b.sum() == 0:
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong(
    "cosine_similarity",
    "zero-sum-taken-for-zero",
    note="Tests the sum of the entries for zero, so (1, -1) is taken for the zero vector.",
)
def cosine_5(a, b):
    if sum(a) == 0 or sum(b) == 0:
        return 0.0
    top = sum(x * y for x, y in zip(a, b))
    return top / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


@wrong("cosine_similarity", "float32")
def cosine_float32(a, b):
    ta, tb = torch.tensor(a, dtype=torch.float32), torch.tensor(b, dtype=torch.float32)
    return torch.cosine_similarity(ta, tb, dim=0).numpy()


@wrong("cosine_similarity", "euclidean-distance")
def cosine_euclid(a, b):
    return 1 / (1 + np.linalg.norm(a - b))


@wrong("cosine_similarity", "keepdims-left", note="shape (1,)")
def cosine_shape_one(a, b):
    norms = np.linalg.norm(a, keepdims=True) * np.linalg.norm(b, keepdims=True)
    return np.divide(a @ b, norms, out=np.zeros(1), where=norms > 0)


@wrong(
    "cosine_similarity",
    "operator-precedence",
    note="Missing brackets: divides by the first length and multiplies by the second.",
)
def cosine_2(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    return np.dot(a, b) / na * nb


@wrong(
    "cosine_similarity",
    "no-square-root+zero-vector-nan",
    note="Divides by squared lengths and has no case for a zero vector.",
)
def cosine_8(a, b):
    with np.errstate(all="ignore"):
        return np.dot(a, b) / (np.dot(a, a) * np.dot(b, b))


@wrong(
    "cosine_similarity", "zero-vector-nan+wrong-norm", note="L1 norm instead of L2 norm AND zero case missing"
)
def cosine_similarity_15(a, b):
    return (a @ b) / (np.abs(a).sum() * np.abs(b).sum())


@wrong(
    "cosine_similarity",
    "wrong-norm",
    note="The lengths are the sums of the absolute entries instead of the root of the sum of squares; and for a zero vector the text is printed and None returned instead of 0.0.",
)
def cosine_similarity_wrong_norm(a, b):
    length_a = np.abs(a).sum()
    length_b = np.abs(b).sum()
    if length_a * length_b == 0:
        print("a vector of zeros has no direction")
    else:
        return np.sum(a * b) / (length_a * length_b)


@wrong("cosine_similarity", "zero-sum-taken-for-zero+wrong-norm", note="squares the sum, not each entry")
def cosine_with_squared_sums(a, b):
    length_a, length_b = np.sqrt(np.sum(a) ** 2), np.sqrt(np.sum(b) ** 2)
    if length_a == 0 or length_b == 0:
        return 0.0
    return np.sum(a * b) / (length_a * length_b)


@wrong("cosine_similarity", "absolute-for-length", note="the bars of the formula read as `abs`")
def cosine_with_absolute_entries(a, b):
    return 0.0 if not a.any() or not b.any() else a @ b / (abs(a) * abs(b))


@wrong("cosine_similarity", "operator-precedence", note="** 1/2 for each length")
def cosine_half_for_root(a, b):
    one, other = (a @ a) ** 1 / 2, (b @ b) ** 1 / 2
    return 0.0 if one * other == 0 else (a @ b) / (one * other)


@wrong("cosine_similarity", "operator-precedence", note="** 1/2 without a name for the lengths")
def cosine_half_for_root_at_once(a, b):
    if not a.any() or not b.any():
        return 0.0
    return np.sum(a * b) / (np.sum(a**2) ** 1 / 2 * np.sum(b**2) ** 1 / 2)


@wrong("cosine_similarity", "operator-precedence", note="the root of both at once, ** 1/2")
def cosine_half_of_both(a, b):
    bottom = ((a @ a) * (b @ b)) ** 1 / 2
    return 0.0 if bottom == 0 else (a @ b) / bottom


@wrong("cosine_similarity", "operator-precedence", note="divided by ** 1/2, without brackets")
def cosine_divided_and_halved(a, b):
    square = (a @ a) * (b @ b)
    return 0.0 if square == 0 else (a @ b) / square**1 / 2


@wrong("cosine_similarity", "cosine-of-cosine", note="the cosine of the dot product")
def cosine_of_dot(a, b):
    return np.cos(a @ b)


@wrong("cosine_similarity", "cosine-of-cosine", note="the cosine of the dot product, with 0.0 for zeros")
def cosine_of_dot_guarded(a, b):
    if np.all(a == 0) or np.all(b == 0):
        return 0.0
    return float(np.cos(np.dot(a, b)))


@wrong("cosine_similarity", "truncates-to-int", note="rounded to one digit")
def cosine_rounded_to_one_digit(a, b):
    length_a, length_b = np.sqrt(a @ a), np.sqrt(b @ b)
    if length_a == 0 or length_b == 0:
        return 0.0
    return round(a @ b / (length_a * length_b), 1)
