"""Values that are asked for once and used later: an index of a pointer, the length of memory. Names in them may change in between."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Element, Expression, Variable, walk
from regrapht.transform.ir.statements import Declare, Statement

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader


def stays(reader: "StatementReader", offset: Expression) -> bool:
    """Whether an index has one value as long as its names are in sight."""
    return not any(
        isinstance(part, Element) or (isinstance(part, Variable) and part.name in reader.mutable)
        for part in walk(offset)
    )


def kept_length(
    reader: "StatementReader", array: str, length: Expression, line: int
) -> tuple[list[Statement], Expression]:
    """The length that new memory has for as long as it lives: a local of its own where names in it get other values."""
    if stays(reader, length):
        return [], length
    name = reader.names.unique(f"{array}_length")
    reader.types[name] = "long long"
    return [Declare("long long", name, length, line)], Variable(name)
