"""The inventory on a notebook's page: its questions, and one line of letters that they come to."""

import html
from dataclasses import dataclass

from helpers.concept_inventory.items import Item, questions

LETTERS = "abcd"
NO_ANSWER = "-"
ASKED = (
    "{} questions, a little more than a minute each. Choose one answer each, or none where you do not know."
)
_SCRIPT = """
(() => {
  const form = document.currentScript.previousElementSibling, line = form.querySelector("input[type=text]");
  const said = form.querySelector("[role=status]"), names = [...form.querySelectorAll("fieldset")];
  const tell = () => {
    const letters = names.map((one) => one.querySelector("input:checked")?.value ?? "-");
    line.value = form.dataset.call.replace("...", letters.join(""));
    const left = letters.filter((one) => one === "-").length;
    said.textContent = left ? `${left} of ${letters.length} are open.` : "All are answered.";
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
    """What a notebook shows of the inventory.

    Attributes:
        until: the last unit that it asks about; `None` for all.
    """

    until: str | None = None

    def __repr__(self) -> str:
        asked = questions(self.until)
        rows = [f"{ASKED.format(len(asked))} Then run {self._call} with your letters, - for none."]
        for number, (item, choices) in enumerate(asked, start=1):
            rows.append(f"\n{number}. {item.asks}")
            rows += [f"   {letter}) {text}" for letter, text in zip(LETTERS, choices, strict=True)]
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        asked = questions(self.until)
        body = "".join(
            _question(f"inventory-{self.until}-{item.id}", number, item, choices)
            for number, (item, choices) in enumerate(asked, start=1)
        )
        end = (
            '<p class="line" hidden><label>Put this line into the cell in place of what stands there, and '
            'run it: <input type="text" readonly size="60" style="max-width: 100%; font: 1em ui-monospace, '
            'monospace"></label> <button type="button">Copy</button> <span role="status"></span></p>'
        )
        call = html.escape(self._call)
        by_hand = f"<noscript><p>Run <code>{call}</code> with your letters.</p></noscript>"
        head = f'<form data-call="{call}" style="max-width: 50em"><p>{ASKED.format(len(asked))}</p>'
        title = '<summary style="cursor: pointer">Open the questions</summary>'
        folded = f"<details>{title}{body}{end}</details>"
        return f"{head}{folded}{by_hand}</form><script>{_SCRIPT}</script>"

    @property
    def _call(self) -> str:
        """What is run with letters in place of the dots."""
        return 'inventory("...")' if self.until is None else f'inventory("...", until="{self.until}")'


def _question(name: str, number: int, item: Item, choices: list[str]) -> str:
    rows = "".join(
        f'<label style="display: block; padding: 2px 0"><input type="radio" name="{name}" value="{letter}"> '
        f"<b>{letter}</b>&ensp;{html.escape(text)}</label>"
        for letter, text in zip(LETTERS, choices, strict=True)
    )
    frame = "border: 0; border-top: 1px solid rgba(128, 128, 128, 0.35); margin: 0; padding: 6px 0"
    legend = f'<legend style="font-weight: 600">{number}. {html.escape(item.asks)}</legend>'
    return f'<fieldset style="{frame}">{legend}{rows}</fieldset>'
