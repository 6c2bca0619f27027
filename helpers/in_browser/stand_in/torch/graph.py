"""What results were computed from, and the way back through it: gradients."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have "
    "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
    "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or "
    "if you need to access saved tensors after calling backward."
)
mode = {"grad": True}


class Node:
    """One step of a computation.

    Attributes:
        edges: for each input its own node (or the tensor, where the way ends), the function that carries a
            gradient to it, and its shape and type.
        saved: storages that the way back reads, with how often they had been written to.
    """

    __slots__ = ("edges", "name", "saved")

    def __init__(self, edges: list[tuple[Any, Callable, tuple[int, ...], np.dtype]], name: str) -> None:
        self.edges: list | None = edges
        self.name = name
        self.saved: tuple = ()

    def __repr__(self) -> str:
        return f"<{self.name}>"


def fitted(g: np.ndarray, shape: tuple[int, ...], kind: np.dtype) -> np.ndarray:
    """A gradient in the shape of what was broadcast."""
    if g.shape != shape:
        ahead = tuple(range(g.ndim - len(shape)))
        g = g.sum(ahead) if ahead else g
        ones = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
        g = g.sum(ones, keepdims=True) if ones else g
    if g.dtype != kind:
        g = (g.real if g.dtype.kind == "c" and kind.kind != "c" else g).astype(kind)
    return g


def _order(roots: Iterable[Node]) -> list[Node]:
    """All nodes behind the roots, each before those that it was made of."""
    found: list[Node] = []
    seen: set[int] = set()
    waiting = [(node, False) for node in roots]
    while waiting:
        node, done = waiting.pop()
        if done:
            found.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            if node.edges is None:
                raise RuntimeError(TWICE)
            waiting += [(edge[0], False) for edge in node.edges if isinstance(edge[0], Node)]
    return found[::-1]


def go_back(starts: Sequence[tuple[Any, np.ndarray]], keep: bool) -> tuple[dict[int, np.ndarray], list[Any]]:
    """Carry gradients to everything behind some tensors.

    Returns:
        Gradients by the id of a node or a tensor where the way ends, and these tensors.
    """
    grads: dict[int, np.ndarray] = {}
    leaves: dict[int, Any] = {}

    def add(target: Any, g: np.ndarray) -> None:
        before = grads.get(id(target))
        grads[id(target)] = g if before is None else before + g
        if not isinstance(target, Node):
            leaves[id(target)] = target

    for tensor, g in starts:
        add(tensor._target(), g)
    for node in _order(t for t, _ in ((x._target(), 0) for x, _ in starts) if isinstance(t, Node)):
        g = grads.get(id(node))
        if g is None:
            continue
        for storage, version, what in node.saved:
            if storage.version != version:
                raise RuntimeError(_written(what, storage.version, version))
        with np.errstate(all="ignore"):
            for target, carry, shape, kind in node.edges or ():
                add(target, fitted(carry(g), shape, kind))
        if not keep:
            node.edges = None
    return grads, list(leaves.values())


def _written(what: str, now: int, then: int) -> str:
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"{what} is at version {now}; expected version {then} instead. "
        "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )


def starts_of(outputs: Any, given: Any) -> list[tuple[Any, np.ndarray]]:
    """Where the way back begins: with 1, from a loss of one number, unless gradients are given."""
    outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
    given = given if isinstance(given, list | tuple) else [given] * len(outputs)
    found = []
    for place, (one, g) in enumerate(zip(outputs, given, strict=True)):
        if not one.requires_grad:
            raise RuntimeError(
                f"element {place} of tensors does not require grad and does not have a grad_fn"
            )
        if g is None and one._a.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if g is not None and g.shape != one.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{place}] has a shape of {g.shape} and output[{place}] has a "
                f"shape of {one.shape}."
            )
        found.append((one, np.ones_like(one._a) if g is None else g._a))
    return found


def backward(
    tensors: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False
) -> None:
    """Add to the `.grad` of every leaf."""
    grads, leaves = go_back(starts_of(tensors, gradient), bool(retain_graph))
    for leaf in leaves:
        g = grads[id(leaf)].astype(leaf._a.dtype, copy=leaf.grad is None)
        leaf.grad = type(leaf)._plain(g if leaf.grad is None else (leaf.grad._a + g))
        for hook in list(leaf.__dict__.get("_hooks", {}).values()):
            hook(leaf)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Any, ...]:
    """The gradients of some tensors, and `.grad` of none is touched."""
    inputs = [inputs] if not isinstance(inputs, list | tuple) else inputs
    grads, _ = go_back(starts_of(outputs, grad_outputs), bool(retain_graph))
    found = []
    for place, one in enumerate(inputs):
        if not one.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        g = grads.get(id(one._target()))
        if g is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior."
            )
        found.append(None if g is None else type(one)._plain(g.copy()))
    return tuple(found)


class set_grad_enabled(contextlib.ContextDecorator):
    """Whether results keep what they were computed from: from now on, or inside a `with`."""

    wanted: bool | None = None

    def __init__(self, wanted: Any = None) -> None:
        if self.wanted is None:
            self.before, mode["grad"], self.now = [mode["grad"]], bool(wanted), bool(wanted)
        else:
            self.before, self.now = [], self.wanted

    def __new__(cls, wanted: Any = None) -> Any:
        if cls.wanted is not None and callable(wanted):  # `@torch.no_grad`, without brackets
            return cls()(wanted)
        return super().__new__(cls)

    def __enter__(self) -> None:
        if self.wanted is not None:
            self.before.append(mode["grad"])
        mode["grad"] = self.now

    def __exit__(self, *_: object) -> None:
        mode["grad"] = self.before.pop()


class no_grad(set_grad_enabled):
    """No result keeps what it was computed from."""

    wanted = False


class enable_grad(set_grad_enabled):
    """Results keep what they were computed from."""

    wanted = True


@contextlib.contextmanager
def inference_mode(mode_: Any = True) -> Any:
    """As `no_grad`; `False` changes nothing."""
    with no_grad() if mode_ else contextlib.nullcontext():
        yield


def is_grad_enabled() -> bool:
    """Whether results keep what they were computed from."""
    return mode["grad"]
