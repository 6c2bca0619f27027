"""Right and wrong answers to `same_word_head`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_wrong, right, wrong
from helpers import reference


def on_words(codes, n):
    """Codes of words above rows of zeros for the places."""
    return np.vstack([codes, np.zeros((n, codes.shape[1]))])


def beside(codes, places):
    """Codes of words and of places, in columns of their own."""
    (w, a), (n, b) = codes.shape, places.shape
    return np.block([[codes, np.zeros((w, b))], [np.zeros((n, a)), places]])


# Right answers, each in its own style


@right("same_word_head", "one-hot words, ten times, one array twice")
def ten_times(num_words, n):
    W = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@right("same_word_head", "filled by a loop")
def by_a_loop(num_words, n):
    W_q, W_k = (np.zeros((num_words + n, num_words)) for _ in range(2))
    for word in range(num_words):
        W_q[word, word] = 30
        W_k[word, word] = 30
    return W_q, W_k


@right("same_word_head", "only queries scaled, whole numbers")
def queries_scaled(num_words, n):
    W_k = np.eye(num_words + n, num_words, dtype=int)
    return 1000 * W_k, W_k


@right("same_word_head", "as wide as a token")
def as_wide_as_a_token(num_words, n):
    W = np.zeros((num_words + n, num_words + n))
    W[:num_words, :num_words] = 50 * np.identity(num_words)
    return W, W.copy()


@right("same_word_head", "the scaling undone")
def scaling_undone(num_words, n):
    keep = np.diag([1.0] * num_words + [0.0] * n)
    return keep * 20 * np.sqrt(num_words + n), keep


@right("same_word_head", "two columns: words on a circle")
def on_a_circle(num_words, n):
    angles = 2 * np.pi * np.arange(num_words) / num_words
    W = on_words(100 * np.column_stack([np.cos(angles), np.sin(angles)]), n)
    return W, W


@right("same_word_head", "two columns: a parabola, queries unlike keys")
def on_a_parabola(num_words, n):
    w = np.arange(num_words)
    return on_words(50 * np.column_stack([2 * w, np.ones(num_words)]), n), on_words(
        np.column_stack([w, -(w**2)]), n
    )


@right("same_word_head", "random orthogonal codes, other ones in each call")
def orthogonal(num_words, n):
    codes = np.linalg.qr(np.random.default_rng().standard_normal((num_words, num_words)))[0]
    return on_words(1e5 * codes, n), on_words(codes, n)


@right("same_word_head", "random directions in many columns")
def many_columns(num_words, n):
    codes = np.random.default_rng(0).standard_normal((num_words, 1000))
    return on_words(3 * codes, n), on_words(3 * codes, n)


@right("same_word_head", "centred codes, with negative numbers")
def centred(num_words, n):
    codes = np.eye(num_words) - 1 / num_words
    return on_words(40 * codes, n), on_words(40 * codes, n)


@right("same_word_head", "other words pushed away")
def others_pushed_away(num_words, n):
    return on_words(-200.0 * (1 - np.eye(num_words)), n), on_words(np.eye(num_words), n)


@right("same_word_head", "binary digits as -1 and 1")
def binary(num_words, n):
    digits = np.arange(num_words)[:, None] >> np.arange(5) & 1
    W = on_words(8.0 * (2 * digits - 1), n)
    return W, W


@right("same_word_head", "float32")
def in_float32(num_words, n):
    W = np.zeros((num_words + n, num_words), dtype=np.float32)
    np.fill_diagonal(W, 12)
    return W, W


@right("same_word_head", "torch inside")
def torch_inside(num_words, n):
    W = torch.cat([20 * torch.eye(num_words), torch.zeros(n, num_words)])
    return W.numpy(), W.clone().numpy()


@right("same_word_head", "numbers of 1e75")
def huge_numbers(num_words, n):
    W = on_words(1e75 * np.eye(num_words), n)
    return W, W


@right("same_word_head", "places in the queries, which no key reads")
def places_nobody_reads(num_words, n):
    W_q = 10 * np.eye(num_words + n)
    W_k = W_q.copy()
    W_k[num_words:] = 0
    return W_q, 10 * W_k


@right("same_word_head", "every key one more")
def a_constant_for_every_key(num_words, n):
    W_k = np.eye(num_words + n, num_words)
    return 100 * W_k, W_k + 1


@right("same_word_head", "one column where two words need no more")
def one_column(num_words, n):
    if num_words > 2:
        return ten_times(num_words, n)
    W = on_words(np.array([[5.0], [-5.0]])[:num_words], n)
    return W, W


@right("same_word_head", "arrays kept by their sizes")
def kept(num_words, n, made={}):  # noqa: B006
    if (num_words, n) not in made:
        made[num_words, n] = ten_times(num_words, n)
    return made[num_words, n]


@right("same_word_head", "words kept, places dropped, both matrices times 20")
def words_kept_places_dropped_both(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@right("same_word_head", "only the query sharp: 1000")
def only_the_query_sharp_1000(num_words, n):
    keep_word = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return 1000 * keep_word, keep_word


@right("same_word_head", "only the key sharp, times sqrt(d_head)")
def only_the_key_sharp_times(num_words, n):
    d_head = num_words
    W_q = np.eye(num_words + n, d_head)
    W_k = np.eye(num_words + n, d_head) * 30 * np.sqrt(d_head)
    return W_q, W_k


@right("same_word_head", "loop over the words")
def loop_over_the_words(num_words, n):
    W_q = np.zeros((num_words + n, num_words))
    W_k = np.zeros((num_words + n, num_words))
    for word in range(num_words):
        W_q[word, word] = 50.0
        W_k[word, word] = 50.0
    return (W_q, W_k)


@right("same_word_head", "d_head is num_words + n: a big diag with zeros for the places")
def d_head_is_num_words(num_words, n):
    W = np.diag([100.0] * num_words + [0.0] * n)
    return W, W.copy()


@right("same_word_head", "queries keep their place, keys do not, so it meets zeros")
def queries_keep_their_place_keys(num_words, n):
    W_q = np.eye(num_words + n) * 60
    W_k = np.diag(np.r_[np.ones(num_words) * 60, np.zeros(n)])
    return W_q, W_k


@right("same_word_head", "negative elsewhere: 1 for the word's own column, -1 for others; sharp enough")
def negative_elsewhere_1_for_the(num_words, n):
    code = 2 * np.eye(num_words) - 1
    W_k = np.vstack([code, np.zeros((n, num_words))])
    W_q = np.vstack([np.eye(num_words), np.zeros((n, num_words))]) * 100 * num_words
    return W_q, W_k


@right("same_word_head", "both negative: minus times minus")
def both_negative_minus_times_minus(num_words, n):
    W = -40 * np.eye(num_words + n, num_words)
    return W, W


@right("same_word_head", "orthogonal random codes from qr")
def orthogonal_random_codes_from_qr(num_words, n):
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(num_words, num_words)))
    W = np.concatenate([30 * Q, np.zeros((n, num_words))])
    return W, W


@right("same_word_head", "words on a circle, d_head 2")
def words_on_a_circle_d(num_words, n):
    angle = 2 * np.pi * np.arange(num_words) / num_words
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    W = np.vstack([circle, np.zeros((n, 2))])
    return 1000 * num_words**2 * W, W


@right("same_word_head", "number of the word, d_head 2: -(a - b)^2 without the part that is equal in a row")
def number_of_the_word_d(num_words, n):
    number = np.arange(num_words)
    W_q, W_k = np.zeros((num_words + n, 2)), np.zeros((num_words + n, 2))
    W_q[:num_words] = np.stack([2 * number, np.ones(num_words)], axis=1) * 100
    W_k[:num_words] = np.stack([number, -(number**2)], axis=1)
    return W_q, W_k


@right("same_word_head", "hard punishment: other words score -1000, the same word 0")
def hard_punishment_other_words_score(num_words, n):
    W_q = np.zeros((num_words + n, num_words))
    W_q[:num_words] = np.eye(num_words) - 1
    W_k = np.zeros((num_words + n, num_words))
    W_k[:num_words] = np.eye(num_words) * 1000 * np.sqrt(num_words)
    return W_q, W_k


@right("same_word_head", "integers, from comparing row and column numbers")
def integers_from_comparing_row_and(num_words, n):
    W = (np.arange(num_words + n)[:, None] == np.arange(num_words)[None, :]).astype(int) * 25
    return W, W


@right("same_word_head", "twice the columns (d_head = 2 * num_words), scaled for that width")
def twice_the_columns_d_head(num_words, n):
    d_head = 2 * num_words
    W = np.zeros((num_words + n, d_head))
    W[:num_words] = np.hstack([np.eye(num_words), np.eye(num_words)])
    return W * np.sqrt(d_head) * 5, W * 5


@right("same_word_head", "the places of the query add the same to every key")
def the_places_of_the_query(num_words, n):
    W_q = np.vstack([200 * np.eye(num_words), np.ones((n, num_words))])
    W_k = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W_q * num_words, W_k


@right("same_word_head", "MATLAB style: slices filled, float32")
def matlab_style_slices_filled_float32(num_words, n):
    W_q = np.zeros((num_words + n, num_words), dtype=np.float32)
    W_q[0:num_words, :] = np.diag(np.full(num_words, 300, dtype=np.float32))
    W_k = np.sign(W_q)
    return tuple([W_q, W_k * np.float32(num_words)])


@right("same_word_head", "pad of an eye, einsum for the sharpness")
def pad_of_an_eye_einsum(num_words, n):
    keep = np.pad(np.eye(num_words), ((0, n), (0, 0)))
    sharp = np.einsum("ij,j->ij", keep, np.full(num_words, 1e4))
    return sharp, keep


@right("same_word_head", "block matrix; one bias-like column too much, all zeros")
def block_matrix_one_bias_like(num_words, n):
    W = np.block([[1e3 * np.eye(num_words), np.zeros((num_words, 1))], [np.zeros((n, num_words + 1))]])
    return W, W


@right("same_word_head", "torch, then .numpy()")
def torch_then_numpy(num_words, n):
    import torch

    W = torch.cat([torch.eye(num_words), torch.zeros(n, num_words)]) * 100.0
    return W.numpy(), W.numpy()


@right("same_word_head", "words in reversed order in both")
def words_in_reversed_order_in(num_words, n):
    W = np.vstack([np.fliplr(np.eye(num_words)), np.zeros((n, num_words))])
    return W * 99, W * 99


@right("same_word_head", "ten and ten times the sized root: word codes kept, places dropped")
def ten_and_ten_times_the(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return 20 * np.sqrt(num_words) * W, W


@right("same_word_head", "a rectangular np.eye, both times 20")
def a_rectangular_np_eye_both(num_words, n):
    return 20 * np.eye(num_words + n, num_words), 20 * np.eye(num_words + n, num_words)


@right("same_word_head", "a loop over words")
def a_loop_over_words(num_words, n):
    W_q = np.zeros((num_words + n, num_words))
    W_k = np.zeros((num_words + n, num_words))
    for w in range(num_words):
        W_q[w][w] = 100
        W_k[w][w] = 5
    return (W_q, W_k)


@right("same_word_head", "d_head is num_words + n, and only the keys drop the place")
def d_head_is_num_words_2(num_words, n):
    W_q = 30 * np.eye(num_words + n)
    W_k = 10 * np.diag([1.0] * num_words + [0.0] * n)
    return W_q, W_k


@right("same_word_head", "only the queries drop the place")
def only_the_queries_drop_the(num_words, n):
    W_q = 300 * np.diag(np.r_[np.ones(num_words), np.zeros(n)])
    return W_q, np.eye(num_words + n)


@right("same_word_head", "random orthogonal codes, the same for both, long enough")
def random_orthogonal_codes_the_same(num_words, n):
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(num_words, num_words)))
    W = np.vstack([16 * Q, np.zeros((n, num_words))])
    return W, W


@right("same_word_head", "nearly orthogonal random codes of width 4096")
def nearly_orthogonal_random_codes_of(num_words, n):
    codes = np.random.default_rng(1).choice([-1.0, 1.0], size=(num_words, 4096))
    W = np.vstack([codes, np.zeros((n, 4096))])
    return W, W


@right("same_word_head", "words on a circle, sharp enough for their number")
def words_on_a_circle_sharp(num_words, n):
    angle = 2 * np.pi * np.arange(num_words) / num_words
    W = np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), np.zeros((n, 2))])
    return 20 * num_words**2 * W, W


@right("same_word_head", "words on a circle, all turned by one radian in both matrices, and both negative")
def words_on_a_circle_all(num_words, n):
    angle = 1 + 2 * np.pi * np.arange(num_words) / num_words
    W = np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), np.zeros((n, 2))])
    return -5 * num_words * W, -5 * num_words * W


@right("same_word_head", "minus the square of the difference of word numbers, in d_head 2")
def minus_the_square_of_the(num_words, n):
    w = np.arange(num_words, dtype=float)
    W_q = np.vstack([np.stack([2 * w, -np.ones(num_words)], axis=1), np.zeros((n, 2))])
    W_k = np.vstack([np.stack([w, w**2], axis=1), np.zeros((n, 2))])
    return 30 * W_q, W_k


@right("same_word_head", "binary codes of -1 and 1")
def binary_codes_of_1_and(num_words, n):
    bits = max(1, int(np.ceil(np.log2(num_words))))
    codes = 2.0 * ((np.arange(num_words)[:, None] >> np.arange(bits)) & 1) - 1
    W = np.pad(codes, ((0, n), (0, 0)))
    return 20 * W, W


@right("same_word_head", "negative numbers between different words, float32, with einsum")
def negative_numbers_between_different_words(num_words, n):
    scale = np.float32(40 * np.sqrt(num_words))
    code = np.eye(num_words, dtype=np.float32)
    W_q = np.pad(np.einsum("wa,ab->wb", code, scale * (2 * np.eye(num_words) - 1)), ((0, n), (0, 0)))
    W_k = np.pad(code, ((0, n), (0, 0)))
    return W_q.astype(np.float32), W_k


@right("same_word_head", "a constant in the place rows of W_k: it adds the same to every key")
def a_constant_in_the_place(num_words, n):
    W_q = np.vstack([40 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = np.vstack([5 * np.eye(num_words), 7 * np.ones((n, num_words))])
    return W_q, W_k


@right("same_word_head", "a hundredth of the place is left: within 0.05")
def a_hundredth_of_the_place(num_words, n):
    W = np.vstack([16 * np.eye(num_words, num_words + n), 0.01 * np.eye(n, num_words + n, k=num_words)])
    return W, W


@right("same_word_head", "codes permuted in both matrices, very sharp, integers")
def codes_permuted_in_both_matrices(num_words, n):
    W = np.zeros((num_words + n, num_words), dtype=int)
    W[np.arange(num_words), num_words - 1 - np.arange(num_words)] = 1000
    return W, W.copy()


@right("same_word_head", "all codes kept, and a block of empty columns makes d_head wider")
def all_codes_kept_and_a(num_words, n):
    d_head = 64
    if num_words > d_head:
        d_head = num_words
    W = np.zeros((num_words + n, d_head))
    W[range(num_words), range(num_words)] = np.sqrt(25 * np.sqrt(d_head))
    return W, W


@right("same_word_head", "punishes other words with a large negative score instead of rewarding its own")
def punishes_other_words_with_a(num_words, n):
    W_q = np.vstack([np.eye(num_words) - 1, np.zeros((n, num_words))])
    W_k = np.vstack([1e3 * np.eye(num_words), np.zeros((n, num_words))])
    return W_q, W_k


# Wrong answers, each with the id of its mistake: as many as you can think of

# not sharp enough

for scale in (1, 0.01, 1.5, 2.5, 4, 5):

    def barely(num_words, n, scale=scale):
        W = on_words(scale * np.eye(num_words), n)
        return W, W

    add_wrong("same_word_head", "too-flat", barely, f"{scale} times the one-hot words")


@wrong("same_word_head", "too-flat", "only W_q is scaled")
def only_queries_scaled(num_words, n):
    return on_words(10 * np.eye(num_words), n), on_words(np.eye(num_words), n)


@wrong("same_word_head", "too-flat", "sqrt(d_head) undone, no more")
def scaling_undone_only(num_words, n):
    W = on_words(np.eye(num_words), n)
    return W * np.sqrt(num_words), W


@wrong("same_word_head", "too-flat", "booleans")
def booleans(num_words, n):
    W = np.eye(num_words + n, num_words, dtype=bool)
    return W, W


@wrong("same_word_head", "too-flat", "codes on a small circle")
def small_circle(num_words, n):
    angles = 2 * np.pi * np.arange(num_words) / num_words
    W = on_words(4 * np.column_stack([np.cos(angles), np.sin(angles)]), n)
    return W, W


@wrong("same_word_head", "too-flat", "softmax of the codes")
def softmax_codes(num_words, n):
    powers = np.exp(np.eye(num_words))
    return (on_words(powers / powers.sum(1, keepdims=True), n),) * 2


@wrong("same_word_head", "too-flat", "later words have larger numbers, the first has 1")
def later_words_larger(num_words, n):
    W = on_words(np.diag(np.arange(1.0, num_words + 1)), n)
    return W, W


@wrong("same_word_head", "too-flat", "centred codes")
def centred_codes(num_words, n):
    W = on_words(3 * (np.eye(num_words) - 1 / num_words), n)
    return W, W


# places left in


@wrong("same_word_head", "places-left-in+too-flat", "queries and keys are the tokens")
def tokens_themselves(num_words, n):
    return np.eye(num_words + n), np.eye(num_words + n)


@wrong("same_word_head", "places-left-in", "the tokens, 20 times")
def tokens_scaled(num_words, n):
    return 20 * np.eye(num_words + n), 20 * np.eye(num_words + n)


@wrong("same_word_head", "places-left-in", "words 30 times, places once")
def places_once(num_words, n):
    W = beside(30 * np.eye(num_words), 4 * np.eye(n))
    return W, W


@wrong("same_word_head", "places-left-in", "a column of ones")
def ones_for_places(num_words, n):
    W = beside(20 * np.eye(num_words), np.arange(1.0, n + 1)[:, None])
    return W, W


@wrong("same_word_head", "places-left-in", "places share the columns of the words, both matrices")
def shared_columns(num_words, n):
    W = np.vstack([100 * np.eye(num_words), 40 * np.eye(n, num_words)])
    return W, W


@wrong("same_word_head", "places-left-in", "only the keys read places")
def keys_read_places(num_words, n):
    W_k = np.vstack([20 * np.eye(num_words), 20 * np.eye(n, num_words)])
    return on_words(20 * np.eye(num_words), n), W_k


@wrong("same_word_head", "places-left-in", "the token before too")
def token_before_too(num_words, n):
    return beside(20 * np.eye(num_words), 20 * np.eye(n, k=-1)), beside(
        20 * np.eye(num_words), 20 * np.eye(n)
    )


@wrong("same_word_head", "itself-left-out")
def others_only(num_words, n):
    return beside(20 * np.eye(num_words), np.eye(n)), beside(20 * np.eye(num_words), -400 * np.eye(n))


@wrong("same_word_head", "itself-left-out", "with other numbers")
def others_only_weakly(num_words, n):
    W = beside(9 * np.eye(num_words), np.eye(n))
    W_k = W.copy()
    W_k[num_words:] *= -60
    return 3 * W, W_k


def ranked(num_words, n, by):
    W_q = on_words(np.hstack([20 * np.eye(num_words), np.ones((num_words, 1))]), n)
    W_k = W_q.copy()
    W_k[:, -1] = 0
    W_k[num_words:, -1] = by * np.arange(n)
    return W_q, W_k


@wrong("same_word_head", "first-occurrence-only")
def earliest(num_words, n):
    return ranked(num_words, n, -25)


@wrong("same_word_head", "last-occurrence-only")
def latest(num_words, n):
    return ranked(num_words, n, 4)


# places for words


@wrong("same_word_head", "places-instead-of-words", "only itself")
def only_itself(num_words, n):
    W = np.vstack([np.zeros((num_words, n)), 10 * np.eye(n)])
    return W, W


@wrong("same_word_head", "places-instead-of-words", "only the diagonal, weakly")
def only_itself_weakly(num_words, n):
    W = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W, W


@wrong("same_word_head", "places-instead-of-words", "the first token, always")
def first_token(num_words, n):
    W_q, W_k = np.ones((num_words + n, 1)), np.zeros((num_words + n, 1))
    W_k[num_words] = 50
    return W_q, W_k


@wrong("same_word_head", "neighbours-instead-of-words", "the token before")
def token_before(num_words, n):
    zeros = np.zeros((num_words, n))
    return np.vstack([zeros, 15 * np.eye(n, k=-1)]), np.vstack([zeros, 15 * np.eye(n)])


@wrong("same_word_head", "neighbours-instead-of-words", "the next token")
def next_token(num_words, n):
    zeros = np.zeros((num_words, n))
    return np.vstack([zeros, np.eye(n, k=1)]), np.vstack([zeros, 7 * np.eye(n)])


@wrong("same_word_head", "parts-swapped", "places first")
def places_first(num_words, n):
    W = np.vstack([np.zeros((n, num_words)), 25 * np.eye(num_words)])
    return W, W


@wrong("same_word_head", "parts-swapped", "places first, by slices")
def places_first_sliced(num_words, n):
    W = np.zeros((num_words + n, num_words))
    W[n:] = 12 * np.eye(num_words)
    return W, W


@wrong("same_word_head", "parts-swapped", "the last rows")
def last_rows(num_words, n):
    W = np.eye(num_words + n, num_words, k=-n)
    return 100 * W, W


@wrong("same_word_head", "arguments-swapped", "n words and num_words places")
def arguments_swapped(num_words, n):
    W = np.vstack([20 * np.eye(n), np.zeros((num_words, n))])
    return W, W


@wrong("same_word_head", "words-against-places", "query reads the word, key the place")
def word_to_place(num_words, n):
    d = max(num_words, n)
    W_q, W_k = np.zeros((2, num_words + n, d))
    W_q[:num_words] = 9 * np.eye(num_words, d)
    W_k[num_words:] = 9 * np.eye(n, d)
    return W_q, W_k


@wrong("same_word_head", "words-against-places", "query reads the place, key the word")
def place_to_word(num_words, n):
    W_q, W_k = word_to_place(num_words, n)
    return W_k, W_q


# words mixed up


@wrong("same_word_head", "sign-flipped", "minus in the keys")
def minus_in_keys(num_words, n):
    W = on_words(20 * np.eye(num_words), n)
    return W, -W


@wrong("same_word_head", "sign-flipped", "zeros and ones exchanged in the keys")
def ones_but_own(num_words, n):
    return on_words(20 * np.eye(num_words), n), on_words(20 * (1 - np.eye(num_words)), n)


@wrong("same_word_head", "another-word", "codes rolled on")
def rolled(num_words, n):
    return on_words(20 * np.eye(num_words), n), on_words(20 * np.roll(np.eye(num_words), 1, axis=0), n)


@wrong("same_word_head", "one-word-for-all", "words as numbers")
def words_as_numbers(num_words, n):
    W = on_words(10.0 * np.arange(num_words)[:, None], n)
    return W, W


@wrong("same_word_head", "one-word-for-all", "words as numbers from 1")
def words_as_numbers_from_one(num_words, n):
    W = on_words(np.arange(1.0, num_words + 1)[:, None], n)
    return W, W


@wrong("same_word_head", "words-not-told-apart", "too few columns")
def two_columns(num_words, n):
    W = on_words(20 * np.eye(num_words, 2), n)
    return W, W


@wrong("same_word_head", "words-not-told-apart", "codes of even and odd words")
def even_and_odd(num_words, n):
    W = on_words(20 * np.eye(2)[np.arange(num_words) % 2], n)
    return W, W


@wrong("same_word_head", "words-not-told-apart", "the last word has no row")
def last_word_left_out(num_words, n):
    W = np.zeros((num_words + n, num_words))
    for word in range(num_words - 1):
        W[word, word] = 20
    return W, W


@wrong("same_word_head", "words-not-told-apart", "codes of three words")
def three_codes(num_words, n):
    W = np.zeros((num_words + n, max(num_words, 3)))
    for word in range(min(3, num_words)):
        W[word, word] = 20
    return W, W


@wrong("same_word_head", "longer-row-wins", "random codes")
def random_codes(num_words, n):
    W = on_words(10 * np.random.default_rng(2).standard_normal((num_words, 3)), n)
    return W, W


@wrong("same_word_head", "longer-row-wins", "a number and its square")
def number_and_square(num_words, n):
    w = np.arange(1.0, num_words + 1)
    W = on_words(np.column_stack([w, w**2, (num_words - w) ** 2]), n)
    return W, W


# all alike


@wrong("same_word_head", "all-scores-alike", "zeros")
def all_zeros(num_words, n):
    return np.zeros((num_words + n, num_words)), np.zeros((num_words + n, num_words))


@wrong("same_word_head", "all-scores-alike", "ones")
def all_ones(num_words, n):
    return np.ones((num_words + n, 4)), np.ones((num_words + n, 4))


@wrong("same_word_head", "all-scores-alike", "only W_q is filled")
def keys_forgotten(num_words, n):
    W_q = on_words(10 * np.eye(num_words), n)
    return W_q, np.zeros_like(W_q)


@wrong("same_word_head", "all-scores-alike", "words meet other columns")
def crossed_columns(num_words, n):
    codes, zeros = 10 * np.eye(num_words), np.zeros((num_words, num_words))
    return on_words(np.hstack([codes, zeros]), n), on_words(np.hstack([zeros, codes]), n)


# matrices that do not fit


@wrong("same_word_head", "fixed-size", "the notebook's 3 words and 6 places")
def notebook_sizes(num_words, n):
    W = on_words(20 * np.eye(3), 6)
    return W, W


@wrong("same_word_head", "fixed-size", "3 words, other numbers")
def three_words(num_words, n):
    W = on_words(100 * np.eye(3), n)
    return W, W


@wrong("same_word_head", "fixed-size", "6 places")
def six_places(num_words, n):
    W = on_words(17 * np.eye(num_words), 6)
    return W, W


@wrong("same_word_head", "weight-transposed")
def turned(num_words, n):
    W = on_words(10 * np.eye(num_words), n).T
    return W, W


@wrong("same_word_head", "weight-transposed", "only W_k")
def keys_turned(num_words, n):
    W = on_words(10 * np.eye(num_words), n)
    return W, W.T


@wrong("same_word_head", "no-rows-for-places")
def words_only(num_words, n):
    return 10 * np.eye(num_words), 10 * np.eye(num_words)


@wrong("same_word_head", "no-rows-for-words")
def places_only(num_words, n):
    return 10 * np.eye(n), 10 * np.eye(n)


@wrong("same_word_head", "widths-differ")
def other_width(num_words, n):
    return 10 * np.eye(num_words + n, num_words), 10 * np.eye(num_words + n)


@wrong("same_word_head", "shape-flattened")
def one_row_of_numbers(num_words, n):
    w = np.concatenate([np.arange(num_words), np.zeros(n)])
    return w, w


@wrong("same_word_head", "too-many-axes")
def with_a_head_axis(num_words, n):
    W = on_words(10 * np.eye(num_words), n)
    return W[None], W[None]


@wrong("same_word_head", "no-columns")
def no_columns(num_words, n):
    return np.zeros((num_words + n, 0)), np.zeros((num_words + n, 0))


# numbers that overflow


@wrong("same_word_head", "scores-overflow")
def overflowing(num_words, n):
    W = on_words(1e200 * np.eye(num_words), n)
    return W, W


@wrong("same_word_head", "scores-overflow", "infinity less infinity")
def overflowing_both_ways(num_words, n):
    W = on_words(np.tile([1e200, -1e200], (num_words, 1)), n)
    return W, np.abs(W)


@wrong("same_word_head", "not-finite", "minus infinity for the places")
def minus_infinity(num_words, n):
    W = np.vstack([10 * np.eye(num_words), np.full((n, num_words), -np.inf)])
    return W, W


@wrong("same_word_head", "not-finite", "0 / 0")
def nan(num_words, n):
    W = on_words(np.eye(num_words), n)
    with np.errstate(all="ignore"):
        return W / W, W


@wrong("same_word_head", "not-numbers", "complex")
def complex_codes(num_words, n):
    angles = np.arange(num_words) / num_words
    W = on_words(np.exp(2j * np.pi * angles)[:, None], n)
    return W, W


# something else comes back


@wrong("same_word_head", "returns-none")
def returns_nothing(num_words, n):
    ten_times(num_words, n)


@wrong("same_word_head", "returns-list")
def returns_a_list(num_words, n):
    return list(ten_times(num_words, n))


@wrong("same_word_head", "returns-list", "lists in a tuple")
def returns_lists(num_words, n):
    return tuple(W.tolist() for W in ten_times(num_words, n))


@wrong("same_word_head", "returns-dict")
def returns_a_dict(num_words, n):
    return dict(zip(("W_q", "W_k"), ten_times(num_words, n), strict=True))


@wrong("same_word_head", "returns-tensor")
def returns_tensors(num_words, n):
    return tuple(map(torch.from_numpy, ten_times(num_words, n)))


@wrong("same_word_head", "returns-stacked")
def returns_stacked(num_words, n):
    return np.stack(ten_times(num_words, n))


@wrong("same_word_head", "one-output-missing")
def returns_one(num_words, n):
    return ten_times(num_words, n)[0]


@wrong("same_word_head", "extra-output", "W_v too")
def returns_three(num_words, n):
    W_q, W_k = ten_times(num_words, n)
    return W_q, W_k, W_k


@wrong("same_word_head", "one-output-missing", "W_k is None")
def none_for_keys(num_words, n):
    return ten_times(num_words, n)[0], None


# other wrong matrices


@wrong("same_word_head", "state-between-calls", "drawn anew")
def drawn_anew(num_words, n):
    rng = np.random.default_rng()
    return rng.standard_normal((num_words + n, num_words)), rng.standard_normal((num_words + n, num_words))


@wrong("same_word_head", "random-matrices")
def drawn(num_words, n):
    return tuple(np.random.default_rng(0).standard_normal((2, num_words + n, num_words)))


@wrong("same_word_head", "words-not-told-apart", "codes that hold each other")
def codes_in_each_other(num_words, n):
    codes = np.tril(np.ones((num_words, num_words)))
    return on_words(5 * codes, n), on_words(5 * codes, n)


# Answers of two people who had not seen the check

# What the notebook holds when the answer is written
num_words = 3
n = 6
places = np.eye(6)
word_codes = np.eye(3)[[0, 1, 2, 1, 2, 0]]
tokens = np.hstack([word_codes, places])


@wrong("same_word_head", "too-flat", note="too flat: ones, no factor")
def too_flat_ones_no_factor(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong("same_word_head", "places-left-in+too-flat", note="queries and keys are the tokens (the first try)")
def queries_and_keys_are_the(num_words, n):
    W = np.eye(num_words + n)
    return W, W


@wrong("same_word_head", "places-left-in", note="sharp, but places kept: each token looks at itself alone")
def sharp_but_places_kept_each(num_words, n):
    W = 20 * np.eye(num_words + n)
    return W, W


@wrong("same_word_head", "places-instead-of-words", note="keeps the place, drops the word")
def keeps_the_place_drops_the(num_words, n):
    W = 20 * np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W, W


@wrong(
    "same_word_head", "parts-swapped", note="zeros on top: the eye stands in the last rows, where places are"
)
def zeros_on_top_the_eye(num_words, n):
    W = 20 * np.vstack([np.zeros((n, num_words)), np.eye(num_words)])
    return W, W


@wrong("same_word_head", "too-flat", note="factor 2 in both: still too flat")
def factor_2_in_both_still(num_words, n):
    W = 2 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong("same_word_head", "too-flat", note="factor sqrt(d_head) only undoes the division: sharpness 1")
def factor_sqrt_d_head_only(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W * np.sqrt(num_words), W


@wrong("same_word_head", "too-flat", note="factor 10 in one: enough for few words, too flat for many")
def factor_10_in_one_enough(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return 10 * W, W


@wrong("same_word_head", "all-scores-alike", note="all zeros: equal weight for everybody")
def all_zeros_equal_weight_for(num_words, n):
    W_q = np.zeros((num_words + n, num_words))
    W_k = np.zeros((num_words + n, num_words))
    return W_q, W_k


@wrong("same_word_head", "all-scores-alike", note="all ones times 20: every token scores the same")
def all_ones_times_20_every(num_words, n):
    W = 20 * np.ones((num_words + n, num_words))
    return W, W


@wrong("same_word_head", "too-flat", note="places are ones in both and no factor: too flat")
def places_are_ones_in_both(num_words, n):
    W = np.vstack([np.eye(num_words), np.ones((n, num_words))])
    return W, W


@wrong("same_word_head", "one-output-missing", note="only one matrix returned")
def only_one_matrix_returned(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W


@wrong("same_word_head", "returns-none", note="no return")
def no_return(num_words, n):
    W_q = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    W_k = W_q


@wrong("same_word_head", "returns-none", note="prints the two matrices")
def prints_the_two_matrices(num_words, n):
    W_q = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    print(W_q, W_q)


@wrong("same_word_head", "returns-none", note="stub: ellipsis")
def stub_ellipsis(num_words, n): ...


@wrong("same_word_head", "one-output-missing", note="stub: W_k still None")
def stub_w_k_still_none(num_words, n):
    W_q = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    W_k = None
    return W_q, W_k


@wrong("same_word_head", "fixed-size", note="sizes of the example, 3 and 6")
def sizes_of_the_example_3(num_words, n):
    W = 20 * np.vstack([np.eye(3), np.zeros((6, 3))])
    return W, W


@wrong("same_word_head", "argument-unused", note="height from the notebook's tokens")
def height_from_the_notebooks_tokens(num_words, n):
    W = np.zeros((tokens.shape[1], num_words))
    W[:num_words] = 20 * np.eye(num_words)
    return W, W


@wrong("same_word_head", "fixed-size", note="number of words from the notebook's word_codes")
def number_of_words_from_the(num_words, n):
    words = word_codes.shape[1]
    W = 20 * np.vstack([np.eye(words), np.zeros((n, words))])
    return W, W


@wrong(
    "same_word_head",
    "argument-unused",
    note="built from the notebook's word_codes: one row per token of the one sentence",
)
def built_from_the_notebooks_word(num_words, n):
    W = 20 * np.vstack([word_codes, np.zeros((num_words, 3))])
    return W, W


@wrong("same_word_head", "words-not-told-apart", note="return inside the loop: only the first word")
def return_inside_the_loop_only(num_words, n):
    W = np.zeros((num_words + n, num_words))
    for word in range(num_words):
        W[word, word] = 20
        return W, W


@wrong(
    "same_word_head",
    "arguments-swapped",
    note="loop over n instead of num_words: out of range, or places filled too",
)
def loop_over_n_instead_of(num_words, n):
    W = np.zeros((num_words + n, num_words + n))
    for i in range(n):
        W[i, i] = 20
    return W, W


@wrong("same_word_head", "itself-left-out", note="itself excluded: a minus for the own place")
def itself_excluded_a_minus_for(num_words, n):
    W_q = 20 * np.eye(num_words + n)
    W_k = 20 * np.diag(np.r_[np.ones(num_words), -np.ones(n)])
    return W_q, W_k


@wrong("same_word_head", "sign-flipped", note="opposite: looks at the other words (minus in one)")
def opposite_looks_at_the_other(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W, -W


@wrong("same_word_head", "another-word", note="keys of the neighbouring word: 1-based column, rolled")
def keys_of_the_neighbouring_word(num_words, n):
    W_q = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    W_k = np.roll(W_q, 1, axis=1)
    return W_q, W_k


@wrong("same_word_head", "returns-list", note="tuple of lists: W_query.shape fails")
def tuple_of_lists_w_query(num_words, n):
    W = [[20.0 if i == j else 0.0 for j in range(num_words)] for i in range(num_words + n)]
    return W, W


@wrong("same_word_head", "returns-weights", note="returns the attention weights in place of matrices")
def returns_the_attention_weights_in(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    q = tokens @ W
    return reference.softmax(q @ q.T / np.sqrt(num_words))


@wrong("same_word_head", "returns-queries", note="returns queries and keys, not matrices")
def returns_queries_and_keys_not(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return tokens @ W, tokens @ W


@wrong("same_word_head", "extra-output", note="returns a string in front: three things")
def returns_a_string_in_front(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return "W_q, W_k", W, W


@wrong("same_word_head", "returns-dict", note="a dict, keyed by name")
def a_dict_keyed_by_name(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return {"W_q": W, "W_k": W}


@wrong(
    "same_word_head",
    "neighbours-instead-of-words",
    note="the look-back head of 2.5: queries move a place back",
)
def the_look_back_head_of(num_words, n):
    W_q = 20 * np.vstack([np.zeros((num_words, n)), np.eye(n, k=-1)])
    W_k = 20 * np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W_q, W_k


@wrong("same_word_head", "words-against-places", note="word of the query against place of the key")
def word_of_the_query_against(num_words, n):
    W_q = 20 * np.vstack([np.eye(num_words, n), np.zeros((n, n))])
    W_k = 20 * np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W_q, W_k


@wrong("same_word_head", "arguments-swapped", note="arguments exchanged")
def arguments_exchanged(n, num_words):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong(
    "same_word_head", "sizes-without-brackets", note="np.zeros(n, num_words) without the tuple: a TypeError"
)
def np_zeros_n_num_words(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros(n, num_words)])
    return W, W


@wrong("same_word_head", "weight-transposed", note="hstack: words beside zeros, not above")
def hstack_words_beside_zeros_not(num_words, n):
    W = 20 * np.hstack([np.eye(num_words), np.zeros((num_words, n))])
    return W, W


@wrong("same_word_head", "weight-transposed", note="W_k transposed for the product")
def w_k_transposed_for_the(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W, W.T


@wrong(
    "same_word_head",
    "first-left-out",
    note="1-based loop: the first word gets nothing, the last row is a place",
)
def by_1_based_loop_the_first(num_words, n):
    W = np.zeros((num_words + n, num_words + 1))
    for word in range(1, num_words + 1):
        W[word, word] = 20
    return W, W


@wrong("same_word_head", "first-left-out", note="1-based slice: the first row is skipped")
def by_1_based_slice_the_first(num_words, n):
    W = np.zeros((num_words + n, num_words))
    W[1 : num_words + 1] = 20 * np.eye(num_words)
    return W, W


@wrong(
    "same_word_head",
    "one-output-missing",
    note="num2cell feeling: an object array of two matrices, returned as one",
)
def num2cell_feeling_an_object_array(num_words, n):
    W = 20 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    both = np.empty(2, dtype=object)
    both[0] = W
    return both


@wrong("same_word_head", "returns-none", note="MATLAB output variables [W_q, W_k], never returned")
def matlab_output_variables_w_q(num_words, n):
    [W_q, W_k] = [20 * np.eye(num_words + n, num_words)] * 2


@wrong("same_word_head", "xor-for-power", note="^ for a power: a TypeError on floats")
def for_a_power_a_typeerror(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))]) * (10.0 ^ 2)
    return W, W


@wrong(
    "same_word_head",
    "too-flat",
    note="20 added in place of multiplied: the scores differ by 1 only, too flat",
)
def by_20_added_in_place_of(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))]) + 20
    return W, np.vstack([np.eye(num_words), np.zeros((n, num_words))])


@wrong("same_word_head", "diagonal-read", note="np.diag of a column reads and does not build: shapes fail")
def np_diag_of_a_column(num_words, n):
    W = np.vstack([20 * np.diag(np.ones((num_words, 1))), np.zeros((n, num_words))])
    return W, W


@wrong(
    "same_word_head",
    "places-left-in",
    note="repmat of the eye down to the places: the place picks a word too",
)
def repmat_of_the_eye_down(num_words, n):
    W = 20 * np.tile(np.eye(num_words), (n + 1, 1))[: num_words + n]
    return W, W


@wrong("same_word_head", "stack-of-two-shapes", note="stack in place of vstack: all shapes must be equal")
def stack_in_place_of_vstack(num_words, n):
    W = 20 * np.stack([np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong("same_word_head", "shape-flattened", note="append without an axis: a flat vector")
def append_without_an_axis_a(num_words, n):
    W = 20 * np.append(np.eye(num_words), np.zeros((n, num_words)))
    return W, W


@wrong(
    "same_word_head", "words-not-told-apart", note="triu for the code: later words match earlier ones as well"
)
def triu_for_the_code_later(num_words, n):
    W = 20 * np.vstack([np.triu(np.ones((num_words, num_words))), np.zeros((n, num_words))])
    return W, W


@wrong("same_word_head", "random-matrices", note="random matrices")
def random_matrices(num_words, n):
    rng = np.random.default_rng(0)
    return rng.normal(size=(num_words + n, 8)), rng.normal(size=(num_words + n, 8))


@wrong("same_word_head", "another-word", note="random codes, two different draws for queries and keys")
def random_codes_two_different_draws(num_words, n):
    rng = np.random.default_rng(0)
    W_q = np.vstack([rng.normal(size=(num_words, 64)), np.zeros((n, 64))])
    W_k = np.vstack([rng.normal(size=(num_words, 64)), np.zeros((n, 64))])
    return 20 * W_q, 20 * W_k


@wrong(
    "same_word_head",
    "another-word",
    note="random codes with d_head 2, unequal lengths: a long code beats the own one",
)
def random_codes_with_d_head(num_words, n):
    rng = np.random.default_rng(0)
    W = np.vstack([rng.normal(size=(num_words, 2)), np.zeros((n, 2))])
    return 20 * W, 20 * W


@wrong("same_word_head", "not-finite", note="infinity as sharpness: 0 * inf is nan")
def infinity_as_sharpness_0_inf(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W * np.inf, W


@wrong(
    "same_word_head",
    "places-left-in",
    note="place dropped from neither, only weakened by 0.5: itself still wins",
)
def place_dropped_from_neither_only(num_words, n):
    W = np.diag(np.r_[np.ones(num_words) * 20, np.ones(n) * 10])
    return W, W


@wrong(
    "same_word_head",
    "places-left-in",
    note="place weakened in the query only: itself gets a little more than half",
)
def place_weakened_in_the_query(num_words, n):
    W_q = np.diag(np.r_[np.ones(num_words) * 20, np.full(n, 0.1)])
    W_k = 20 * np.eye(num_words + n)
    return W_q, W_k


@wrong(
    "same_word_head", "too-flat", note="already divided by sqrt(d_head) in both matrices, factor 3: too flat"
)
def already_divided_by_sqrt_d(num_words, n):
    d_head = num_words
    W = 3 * np.vstack([np.eye(num_words), np.zeros((n, num_words))]) / d_head**0.25
    return W, W


@wrong("same_word_head", "widths-differ", note="W_q and W_k of different widths")
def w_q_and_w_k(num_words, n):
    W_q = 20 * np.eye(num_words + n, num_words)
    W_k = 20 * np.eye(num_words + n)
    W_k[num_words:] = 0
    return W_q, W_k


@wrong("same_word_head", "one-word-for-all", note="d_head 1, the word's number: bigger numbers win")
def d_head_1_the_words(num_words, n):
    W = np.zeros((num_words + n, 1))
    W[:num_words, 0] = np.arange(1, num_words + 1) * 20
    return W, W


@wrong("same_word_head", "another-word", note="word codes in reversed order in the keys only")
def word_codes_in_reversed_order(num_words, n):
    W_q = 20 * np.eye(num_words + n, num_words)
    W_k = W_q[:, ::-1]
    return W_q, W_k


@wrong("same_word_head", "one-output-missing", note="one name only, tuple of one: trailing comma")
def one_name_only_tuple_of(num_words, n):
    W = 20 * np.eye(num_words + n, num_words)
    return (W,)


@wrong(
    "same_word_head",
    "returns-generator",
    note="generator, not a tuple; yields the matrices and an empty third",
)
def generator_not_a_tuple_yields(num_words, n):
    W = 20 * np.eye(num_words + n, num_words)
    yield W
    yield W
    yield None


@wrong(
    "same_word_head",
    "fixed-size",
    note="learned by gradient descent on the notebook's sentence: hard-wired size, few steps",
)
def learned_by_gradient_descent_on(num_words, n):
    W = np.random.default_rng(0).normal(size=(tokens.shape[1], 4)) * 0.1
    same = (word_codes @ word_codes.T) / (word_codes @ word_codes.T).sum(1, keepdims=True)
    for _ in range(20):
        q = tokens @ W
        error = reference.softmax(q @ q.T / 2) - same
        W -= 0.1 * tokens.T @ (error @ q + error.T @ q) / 2
    return W, W


@wrong("same_word_head", "too-flat", note="sharpness n: too flat for short sentences")
def sharpness_n_too_flat_for(num_words, n):
    W = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return np.sqrt(n) * W, W * np.sqrt(np.sqrt(n))


@wrong("same_word_head", "too-flat", note="softmax applied to the matrices: everything gets some weight")
def softmax_applied_to_the_matrices(num_words, n):
    W = reference.softmax(20 * np.eye(num_words + n, num_words))
    return W, W


@wrong(
    "same_word_head",
    "first-occurrence-only",
    note="causal thinking: earlier places preferred among equal words",
)
def causal_thinking_earlier_places_preferred(num_words, n):
    W_q = np.zeros((num_words + n, num_words + 1))
    W_k = np.zeros((num_words + n, num_words + 1))
    W_q[:num_words, :num_words] = 20 * np.eye(num_words)
    W_k[:num_words, :num_words] = 20 * np.eye(num_words)
    W_q[:num_words, -1] = 20
    W_k[num_words:, -1] = -np.arange(n)
    return W_q, W_k


@wrong(
    "same_word_head", "places-left-in+too-flat", note="the first try again: queries and keys are the tokens"
)
def the_first_try_again_queries(num_words, n):
    W_q = np.eye(num_words + n)
    W_k = np.eye(num_words + n)
    return W_q, W_k


@wrong(
    "same_word_head",
    "places-left-in",
    note="the first try times 10: each token looks only at itself or too much at itself",
)
def the_first_try_times_10(num_words, n):
    W = 10 * np.eye(num_words + n)
    return W, W


@wrong("same_word_head", "too-flat", note="drops the place, but no sharpness: other words keep weight")
def drops_the_place_but_no(num_words, n):
    W_q = np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W_q, W_q


@wrong("same_word_head", "too-flat", note="twice as large only: still not sharp enough")
def twice_as_large_only_still(num_words, n):
    W_q = 2 * np.vstack([np.eye(num_words), np.zeros((n, num_words))])
    return W_q, W_q


@wrong(
    "same_word_head",
    "places-instead-of-words",
    note="copies W_key of exercise 2.5, which drops the word and keeps the place",
)
def copies_w_key_of_exercise(num_words, n):
    W_q = 10 * np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W_q, W_q


@wrong("same_word_head", "neighbours-instead-of-words", note="copies look_back: finds the token before")
def copies_look_back_finds_the(num_words, n):
    W_q = 10 * np.vstack([np.zeros((num_words, n)), np.eye(n, k=-1)])
    W_k = 10 * np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W_q, W_k


@wrong("same_word_head", "sign-flipped", note="a minus sign in one matrix: looks at all words but its own")
def a_minus_sign_in_one(num_words, n):
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = np.vstack([-10 * np.eye(num_words), np.zeros((n, num_words))])
    return W_q, W_k


@wrong("same_word_head", "one-output-missing", note="only one matrix returned")
def only_one_matrix_returned_2(num_words, n):
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W_q


@wrong("same_word_head", "returns-none", note="prints and returns nothing")
def prints_and_returns_nothing(num_words, n):
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = W_q.copy()
    print(W_q, W_k)


@wrong("same_word_head", "returns-none", note="forgot return")
def forgot_return(num_words, n):
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = W_q.copy()


@wrong("same_word_head", "parts-do-not-fit", note="hstack: the parts do not fit")
def hstack_the_parts_do_not(num_words, n):
    W = np.hstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong("same_word_head", "weight-transposed", note="hstack with zeros that fit: the shape is transposed")
def hstack_with_zeros_that_fit(num_words, n):
    W = np.hstack([10 * np.eye(num_words), np.zeros((num_words, n))])
    return W, W


@wrong("same_word_head", "argument-unused", note="stacks the global word_codes, the words of one sentence")
def stacks_the_global_word_codes(num_words, n):
    W = np.vstack([10 * word_codes, np.zeros((num_words, 3))])
    return W, W


@wrong("same_word_head", "fixed-size", note="sizes 3 and 6 written in")
def sizes_3_and_6_written(num_words, n):
    W = np.zeros((9, 3))
    W[0, 0] = W[1, 1] = W[2, 2] = 10
    return W, W


@wrong("same_word_head", "fixed-size", note="sizes from the notebook's tokens and word_codes")
def sizes_from_the_notebooks_tokens(num_words, n):
    W = np.zeros((tokens.shape[1], word_codes.shape[1]))
    for w in range(word_codes.shape[1]):
        W[w, w] = 10
    return W, W


@wrong("same_word_head", "parts-swapped", note="zeros on top, words below: parts in the wrong order")
def zeros_on_top_words_below(num_words, n):
    W = np.vstack([np.zeros((n, num_words)), 10 * np.eye(num_words)])
    return W, W


@wrong("same_word_head", "no-rows-for-places", note="only num_words rows: the place rows are missing")
def only_num_words_rows_the(num_words, n):
    W = 10 * np.eye(num_words)
    return W, W


@wrong(
    "same_word_head",
    "places-left-in",
    note="keeps the place too, negative in both, and minus times minus likes itself again",
)
def keeps_the_place_too_negative(num_words, n):
    W = np.eye(num_words + n) * 10
    W[num_words:] *= -1
    return W, W


@wrong(
    "same_word_head",
    "itself-left-out",
    note="takes the place away with a minus in one matrix: a token does not see itself",
)
def takes_the_place_away_with(num_words, n):
    W_q = 10 * np.eye(num_words + n)
    W_k = W_q.copy()
    W_k[num_words:] = -10 * np.eye(num_words + n)[num_words:]
    return W_q, W_k


@wrong(
    "same_word_head",
    "places-left-in",
    note="sharp words, but half the place is left: itself gets more than its share",
)
def sharp_words_but_half_the(num_words, n):
    W = np.eye(num_words + n)
    W[:num_words] *= 10
    W[num_words:] *= 2
    return W, W


@wrong("same_word_head", "all-scores-alike", note="all ones in the word rows: every word fits every word")
def all_ones_in_the_word(num_words, n):
    W = np.vstack([10 * np.ones((num_words, num_words)), np.zeros((n, num_words))])
    return W, W


@wrong("same_word_head", "all-scores-alike", note="W_k is left at zero: all keys alike")
def w_k_is_left_at(num_words, n):
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = np.zeros((num_words + n, num_words))
    return W_q, W_k


@wrong("same_word_head", "returns-none", note="left pass")
def left_pass(num_words, n):
    pass


@wrong("same_word_head", "returns-weights", note="returns the weights of the notebook's sentence")
def returns_the_weights_of_the(num_words, n):
    W = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return weights_of((W, W))  # noqa: F821


@wrong("same_word_head", "returns-queries", note="returns queries and keys, not the matrices")
def returns_queries_and_keys_not_2(num_words, n):
    W = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return tokens @ W, tokens @ W


@wrong("same_word_head", "one-output-missing", note="returns the product W_q W_k^T")
def returns_the_product_w_q(num_words, n):
    W = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W @ W.T


@wrong("same_word_head", "extra-output", note="three matrices, a W_v as well")
def three_matrices_a_w_v(num_words, n):
    W = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W, W, np.eye(num_words + n)


@wrong("same_word_head", "too-flat", note="writes the wished weight 0.5 into the matrices")
def writes_the_wished_weight_0(num_words, n):
    W = np.vstack([0.5 * np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong(
    "same_word_head", "words-not-told-apart", note="the loop ends one word early: the last word has no code"
)
def the_loop_ends_one_word(num_words, n):
    W_q = np.zeros((num_words + n, num_words))
    for w in range(num_words - 1):
        W_q[w, w] = 20
    return W_q, W_q.copy()


@wrong("same_word_head", "words-not-told-apart", note="the loop starts at 1: word 0 has no code")
def the_loop_starts_at_1(num_words, n):
    W_q = np.zeros((num_words + n, num_words))
    for w in range(1, num_words):
        W_q[w, w] = 20
    return W_q, W_q.copy()


@wrong("same_word_head", "widths-differ", note="d_head differs: words in W_q, places in W_k")
def d_head_differs_words_in(num_words, n):
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = np.vstack([np.zeros((num_words, n)), 10 * np.eye(n)])
    return W_q, W_k


@wrong("same_word_head", "arguments-swapped", note="np.eye(n) for the words: n rows where num_words belong")
def np_eye_n_for_the(num_words, n):
    W = np.vstack([10 * np.eye(n), np.zeros((num_words, n))])
    return W, W


@wrong("same_word_head", "arguments-swapped", note="arguments in another order: sizes swapped")
def arguments_in_another_order_sizes(n, num_words):
    W = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W, W


@wrong(
    "same_word_head",
    "places-instead-of-words",
    note="writes the sentence's words into the place rows: works for this sentence only",
)
def writes_the_sentences_words_into(num_words, n):
    words = np.eye(num_words)[np.array([0, 1, 2, 1, 2, 0] * n)[:n] % num_words]
    W = np.vstack([np.zeros((num_words, num_words)), 10 * words])
    return W, W


@wrong(
    "same_word_head",
    "fixed-size",
    note="solves for the wished weights of the notebook's sentence with its tokens",
)
def solves_for_the_wished_weights(num_words, n):
    wished = 30 * (word_codes @ word_codes.T)
    W_q = np.linalg.pinv(tokens) @ wished
    W_k = np.linalg.pinv(tokens) @ np.eye(len(tokens))
    return W_q, W_k


@wrong(
    "same_word_head", "another-word", note="words turned by one with roll: looks at the next word of the list"
)
def words_turned_by_one_with(num_words, n):
    W_q = np.vstack([20 * np.roll(np.eye(num_words), 1, axis=0), np.zeros((n, num_words))])
    W_k = np.vstack([20 * np.eye(num_words), np.zeros((n, num_words))])
    return W_q, W_k


@wrong("same_word_head", "returns-list", note="a matrix per word in a list")
def a_matrix_per_word_in(num_words, n):
    return [10 * np.eye(num_words + n)[:, [w]] for w in range(num_words)]


@wrong("same_word_head", "returns-list", note="a list of lists for each matrix")
def a_list_of_lists_for(num_words, n):
    W = [[10 if i == j else 0 for j in range(num_words)] for i in range(num_words + n)]
    return W, W


@wrong("same_word_head", "returns-list", note="a list of the two matrices where a tuple is asked")
def a_list_of_the_two(num_words, n):
    W = np.vstack([20 * np.eye(num_words), np.zeros((n, num_words))])
    return [W, W]


@wrong(
    "same_word_head",
    "too-flat",
    note="multiplies by the square root of d_head, which only cancels the scale: score 1 is not sharp",
)
def multiplies_by_the_square_root(num_words, n):
    d_head = num_words
    W = np.concatenate([np.eye(num_words), np.zeros((n, d_head))])
    return np.sqrt(d_head) * W, W


@wrong(
    "same_word_head",
    "too-flat",
    note="divides by the square root once more inside, and the sharpness is gone",
)
def divides_by_the_square_root(num_words, n):
    d_head = num_words + n
    W = np.eye(num_words + n, d_head)
    W[num_words:] = 0
    return 4 * W / np.sqrt(d_head), 4 * W / np.sqrt(d_head)


@wrong("same_word_head", "random-matrices", note="random start values of a Keras layer")
def random_start_values_of_a(num_words, n):
    rng = np.random.default_rng(42)
    d_head = 8
    limit = np.sqrt(6 / (num_words + n + d_head))
    return rng.uniform(-limit, limit, (num_words + n, d_head)), rng.uniform(
        -limit, limit, (num_words + n, d_head)
    )


@wrong("same_word_head", "array-method", note="JAX's .at[].set on a NumPy array")
def jaxs_at_set_on_a(num_words, n):
    i = np.arange(num_words)
    W = np.zeros((num_words + n, num_words)).at[i, i].set(10.0)
    return W, W


@wrong("same_word_head", "too-many-axes", note="kernels with a heads axis: shape (num_words + n, 1, d_head)")
def kernels_with_a_heads_axis(num_words, n):
    W = np.concatenate([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W[:, None, :], W[:, None, :]


@wrong("same_word_head", "weight-transposed", note="kernels as (out, in)")
def kernels_as_out_in(num_words, n):
    W = np.concatenate([10 * np.eye(num_words), np.zeros((n, num_words))])
    return W.T, W.T


@wrong("same_word_head", "returns-dict", note="a dict with the names of the layers")
def a_dict_with_the_names(num_words, n):
    W = np.concatenate([10 * np.eye(num_words), np.zeros((n, num_words))])
    return {"query": W, "key": W}


@wrong("same_word_head", "one-output-missing", note="stacked wrongly: both matrices side by side in one")
def stacked_wrongly_both_matrices_side(num_words, n):
    W = np.concatenate([10 * np.eye(num_words), np.zeros((n, num_words))])
    return np.concatenate([W, W], axis=1)


@wrong("same_word_head", "not-finite", note="sharpness with infinity: 0 times infinity is nan")
def sharpness_with_infinity_0_times(num_words, n):
    W = np.zeros((num_words + n, num_words))
    np.fill_diagonal(W[:num_words], np.inf)
    return W, W


@wrong("same_word_head", "scores-overflow", note="so sharp that the scores overflow to infinity")
def so_sharp_that_the_scores(num_words, n):
    W = np.zeros((num_words + n, num_words))
    np.fill_diagonal(W[:num_words], 1e200)
    return W, W


@wrong(
    "same_word_head",
    "one-word-for-all",
    note="d_head 1 for a small model: word numbers multiply, the highest word wins",
)
def d_head_1_for_a(num_words, n):
    W = np.concatenate([10.0 * np.arange(num_words), np.zeros(n)])[:, None]
    return W, W


@wrong("same_word_head", "fixed-size", note="learned for a few steps on the tokens of the notebook")
def learned_for_a_few_steps(num_words, n):
    W = np.random.default_rng(0).normal(size=(tokens.shape[1], 4)) * 0.1
    same = word_codes @ word_codes.T
    for step in range(20):
        error = tokens @ W @ W.T @ tokens.T - same
        W = W - 0.01 * tokens.T @ error @ tokens @ W
    return W, W


@wrong("same_word_head", "too-flat", note="orthogonal codes by QR, but of length 1: not sharp")
def orthogonal_codes_by_qr_but(num_words, n):
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(num_words, num_words)))
    W = np.vstack([Q, np.zeros((n, num_words))])
    return W, W


@wrong(
    "same_word_head",
    "another-word",
    note="two different random orthogonal matrices, one for queries and one for keys",
)
def two_different_random_orthogonal_matrices(num_words, n):
    rng = np.random.default_rng(0)
    A, _ = np.linalg.qr(rng.normal(size=(num_words, num_words)))
    B, _ = np.linalg.qr(rng.normal(size=(num_words, num_words)))
    zeros = np.zeros((n, num_words))
    return np.vstack([10 * A, zeros]), np.vstack([10 * B, zeros])


@wrong(
    "same_word_head",
    "another-word",
    note="random codes of width 2: not orthogonal, a longer code of another word wins",
)
def random_codes_of_width_2(num_words, n):
    codes = np.random.default_rng(7).normal(size=(num_words, 2))
    W = np.vstack([10 * codes, np.zeros((n, 2))])
    return W, W


@wrong("same_word_head", "places-left-in", note="orthogonal codes for all rows, so the places take part")
def orthogonal_codes_for_all_rows(num_words, n):
    d = num_words + n
    Q, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(d, d)))
    return 10 * Q, 10 * Q


@wrong("same_word_head", "too-flat", note="words on a circle, length 1: neighbours fit almost as well")
def words_on_a_circle_length(num_words, n):
    angle = 2 * np.pi * np.arange(num_words) / num_words
    W = np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), np.zeros((n, 2))])
    return W, W


@wrong("same_word_head", "too-flat", note="words on a circle times 3: enough for three words, not for many")
def words_on_a_circle_times(num_words, n):
    angle = 2 * np.pi * np.arange(num_words) / num_words
    W = 3 * np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), np.zeros((n, 2))])
    return W, W


@wrong("same_word_head", "another-word", note="words on a circle, but cosine and sine swapped in the keys")
def words_on_a_circle_but(num_words, n):
    angle = 2 * np.pi * np.arange(num_words) / num_words
    zeros = np.zeros((n, 2))
    W_q = np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), zeros])
    W_k = np.vstack([np.stack([np.sin(angle), np.cos(angle)], axis=1), zeros])
    return 20 * num_words * W_q, 20 * num_words * W_k


@wrong(
    "same_word_head",
    "another-word",
    note="queries turned by a quarter against the keys: the same word scores 0",
)
def queries_turned_by_a_quarter(num_words, n):
    angle = 2 * np.pi * np.arange(num_words) / num_words
    zeros = np.zeros((n, 2))
    W_q = np.vstack([np.stack([-np.sin(angle), np.cos(angle)], axis=1), zeros])
    W_k = np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), zeros])
    return 20 * num_words * W_q, 20 * num_words * W_k


@wrong(
    "same_word_head",
    "words-not-told-apart",
    note="a circle closed twice (linspace with its end): the first and the last word share an angle",
)
def a_circle_closed_twice_linspace(num_words, n):
    angle = np.linspace(0, 2 * np.pi, num_words)
    W = np.vstack([np.stack([np.cos(angle), np.sin(angle)], axis=1), np.zeros((n, 2))])
    return 20 * num_words * W, W


@wrong(
    "same_word_head",
    "words-not-told-apart",
    note="binary codes of 0 and 1: word 0 is all zeros, and 3 contains 1",
)
def binary_codes_of_0_and(num_words, n):
    bits = max(1, int(np.ceil(np.log2(num_words))))
    codes = (np.arange(num_words)[:, None] >> np.arange(bits)) & 1
    W = np.vstack([20.0 * codes, np.zeros((n, bits))])
    return W, W


@wrong(
    "same_word_head", "words-not-told-apart", note="codes of two bits only: the words 0 and 4 are the same"
)
def codes_of_two_bits_only(num_words, n):
    codes = 2 * ((np.arange(num_words)[:, None] >> np.arange(2)) & 1) - 1
    W = np.vstack([20.0 * codes, np.zeros((n, 2))])
    return W, W


@wrong(
    "same_word_head",
    "one-word-for-all",
    note="the square of a difference without the term of the key: larger words win",
)
def the_square_of_a_difference(num_words, n):
    w = np.arange(num_words, dtype=float)
    W_q = np.vstack([np.stack([2 * w, np.ones(num_words)], axis=1), np.zeros((n, 2))])
    W_k = np.vstack([np.stack([w, np.zeros(num_words)], axis=1), np.zeros((n, 2))])
    return 30 * W_q, W_k


@wrong(
    "same_word_head",
    "sign-flipped",
    note="the square of a difference with the wrong sign: the farthest word wins",
)
def the_square_of_a_difference_2(num_words, n):
    w = np.arange(num_words, dtype=float)
    W_q = np.vstack([np.stack([-2 * w, np.ones(num_words)], axis=1), np.zeros((n, 2))])
    W_k = np.vstack([np.stack([w, w**2], axis=1), np.zeros((n, 2))])
    return 30 * W_q, W_k


@wrong(
    "same_word_head",
    "words-not-told-apart",
    note="a score for the same word that grows with the word's number: word 0 gets none",
)
def a_score_for_the_same(num_words, n):
    W = np.vstack([10 * np.diag(np.arange(num_words)), np.zeros((n, num_words))])
    return W, W


@wrong(
    "same_word_head",
    "places-left-in",
    note="keys of different length: one word's key is drowned out by random place parts",
)
def keys_of_different_length_one(num_words, n):
    rng = np.random.default_rng(4)
    W_q = np.vstack([10 * np.eye(num_words), np.zeros((n, num_words))])
    W_k = np.vstack([np.eye(num_words), rng.normal(size=(n, num_words))])
    return W_q, W_k


@wrong(
    "same_word_head",
    "too-flat",
    note="sharpness divided by the number of words, to be fair to each: too weak",
)
def sharpness_divided_by_the_number(num_words, n):
    W = np.vstack([10 * np.eye(num_words) / num_words, np.zeros((n, num_words))])
    return W, np.vstack([np.eye(num_words), np.zeros((n, num_words))])
