"""Recordings of functions line by line, made up by hand: what the view of a trace is tried on."""

import numpy as np

from helpers import reference
from tests.seen import K, Q, V

RNG = np.random.default_rng(5)
STAGES = ["scores", "scaled scores", "weights", "output"]


def plain(x):
    x = np.asarray(x)
    if x.ndim:
        return [plain(one) for one in x]
    if x.dtype.kind == "f" and not np.isfinite(x):
        return str(float(x))
    return x.item()


def arr(x, stage=None, kind="array", **more):
    """An array or tensor as a recording has it."""
    x = np.asarray(x)
    first = x[(0,) * max(0, x.ndim - 2)] if x.size else x
    what = {"kind": kind, "shape": list(x.shape), "type": more.pop("type", str(x.dtype)), "sums": ""}
    what["numbers"] = plain(first[:8, :8] if x.ndim > 1 else first[:8] if x.ndim else first)
    if x.ndim > 2 or max(x.shape, default=0) > 8:
        what["cut"] = True
    good = np.isfinite(x) if x.dtype.kind == "f" else np.ones(x.shape, bool)
    if x.dtype.kind in "if" and good.any():
        what["low"], what["high"] = float(x[good].min()), float(x[good].max())
    if x.ndim > 1 and x.dtype.kind == "f" and good.all() and x.size:
        rows, columns = np.isclose(x.sum(-1), 1).all(), np.isclose(x.sum(-2), 1).all()
        what |= {"rows": plain(first.sum(-1)[:8]), "columns": plain(first.sum(-2)[:8])}
        what["sums"] = "both" if rows and columns else "rows" if rows else "columns" if columns else ""
    odd = [f"{(~good & np.isnan(x)).sum()} nan", f"{np.isneginf(x).sum()} -inf"] if not good.all() else []
    if odd:
        what["odd"] = ", ".join(one for one in odd if not one.startswith("0 "))
    return what | ({} if stage is None else {"stage": stage}) | more


def num(x):
    return {"kind": "number", "type": type(x).__name__, "numbers": x}


def thing(kind, says, **more):
    return {"kind": kind, "says": says} | more


def step(line, uses="", makes=None, of=0, **more):
    """A step; `makes` is a dict of names, a changed one has `!` before it."""
    made = [
        {"name": name.strip("!"), "what": what, "how": "changed" if name[0] == "!" else "new"}
        for name, what in (makes or {}).items()
    ]
    start = {"of": of, "line": line, "turn": 1, "turns": 1, "call": 1, "depth": 0}
    return start | {"uses": uses.split(), "makes": made} | more


def recording(name, lines, steps, given, **more):
    """One function, from line 1 on."""
    start = {
        "title": name,
        "call": ", ".join(f"{key} {tuple(x['shape'])}" for key, x in given.items() if "shape" in x),
    }
    start |= {"why": "the smallest call that fails", "left_out": [], "stages": STAGES, "facts": []}
    start["functions"] = [{"name": name, "first": 1, "lines": lines.strip("\n").split("\n")}]
    start["given"] = {"0": [{"name": key, "what": what} for key, what in given.items()]}
    return start | {"steps": steps} | more


def tup(*items):
    return thing("tuple", f"a tuple of {len(items)}", items=list(items))


GIVEN = {"Q": arr(Q[:3]), "K": arr(K), "V": arr(V)}
SCORES = Q[:3] @ K.T
SCALED = SCORES / 2
WEIGHTS = reference.softmax(SCALED)
ATTENTION = """
def attention(Q, K, V):
    scores = Q @ K.T
    scaled = scores / np.sqrt(K.shape[-1])
    weights = softmax(scaled)
    return weights @ V, weights
"""


def right():
    steps = [
        step(2, "Q K", {"scores": arr(SCORES, 0)}),
        step(3, "scores K", {"scaled": arr(SCALED, 1)}),
        step(4, "scaled", {"weights": arr(WEIGHTS, 2)}),
        step(5, "weights V", returns=tup(arr(WEIGHTS @ V, 3), arr(WEIGHTS, 2))),
    ]
    facts = ["Each of the course's four stages is one of your lines."]
    return recording("attention", ATTENTION, steps, GIVEN, facts=facts, why="I saw a saw")


def transposed():
    wrong = reference.softmax(SCALED.T).T
    steps = [
        step(2, "Q K", {"scores": arr(SCORES.T, 0, form="transposed")}),
        step(3, "scores K", {"scaled": arr(SCALED, 1)}),
        step(4, "scaled", {"weights": arr(wrong)}),
        step(5, "weights V", returns=tup(arr(wrong @ V), arr(wrong))),
    ]
    facts = [
        "The last line that is a stage is line 3: scaled scores.",
        "Line 4 makes (3, 4) whose columns each sum to 1.",
    ]
    return recording("attention", ATTENTION, steps, GIVEN, facts=facts)


def loop():
    code = """
def add_up(x):
    total = np.zeros(3)
    for i in range(len(x)):
        row = x[i] * 2
        total = total + row
    return total
"""
    x = RNG.normal(size=(64, 3))
    steps = [step(2, "", {"total": arr(np.zeros(3))})]
    for turn in (1, 2, 64):
        now = {"turn": turn, "turns": 64}
        steps.append(step(3, "x", {"i": num(turn - 1)}, **now))
        steps.append(step(4, "x i", {"row": arr(2 * x[turn - 1])}, **now))
        steps.append(step(5, "total row", {"total": arr(2 * x[:turn].sum(0))}, **now))
    steps.append(step(6, "total", returns=arr(2 * x.sum(0))))
    left = ["Turns 3 to 63 of lines 3, 4 and 5 are left out."]
    return recording("add_up", code, steps, {"x": arr(x)}, stages=[], left_out=left, why="")


def module():
    code = """
    def forward(self, x):
        batch, n, d = x.shape
        q = self.W_q(x).view(batch, n, self.h, d // self.h).transpose(1, 2)
        weights = torch.softmax(q @ q.transpose(-2, -1), dim=-1)
        return weights
"""
    x = RNG.normal(size=(2, 4, 6)).astype("float32")
    q = x.reshape(2, 4, 2, 3).swapaxes(1, 2)
    weights = reference.softmax(q @ q.swapaxes(-1, -2))
    tensor = {"kind": "tensor"}
    steps = [
        step(2, "x", {"batch": num(2), "n": num(4), "d": num(6)}),
        step(3, "self x batch n d", {"q": arr(q, **tensor)}),
        step(4, "q", {"weights": arr(weights, 0, **tensor)}),
        step(5, "weights", returns=arr(weights, 0, same="weights", **tensor)),
    ]
    given = {"self": thing("object", "a MultiHeadAttention"), "x": arr(x, **tensor)}
    lines = "\n".join(line[4:] for line in code.strip("\n").split("\n"))
    one = recording("MultiHeadAttention.forward", lines, steps, given, stages=["weights"])
    one["left_out"] = ["Gradients are left out."]
    return one


def helpers():
    """A function of the learner's that the answer calls twice."""
    code = """
def attention(Q, K, V):
    Q = shrink(Q, 2)
    K = shrink(K, 2)
    return Q @ K.T
"""
    ours = "def shrink(x, by):\n    # smaller numbers\n    small = x / by\n    return small"
    steps = []
    for call, name in enumerate("QK", 1):
        half = GIVEN[name] and arr(np.array(GIVEN[name]["numbers"]) / 2)
        steps.append(step(12, "x by", {"small": half}, of=1, depth=1, call=call))
        steps.append(step(13, "small", of=1, depth=1, call=call, returns=half))
        steps.append(step(call + 1, name, {name: half}))
    steps.append(step(4, "Q K", returns=arr(SCORES / 4, 1)))
    one = recording("attention", code, steps, GIVEN)
    one["functions"].append({"name": "shrink", "first": 10, "lines": ours.split("\n")})
    one["given"]["1"] = [{"name": "x", "what": GIVEN["Q"]}, {"name": "by", "what": num(2)}]
    return one


def raises():
    steps = [
        step(2, "Q K", {"scores": arr(SCORES, 0)}),
        step(
            3,
            "scores K",
            raises="ValueError: operands could not be broadcast together with shapes (3,4) (4,4) ",
        ),
    ]
    return recording("attention", ATTENTION.replace("np.sqrt(K.shape[-1])", "K"), steps, GIVEN)


def in_place():
    code = """
def blocked(scores, allowed):
    same = scores
    same[~allowed] = -np.inf
    scores /= 0
    return scores
"""
    allowed, low = np.tri(3, 4, dtype=bool), np.where(np.tri(3, 4), SCORES, -np.inf)
    odd = np.where(np.isfinite(low), np.nan, low)
    steps = [
        step(2, "scores", {"same": arr(SCORES, same="scores")}),
        step(3, "same allowed", {"!same": arr(low, same="scores"), "!scores": arr(low, same="same")}),
        step(4, "scores", {"!scores": arr(odd, same="same"), "!same": arr(odd, same="scores")}),
        step(5, "scores", returns=arr(odd, same="scores")),
    ]
    facts = ["Line 3 changed scores, which it was given.", "A nan is first there in line 4."]
    given = {"scores": arr(SCORES), "allowed": arr(allowed)}
    return recording("blocked", code, steps, given, stages=["scores", "masked scores"], facts=facts)


def kinds():
    """Everything that is no matrix, and what a page must not run."""
    code = """
def odd_things(x, y=None):
    name = "</script><script>hit=1</script>"
    html = f'<img src=x onerror="hit=1"> & {name!r} \\u2028'
    both = [x, name]
    table = {"a": 1}
    yes = x[0] > 0
    add = lambda a: a + 1
    empty, none = x[:0], None
    big = np.ones((2000, 2000)); flat = np.float64(1.5)
    print(name)
    return both
"""
    x = arr(np.array([0.5, -1e9, 123456.789, 1e-7, 0]))
    steps = [
        step(2, "", {"name": thing("text", "'</script><script>hit=1</script>'")}),
        step(3, "name", {"html": thing("text", "'<img src=x onerror=\"hit=1\"> & …'")}),
        step(4, "x name", {"both": thing("list", "a list of 2", items=[x, thing("text", "'</script>'")])}),
        step(5, "", {"table": thing("dict", "a dict with the key 'a'")}),
        step(6, "x", {"yes": {"kind": "flag", "type": "bool", "numbers": True}}),
        step(7, "", {"add": thing("function", "a function, add(a)")}),
        step(8, "x", {"empty": arr(np.zeros((0, 3))), "none": thing("nothing", "None")}),
        step(
            9,
            "",
            {
                "big": {
                    "kind": "array",
                    "shape": [2000, 2000],
                    "type": "float64",
                    "says": "too large to show",
                },
                "flat": arr(np.float64(1.5)),
            },
        ),
        step(10, "name"),
        step(
            11,
            "both",
            returns=thing("list", "a list of 2", items=[x, thing("text", "'</script>'")], same="both"),
        ),
    ]
    given = {"x": x, "y": thing("nothing", "None")}
    return recording("odd_things", code, steps, given, stages=[])


def long_lines(count=30, size=8):
    """Many lines, wide maps."""
    code = [f"def long_way({', '.join('abc')}):"]
    steps = []
    for k in range(count - 2):
        name, before = f"step_{k}", f"step_{k - 1}" if k else "a"
        line = (
            f"    {name} = np.tanh({before} @ b + {k}) / np.sqrt(1 + np.abs({before}).sum(-1, keepdims=True))"
        )
        code.append(line)
        made = arr(RNG.normal(size=(12, size + 4)), {0: 0, 12: 1}.get(k))
        steps.append(step(k + 2, f"{before} b", {name: made}))
    code.append(f"    return step_{count - 3}")
    steps.append(step(count, f"step_{count - 3}", returns=steps[-1]["makes"][0]["what"]))
    given = {key: arr(RNG.normal(size=(12, 12))) for key in "abc"}
    return recording("long_way", "\n".join(code), steps, given)


ALL = {
    "right": right, "transposed": transposed, "loop": loop, "module": module, "helpers": helpers,
    "raises": raises, "in_place": in_place, "kinds": kinds, "long": long_lines,
}  # fmt: skip
