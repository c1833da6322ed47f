"""`std::vector` locals: buffers whose length is known when the function begins, with their fill as a loop of its own.

A buffer lives for the whole call. One that is declared inside a loop is filled anew in every turn, as the source does it. Turns then share
its memory, and so run one after the other.
"""

import re
from collections.abc import Mapping

from regrapht.transform.ir.expressions import ONE, ZERO, Binary, Cast, Element, Expression
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Allocate, Statement, Struct
from regrapht.transform.reader.callees import arguments_of, parts_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.grown_vectors import grown
from regrapht.transform.reader.heap import kept_length
from regrapht.transform.reader.ranges import copied, distance, filled
from regrapht.transform.reader.scope import Pointer, Scope, require_set
from regrapht.transform.reader.struct_values import default_of
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

_VECTOR = re.compile(r"(?:std\s*::\s*)?vector\s*<(.*)>", re.S)


def element_type(type_text: str, aliases: Mapping[str, str]) -> str | None:
    """The text between the brackets of a vector's type, which may have a name of the file's; None for other types."""
    found = _VECTOR.fullmatch(aliases.get(type_text.strip(), type_text).strip())
    return None if found is None else found[1].strip()


def vector_local(
    context: Context, type_text: str, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement] | None:
    """The declaration of a vector: its memory and what sets its elements. None for other types.

    Raises:
        CannotTransform: Its elements are no plain numbers, or its length is not given where it is declared.
    """
    elements = element_type(type_text, context.aliases)
    if elements is None:
        return None
    source, line = context.source, context.source.line(declarator)
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
        "subscript_expression",
    ):  # `= other`, `= std::move(other)` or `= rows[i]`
        made = f"({made})"
    elif arguments is None or arguments.type not in ("argument_list", "parameter_list"):
        made = ""
    if declarator.type != "identifier" or not made:
        raise refuse(f"the vector '{written}' without a length", line, "give it its length where it is declared")
    inner, given = _arguments(context, made, line)
    if (of_rows := element_type(elements, context.aliases)) is not None:
        return _rows_local(context, written, of_rows, inner, given, scope, line)
    if (struct := context.structs.named(elements, context.aliases)) is not None:
        return _structs_local(context, written, struct, inner, given, scope, line)
    type_name = context.type_name(elements, line, f"the elements of '{written}'")
    name = context.fresh(written, type_name)

    def placed(length: Expression) -> Pointer:
        scope.names[written] = Pointer(name, length=length)
        return Pointer(name)

    places = [inner.pointer(node, scope) for node in given]
    before: list[Statement] = []
    if len(given) == 1 and places[0] is not None and places[0].length is not None:
        length = places[0].length
        setting = copied(context, places[0], placed(length), length, line)
    elif len(given) == 2 and places[0] is not None and places[1] is not None:
        before, length = kept_length(context, name, distance(places[0], places[1], line), line)
        setting = copied(context, places[0], placed(length), length, line)
    elif len(given) in (1, 2):
        before, length = kept_length(context, name, inner.read(given[0], scope), line)
        element = inner.read(given[1], scope) if len(given) == 2 else ZERO
        setting = filled(context, placed(length), length, element, line)
    else:
        raise refuse(f"the vector '{written}' made of '{made}'", line, "give it a length")
    context.names.buffers[name] = length
    return [*before, Allocate(type_name, name, length, line), setting]


def _structs_local(
    context: Context, written: str, struct: Struct, inner: Context, given: list[SyntaxNode], scope: Scope, line: int
) -> list[Statement]:
    """A vector of structs of numbers, `v(n)`: a buffer for each field, which begins with what the struct says.

    Raises:
        CannotTransform: It is made in another way, or its structs hold more than numbers.
    """
    remedy = "give it its length alone, and set its elements in a loop"
    if (
        len(given) != 1
        or inner.pointer(given[0], scope) is not None
        or context.structs.functions(struct.name, struct.name)
    ):
        raise refuse(f"the vector of structs '{written}'", line, remedy)
    if any(field.lengths or field.is_pointer for field in struct.fields):
        raise refuse(f"'{written}' is a vector of structs with arrays inside", line, "use one array for each")
    name = context.fresh(written, struct.name)
    out, length = kept_length(context, name, inner.read(given[0], scope), line)
    context.structs.of_buffer[name] = struct
    scope.names[written] = Pointer(name, length=length)
    for field in struct.fields:
        buffer = context.fresh(f"{written}_{field.name}", field.type)
        context.structs.buffers[name, field.name] = buffer
        context.names.buffers[buffer] = length
        first = default_of(context, struct, field.name, line)
        assert isinstance(first, Expression)
        out += [Allocate(field.type, buffer, length, line), filled(context, Pointer(buffer), length, first, line)]
    return out


def _rows_local(
    context: Context,
    written: str,
    elements: str,
    inner: Context,
    given: list[SyntaxNode],
    scope: Scope,
    line: int,
) -> list[Statement]:
    """A vector of vectors of one length, `v(n, std::vector<float>(m, x))`: one buffer, row behind row.

    Raises:
        CannotTransform: Its rows are made in another way, or hold no plain numbers.
    """
    row = given[1] if len(given) == 2 and given[1].type == "call_expression" else None
    made = (
        None if row is None else element_type(inner.source.text(row.child_by_field_name("function")), context.aliases)
    )
    values = arguments_of(row) if made is not None and row is not None else []
    if made != elements or len(values) not in (1, 2) or any(inner.pointer(one, scope) for one in (given[0], values[0])):
        remedy = f"give all rows their length where it is declared: (n, std::vector<{elements}>(m))"
        raise refuse(f"the vector of vectors '{written}'", line, remedy)
    type_name = context.type_name(elements, line, f"the elements of '{written}'")
    name = context.fresh(written, type_name)
    before, count = kept_length(context, name, inner.read(given[0], scope), line)
    also, width = kept_length(context, name, inner.read(values[0], scope), line)
    element = inner.read(values[1], scope) if len(values) == 2 else ZERO
    length = Binary("*", Cast("long long", count), width)
    scope.names[written] = Pointer(name, length=count, width=width)
    context.names.buffers[name] = length
    setting = filled(context, Pointer(name), length, element, line)
    return [*before, *also, Allocate(type_name, name, length, line), setting]


def _arguments(context: Context, text: str, line: int) -> "tuple[Context, list[SyntaxNode]]":
    """What is in the brackets behind a vector's name, and the context in which it is read."""
    source = SourceText(f"auto given = made{text};", line, context.source)
    return context.without_effects(source), parts_of(source.first("argument_list"))


def row_of(context: Context, node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The row of a vector of vectors that `v[i]` is; None for anything else, of which nothing is read then."""
    held = node.child_by_field_name("argument") if node.type == "subscript_expression" else None
    rows = scope.find(context.source.text(held)) if held is not None and held.type == "identifier" else None
    return context.pointer(node, scope) if isinstance(rows, Pointer) and rows.width is not None else None


def method_place(context: Context, node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place that `v.data()`, `v.begin()` or `v.end()`, or `p.get()` of a smart pointer, points to; None for other calls."""
    vector, method, arguments = _method(context, node, scope)
    if vector is not None and vector.length is None and method == "get" and not arguments:
        return vector
    if vector is None or vector.length is None or vector.width is not None:
        return None
    if method in ("data", "begin", "cbegin"):
        require_set(vector, context.source.text(node), context.source.line(node))
        return Pointer(vector.array, offset=vector.offset)
    return Pointer(vector.array, offset=vector.offset).moved(vector.length) if method in ("end", "cend") else None


def method_value(context: Context, node: SyntaxNode, scope: Scope) -> Expression | None:
    """The value of `v.size()`, `v.front()`, `v.back()` or `v.at(i)`; None for other calls."""
    vector, method, arguments = _method(context, node, scope)
    if vector is None or vector.length is None or vector.unset:
        return None
    match method, len(arguments):
        case "size", 0:
            return Cast("unsigned long long", vector.length)
        case (("front" | "back" | "at"), _) if vector.width is not None:
            return None
        case "front", 0:
            return _element(vector, ZERO)
        case "back", 0:
            return _element(vector, Binary("-", vector.length, ONE))
        case "at", 1:
            return _element(vector, context.read(arguments[0], scope))
    return None


def _element(vector: Pointer, place: Expression) -> Element:
    return Element(vector.array, vector.subscripted(place).prefix)


def method_statement(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """`v.assign(n, x)` or `v.resize(n)` for the length that the vector has, or for its first one; `a.fill(x)` for a `std::array`.

    None for other calls.
    """
    vector, method, arguments = _method(context, node, scope)
    line = context.source.line(node)
    if vector is not None and vector.width is not None:
        return None
    if vector is not None and (set_here := grown(context, vector, method, arguments, scope, line)) is not None:
        return set_here
    if vector is not None and vector.unset and vector.length is not None:
        return _first_length(context, node, vector, method, arguments, scope)
    if vector is not None and vector.length is not None and method == "resize" and len(arguments) == 1:
        _require_length(vector, context.read(arguments[0], scope), line)
        return []
    if vector is not None and vector.length is not None and method == "fill" and len(arguments) == 1:
        element = context.read(arguments[0], scope)
        return [filled(context, Pointer(vector.array, offset=vector.offset), vector.length, element, line)]
    if vector is None or vector.length is None or method != "assign" or len(arguments) != 2:
        return None
    length, element = (context.read(argument, scope) for argument in arguments)
    _require_length(vector, length, line)
    return [filled(context, Pointer(vector.array, offset=vector.offset), length, element, line)]


def _first_length(
    context: Context, node: SyntaxNode, vector: Pointer, method: str, arguments: list[SyntaxNode], scope: Scope
) -> list[Statement]:
    """What gives a vector its length that was declared without one."""
    line, written = (
        context.source.line(node),
        context.source.text(node.child_by_field_name("function")).split(".")[0].strip(),
    )
    if method == "reserve":
        return []
    if method not in ("resize", "assign") or not len(arguments) <= 2 or (method == "assign" and len(arguments) != 2):
        raise refuse(f"the vector '{written}' without a length", line, "give it its length where it is declared")
    type_name = context.type_name(vector.unset, line, f"the elements of '{written}'")
    given, *rest = (context.read(argument, scope) for argument in arguments)
    name = context.names.unique(written)
    before, length = kept_length(context, name, given, line)
    context.types[name] = type_name
    context.names.buffers[name] = length
    scope.rebind(written, Pointer(name, length=length))
    return [
        *before,
        Allocate(type_name, name, length, line),
        filled(context, Pointer(name), length, rest[0] if rest else ZERO, line),
    ]


def assigned_vector(context: Context, vector: Pointer, right: SyntaxNode, scope: Scope) -> list[Statement]:
    """`v = w` for two vectors of one length.

    Raises:
        CannotTransform: The right side is none.
    """
    line, place = context.source.line(right), context.pointer(right, scope)
    if place is None or place.length is None or vector.unset or vector.width is not None or place.width is not None:
        raise refuse(f"a vector is set to '{context.source.text(right)}'", line, "copy its elements in a loop")
    _require_length(vector, place.length, line)
    source, target = (Pointer(one.array, offset=one.offset) for one in (place, vector))
    return [copied(context, source, target, place.length, line)]


def _method(context: Context, node: SyntaxNode, scope: Scope) -> tuple[Pointer | None, str, list[SyntaxNode]]:
    """The vector whose method is called, the method's name and its arguments."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return None, "", []
    held = function.child_by_field_name("argument")
    found = scope.find(context.source.text(held)) if held.type == "identifier" else None
    found = found or row_of(context, held, scope)
    arguments = arguments_of(node)
    vector = found if isinstance(found, Pointer) and function.child_by_field_name("operator").type == "." else None
    return vector, context.source.text(function.child_by_field_name("field")), arguments


def _require_length(vector: Pointer, length: Expression, line: int) -> None:
    if vector.length != length:
        raise refuse("a vector gets another length", line, "declare it with the length that it needs")
