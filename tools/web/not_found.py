"""The page for addresses that lead nowhere: one file, since it is shown at any of them."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from helpers.units import TITLES

FILE = "404.html"

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>There is no such page - $name</title>
<link rel="icon" href="data:image/svg+xml,$icon">
<style>
:root { color-scheme: light dark; --link: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --link: #6cbcec; } }
body { max-width: 40rem; margin: 10vh auto 4rem; padding: 0 1.25rem; font: 1.0625rem/1.65 system-ui, sans-serif; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2.2vw, 2.45rem); line-height: 1.12; letter-spacing: -0.015em; text-wrap: balance; }
a { color: var(--link); }
ol { padding-left: 0; list-style: none; }
li a { display: inline-block; padding: 0.2rem 0; }
form { display: flex; gap: 0.5rem; margin: 1.5rem 0; }
input, button { font: inherit; min-height: 2.75rem; padding: 0 0.9rem; border: 1px solid GrayText; border-radius: 0.5rem; }
input { flex: 1; min-width: 0; }
button { border-color: var(--link); background: none; color: var(--link); font-weight: 600; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>This query found no key</h1>
<p>There is no page at this address. It may have another name now: search for it, or begin at the
<a href="$home">first page of the course</a>.</p>
<form action="${home}search.html" role="search"><input type="search" name="q" aria-label="Search the course"
placeholder="softmax, causal mask, ..."> <button>Search</button></form>
<h2>The units</h2>
<ol>
$units
</ol>
</main>
</body>
</html>
""")


def page(name: str, home: str, units: Iterable[str], icon: str) -> str:
    """The page; its links are whole addresses, since it may stand in for one in any folder.

    Args:
        name: of the site.
        home: where the site begins, with a slash at its end.
        units: those that are written.
        icon: the tab's, as SVG.
    """
    from urllib.parse import quote

    rows = "\n".join(
        f'<li><a href="{home}notebooks/{unit}/{unit}.html">Unit {unit[:2]}: {escape(TITLES[unit])}</a></li>'
        for unit in units
    )
    return _PAGE.substitute(name=escape(name), home=home, units=rows, icon=quote(icon))


def write(site: Path, name: str, home: str, units: Iterable[str]) -> None:
    """Put it where web servers look for it."""
    icon = (site / "_static" / "favicon.svg").read_text("utf-8")
    (site / FILE).write_text(page(name, home, units, icon), "utf-8")
