"""Calls that are written out where they stand: helpers with pointers or structs, templates, operators of structs, lambdas."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Cast, Expression, Variable
from regrapht.transform.ir.scope import Binding, Record, Scope, refuse
from regrapht.transform.ir.statements import (
    Assign,
    Declare,
    For,
    If,
    Parameter,
    Return,
    Statement,
    While,
    every,
)
from regrapht.transform.reader.arguments import Given, bound, gathered
from regrapht.transform.reader.callees import Callee, called_name, chosen, meanings_of, type_text
from regrapht.transform.reader.methods import constructed, receiver_of, with_receiver
from regrapht.transform.reader.pointers import changes_in
from regrapht.transform.reader.quiet import is_quiet
from regrapht.transform.reader.returns import without_inner_returns
from regrapht.transform.reader.structs import Struct
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

Written = tuple[list[Statement], Binding | None]
"""The statements of a call, and its value."""


@dataclass(slots=True)
class Inliner:
    """The helpers of a file that are written out where they are called."""

    callees: Mapping[str, tuple[Callee, ...]]
    parameter: Callable[[SyntaxNode, Scope], Parameter]
    """Reads the declaration of a parameter."""
    by_reference: Mapping[str, tuple[int, ...]]
    """The places of the arguments that each helper may change."""
    types: dict[str, str]
    """What names of types stand for; a template adds its own while it is read."""
    open: list[Callee] = field(default_factory=list)

    def called(self, reader: "StatementReader", node: SyntaxNode, scope: Scope, *, wanted: bool = True) -> Written:
        """The statements of one call and its value, if that is `wanted`.

        Raises:
            CannotTransform: It calls itself, or is given something else than it declares.
        """
        callees, line = reader.callees(node, scope), reader.source.line(node)
        receiver = receiver_of(reader, node, callees, scope) if callees[0].struct else None
        if receiver is not None and isinstance(receiver.value, Record):
            callees = tuple(one for one in callees if one.struct == receiver.value.struct)
        listed = [n for n in node.child_by_field_name("arguments").named_children if n.type != "comment"]
        explicit = called_name(reader.source, node.child_by_field_name("function"))[1]
        given = [gathered(reader, one, scope) for one in listed]
        return self.written_out(reader, callees, given, scope, line, explicit, wanted=wanted, receiver=receiver)

    def written_out(
        self,
        reader: "StatementReader",
        callees: tuple[Callee, ...],
        given: list[Given],
        scope: Scope,
        line: int,
        explicit: list[str] | None = None,
        *,
        wanted: bool = True,
        receiver: Given | None = None,
    ) -> Written:
        """The body of the one of `callees` that takes these arguments; `receiver` is the object whose function it is."""
        values = [one.value for one in given]
        if callees and callees[0].struct and receiver is None:
            return constructed(reader, reader.expressions.structs.by_name[callees[0].struct], given, scope, line)
        callee = chosen(reader, callees, values, explicit or [], line)
        if callee in self.open or len(self.open) > 20:
            raise refuse(f"call of '{callee.name}'", line, "helpers that do not call themselves are taken")
        inner = reader if reader.source is callee.source else reader.within(callee.source)
        meanings = meanings_of(reader, callee, values, explicit or [], scope, line)
        inside = callee.scope.inner(meanings.values)
        with self._meaning(meanings.types):
            before: list[Statement] = []
            if receiver is not None:
                before, own = with_receiver(inner, callee, receiver)
                inside.names |= {**own.fields, "this": own}
            before = before + self.arguments(inner, callee, given, inside, scope, line)
            statements, value = self.body(inner, callee, inside, line)
            if not wanted:
                statements, value = _without_result(statements, value), None
        return [*before, *statements], value

    @contextmanager
    def _meaning(self, types: Mapping[str, str]) -> Iterator[None]:
        outer = dict(self.types)
        self.types.update(types)
        try:
            yield
        finally:
            self.types.clear()
            self.types.update(outer)

    def arguments(
        self, reader: "StatementReader", callee: Callee, given: list[Given], inside: Scope, scope: Scope, line: int
    ) -> list[Statement]:
        """Give the parameters their meaning; what must run before the body."""
        before: list[Statement] = []
        quiet = is_quiet(reader, callee)
        for place, node in enumerate(callee.parameters):
            if place < len(given):
                one = given[place]
            else:
                one = gathered(reader, callee.default(place), callee.scope)
            written = callee.source.text(node.child_by_field_name("type")).removeprefix("const ")
            with self._meaning({"auto": _type_of_auto(reader, one, line)} if written == "auto" else {}):
                parameter = self.parameter(node, inside)
            declared, inside.names[parameter.written] = bound(reader, callee, parameter, one, quiet, scope)
            before += declared
        return before

    def body(self, reader: "StatementReader", callee: Callee, inside: Scope, line: int) -> Written:
        outer = reader.changes, reader.fork, reader.returned, reader.deduced
        reader.changes, reader.fork = changes_in(reader.source, callee.body, self.by_reference), None
        struct = reader.expressions.structs.named(callee.returned, self.types)
        reader.returned = None if struct is None else _fresh_record(reader, callee, struct)
        reader.deduced = None if callee.returned else lambda found: _fresh_record(reader, callee, found)
        self.open.append(callee)
        body = reader.block(callee.body, inside)
        self.open.pop()
        record = reader.returned
        reader.changes, reader.fork, reader.returned, reader.deduced = outer
        if not callee.has_value:
            return without_inner_returns(body, None, reader), None
        if record is not None:
            return _record_result(reader, record, body, line)
        return self._scalar_result(reader, callee, body, line)

    def _scalar_result(self, reader: "StatementReader", callee: Callee, body: list[Statement], line: int) -> Written:
        """The value of a body of one `return` as it stands, of another body in a local."""
        values = [one.value for one in every(body) if isinstance(one, Return) and one.value is not None]
        if not values:
            return without_inner_returns(body, None, reader), None
        type_name = reader.type_of(values[0], line)
        if callee.returned:
            type_name = reader.expressions.type_name(callee.returned, line, f"what '{callee.name}' returns")
        last = body[-1]
        if len(body) == 1 and isinstance(last, Return) and last.value is not None:
            same = reader.type_of(last.value, line) == type_name
            return [], last.value if same else Cast(type_name, last.value)
        name = reader.names.unique(f"{callee.word}_result")
        reader.types[name] = type_name
        result = Variable(name)
        if len(values) == 1 and isinstance(last, Return):
            return [*body[:-1], Declare(type_name, name, last.value, line)], result
        return [Declare(type_name, name, None, line), *without_inner_returns(body, result, reader)], result


def _without_result(statements: list[Statement], value: Binding | None) -> list[Statement]:
    """The statements without those that only make a value which nobody wants."""
    parts = value.fields.values() if isinstance(value, Record) else (value,)
    names = {part.name for part in parts if isinstance(part, Variable)}
    return _dropped(statements, names & {one.name for one in statements if isinstance(one, Declare)})


def _dropped(statements: list[Statement], names: set[str]) -> list[Statement]:
    out: list[Statement] = []
    for one in statements:
        match one:
            case Declare(name=name) | Assign(Variable(name=name)) if name in names:
                continue
            case If(then=then, otherwise=otherwise):
                one = replace(one, then=_dropped(then, names), otherwise=_dropped(otherwise, names))
            case For(body=body) | While(body=body):
                one = replace(one, body=_dropped(body, names))
        out.append(one)
    return [one for one in out if not isinstance(one, If) or one.then or one.otherwise]


def _type_of_auto(reader: "StatementReader", one: Given, line: int) -> str:
    """What `auto` stands for in a parameter.

    Raises:
        CannotTransform: It is given a list of values.
    """
    if one.value is None:
        raise refuse("a list of values for 'auto'", line, "write the type out")
    return type_text(reader, one.value, line)


def _fresh_record(reader: "StatementReader", callee: Callee, struct: Struct) -> Record:
    """A local for each field of what a function returns."""
    line = reader.source.line(callee.body)
    if any(one.lengths or one.is_pointer for one in struct.fields):
        raise refuse(f"'{callee.name}' returns a struct with an array inside", line, "give it a reference to set")
    fields: dict[str, Binding] = {}
    for one in struct.fields:
        name = reader.names.unique(f"{callee.word}_{one.name}")
        reader.types[name] = one.type
        fields[one.name] = Variable(name)
    return Record(struct.name, fields)


def _record_result(reader: "StatementReader", record: Record, body: list[Statement], line: int) -> Written:
    """The fields of a body with one `return` at its end as they are set there, of another body in locals."""
    places = list(record.fields.values())
    sets, before = body[-1 - len(places) : -1], body[: -1 - len(places)]
    ends = [one for one in every(body) if isinstance(one, Return)]
    straight = len(ends) == 1 and bool(body) and body[-1] is ends[0]
    if straight and [one.target for one in sets if isinstance(one, Assign)] == places:
        values: dict[str, Binding] = {
            name: _as(reader, place, one.value, line)
            for (name, place), one in zip(record.fields.items(), sets, strict=True)
            if isinstance(one, Assign)
        }
        if not before:
            return [], Record(record.struct, values)
    declared: list[Statement] = [
        Declare(reader.types[place.name], place.name, None, line) for place in places if isinstance(place, Variable)
    ]
    return [*declared, *without_inner_returns(body, None, reader)], record


def _as(reader: "StatementReader", place: Binding, value: Expression, line: int) -> Expression:
    assert isinstance(place, Variable)
    type_name = reader.types[place.name]
    return value if reader.type_of(value, line) == type_name else Cast(type_name, value)
