"""A form of the inventory on a notebook's page: 24 questions, and one line of letters that they come to."""

import html
from dataclasses import dataclass

from helpers.concept_inventory.forms import LETTERS, form
from helpers.concept_inventory.items import Item, read

ASKED = (
    "24 questions; allow half an hour. Choose one answer each, or none where you do not know. "
    "Nothing is told yet of what is right, since the same questions come again."
)
_SCRIPT = """
(() => {
  const form = document.currentScript.previousElementSibling, line = form.querySelector("input[type=text]");
  const said = form.querySelector("[role=status]"), names = [...form.querySelectorAll("fieldset")];
  const tell = () => {
    const letters = names.map((one) => one.querySelector("input:checked")?.value ?? "-");
    line.value = `inventory("${form.dataset.when}", "${letters.join("")}")`;
    const left = letters.filter((one) => one === "-").length;
    said.textContent = left ? `${left} of 24 are open.` : "All are answered.";
  };
  form.addEventListener("change", tell);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.querySelector("button").addEventListener("click", () => {
    line.select();
    navigator.clipboard?.writeText(line.value);
  });
  form.querySelector(".line").hidden = false;
  tell();
})();
"""


@dataclass(frozen=True)
class Sheet:
    """What a notebook shows of a form.

    Attributes:
        when: `"before"` or `"after"`.
    """

    when: str

    def __repr__(self) -> str:
        rows = [f"{ASKED} Then run inventory({self.when!r}, ...) with your 24 letters in quotes, - for none."]
        for number, (item, choices) in enumerate(questions(self.when), start=1):
            rows.append(f"\n{number}. {item.asks}")
            rows += [f"   {letter}) {text}" for letter, text in zip(LETTERS, choices, strict=True)]
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        body = "".join(
            _question(self.when, number, item, choices)
            for number, (item, choices) in enumerate(questions(self.when), start=1)
        )
        end = (
            '<p class="line" hidden><label>Put this line into the cell in place of what stands there, and '
            'run it: <input type="text" readonly size="46" style="max-width: 100%; font: 1em ui-monospace, '
            'monospace"></label> <button type="button">Copy</button> <span role="status"></span></p>'
        )
        run = f'<code>inventory("{self.when}", "...")</code>'
        by_hand = f"<noscript><p>Run {run} with your 24 letters.</p></noscript>"
        head = f'<form data-when="{self.when}" style="max-width: 50em"><p>{html.escape(ASKED)}</p>'
        title = '<summary style="cursor: pointer">Open the questions</summary>'
        folded = f"<details>{title}{body}{end}</details>"
        return f"{head}{folded}{by_hand}</form><script>{_SCRIPT}</script>"


def questions(when: str) -> list[tuple[Item, list[str]]]:
    """The questions of a form, each with its choices in the form's order.

    Raises:
        UnknownName: when there is no such form.
    """
    items = read()
    return [(items[at], [items[at].choices[i] for i in order]) for at, order in form(when)]


def _question(when: str, number: int, item: Item, choices: list[str]) -> str:
    name = f"inventory-{when}-{item.id}"
    rows = "".join(
        f'<label style="display: block; padding: 2px 0"><input type="radio" name="{name}" value="{letter}"> '
        f"<b>{letter}</b>&ensp;{html.escape(text)}</label>"
        for letter, text in zip(LETTERS, choices, strict=True)
    )
    frame = "border: 0; border-top: 1px solid rgba(128, 128, 128, 0.35); margin: 0; padding: 6px 0"
    legend = f'<legend style="font-weight: 600">{number}. {html.escape(item.asks)}</legend>'
    return f'<fieldset style="{frame}">{legend}{rows}</fieldset>'
