"""`nn.Module`: what has parameters, and modules inside."""

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from torch.creation import Handle
from torch.graph import no_grad
from torch.op import METHODS
from torch.tensor import Tensor


class _ParameterKind(type(Tensor)):
    def __instancecheck__(cls, one: Any) -> bool:
        return type.__instancecheck__(cls, one)


class Parameter(Tensor, metaclass=_ParameterKind):
    """A tensor that a module learns."""

    __module__ = "torch.nn.parameter"

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> "Parameter":
        one = object.__new__(cls)
        data = Tensor() if data is None else data.detach()
        if requires_grad and data._a.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        one._a, one._storage, one._brain, one._rg = data._a, data._storage, data._brain, requires_grad
        return one


def typename(one: Any) -> str:
    """What an error calls a value's type."""
    if isinstance(one, Tensor):
        return f"torch.{one.dtype.tensor}Tensor"
    of = one if isinstance(one, type) else type(one)
    if of.__module__ in ("builtins", "__builtin__", "", None):
        return of.__qualname__
    return f"{of.__module__}.{of.__qualname__}"


class Module:
    """A part of a model; its parameters and modules are found in its attributes."""

    training = True

    def __init__(self, *args: Any, **named: Any) -> None:
        if args or named:
            says = (
                f"{type(self).__name__}.__init__() takes 1 positional argument but {1 + len(args)} were given"
            )
            if named:
                says = f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(named))}'"
            raise TypeError(says)
        self.__dict__.update(
            _parameters={}, _buffers={}, _modules={}, _left_out=set(), _hooks=OrderedDict(), training=True
        )

    def forward(self, *_: Any) -> Any:
        """What it computes."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **named: Any) -> Any:
        found = self.forward(*args, **named)
        for hook in list(self.__dict__.get("_hooks", {}).values()):
            changed = hook(self, args, found)
            found = found if changed is None else changed
        return found

    def register_forward_hook(self, hook: Callable) -> Handle:
        """Call a function after every `forward`."""
        self._hooks[id(hook)] = hook
        return Handle(self._hooks, id(hook))

    def __getattr__(self, name: str) -> Any:
        for kept in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kept, ()):
                return self.__dict__[kept][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        here = self.__dict__
        for kind, kept, word in ((Parameter, "_parameters", "parameters"), (Module, "_modules", "module")):
            if isinstance(value, kind):
                if kept not in here:
                    raise AttributeError(f"cannot assign {word} before Module.__init__() call")
                if kind is Module and name in here["_parameters"]:
                    break
                for other in (here, here["_parameters"], here["_buffers"], here["_modules"]):
                    if other is not here[kept]:
                        other.pop(name, None)
                here[kept][name] = value
                return
        for kept, word in (("_parameters", "nn.Parameter"), ("_modules", "nn.Module")):
            if name in here.get(kept, ()):
                if value is None:
                    here[kept][name] = None
                    return
                what, whole = ("parameter", "torch.nn.Parameter") if word == "nn.Parameter" else (
                    "child module", "torch.nn.Module"
                )  # fmt: skip
                raise TypeError(
                    f"cannot assign '{typename(value)}' as {what} '{name}' ({whole} or None expected)"
                )
        if name in here.get("_buffers", ()) and (value is None or isinstance(value, Tensor)):
            here["_buffers"][name] = value
            return
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        for kept in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kept, ()):
                del self.__dict__[kept][name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._parameters, *self._buffers, *self._modules})

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Own a parameter."""
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Own a tensor that is not learned."""
        self._buffers[name] = tensor
        if not persistent:
            self._left_out.add(name)

    def add_module(self, name: str, module: "Module | None") -> None:
        """Own a module."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._modules[name] = module

    register_module = add_module

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        """The modules it owns."""
        seen: set[int] = set()
        for name, one in self._modules.items():
            if one is not None and id(one) not in seen:
                seen.add(id(one))
                yield name, one

    def children(self) -> Iterator["Module"]:
        """The same without names."""
        return (one for _, one in self.named_children())

    def named_modules(self, memo: set | None = None, prefix: str = "") -> Iterator[tuple[str, "Module"]]:
        """Itself and all modules inside."""
        memo = set() if memo is None else memo
        if id(self) not in memo:
            memo.add(id(self))
            yield prefix, self
            for name, one in self._modules.items():
                if one is not None:
                    yield from one.named_modules(memo, f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator["Module"]:
        """The same without names."""
        return (one for _, one in self.named_modules())

    def _named(self, kept: str, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for start, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, one in module.__dict__[kept].items():
                if one is not None and id(one) not in seen:
                    seen.add(id(one))
                    yield f"{start}.{name}" if start else name, one

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Parameter]]:
        """All parameters by name."""
        return self._named("_parameters", prefix, recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The same without names."""
        return (one for _, one in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """All other tensors by name."""
        return self._named("_buffers", prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The same without names."""
        return (one for _, one in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> "Module":
        """The module of a dotted name."""
        found: Any = self
        for name in filter(None, target.split(".")):
            found = _part(found, name, Module)
        return found

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of a dotted name."""
        home, _, name = target.rpartition(".")
        return _part(self.get_submodule(home), name, Parameter)

    def state_dict(self, prefix: str = "", keep_vars: bool = False) -> OrderedDict:
        """All tensors by name."""
        found: OrderedDict = OrderedDict()
        for kept in ("_parameters", "_buffers"):
            for name, one in self.__dict__[kept].items():
                if one is not None and name not in self._left_out:
                    found[prefix + name] = one if keep_vars else one.detach()
        for name, one in self._modules.items():
            if one is not None:
                found.update(one.state_dict(f"{prefix}{name}.", keep_vars))
        return found

    def load_state_dict(self, state_dict: Mapping[str, Tensor], strict: bool = True) -> Any:
        """Take over all tensors.

        Raises:
            RuntimeError: where names or shapes do not fit.
        """
        mine = self.state_dict(keep_vars=True)
        missing = [name for name in mine if name not in state_dict]
        unknown = [name for name in state_dict if name not in mine]
        wrong = []
        with no_grad():
            for name, one in mine.items():
                if name in state_dict and state_dict[name].shape != one.shape:
                    wrong.append(
                        f"size mismatch for {name}: copying a param with shape {state_dict[name].shape} from "
                        f"checkpoint, the shape in current model is {one.shape}."
                    )
                elif name in state_dict:
                    one.copy_(state_dict[name])
        for word, names in (("Missing", missing), ("Unexpected", unknown)):
            if strict and names:
                listed = ", ".join(f'"{name}"' for name in names)
                wrong.insert(0, f"{word} key(s) in state_dict: {listed}. ")
        if wrong:
            raise RuntimeError(
                "Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(wrong))
            )
        return "<All keys matched successfully>"

    def _changed(self, change: Callable[[Tensor], Tensor]) -> "Module":
        for module in self.modules():
            for one in module._parameters.values():
                if one is not None:
                    new = change(one.detach())
                    one._a, one._storage, one._brain = new._a, new._storage, new._brain
                    if one.grad is not None:
                        one.grad = change(one.grad)
            for name, one in module._buffers.items():
                module._buffers[name] = None if one is None else change(one)
        return self

    def to(self, *args: Any, **named: Any) -> "Module":
        """With its floats in another type."""
        to = METHODS["to"].run
        return self._changed(lambda one: to(one, *args, **named) if one._a.dtype.kind in "fc" else one)

    def type(self, dtype: Any) -> "Module":
        """The same."""
        return self.to(dtype)

    def float(self) -> "Module":
        """With float32."""
        from torch.dtypes import float32

        return self.to(float32)

    def double(self) -> "Module":
        """With float64."""
        from torch.dtypes import float64

        return self.to(float64)

    def half(self) -> "Module":
        """With float16."""
        from torch.dtypes import float16

        return self.to(float16)

    def cpu(self) -> "Module":
        """Where it is."""
        return self

    def train(self, mode: bool = True) -> "Module":
        """As it is while it learns."""
        for one in self.modules():
            one.training = mode
        return self

    def eval(self) -> "Module":
        """As it is when it has learned."""
        return self.train(False)

    def apply(self, run: Callable[["Module"], Any]) -> "Module":
        """Call a function with every module, those inside first."""
        for one in self.children():
            one.apply(run)
        run(self)
        return self

    def requires_grad_(self, requires_grad: bool = True) -> "Module":
        """Ask for gradients."""
        for one in self.parameters():
            one.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients."""
        for one in self.parameters():
            one.grad = None if set_to_none or one.grad is None else METHODS["zeros_like"].run(one.grad)

    def extra_repr(self) -> str:
        """What is said of it in brackets."""
        return ""

    def __repr__(self) -> str:
        lines = [f"({name}): {_indented(repr(one))}" for name, one in self._modules.items()]
        return _bracketed(type(self).__name__, self.extra_repr(), lines)


def _part(of: Any, name: str, kind: type) -> Any:
    """What a module has by a name, which has to be of a kind."""
    if not hasattr(of, name):
        raise AttributeError(f"{type(of).__name__} has no attribute `{name}`")
    found = getattr(of, name)
    if not isinstance(found, kind):
        raise AttributeError(f"`{name}` is not an nn.{kind.__name__}")
    return found


def _bracketed(name: str, extra: str, lines: list[str]) -> str:
    extras = extra.split("\n") if extra else []
    if not lines:
        return f"{name}({extra})" if len(extras) < 2 else f"{name}(\n  " + "\n  ".join(extras) + "\n)"
    return f"{name}(\n  " + "\n  ".join(extras + lines) + "\n)"


def _indented(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"  {line}" for line in rest)])


class Sequential(Module):
    """Modules called one after the other."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        named = modules[0].items() if len(modules) == 1 and isinstance(modules[0], OrderedDict) else (
            (str(i), one) for i, one in enumerate(modules)
        )  # fmt: skip
        for name, one in named:
            self.add_module(name, one)

    def forward(self, input: Any) -> Any:
        for one in self._modules.values():
            input = one(input)
        return input

    def append(self, module: Module) -> "Sequential":
        """One more."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return type(self)(OrderedDict(list(self._modules.items())[at]))
        values = list(self._modules.values())
        if not -len(values) <= at < len(values):
            raise IndexError(f"index {at} is out of range")
        return values[at]

    def __setitem__(self, at: int, module: Module) -> None:
        self._modules[list(self._modules)[at]] = module


class ModuleList(Sequential):
    """A list of modules."""

    def __init__(self, modules: Any = ()) -> None:
        Module.__init__(self)
        self.extend(modules)

    forward = Module.forward

    def extend(self, modules: Any) -> "ModuleList":
        """Several more."""
        if not hasattr(modules, "__iter__"):
            raise TypeError(
                f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}"
            )
        for one in modules:
            self.append(one)
        return self

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return ModuleList(list(self._modules.values())[at])
        return super().__getitem__(at)

    def __repr__(self) -> str:
        lines, place = [], 0
        for text, some in itertools.groupby(map(repr, self)):
            many = len(list(some))
            name, times = (f"{place}-{place + many - 1}", f"{many} x ") if many > 1 else (f"{place}", "")
            lines.append(f"({name}): {times}{_indented(text)}")
            place += many
        return _bracketed(type(self).__name__, "", lines)


class ModuleDict(Module):
    """A dict of modules."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        for name, one in dict(modules or {}).items():
            self.add_module(name, one)

    def __getitem__(self, name: str) -> Module:
        return self._modules[name]

    def __setitem__(self, name: str, one: Module) -> None:
        self.add_module(name, one)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, name: str) -> bool:
        return name in self._modules

    def keys(self) -> Any:
        """Names."""
        return self._modules.keys()

    def values(self) -> Any:
        """Modules."""
        return self._modules.values()

    def items(self) -> Any:
        """Both."""
        return self._modules.items()


class ParameterList(Module):
    """A list of parameters."""

    def __init__(self, values: Any = ()) -> None:
        super().__init__()
        for i, one in enumerate(values):
            self._parameters[str(i)] = one if isinstance(one, Parameter) else Parameter(one)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def __getitem__(self, at: int) -> Any:
        return list(self._parameters.values())[at]
