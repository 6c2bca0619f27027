"""What a learner's cell prints and shows, caught inside its process and cut when there is too much."""

from typing import Any


class Outputs:
    """What a cell prints and shows, as a notebook stores it; cut when there is too much."""

    def __init__(self) -> None:
        self.most, self.count = 100_000, 1
        self.clear()

    def clear(self, *_: Any, **__: Any) -> None:
        """Begin with a new cell."""
        self.items: list[dict[str, Any]] = []
        self.left = self.most

    def stream(self, name: str, text: str) -> None:
        """Something was printed."""
        text = self._cut(text)
        if text and self.items and self.items[-1].get("name") == name:
            self.items[-1]["text"] += text
        elif text:
            self.items.append({"output_type": "stream", "name": name, "text": text})

    def shown(self, kind: str, data: dict[str, Any]) -> None:
        """Something was displayed, or is the value of the last line."""
        kept = {mime: self._cut(text) for mime, text in data.items() if isinstance(text, str)}
        if any(kept.values()):
            extra = {"execution_count": self.count} if kind == "execute_result" else {}
            self.items.append({"output_type": kind, "data": kept, "metadata": {}, **extra})

    def error(self, name: str, text: str, lines: list[str]) -> None:
        """The cell stopped with an error."""
        lines = [self._cut(line) for line in lines[-60:]]
        self.items.append({"output_type": "error", "ename": name, "evalue": text[:1000], "traceback": lines})

    def _cut(self, text: str) -> str:
        whole, self.left = len(text), self.left - len(text)
        if self.left >= 0:
            return text
        kept = text[: max(self.left + whole, 0)]
        return kept + "\n... output cut ..." if kept else ""


OUT = Outputs()


class _Stream:
    """Stands in for stdout or stderr."""

    encoding, errors, closed = "utf-8", "replace", False

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> int:
        OUT.stream(self.name, str(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True


STREAMS: Any = (_Stream("stdout"), _Stream("stderr"))
