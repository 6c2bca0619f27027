"""Right and wrong answers to `TransformerBlock`, as learners write them."""

from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("TransformerBlock", "as in the hints")
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = reference.MultiHeadAttention(d_model, num_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@right("TransformerBlock", "other order in __init__, many names, weights kept")
class ManyNames(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super(ManyNames, self).__init__()
        self.feed_forward = nn.Sequential(
            nn.Linear(in_features=d_model, out_features=d_ff),
            nn.GELU(approximate="none"),
            nn.Linear(d_ff, d_model),
        )
        self.norm_2, self.norm_1 = nn.LayerNorm([d_model]), nn.LayerNorm((d_model,), eps=1e-5)
        self.attention = reference.MultiHeadAttention(num_heads=num_heads, d_model=d_model)
        self.weights = None

    def forward(self, x, allowed=None):
        shortcut = x
        normed = self.norm_1(x)
        attended, self.weights = self.attention(query=normed, key=normed, value=normed, allowed=allowed)
        middle = shortcut + attended
        fed = self.feed_forward(self.norm_2(middle))
        return torch.add(middle, fed)


@right("TransformerBlock", "halves as methods, layers called one by one, print, dropout 0")
class Halves(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.d_model = d_model
        for name in ("norm_1", "norm_2"):
            setattr(self, name, nn.LayerNorm(d_model))
        self.attention = reference.MultiHeadAttention(d_model, num_heads)
        layers = [nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model)]
        self.feed_forward = nn.Sequential(*layers)
        self.drop = nn.Dropout(dropout)

    def mix(self, x, allowed):
        normed = self.norm_1(x)
        return self.drop(self.attention(normed, normed, normed, allowed)[0])

    def think(self, x):
        for layer in (self.norm_2, *self.feed_forward):
            x = layer(x)
        return self.drop(x)

    def forward(self, x, allowed=None):
        print("x", tuple(x.shape))
        x = self.mix(x, allowed) + x
        return self.think(x) + x


@right("TransformerBlock", "an attention and a norm of one's own, functions of F")
class OwnParts(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, num_heads):
            super().__init__()
            self.h = num_heads
            self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

        def forward(self, query, key, value, allowed=None):
            q, k, v = (
                layer(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
                for layer, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
            )
            mask = None if allowed is None else allowed.expand(*q.shape[:-1], k.shape[-2])
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            return self.W_o(mixed.transpose(1, 2).flatten(2)), None

    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            centred = x - x.mean(-1, keepdim=True)
            spread = torch.sqrt(centred.square().mean(-1, keepdim=True) + 1e-5)
            return centred / spread * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1, self.norm_2 = self.Norm(d_model), self.Norm(d_model)
        self.attention = self.Attention(d_model, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        attended, _ = self.attention(a, a, a, allowed)
        first = x + attended
        wide = F.gelu(F.linear(self.norm_2(first), self.feed_forward[0].weight, self.feed_forward[0].bias))
        return first + self.feed_forward[2](wide)


@right("TransformerBlock", "layers of the Sequential with names")
class NamedLayers(TransformerBlock):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        layers = {"wide": nn.Linear(d_model, d_ff), "bend": nn.GELU(), "back": nn.Linear(d_ff, d_model)}
        self.feed_forward = nn.Sequential(OrderedDict(layers))


@right("TransformerBlock", "layers of the Sequential that do nothing")
class IdleLayers(TransformerBlock):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        first, second = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.feed_forward = nn.Sequential(nn.Identity(), first, nn.GELU(), nn.Dropout(0.0), second)


class OwnLinear(nn.Linear):
    def forward(self, x):
        return x @ self.weight.mT + self.bias


@right("TransformerBlock", "subclasses of the layers, appended one by one")
class OwnLayers(TransformerBlock):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("first", OwnLinear(d_model, d_ff))
        self.feed_forward.append(nn.GELU())
        self.feed_forward.add_module("last", OwnLinear(d_ff, d_model))


# Wrong answers, each with the id of its mistake


class Layers(nn.Module):
    """The right layers, which most mistakes have."""

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = reference.MultiHeadAttention(d_model, num_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))


class Block(Layers):
    """The right block, for mistakes in its layers."""

    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "post-norm")
class PostNorm(Layers):
    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attention(x, x, x, allowed)[0])
        return self.norm_2(x + self.feed_forward(x))


@wrong("TransformerBlock", "norm-after-work")
class NormAfterWork(Layers):
    def forward(self, x, allowed=None):
        x = x + self.norm_1(self.attention(x, x, x, allowed)[0])
        return x + self.norm_2(self.feed_forward(x))


@wrong("TransformerBlock", "residual-missing")
class NoResiduals(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x, _ = self.attention(a, a, a, allowed)
        return self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "residual-missing", "in the first half")
class NoFirstResidual(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "residual-missing", "in the second half")
class NoSecondResidual(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "residual-from-normalised")
class NormalisedResiduals(Layers):
    def forward(self, x, allowed=None):
        x = self.norm_1(x)
        x = x + self.attention(x, x, x, allowed)[0]
        x = self.norm_2(x)
        return x + self.feed_forward(x)


@wrong("TransformerBlock", "residual-from-normalised", "in the first half")
class FirstNormalisedResidual(Layers):
    def forward(self, x, allowed=None):
        x = self.norm_1(x)
        x = x + self.attention(x, x, x, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "residual-from-input")
class ResidualFromInput(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        y = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(y))


@wrong("TransformerBlock", "residual-twice")
class AddedAgain(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        y = x + self.attention(a, a, a, allowed)[0]
        return x + y + self.feed_forward(self.norm_2(y))


@wrong("TransformerBlock", "norm-missing")
class NoNorms(Layers):
    def forward(self, x, allowed=None):
        x = x + self.attention(x, x, x, allowed)[0]
        return x + self.feed_forward(x)


@wrong("TransformerBlock", "norm-missing", "the first")
class NoFirstNorm(Layers):
    def forward(self, x, allowed=None):
        x = x + self.attention(x, x, x, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "norm-missing", "the second")
class NoSecondNorm(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(x)


@wrong("TransformerBlock", "norm-missing", "of keys and values")
class OnlyQueriesNormed(Layers):
    def forward(self, x, allowed=None):
        x = x + self.attention(self.norm_1(x), x, x, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "norm-reused")
class SameNorm(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_1(x))


@wrong("TransformerBlock", "norms-swapped")
class SwappedNorms(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_2(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_1(x))


@wrong("TransformerBlock", "norm-shared")
class OneNorm(Block):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.norm_2 = self.norm_1


@wrong("TransformerBlock", "parallel-halves")
class Parallel(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        return x + self.attention(a, a, a, allowed)[0] + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "halves-swapped")
class FeedFirst(Layers):
    def forward(self, x, allowed=None):
        x = x + self.feed_forward(self.norm_1(x))
        a = self.norm_2(x)
        return x + self.attention(a, a, a, allowed)[0]


@wrong("TransformerBlock", "mask-ignored")
class NoMask(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "mask-inverted")
class Blocked(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, ~allowed if allowed is not None else None)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "mask-always-causal")
class AlwaysCausal(Layers):
    def forward(self, x, allowed=None):
        n = x.shape[1]
        if allowed is None:
            allowed = torch.ones(n, n, dtype=torch.bool).tril()
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "feed-forward-missing")
class NoFeedForward(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        return x + self.attention(a, a, a, allowed)[0]


@wrong("TransformerBlock", "attention-missing")
class NoAttention(Layers):
    def forward(self, x, allowed=None):
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "wrong-nonlinearity")
class WithReLU(Block):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


@wrong("TransformerBlock", "wrong-nonlinearity", "tanh approximation")
class WithTanhGelu(Block):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.feed_forward[1] = nn.GELU("tanh")


@wrong("TransformerBlock", "nonlinearity-missing")
class TwoLinears(Block):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model))


@wrong("TransformerBlock", "wrong-layer-size")
class NarrowFeedForward(Block):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_model), nn.GELU(), nn.Linear(d_model, d_model))


@wrong("TransformerBlock", "wrong-attribute-names")
class OtherNames(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = reference.MultiHeadAttention(d_model, num_heads)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, allowed=None):
        a = self.ln1(x)
        x = x + self.attn(a, a, a, allowed)[0]
        return x + self.mlp(self.ln2(x))


@wrong("TransformerBlock", "library-attention")
class LibraryAttention(Layers):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, attn_mask=allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "dropout-left-on")
class WithDropout(Layers):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.drop(self.attention(a, a, a, allowed)[0])
        return x + self.drop(self.feed_forward(self.norm_2(x)))


@wrong("TransformerBlock", "gradient-cut")
class Detached(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x).detach()
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "gradient-cut", "no_grad around the attention")
class NoGrad(Layers):
    def forward(self, x, allowed=None):
        with torch.no_grad():
            a = self.norm_1(x)
            attended, _ = self.attention(a, a, a, allowed)
        x = x + attended
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "input-changed")
class InPlace(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x += self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "returns-tuple")
class WithWeights(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        attended, weights = self.attention(a, a, a, allowed)
        x = x + attended
        return x + self.feed_forward(self.norm_2(x)), weights


@wrong("TransformerBlock", "feed-forward-missing", "returned too early")
class ReturnedTooEarly(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        middle = x + self.attention(a, a, a, allowed)[0]
        self.feed_forward(self.norm_2(middle))
        return middle


@wrong("TransformerBlock", "returns-none")
class NoReturn(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "extra-layernorm")
class FinalNorm(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return F.layer_norm(x + self.feed_forward(self.norm_2(x)), x.shape[-1:])


@wrong("TransformerBlock", "arguments-swapped")
class SwappedArguments(Block):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.attention = reference.MultiHeadAttention(num_heads, d_model)


@wrong("TransformerBlock", "input-changed", "the mask gets an axis in place")
class MaskWithOneMoreAxis(TransformerBlock):
    def forward(self, x, allowed=None):
        if allowed is not None:
            allowed.unsqueeze_(0)
            while allowed.ndim > 4:
                allowed = allowed[0]
        return super().forward(x, allowed)


@wrong("TransformerBlock", "extra-layernorm", "norm_2 once more over the result")
class NormTwoOnceMore(TransformerBlock):
    def forward(self, x, allowed=None):
        return self.norm_2(super().forward(x, allowed))


@wrong("TransformerBlock", "parallel-halves", "norm_2 of what norm_1 gave")
class NormOfTheNormed(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(a))


@wrong("TransformerBlock", "norm-without-scale", "by hand, with the spread of torch.std")
class NormByHand(Layers):
    def forward(self, x, allowed=None):
        a = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
        x = x + self.attention(a, a, a, allowed)[0]
        b = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
        return x + self.feed_forward(b)


@wrong("TransformerBlock", "state-between-calls", "the first mask is kept")
class KeepsTheFirstMask(TransformerBlock):
    mask = None

    def forward(self, x, allowed=None):
        if self.mask is None:
            self.mask = allowed
        return super().forward(x, self.mask)


@wrong("TransformerBlock", "first-batch-only", "one [0] for the pair, none for the output")
class FirstSequenceForAll(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        output, _ = self.attention(a, a, a, allowed)
        x = x + output[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "shape-flattened")
class WithoutABatchOfOne(TransformerBlock):
    def forward(self, x, allowed=None):
        return super().forward(x, allowed).squeeze(0)


class Normed(Layers):
    """A block whose norms are those of `norm(layer, x)`."""

    def norm(self, layer, x):
        return layer(x)

    def forward(self, x, allowed=None):
        a = self.norm(self.norm_1, x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm(self.norm_2, x))


@wrong("TransformerBlock", "wrong-norm", "over the tokens")
class OverTokens(Normed):
    def norm(self, layer, x):
        centred = x - x.mean(1, keepdim=True)
        return centred / (x.var(1, keepdim=True, unbiased=False) + 1e-5).sqrt() * layer.weight + layer.bias


@wrong("TransformerBlock", "wrong-norm", "a spread over one fewer")
class OneFewer(Normed):
    def norm(self, layer, x):
        return (x - x.mean(-1, keepdim=True)) / torch.sqrt(
            x.var(-1, keepdim=True) + 1e-5
        ) * layer.weight + layer.bias


@wrong("TransformerBlock", "wrong-epsilon", "as in BERT")
class EpsOfBert(Normed):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.norm_1, self.norm_2 = (nn.LayerNorm(d_model, eps=1e-12) for _ in range(2))


@wrong("TransformerBlock", "wrong-epsilon", "in the first norm only")
class EpsOfGpt(Normed):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.norm_1 = nn.LayerNorm(d_model, eps=1e-6)


@wrong("TransformerBlock", "norm-twice", "norm_1 twice before the attention")
class NormedTwice(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(self.norm_1(x))
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "norm-twice", "in front of the Sequential and inside `think`")
class NormedTwiceLater(Layers):
    def think(self, x):
        return self.feed_forward(self.norm_2(x))

    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)[0]
        return x + self.think(self.norm_2(x))


@wrong("TransformerBlock", "pair-not-unpacked")
class WholePair(Layers):
    def forward(self, x, allowed=None):
        a = self.norm_1(x)
        x = x + self.attention(a, a, a, allowed)
        return x + self.feed_forward(self.norm_2(x))


@wrong("TransformerBlock", "class-for-layer")
class ClassForLayer(Layers):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU, nn.Linear(d_ff, d_model))
