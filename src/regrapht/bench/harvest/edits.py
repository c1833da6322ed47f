"""Changes to a text by places of its syntax tree, made all at once so that places stay valid."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


class Edits:
    """Replacements in one text. Places are bytes of its UTF-8, as tree-sitter counts them."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "replace")
        self._changes: list[tuple[int, int, str]] = []

    def replace(self, node: "Node", text: str) -> None:
        """Put `text` in the place of a node; an outer replacement wins over those inside it."""
        self._changes.append((node.start_byte, node.end_byte, text))

    def replace_span(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of the bytes from `start` to `end`."""
        self._changes.append((start, end, text))

    def remove(self, node: "Node") -> None:
        """Take a node out, with the rest of its line where nothing else stands on that."""
        end = node.end_byte
        while end < len(self._data) and self._data[end : end + 1] in (b" ", b"\t"):
            end += 1
        start = node.start_byte
        while start > 0 and self._data[start - 1 : start] in (b" ", b"\t"):
            start -= 1
        alone = (start == 0 or self._data[start - 1 : start] == b"\n") and self._data[end : end + 1] == b"\n"
        self._changes.append((start, end + 1, "") if alone else (node.start_byte, node.end_byte, ""))

    def insert(self, place: int, text: str) -> None:
        """Put `text` before the byte `place`."""
        self._changes.append((place, place, text))

    def apply(self) -> str:
        """The changed text."""
        made, at = bytearray(), 0
        for start, end, text in sorted(self._changes, key=lambda change: (change[0], -change[1])):
            if start < at:
                continue  # inside what was replaced as a whole
            made += self._data[at:start] + text.encode("utf-8", "replace")
            at = end
        return (bytes(made) + self._data[at:]).decode("utf-8", "replace")
