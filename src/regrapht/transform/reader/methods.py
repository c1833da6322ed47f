"""Functions of structs, written out where they are called: over the fields of the object, which are locals or elements of arrays."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Cast, Expression, Variable
from regrapht.transform.ir.scope import Binding, Pointer, Record, Scope, refuse
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.arguments import Given, gathered, held_record, stays_put
from regrapht.transform.reader.callees import Callee, chosen
from regrapht.transform.reader.initial_values import depth_of
from regrapht.transform.reader.quiet import changed_names, is_quiet
from regrapht.transform.reader.structs import ZERO, Struct, element_record, record_of
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.expression_reader import ExpressionReader
    from regrapht.transform.reader.statement_reader import StatementReader


def method_callees(reader: "StatementReader", call: SyntaxNode, scope: Scope) -> tuple[Callee, ...]:
    """The functions of structs that a call may mean: `v.f(...)`, `p->f(...)`, `S(...)`, `v(...)`, or `f(...)` inside of one."""
    source, structs = reader.source, reader.expressions.structs
    function = call.child_by_field_name("function")
    if function.type == "field_expression":
        held, name = function.child_by_field_name("argument"), source.text(function.child_by_field_name("field"))
        known = scope.find(source.text(held)) if held.type == "identifier" else None
        if isinstance(known, Record):
            return structs.functions(known.struct, name)
        if isinstance(known, Pointer) and known.array not in structs.of_array:
            return ()
        return tuple(one for struct in structs.by_name for one in structs.functions(struct, name))
    if function.type not in ("identifier", "type_identifier"):
        return ()
    name = source.text(function)
    known, own = scope.find(name), scope.find("this")
    if isinstance(known, Record):
        return structs.functions(known.struct, "operator()")
    struct = structs.named(name, reader.expressions.aliases)
    if struct is not None:
        return structs.functions(struct.name, struct.name)
    return structs.functions(own.struct, name) if known is None and isinstance(own, Record) else ()


def receiver_of(reader: "StatementReader", call: SyntaxNode, callees: tuple[Callee, ...], scope: Scope) -> Given | None:
    """The object whose function is called; None for a constructor.

    Raises:
        CannotTransform: It is no plain struct.
    """
    function, line = call.child_by_field_name("function"), reader.source.line(call)
    if callees[0].name == callees[0].struct:
        return None
    if function.type == "field_expression":
        node = function.child_by_field_name("argument")
        arrow = reader.source.text(function.child_by_field_name("operator")) == "->" and node.type != "this"

        def read() -> Binding | None:
            if not arrow:
                return record_of(reader.expressions, node, scope)
            place = reader.expressions.pointer(node, scope)
            return None if place is None else element_record(reader.expressions, place.subscripted(ZERO))

        before, found = reader.effects.gathered(read)
    else:
        node, before = function, []
        found = scope.find(reader.source.text(function)) if callees[0].name == "operator()" else scope.find("this")
    if not isinstance(found, Record):
        raise refuse(f"'{reader.source.text(call)}'", line, "functions of plain structs in the same file are taken")
    return Given(reader, before, found, node, reader.source.text(node), line)


def with_receiver(reader: "StatementReader", callee: Callee, one: Given) -> tuple[list[Statement], Record]:
    """The object that a function works on, and what must run before: itself where it stays in its place, else a copy.

    Raises:
        CannotTransform: The function changes it, and its place may move.
    """
    record = one.value
    assert isinstance(record, Record)
    if not one.before and stays_put(reader, record):
        return [], record
    quiet = is_quiet(reader, callee)
    names = changed_names(callee.source, callee.body)
    changes = not quiet and (bool(names & set(record.fields)) or "this" in callee.source.text(callee.body))
    is_place = one.node.type in ("identifier", "subscript_expression", "field_expression", "pointer_expression")
    if is_place and not quiet:
        raise refuse(
            f"'{one.text}.{callee.name}' of an object whose place may move", one.line, "copy it to a local first"
        )
    declared, held = held_record(reader, "self", record, changes, quiet, one.line)
    return [*one.before, *declared], held


def constructed(
    reader: "StatementReader", struct: Struct, given: list[Given], scope: Scope, line: int
) -> tuple[list[Statement], Record]:
    """A new object: what its constructor sets its fields to, and what must run before.

    Raises:
        CannotTransform: No constructor takes these arguments.
    """
    callees, inliner = reader.expressions.structs.functions(struct.name, struct.name), reader.inliner
    assert inliner is not None
    callee = chosen(reader, callees, [one.value for one in given], [], line)
    if callee in inliner.open or len(inliner.open) > 20:
        raise refuse(f"call of '{callee.name}'", line, "helpers that do not call themselves are taken")
    inner = reader if reader.source is callee.source else reader.within(callee.source)
    inside = callee.scope.inner()
    before = inliner.arguments(inner, callee, given, inside, scope, line)
    given_names = set(inside.names)  # a parameter hides the field of its name
    inliner.open.append(callee)
    first, fields = _initialised(inner, struct, callee, inside, line)
    inliner.open.pop()
    before += first
    if not any(node.type != "comment" for node in callee.body.named_children):
        return before, Record(struct.name, fields)
    declared, record = _locals(inner, struct, fields, line)
    inside.names |= {name: one for name, one in record.fields.items() if name not in given_names}
    inside.names["this"] = record
    body, _ = inliner.body(inner, callee, inside, line)
    return [*before, *declared, *body], record


def built(
    reader: "StatementReader", struct: Struct, nodes: Sequence[SyntaxNode], scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The fields of a new object that a constructor makes of these arguments, or a copy of one, and what must run before."""
    given = [gathered(reader, node, scope) for node in nodes if node.type != "comment"]
    if len(given) == 1 and isinstance(given[0].value, Record) and given[0].value.struct == struct.name:
        return given[0].before, dict(given[0].value.fields)
    before, record = constructed(reader, struct, given, scope, line)
    return before, dict(record.fields)


def indexed(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Expression | None:
    """`v[i]` by a struct's own operator; None for other subscripts."""
    held = node.child_by_field_name("argument")
    record = scope.find(reader.source.text(held)) if held.type in ("identifier", "this") else None
    callees = reader.structs.functions(record.struct, "operator[]") if isinstance(record, Record) else ()
    if not callees or reader.effects is None or (inliner := reader.effects.reader.inliner) is None:
        return None
    own, line = reader.effects.reader, reader.source.line(node)
    receiver = Given(own, [], record, held, reader.source.text(held), line)
    given = [gathered(own, one, scope) for one in node.child_by_field_name("indices").named_children]
    statements, value = inliner.written_out(own, callees, given, scope, line, receiver=receiver)
    reader.effects.add(statements, node)
    return value if isinstance(value, Expression) else None


def _initialised(
    reader: "StatementReader", struct: Struct, callee: Callee, inside: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The fields as the list behind a constructor's head, and what the struct says, set them."""
    source, given = reader.source, dict[str, SyntaxNode]()
    for node in callee.initialisers:
        named, listed = node.named_children[0], node.named_children[-1]
        if source.text(named) == struct.name:
            arguments = [n for n in listed.named_children if n.type != "comment"]
            before, record = constructed(
                reader, struct, [gathered(reader, one, inside) for one in arguments], inside, line
            )
            return before, dict(record.fields)
        given[source.text(named)] = listed
    out: list[Statement] = []
    fields: dict[str, Binding] = {}
    for field in struct.fields:
        node = given.get(field.name)
        values = [n for n in node.named_children if n.type != "comment"] if node is not None else []
        if node is not None and (field.lengths or len(values) > 1):
            raise refuse(f"values for '{struct.name}::{field.name}'", line, "set its elements in the body")
        if node is None:
            read = partial(default_of, reader, struct, field.name, line)
        else:
            read = partial(_value, reader, field.is_pointer, field.type, values[0] if values else None, inside, line)
        before, fields[field.name] = reader.effects.gathered(read)
        inside.names.setdefault(field.name, fields[field.name])
        out += before
    return out, fields


def default_of(reader: "StatementReader", struct: Struct, name: str, line: int) -> Binding:
    """What a field begins with where nothing else is said: zero is as good as any other value that nobody may read."""
    structs, field = reader.expressions.structs, struct.field(name)
    node = structs.defaults.get((struct.name, name))
    assert field is not None
    if field.lengths:
        if node is not None and reader.source.text(node).strip("{} ") not in ("", "0", "0.0f"):
            raise refuse(f"values for '{struct.name}::{name}'", line, "set its elements in a loop")
        return Pointer("", unset=field.type)
    if node is None:
        return Pointer("", unset=field.type) if field.is_pointer else ZERO
    if any(structs.source is not None and struct.field(structs.source.text(n)) for n in _identifiers(node)):
        raise refuse(f"the value of '{struct.name}::{name}' from another field", line, "set it in a constructor")
    if depth_of(node):
        node = node.named_children[0] if node.named_children else None
    assert structs.scope is not None and structs.source is not None
    inner = reader if reader.source is structs.source else reader.within(structs.source)
    return _value(inner, field.is_pointer, field.type, node, structs.scope, line)


def _identifiers(node: SyntaxNode) -> list[SyntaxNode]:
    inside = [one for child in node.children for one in _identifiers(child)]
    return [node, *inside] if node.type == "identifier" else inside


def _value(
    reader: "StatementReader", is_pointer: bool, type_name: str, node: SyntaxNode | None, scope: Scope, line: int
) -> Binding:
    if is_pointer:
        place = None if node is None else reader.expressions.pointer(node, scope)
        return place if place is not None else Pointer("", unset=type_name)
    value = ZERO if node is None else reader.expressions.read(node, scope)
    return value if reader.type_of(value, line) == type_name else Cast(type_name, value)


def _locals(
    reader: "StatementReader", struct: Struct, fields: Mapping[str, Binding], line: int, word: str = "made"
) -> tuple[list[Statement], Record]:
    """A local for each field, which begins as `fields` say."""
    from regrapht.transform.reader.pointers import placed

    out: list[Statement] = []
    own: dict[str, Binding] = {}
    for field in struct.fields:
        value = fields.get(field.name)
        if field.is_pointer:
            assert isinstance(value, Pointer)
            declared, own[field.name] = (
                ([], value) if value.unset else placed(reader, f"{word}_{field.name}", value, line)
            )
            out += declared
            continue
        name = reader.names.unique(f"{word}_{field.name}")
        reader.types[name] = field.type
        if field.lengths:
            own[field.name] = Pointer(name, len(field.lengths))
            out.append(Declare(field.type, name, None, line, field.lengths))
            continue
        reader.mutable.add(name)
        own[field.name] = Variable(name)
        out.append(Declare(field.type, name, value if isinstance(value, Expression) else None, line))
    return out, Record(struct.name, own)
