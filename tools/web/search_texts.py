"""What the search quotes: the words of each article, beside its page, since whole pages weigh far more."""

import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from helpers.verdict.drawn import RIGHT


def write(site: Path) -> None:
    """Put the words of its article beside each page."""
    for page in site.rglob("*.html"):
        article = BeautifulSoup(page.read_text("utf-8"), "html.parser").find("article")
        if article:
            page.with_suffix(".txt").write_text(words(article), "utf-8")


def words(article: Tag) -> str:
    """The text of an article in its sections, where Sphinx's search looks for it."""
    unread = "script, style, h1, details, .headerlink, .toctree-wrapper, .katex-html, annotation, .badge-of, "
    unread += ".output, .workplaces, .yours, .answer, .begin, #live, article > section > blockquote, "
    unread += f'[style*="{RIGHT}"]'
    for part in article.select(unread):
        part.decompose()
    for part in article.find_all(True):
        if part.name == "section":
            part.attrs = {"id": part.get("id", "")}
        else:
            part.unwrap()
    text = re.sub(r"\s+", " ", article.decode_contents())
    return f'<div role="main">{text}</div>'
