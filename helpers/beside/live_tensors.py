"""Count the numbers in PyTorch's tensors while some code runs: how many at once, and in the largest."""

import weakref
from collections.abc import Iterable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class LiveTensors(TorchDispatchMode):
    """Sees every tensor that PyTorch makes inside a `with`, and when it is given up.

    Views take no memory and do not count; nor does what an operation holds inside itself.  On the
    processor that is all of PyTorch's own memory but for these.

    Attributes:
        most: how many numbers were alive at one time.
        largest: how many numbers the largest tensor had.
        shape: its shape.
    """

    def __init__(self, given: Iterable[Any] = ()) -> None:
        """Start at 0: what is there already, the tensors `given`, does not count."""
        super().__init__()
        self._known = {_key(one.untyped_storage()) for one in given if torch.is_tensor(one)}
        self._alive = self.most = self.largest = 0
        self.shape: tuple[int, ...] = ()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Or else PyTorch imports its compiler, which takes seconds."""
        return False

    def __torch_dispatch__(self, function: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation, and look at what it gives."""
        result = function(*args, **(kwargs or {}))
        for one in result if isinstance(result, tuple | list) else (result,):
            if torch.is_tensor(one):
                self._look(one)
        return result

    def _look(self, one: torch.Tensor) -> None:
        storage = one.untyped_storage()
        key = _key(storage)
        if key in self._known:  # a view of something seen before
            return
        size = storage.nbytes() // one.element_size()
        self._known.add(key)
        self._alive += size
        self.most = max(self.most, self._alive)
        if size > self.largest:
            self.largest, self.shape = size, tuple(one.shape)
        weakref.finalize(storage, self._freed, key, size)

    def _freed(self, key: int, size: int) -> None:
        self._known.discard(key)
        self._alive -= size


def _key(storage: torch.UntypedStorage) -> int:
    return storage._cdata
