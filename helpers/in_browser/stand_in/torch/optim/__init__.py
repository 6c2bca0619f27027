"""`torch.optim`: what moves parameters against their gradients."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from torch.creation import Handle
from torch.graph import enable_grad
from torch.nn.modules.module import typename
from torch.tensor import Tensor


class Optimizer:
    """Moves parameters; what a rule remembers of each is in `state`."""

    defaults: dict[str, Any]

    def __init__(self, params: Any, **defaults: Any) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"{typename(params)}"
            )
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if defaults["lr"] < 0:
            raise ValueError(f"Invalid learning rate: {defaults['lr']}")
        groups = groups if isinstance(groups[0], dict) else [{"params": groups}]
        self.defaults, self.state = defaults, {}
        self._before: dict[int, Callable] = {}
        self.param_groups: list[dict[str, Any]] = []
        for group in groups:
            group = {**defaults, **group, "params": list(group["params"])}
            for one in group["params"]:
                if not isinstance(one, Tensor):
                    raise TypeError(
                        f"optimizer can only optimize Tensors, but one of the params is {typename(one)}"
                    )
                if not one.is_leaf:
                    raise ValueError("can't optimize a non-leaf Tensor")
            self.param_groups.append(group)

    def register_step_pre_hook(self, hook: Callable) -> Handle:
        """Call a function before every step."""
        self._before[id(hook)] = hook
        return Handle(self._before, id(hook))

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients."""
        for group in self.param_groups:
            for one in group["params"]:
                if one.grad is not None:
                    one.grad = None if set_to_none else Tensor._plain(np.zeros_like(one._a))

    def step(self, *args: Any, **named: Any) -> Any:
        """Move every parameter that has a gradient."""
        for hook in list(self._before.values()):
            hook(self, args, named)
        return self._step(*args, **named)

    def _step(self, closure: Any = None) -> Any:
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            for one in group["params"]:
                if one.grad is not None:
                    g = one.grad._a if not group.get("maximize") else -one.grad._a
                    self._move(one._a, g, self.state.setdefault(one, {}), group)
                    one._storage.version += 1
        return loss

    def _move(self, p: np.ndarray, g: np.ndarray, kept: dict, group: dict) -> None:
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """What it remembers."""
        return {"state": dict(enumerate(self.state.values())), "param_groups": self.param_groups}

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {i}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


class SGD(Optimizer):
    """A step down the gradient."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(
            params, lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
            nesterov=nesterov, maximize=maximize, foreach=None, differentiable=False, fused=None,
        )  # fmt: skip

    def _move(self, p: np.ndarray, g: np.ndarray, kept: dict, group: dict) -> None:
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        if momentum := group["momentum"]:
            before = kept.get("momentum_buffer")
            now = g.copy() if before is None else momentum * before._a + (1 - group["dampening"]) * g
            kept["momentum_buffer"] = Tensor._plain(now)
            g = g + momentum * now if group["nesterov"] else now
        p -= group["lr"] * g


class Adam(Optimizer):
    """Kingma and Ba (2015)."""

    decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        super().__init__(
            params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
            foreach=foreach, capturable=False, differentiable=False, fused=None,
            decoupled_weight_decay=self.decoupled,
        )  # fmt: skip

    def _move(self, p: np.ndarray, g: np.ndarray, kept: dict, group: dict) -> None:
        if group["weight_decay"] and self.decoupled:
            p *= 1 - group["lr"] * group["weight_decay"]
        elif group["weight_decay"]:
            g = g + group["weight_decay"] * p
        if not kept:
            kept.update(step=0, exp_avg=np.zeros_like(p), exp_avg_sq=np.zeros_like(p))
        kept["step"] += 1
        one, two = group["betas"]
        mean, square = kept["exp_avg"], kept["exp_avg_sq"]
        mean += (1 - one) * (g - mean)
        square *= two
        square += (1 - two) * g * g
        size = np.sqrt(square)
        size /= math.sqrt(1 - two ** kept["step"])
        size += group["eps"]
        p -= group["lr"] / (1 - one ** kept["step"]) * mean / size


class AdamW(Adam):
    """Loshchilov and Hutter (2019)."""

    decoupled = True

    def __init__(self, params: Any, lr: float = 1e-3, weight_decay: float = 1e-2, **more: Any) -> None:
        super().__init__(params, lr, weight_decay=weight_decay, **more)
