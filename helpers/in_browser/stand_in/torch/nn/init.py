"""`torch.nn.init`: the numbers that parameters begin with."""

import math
from typing import Any

from torch.graph import no_grad
from torch.op import METHODS


def _fans(tensor: Any) -> tuple[int, int]:
    if tensor._a.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    return tensor._a.shape[1], tensor._a.shape[0]


def _filled(name: str, tensor: Any, *args: Any, generator: Any = None) -> Any:
    named = {"generator": generator} if generator else {}
    with no_grad():
        return METHODS[name].run(tensor, *args, **named)


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Equally likely between two numbers."""
    return _filled("uniform_", tensor, a, b, generator=generator)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Normal."""
    return _filled("normal_", tensor, mean, std, generator=generator)


def constant_(tensor: Any, val: float) -> Any:
    """All the same."""
    return _filled("fill_", tensor, val)


def zeros_(tensor: Any) -> Any:
    """0."""
    return constant_(tensor, 0)


def ones_(tensor: Any) -> Any:
    """1."""
    return constant_(tensor, 1)


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Glorot and Bengio (2010)."""
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / sum(_fans(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """The same, normal."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_fans(tensor))), generator)


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Any:
    """He and others (2015)."""
    gain = math.sqrt(2.0 / (1 + a**2)) if nonlinearity == "leaky_relu" else math.sqrt(2.0)
    bound = math.sqrt(3.0) * (gain / math.sqrt(_fans(tensor)[mode == "fan_out"]))
    return uniform_(tensor, -bound, bound, generator)
