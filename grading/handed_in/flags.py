"""Code that no answer needs: it reaches into the interpreter, the checks or the machine.

Nothing is refused and no points are taken for it. The instructor gets a short list, with the lines.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

import helpers

_PUBLIC = {*helpers.__all__}
_MODULES = set(
    """
    ctypes _ctypes gc inspect importlib subprocess socket multiprocessing mmap pickle marshal signal
    resource pty builtins ipykernel nbgrader grading cffi _thread threading concurrent types dis pdb
    sqlite3 urllib requests http ftplib asyncio
    """.split()  # noqa: SIM905
)
_ATTRIBUTES = {
    "sys": set(
        """
        settrace setprofile _getframe _current_frames modules meta_path path_hooks displayhook
        excepthook addaudithook gettrace getprofile
        """.split()  # noqa: SIM905
    ),
    "os": set(
        """
        system popen fork kill execv execve _exit abort environ getenv putenv dup2 ptrace setuid
        symlink memfd_create write pipe
        """.split()  # noqa: SIM905
    ),
    "torch": {"ops", "jit", "_C", "compile", "overrides", "_VF"},
}
_CALLS = {"exec", "eval", "compile", "__import__", "breakpoint"}
_DUNDERS = set(
    """
    __code__ __globals__ __closure__ __builtins__ __subclasses__ __bases__ __mro__ __self__ __func__
    __wrapped__ __getattribute__ __loader__ __spec__ __reduce__ __eq__ __array__ __array_ufunc__
    __array_function__ __torch_function__ __torch_dispatch__ f_globals f_locals f_back gi_frame
    tb_frame cr_frame __array_interface__
    """.split()  # noqa: SIM905
)
_NAMES = {"InteractiveShell", "TorchFunctionMode", "TorchDispatchMode"}
_SHELL = {"run_line_magic", "run_cell_magic", "system", "getoutput", "set_next_input"}
_LIBRARIES = {"numpy", "torch", "helpers", "matplotlib"}
LONGEST = 200_000
_MAGIC_LINE = re.compile(r"^([ \t]*)[%!?].*$|^([ \t]*)\S+\?{1,2}[ \t]*$", re.MULTILINE)
_MAGIC_VALUE = re.compile(r"(?<![=!<>])=[ \t]*[%!].*$", re.MULTILINE)


@lru_cache(maxsize=4096)
def suspicious(source: str) -> tuple[str, ...]:
    """What of that kind a cell holds, such as "`sys.setprofile` (line 3)"; empty for usual code."""
    if len(source) > LONGEST:
        return (f"{len(source):,} characters, which is too much to be read",)
    try:
        tree = ast.parse(python(source))
        aliases = _aliases(tree)
        found: dict[str, int] = {}
        for what, line in _looked_at(tree, aliases):
            found.setdefault(what, line)
    except RecursionError:
        return ("code that is nested too deep to be read",)
    except (SyntaxError, ValueError, MemoryError):  # it does not run either
        return ()
    return tuple(f"`{what}` (line {line})" for what, line in found.items())


def python(source: str) -> str:
    """A cell without IPython's magics; the body of `%%time` is Python like any other."""
    without = _MAGIC_LINE.sub(r"\1\2pass", _MAGIC_VALUE.sub("= None", source))
    if without == source:
        return source
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return without
    return source  # what looks like magic stands in a text, as in "x =%d"


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Names that stand for modules: `np` for `numpy`."""
    found = {"np": "numpy", "torch": "torch", "helpers": "helpers", "plt": "matplotlib"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _looked_at(tree: ast.AST, aliases: dict[str, str]) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from ((name, line) for name in _module(alias.name))
        elif isinstance(node, ast.ImportFrom):
            yield from ((name, line) for name in _module(node.module or "", {a.name for a in node.names}))
        elif isinstance(node, ast.Attribute):
            yield from ((name, line) for name in _attribute(node, aliases))
        elif isinstance(node, ast.Name) and node.id in _CALLS | _NAMES | {"__builtins__"}:
            yield node.id, line
        elif isinstance(node, ast.FunctionDef) and node.name in _DUNDERS:
            yield node.name, line
        elif isinstance(node, ast.Call) and _sets_in_library(node, aliases):
            yield ast.unparse(node)[:60], line
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in _DUNDERS:
            yield node.value, line


def _sets_in_library(node: ast.Call, aliases: dict[str, str]) -> bool:
    """Whether this is `setattr(np, ...)` or the like."""
    if not (isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and node.args):
        return False
    owner = ast.unparse(node.args[0]).split(".")[0]
    return aliases.get(owner, "").split(".")[0] in _LIBRARIES


def _module(name: str, parts: set[str] = frozenset()) -> Iterator[str]:  # type: ignore[assignment]
    root, _, rest = name.partition(".")
    if root in _MODULES:
        yield f"import {name}"
    if name.startswith(("torch.ops", "torch.jit", "torch._", "torch.overrides", "IPython.core")):
        yield f"import {name}"
    if root == "helpers" and rest and rest.split(".")[0] not in _PUBLIC:
        yield f"import {name}"
    if name == "helpers":
        yield from (f"helpers.{part}" for part in sorted(parts - _PUBLIC - {"*"}))
    yield from (f"{name}.{part}" for part in sorted(parts & _ATTRIBUTES.get(name, set())))


def _attribute(node: ast.Attribute, aliases: dict[str, str]) -> Iterator[str]:
    owner = ast.unparse(node.value) if isinstance(node.value, ast.Name | ast.Attribute) else ""
    module = aliases.get(owner.split(".")[0], owner.split(".")[0])
    root = module.split(".")[0]
    if node.attr in _ATTRIBUTES.get(module, set()):
        yield f"{module}.{node.attr}"
    if node.attr in _DUNDERS:
        yield node.attr
    if root == "helpers" and "." not in owner and module == "helpers" and node.attr not in _PUBLIC:
        yield f"helpers.{node.attr}"
    if isinstance(node.ctx, ast.Store | ast.Del) and root in _LIBRARIES and owner.split(".")[0] in aliases:
        yield f"{owner}.{node.attr} = ..."
    if (
        isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "get_ipython"
        and node.attr not in _SHELL
    ):
        yield f"get_ipython().{node.attr}"
