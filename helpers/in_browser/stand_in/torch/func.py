"""`torch.func`: a module called with other weights."""

import contextlib
from collections.abc import Mapping
from typing import Any


def functional_call(module: Any, parameters: Mapping[str, Any], args: Any = (), kwargs: Any = None) -> Any:
    """What a module computes with these tensors in place of its own."""
    with contextlib.ExitStack() as stack:
        for name, one in parameters.items():
            home, _, last = name.rpartition(".")
            owner = module.get_submodule(home)
            kept = owner._parameters if last in owner._parameters else owner._buffers
            stack.callback(kept.__setitem__, last, kept[last])
            kept[last] = one
        return module(*(args if isinstance(args, tuple) else (args,)), **(kwargs or {}))
