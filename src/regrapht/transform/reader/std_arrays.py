"""`std::array`: a local array whose name is a value, with its methods; one that never changes is a table of the program."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Number, integer
from regrapht.transform.ir.scope import Pointer, Scope, refuse
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.initial_values import unwrapped
from regrapht.transform.reader.ranges import copied
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.expression_reader import ExpressionReader
    from regrapht.transform.reader.statement_reader import StatementReader

_ARRAY = re.compile(r"(?:std\s*::\s*)?array\s*<(.*),([^,]*)>", re.S)


def array_type(
    reader: "ExpressionReader", type_text: str, scope: Scope, line: int
) -> tuple[str, tuple[int, ...]] | None:
    """The type of the elements and the lengths of a `std::array`, of arrays too; None for other types.

    Raises:
        CannotTransform: A length is no known number, or the elements are no plain numbers.
    """
    found = array_parts(type_text, reader.aliases)
    if found is None:
        return None
    source = SourceText(f"auto length = {found[1]};", line, reader.source)
    inside = reader.within(source)
    length = integer(inside.read(source.first("init_declarator").child_by_field_name("value"), scope))
    if length is None:
        raise refuse(f"the length of '{type_text}'", line, "give it a constant length")
    inner = array_type(reader, found[0], scope, line)
    if inner is not None:
        return inner[0], (length, *inner[1])
    return reader.type_name(found[0], line, f"the elements of '{type_text}'"), (length,)


def array_parts(type_text: str, aliases: Mapping[str, str]) -> tuple[str, str] | None:
    """The texts of the elements' type and of the length; None for other types."""
    words = re.sub(r"^(?:(?:const|constexpr|static)\s+)+", "", type_text.strip())
    found = _ARRAY.fullmatch(aliases.get(words, words).strip())
    return None if found is None else (found[1].strip(), found[2].strip())


def array_local(
    reader: "StatementReader", node: SyntaxNode, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement] | None:
    """The declaration of a `std::array`; None for other types.

    Raises:
        CannotTransform: It is set to something else than values or another array of its type.
    """
    source, line = reader.source, reader.source.line(node)
    of = array_type(reader.expressions, source.text(node.child_by_field_name("type")), scope, line)
    if (
        of is not None and declarator.type == "function_declarator"
    ):  # `std::array<float, 3> a(b);` also declares a function
        value, declarator = (declarator.child_by_field_name(name) for name in ("parameters", "declarator"))
    if of is None or declarator.type != "identifier":
        return None
    written = source.text(declarator)
    local = Declare(of[0], written, None, line, of[1])
    other = None if value is None or value.type == "initializer_list" else _named_array(reader, value, scope)
    if other is not None:
        return copy_of(reader, other, written, local, scope)
    out = reader.local_array(node, local, None if value is None else unwrapped(value, len(of[1])), scope)
    bound = scope.names[written]
    assert isinstance(bound, Pointer)
    scope.names[written] = replace(bound, length=_number(of[1][0]))
    return out


def copy_of(reader: "StatementReader", other: Pointer, written: str, local: Declare, scope: Scope) -> list[Statement]:
    """A new local array with the elements of another one.

    Raises:
        CannotTransform: The other one has another shape, or rows.
    """
    length = _number(local.lengths[0])
    if len(local.lengths) != 1 or other.length != length:
        raise refuse(f"the array '{written}' is a copy", local.line, "copy its elements in loops")
    name = reader.names.unique(local.name)
    reader.types[name] = local.type
    scope.names[written] = Pointer(name, 1, length=length)
    return [replace(local, name=name), copied(reader, Pointer(other.array), Pointer(name), length, local.line)]


def _named_array(reader: "StatementReader", value: SyntaxNode, scope: Scope) -> Pointer | None:
    if value.type in ("argument_list", "parameter_list") and len(value.named_children) == 1:
        value = value.named_children[0]
    found = scope.find(reader.source.text(value))
    return found if isinstance(found, Pointer) and found.length is not None else None


def _number(value: int) -> Number:
    return Number(str(value), value)
