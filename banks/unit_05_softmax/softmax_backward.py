"""Right and wrong answers to `softmax_backward`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("softmax_backward", "weights * (grad - sum)")
def backward_formula(weights, grad):
    return weights * (grad - (weights * grad).sum(axis=-1, keepdims=True))


@right("softmax_backward", "the Jacobian, einsum")
def backward_jacobian(weights, grad):
    identity = np.eye(weights.shape[-1], dtype=weights.dtype)
    jacobian = weights[..., :, None] * identity - weights[..., :, None] * weights[..., None, :]
    return np.einsum("...ij,...j->...i", jacobian, grad)


@right("softmax_backward", "loops over every pair")
def backward_loops(weights, grad):
    result = np.zeros(weights.shape)
    n = weights.shape[-1]
    for row in np.ndindex(weights.shape[:-1]):
        p, g = weights[row], grad[row]
        for i in range(n):
            for j in range(n):
                result[(*row, i)] += g[j] * p[j] * ((i == j) - p[i])
    return result


@right("softmax_backward", "two terms, einsum")
def backward_two_terms(weights, grad):
    return weights * grad - weights * np.einsum("...i,...i->...", weights, grad)[..., np.newaxis]


@right("softmax_backward", "diag minus outer, row by row, recursion")
def backward_recursive(weights, grad):
    if weights.ndim == 1:
        return (np.diag(weights) - np.outer(weights, weights)) @ grad
    return np.stack([backward_recursive(w, g) for w, g in zip(weights, grad, strict=True)])


@right("softmax_backward", "torch.autograd on log(weights)")
def backward_autograd(weights, grad):
    logits = torch.log(torch.tensor(weights)).requires_grad_()
    torch.softmax(logits, dim=-1).backward(torch.tensor(grad))
    return logits.grad.nan_to_num(0.0).numpy()


@right("softmax_backward", "torch by hand, prints")
def backward_torch(weights, grad):
    p, g = torch.from_numpy(weights), torch.from_numpy(grad)
    mean = torch.sum(p * g, dim=-1, keepdim=True)
    print("expected gradient", mean.flatten()[:3])
    return torch.mul(p, g - mean).numpy()


@right("softmax_backward", "a product of a row and a column")
def backward_matmul(weights, grad):
    expected = (weights[..., None, :] @ grad[..., :, None])[..., 0]
    return np.multiply(weights, np.subtract(grad, expected))


@right("softmax_backward", "explicit Jacobian and einsum")
def softmax_backward_13(weights, grad):
    J = np.einsum("...i,ij->...ij", weights, np.eye(weights.shape[-1])) - np.einsum(
        "...i,...j->...ij", weights, weights
    )
    return np.einsum("...ij,...j->...i", J, grad)


@right("softmax_backward", "torch.autograd through log(weights) as the input")
def softmax_backward_14(weights, grad):
    x = torch.log(torch.tensor(np.array(weights))).nan_to_num(neginf=-1e30).requires_grad_()
    torch.softmax(x, -1).backward(torch.tensor(np.array(grad)))
    return x.grad.numpy()


@right("softmax_backward", "pairwise differences: w_i sum_j w_j (g_i - g_j)")
def softmax_backward_15(weights, grad):
    return weights * ((grad[..., :, None] - grad[..., None, :]) @ weights[..., None])[..., 0]


# Wrong answers, those with one mistake together


@wrong("softmax_backward", "diagonal-only", note="w (1 - w): the sigmoid's derivative")
def backward_diagonal(weights, grad):
    return grad * weights * (1 - weights)


@wrong("softmax_backward", "diagonal-only", note="the other term is forgotten")
def backward_no_correction(weights, grad):
    return weights * grad


@wrong(
    "softmax_backward",
    "diagonal-only",
    note="Uses the sigmoid-like derivative w(1-w): only the diagonal of the Jacobian.",
)
def b1(weights, grad):
    return grad * (weights - weights**2)


@wrong("softmax_backward", "diagonal-only", note="Builds the Jacobian diag(w) and forgets the outer product.")
def b2(weights, grad):
    J = np.einsum("...i,ij->...ij", weights, np.eye(weights.shape[-1]))
    return np.einsum("...ij,...j->...i", J, grad)


@wrong("softmax_backward", "returns-input", note="the gradient passes unchanged")
def backward_identity(weights, grad):
    return grad.copy()


@wrong("softmax_backward", "sum-not-weighted", note="plain mean of the gradient")
def backward_mean(weights, grad):
    return weights * (grad - grad.mean(axis=-1, keepdims=True))


@wrong("softmax_backward", "sum-not-weighted")
def backward_plain_sum(weights, grad):
    return weights * (grad - grad.sum(axis=-1, keepdims=True))


@wrong(
    "softmax_backward",
    "sum-not-weighted",
    note="Subtracts the sum of the upstream gradient without the weights.",
)
def b5(weights, grad):
    return weights * (grad - grad.sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "mean-instead-of-sum", note="mean of the weighted gradient")
def backward_weighted_mean(weights, grad):
    return weights * (grad - (weights * grad).mean(axis=-1, keepdims=True))


@wrong(
    "softmax_backward", "mean-instead-of-sum", note="Takes the mean of w*g over the row instead of the sum."
)
def b6(weights, grad):
    return weights * (grad - np.mean(weights * grad, axis=-1, keepdims=True))


@wrong(
    "softmax_backward",
    "mean-instead-of-sum",
    note="divides the result by the number of rows ('mean over the batch')",
)
def softmax_backward_20(weights, grad):
    g = weights * (grad - (weights * grad).sum(-1, keepdims=True))
    return g / max(1, weights[..., 0].size)


@wrong("softmax_backward", "weights-factor-forgotten")
def backward_no_weights(weights, grad):
    return grad - (weights * grad).sum(axis=-1, keepdims=True)


@wrong(
    "softmax_backward",
    "weights-factor-forgotten",
    note="Stops after centring the gradient, does not multiply by the weights.",
)
def b9(weights, grad):
    centre = (weights * grad).sum(-1)[..., None]
    return grad - centre


@wrong("softmax_backward", "sign-flipped")
def backward_sign(weights, grad):
    return weights * ((weights * grad).sum(axis=-1, keepdims=True) - grad)


@wrong("softmax_backward", "sign-flipped", note="outer - diag instead of diag - outer: the negated gradient.")
def b3(weights, grad):
    n = weights.shape[-1]
    J = weights[..., :, None] * weights[..., None, :] - weights[..., None] * np.eye(n)
    return (J @ grad[..., None])[..., 0]


@wrong("softmax_backward", "jacobian-sign", note="of the second term")
def backward_plus(weights, grad):
    return weights * (grad + (weights * grad).sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "jacobian-sign", note="outer product added")
def backward_jacobian_plus(weights, grad):
    outer = weights[..., :, None] * weights[..., None, :]
    jacobian = weights[..., None] * np.eye(weights.shape[-1]) + outer
    return (jacobian @ grad[..., None])[..., 0]


@wrong("softmax_backward", "keepdims-forgotten", note="right for one row")
def backward_no_keepdims(weights, grad):
    return weights * (grad - (weights * grad).sum(axis=-1))


@wrong("softmax_backward", "softmax-over-queries", note="sum over axis 0")
def backward_axis_zero(weights, grad):
    return weights * (grad - (weights * grad).sum(axis=0, keepdims=True))


@wrong(
    "softmax_backward",
    "softmax-over-queries",
    note="The inner product is taken over axis 0 (down the columns) instead of along each row.",
)
def b12(weights, grad):
    inner = np.sum(weights * grad, axis=0, keepdims=True)
    return weights * (grad - inner)


@wrong("softmax_backward", "softmax-over-everything", note="right for one row")
def backward_total_sum(weights, grad):
    return weights * (grad - (weights * grad).sum())


@wrong(
    "softmax_backward",
    "softmax-over-everything",
    note="The inner sum runs over the whole array, not each row.",
)
def b4(weights, grad):
    return weights * (grad - np.sum(grad * weights))


@wrong("softmax_backward", "softmax-again", note="takes the weights for the input")
def backward_softmax_again(weights, grad):
    w = torch.tensor(weights, requires_grad=True)
    torch.softmax(w, dim=-1).backward(torch.tensor(grad))
    return w.grad.numpy()


@wrong(
    "softmax_backward",
    "softmax-again",
    note="Treats the weights as logits and lets autograd differentiate softmax(weights).",
)
def b7(weights, grad):
    w = torch.tensor(weights, requires_grad=True)
    torch.softmax(w, -1).backward(torch.as_tensor(grad))
    return w.grad.numpy()


def _sm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax_backward",
    "softmax-again",
    note="thinks the argument is the input and takes the softmax of the weights again",
)
def softmax_backward_19(weights, grad):
    w = _sm(weights)
    return w * (grad - (w * grad).sum(-1, keepdims=True))


@wrong("softmax_backward", "fixed-number-of-axes", note="one row only")
def backward_jacobian_one(weights, grad):
    return (np.diag(weights) - np.outer(weights, weights)) @ grad


@wrong("softmax_backward", "fixed-number-of-axes", note="a matrix only")
def backward_rows(weights, grad):
    out = np.zeros_like(grad)
    for i in range(len(weights)):
        out[i] = weights[i] * (grad[i] - weights[i] @ grad[i])
    return out


@wrong(
    "softmax_backward",
    "fixed-number-of-axes",
    note="np.diag and np.outer formula: only right for a single row.",
)
def b8(weights, grad):
    J = np.diag(weights) - np.outer(weights, weights)
    return J @ grad


@wrong("softmax_backward", "input-changed")
def backward_in_place(weights, grad):
    grad -= (weights * grad).sum(axis=-1, keepdims=True)
    return weights * grad


@wrong("softmax_backward", "divides-by-weights", note="NaN for a weight of 0")
def backward_divides(weights, grad):
    g = weights * grad
    return weights * (g / weights - g.sum(axis=-1, keepdims=True))


@wrong(
    "softmax_backward",
    "divides-by-weights",
    note="Mixes it up with the log derivative: divides by w where it should multiply.",
)
def b13(weights, grad):
    return (grad - (weights * grad).sum(-1, keepdims=True)) / (weights + 1e-12)


@wrong("softmax_backward", "float32")
def backward_float32(weights, grad):
    w, g = weights.astype(np.float32), grad.astype(np.float32)
    return w * (g - (w * g).sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "weights-squared")
def backward_squared(weights, grad):
    return weights**2 * (grad - (weights * grad).sum(axis=-1, keepdims=True))


@wrong(
    "softmax_backward",
    "sign-flipped+keepdims-forgotten",
    note="Swaps the two terms, and the row sum loses its axis.",
)
def b10(weights, grad):
    return weights * ((weights * grad).sum(-1) - grad)


@wrong(
    "softmax_backward",
    "weights-squared+sum-not-weighted",
    note="w*g - w^2 * sum(g): squares the weights and sums the bare gradient.",
)
def b11(weights, grad):
    return weights * grad - weights**2 * grad.sum(-1, keepdims=True)


@wrong("softmax_backward", "log-softmax", note="writes the backward of log_softmax: grad - w * sum(grad)")
def softmax_backward_18(weights, grad):
    return grad - weights * grad.sum(-1, keepdims=True)


@wrong(
    "softmax_backward",
    "operator-precedence",
    note="loses the second term's weights: w * grad - sum(w * grad)",
)
def softmax_backward_21(weights, grad):
    wg = weights * grad
    return wg - wg.sum(-1, keepdims=True)


@wrong(
    "softmax_backward",
    "arguments-ignored",
    note="returns the Jacobian itself and ignores the upstream gradient",
)
def softmax_backward_22(weights, grad):
    n = weights.shape[-1]
    return weights[..., :, None] * (np.eye(n) - weights[..., None, :])


@wrong(
    "softmax_backward",
    "jacobian-sign+softmax-over-everything",
    note="TWO: plus sign in the Jacobian and the dot product summed over the whole array",
)
def softmax_backward_23(weights, grad):
    return weights * (grad + (weights * grad).sum())


@wrong(
    "softmax_backward",
    "total-not-reset",
    note="The factor w_j in front is missing; and the running average is not started anew for each entry, for average = 0 stands outside the loop over j: it grows from entry to entry. (Only for one row at a time; more rows go through recursion.)",
)
def softmax_backward_total_not_reset(weights, grad):
    if weights.ndim > 1:
        return np.array([softmax_backward_total_not_reset(w, g) for w, g in zip(weights, grad)])
    slopes = np.zeros(len(weights))
    average = 0
    for j in range(len(weights)):
        for i in range(len(weights)):
            average += weights[i] * grad[i]
        slopes[j] = grad[j] - average
    return slopes


@wrong("softmax_backward", "arguments-ignored")
def softmax_backward_arguments_ignored(weights, grad):
    scores = np.array([0.0, 1.0, 2.0])
    w, g = reference.softmax(scores), np.array([1.0, 0.0, -2.0])
    return w * (g - (w * g).sum())


@wrong("softmax_backward", "arguments-ignored")
def softmax_backward_arguments_ignored_2(weights, grad):
    return (weights - grad) / len(weights)


@wrong("softmax_backward", "arguments-ignored")
def softmax_backward_arguments_ignored_3(weights, grad):
    J = np.diag(weights) - np.outer(weights, weights)
    return J.sum(axis=1)


@wrong("softmax_backward", "diagonal-only")
def softmax_backward_diagonal_only(weights, grad):
    return weights * (1 - grad)


@wrong("softmax_backward", "fixed-number-of-axes")
def softmax_backward_fixed_number_of_axes(weights, grad):
    J = np.diag(weights) - np.outer(weights, weights)
    return J @ grad


@wrong("softmax_backward", "last-left-out", note="the last product is missing in the average")
def backward_without_the_last(weights, grad):
    average = 0
    for i in range(weights.shape[-1] - 1):
        average = average + weights[..., i] * grad[..., i]
    return weights * (grad - average[..., None])


@wrong("softmax_backward", "clamped", note="weights between 0.01 and 0.99")
def backward_clipped(weights, grad):
    w = np.clip(weights, 0.01, 0.99)
    return w * (grad - (w * grad).sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "jacobian-sign+sum-not-weighted")
def backward_plus_the_plain_sum(weights, grad):
    return weights * (grad + grad.sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "fixed-number-of-axes", note="Jacobians of a batch, and grad taken for a matrix")
def backward_jacobians_times_matrix(weights, grad):
    diagonal = weights[..., :, None] * np.eye(weights.shape[-1])
    return (diagonal - weights[..., :, None] * weights[..., None, :]) @ grad


@wrong("softmax_backward", "weights-factor-forgotten", "autograd goes on through the logarithm")
def autograd_through_the_logarithm(weights, grad):
    w = torch.tensor(weights, requires_grad=True)
    logits = torch.log(w)
    torch.softmax(logits, dim=-1).backward(torch.tensor(grad))
    return w.grad.numpy()
