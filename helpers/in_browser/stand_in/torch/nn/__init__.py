"""`torch.nn`."""

from torch.nn import attention, functional, init, modules, utils
from torch.nn.attention import bias
from torch.nn.modules.layers import (
    ELU,
    GELU,
    CrossEntropyLoss,
    Dropout,
    Embedding,
    Identity,
    LayerNorm,
    LeakyReLU,
    Linear,
    LogSoftmax,
    MultiheadAttention,
    ReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Tanh,
    TransformerEncoderLayer,
)  # fmt: skip
from torch.nn.modules.module import (
    Module,
    ModuleDict,
    ModuleList,
    Parameter,
    ParameterList,
    Sequential,
)  # fmt: skip

attention.bias = bias

__all__ = [
    "ELU", "GELU", "CrossEntropyLoss", "Dropout", "Embedding", "Identity", "LayerNorm", "LeakyReLU", "Linear",
    "LogSoftmax", "Module", "ModuleDict", "ModuleList", "MultiheadAttention", "Parameter", "ParameterList",
    "ReLU", "Sequential", "SiLU", "Sigmoid", "Softmax", "Tanh", "TransformerEncoderLayer", "attention",
    "functional", "init", "modules", "utils",
]  # fmt: skip
