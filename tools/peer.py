"""The nearest peer's judge, `torch-judge` from PyPI, on our banks of answers, beside our own checks.

It lives in a virtual environment of its own, `.peer/`, which borrows PyTorch from this one.  Its tasks have
other signatures, so each answer goes through an adapter: tensors in and out, the output alone.  Only programs
that are wrong under the peer's own signature count; gradients are given to NumPy answers for free.
"""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools import borrowed, needs
from tools.measuring import markdown
from tools.shell import ROOT
from tools.versions import PEER

HOME = ROOT / ".peer"
TASKS = {
    "softmax": ("softmax",),
    "attention": ("attention", "causal_attention"),
    "MultiHeadAttention": ("mha", "cross_attention"),
}
"""Our exercises and the peer's tasks that cover them; one task that rejects an answer is enough."""

HEAD = ("exercise", "answers", "peer", "ours")


def python() -> Path:
    """Make the peer's environment if it is missing, and return its Python."""
    if needs.peer():
        return borrowed.python(HOME)
    return borrowed.environment(HOME, PEER, options=("--no-deps",))  # or only half of it is there


def compare() -> dict[str, dict[str, float]]:
    """Run the peer on our banks; for each exercise how many were tried, and what each of the two said."""
    done = subprocess.run(
        [python(), "-m", "tools.peer"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env=_environment(),
    )
    return json.loads(done.stdout.splitlines()[-1])


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    """The figures as a Markdown table."""
    rows = []
    for name, one in found.items():
        rows.append(
            [
                f"`{name}`, wrong",
                f"{one['wrong']}",
                f"{one['peer rejected']} rejected",
                f"{one['rejected']} rejected",
            ]
        )
        rows.append(["different diagnoses", "", f"{one['peer diagnoses']}", f"{one['diagnoses']}"])
        rows.append(
            [
                f"`{name}`, right",
                f"{one['right']}",
                f"{one['peer accepted']} accepted",
                f"{one['accepted']} accepted",
            ]
        )
    return markdown(HEAD, rows)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


# What follows runs in the peer's environment.


def _adapters() -> dict[str, Callable[[Any], dict[str, Any]]]:
    """For each of our exercises: the learner's answer under the names and signatures of the peer's tasks."""
    import numpy as np
    import torch
    from torch import nn

    def out(result: Any, *inputs: Any) -> Any:
        """The result as a tensor; a NumPy answer gets its gradients for free."""
        tensor = torch.as_tensor(np.asarray(result)) if not isinstance(result, torch.Tensor) else result
        return tensor.to(inputs[0].dtype) + 0 * sum(one.sum() for one in inputs)

    def plain(tensor: Any) -> Any:
        return tensor.detach().numpy().copy()

    def softmax(answer: Any) -> dict[str, Any]:
        return {"my_softmax": lambda x, dim: out(answer(plain(x), dim), x)}

    def attention(answer: Any) -> dict[str, Any]:
        def sdpa(Q: Any, K: Any, V: Any) -> Any:
            return out(answer(plain(Q), plain(K), plain(V))[0], Q, K, V)

        def causal(Q: Any, K: Any, V: Any) -> Any:
            allowed = np.tril(np.ones((Q.shape[-2], K.shape[-2]), bool))
            return out(answer(plain(Q), plain(K), plain(V), allowed)[0], Q, K, V)

        return {"scaled_dot_product_attention": sdpa, "causal_attention": causal}

    def module(answer: Any) -> dict[str, Any]:
        class MultiHeadAttention(answer):
            def forward(self, query: Any, key: Any, value: Any) -> Any:
                return super().forward(query, key, value)[0]

        class MultiHeadCrossAttention(answer):
            def forward(self, x_q: Any, x_kv: Any) -> Any:
                return super().forward(x_q, x_kv, x_kv)[0]

        assert issubclass(answer, nn.Module)
        return {"MultiHeadAttention": MultiHeadAttention, "MultiHeadCrossAttention": MultiHeadCrossAttention}

    return {"softmax": softmax, "attention": attention, "MultiHeadAttention": module}


def _judge(name: str, answer: Any) -> str | None:
    """The first of the peer's tests that rejects an answer, or `None` when all pass."""
    from torch_judge.tasks import TASKS as THEIRS

    try:
        names = _adapters()[name](answer)
    except Exception as error:
        return type(error).__name__
    for task in TASKS[name]:
        function = THEIRS[task]["function_name"]
        for test in THEIRS[task]["tests"]:
            try:
                exec(test["code"].replace("{fn}", function), {function: names[function]})
            except Exception:
                return f"{task}: {test['name']}"
    return None


def _wrong_for_the_peer(name: str, answer: Any) -> bool:
    """Whether an answer differs from the right one under the peer's signatures, at any size or scale."""
    import torch

    from helpers import reference

    torch.manual_seed(0)
    try:
        theirs, right = (_adapters()[name](one) for one in (answer, getattr(reference, name)))
        for call in _calls(name):
            if not torch.allclose(call(theirs), call(right), rtol=1e-4, atol=1e-5):
                return True
    except Exception:
        return True
    return False


def _calls(name: str) -> list[Callable[[Any], Any]]:
    import torch

    randn = torch.randn
    if name == "softmax":
        inputs = [(randn(3, 5, 7), dim) for dim in (-1, 0, 1)] + [(1000 * randn(4, 6), -1)]
        return [lambda names, x=x, dim=dim: names["my_softmax"](x, dim) for x, dim in inputs]
    if name == "attention":
        sizes = [((2, 3, 7), (2, 5, 7), (2, 5, 4), 1), ((2, 3, 4), (2, 5, 4), (2, 5, 4), 60)]
        inputs = [[scale * randn(*one) for one in shapes] for *shapes, scale in sizes]
        square = [[scale * randn(2, 5, 7) for _ in range(3)] for scale in (1, 30)]
        calls = [lambda n, a=a: n["scaled_dot_product_attention"](*a) for a in inputs]
        return calls + [lambda n, a=a: n["causal_attention"](*a) for a in square]

    def run(names: Any, which: str, *inputs: Any) -> Any:
        torch.manual_seed(1)
        module = names[which](12, 3)
        torch.manual_seed(2)
        for layer in ("W_q", "W_k", "W_v", "W_o"):
            linear = getattr(module, layer)
            with torch.no_grad():
                linear.weight.copy_(randn(12, 12))
                if linear.bias is not None:
                    linear.bias.copy_(randn(12))
        return module(*inputs)

    three = [randn(2, n, 12) for n in (4, 5, 5)]
    return [
        lambda names: run(names, "MultiHeadAttention", *three),
        lambda names: run(names, "MultiHeadCrossAttention", *three[:2]),
    ]


def _main() -> None:
    """Print the figures as JSON on the last line."""
    from banks import registry
    from tools.measuring import failure

    right, wrong = registry.load()
    found = {}
    for name in TASKS:
        mine = [a.obj for a in right if a.exercise == name]
        bad = [a.obj for a in wrong if a.exercise == name and _wrong_for_the_peer(name, a.obj)]
        theirs = [_judge(name, one) for one in bad]
        ours = [failure(name, one, 7) for one in bad]
        found[name] = {
            "wrong": len(bad),
            "peer rejected": sum(one is not None for one in theirs),
            "rejected": sum(one is not None for one in ours),
            "peer diagnoses": len({one for one in theirs if one}),
            "diagnoses": len(
                {part for one in ours if one for part in (one.misconception or "").split("+") if part}
            ),
            "right": len(mine),
            "peer accepted": sum(_judge(name, one) is None for one in mine),
            "accepted": sum(failure(name, one, 7) is None for one in mine),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
