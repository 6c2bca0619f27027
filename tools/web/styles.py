"""Style sheets are swept: a rule for elements and classes that no page of the site has is left out.

The theme brings all of Bootstrap and of Font Awesome. What stands in a page or in a script may be used, so a
rule stays unless each of its selectors names an element, a class or an id that stands in neither; so does a
variable that is read somewhere.
"""

import re
from pathlib import Path

import tinycss2

_NESTED = {"media", "supports", "layer", "container"}
_NAMES = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
_ELEMENTS = re.compile(r"(?:^|[\s>+~])([a-z][a-z0-9]*)")
_TAG = re.compile(r"<([a-z][a-z0-9]*)")
_READ = re.compile(r"var\(\s*(--[\w-]+)")
_SET = re.compile(r"(?<=[{;])\s*(--[\w-]+)\s*:[^;{}\"']*(?:;|(?=\}))")
_EMPTY = re.compile(r"(?<=[{};])[^{};@]*\{\s*\}|^[^{};@]*\{\s*\}")
_TOKEN = re.compile(r'<span class="([a-z][a-z0-9]{0,2})">([^<]*)</span>')
_ATTRIBUTE = re.compile(r"""(?:class|id)=(?:"([^"]*)"|'([^']*)')""")
_WORD = re.compile(r"-?[A-Za-z_][\w-]*")


def names(page: str) -> set[str]:
    """Every element, class and id of a page."""
    given = {name for found in _ATTRIBUTE.findall(page) for name in (found[0] or found[1]).split()}
    return given | set(_TAG.findall(page))


def words(script: str) -> set[str]:
    """Every word of a script: each could be the name of a class that it gives."""
    return set(_WORD.findall(script))


def swept(sheet: str, known: set[str]) -> str:
    """A style sheet without the rules, and the parts of selectors, that nothing can match."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    return "".join(filter(None, (_rule(rule, known) for rule in rules)))


def _rule(rule: tinycss2.ast.Node, known: set[str]) -> str:
    if rule.type == "qualified-rule":
        prelude = tinycss2.serialize(rule.prelude)
        wanted = [one.strip() for one in _apart(prelude) if _matches(one, known)]
        content = tinycss2.serialize(rule.content).strip()
        return f"{','.join(wanted)}{{{content}}}" if wanted and content else ""
    if rule.type == "at-rule" and rule.lower_at_keyword in _NESTED and rule.content is not None:
        inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        kept = "".join(_rule(one, known) for one in inside)
        head = tinycss2.serialize(rule.prelude).strip()
        return f"@{rule.at_keyword} {head}{{{kept}}}" if kept else ""
    if rule.type == "at-rule" and rule.lower_at_keyword == "font-face" and "Font Awesome" in rule.serialize():
        return ""
    return rule.serialize()


def _apart(prelude: str) -> list[str]:
    """The selectors of a list: a comma in brackets parts nothing."""
    parts, depth = [""], 0
    for sign in prelude:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _matches(selector: str, known: set[str]) -> bool:
    plain = re.sub(r"\[[^\]]*\]|\\.|\([^()]*\)|\([^()]*\([^()]*\)[^()]*\)", "", selector)
    wanted = _NAMES.findall(plain) + _ELEMENTS.findall(re.sub(r":[\w-]+", "", plain))
    return all(name in known for name in wanted)


def without_idle_variables(sheets: dict[Path, str], elsewhere: str) -> dict[Path, str]:
    """Style sheets that set no variable which neither they nor what stands elsewhere reads."""
    known = set(re.findall(r"--[\w-]+", elsewhere))
    while True:
        read = known.union(*(_READ.findall(sheet) for sheet in sheets.values()))
        fewer = {path: _less(sheet, read) for path, sheet in sheets.items()}
        if fewer == sheets:
            return sheets
        sheets = fewer


def _less(sheet: str, read: set[str]) -> str:
    return _EMPTY.sub("", _SET.sub(lambda found: found[0] if found[1] in read else "", sheet))


def sweep(site: Path) -> None:
    """Sweep the sheets of a built site, and take away what only makers of themes look at."""
    static = site / "_static"
    for path in (*static.rglob("*.map"), *static.rglob("*fontawesome*"), *static.rglob("bootstrap.js*")):
        if path.is_file():
            path.unlink()
    pages = [path.read_text("utf-8") for path in site.rglob("*.html")]
    scripts = [path.read_text("utf-8") for path in static.rglob("*.js")]
    known = set[str]().union(*map(names, pages), *map(words, scripts))
    sheets = {path: swept(path.read_text("utf-8"), known) for path in static.rglob("*.css")}
    for path, sheet in without_idle_variables(sheets, "\n".join(pages + scripts)).items():
        path.write_text(sheet, "utf-8")


def coloured(sheet: str) -> set[str]:
    """The kinds of words that a sheet for code shows differently from code as such."""
    plain = set(re.findall(r"\.highlight ?\{[^}]*[ ;]color: *([^;} ]+)", sheet))
    kinds = re.findall(r"\.highlight \.(\w+) ?\{ *([^}]*?) *\}", sheet)
    return {kind for kind, look in kinds if look.removeprefix("color:").strip() not in plain}


def without_idle_spans(page: str, kinds: set[str]) -> str:
    """A page whose code has elements for these kinds of words alone."""
    return _TOKEN.sub(lambda found: found[0] if found[1] in kinds else found[2], page)
