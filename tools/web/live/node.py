"""Ask the page's engine under Node.js, on the packed model."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tools.shell import Stop

PROGRAM = Path(__file__).with_name("in_node.mjs")


def ask(folder: Path, calls: Iterable[tuple], kind: str = "simd") -> list[Any]:
    """Results of calls such as `("pass", ids, {"off": [2]})`; typed arrays come as float32 arrays.

    Args:
        folder: the packed model.
        calls: names of functions in `in_node.mjs`, each with what it is given.
        kind: "simd", "plain", or what to leave out of Node.js: "no-simd", "no-webassembly".

    Raises:
        Stop: when there is no Node.js, or the engine fails.
    """
    return [result for result, _ in timed(folder, calls, kind)]


def timed(folder: Path, calls: Iterable[tuple], kind: str = "simd") -> list[tuple[Any, float]]:
    """As `ask`, each result with the milliseconds that it took."""
    program = shutil.which("node")
    if not program:
        raise Stop("The model's engine is asked under Node.js, which is not here.")
    done = subprocess.run(
        [program, PROGRAM, folder, kind],
        input=json.dumps(list(calls)),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Stop(f"The model's engine failed: {done.stderr.strip()[-1000:]}")
    return [tuple(one) for one in json.loads(done.stdout, object_hook=_array)]


def _array(found: dict[str, Any]) -> Any:
    return np.frombuffer(base64.b64decode(found["base64"]), np.float32) if set(found) == {"base64"} else found
