"""`std::vector` locals: buffers whose length is known when the function begins, with their fill as a loop of its own.

A buffer lives for the whole call. One that is declared inside a loop is filled anew in every turn, as the source does it. Turns then share
its memory, and so run one after the other.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Binary, Cast, Element, Expression, Number, Variable
from regrapht.transform.ir.scope import Pointer, Scope, refuse, require_set
from regrapht.transform.ir.statements import Allocate, Declare, Statement
from regrapht.transform.reader.kept_values import kept_length
from regrapht.transform.reader.ranges import copied, counting, distance, filled
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.expression_reader import ExpressionReader
    from regrapht.transform.reader.statement_reader import StatementReader

_VECTOR = re.compile(r"(?:std\s*::\s*)?vector\s*<(.*)>", re.S)
ZERO, ONE = Number("0", 0), Number("1", 1)


def element_type(type_text: str, aliases: Mapping[str, str]) -> str | None:
    """The text between the brackets of a vector's type, which may have a name of the file's; None for other types."""
    found = _VECTOR.fullmatch(aliases.get(type_text.strip(), type_text).strip())
    return None if found is None else found[1].strip()


def vector_local(
    reader: "StatementReader", type_text: str, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement] | None:
    """The declaration of a vector: its memory and what sets its elements. None for other types.

    Raises:
        CannotTransform: Its elements are no plain numbers, or its length is not given where it is declared.
    """
    elements = element_type(type_text, reader.expressions.aliases)
    if elements is None:
        return None
    source, line = reader.source, reader.source.line(declarator)
    arguments = value
    if declarator.type == "function_declarator":  # `std::vector<float> a(n);` also declares a function
        arguments, declarator = (
            declarator.child_by_field_name("parameters"),
            declarator.child_by_field_name("declarator"),
        )
    written = source.text(declarator)
    if declarator.type == "identifier" and (arguments is None or source.text(arguments) == "{}"):
        scope.names[written] = Pointer("", length=ZERO, unset=elements)
        return []
    made = "" if arguments is None else source.text(arguments)
    if arguments is not None and arguments.type in (
        "identifier",
        "call_expression",
    ):  # `= other` or `= std::move(other)`
        made = f"({made})"
    elif arguments is None or arguments.type not in ("argument_list", "parameter_list"):
        made = ""
    if declarator.type != "identifier" or not made:
        raise refuse(f"the vector '{written}' without a length", line, "give it its length where it is declared")
    type_name = reader.expressions.type_name(elements, line, f"the elements of '{written}'")
    inner, given = _arguments(reader, made, line)
    name = reader.names.unique(written)
    reader.types[name] = type_name

    def placed(length: Expression) -> Pointer:
        scope.names[written] = Pointer(name, length=length)
        return Pointer(name)

    places = [inner.pointer(node, scope) for node in given]
    before: list[Statement] = []
    if len(given) == 1 and places[0] is not None and places[0].length is not None:
        length = places[0].length
        setting = copied(reader, places[0], placed(length), length, line)
    elif len(given) == 2 and places[0] is not None and places[1] is not None:
        before, length = kept_length(reader, name, distance(places[0], places[1], line), line)
        setting = copied(reader, places[0], placed(length), length, line)
    elif len(given) in (1, 2):
        before, length = kept_length(reader, name, inner.read(given[0], scope), line)
        element = inner.read(given[1], scope) if len(given) == 2 else ZERO
        setting = filled(reader, placed(length), length, element, line)
    else:
        raise refuse(f"the vector '{written}' made of '{made}'", line, "give it a length")
    reader.names.buffers[name] = length
    return [*before, Allocate(type_name, name, length, line), setting]


def _arguments(reader: "StatementReader", text: str, line: int) -> "tuple[ExpressionReader, list[SyntaxNode]]":
    """What is in the brackets behind a vector's name, read as expressions, and the reader for it."""
    source = SourceText(f"auto given = made{text};", line, reader.source)
    outer = reader.expressions
    inside = outer.within(source)
    nodes = source.first("argument_list").named_children
    return inside, [node for node in nodes if node.type != "comment"]


def method_place(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place that `v.data()`, `v.begin()` or `v.end()`, or `p.get()` of a smart pointer, points to; None for other calls."""
    vector, method, arguments = _method(reader, node, scope)
    if vector is not None and vector.length is None and method == "get" and not arguments:
        return vector
    if vector is None or vector.length is None:
        return None
    if method in ("data", "begin", "cbegin"):
        require_set(vector, reader.source.text(node), reader.source.line(node))
        return Pointer(vector.array)
    return Pointer(vector.array, offset=vector.length) if method in ("end", "cend") else None


def method_value(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Expression | None:
    """The value of `v.size()`, `v.front()`, `v.back()` or `v.at(i)`; None for other calls."""
    vector, method, arguments = _method(reader, node, scope)
    if vector is None or vector.length is None or vector.unset:
        return None
    match method, len(arguments):
        case "size", 0:
            return Cast("unsigned long long", vector.length)
        case "front", 0:
            return Element(vector.array, (ZERO,))
        case "back", 0:
            return Element(vector.array, (Binary("-", vector.length, ONE),))
        case "at", 1:
            return Element(vector.array, (reader.read(arguments[0], scope),))
    return None


def method_statement(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """`v.assign(n, x)` or `v.resize(n)` for the length that the vector has, or for its first one; `a.fill(x)` for a `std::array`.

    None for other calls.
    """
    vector, method, arguments = _method(reader.expressions, node, scope)
    line = reader.source.line(node)
    if vector is not None and vector.unset and vector.length is not None:
        return _first_length(reader, node, vector, method, arguments, scope)
    if vector is not None and vector.length is not None and method == "resize" and len(arguments) == 1:
        _require_length(vector, reader.expressions.read(arguments[0], scope), line)
        return []
    if vector is not None and vector.length is not None and method == "fill" and len(arguments) == 1:
        element = reader.expressions.read(arguments[0], scope)
        return [filled(reader, Pointer(vector.array), vector.length, element, line)]
    if vector is None or vector.length is None or method != "assign" or len(arguments) != 2:
        return None
    length, element = (reader.expressions.read(argument, scope) for argument in arguments)
    _require_length(vector, length, line)
    return [filled(reader, Pointer(vector.array), length, element, line)]


def _first_length(
    reader: "StatementReader", node: SyntaxNode, vector: Pointer, method: str, arguments: list[SyntaxNode], scope: Scope
) -> list[Statement]:
    """What gives a vector its length that was declared without one."""
    line, written = (
        reader.source.line(node),
        reader.source.text(node.child_by_field_name("function")).split(".")[0].strip(),
    )
    if method == "reserve":
        return []
    if method not in ("resize", "assign") or not len(arguments) <= 2 or (method == "assign" and len(arguments) != 2):
        raise refuse(f"the vector '{written}' without a length", line, "give it its length where it is declared")
    type_name = reader.expressions.type_name(vector.unset, line, f"the elements of '{written}'")
    given, *rest = (reader.expressions.read(argument, scope) for argument in arguments)
    name = reader.names.unique(written)
    before, length = kept_length(reader, name, given, line)
    reader.types[name] = type_name
    reader.names.buffers[name] = length
    scope.rebind(written, Pointer(name, length=length))
    return [
        *before,
        Allocate(type_name, name, length, line),
        filled(reader, Pointer(name), length, rest[0] if rest else ZERO, line),
    ]


def assigned_vector(reader: "StatementReader", vector: Pointer, right: SyntaxNode, scope: Scope) -> list[Statement]:
    """`v = w` for two vectors of one length.

    Raises:
        CannotTransform: The right side is none.
    """
    line, place = reader.source.line(right), reader.expressions.pointer(right, scope)
    if place is None or place.length is None or vector.unset:
        raise refuse(f"a vector is set to '{reader.source.text(right)}'", line, "copy its elements in a loop")
    _require_length(vector, place.length, line)
    return [copied(reader, Pointer(place.array), Pointer(vector.array), place.length, line)]


def range_loop(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    """`for (float x : v)` over a vector, as a loop that counts.

    Raises:
        CannotTransform: It goes over something else.
    """
    source, line = reader.source, reader.source.line(node)
    whole, declarator = node.child_by_field_name("right"), node.child_by_field_name("declarator")
    place = reader.expressions.pointer(whole, scope)
    if place is None or place.length is None:
        raise refuse(f"a loop over '{source.text(whole)}'", line, "count its elements: for (int i = 0; i < n; ++i)")
    inside = scope.inner()
    counter = reader.declare_loop(reader.names.unique("place"), "long long", inside)
    element = Element(place.array, (Variable(counter),))
    reader.open_loops.append(counter)
    first: list[Statement] = []
    if declarator.type == "reference_declarator":
        inside.names[source.text(declarator.named_children[-1])] = element
    else:
        written, told = source.text(declarator), source.text(node.child_by_field_name("type"))
        kind = reader.types[place.array]
        kind = kind if told == "auto" else reader.expressions.type_name(told, line, f"'{written}'")
        first = [Declare(kind, reader.declare(written, kind, inside), element, line)]
    body = [*first, *reader.loop_body(node, inside)]
    reader.open_loops.pop()
    return [counting(counter, place.length, body, line)]


def _method(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> tuple[Pointer | None, str, list[SyntaxNode]]:
    """The vector whose method is called, the method's name and its arguments."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return None, "", []
    held = function.child_by_field_name("argument")
    found = scope.find(reader.source.text(held)) if held.type == "identifier" else None
    arguments = [n for n in node.child_by_field_name("arguments").named_children if n.type != "comment"]
    vector = found if isinstance(found, Pointer) and function.child_by_field_name("operator").type == "." else None
    return vector, reader.source.text(function.child_by_field_name("field")), arguments


def _require_length(vector: Pointer, length: Expression, line: int) -> None:
    if vector.length != length:
        raise refuse("a vector gets another length", line, "declare it with the length that it needs")
