"""The layers of `torch.nn`."""

import math
from typing import Any

import numpy as np

from torch.dtypes import held, settings
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.module import Module, Parameter
from torch.op import kind
from torch.tensor import Tensor


def _empty(shape: tuple[Any, ...], dtype: Any = None) -> Parameter:
    for place, one in enumerate(shape):
        if not isinstance(one, int | np.integer):
            raise TypeError(
                f"empty(): argument 'size' failed to unpack the object at pos {place + 1} with error \"type must "
                f'be tuple of ints,but got {kind(one)}"'
            )
    return Parameter(Tensor._plain(np.zeros(shape, held(dtype or settings["dtype"]))))


class Identity(Module):
    """Nothing."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """`x @ weight.T + bias`."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = _empty((out_features, in_features), dtype)
        if bias:
            self.bias = _empty((out_features,), dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Begin anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """The last layer of `nn.MultiheadAttention`."""


class Embedding(Module):
    """A row for each number."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, *, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = _empty((num_embeddings, embedding_dim), dtype)
        init.normal_(self.weight)

    def forward(self, input: Any) -> Any:
        return F.embedding(input, self.weight)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"


class LayerNorm(Module):
    """Over the last axes: minus the mean, over the standard deviation, times a weight, plus a bias."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int | np.integer):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        for name, there, value in (
            ("weight", elementwise_affine, 1),
            ("bias", elementwise_affine and bias, 0),
        ):
            self.register_parameter(name, _empty(self.normalized_shape, dtype) if there else None)
            if there:
                init.constant_(self._parameters[name], value)

    def forward(self, input: Any) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class Dropout(Module):
    """Numbers set to 0 at random, while it learns."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Any) -> Any:
        return F.dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Softmax(Module):
    """Shares that sum to 1."""

    def __init__(self, dim: Any = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return F.softmax(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    """Their logarithms."""

    def forward(self, input: Any) -> Any:
        return F.log_softmax(input, self.dim)


class GELU(Module):
    """x times the share of a normal distribution below x."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


def _activation(name: str, run: str, *args: tuple[str, Any]) -> type:
    def begin(self: Any, *given: Any, inplace: bool = False) -> None:
        Module.__init__(self)
        for i, (arg, value) in enumerate(args):
            setattr(self, arg, given[i] if i < len(given) else value)

    def forward(self: Any, input: Any) -> Any:
        return getattr(F, run)(input, *(getattr(self, arg) for arg, _ in args))

    def extra_repr(self: Any) -> str:
        return ", ".join(f"{arg}={getattr(self, arg)}" for arg, _ in args)

    parts = {"__init__": begin, "forward": forward, "extra_repr": extra_repr}
    return type(name, (Module,), {**parts, "__module__": "torch.nn.modules.activation"})


ReLU = _activation("ReLU", "relu")
Tanh = _activation("Tanh", "tanh")
Sigmoid = _activation("Sigmoid", "sigmoid")
SiLU = _activation("SiLU", "silu")
LeakyReLU = _activation("LeakyReLU", "leaky_relu", ("negative_slope", 0.01))
ELU = _activation("ELU", "elu", ("alpha", 1.0))


class CrossEntropyLoss(Module):
    """As `F.cross_entropy`."""

    def __init__(
        self,
        weight: Any = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__()
        if (size_average is not None or reduce is not None) and bool(size_average):
            reduction = "mean"
        self.ignore_index, self.reduction, self.label_smoothing = ignore_index, reduction, label_smoothing

    def forward(self, input: Any, target: Any) -> Any:
        return F.cross_entropy(
            input,
            target,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class MultiheadAttention(Module):
    """PyTorch's own attention of several heads; True in a mask is blocked."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: Any = None,
        vdim: Any = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.batch_first, self.head_dim = batch_first, embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.in_proj_weight = _empty((3 * embed_dim, embed_dim), dtype)
        self.register_parameter("in_proj_bias", _empty((3 * embed_dim,), dtype) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        init.xavier_uniform_(self.in_proj_weight)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Any:
        turn = self.batch_first and query.dim() == 3
        if turn:
            query, key, value = (one.transpose(0, 1) for one in (query, key, value))
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
            None, None, False, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
            key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            average_attn_weights=average_attn_weights,
        )  # fmt: skip
        return (output.transpose(0, 1) if turn else output), weights


class TransformerEncoderLayer(Module):
    """Attention and a small network, each beside the way straight on."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, dtype=dtype
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = {"relu": F.relu, "gelu": F.gelu}.get(activation, activation)

    def forward(
        self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool = False
    ) -> Any:
        def attended(x: Any) -> Any:
            masks = {"attn_mask": src_mask, "key_padding_mask": src_key_padding_mask}
            return self.dropout1(self.self_attn(x, x, x, need_weights=False, **masks)[0])

        def fed(x: Any) -> Any:
            return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        if self.norm_first:
            src = src + attended(self.norm1(src))
            return src + fed(self.norm2(src))
        src = self.norm1(src + attended(src))
        return self.norm2(src + fed(src))
