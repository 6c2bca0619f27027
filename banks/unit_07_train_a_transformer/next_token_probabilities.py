"""Right and wrong answers to `next_token_probabilities`, as learners write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong

NAME = "next_token_probabilities"

# Right answers, each in its own style


@right(NAME, "the k best put back where they came from")
def the_k_best_put_back_where_they_came_from(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        v, i = torch.topk(z, top_k, dim=-1)
        z = torch.full_like(z, float("-inf")).scatter(-1, i, v)
    return torch.softmax(z, dim=-1)


@right(NAME, "loops, argsort")
def loops_argsort(logits, temperature=1.0, top_k=None):
    B, vocab = logits.shape
    k = vocab if top_k is None else min(vocab, top_k)
    out = torch.zeros_like(logits)
    for b in range(B):
        best = torch.argsort(logits[b], descending=True)[:k]
        out[b, best] = torch.softmax(logits[b, best] / temperature, dim=0)
    return out


@right(NAME, "sorted weights, renormalised")
def sorted_weights_renormalised(logits, temperature=1.0, top_k=None):
    p = (logits / temperature).softmax(-1)
    if top_k is None:
        return p
    s, i = p.sort(dim=-1, descending=True)
    s = s.clone()
    s[:, top_k:] = 0
    s = s / s.sum(dim=-1, keepdim=True)
    return torch.empty_like(p).scatter_(1, i, s)


@right(NAME, "ranks by two argsorts, log space")
def ranks_by_two_argsorts_log_space(logits, temperature=1.0, top_k=None):
    # log space all the way, exp at the end
    z = torch.div(logits, temperature)
    if top_k is not None:
        rank = z.argsort(dim=1, descending=True).argsort(dim=1)
        z = z.masked_fill(rank >= top_k, -math.inf)
    return torch.exp(z - torch.logsumexp(z, dim=1, keepdim=True))


@right(NAME, "softmax of the k best, scattered")
def softmax_of_the_k_best_scattered(logits, temperature=1.0, top_k=None):
    k = min(top_k or logits.size(1), logits.size(1))
    values, where = logits.topk(k)
    return torch.zeros_like(logits).scatter(1, where, F.softmax(values / temperature, dim=1))


def stable_softmax(row):
    m = row.max()
    e = (row - m).exp()
    return e / e.sum()


@right(NAME, "row by row, a bias, a helper in another cell")
def row_by_row_a_bias_a_helper_in_another_cell(logits, temperature=1.0, top_k=None):
    result = []
    for row in logits:
        row = row / temperature
        if top_k is not None and top_k < row.numel():
            keep = torch.topk(row, top_k).indices
            bias = torch.full_like(row, float("-inf"))
            bias[keep] = 0.0
            row = row + bias
        result.append(stable_softmax(row))
    return torch.stack(result)


@right(NAME, "the worst taken out of a copy")
def the_worst_taken_out_of_a_copy(logits, temperature=1.0, top_k=None):
    work = logits.clone()
    work /= temperature
    if top_k is not None:
        drop = work.shape[1] - top_k
        if drop > 0:
            _, worst = torch.topk(work, drop, dim=1, largest=False)
            work.scatter_(1, worst, float("-inf"))
    return nn.Softmax(dim=1)(work)


@right(NAME, "calls itself, one-hot")
def calls_itself_one_hot(logits, temperature=1.0, top_k=None):
    if top_k is not None and top_k >= logits.shape[-1]:
        return calls_itself_one_hot(logits, temperature)
    z = logits * (1 / temperature)
    if top_k is None:
        return torch.softmax(z, -1)
    hits = F.one_hot(z.topk(top_k, -1).indices, z.shape[-1]).sum(1).bool()
    return torch.where(hits, z, torch.full_like(z, float("-inf"))).softmax(-1)


@right(NAME, "Python lists")
def python_lists(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[1]
    table = logits.tolist()
    rows = []
    for line in table:
        order = sorted(range(vocab), key=lambda j: line[j], reverse=True)
        if top_k is not None:
            order = order[:top_k]
        biggest = line[order[0]]
        weights = [0.0] * vocab
        for j in order:
            weights[j] = math.exp((line[j] - biggest) / temperature)
        s = sum(weights)
        rows.append([w / s for w in weights])
    return torch.tensor(rows, dtype=logits.dtype, device=logits.device)


@right(NAME, "weights kept, F.normalize")
def weights_kept_fnormalize(logits, temperature=1.0, top_k=None):
    p = F.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        top = torch.topk(p, min(top_k, p.shape[-1]), dim=-1)
        p = torch.zeros_like(p).scatter_(-1, top.indices, top.values)
        p = F.normalize(p, p=1, dim=-1)
    return p


right(NAME, "a lambda")(
    lambda logits, temperature=1.0, top_k=None: (
        torch.softmax(logits / temperature, -1)
        if top_k is None or top_k >= logits.shape[-1]
        else torch.zeros_like(logits).scatter(
            -1, logits.topk(top_k).indices, torch.softmax(logits.topk(top_k).values / temperature, -1)
        )
    )
)


@right(NAME, "argmax k times")
def argmax_k_times(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    mask = torch.ones_like(z, dtype=torch.bool)
    if top_k is not None:
        mask[:] = False
        left = z.clone()
        for _ in range(min(top_k, z.shape[1])):
            j = left.argmax(dim=1, keepdim=True)
            mask.scatter_(1, j, True)
            left.scatter_(1, j, float("-inf"))
    return z.masked_fill(~mask, float("-inf")).softmax(dim=1)


@right(NAME, "a power of the weights, which sum to 1 anew")
def powers_of_weights(logits, temperature=1.0, top_k=None):
    p = torch.softmax(logits, -1) ** (1 / temperature)
    if top_k:
        p = p * (p >= p.topk(min(top_k, p.shape[-1])).values[:, -1:])
    return p / p.sum(-1, keepdim=True)


@right(NAME, "kthvalue, torch.distributions")
def from_a_distribution(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if top_k is not None and top_k < vocab:
        kth = torch.kthvalue(logits, vocab - top_k + 1, dim=-1, keepdim=True).values
        logits = logits.where(logits >= kth, -1e9)
    return torch.distributions.Categorical(logits=logits / temperature).probs


# Wrong answers, each with the id of its mistake


@wrong(NAME, "temperature-multiplied", "logits multiplied by the temperature instead of divided")
def logits_multiplied_by_the_temperature_instead(logits, temperature=1.0, top_k=None):
    scaled = logits * temperature
    if top_k is not None:
        k = min(top_k, scaled.shape[-1])
        vals, idx = scaled.topk(k, dim=-1)
        masked = torch.full_like(scaled, float("-inf"))
        scaled = masked.scatter(-1, idx, vals)
    return torch.softmax(scaled, dim=-1)


@wrong(NAME, "temperature-ignored", "temperature is accepted but never used")
def temperature_is_accepted_but_never_used(logits, temperature=1.0, top_k=None):
    if top_k is not None and top_k < logits.shape[1]:
        kth = torch.topk(logits, top_k, dim=1).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -float("inf"))
    return F.softmax(logits, dim=1)


@wrong(
    NAME,
    "temperature-after-softmax",
    "divides the probabilities by the temperature after softmax, rows no longer sum to 1",
)
def divides_the_probabilities_by_the_temperature(logits, temperature=1.0, top_k=None):
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        v, i = torch.topk(logits, k)
        logits = torch.full_like(logits, -math.inf).scatter(1, i, v)
    probs = F.softmax(logits, dim=-1)
    return probs / temperature


@wrong(NAME, "softmax-over-batch", "softmax over the batch (dim=0) instead of over the vocabulary")
def softmax_over_the_batch_dim0_instead_of_over(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None and top_k < logits.shape[-1]:
        v, i = torch.topk(logits, top_k, dim=-1)
        new = torch.full_like(logits, float("-inf"))
        new.scatter_(-1, i, v)
        logits = new
    return torch.softmax(logits, dim=0)


@wrong(
    NAME, "mask-multiplied", "the other logits are set to 0 before softmax, which still gives them a share"
)
def the_other_logits_are_set_to_0_before_softmax(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None:
        top_k = min(top_k, logits.shape[-1])
        values, indices = torch.topk(logits, top_k, dim=-1)
        kept = torch.zeros_like(logits)
        kept.scatter_(-1, indices, values)
        logits = kept
    return torch.softmax(logits, dim=-1)


@wrong(
    NAME,
    "mask-after-softmax",
    "probabilities outside the top k are zeroed but the rows are not brought back to sum 1",
)
def probabilities_outside_the_top_k_are_zeroed_b(logits, temperature=1.0, top_k=None):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        k = min(top_k, probs.shape[-1])
        values, indices = torch.topk(probs, k, dim=-1)
        probs = torch.zeros_like(probs).scatter(-1, indices, values)
    return probs


@wrong(
    NAME, "blocked-keys-removed", "returns only the k kept probabilities, shape (B, k) instead of (B, vocab)"
)
def returns_only_the_k_kept_probabilities_shape(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None:
        logits, _ = torch.topk(logits, min(top_k, logits.shape[-1]), dim=-1)
    return F.softmax(logits, dim=-1)


@wrong(
    NAME,
    "only-the-largest-kept",
    "takes the largest of the top k as the threshold, so only one token is kept",
)
def takes_the_largest_of_the_top_k_as_the_thresh(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.masked_fill(logits < v[:, [0]], -float("Inf"))
    return F.softmax(logits, dim=-1)


@wrong(NAME, "topk-over-batch", "top k taken down the columns (dim=0), not in each row")
def top_k_taken_down_the_columns_dim0_not_in_eac(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[1]:
        v, i = torch.topk(z, min(top_k, z.shape[0]), dim=0)
        z = torch.full_like(z, -1e30).scatter(0, i, v)
    return torch.softmax(z, dim=1)


@wrong(NAME, "one-threshold-for-all", "the k largest of the whole batch are kept, not of each row")
def the_k_largest_of_the_whole_batch_are_kept_no(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        kth = torch.topk(z.flatten(), top_k).values[-1]
        z = torch.where(z >= kth, z, torch.tensor(float("-inf")))
    return torch.softmax(z, dim=-1)


@wrong(NAME, "smallest-for-largest", "keeps the k smallest logits")
def keeps_the_k_smallest_logits(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        order = torch.argsort(z, dim=-1)
        keep = order[:, :top_k]
        mask = torch.full_like(z, float("-inf"))
        mask.scatter_(1, keep, 0.0)
        z = z + mask
    return torch.softmax(z, dim=-1)


@wrong(NAME, "topk-too-large", "top_k larger than the vocabulary stops with an error in topk")
def topk_larger_than_the_vocabulary_stops_with_a(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None:
        values, indices = torch.topk(logits, top_k, dim=-1)
        logits = torch.full_like(logits, float("-inf")).scatter(-1, indices, values)
    return torch.softmax(logits, dim=-1)


@wrong(NAME, "none-compared", "None compared with a number when top_k is not given: TypeError")
def none_compared_with_a_number_when_topk_is_not(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k < logits.shape[-1]:
        values, indices = torch.topk(logits, top_k, dim=-1)
        logits = torch.full_like(logits, float("-inf")).scatter(-1, indices, values)
    return torch.softmax(logits, dim=-1)


@wrong(NAME, "input-changed", "writes -inf into the caller's logits")
def writes_inf_into_the_callers_logits(logits, temperature=1.0, top_k=None):
    if top_k is not None and top_k < logits.shape[-1]:
        kth = torch.topk(logits, top_k, dim=-1).values[:, -1:]
        logits[logits < kth] = float("-inf")
    return torch.softmax(logits / temperature, dim=-1)


@wrong(NAME, "input-changed", "/= changes the logits of the caller")
def changes_the_logits_of_the_caller(logits, temperature=1.0, top_k=None):
    logits /= temperature
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        v, i = logits.topk(k, dim=-1)
        logits = torch.full_like(logits, float("-inf")).scatter(-1, i, v)
    return torch.softmax(logits, dim=-1)


@wrong(NAME, "log-softmax", "returns log probabilities")
def returns_log_probabilities(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        v, i = z.topk(min(top_k, z.shape[-1]), dim=-1)
        z = torch.full_like(z, float("-inf")).scatter(-1, i, v)
    return F.log_softmax(z, dim=-1)


@wrong(NAME, "hard-lookup", "the whole probability is given to the largest logit (greedy choice)")
def the_whole_probability_is_given_to_the_larges(logits, temperature=1.0, top_k=None):
    best = (logits / temperature).argmax(dim=-1)
    return F.one_hot(best, logits.shape[-1]).float()


@wrong(NAME, "returns-token", "samples a token instead of returning the probabilities")
def samples_a_token_instead_of_returning_the_pro(logits, temperature=1.0, top_k=None):
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.masked_fill(logits < v[:, [-1]], -float("Inf"))
    probs = F.softmax(logits, dim=-1)
    idx_next = torch.multinomial(probs, num_samples=1)
    return idx_next


@wrong(NAME, "one-threshold-for-all", "the threshold of the first row is used for all rows")
def the_threshold_of_the_first_row_is_used_for_a(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        limit = torch.sort(z[0], descending=True).values[top_k - 1]
        z = z.masked_fill(z < limit, -1e9)
    return torch.softmax(z, dim=-1)


@wrong(NAME, "keepdims-forgotten", "v[:, -1] loses its axis, so the threshold does not line up with the rows")
def v_1_loses_its_axis_so_the_threshold_does_not(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(z, min(top_k, z.shape[-1]), dim=-1)
        z = torch.where(z < v[:, -1], torch.full_like(z, float("-inf")), z)
    return F.softmax(z, dim=-1)


@wrong(NAME, "off-by-one", "keeps one token too many (index top_k instead of top_k - 1)")
def keeps_one_token_too_many_index_topk_instead(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        ordered, _ = z.sort(dim=-1, descending=True)
        limit = ordered[:, top_k].unsqueeze(1)
        z = z.masked_fill(z < limit, float("-inf"))
    return z.softmax(dim=-1)


@wrong(NAME, "off-by-one", "<= also removes the k-th largest itself, with top_k=1 nothing is left (nan)")
def also_removes_the_k_th_largest_itself_with_to(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        limit = z.topk(top_k, dim=-1)[0][:, -1:]
        z = z.masked_fill(z <= limit, float("-inf"))
    return z.softmax(dim=-1)


@wrong(
    NAME,
    "no-max-subtraction",
    "plain exp without subtracting the maximum overflows to nan for a low temperature",
)
def plain_exp_without_subtracting_the_maximum_ov(logits, temperature=1.0, top_k=None):
    e = torch.exp(logits / temperature)
    if top_k is not None and top_k < e.shape[-1]:
        idx = logits.topk(top_k, dim=-1).indices
        keep = torch.zeros_like(e).scatter(1, idx, 1.0)
        e = e * keep
    return e / e.sum(dim=-1, keepdim=True)


@wrong(NAME, "returns-none", "return only inside the if, gives None without top_k")
def return_only_inside_the_if_gives_none_without(logits, temperature=1.0, top_k=None):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        k = min(top_k, probs.shape[-1])
        v, i = torch.topk(probs, k, dim=-1)
        probs = torch.zeros_like(probs).scatter(-1, i, v)
        probs = probs / probs.sum(dim=-1, keepdim=True)
        return probs


@wrong(NAME, "softmax-over-everything", "divides by the sum of the whole table, all rows together sum to 1")
def divides_by_the_sum_of_the_whole_table_all_ro(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    z = z - z.max()
    e = torch.exp(z)
    if top_k is not None:
        v, i = e.topk(min(top_k, e.shape[-1]), dim=-1)
        e = torch.zeros_like(e).scatter(-1, i, v)
    return e / e.sum()


@wrong(NAME, "no-exponential", "no exp at all: logits divided by their sum")
def no_exp_at_all_logits_divided_by_their_sum(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        v, i = z.topk(min(top_k, z.shape[-1]), dim=-1)
        z = torch.zeros_like(z).scatter(-1, i, v)
    return z / z.sum(dim=-1, keepdim=True)


@wrong(NAME, "sigmoid", "sigmoid for each logit instead of softmax over the row")
def sigmoid_for_each_logit_instead_of_softmax_ov(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        v, i = z.topk(min(top_k, z.shape[-1]), dim=-1)
        z = torch.full_like(z, float("-inf")).scatter(-1, i, v)
    return torch.sigmoid(z)


@wrong(NAME, "sorted-tokens", "probabilities come back in sorted order, not in the order of the vocabulary")
def probabilities_come_back_in_sorted_order_not(logits, temperature=1.0, top_k=None):
    z, order = torch.sort(logits / temperature, dim=-1, descending=True)
    if top_k is not None:
        z = z.clone()
        z[:, top_k:] = float("-inf")
    return torch.softmax(z, dim=-1)


@wrong(
    NAME, "sorted-tokens", "the top k probabilities are put in the first k places instead of at their tokens"
)
def the_top_k_probabilities_are_put_in_the_first(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is None:
        return torch.softmax(z, dim=-1)
    k = min(top_k, z.shape[-1])
    values, indices = torch.topk(z, k, dim=-1)
    probs = torch.zeros_like(z)
    probs[:, :k] = torch.softmax(values, dim=-1)
    return probs


@wrong(NAME, "top-k-ignored", "top_k read as a probability mass (top-p)")
def topk_read_as_a_probability_mass_top_p(logits, temperature=1.0, top_k=None):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        s, i = probs.sort(dim=-1, descending=True)
        before = s.cumsum(dim=-1) - s
        s = s * (before < top_k)
        probs = torch.zeros_like(probs).scatter(-1, i, s)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs


@wrong(NAME, "softmax-again", "a second softmax is used to make the kept probabilities sum to 1")
def a_second_softmax_is_used_to_make_the_kept_pr(logits, temperature=1.0, top_k=None):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None and top_k < probs.shape[-1]:
        v, i = torch.topk(probs, top_k, dim=-1)
        probs = torch.full_like(probs, float("-inf")).scatter(-1, i, v)
        probs = torch.softmax(probs, dim=-1)
    return probs


@wrong(NAME, "mask-value-too-small", "masked logits are set to -1, not to minus infinity")
def masked_logits_are_set_to_1_not_to_minus_infi(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        v, i = z.topk(min(top_k, z.shape[-1]), dim=-1)
        z = torch.full_like(z, -1.0).scatter(-1, i, v)
    return torch.softmax(z, dim=-1)


@wrong(NAME, "softmax-missing", "with top_k >= vocab the logits are returned as they are")
def with_topk_vocab_the_logits_are_returned_as_t(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if top_k is None:
        return torch.softmax(logits / temperature, dim=-1)
    if top_k >= vocab:
        return logits
    values, indices = torch.topk(logits / temperature, top_k, dim=-1)
    out = torch.zeros_like(logits)
    return out.scatter(-1, indices, torch.softmax(values, dim=-1))


@wrong(NAME, "values-for-indices", "values and indices of topk mixed up")
def values_and_indices_of_topk_mixed_up(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        indices, values = torch.topk(z, min(top_k, z.shape[-1]), dim=-1)
        z = torch.full_like(z, float("-inf")).scatter(-1, indices, values)
    return torch.softmax(z, dim=-1)


@wrong(NAME, "temperature-as-axis", "temperature handed to softmax as its dim")
def temperature_handed_to_softmax_as_its_dim(logits, temperature=1.0, top_k=None):
    if top_k is not None:
        v, i = logits.topk(min(top_k, logits.shape[-1]), dim=-1)
        logits = torch.full_like(logits, float("-inf")).scatter(-1, i, v)
    return F.softmax(logits, temperature)


@wrong(NAME, "mask-inverted", "the mask is turned round: the top k are removed and the rest kept")
def the_mask_is_turned_round_the_top_k_are_remov(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        idx = z.topk(top_k, dim=-1).indices
        mask = torch.zeros_like(z, dtype=torch.bool).scatter(1, idx, True)
        z = z.masked_fill(mask, float("-inf"))
    return torch.softmax(z, dim=-1)


@wrong(NAME, "truncates-to-int", "whole division: // rounds the scaled logits down")
def whole_division_rounds_the_scaled_logits_down(logits, temperature=1.0, top_k=None):
    z = logits // temperature
    if top_k is not None:
        v, i = z.topk(min(top_k, z.shape[-1]), dim=-1)
        z = torch.full_like(z, float("-inf")).scatter(-1, i, v)
    return torch.softmax(z, dim=-1)


@wrong(
    NAME,
    "temperature-ignored",
    "the top_k branch forgets the temperature (it starts again from the raw logits)",
)
def the_topk_branch_forgets_the_temperature_it_s(logits, temperature=1.0, top_k=None):
    scaled = logits / temperature
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        v, i = torch.topk(logits, k, dim=-1)
        scaled = torch.full_like(logits, float("-inf"))
        scaled = scaled.scatter(-1, i, v)
    return torch.softmax(scaled, dim=-1)


@wrong(NAME, "shares-all-alike", "the kept tokens share evenly, their logits are lost")
def the_kept_tokens_share_evenly_their_logits_ar(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is None or top_k >= z.shape[-1]:
        return torch.softmax(z, dim=-1)
    idx = torch.topk(z, top_k, dim=-1).indices
    return torch.zeros_like(z).scatter(-1, idx, 1.0 / top_k)


@wrong(
    NAME,
    "first-batch-only",
    "only the first row of the batch comes back (squeezed loop with an early return)",
)
def only_the_first_row_of_the_batch_comes_back_s(logits, temperature=1.0, top_k=None):
    rows = []
    for row in logits:
        row = row / temperature
        if top_k is not None and top_k < len(row):
            v, i = row.topk(top_k)
            row = torch.full_like(row, float("-inf")).scatter(0, i, v)
        rows.append(torch.softmax(row, dim=0))
        return torch.stack(rows)


@wrong(NAME, "top-k-ignored", "top_k is never used, half-done answer")
def topk_is_never_used_half_done_answer(logits, temperature=1.0, top_k=None):
    # TODO top_k
    z = logits / temperature
    z = z - z.max(dim=-1, keepdim=True).values
    e = z.exp()
    return e / e.sum(dim=-1, keepdim=True)


@wrong(
    NAME,
    "operator-precedence",
    "brackets missing: z minus maximum divided by temperature, so only the maximum is scaled",
)
def brackets_missing_z_minus_maximum_divided_by(logits, temperature=1.0, top_k=None):
    e = torch.exp(logits - logits.max(dim=-1, keepdim=True).values / temperature)
    if top_k is not None:
        v, i = e.topk(min(top_k, e.shape[-1]), dim=-1)
        e = torch.zeros_like(e).scatter(-1, i, v)
    return e / e.sum(dim=-1, keepdim=True)


@wrong(NAME, "softmax-again", "a softmax of weights by temperature")
def softmax_of_weights(logits, temperature=1.0, top_k=None):
    z = torch.softmax(logits, -1) / temperature
    if top_k is not None:
        z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "mask-value-sign")
def plus_infinity(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "mask-value-too-small", "-10000")
def ten_thousand(logits, temperature=1.0, top_k=None):
    if top_k is not None:
        least = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < least, -1e4)
    return torch.softmax(logits / temperature, -1)


@wrong(NAME, "mask-multiplied", "times the mask")
def times_the_mask(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        z = z * (z >= z.topk(min(top_k, z.shape[-1])).values[:, -1:])
    return torch.softmax(z, -1)


@wrong(NAME, "keepdims-forgotten", "values[-1]")
def last_row_of_values(logits, temperature=1.0, top_k=None):
    if top_k is not None and top_k < logits.shape[-1]:
        logits = logits.masked_fill(logits < logits.topk(top_k).values[-1], -torch.inf)
    return torch.softmax(logits / temperature, -1)


@wrong(NAME, "first-columns-kept")
def first_columns(logits, temperature=1.0, top_k=None):
    z = (logits / temperature).clone()
    if top_k is not None:
        z[:, top_k:] = -torch.inf
    return torch.softmax(z, -1)


@wrong(NAME, "topk-too-large", "an index past the end")
def sorted_at_k(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        least = z.sort(dim=-1, descending=True).values[:, top_k - 1]
        z = z.masked_fill(z < least[:, None], -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "topk-too-large", "kthvalue")
def kth_of_too_few(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        least = z.kthvalue(z.shape[-1] - top_k + 1, dim=-1, keepdim=True).values
        z = z.masked_fill(z < least, -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "returns-token", "argmax")
def likeliest(logits, temperature=1.0, top_k=None):
    return (logits / temperature).argmax(-1)


@wrong(NAME, "returns-largest")
def largest_share(logits, temperature=1.0, top_k=None):
    return torch.softmax(logits / temperature, -1).max(-1).values


@wrong(NAME, "softmax-missing")
def filtered_logits(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], -torch.inf)
    return z


@wrong(NAME, "temperature-after-softmax", "divided after top_k too")
def weights_divided_last(logits, temperature=1.0, top_k=None):
    p = torch.softmax(logits, -1)
    if top_k is not None:
        p = p * (p >= p.topk(min(top_k, p.shape[-1])).values[:, -1:])
        p = p / p.sum(-1, keepdim=True)
    return p / temperature


@wrong(NAME, "temperature-after-softmax", "a power that is not normalised")
def powers_alone(logits, temperature=1.0, top_k=None):
    p = torch.softmax(logits, -1)
    if top_k is not None:
        p = p * (p >= p.topk(min(top_k, p.shape[-1])).values[:, -1:])
        p = p / p.sum(-1, keepdim=True)
    return p ** (1 / temperature)


@wrong(NAME, "one-threshold-for-all", "the least of the thresholds")
def least_of_all(logits, temperature=1.0, top_k=None):
    if top_k is not None:
        least = logits.topk(min(top_k, logits.shape[-1])).values.min()
        logits = logits.masked_fill(logits < least, -torch.inf)
    return torch.softmax(logits / temperature, -1)


@wrong(NAME, "temperature-multiplied+smallest-for-largest")
def both_wrong(logits, temperature=1.0, top_k=None):
    z = logits * temperature
    if top_k is not None:
        most = z.topk(min(top_k, z.shape[-1]), largest=False).values[:, -1:]
        z = z.masked_fill(z > most, -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "float32")
def narrowed(logits, temperature=1.0, top_k=None):
    z = logits.float() / temperature
    if top_k is not None:
        z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "returns-numpy")
def as_array(logits, temperature=1.0, top_k=None):
    z = logits.numpy() / temperature
    if top_k is not None:
        z = np.where(z < np.sort(z)[:, -min(top_k, z.shape[-1]), None], -np.inf, z)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(NAME, "temperature-clamped")
def at_least_a_tenth(logits, temperature=1.0, top_k=None):
    z = logits / max(temperature, 0.1)
    if top_k is not None:
        z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "state-between-calls", "a token is drawn and marked")
def drawn_and_marked(logits, temperature=1.0, top_k=None):
    p = torch.softmax(logits / temperature, -1)
    return torch.zeros_like(p).scatter(1, torch.multinomial(p, 1), 1.0) * torch.rand(1).item()


@wrong(NAME, "wrong-default", "top_k = 50")
def fifty_by_default(logits, temperature=1.0, top_k=50):
    z = logits / temperature
    if top_k is not None:
        z = z.masked_fill(z < z.topk(min(top_k, z.shape[-1])).values[:, -1:], -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "order-for-rank", "one argsort")
def one_argsort(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        z = z.masked_fill(z.argsort(dim=-1, descending=True) >= top_k, -torch.inf)
    return torch.softmax(z, -1)


@wrong(NAME, "mask-value-too-small", "clamped from below")
def clamped_from_below(logits, temperature=1.0, top_k=None):
    z = logits / temperature
    if top_k is not None:
        z = torch.maximum(z, z.topk(min(top_k, z.shape[-1])).values[:, -1:])
    return torch.softmax(z, -1)
