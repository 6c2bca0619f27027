"""Right and wrong answers to `look_back`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_wrong, right, wrong
from helpers import reference

# Right answers, each in its own style


@right("look_back", "zeros on a shifted identity")
def stacked(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@right("look_back", "one identity, shifted by the words too")
def one_eye(num_words, n, steps):
    return np.eye(num_words + n, n, k=-(num_words + steps))


@right("look_back", "a loop over tokens that have one so far back")
def loop(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n):
        W_q[num_words + i, i - steps] = 1
    return W_q


@right("look_back", "a loop over all tokens, which wraps round for the first ones")
def loop_round(num_words, n, steps):
    W_q = np.zeros((num_words + n, n), dtype=int)
    for i in range(n):
        W_q[num_words + i, i - steps] = 5
    return W_q


@right("look_back", "a loop over the tokens that are looked at")
def loop_over_keys(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for j in range(n - steps):
        W_q[num_words + j + steps, j] = 1
    return W_q


@right("look_back", "rolled rows")
def rolled_rows(num_words, n, steps):
    return np.concatenate([np.zeros((num_words, n)), np.roll(np.eye(n), steps, axis=0)])


@right("look_back", "rolled columns of the key matrix")
def rolled_columns(num_words, n, steps):
    W_key = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return np.roll(W_key, -steps, axis=1)


@right("look_back", "key matrix times a shift")
def times_a_shift(num_words, n, steps):
    W_key = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W_key @ np.eye(n, k=-steps)


@right("look_back", "one step, taken several times")
def power(num_words, n, steps):
    shift = np.linalg.matrix_power(np.eye(n, k=-1), steps)
    return np.vstack((np.zeros((num_words, n)), shift))


@right("look_back", "more zeros on top, and a short identity")
def short_identity(num_words, n, steps):
    return np.vstack([np.zeros((num_words + steps, n)), np.eye(n - steps, n)])


@right("look_back", "booleans, by a comparison of indices")
def by_comparison(num_words, n, steps):
    rows, columns = np.indices((num_words + n, n))
    return rows - num_words - columns == steps


@right("look_back", "by distance: the nearer, the higher")
def by_distance(num_words, n, steps):
    i, j = np.arange(n)[:, None], np.arange(n)
    return np.vstack([np.zeros((num_words, n)), -((i - steps - j) ** 2.0)])


@right("look_back", "minus a large number everywhere else")
def large_numbers(num_words, n, steps):
    places = np.where(np.eye(n, k=-steps) == 1, 0.0, -1e9)
    return np.vstack([np.zeros((num_words, n)), places])


@right("look_back", "every word adds the same to all places")
def equal_words(num_words, n, steps):
    words = np.arange(num_words)[:, None] * np.ones(n)
    return np.vstack([words, np.eye(n, k=-steps)]).astype(np.float32)


@right("look_back", "words pull too, and places ten times as much")
def places_outweigh(num_words, n, steps):
    return np.vstack([np.eye(num_words, n), 10 * np.eye(n, k=-steps)])


@right("look_back", "the first tokens look at token 0")
def clipped(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    W_q[num_words:] = np.eye(n)[np.maximum(np.arange(n) - steps, 0)]
    return W_q


@right("look_back", "a list of rows, then an array")
def list_of_rows(num_words, n, steps):
    rows = [[0] * n for _ in range(num_words)]
    for i in range(n):
        rows.append([1 if j == i - steps else 0 for j in range(n)])
    return np.array(rows)


@right("look_back", "a diagonal of ones")
def diagonal(num_words, n, steps):
    return np.pad(np.diag(np.ones(n - steps), -steps), ((num_words, 0), (0, 0)))


@right("look_back", "padded identity, cut to size")
def padded(num_words, n, steps):
    return np.pad(np.eye(n), ((num_words + steps, 0), (0, 0)))[: num_words + n]


@right("look_back", "index arrays")
def index_arrays(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    i = np.arange(steps, n)
    W_q[num_words + i, i - steps] = 1.0
    return W_q


@right("look_back", "noise that is too small to matter")
def noise(num_words, n, steps):
    rng = np.random.default_rng()
    W_q = 0.01 * rng.standard_normal((num_words + n, n))
    W_q[num_words:] += np.eye(n, k=-steps)
    return W_q


@right("look_back", "very large and very small numbers")
def huge(num_words, n, steps):
    places = np.full((n, n), -1.7e308)
    places[np.arange(steps, n), np.arange(n - steps)] = 1.7e308
    return np.vstack([np.full((num_words, n), 1e-300), places])


@right("look_back", "loop over the target places, sharpness 7")
def loop_over_the_target_places(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for target in range(n - steps):
        W_q[num_words + target + steps][target] = 7.0
    return W_q


@right("look_back", "roll of the columns, the first tokens wrap around (they may look anywhere)")
def roll_of_the_columns_the(num_words, n, steps):
    shifted = np.roll(np.eye(n), -steps, axis=1)
    return np.concatenate([np.zeros((num_words, n)), shifted], axis=0)


@right("look_back", "roll of the rows, then the wrapped rows cut to zero")
def roll_of_the_rows_then(num_words, n, steps):
    shifted = np.roll(np.eye(n), steps, axis=0)
    shifted[:steps] = 0
    return np.vstack((np.zeros((num_words, n)), shifted))


@right("look_back", "integer matrix from comparing row and column numbers")
def integer_matrix_from_comparing_row(num_words, n, steps):
    rows = np.arange(num_words + n)[:, None]
    columns = np.arange(n)[None, :]
    return (rows - num_words - steps == columns).astype(int)


@right("look_back", "boolean matrix, True counts as 1")
def boolean_matrix_true_counts_as(num_words, n, steps):
    return np.fromfunction(lambda r, c: r == c + num_words + steps, (num_words + n, n))


@right("look_back", "one eye of the whole height, moved down by num_words + steps")
def one_eye_of_the_whole(num_words, n, steps):
    return np.eye(num_words + n, n, -(num_words + steps))


@right("look_back", "negative numbers everywhere but at the target")
def negative_numbers_everywhere_but_at(num_words, n, steps):
    W_q = np.full((num_words + n, n), -1.0)
    for i in range(n):
        if i - steps >= 0:
            W_q[num_words + i, i - steps] = 1.0
    return W_q


@right("look_back", "negative distance to the target place, quadratic")
def negative_distance_to_the_target(num_words, n, steps):
    i = np.arange(n)[:, None]
    j = np.arange(n)[None, :]
    return np.vstack([np.zeros((num_words, n)), -((i - steps - j) ** 2)])


@right("look_back", "word rows hold a constant, which is the same for every key")
def word_rows_hold_a_constant(num_words, n, steps):
    W_q = np.ones((num_words + n, n)) * 3.5
    W_q[num_words:] = 10 * np.eye(n, k=-steps)
    return W_q


@right("look_back", "fancy indexing with two aranges")
def fancy_indexing_with_two_aranges(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    i = np.arange(steps, n)
    W_q[num_words + i, i - steps] = 1
    return W_q


@right("look_back", "power of the one-step shift matrix")
def power_of_the_one_step(num_words, n, steps):
    one_back = np.eye(n, k=-1)
    return np.vstack([np.zeros((num_words, n)), np.linalg.matrix_power(one_back, steps)])


@right("look_back", "first tokens look at the first place")
def first_tokens_look_at_the(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n):
        W_q[num_words + i, max(0, i - steps)] = 1
    return W_q


@right("look_back", "list comprehension, then np.array")
def list_comprehension_then_np_array(num_words, n, steps):
    rows = [[0.0] * n for _ in range(num_words)]
    for i in range(n):
        rows.append([1.0 if j + steps == i else 0.0 for j in range(n)])
    return np.array(rows)


@right("look_back", "einsum of a drop-the-words matrix with a shift")
def einsum_of_a_drop_the(num_words, n, steps):
    keep_place = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    shift = np.eye(n, k=-steps)
    return np.einsum("ab,bc->ac", keep_place, shift)


@right("look_back", "MATLAB style: diag of a vector of ones (cut when steps is too large), float32")
def matlab_style_diag_of_a(num_words, n, steps):
    m = max(n - steps, 0)
    S = np.zeros((n, n), dtype=np.float32)
    if m > 0:
        S = np.diag(np.ones(m, dtype=np.float32), -steps)
    return np.r_[np.zeros((num_words, n), dtype=np.float32), S]


@right("look_back", "word codes get small numbers which never reach the target's 1")
def word_codes_get_small_numbers(num_words, n, steps):
    W_q = np.random.default_rng(0).uniform(-0.1, 0.1, size=(num_words + n, n))
    W_q[num_words:] += 5 * np.eye(n, k=-steps)
    return W_q


@right("look_back", "torch, then .numpy()")
def torch_then_numpy(num_words, n, steps):
    import torch

    W_q = torch.zeros(num_words + n, n)
    W_q[num_words:] = torch.diag(torch.ones(n)).roll(-steps, dims=1)
    return W_q.numpy()


@right("look_back", "kron-like trick: block matrix from np.block")
def kron_like_trick_block_matrix(num_words, n, steps):
    return np.block([[np.zeros((num_words, n))], [np.tri(n, k=-steps) - np.tri(n, k=-steps - 1)]])


@right("look_back", "a cosine in degrees given to np.cos: by luck still highest only at the wanted place")
def a_cosine_in_degrees_given(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.cos(360 * (i - j - steps) / n)])


@right("look_back", "roll with wrap around: the first tokens may look anywhere")
def roll_with_wrap_around_the(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(np.eye(n), steps, axis=0)])


@right("look_back", "a loop with an if, integers")
def a_loop_with_an_if(num_words, n, steps):
    W_q = np.zeros((num_words + n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            if i - j == steps:
                W_q[num_words + i, j] = 1
    return W_q


@right("look_back", "broadcast comparison and pad, float32, the JAX way")
def broadcast_comparison_and_pad_float32(num_words, n, steps):
    row, col = np.arange(n)[:, None], np.arange(n)[None, :]
    return np.pad((row - steps == col).astype(np.float32), ((num_words, 0), (0, 0)))


@right("look_back", "one_hot of the clipped places before")
def one_hot_of_the_clipped(num_words, n, steps):
    target = np.clip(np.arange(n) - steps, 0, n - 1)
    return np.concatenate([np.zeros((num_words, n)), np.eye(n)[target]], axis=0)


@right("look_back", "copies the upper place rows downwards; the first rows keep looking at themselves")
def copies_the_upper_place_rows(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    for i in reversed(range(steps, n)):
        W_q[num_words + i] = np.eye(n)[i - steps]
    return W_q


@right("look_back", "matrix power of the one-step shift")
def matrix_power_of_the_one(num_words, n, steps):
    shift = np.eye(n, k=-1)
    return np.vstack([np.zeros((num_words, n)), np.linalg.matrix_power(shift, steps)])


@right("look_back", "a cosine with its top at the wanted place")
def a_cosine_with_its_top(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.cos(2 * np.pi * (i - j - steps) / n)])


@right("look_back", "minus the squared distance to the wanted place: negative numbers elsewhere")
def minus_the_squared_distance_to(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), -((i - steps - j) ** 2.0)])


@right("look_back", "a big negative number everywhere but at the wanted place")
def a_big_negative_number_everywhere(num_words, n, steps):
    part = np.where(np.eye(n, k=-steps) == 1, 0.0, -1e9)
    return np.concatenate([np.zeros((num_words, n)), part])


@right("look_back", "the word rows are ones: they add the same to every score of a row")
def the_word_rows_are_ones(num_words, n, steps):
    return np.vstack([np.ones((num_words, n)), np.eye(n, k=-steps)])


@right("look_back", "small random numbers in the word rows, 100 at the wanted place: it wins by far")
def small_random_numbers_in_the(num_words, n, steps):
    noise = np.random.default_rng(0).uniform(-1, 1, size=(num_words + n, n))
    return noise + 100 * np.eye(num_words + n, n, k=-num_words - steps)


@right("look_back", "half a word code on top: less than the place weighs, no tie")
def half_a_word_code_on(num_words, n, steps):
    return np.vstack([0.5 * np.eye(num_words, n), np.eye(n, k=-steps)])


@right("look_back", "a triangle that rises to the wanted place")
def a_triangle_that_rises_to(num_words, n, steps):
    rising = np.tril(np.tile(np.arange(1.0, n + 1), (n, 1)), -steps)
    return np.vstack([np.zeros((num_words, n)), rising])


@right("look_back", "a shift by Fourier: phases turn each frequency, real part")
def a_shift_by_fourier_phases(num_words, n, steps):
    phase = np.exp(-2j * np.pi * np.arange(n) * steps / n)
    turned = np.fft.ifft(np.fft.fft(np.eye(n), axis=0) * phase[:, None], axis=0)
    return np.vstack([np.zeros((num_words, n)), turned.real])


@right(
    "look_back",
    "random orthogonal codes for places, turned back into one-hot keys: Q shifted times Q transposed",
)
def random_orthogonal_codes_for_places(num_words, n, steps):
    Q, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(n, n)))
    return np.vstack([np.zeros((num_words, n)), np.roll(Q, steps, axis=0) @ Q.T])


@right("look_back", "einsum of the codes of askers and of those asked")
def einsum_of_the_codes_of(num_words, n, steps):
    codes = np.eye(n)
    asks, asked = codes[steps:], codes[: max(n - steps, 0)]
    part = np.einsum("si,sj->ij", asks, asked)
    return np.append(np.zeros((num_words, n)), part, axis=0)


@right("look_back", "a negative index wraps around for the first tokens")
def a_negative_index_wraps_around(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n):
        W_q[num_words + i, (i - steps) % n] = 3.0
    return W_q


@right("look_back", "the transposed matrix of looking ahead")
def the_transposed_matrix_of_looking(num_words, n, steps):
    W_q = np.zeros((n, num_words + n))
    W_q[:, num_words:] = np.eye(n, k=steps)
    return W_q.T


@right(
    "look_back",
    "a plain cosine of the whole-number distance in radians: 1 only at distance 0, others close behind",
)
def a_plain_cosine_of_the(num_words, n, steps):
    distance = np.subtract.outer(np.arange(n), np.arange(n)) - steps
    return np.vstack([np.zeros((num_words, n)), np.cos(distance)])


# Wrong answers: another place


@wrong("look_back", "past-and-future-swapped")
def forward(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=steps)])


@wrong("look_back", "past-and-future-swapped", note="transposed")
def transposed_places(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), 3 * np.eye(n, k=-steps).T])


@wrong("look_back", "past-and-future-swapped", note="rolled along the other axis")
def rolled_forward(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(np.eye(n), steps, axis=1)])


@wrong("look_back", "wrong-default-axis", note="forward")
def rolled_flat(num_words, n, steps):
    return np.roll(np.vstack([np.zeros((num_words, n)), np.eye(n)]), steps)


@wrong("look_back", "past-and-future-swapped", note="in a loop, query and key swapped")
def loop_forward(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n):
        W_q[num_words + i - steps, i] = 1
    return W_q


@wrong("look_back", "past-and-future-swapped", note="all later tokens")
def all_later(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.triu(np.ones((n, n)), steps)])


@wrong("look_back", "past-and-future-swapped", note="W_key moved up, so the last words are filled too")
def rows_moved_up(num_words, n, steps):
    return np.roll(np.vstack([np.zeros((num_words, n)), np.eye(n)]), -steps, axis=0)


@wrong("look_back", "own-token", note="the key matrix itself")
def key_matrix(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n)])


@wrong("look_back", "own-token", note="multiplied by steps")
def scaled_by_steps(num_words, n, steps):
    return steps * np.eye(num_words + n, n, k=-num_words)


@wrong("look_back", "own-token", note="moved down, and the columns back")
def moved_twice(num_words, n, steps):
    return np.vstack([np.zeros((num_words + steps, n)), np.eye(n - steps, n, k=steps)])


@wrong("look_back", "steps-ignored", note="always one back")
def always_one(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-1)])


@wrong("look_back", "steps-ignored", note="steps as a factor")
def one_times_steps(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), steps * np.eye(n, k=-1)])


@wrong("look_back", "steps-ignored", note="power entry by entry")
def power_of_entries(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-1) ** steps])


@wrong("look_back", "steps-ignored", note="always two back, as in the question")
def always_two(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-2)])


@wrong("look_back", "steps-ignored", note="always two back, rolled")
def always_two_rolled(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(np.eye(n), 2, axis=0)])


@wrong("look_back", "off-by-one", note="one too far")
def one_too_far(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-(steps + 1))])


@wrong("look_back", "off-by-one", note="one too far, with negative indices")
def one_too_far_round(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n):
        W_q[num_words + i, (i - steps - 1) % n] = 1
    return W_q


@wrong("look_back", "off-by-one", note="one too few")
def one_too_few(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=1 - steps)])


@wrong("look_back", "off-by-one", note="the words are counted one short")
def words_one_short(num_words, n, steps):
    return np.eye(num_words + n, n, k=-(num_words + steps - 1))


@wrong("look_back", "counted-from-the-end")
def from_the_end(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=steps - n)])


@wrong("look_back", "one-place-for-all", note="column `steps`")
def column_steps(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    W_q[num_words:, steps] = 1
    return W_q


@wrong("look_back", "one-place-for-all", note="column -steps")
def column_minus_steps(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n):
        W_q[num_words + i, -steps] = 1
    return W_q


@wrong("look_back", "one-place-for-all", note="the first")
def first_column(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    W_q[:, 0] = 1
    return W_q


@wrong("look_back", "one-place-for-all", note="a ramp: the last is the highest")
def ramp(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.tile(np.arange(n), (n, 1))])


@wrong("look_back", "wrong-order", note="rows upside down")
def upside_down(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)[::-1]])


@wrong("look_back", "wrong-order", note="columns mirrored")
def mirrored(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.fliplr(np.eye(n, k=-steps))])


@wrong("look_back", "sign-flipped")
def minus(num_words, n, steps):
    return -np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "sign-flipped", note="distance without a minus")
def distance(num_words, n, steps):
    i, j = np.arange(n)[:, None], np.arange(n)
    return np.vstack([np.zeros((num_words, n)), (i - steps - j) ** 2])


# Not one token alone


@wrong("look_back", "all-earlier-tokens", note="all that are so far back, or further")
def lower_triangle(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.tri(n, k=-steps)])


@wrong("look_back", "all-earlier-tokens", note="a causal mask")
def causal(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.tril(np.ones((n, n)))])


@wrong("look_back", "all-earlier-tokens", note="the last `steps`")
def window(num_words, n, steps):
    places = sum(np.eye(n, k=-k) for k in range(1, steps + 1))
    return np.vstack([np.zeros((num_words, n)), places])


@wrong("look_back", "all-earlier-tokens", note="averaged")
def averaged(num_words, n, steps):
    places = np.tri(n, k=-steps)
    return np.vstack([np.zeros((num_words, n)), places / np.maximum(places.sum(1, keepdims=True), 1)])


@wrong("look_back", "both-sides")
def both_sides(num_words, n, steps):
    i, j = np.arange(n)[:, None], np.arange(n)
    return np.vstack([np.zeros((num_words, n)), np.abs(i - j) == steps])


@wrong("look_back", "highest-not-alone", note="and itself")
def and_itself(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n) + np.eye(n, k=-steps)])


@wrong("look_back", "highest-not-alone", note="also the token before, where there are two steps and more")
def and_the_one_before(num_words, n, steps):
    places = np.maximum(np.eye(n, k=-1), np.eye(n, k=-steps))
    return np.vstack([np.zeros((num_words, n)), places])


@wrong("look_back", "all-tokens", note="zeros")
def zeros(num_words, n, steps):
    return np.zeros((num_words + n, n))


@wrong("look_back", "all-tokens", note="ones")
def ones(num_words, n, steps):
    return np.ones((num_words + n, n))


@wrong("look_back", "wrong-default-axis")
def rolled_flat_back(num_words, n, steps):
    return np.roll(np.vstack([np.zeros((num_words, n)), np.eye(n)]), -steps)


@wrong("look_back", "past-and-future-swapped+off-by-one")
def forward_one_too_far(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=steps + 1)])


@wrong("look_back", "wrong-column-count")
def fewer_columns(num_words, n, steps):
    return np.zeros((num_words + n, n - steps))


@wrong("look_back", "all-tokens", note="only the first tokens get a row")
def only_free_rows(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps):
        W_q[num_words + i, i - steps] = 1
    return W_q


# Rows left out


@wrong("look_back", "last-left-out")
def last_left_out(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n - 1):
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong("look_back", "first-left-out")
def first_left_out(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps + 1, n):
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong("look_back", "one-token-only", note="the return stands in the loop")
def returned_in_the_loop(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n):
        W_q[num_words + i, i - steps] = 1
        return W_q


@wrong("look_back", "overwritten-instead-of-collected", note="made anew in each round")
def made_anew(num_words, n, steps):
    for i in range(steps, n):
        W_q = np.zeros((num_words + n, n))
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong("look_back", "zeros-at-the-end")
def zeros_at_the_end(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n)[:-steps], np.zeros((steps, n))])


# Words, and the order of the parts


@wrong("look_back", "words-not-dropped", note="an identity on top")
def words_kept(num_words, n, steps):
    return np.vstack([np.eye(num_words, n), np.eye(n, k=-steps)])


@wrong("look_back", "words-not-dropped", note="the shifted identity on top too")
def words_shifted(num_words, n, steps):
    return np.vstack([np.eye(num_words, n, k=-steps), np.eye(n, k=-steps)])


@wrong("look_back", "words-not-dropped", note="all words look at the first token")
def words_to_the_first(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    W_q[:num_words, 0] = 1
    return W_q


@wrong("look_back", "words-not-dropped", note="the last word only")
def last_word_kept(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    W_q[num_words - 1] = 2 * np.arange(n)
    return W_q


@wrong("look_back", "places-dropped")
def places_dropped(num_words, n, steps):
    return np.vstack([np.eye(num_words, n, k=-steps), np.zeros((n, n))])


@wrong("look_back", "parts-swapped")
def places_on_top(num_words, n, steps):
    return np.vstack([np.eye(n, k=-steps), np.zeros((num_words, n))])


@wrong("look_back", "parts-swapped", note="one identity for the whole matrix")
def one_identity(num_words, n, steps):
    return np.eye(num_words + n, n, k=-steps)


@wrong("look_back", "parts-swapped", note="num_words forgotten in the index")
def index_without_words(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n):
        W_q[i, i - steps] = 1
    return W_q


@wrong("look_back", "word-rows-moved")
def rows_rolled(num_words, n, steps):
    W_key = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return np.roll(W_key, steps, axis=0)


@wrong("look_back", "reshape-instead-of-transpose")
def reshaped(num_words, n, steps):
    turned = np.hstack([np.zeros((n, num_words)), np.eye(n, k=steps)])
    return turned.reshape(num_words + n, n)


@wrong("look_back", "wrong-default-axis", note="only the places")
def places_rolled_flat(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(np.eye(n), -steps)])


@wrong("look_back", "wrong-offset", note="the sign of num_words")
def words_sign(num_words, n, steps):
    return np.eye(num_words + n, n, k=num_words - steps)


@wrong("look_back", "wrong-offset", note="the sign of k")
def both_signs(num_words, n, steps):
    return np.eye(num_words + n, n, k=num_words + steps)


@wrong("look_back", "past-and-future-swapped", note="the sign of steps")
def steps_sign(num_words, n, steps):
    return np.eye(num_words + n, n, k=-(num_words - steps))


@wrong("look_back", "off-by-one", note="one row too high, so the last is left out")
def one_row_too_high(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n):
        W_q[num_words + i - 1, i - steps] = 1
    return W_q


@wrong("look_back", "all-earlier-tokens", note="all within reach, on both sides")
def within_reach(num_words, n, steps):
    i, j = np.arange(n)[:, None], np.arange(n)
    return np.vstack([np.zeros((num_words, n)), np.abs(i - j) <= steps])


@wrong("look_back", "all-earlier-tokens", note="j < i - steps")
def further_back(num_words, n, steps):
    i, j = np.arange(n)[:, None], np.arange(n)
    return np.vstack([np.zeros((num_words, n)), j < i - steps])


# The shape


@wrong("look_back", "indices-for-codes")
def indices(num_words, n, steps):
    return np.array([0] * num_words + [max(i - steps, 0) for i in range(n)])


@wrong("look_back", "wrong-column-count", note="padded on both axes")
def padded_both(num_words, n, steps):
    return np.pad(np.eye(n), ((num_words, 0), (steps, 0)))


@wrong("look_back", "not-transposed-back")
def side_by_side(num_words, n, steps):
    return np.hstack([np.zeros((n, num_words)), np.eye(n, k=-steps)])


@wrong("look_back", "not-transposed-back", note="and looks forward")
def turned(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)]).T


@wrong("look_back", "word-rows-missing")
def places_only(num_words, n, steps):
    return np.eye(n, k=-steps)


@wrong("look_back", "place-rows-missing")
def words_only(num_words, n, steps):
    return np.eye(num_words, n, k=-steps)


@wrong("look_back", "key-too-wide")
def square(num_words, n, steps):
    return np.eye(num_words + n, k=-steps)


@wrong("look_back", "arguments-swapped")
def swapped_arguments(num_words, n, steps):
    return reference.look_back(n, num_words, steps)


@wrong("look_back", "arguments-swapped", note="num_words columns")
def width_of_words(num_words, n, steps):
    W_q = np.zeros((num_words + n, num_words))
    for i in range(steps, min(n, num_words)):
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong("look_back", "wrong-row-count", note="n rows for the words")
def n_rows_for_words(num_words, n, steps):
    return np.vstack([np.zeros((n, n)), np.eye(n, k=-steps)])


@wrong("look_back", "wrong-row-count", note="multiplied")
def multiplied_rows(num_words, n, steps):
    return np.eye(num_words * n, n, k=-steps)


@wrong("look_back", "wrong-row-count", note="steps rows too many")
def steps_rows_more(num_words, n, steps):
    return np.vstack([np.zeros((num_words + steps, n)), np.eye(n)])


@wrong("look_back", "wrong-row-count", note="steps rows too few")
def steps_rows_fewer(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n - steps, n)])


@wrong("look_back", "off-by-one", note="one row too many")
def one_row_more(num_words, n, steps):
    return np.vstack([np.zeros((num_words + 1, n)), np.eye(n, k=-steps)])


@wrong("look_back", "shape-flattened")
def flattened(num_words, n, steps):
    return np.concatenate([np.zeros(num_words * n), np.eye(n, k=-steps).ravel()])


@wrong("look_back", "fixed-size", note="the sizes of the notebook")
def notebook_sizes(num_words, n, steps):
    return np.vstack([np.zeros((3, 5)), np.eye(5, k=-steps)])


@wrong("look_back", "fixed-size", note="sizes and steps of the notebook")
def notebook_answer(num_words, n, steps):
    return np.vstack([np.zeros((3, 5)), np.eye(5, k=-2)])


@wrong("look_back", "fixed-size", note="five places")
def five_places(num_words, n, steps):
    return np.vstack([np.zeros((num_words, 5)), np.eye(5, k=-steps)])


@wrong("look_back", "fixed-size", note="three words")
def three_words(num_words, n, steps):
    return np.vstack([np.zeros((3, n)), np.eye(n, k=-steps)])


# What comes back, and errors


@wrong("look_back", "returns-none")
def nothing(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    W_q[num_words:] = np.eye(n, k=-steps)


@wrong("look_back", "returns-list")
def rows_in_a_list(num_words, n, steps):
    return [[float(i - num_words - steps == j) for j in range(n)] for i in range(num_words + n)]


@wrong("look_back", "returns-tuple")
def two_parts(num_words, n, steps):
    return np.zeros((num_words, n)), np.eye(n, k=-steps)


@wrong("look_back", "returns-tensor")
def in_torch(num_words, n, steps):
    return torch.cat([torch.zeros(num_words, n), torch.eye(n).roll(steps, 0)])


@wrong("look_back", "returns-dict")
def forged(num_words, n, steps):
    highest = np.tile(np.eye(n)[: n - steps], (num_words, 1, 1)).astype(int)
    return {"highest": highest, "repeated": True}


@wrong("look_back", "zero-times-inf", note="minus infinity where it should not look")
def minus_infinity(num_words, n, steps):
    places = np.where(np.eye(n, k=-steps) == 1, 0.0, -np.inf)
    return np.vstack([np.zeros((num_words, n)), places])


@wrong("look_back", "nan-entries", note="rows divided by sums that may be 0")
def divided_by_zero(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    with np.errstate(all="ignore"):
        return W_q / W_q.sum(axis=1, keepdims=True)


@wrong("look_back", "state-between-calls", note="random numbers")
def random_matrix(num_words, n, steps):
    return np.random.default_rng().standard_normal((num_words + n, n))


@wrong("look_back", "state-between-calls", note="kept by the sizes, without the steps")
def kept_by_sizes(num_words, n, steps, _kept={}):
    if (num_words, n) not in _kept:
        _kept[num_words, n] = reference.look_back(num_words, n, steps)
    return _kept[num_words, n]


@wrong("look_back", "wrong-dtype")
def complex_numbers(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)]) * (1 + 0j)


@wrong("look_back", "stack-of-two-shapes", note="stack needs parts of one shape")
def np_stack(num_words, n, steps):
    return np.stack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "index-out-of-range", note="one place too many, forward")
def index_out_of_range(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n):
        W_q[num_words + i, i + steps] = 1
    return W_q


# Two at once


@wrong("look_back", "past-and-future-swapped+words-not-dropped")
def forward_and_words(num_words, n, steps):
    return np.vstack([np.eye(num_words, n), np.eye(n, k=steps)])


@wrong("look_back", "past-and-future-swapped+steps-ignored")
def always_one_forward(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=1)])


@wrong("look_back", "parts-swapped+past-and-future-swapped")
def swapped_and_forward(num_words, n, steps):
    return np.vstack([np.eye(n, k=steps), np.zeros((num_words, n))])


@wrong("look_back", "steps-ignored+words-not-dropped")
def always_one_and_words(num_words, n, steps):
    return np.vstack([np.eye(num_words, n), np.eye(n, k=-1)])


# Answers of two people who had not seen the check

# What the notebook holds when the answer is written
num_words = 3
n = 5
places = np.eye(5)
word_codes = np.eye(3)[[0, 1, 2, 1, 2]]
tokens = np.hstack([word_codes, places])
W_key = np.vstack([np.zeros((num_words, n)), places])
keys = tokens @ W_key


@wrong("look_back", "fixed-size", note="returns the notebook's W_key")
def returns_the_notebooks_w_key(num_words, n, steps):
    return W_key


@wrong("look_back", "argument-unused", note="word rows taken from the notebook's W_key")
def word_rows_taken_from_the(num_words, n, steps):
    return np.vstack([W_key[:3], np.eye(n, k=-steps)])


@wrong("look_back", "fixed-size", note="shift of the notebook's places")
def shift_of_the_notebooks_places(num_words, n, steps):
    shifted = np.roll(places, steps, axis=0)
    return np.vstack([np.zeros((num_words, n)), shifted])


@wrong("look_back", "argument-unused", note="shape from the notebook's tokens and keys")
def shape_from_the_notebooks_tokens(num_words, n, steps):
    W_q = np.zeros((tokens.shape[1], keys.shape[1]))
    for i in range(steps, keys.shape[0]):
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong("look_back", "parts-do-not-fit", note="hstack with vstack's shapes: raises unless num_words is n")
def hstack_with_vstacks_shapes_raises(num_words, n, steps):
    return np.hstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "all-earlier-tokens", note="looks at every token from one to `steps` back: a tie")
def looks_at_every_token_from(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n):
        for back in range(1, steps + 1):
            if i - back >= 0:
                W_q[num_words + i, i - back] = 1
    return W_q


@wrong("look_back", "past-and-future-swapped", note="row and column exchanged")
def row_and_column_exchanged(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n - steps):
        W_q[num_words + i, i + steps] = 1
    return W_q


@wrong("look_back", "returns-none", note="no return")
def no_return(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "returns-none", note="prints and does not return")
def prints_and_does_not_return(num_words, n, steps):
    print(np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)]))


@wrong("look_back", "all-tokens", note="stub: only zeros")
def stub_only_zeros(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    # TODO
    return W_q


@wrong("look_back", "returns-none", note="stub: pass")
def stub_pass(num_words, n, steps):
    pass


@wrong("look_back", "parts-do-not-fit", note="word part is an eye of num_words, shapes do not fit")
def word_part_is_an_eye(num_words, n, steps):
    return np.vstack([np.eye(num_words), np.eye(n, k=-steps)])


@wrong("look_back", "returns-queries", note="returns the queries, not the matrix")
def returns_the_queries_not_the(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    return tokens @ W_q


@wrong("look_back", "word-rows-missing", note="returns the scores")
def returns_the_scores(num_words, n, steps):
    return np.eye(n) @ np.eye(n, k=-steps) @ np.eye(n).T


@wrong("look_back", "returns-list", note="returns the index of the place asked for, not a matrix")
def returns_the_index_of_the(num_words, n, steps):
    return [i - steps for i in range(n)]


@wrong(
    "look_back",
    "wrong-row-count",
    note="negative index wraps a slice: np.eye(n)[steps:] pulls rows up, looks forward, too few rows",
)
def negative_index_wraps_a_slice(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n)[steps:]])


@wrong("look_back", "wrong-offset", note="the shift is taken twice")
def the_shift_is_taken_twice(num_words, n, steps):
    shifted = np.eye(n, k=-steps)
    return np.vstack([np.zeros((num_words, n)), shifted @ shifted])


@wrong("look_back", "returns-list", note="a list of lists, no .shape")
def a_list_of_lists_no(num_words, n, steps):
    W_q = []
    for w in range(num_words):
        W_q.append([0] * n)
    for i in range(n):
        row = [0] * n
        if i >= steps:
            row[i - steps] = 1
        W_q.append(row)
    return W_q


@wrong("look_back", "highest-not-alone", note="rows share one list: [[0] * n] * rows")
def rows_share_one_list_0(num_words, n, steps):
    W_q = [[0] * n] * (num_words + n)
    for i in range(steps, n):
        W_q[num_words + i][i - steps] = 1
    return np.array(W_q)


@wrong("look_back", "arguments-swapped", note="arguments in another order")
def arguments_in_another_order(n, num_words, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "arguments-missing", note="no arguments, notebook values and steps 2")
def no_arguments_notebook_values_and():
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-2)])


add_wrong("look_back", "no-function", np.vstack([np.zeros((3, 5)), np.eye(5, k=-2)]), "a matrix, no function")


@wrong("look_back", "returns-string", note="the string of the expression")
def the_string_of_the_expression(num_words, n, steps):
    return "np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])"


@wrong(
    "look_back",
    "index-out-of-range",
    note="1-based: i from 1 to n, so everything moves one down and right and the last row is out of range",
)
def by_1_based_i_from_1(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps + 1, n + 1):
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong("look_back", "off-by-one", note="1-based rows only: looks steps + 1 back")
def by_1_based_rows_only_looks(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps + 1, n):
        W_q[num_words + i, i - steps - 1] = 1
    return W_q


@wrong("look_back", "off-by-one", note="1-based column: looks steps - 1 back")
def by_1_based_column_looks_steps(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps, n):
        W_q[num_words + i, i - steps + 1] = 1
    return W_q


@wrong("look_back", "sizes-without-brackets", note="np.zeros(a, b) as in zeros(a,b): a TypeError")
def np_zeros_a_b_as(num_words, n, steps):
    W_q = np.zeros(num_words + n, n)
    for i in range(steps, n):
        W_q[num_words + i, i - steps] = 1
    return W_q


@wrong(
    "look_back",
    "diagonal-read",
    note="diag(ones(m,1), -k): np.diag of a column reads a diagonal and builds none",
)
def diag_ones_m_1_k(num_words, n, steps):
    S = np.diag(np.ones((n - steps, 1)), -steps)
    return np.vstack([np.zeros((num_words, n)), S])


@wrong("look_back", "wrong-axis", note="circshift dimension 2, an axis NumPy does not have")
def circshift_dimension_2_an_axis(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(np.eye(n), -steps, axis=2)])


@wrong(
    "look_back",
    "word-rows-moved",
    note="stacked first and rolled afterwards: the last place rows wrap into the word rows",
)
def stacked_first_and_rolled_afterwards(num_words, n, steps):
    return np.roll(np.vstack([np.zeros((num_words, n)), np.eye(n)]), steps, axis=0)


@wrong(
    "look_back",
    "words-not-dropped",
    note="negative column wraps around, and so the rows: loop over all words and places",
)
def negative_column_wraps_around_and(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(num_words + n):
        W_q[i, (i - num_words - steps) % n] = 1
    return W_q


@wrong("look_back", "returns-none", note="output variable named, as MATLAB does it, never returned")
def output_variable_named_as_matlab(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(n - steps):
        W_q[num_words + steps + i, i] = 1


@wrong("look_back", "wrong-dtype", note="[zeros; eye] as np.array of two matrices: no concatenation")
def zeros_eye_as_np_array(num_words, n, steps):
    return np.array([np.zeros((num_words, n)), np.eye(n, k=-steps)], dtype=object)


@wrong(
    "look_back",
    "words-not-dropped",
    note="row vector of ones in a product with the shift: * in place of @, word rows filled",
)
def row_vector_of_ones_in(num_words, n, steps):
    W_q = np.ones((num_words + n, n))
    W_q[num_words:] = W_q[num_words:] * np.eye(n, k=-steps)
    W_q[:num_words, 0] = 2
    return W_q


@wrong(
    "look_back",
    "one-place-for-all",
    note="reshape of a flat vector, stride n in place of n + 1: one column of ones",
)
def reshape_of_a_flat_vector(num_words, n, steps):
    flat = np.zeros(n * n)
    flat[steps * n :: n] = 1
    return np.vstack([np.zeros((num_words, n)), flat.reshape(n, n)])


@wrong("look_back", "wrong-order", note="reversed order (fliplr): place i asks for n - 1 - i")
def reversed_order_fliplr_place_i(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.fliplr(np.eye(n, k=steps))])


@wrong("look_back", "state-between-calls", note="random matrix")
def random_matrix_2(num_words, n, steps):
    return np.random.randn(num_words + n, n)


@wrong("look_back", "returns-tensor", note="torch tensor returned, looking forward")
def torch_tensor_returned_looking_forward(num_words, n, steps):
    import torch

    W_q = torch.zeros(num_words + n, n)
    W_q[num_words:] = torch.diag(torch.ones(n - steps), steps)
    return W_q


@wrong("look_back", "sign-flipped", note="minus sign on the numbers too: the target scores lowest")
def minus_sign_on_the_numbers(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), -np.eye(n, k=-steps)])


@wrong("look_back", "all-earlier-tokens", note="softmax'ed causal mask: equal over the whole past")
def softmaxed_causal_mask_equal_over(num_words, n, steps):
    mask = np.tril(np.ones((n, n)), -steps)
    mask = mask / np.maximum(mask.sum(1, keepdims=True), 1)
    return np.vstack([np.zeros((num_words, n)), mask])


@wrong("look_back", "zero-times-inf", note="-inf in the word rows: every score is nan or -inf")
def inf_in_the_word_rows(num_words, n, steps):
    W_q = np.full((num_words + n, n), -np.inf)
    W_q[num_words:] = np.eye(n, k=-steps)
    return W_q


@wrong(
    "look_back",
    "fixed-size",
    note="lstsq on the notebook's one sentence: right there, wrong for other sentences or sizes",
)
def lstsq_on_the_notebooks_one(num_words, n, steps):
    target = np.eye(len(tokens), k=-steps)
    return np.linalg.lstsq(tokens, target, rcond=None)[0]


@wrong("look_back", "words-not-dropped", note="random word rows as large as the place rows")
def random_word_rows_as_large(num_words, n, steps):
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(size=(num_words, n)) * 3, np.eye(n, k=-steps)])


@wrong("look_back", "counted-from-the-end", note="places counted from the end")
def places_counted_from_the_end(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    W_q[-steps:, :] = np.eye(n)[:steps] if steps <= n else 0
    return W_q


@wrong("look_back", "parts-swapped", note="square matrix cut to n columns: the first columns are the words'")
def square_matrix_cut_to_n(num_words, n, steps):
    return np.eye(num_words + n, k=-steps)[:, :n]


@wrong(
    "look_back",
    "past-and-future-swapped",
    note="square shift of the wrong sign, cut to its last n columns: words point at places and places forward",
)
def square_shift_of_the_wrong(num_words, n, steps):
    return np.eye(num_words + n, k=steps)[:, num_words:]


@wrong("look_back", "returns-tuple", note="returns a tuple with the keys' matrix")
def returns_a_tuple_with_the(num_words, n, steps):
    W_k = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    return W_q, W_k


@wrong("look_back", "steps-ignored", note="unused steps parameter overwritten")
def unused_steps_parameter_overwritten(num_words, n, steps):
    steps = 2
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "one-place-for-all", note="linear slope: the further left the better, no single place")
def linear_slope_the_further_left(num_words, n, steps):
    j = np.arange(n)
    return np.vstack([np.zeros((num_words, n)), np.tile(-j, (n, 1))])


@wrong("look_back", "own-token", note="copies W_key unchanged: each token asks for itself, steps ignored")
def copies_w_key_unchanged_each(num_words, n, steps):
    places = np.eye(n)
    W_q = np.vstack([np.zeros((num_words, n)), places])
    return W_q


@wrong("look_back", "past-and-future-swapped", note="k has the wrong sign: looks steps ahead")
def k_has_the_wrong_sign(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=steps)])
    return W_q


@wrong("look_back", "steps-ignored", note="always two back, as in the example call")
def always_two_back_as_in(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-2)])
    return W_q


@wrong("look_back", "steps-ignored", note="always one back")
def always_one_back(num_words, n, steps):
    places = np.eye(n, k=-1)
    return np.vstack([np.zeros((num_words, n)), places])


@wrong("look_back", "fixed-size", note="sizes 3 and 5 written into the function")
def sizes_3_and_5_written(num_words, n, steps):
    W_q = np.zeros((8, 5))
    for i in range(steps, 5):
        W_q[3 + i, i - steps] = 1
    return W_q


@wrong("look_back", "fixed-size", note="rolls the global places, so it fits only n = 5")
def rolls_the_global_places_so(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(places, steps, axis=0)])


@wrong(
    "look_back",
    "fixed-size",
    note="takes the rows from len(tokens) and the columns from keys.shape, the sizes of the notebook",
)
def takes_the_rows_from_len(num_words, n, steps):
    W_q = np.zeros((tokens.shape[1], keys.shape[1]))
    for i in range(len(tokens)):
        if i >= steps:
            W_q[tokens.shape[1] - len(tokens) + i, i - steps] = 1
    return W_q


@wrong("look_back", "fixed-size", note="shadows its own arguments with the notebook's numbers")
def shadows_its_own_arguments_with(num_words, n, steps):
    num_words, n = 3, 5
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


@wrong("look_back", "past-and-future-swapped", note="rolls the places the wrong way")
def rolls_the_places_the_wrong(num_words, n, steps):
    places = np.roll(np.eye(n), -steps, axis=0)
    return np.vstack([np.zeros((num_words, n)), places])


@wrong(
    "look_back",
    "wrong-default-axis",
    note="roll without axis: the flattened matrix moves to the right, so it looks ahead",
)
def roll_without_axis_the_flattened(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(np.eye(n), steps)])


@wrong(
    "look_back",
    "word-rows-moved",
    note="rolls the whole W_key, so place rows wrap around into the word rows and tie",
)
def rolls_the_whole_w_key(num_words, n, steps):
    W = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return np.roll(W, steps, axis=0)


@wrong("look_back", "parts-do-not-fit", note="hstack instead of vstack: the parts do not fit")
def hstack_instead_of_vstack_the(num_words, n, steps):
    W_q = np.hstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    return W_q


@wrong(
    "look_back",
    "not-transposed-back",
    note="zeros of shape (n, num_words) beside the places: shape (n, num_words + n), transposed",
)
def zeros_of_shape_n_num(num_words, n, steps):
    W_q = np.hstack([np.zeros((n, num_words)), np.eye(n, k=-steps)])
    return W_q


@wrong("look_back", "wrong-row-count", note="n rows of zeros on top instead of num_words")
def n_rows_of_zeros_on(num_words, n, steps):
    W_q = np.vstack([np.zeros((n, n)), np.eye(n, k=-steps)])
    return W_q


@wrong("look_back", "returns-none", note="prints the matrix and returns nothing")
def prints_the_matrix_and_returns(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    print(W_q)


@wrong("look_back", "returns-scores", note="returns the scores of the notebook's sentence, not the matrix")
def returns_the_scores_of_the(num_words, n, steps):
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    return tokens @ W_q @ keys.T


@wrong("look_back", "word-rows-missing", note="returns the queries and not the query matrix")
def returns_the_queries_and_not(num_words, n, steps):
    tokens = np.hstack([np.eye(num_words)[np.arange(n) % num_words], np.eye(n)])
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    return tokens @ W_q


@wrong("look_back", "returns-tuple", note="returns two matrices, as the cell above made two")
def returns_two_matrices_as_the(num_words, n, steps):
    W_key = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])
    return W_q, W_key


@wrong("look_back", "argument-unused", note="stacks the global word_codes on top: wrong rows")
def stacks_the_global_word_codes(num_words, n, steps):
    return np.vstack([word_codes, np.eye(n, k=-steps)])


@wrong("look_back", "returns-none", note="left the dots")
def left_the_dots(num_words, n, steps): ...


@wrong(
    "look_back",
    "wrong-argument",
    note="the second argument of np.eye is the number of columns, not the diagonal",
)
def the_second_argument_of_np(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, -steps)])


@wrong("look_back", "off-by-one", note="one step too few")
def one_step_too_few(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-(steps - 1))])


@wrong("look_back", "one-place-for-all", note="every query asks for the one place number steps")
def every_query_asks_for_the(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    W_q[num_words:] = np.eye(n)[steps % n]
    return W_q


@wrong("look_back", "all-earlier-tokens", note="marks every step up to the wanted one, so the scores tie")
def marks_every_step_up_to(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for s in range(1, steps + 1):
        W_q[num_words:] += np.eye(n, k=-s)
    return W_q


@wrong(
    "look_back",
    "all-earlier-tokens",
    note="a triangle instead of a diagonal: all tokens at least steps back tie",
)
def a_triangle_instead_of_a(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.tril(np.ones((n, n)), -steps)])


@wrong("look_back", "wrong-row-count", note="cuts rows off W_key: too few rows")
def cuts_rows_off_w_key(num_words, n, steps):
    W = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    return W[:-steps]


@wrong(
    "look_back",
    "parts-do-not-fit",
    note="np.diag of n ones at -steps gives a matrix of n + steps, and the parts do not fit",
)
def np_diag_of_n_ones(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.diag(np.ones(n), -steps)])


@wrong("look_back", "returns-string", note="a matrix in a string")
def a_matrix_in_a_string(num_words, n, steps):
    return str(np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)]))


@wrong("look_back", "returns-list", note="a list of lists, not a matrix with a shape")
def a_list_of_lists_not(num_words, n, steps):
    top = [[0] * n for w in range(num_words)]
    bottom = [[1 if j == i - steps else 0 for j in range(n)] for i in range(n)]
    return top + bottom


@wrong("look_back", "own-token", note="changes W_key instead, so each key is moved and the queries stay")
def changes_w_key_instead_so(num_words, n, steps):
    global keys
    W_q = np.vstack([np.zeros((num_words, n)), np.eye(n)])
    keys = np.roll(keys, -steps, axis=0)
    return W_q


@wrong("look_back", "arguments-missing", note="only two arguments")
def only_two_arguments(num_words, n):
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-2)])


@wrong("look_back", "array-method", note="JAX's .at[].set on a NumPy array: AttributeError")
def jaxs_at_set_on_a(num_words, n, steps):
    i = np.arange(steps, n)
    return np.zeros((num_words + n, n)).at[num_words + i, i - steps].set(1.0)


@wrong(
    "look_back", "all-tokens", note="computes the changed copy as in JAX and drops it: the zeros are returned"
)
def computes_the_changed_copy_as(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    np.concatenate([W_q[:num_words], W_q[num_words:] + np.eye(n, k=-steps)])
    return W_q


@wrong("look_back", "words-not-dropped", note="a Keras Dense kernel at its start values: random (Glorot)")
def a_keras_dense_kernel_at(num_words, n, steps):
    rng = np.random.default_rng(0)
    limit = np.sqrt(6 / (num_words + n + n))
    return rng.uniform(-limit, limit, size=(num_words + n, n))


@wrong("look_back", "not-transposed-back", note="the kernel laid out as (out, in) like nn.Linear")
def the_kernel_laid_out_as(num_words, n, steps):
    kernel = np.concatenate([np.zeros((num_words, n)), np.eye(n, k=-steps)], axis=0)
    return kernel.T


@wrong("look_back", "extra-axis", note="adds a batch axis in front")
def adds_a_batch_axis_in(num_words, n, steps):
    W_q = np.concatenate([np.zeros((num_words, n)), np.eye(n, k=-steps)], axis=0)
    return W_q[None]


@wrong("look_back", "extra-axis", note="splits into heads: shape (num_words + n, 1, n)")
def splits_into_heads_shape_num(num_words, n, steps):
    W_q = np.concatenate([np.zeros((num_words, n)), np.eye(n, k=-steps)], axis=0)
    return np.expand_dims(W_q, axis=1)


@wrong("look_back", "returns-function", note="returns a layer (a function) instead of its matrix")
def returns_a_layer_a_function(num_words, n, steps):
    W_q = np.concatenate([np.zeros((num_words, n)), np.eye(n, k=-steps)], axis=0)
    return lambda x: x @ W_q


@wrong("look_back", "returns-dict", note="a dict of parameters as in Flax")
def a_dict_of_parameters_as(num_words, n, steps):
    kernel = np.concatenate([np.zeros((num_words, n)), np.eye(n, k=-steps)], axis=0)
    return {"params": {"kernel": kernel}}


@wrong(
    "look_back",
    "past-and-future-swapped",
    note="broadcast comparison with the wrong sign: columns minus steps",
)
def broadcast_comparison_with_the_wrong(num_words, n, steps):
    row, col = np.arange(n)[:, None], np.arange(n)[None, :]
    place_part = (row == col - steps).astype(np.float32)
    return np.pad(place_part, ((num_words, 0), (0, 0)))


@wrong("look_back", "parts-swapped", note="pads the zeros below instead of above")
def pads_the_zeros_below_instead(num_words, n, steps):
    return np.pad(np.eye(n, k=-steps), ((0, num_words), (0, 0)))


@wrong("look_back", "wrong-shape", note="np.pad on all sides: the wrong shape")
def np_pad_on_all_sides(num_words, n, steps):
    return np.pad(np.eye(n, k=-steps), num_words)


@wrong(
    "look_back",
    "parts-swapped",
    note="one_hot of a clipped place counted from num_words: every index is num_words too high",
)
def one_hot_of_a_clipped(num_words, n, steps):
    target = np.clip(np.arange(num_words + n) - steps, 0, n - 1)
    return np.eye(n)[target]


@wrong(
    "look_back", "zero-times-inf", note="masks with minus infinity: 0 times infinity gives nan in the scores"
)
def masks_with_minus_infinity_0(num_words, n, steps):
    place_part = np.where(np.eye(n, k=-steps) == 1, 0.0, -np.inf)
    return np.concatenate([np.zeros((num_words, n)), place_part])


@wrong(
    "look_back",
    "fixed-size",
    note="learned by a few steps of gradient descent on the notebook's one sentence",
)
def learned_by_a_few_steps(num_words, n, steps):
    W_q = np.zeros((tokens.shape[1], keys.shape[1]))
    target = np.eye(len(tokens), k=-steps)
    for step in range(200):
        error = tokens @ W_q @ keys.T - target
        W_q -= 0.1 * tokens.T @ error @ keys
    return W_q


@wrong("look_back", "steps-ignored", note="a power element by element (** steps): always one back")
def a_power_element_by_element(num_words, n, steps):
    shift = np.eye(n, k=-1)
    return np.vstack([np.zeros((num_words, n)), shift**steps])


@wrong("look_back", "past-and-future-swapped", note="matrix power of the shift to the right: looks ahead")
def matrix_power_of_the_shift(num_words, n, steps):
    shift = np.eye(n, k=1)
    return np.vstack([np.zeros((num_words, n)), np.linalg.matrix_power(shift, steps)])


@wrong("look_back", "own-token", note="a cosine of the difference of places, without steps: looks at itself")
def a_cosine_of_the_difference(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.cos(2 * np.pi * (i - j) / n)])


@wrong("look_back", "past-and-future-swapped", note="a cosine with the sign of steps wrong: looks ahead")
def a_cosine_with_the_sign(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.cos(2 * np.pi * (i - j + steps) / n)])


@wrong("look_back", "wrong-offset", note="a sine instead of a cosine: its top is a quarter turn off")
def a_sine_instead_of_a(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.sin(2 * np.pi * (i - j - steps) / n)])


@wrong("look_back", "highest-not-alone", note="a cosine of period steps: peaks at itself, too, and ties")
def a_cosine_of_period_steps(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.cos(2 * np.pi * (i - j) / steps)])


@wrong("look_back", "both-sides", note="distance without its sign: steps ahead scores as high as steps back")
def distance_without_its_sign_steps(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), -np.abs(np.abs(i - j) - steps)])


@wrong(
    "look_back", "sign-flipped", note="the distance itself as score: highest where it is farthest from right"
)
def the_distance_itself_as_score(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.abs(i - j - steps)])


@wrong("look_back", "random-matrices", note="random orthogonal place codes, but the keys are still one-hot")
def random_orthogonal_place_codes_but(num_words, n, steps):
    Q, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(n, n)))
    return np.vstack([np.zeros((num_words, n)), np.roll(Q, steps, axis=0)])


@wrong("look_back", "rotated", note="rotates the first two coordinates only, by steps quarter turns")
def rotates_the_first_two_coordinates(num_words, n, steps):
    R = np.eye(n)
    angle = steps * np.pi / 2
    R[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return np.vstack([np.zeros((num_words, n)), R])


@wrong("look_back", "wrong-shape", note="sinusoidal codes of the places before: width 2 and not n")
def sinusoidal_codes_of_the_places(num_words, n, steps):
    angle = 2 * np.pi * (np.arange(n) - steps) / n
    code = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.vstack([np.zeros((num_words, 2)), code])


@wrong(
    "look_back",
    "past-and-future-swapped",
    note="k = steps - num_words: the diagonal is moved up and not down",
)
def k_steps_num_words_the(num_words, n, steps):
    return np.eye(num_words + n, n, k=steps - num_words)


@wrong(
    "look_back",
    "steps-ignored",
    note="shrinks with distance among the earlier ones, but the nearest of all wins: one back",
)
def shrinks_with_distance_among_the(num_words, n, steps):
    i, j = np.indices((n, n))
    near = np.where(j < i, 1.0 / (i - j + (j >= i) * 1000), 0)
    return np.vstack([np.zeros((num_words, n)), near])


@wrong(
    "look_back",
    "words-not-dropped",
    note="a word part of normal random numbers to break ties: it outvotes the place",
)
def a_word_part_of_normal(num_words, n, steps):
    noise = np.random.default_rng(3).normal(size=(num_words, n))
    return np.vstack([noise, np.eye(n, k=-steps)])


@wrong(
    "look_back",
    "all-tokens",
    note="centred rows: 1 taken away everywhere but on the diagonal, then squared, which undoes the sign",
)
def centred_rows_1_taken_away(num_words, n, steps):
    part = (2 * np.eye(n, k=-steps) - 1) ** 2
    return np.vstack([np.zeros((num_words, n)), part])
