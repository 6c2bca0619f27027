"""Right and wrong answers to `QKVProjection`, as learners write them."""

from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong

# Right answers, each in its own style


@right("QKVProjection", "three linears")
class QKVPlain(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@right("QKVProjection", "F.linear on the weights, old style super, prints")
class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super(QKVProjection, self).__init__()
        for name, width in [("W_q", d_k), ("W_k", d_k), ("W_v", d_v)]:
            setattr(self, name, nn.Linear(d_model, width, bias=False))

    def forward(self, x):
        print("x", tuple(x.shape))
        return tuple(F.linear(x, getattr(self, name).weight) for name in ("W_q", "W_k", "W_v"))


@right("QKVProjection", "x @ weight.T")
class QKVWeightT(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model, self.d_k, self.d_v = d_model, d_k, d_v
        self.W_v = nn.Linear(d_model, d_v, False)
        self.W_k = nn.Linear(d_model, d_k, False)
        self.W_q = nn.Linear(d_model, d_k, False)

    def forward(self, x):
        Q = x @ self.W_q.weight.T
        K = x @ self.W_k.weight.T
        V = x @ self.W_v.weight.T
        return Q, K, V


@right("QKVProjection", "one fused product of concatenated weights, views")
class QKVOneFusedProductConcatenated(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.sizes = [d_k, d_k, d_v]
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, size, bias=False) for size in self.sizes)

    def forward(self, x):
        weight = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        return torch.split(x @ weight.t(), self.sizes, dim=-1)


@right("QKVProjection", "einsum, xavier initialisation, a namedtuple")
class QKVEinsum(nn.Module):
    Projected = namedtuple("Projected", "Q K V")

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.add_module("W_q", nn.Linear(d_model, d_k, bias=False))
        self.add_module("W_k", nn.Linear(d_model, d_k, bias=False))
        self.add_module("W_v", nn.Linear(d_model, d_v, bias=False))
        for parameter in self.parameters():
            nn.init.xavier_uniform_(parameter)

    def _project(self, x, layer):
        return torch.einsum("bnd,ed->bne", x, layer.weight)

    def forward(self, x):
        return self.Projected(
            self._project(x, self.W_q), self._project(x, self.W_k), self._project(x, self.W_v)
        )


@right("QKVProjection", "token by token, stacked")
class QKVTokens(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        nn.Module.__init__(self)
        self.W_q = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_k = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_v = nn.Linear(in_features=d_model, out_features=d_v, bias=False)

    def forward(self, x):
        tokens = x.unbind(dim=1)
        Q = torch.stack([self.W_q(token) for token in tokens], dim=1)
        K = torch.stack([self.W_k(token) for token in tokens], dim=1)
        V = torch.stack([self.W_v(token) for token in tokens], dim=1)
        return Q, K, V


class _BiasFree(nn.Linear):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, bias=False)


@right("QKVProjection", "a subclass of nn.Linear, extra method")
class QKVSubclass(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = _BiasFree(d_model, d_k)
        self.W_k = _BiasFree(d_model, d_k)
        self.W_v = _BiasFree(d_model, d_v)

    def extra_repr(self):
        return f"{self.W_q.in_features} -> {self.W_q.out_features}, {self.W_v.out_features}"

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@right("QKVProjection", "setattr in loop, F.linear")
class QKVProjection_24(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for n, d in zip("qkv", (d_k, d_k, d_v)):
            setattr(self, "W_" + n, nn.Linear(d_model, d, bias=False))

    def forward(self, x):
        return tuple(F.linear(x, getattr(self, "W_" + n).weight) for n in "qkv")


@right("QKVProjection", "fused matmul of concatenated weights and split")
class QKVProjection_25(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.dims = [d_k, d_k, d_v]
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d, bias=False) for d in self.dims)

    def forward(self, x):
        Wc = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        return torch.split(x @ Wc.mT, self.dims, dim=-1)


# Wrong answers, those with one mistake together


@wrong("QKVProjection", "bias-left-on")
class QKVWithBias(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k)
        self.W_k = nn.Linear(d_model, d_k)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "bias-left-on", note="V only")
class QKVValueBias(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "bias-left-on", note="One of the three layers keeps its default bias.")
class QKVBias(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "bias-left-on", note="Leaves the bias on in W_v only")
class QKVProjection_52(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "wrong-order", note="K, Q, V")
class QKVWrongOrder(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_k(x), self.W_q(x), self.W_v(x)


@wrong("QKVProjection", "wrong-order", note="Q, V, K")
class QKVValueSecond(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_v(x), self.W_k(x)


@wrong("QKVProjection", "value-not-projected")
class QKVValueIsX(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), x


@wrong("QKVProjection", "key-weight-reused")
class QKVKeyForValue(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_k(x)


@wrong("QKVProjection", "query-weight-reused", note="right when W_q == W_k")
class QKVQueryForKey(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_q(x), self.W_v(x)


@wrong("QKVProjection", "query-weight-reused", note="W_k is W_q: the same object")
class QKVShared(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = self.W_q
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "query-weight-reused",
    note="W_k is the same layer object as W_q (chained assignment), so queries and keys share weights.",
)
class QKVQueryWeightReused(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "query-weight-reused",
    note="All three attributes are the same nn.Linear object (shared weights) when d_k == d_v; else W_q is W_k",
)
class QKVProjection_50(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = self.W_q
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "square-only", note="d_k for V: right when d_v == d_k")
class QKVValueWidth(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "square-only", note="W_v is built with d_k outputs, so d_v is never used.")
class QKVWidth(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name in ("W_q", "W_k", "W_v"):
            setattr(self, name, nn.Linear(d_model, d_k, bias=False))

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "weight-transposed", note="nn.Linear(out, in)")
class QKVArgumentsSwapped(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_k, d_model, bias=False)
        self.W_k = nn.Linear(d_k, d_model, bias=False)
        self.W_v = nn.Linear(d_v, d_model, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "weight-transposed", note="x @ weight")
class QKVWeightNotTransposed(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return x @ self.W_q.weight, x @ self.W_k.weight, x @ self.W_v.weight


@wrong(
    "QKVProjection",
    "weight-transposed",
    note="Multiplies x @ W.weight without .T, with the Linear built as (d_k, d_model) so shapes work",
)
class QKVProjection_54(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_k, d_model, bias=False)
        self.W_k = nn.Linear(d_k, d_model, bias=False)
        self.W_v = nn.Linear(d_v, d_model, bias=False)

    def forward(self, x):
        return x @ self.W_q.weight, x @ self.W_k.weight, x @ self.W_v.weight


@wrong("QKVProjection", "chained-projections")
class QKVChained(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        Q = self.W_q(x)
        K = self.W_k(Q)
        return Q, K, self.W_v(K)


@wrong("QKVProjection", "scaled-too-early")
class QKVScaled(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x) / self.W_q.out_features**0.5, self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "extra-nonlinearity")
class QKVRelu(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return tuple(torch.relu(W(x)) for W in (self.W_q, self.W_k, self.W_v))


@wrong("QKVProjection", "wrong-attribute-names")
class QKVOtherNames(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.query = nn.Linear(d_model, d_k, bias=False)
        self.key = nn.Linear(d_model, d_k, bias=False)
        self.value = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.query(x), self.key(x), self.value(x)


@wrong(
    "QKVProjection",
    "wrong-attribute-names",
    note="One fused layer named qkv: the outputs look right but W_q, W_k, W_v do not exist.",
)
class QKVFused(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.split = (d_k, d_k, d_v)
        self.qkv = nn.Linear(d_model, 2 * d_k + d_v, bias=False)

    def forward(self, x):
        return self.qkv(x).split(self.split, dim=-1)


@wrong("QKVProjection", "parameter-instead-of-linear")
class QKVParameters(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(d_model, d_k))
        self.W_k = nn.Parameter(torch.randn(d_model, d_k))
        self.W_v = nn.Parameter(torch.randn(d_model, d_v))

    def forward(self, x):
        return x @ self.W_q, x @ self.W_k, x @ self.W_v


@wrong("QKVProjection", "no-super-init")
class QKVNoSuper(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection", "no-super-init", note="super().__init__() is never called, so torch refuses the layers."
)
class QKVNoSuperInit(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "gradient-cut", note="no gradient for W_k")
class QKVDetached(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x).detach(), self.W_v(x)


@wrong("QKVProjection", "gradient-cut", note="weight.data")
class QKVData(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), x @ self.W_v.weight.data.T


@wrong("QKVProjection", "gradient-cut")
class QKVNoGrad(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    @torch.no_grad()
    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "gradient-cut",
    note="The forward pass runs under no_grad, so the weights can never learn.",
)
class QKVGradientCut(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    @torch.no_grad()
    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "gradient-cut",
    note="V is projected from K's linear: chains W_v on x but returns torch.relu of it? -> forward detaches the values (torch.no_grad) so W_v gets no gradient",
)
class QKVProjection_51(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        with torch.no_grad():
            V = self.W_v(x)
        return self.W_q(x), self.W_k(x), V


@wrong("QKVProjection", "gradient-doubled")
class QKVDoubleGradient(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), 2 * self.W_v(x) - self.W_v(x).detach()


@wrong("QKVProjection", "returns-dict")
class QKVDict(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return {"Q": self.W_q(x), "K": self.W_k(x), "V": self.W_v(x)}


@wrong("QKVProjection", "returns-stacked", note="one tensor")
class QKVConcatenated(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return torch.cat([self.W_q(x), self.W_k(x), self.W_v(x)], dim=-1)


@wrong("QKVProjection", "keys-transposed")
class QKVKeysTransposed(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x).transpose(1, 2), self.W_v(x)


@wrong("QKVProjection", "shape-flattened", note="the batch axis is lost")
class QKVFlattened(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        x = x.flatten(0, 1)
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "float32")
class QKVFloat32(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return tuple(W(x).float() for W in (self.W_q, self.W_k, self.W_v))


@wrong("QKVProjection", "dropout-left-on")
class QKVDropout(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        x = F.dropout(x, p=0.1)
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "input-changed")
class QKVInPlace(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        x -= x.mean()
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "state-between-calls", note="W_v is made anew in every forward")
class QKVFreshLinear(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        self.W_v = nn.Linear(x.shape[-1], self.W_v.out_features, bias=False, dtype=x.dtype)
        return self.W_q(x), self.W_k(x), self.W_v(x)


class Projections(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)
        self.kept = None


@wrong("QKVProjection", "state-between-calls", note="keys and values of the first x for every x of its shape")
class KeptInput(Projections):
    def forward(self, x):
        if self.kept is None or self.kept.shape != x.shape or self.kept.dtype != x.dtype:
            self.kept = x
        return self.W_q(x), self.W_k(self.kept), self.W_v(self.kept)


@wrong("QKVProjection", "state-between-calls", note="keys and values of the first call for ever")
class KeptResults(Projections):
    def forward(self, x):
        if self.kept is None:
            self.kept = (self.W_k(x), self.W_v(x))
        return (self.W_q(x), *self.kept)


@wrong(
    "QKVProjection",
    "state-between-calls",
    note="Forward creates new random layers instead of using the attributes.",
)
class QKVFresh(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.sizes = (d_model, d_k, d_v)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        m, k, v = self.sizes
        layers = [nn.Linear(m, size, bias=False).to(x.dtype) for size in (k, k, v)]
        return tuple(layer(x) for layer in layers)


@wrong(
    "QKVProjection",
    "state-between-calls",
    note="Makes new nn.Linear layers inside forward, ignoring the ones from __init__",
)
class QKVProjection_53(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d = (d_model, d_k, d_v)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        m, k, v = self.d
        return (
            nn.Linear(m, k, bias=False).to(x)(x),
            nn.Linear(m, k, bias=False).to(x)(x),
            nn.Linear(m, v, bias=False).to(x)(x),
        )


@wrong("QKVProjection", "attributes-not-used", note="three more linears do the work")
class QKVDecoration(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)
        self.both = nn.Linear(d_model, 2 * d_k + d_v, bias=False)
        self.sizes = [d_k, d_k, d_v]

    def forward(self, x):
        return self.both(x).split(self.sizes, dim=-1)


@wrong(
    "QKVProjection",
    "bias-left-on+query-weight-reused",
    note="Leaves every bias on and computes the keys with W_q.",
)
class QKVTwo(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k)
        self.W_k = nn.Linear(d_model, d_k)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        q = self.W_q(x)
        k = self.W_q(x)
        v = self.W_v(x)
        return q, k, v


@wrong(
    "QKVProjection",
    "head-lists-not-registered",
    note="Keeps layers in a plain python list, and only exposes them as properties (not registered: no parameters())",
)
class QKVProjection_55(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.layers = [nn.Linear(d_model, d, bias=False) for d in (d_k, d_k, d_v)]

    W_q = property(lambda s: s.layers[0])
    W_k = property(lambda s: s.layers[1])
    W_v = property(lambda s: s.layers[2])

    def forward(self, x):
        return tuple(l(x) for l in self.layers)


@wrong(
    "QKVProjection",
    "scaled-too-early+square-only",
    note="Scales the queries by sqrt(d_k) AND uses d_k for W_v",
)
class QKVProjection_56(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.s = d_k**0.5
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return self.W_q(x) / self.s, self.W_k(x), self.W_v(x)
