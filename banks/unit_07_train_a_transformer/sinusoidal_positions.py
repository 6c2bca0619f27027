"""Right and wrong answers to `sinusoidal_positions`, as learners write them."""

import math

import numpy as np
import torch
from torch import nn

from banks.registry import right, wrong

NAME = "sinusoidal_positions"

# Right answers, each in its own style


@right(NAME, "two loops")
def two_loops(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            pe[p, 2 * i] = math.sin(p / base ** (2 * i / d))
            pe[p, 2 * i + 1] = math.cos(p / base ** (2 * i / d))
    return pe


@right(NAME, "speeds by exp and log, columns filled")
def speeds_by_exp_and_log_columns_filled(n, d, base=10000.0):
    position = torch.arange(n, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (-math.log(base) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


@right(NAME, "stacked and flattened")
def stacked_and_flattened(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()[None, :]
    a = p / base ** (2 * i / d)
    return torch.stack([a.sin(), a.cos()], dim=-1).flatten(1)


@right(NAME, "complex numbers")
def complex_numbers(n, d, base=10000.0):
    a = torch.outer(torch.arange(n).double(), base ** -(torch.arange(0, d, 2).double() / d))
    z = torch.polar(torch.ones_like(a), a)
    return torch.view_as_real(z).flip(-1).reshape(n, d).float()


@right(NAME, "NumPy, where the column is even")
def numpy_where_the_column_is_even(n, d, base=10000.0):
    j = np.arange(d)
    ang = np.arange(n)[:, None] / np.power(base, (2 * (j // 2)) / d)[None, :]
    out = np.where(j % 2 == 0, np.sin(ang), np.cos(ang))
    return torch.from_numpy(out).float()


@right(NAME, "a list of lists")
def a_list_of_lists(n, d, base=10000.0):
    f = (math.sin, math.cos)
    return torch.tensor([[f[j % 2](p / base ** ((j - j % 2) / d)) for j in range(d)] for p in range(n)])


@right(NAME, "sines alone, half of them shifted")
def sines_alone_half_of_them_shifted(n, d, base=10000.0):
    # cos(x) = sin(x + pi/2)
    freq = (1 / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)).repeat_interleave(2)
    shift = torch.tensor([0.0, math.pi / 2], dtype=torch.float64).repeat(d // 2)
    pos = torch.arange(n, dtype=torch.float64)
    return torch.sin(pos[:, None] * freq + shift).to(torch.float32)


@right(NAME, "turned on from row to row")
def turned_on_from_row_to_row(n, d, base=10000.0):
    # turn each pair on by one step per row
    w = base ** (-np.arange(0, d, 2) / d)
    step = np.exp(1j * w)
    z = np.ones(d // 2, dtype=complex)
    rows = []
    for _ in range(n):
        row = np.empty(d)
        row[0::2] = z.imag
        row[1::2] = z.real
        rows.append(row)
        z = z * step
    return torch.tensor(np.array(rows), dtype=torch.float32)


@right(NAME, "columns collected")
def columns_collected(n, d, base=10000.0):
    cols = []
    p = torch.arange(n).float()
    for i in range(d // 2):
        angle = p / base ** (2 * i / d)
        cols += [torch.sin(angle), torch.cos(angle)]
    return torch.stack(cols, dim=1)


@right(NAME, "halves put in order by an index")
def halves_put_in_order_by_an_index(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    a = p / base ** (torch.arange(0, d, 2).float() / d)
    halves = torch.cat([a.sin(), a.cos()], dim=1)
    order = torch.arange(d).reshape(2, d // 2).T.reshape(-1)
    return halves[:, order]


def angle(p, i, d, base):
    return p / base ** (2 * i / d)


@right(NAME, "a helper in another cell")
def a_helper_in_another_cell(n, d, base=10000.0):
    rows = []
    for p in range(n):
        row = []
        for i in range(d // 2):
            row.append(np.sin(angle(p, i, d, base)))
            row.append(np.cos(angle(p, i, d, base)))
        rows.append(row)
    return torch.FloatTensor(rows)


right(NAME, "a lambda, logspace, cosines shifted")(
    lambda n, d, base=10000.0: (
        torch.einsum("p,i->pi", torch.arange(n).float(), torch.logspace(0, -1 + 2 / d, d // 2, base=base))
        .unsqueeze(-1)
        .expand(-1, -1, 2)
        .sub(torch.tensor([math.pi / 2, 0.0]))
        .cos()
        .reshape(n, d)
    )
)


@right(NAME, "float64 all the way")
def in_float64(n, d, base=10000.0):
    p = torch.arange(n, dtype=torch.float64)
    speed = torch.exp(torch.arange(0, d, 2, dtype=torch.float64) * -math.log(base) / d)
    table = torch.empty(n, d, dtype=torch.float64)
    table[:, ::2], table[:, 1::2] = torch.outer(p, speed).sin(), torch.outer(p, speed).cos()
    return table


@right(NAME, "an angle for each column, filled in place")
def angle_for_each_column(n, d, base=10000.0):
    exponent = torch.arange(d).div(2, rounding_mode="floor") * 2 / d
    table = torch.arange(n).view(-1, 1) / torch.pow(base, exponent)
    table[:, 0::2].sin_()
    table[:, 1::2].cos_()
    return table


# Wrong answers, each with the id of its mistake


@wrong(NAME, "halves-for-pairs", "all sines first and then all cosines (halves), not neighbours paired")
def all_sines_first_and_then_all_cosines_halves(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()[None, :]
    angles = p / base ** (2 * i / d)
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)


@wrong(NAME, "cos-and-sin-swapped", "cosine in the even columns and sine in the odd ones")
def cosine_in_the_even_columns_and_sine_in_the_o(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    p = torch.arange(n).float().unsqueeze(1)
    i = torch.arange(d // 2).float()
    angles = p / base ** (2 * i / d)
    pe[:, 0::2] = torch.cos(angles)
    pe[:, 1::2] = torch.sin(angles)
    return pe


@wrong(NAME, "off-by-one", "positions counted from 1 instead of from 0")
def positions_counted_from_1_instead_of_from_0(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    p = torch.arange(1, n + 1).float().unsqueeze(1)
    i = torch.arange(d // 2).float()
    angles = p / base ** (2 * i / d)
    pe[:, 0::2] = torch.sin(angles)
    pe[:, 1::2] = torch.cos(angles)
    return pe


@wrong(NAME, "wrong-exponent", "exponent i / d, the factor 2 is missing")
def exponent_i_d_the_factor_2_is_missing(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            pe[p, 2 * i] = math.sin(p / base ** (i / d))
            pe[p, 2 * i + 1] = math.cos(p / base ** (i / d))
    return pe


@wrong(NAME, "wrong-exponent", "i already steps by 2 and is multiplied by 2 once more in the exponent")
def i_already_steps_by_2_and_is_multiplied_by_2(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(0, d, 2):
            pe[p, i] = math.sin(p / base ** (2 * i / d))
            pe[p, i + 1] = math.cos(p / base ** (2 * i / d))
    return pe


@wrong(NAME, "base-ignored", "10000 written into the formula, the argument base is not used")
def given_10000_written_into_the_formula_the_argument(n, d, base=10000.0):
    position = torch.arange(n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


@wrong(NAME, "wrong-exponent", "position multiplied by base ** (2i / d) instead of divided by it")
def position_multiplied_by_base_2i_d_instead_of(n, d, base=10000.0):
    p = torch.arange(n, dtype=torch.float32).reshape(-1, 1)
    freq = base ** (torch.arange(0, d, 2).float() / d)
    out = torch.empty(n, d)
    out[:, ::2] = (p * freq).sin()
    out[:, 1::2] = (p * freq).cos()
    return out


@wrong(NAME, "not-transposed-back", "the result has shape (d, n): columns are tokens")
def the_result_has_shape_d_n_columns_are_tokens(n, d, base=10000.0):
    pe = torch.zeros(d, n)
    p = torch.arange(n).float()
    for i in range(d // 2):
        pe[2 * i] = torch.sin(p / base ** (2 * i / d))
        pe[2 * i + 1] = torch.cos(p / base ** (2 * i / d))
    return pe


@wrong(NAME, "returns-numpy", "returns a numpy array, not a torch tensor")
def returns_a_numpy_array_not_a_torch_tensor(n, d, base=10000.0):
    p = np.arange(n)[:, None]
    i = np.arange(d // 2)[None, :]
    ang = p / base ** (2 * i / d)
    pe = np.zeros((n, d))
    pe[:, 0::2] = np.sin(ang)
    pe[:, 1::2] = np.cos(ang)
    return pe


@wrong(
    NAME, "truncates-to-int", "the table is made with an integer dtype, so the values are cut to -1, 0 and 1"
)
def the_table_is_made_with_an_integer_dtype_so_t(n, d, base=10000.0):
    pe = torch.zeros(n, d, dtype=torch.long)
    p = torch.arange(n)[:, None]
    i = torch.arange(d // 2)[None, :]
    ang = p / base ** (2 * i / d)
    pe[:, 0::2] = torch.sin(ang).long()
    pe[:, 1::2] = torch.cos(ang).long()
    return pe


@wrong(
    NAME,
    "speeds-not-shared",
    "odd columns use their own column number in the exponent instead of sharing the frequency of their neighbour",
)
def odd_columns_use_their_own_column_number_in_t(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    j = torch.arange(d).float()[None, :]
    angles = p / base ** (j / d)
    angles[:, 0::2] = torch.sin(angles[:, 0::2])
    angles[:, 1::2] = torch.cos(angles[:, 1::2])
    return angles


@wrong(NAME, "needs-one-number", "math.sin on a tensor of many values stops with an error")
def mathsin_on_a_tensor_of_many_values_stops_wit(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()
    angles = p / base ** (2 * i / d)
    pe[:, 0::2] = math.sin(angles)
    pe[:, 1::2] = math.cos(angles)
    return pe


@wrong(NAME, "wrong-exponent", "frequencies spread up to 1/base itself (i / (d/2 - 1)) instead of 2i / d")
def frequencies_spread_up_to_1_base_itself_i_d_2(n, d, base=10000.0):
    freqs = 1.0 / base ** torch.linspace(0, 1, d // 2)
    ang = torch.outer(torch.arange(n).float(), freqs)
    return torch.stack([ang.sin(), ang.cos()], dim=-1).flatten(1)


@wrong(NAME, "returns-none", "no return, gives None")
def no_return_gives_none(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            angle = p / base ** (2 * i / d)
            pe[p, 2 * i] = math.sin(angle)
            pe[p, 2 * i + 1] = math.cos(angle)


@wrong(NAME, "wrong-exponent", "the minus sign in the exp(-log(base) ...) form is missing")
def the_minus_sign_in_the_exp_logbase_form_is_mi(n, d, base=10000.0):
    position = torch.arange(n).float().unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (math.log(base) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


@wrong(NAME, "wrong-log-base", "log10 together with exp: the two do not belong to the same base")
def log10_together_with_exp_the_two_do_not_belon(n, d, base=10000.0):
    position = torch.arange(n).float().unsqueeze(1)
    div_term = torch.exp(-torch.arange(0, d, 2).float() / d * math.log10(base))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


@wrong(
    NAME,
    "updated-too-early",
    "the cosine is taken of the already overwritten sine columns, not of the angles",
)
def the_cosine_is_taken_of_the_already_overwritt(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.arange(n).float()[:, None] / base ** (torch.arange(0, d, 2).float() / d)
    pe[:, 0::2] = torch.sin(pe[:, 0::2])
    pe[:, 1::2] = torch.cos(pe[:, 0::2])
    return pe


@wrong(NAME, "wrong-axis", "stacked on axis 0 and then reshaped, which mixes up the rows")
def stacked_on_axis_0_and_then_reshaped_which_mi(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()[None]
    a = p / base ** (2 * i / d)
    return torch.stack([torch.sin(a), torch.cos(a)]).reshape(n, d)


@wrong(
    NAME,
    "halves-for-pairs",
    "stacked on axis 1 instead of the last one, so flattening gives halves, not pairs",
)
def stacked_on_axis_1_instead_of_the_last_one_so(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()[None]
    a = p / base ** (2 * i / d)
    return torch.stack([torch.sin(a), torch.cos(a)], dim=1).flatten(1)


@wrong(NAME, "degrees", "the angle is taken as degrees and turned into radians")
def the_angle_is_taken_as_degrees_and_turned_int(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            angle = math.radians(p / base ** (2 * i / d))
            pe[p, 2 * i] = math.sin(angle)
            pe[p, 2 * i + 1] = math.cos(angle)
    return pe


@wrong(NAME, "angle-doubled", "an extra factor 2 pi in the angle")
def an_extra_factor_2_pi_in_the_angle(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    wavelength = base ** (torch.arange(0, d, 2).float() / d)
    a = 2 * math.pi * p / wavelength
    return torch.stack([a.sin(), a.cos()], dim=-1).reshape(n, d)


@wrong(
    NAME, "state-between-calls", "learned positions (a random nn.Embedding), not the fixed sines and cosines"
)
def learned_positions_a_random_nnembedding_not_t(n, d, base=10000.0):
    emb = nn.Embedding(n, d)
    return emb(torch.arange(n)).detach()


@wrong(NAME, "all-pairs-alike", "whole-number division in the exponent, which makes it 0 everywhere")
def whole_number_division_in_the_exponent_which(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            angle = p / base ** (2 * i // d)
            pe[p, 2 * i] = math.sin(angle)
            pe[p, 2 * i + 1] = math.cos(angle)
    return pe


@wrong(NAME, "operator-precedence", "brackets missing: base ** (2i) and only then divided by d")
def brackets_missing_base_2i_and_only_then_divid(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    p = torch.arange(n).float()
    for i in range(d // 2):
        pe[:, 2 * i] = torch.sin(p / base ** (2 * i) / d)
        pe[:, 2 * i + 1] = torch.cos(p / base ** (2 * i) / d)
    return pe


@wrong(NAME, "operator-precedence", "brackets missing around the exponent: p / base**2 * i / d")
def brackets_missing_around_the_exponent_p_base2(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()
    angles = p / base**2 * i / d
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(angles)
    pe[:, 1::2] = torch.cos(angles)
    return pe


@wrong(NAME, "keepdims-left", "a batch axis too many, shape (1, n, d)")
def a_batch_axis_too_many_shape_1_n_d(n, d, base=10000.0):
    position = torch.arange(0, n, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (-math.log(base) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    pe = pe.unsqueeze(0)
    return pe


@wrong(NAME, "wrong-exponent", "exponent not divided by d")
def exponent_not_divided_by_d(n, d, base=10000.0):
    p = torch.arange(n).float()[:, None]
    two_i = torch.arange(0, d, 2).float()
    a = p / base**two_i
    return torch.stack([a.sin(), a.cos()], -1).flatten(1)


@wrong(NAME, "only-first-token", "return inside the outer loop, only row 0 is filled")
def return_inside_the_outer_loop_only_row_0_is_f(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            angle = p / base ** (2 * i / d)
            pe[p, 2 * i] = math.sin(angle)
            pe[p, 2 * i + 1] = math.cos(angle)
        return pe


@wrong(NAME, "first-half-only", "the loop stops at half of the columns, the right half stays 0")
def the_loop_stops_at_half_of_the_columns_the_ri(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for c in range(0, d // 2, 2):
            pe[p, c] = math.sin(p / base ** (c / d))
            pe[p, c + 1] = math.cos(p / base ** (c / d))
    return pe


@wrong(NAME, "cosines-missing", "line copied and not adapted: sine in the odd columns too")
def line_copied_and_not_adapted_sine_in_the_odd(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    p = torch.arange(n).float().unsqueeze(1)
    i = torch.arange(d // 2).float()
    pe[:, 0::2] = torch.sin(p / base ** (2 * i / d))
    pe[:, 1::2] = torch.sin(p / base ** (2 * i / d))
    return pe


@wrong(NAME, "last-left-out", "range(1, n - 1): the first and the last row stay 0")
def range1_n_1_the_first_and_the_last_row_stay_0(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(1, n - 1):
        for i in range(d // 2):
            angle = p / base ** (2 * i / d)
            pe[p, 2 * i] = math.sin(angle)
            pe[p, 2 * i + 1] = math.cos(angle)
    return pe


@wrong(NAME, "arguments-swapped", "arguments in the wrong order (d, n)")
def arguments_in_the_wrong_order_d_n(d, n, base=10000.0):
    p = torch.arange(n).float()[:, None]
    a = p / base ** (torch.arange(0, d, 2).float() / d)
    pe = torch.zeros(n, d)
    pe[:, 0::2] = a.sin()
    pe[:, 1::2] = a.cos()[:, : d // 2]
    return pe


@wrong(NAME, "base-ignored", "base replaced in the sine line only, the cosine line still has 10000 in it")
def base_replaced_in_the_sine_line_only_the_cosi(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            pe[p, 2 * i] = math.sin(p / base ** (2 * i / d))
            pe[p, 2 * i + 1] = math.cos(p / 10000 ** (2 * i / d))
    return pe


@wrong(NAME, "wrong-default", "a zero lost in the default: base is 1000 when it is not given")
def a_zero_lost_in_the_default_base_is_1000_when(n, d, base=1000.0):
    p = torch.arange(n).float()[:, None]
    i = torch.arange(d // 2).float()
    a = p / base ** (2 * i / d)
    return torch.stack([a.sin(), a.cos()], dim=-1).flatten(start_dim=1)


@wrong(
    NAME,
    "updated-too-early",
    "sin_ and cos_ work in place, so the cosine is taken of the sine and both columns are the same tensor",
)
def sin_and_cos_work_in_place_so_the_cosine_is_t(n, d, base=10000.0):
    angles = torch.arange(n).float()[:, None] / base ** (torch.arange(0, d, 2).float() / d)
    s = angles.sin_()
    c = angles.cos_()
    return torch.stack([s, c], dim=-1).reshape(n, d)


_tables = {}


@wrong(
    NAME, "state-between-calls", "a table kept between calls by (n, d) only: another base gets the old table"
)
def a_table_kept_between_calls_by_n_d_only_anoth(n, d, base=10000.0):
    if (n, d) not in _tables:
        a = torch.arange(n).float()[:, None] / base ** (torch.arange(0, d, 2).float() / d)
        _tables[n, d] = torch.stack([a.sin(), a.cos()], dim=-1).reshape(n, d)
    return _tables[n, d].clone()


@wrong(NAME, "column-for-pair", "2 i and 2 (i + 1), with i over the even columns")
def well_known_loop(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for pos in range(n):
        for i in range(0, d, 2):
            pe[pos, i] = math.sin(pos / base ** (2 * i / d))
            pe[pos, i + 1] = math.cos(pos / base ** (2 * (i + 1) / d))
    return pe


@wrong(NAME, "speeds-not-shared", "cosines of the next pair")
def next_pair(n, d, base=10000.0):
    p = torch.arange(n)[:, None]
    i = torch.arange(d // 2)
    return torch.stack([(p / base ** (2 * i / d)).sin(), (p / base ** (2 * (i + 1) / d)).cos()], -1).flatten(
        1
    )


@wrong(NAME, "wrong-exponent", "d / 2 in place of d")
def half_the_width(n, d, base=10000.0):
    i = torch.arange(0, d, 2)
    theta = torch.arange(n)[:, None] / base ** (i / (d // 2))
    return torch.stack([theta.sin(), theta.cos()], -1).reshape(n, d)


@wrong(NAME, "wrong-exponent", "divided by n")
def divided_by_n(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / n)
    return torch.stack([theta.sin(), theta.cos()], -1).reshape(n, d)


@wrong(NAME, "cosines-missing", "sines alone, d / 2 columns")
def half_as_wide(n, d, base=10000.0):
    return (torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)).sin()


@wrong(NAME, "cosines-missing", "odd columns left at 0")
def odd_columns_empty(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d))
    return pe


@wrong(NAME, "overwritten-instead-of-collected", "both written to the even columns")
def written_twice(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    pe[:, 0::2] = torch.sin(theta)
    pe[:, 0::2] = torch.cos(theta)
    return pe


@wrong(NAME, "overwritten-instead-of-collected", "columns i and i + 1")
def columns_overlap(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for i in range(d // 2):
        theta = torch.arange(n) / base ** (2 * i / d)
        pe[:, i] = theta.sin()
        pe[:, i + 1] = theta.cos()
    return pe


@wrong(NAME, "parity-of-position")
def rows_take_turns(n, d, base=10000.0):
    pe = torch.zeros(n, d)
    for p in range(n):
        for j in range(d):
            f = math.sin if p % 2 == 0 else math.cos
            pe[p, j] = f(p / base ** (2 * (j // 2) / d))
    return pe


@wrong(NAME, "added-instead-of-joined")
def added(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return theta.sin() + theta.cos()


@wrong(NAME, "not-merged")
def pairs_on_an_axis(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([theta.sin(), theta.cos()], -1)


@wrong(NAME, "wrong-axis", "cat along the rows")
def below(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.cat([theta.sin(), theta.cos()])


@wrong(NAME, "positions-scaled")
def from_0_to_1(n, d, base=10000.0):
    theta = torch.linspace(0, 1, n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "off-by-one", "pairs from 1")
def pairs_from_1(n, d, base=10000.0):
    i = torch.arange(1, d // 2 + 1)
    theta = torch.arange(n)[:, None] / base ** (2 * i / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "argument-unused", "all 5000 rows")
def all_of_the_table(n, d, base=10000.0):
    theta = torch.arange(5000)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "fixed-size", "100 rows if there is room")
def room_for_100(n, d, base=10000.0):
    p = torch.arange(max(n, 100))
    theta = p[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "one-output-too-many")
def two_tables(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return theta.sin(), theta.cos()


@wrong(NAME, "operator-precedence", "the sine of p alone")
def sine_first(n, d, base=10000.0):
    p, speed = torch.arange(n)[:, None], base ** (-torch.arange(0, d, 2) / d)
    return torch.stack([p.sin() * speed, p.cos() * speed], -1).flatten(1)


@wrong(NAME, "no-exponential")
def no_exp(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] * torch.arange(0, d, 2) * (-math.log(base) / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "log-missing")
def no_log(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] * torch.exp(-base * torch.arange(0, d, 2) / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "one-position-for-all", "the speeds in every row")
def no_positions(n, d, base=10000.0):
    speed = base ** (-torch.arange(0, d, 2) / d)
    return torch.stack([speed.sin(), speed.cos()], -1).flatten().repeat(n, 1)


@wrong(NAME, "pairs-out-of-order")
def slow_first(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] * (base ** (-torch.arange(0, d, 2) / d)).flip(0)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)


@wrong(NAME, "returns-angles")
def angles_alone(n, d, base=10000.0):
    return torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)


@wrong(NAME, "returns-list")
def as_list(n, d, base=10000.0):
    f = (math.sin, math.cos)
    return [[f[j % 2](p / base ** ((j - j % 2) / d)) for j in range(d)] for p in range(n)]


@wrong(NAME, "halves-for-pairs+off-by-one", "from 1, in halves")
def halves_from_1(n, d, base=10000.0):
    theta = torch.arange(1, n + 1)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.cat([theta.sin(), theta.cos()], -1)


@wrong(NAME, "float32", "half precision")
def half_precision(n, d, base=10000.0):
    theta = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1).half()


@wrong(NAME, "wrong-exponent", "the sign, with cosines of it in double precision")
def grown_in_float64(n, d, base=10000.0):
    p, i = torch.arange(n, dtype=torch.float64), torch.arange(0, d, 2, dtype=torch.float64)
    theta = torch.outer(p, base ** (i / d))
    return torch.stack([theta.sin(), theta.cos()], -1).flatten(1)
