"""Local pointers: those that stay, those that walk along an array, and buffers that change places."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Element, Expression, Number, Variable
from regrapht.transform.ir.idioms import assignment
from regrapht.transform.ir.scope import Binding, Pointer, Record, Scope, refuse
from regrapht.transform.ir.statements import Declare, If, Statement
from regrapht.transform.reader.heap import heap_assignment, unset
from regrapht.transform.reader.kept_values import stays
from regrapht.transform.reader.structs import record_of
from regrapht.transform.reader.syntax import SourceText, SyntaxNode
from regrapht.transform.reader.vectors import assigned_vector

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

ZERO = Number("0", 0)
Places = dict[str, Pointer]


@dataclass(frozen=True, slots=True)
class Changes:
    """Names that a function's body changes, as written; heads of plain `for` loops do not count."""

    assigned: frozenset[str]
    stepped: frozenset[str]
    """By `++`, `+=` and the like: a pointer of that name walks."""


def changes_in(source: SourceText, body: SyntaxNode, by_reference: Mapping[str, tuple[int, ...]]) -> Changes:
    """What the code below `body` may change by name. `by_reference` has the places of arguments that helpers may change."""
    assigned, stepped = set(), set()
    for node in source.walk(body):
        assigned |= _handed_out(source, node, by_reference)
        if node.type not in ("assignment_expression", "update_expression"):
            continue
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target.type != "identifier":
            continue
        name = source.text(target)
        if node.type == "update_expression" or source.text(node.child_by_field_name("operator")) in ("+=", "-="):
            stepped.add(name)
        if node.parent is None or node.parent.type != "for_statement":
            assigned.add(name)
    return Changes(frozenset(assigned), frozenset(stepped))


def _handed_out(source: SourceText, node: SyntaxNode, by_reference: Mapping[str, tuple[int, ...]]) -> set[str]:
    """Names that a call or a reference may change from now on."""
    given: list[SyntaxNode] = []
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        field = function.child_by_field_name("field") if function.type == "field_expression" else function
        name = source.text(field).rpartition("::")[2].split("<")[0]
        places = {*by_reference.get(name, ()), *by_reference.get(f".{name}", ())}
        listed = [n for n in node.child_by_field_name("arguments").named_children if n.type != "comment"]
        given = [listed[place] for place in places if place < len(listed)]
    elif node.type == "init_declarator" and is_changeable_reference(source, node.parent, node):
        given = [node.child_by_field_name("value")]
    return {source.text(one) for one in given if one is not None and one.type == "identifier"}


def is_changeable_reference(source: SourceText, declaration: SyntaxNode, declarator: SyntaxNode) -> bool:
    """Whether a declaration makes a reference through which something may be changed."""
    inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    words = {source.text(child) for child in declaration.children if child.type == "type_qualifier"}
    return inner is not None and inner.type == "reference_declarator" and "const" not in words


def pointer_local(
    reader: "StatementReader", type_text: str, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement]:
    """The declaration of a pointer: none where it stays at a place that stays, else that of its offset."""
    source, line = reader.source, reader.source.line(declarator)
    names = [n for n in source.walk(declarator) if n.type == "identifier"]
    is_plain = names[:1] == [declarator] or (len(names) == 1 and names[0].parent == declarator)
    if len(names) != 1 or (not is_plain and value is None):
        what = f"pointer '{source.text(declarator)}'"
        raise refuse(what, line, "set it to a place in an array where it is declared")
    written = source.text(names[0])
    if value is None or value.type == "null":
        scope.names[written] = unset(type_text)
        return []
    before, place = reader.effects.gathered(lambda: reader.expressions.pointer(value, scope))
    if place is None:
        raise refuse(f"pointer '{written}'", line, "set it to a place in an array where it is declared")
    declared, scope.names[written] = placed(reader, written, place, line)
    return [*before, *declared]


def reference_local(
    reader: "StatementReader", declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement]:
    """The declaration of a reference: another name for a variable, for an element at a place that stays, or for a struct there."""
    source, line = reader.source, reader.source.line(declarator)
    names = [n for n in source.walk(declarator) if n.type == "identifier"]
    if len(names) != 1 or value is None:
        raise refuse(f"reference '{source.text(declarator)}'", line, "use the variable or the element itself")
    scope.names[source.text(names[0])] = referred(reader, value, scope, source.text(names[0]))
    return []


def referred(reader: "StatementReader", value: SyntaxNode, scope: Scope, name: str) -> Binding:
    """What a reference `name` to `value` stands for.

    Raises:
        CannotTransform: It is to a place that may move, or to none.
    """
    before, bound = reader.effects.gathered(lambda: _named(reader, value, scope))
    places = list(bound.fields.values()) if isinstance(bound, Record) else [bound]
    subscripts = [one for place in places if isinstance(place, Element) for one in place.subscripts]
    if before or not all(stays(reader, subscript) for subscript in subscripts):
        raise refuse(
            f"reference '{name}' to a place that may move", reader.source.line(value), "use the element itself"
        )
    return bound


def _named(reader: "StatementReader", value: SyntaxNode, scope: Scope) -> Binding:
    vector = scope.find(reader.source.text(value)) if value.type == "identifier" else None
    if isinstance(vector, Pointer) and vector.length is not None:
        return vector
    record = record_of(reader.expressions, value, scope)
    return reader.target(value, scope) if record is None else record


def pointer_assignment(
    reader: "StatementReader", left: SyntaxNode, right: SyntaxNode, scope: Scope
) -> list[Statement] | None:
    """`p = q + 1` for a pointer; None where the left side is none."""
    bound = scope.find(reader.source.text(left)) if left.type == "identifier" else None
    if not isinstance(bound, Pointer):
        return None
    if bound.length is not None:
        return assigned_vector(reader, bound, right, scope)
    name, line = reader.source.text(left), reader.source.line(left)
    own = scope.find("this")
    if isinstance(own, Record) and own.fields.get(name) is bound:
        raise refuse(f"the pointer '{name}' of a '{own.struct}' is set anew", line, "make a new object")
    if (made := heap_assignment(reader, name, bound, right, scope)) is not None:
        return made
    if right.type == "null" and bound.array in reader.names.buffers:
        return []
    before, place = reader.effects.gathered(lambda: reader.expressions.pointer(right, scope))
    if place is None:
        raise refuse(f"'{name}' is set to '{reader.source.text(right)}', which is no place in an array", line)
    if bound.counter is None:
        declared, now = placed(reader, name, place, line)
        scope.rebind(name, now)
        return [*before, *declared]
    if (place.array, place.prefix) != (bound.array, bound.prefix):
        raise refuse(f"the pointer '{name}' walks along more than one array", line, "use one pointer for each")
    return [*before, assignment(Variable(bound.counter), "=", place.offset or ZERO, line)]


def placed(reader: "StatementReader", written: str, place: Pointer, line: int) -> tuple[list[Statement], Pointer]:
    """A pointer that is set to `place`: its offset is kept in a local where it, or what it is made of, may change."""
    place = replace(place, counter=None)
    walks = written in reader.changes.stepped
    if not walks and (place.offset is None or stays(reader, place.offset)):
        return [], place
    name = reader.names.unique(f"{written}_at")
    reader.types[name] = "long long"
    if walks:
        reader.mutable.add(name)
    kept = replace(place, offset=Variable(name), counter=name if walks else None)
    return [Declare("long long", name, place.offset or ZERO, line)], kept


def forget_set(places: Places, scope: Scope) -> None:
    """Have pointers that were set first in code that may run never, or again, point nowhere behind it."""
    for name in scope.pointers():
        if name in places and places[name].unset:
            scope.rebind(name, places[name])


def require_same(places: Places, scope: Scope, line: int) -> None:
    """Refuse code after which pointers may point elsewhere, depending on what ran.

    Raises:
        CannotTransform: They do.
    """
    forget_set(places, scope)
    for name, place in scope.pointers().items():
        if name in places and places[name] != place:
            what = f"which array '{name}' points to depends on what was run before"
            raise refuse(what, line, "let pointers change places at the end of a counted loop, or index the arrays")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """Buffers that change places in a loop: what follows is read for an even and for an odd number of its runs."""

    even: Expression
    """Whether the loop ran an even number of times."""
    before: Places
    after: Places
    line: int

    def rest(self, reader: "StatementReader", read: Callable[[], list[Statement]], scope: Scope) -> list[Statement]:
        """What follows in the block where the pointers were declared.

        Raises:
            CannotTransform: They were declared further outside.
        """
        moved = [name for name, place in self.before.items() if self.after[name] != place]
        outside = [name for name in moved if name not in scope.names]
        if outside:
            raise refuse(f"'{outside[0]}' changes places in an inner loop", self.line, "declare it beside that loop")
        branches = []
        for places in (self.before, self.after):
            for name in moved:
                scope.rebind(name, places[name])
            branches.append(read())
        return [If(self.even, branches[0], branches[1], self.line)] if any(branches) else []
