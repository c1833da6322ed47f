"""A piece of C++ that the engine takes: it has to parse."""

from regrapht.source import syntax
from regrapht.transform.ir.names import refuse

SyntaxNode = syntax.SyntaxNode


class SourceText(syntax.SourceText):
    """Text, tree and line numbers. `first_line` is where the text begins in its file; a macro's text stands `within` that of the file.

    Raises:
        CannotTransform: It does not parse.
    """

    def __init__(self, text: str, first_line: int = 1, within: "SourceText | None" = None) -> None:
        super().__init__(text, first_line, within)
        if (line := self.error_line) is not None:
            raise refuse("this does not parse as C++", line)
