"""Right and wrong answers to `predicted_score_std`, as learners write them."""

import math
from fractions import Fraction

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("predicted_score_std", "sum of three terms")
def predicted_sum(d_k, mean_q, std_q, mean_k, std_k):
    variance = std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2
    return np.sqrt(d_k * variance)


@right("predicted_score_std", "E[q^2] E[k^2] - (E[q] E[k])^2")
def predicted_moments(d_k, mean_q, std_q, mean_k, std_k):
    second = (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2)
    return math.sqrt(d_k * max(second - (mean_q * mean_k) ** 2, 0.0))


@right("predicted_score_std", "a norm times sqrt(d_k)")
def predicted_norm(d_k, mean_q, std_q, mean_k, std_k):
    return np.linalg.norm([std_q * std_k, mean_q * std_k, mean_k * std_q]) * np.sqrt(d_k)


@right("predicted_score_std", "math.hypot")
def predicted_hypot(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * math.hypot(std_q * math.hypot(std_k, mean_k), mean_q * std_k)


@right("predicted_score_std", "variances added one entry at a time")
def predicted_loop(d_k, mean_q, std_q, mean_k, std_k):
    variance = 0.0
    for _ in range(d_k):
        variance += std_q**2 * (std_k**2 + mean_k**2) + mean_q**2 * std_k**2
    return variance**0.5


@right("predicted_score_std", "torch, a 0-d array")
def predicted_torch(d_k, mean_q, std_q, mean_k, std_k):
    m_q, s_q, m_k, s_k = torch.tensor([mean_q, std_q, mean_k, std_k], dtype=torch.float64) ** 2
    return torch.sqrt(d_k * (s_q * s_k + m_q * s_k + m_k * s_q)).numpy()


@right("predicted_score_std", "exact fractions, prints")
def predicted_fractions(d_k, mean_q, std_q, mean_k, std_k):
    m_q, s_q, m_k, s_k = (Fraction(float(number)) ** 2 for number in (mean_q, std_q, mean_k, std_k))
    variance = int(d_k) * ((m_q + s_q) * (m_k + s_k) - m_q * m_k)
    print(float(variance))
    return math.sqrt(variance)


@right("predicted_score_std", "second moments minus squared mean")
def predicted_score_std_28(d_k, mean_q, std_q, mean_k, std_k):
    e2 = (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2)
    return (d_k * (e2 - (mean_q * mean_k) ** 2)) ** 0.5


@right("predicted_score_std", "math.hypot")
def predicted_score_std_29(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * math.hypot(std_q * std_k, std_q * mean_k, std_k * mean_q)


# Wrong answers, those with one mistake together


@wrong("predicted_score_std", "means-forgotten", note="right for zero means")
def predicted_no_means(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * std_q * std_k


@wrong("predicted_score_std", "means-forgotten", note="Multiplies the stds as if both means were 0.")
def predicted_1(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * std_q * std_k


@wrong("predicted_score_std", "only-sqrt-d_k", note="right for standard normal entries")
def predicted_sqrt(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k)


@wrong("predicted_score_std", "no-square-root", note="the variance")
def predicted_variance(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * (std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong(
    "predicted_score_std", "no-square-root", note="Stops at the variance; the final square root is missing."
)
def predicted_2(d_k, mean_q, std_q, mean_k, std_k):
    one = (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2) - (mean_q * mean_k) ** 2
    return d_k * one


@wrong("predicted_score_std", "no-square-root", note="Returns the variance (no root)")
def predicted_score_std_70(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * (std_q**2 * std_k**2 + std_q**2 * mean_k**2 + std_k**2 * mean_q**2)


@wrong("predicted_score_std", "scaled-by-d_k", note="d_k outside the root")
def predicted_d_outside(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * math.sqrt(std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong(
    "predicted_score_std",
    "scaled-by-d_k",
    note="Adds up stds of d_k products (d_k times one std) instead of adding variances.",
)
def predicted_5(d_k, mean_q, std_q, mean_k, std_k):
    vq, vk = std_q**2, std_k**2
    std_of_one_product = math.sqrt(vq * vk + vq * mean_k**2 + vk * mean_q**2)
    return d_k * std_of_one_product


@wrong(
    "predicted_score_std",
    "scaled-by-d_k",
    note="Returns std of entries product times d_k, i.e. d_k outside the root",
)
def predicted_score_std_65(d_k, mean_q, std_q, mean_k, std_k):
    v = std_q**2 * std_k**2 + std_q**2 * mean_k**2 + std_k**2 * mean_q**2
    return d_k * np.sqrt(v)


@wrong("predicted_score_std", "mean-not-subtracted", note="E[x^2] instead of the variance")
def predicted_second_moment(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2))


@wrong("predicted_score_std", "mean-not-subtracted", note="mean product subtracted without its square")
def predicted_wrong_subtraction(d_k, mean_q, std_q, mean_k, std_k):
    second = (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2)
    return math.sqrt(d_k * abs(second - mean_q * mean_k))


@wrong(
    "predicted_score_std",
    "mean-not-subtracted",
    note="Uses E[q^2] E[k^2] and forgets to subtract the squared mean of the product.",
)
def predicted_3(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2))


@wrong(
    "predicted_score_std",
    "mean-not-subtracted",
    note="Forgets to subtract (mean_q mean_k)^2: second moment instead of variance",
)
def predicted_score_std_66(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2))


@wrong("predicted_score_std", "one-term-forgotten", note="mean_k only: right when mean_q == 0")
def predicted_without_mean_q(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_k**2 * std_q**2))


@wrong("predicted_score_std", "one-term-forgotten", note="mean_q only: right when mean_k == 0")
def predicted_without_mean_k(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_q**2 * std_k**2))


@wrong("predicted_score_std", "one-term-forgotten", note="the product of the variances")
def predicted_without_product(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (mean_q**2 * std_k**2 + mean_k**2 * std_q**2))


@wrong("predicted_score_std", "terms-crossed", note="mean with its own std: right for equal laws")
def predicted_crossed(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_q**2 * std_q**2 + mean_k**2 * std_k**2))


@wrong(
    "predicted_score_std",
    "terms-crossed",
    note="Pairs each mean with its own std instead of with the other one's.",
)
def predicted_4(d_k, mean_q, std_q, mean_k, std_k):
    var = std_q**2 * std_k**2 + mean_q**2 * std_q**2 + mean_k**2 * std_k**2
    return (d_k * var) ** 0.5


@wrong(
    "predicted_score_std",
    "terms-crossed",
    note="Pairs each mean with its own std (mean_q*std_q) in the cross terms",
)
def predicted_score_std_67(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_q**2 * std_q**2 + mean_k**2 * std_k**2))


@wrong("predicted_score_std", "std-for-variance", note="stds not squared: right for stds of 1")
def predicted_std_not_squared(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q * std_k + mean_q**2 * std_k + mean_k**2 * std_q))


@wrong("predicted_score_std", "means-not-squared", note="right for means of 0 and 1; a negative mean fails")
def predicted_means_not_squared(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + abs(mean_q) * std_k**2 + abs(mean_k) * std_q**2))


@wrong("predicted_score_std", "means-not-squared", note="Cross terms without squares on means")
def predicted_score_std_69(d_k, mean_q, std_q, mean_k, std_k):
    v = std_q**2 * std_k**2 + std_q**2 * abs(mean_k) + std_k**2 * abs(mean_q)
    return math.sqrt(d_k * v)


@wrong("predicted_score_std", "added-instead-of-multiplied", note="variances added")
def predicted_added(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 + std_k**2))


@wrong(
    "predicted_score_std",
    "added-instead-of-multiplied",
    note="Adds the variances as for a sum: sqrt(d_k (std_q^2+std_k^2))",
)
def predicted_score_std_68(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 + std_k**2))


@wrong("predicted_score_std", "mean-instead-of-std", note="predicts the mean score")
def predicted_mean(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * mean_q * mean_k


@wrong("predicted_score_std", "stds-added", note="sqrt(d) (s s + m s + m s): stds of sums do not add")
def predicted_stds_added(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * (std_q * std_k + abs(mean_q) * std_k + abs(mean_k) * std_q)


@wrong("predicted_score_std", "measured-with-too-few-draws", note="a simulation of 10 draws")
def predicted_simulated(d_k, mean_q, std_q, mean_k, std_k):
    rng = np.random.default_rng(0)
    q, k = rng.normal(mean_q, std_q, (10, d_k)), rng.normal(mean_k, std_k, (10, d_k))
    return (q * k).sum(axis=1).std()


@wrong(
    "predicted_score_std",
    "measured-with-too-few-draws",
    note="Simulates 50 dot products instead of the closed form, so the number is only rough.",
)
def predicted_7(d_k, mean_q, std_q, mean_k, std_k):
    rng = np.random.default_rng(42)
    q = rng.normal(mean_q, std_q, (50, d_k))
    k = rng.normal(mean_k, std_k, (50, d_k))
    return np.std((q * k).sum(axis=1))


@wrong(
    "predicted_score_std",
    "measured-with-too-few-draws",
    note="Runs a small Monte Carlo with a fixed seed (1000 draws), not exact",
)
def predicted_score_std_72(d_k, mean_q, std_q, mean_k, std_k):
    r = np.random.default_rng(0)
    q = r.normal(mean_q, std_q, (1000, d_k))
    k = r.normal(mean_k, std_k, (1000, d_k))
    return (q * k).sum(1).std()


@wrong("predicted_score_std", "scaled-too-early", note="the std after scaling")
def predicted_scaled(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong(
    "predicted_score_std",
    "operator-precedence",
    note="d_k multiplies only the first of the three terms because the brackets are missing.",
)
def predicted_6(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong(
    "predicted_score_std",
    "means-not-squared+one-term-forgotten",
    note="The means enter without squares, and the std_q^2 std_k^2 term is left out.",
)
def predicted_8(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * (abs(mean_q) * std_k**2 + abs(mean_k) * std_q**2))


@wrong(
    "predicted_score_std",
    "means-forgotten+no-square-root",
    note="Combines: forgets sqrt AND drops the cross terms",
)
def predicted_score_std_71(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * std_q**2 * std_k**2


@wrong(
    "predicted_score_std",
    "xor-for-power",
    note="^ is used for power: in Python it is XOR, which raises a TypeError for floats and gives wrong numbers for ints.",
)
def predicted_score_std_xor_for_power(d_k, mean_q, std_q, mean_k, std_k):
    variance = std_q ^ 2 * std_k ^ 2 + mean_q ^ 2 * std_k ^ 2 + mean_k ^ 2 * std_q ^ 2
    return np.sqrt(d_k * variance)


@wrong(
    "predicted_score_std",
    "means-not-squared+off-by-one",
    note="The terms with the means lack their squares (mean_q * std_k**2 and mean_k * std_q**2), so a negative mean even gives NaN; and off by one in the loop, only d_k - 1 products are added.",
)
def predicted_score_std_means_not_squared(d_k, mean_q, std_q, mean_k, std_k):
    variance = 0
    for i in range(1, d_k):
        variance += std_q**2 * std_k**2 + mean_q * std_k**2 + mean_k * std_q**2
    return np.sqrt(variance)


@wrong(
    "predicted_score_std",
    "measured-with-too-few-draws",
    note="Not a prediction but a measurement: draws 1000 random dot products and returns their std, so it is only roughly right.",
)
def predicted_score_std_measured_with_too_few_draws(d_k, mean_q, std_q, mean_k, std_k):
    rng = np.random.default_rng(6)
    q = rng.normal(mean_q, std_q, (1000, d_k))
    k = rng.normal(mean_k, std_k, (1000, d_k))
    return (q * k).sum(axis=1).std()


@wrong("predicted_score_std", "operator-precedence", note="** 1 / 2 halves the variance")
def predicted_half_of_the_variance(d_k, mean_q, std_q, mean_k, std_k):
    variance = std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2
    return (d_k * variance) ** 1 / 2


@wrong("predicted_score_std", "operator-precedence", note="d_k ** 1 / 2 is half of d_k")
def predicted_times_half_of_d_k(d_k, mean_q, std_q, mean_k, std_k):
    return d_k**1 / 2 * math.hypot(std_q * std_k, mean_q * std_k, mean_k * std_q)


@wrong("predicted_score_std", "measured-with-too-few-draws", note="200 draws")
def predicted_by_200_draws(d_k, mean_q, std_q, mean_k, std_k):
    rng = np.random.default_rng(0)
    q = rng.normal(mean_q, std_q, (200, d_k))
    k = rng.normal(mean_k, std_k, (200, d_k))
    return (q * k).sum(axis=1).std()


@wrong("predicted_score_std", "epsilon-too-large", note="the variance is held above 0.001")
def predicted_held_above_a_limit(d_k, mean_q, std_q, mean_k, std_k):
    variance = d_k * (std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)
    return math.sqrt(max(variance, 1e-3))


@wrong("predicted_score_std", "means-not-squared+no-square-root")
def predicted_variance_with_plain_means(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * (std_q**2 * std_k**2 + mean_q * std_k**2 + mean_k * std_q**2)


@wrong("predicted_score_std", "operator-precedence", note="d_k multiplies the last term only")
def predicted_d_k_on_the_last_term(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2 * d_k)


@wrong("predicted_score_std", "scaled-by-d_k+std-for-variance")
def predicted_d_k_outside_and_nothing_squared(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * np.sqrt(std_q * std_k + abs(mean_q) * std_k + abs(mean_k) * std_q)


@wrong("predicted_score_std", "stds-added", note="spreads added, with the signs of the means")
def predicted_added_spreads(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k) * (std_q * std_k + mean_q * std_k + mean_k * std_q)


@wrong("predicted_score_std", "stds-added", note="spreads added, and d_k of them")
def predicted_added_spreads_d_k(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * (std_q * std_k + abs(mean_q) * std_k + abs(mean_k) * std_q)


@wrong("predicted_score_std", "means-forgotten", note="two lines without brackets, so two terms are lost")
def predicted_std_broken_over_lines(d_k, mean_q, std_q, mean_k, std_k):
    var = std_q**2 * std_k**2
    +(mean_q**2) * std_k**2
    +(mean_k**2) * std_q**2
    return np.sqrt(d_k * var)


@wrong("predicted_score_std", "arguments-ignored", note="the published numbers written in")
def predicted_std_of_the_published_numbers(d_k, mean_q, std_q, mean_k, std_k):
    mean_q, std_q, mean_k, std_k = (1.56, 0.36, -0.34, 1.2)
    var = std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2
    return np.sqrt(d_k * var)


@wrong(
    "predicted_score_std",
    "means-not-squared",
    "a power of 0.5, which makes a complex number of a negative one",
)
def means_not_squared_by_power(d_k, mean_q, std_q, mean_k, std_k):
    return (d_k * (std_q**2 * std_k**2 + mean_q * std_k**2 + mean_k * std_q**2)) ** 0.5
