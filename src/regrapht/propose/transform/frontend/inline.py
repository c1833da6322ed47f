"""Calls that are written out where they stand: helpers with pointers, macros of statements, `std::swap`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regrapht.propose.transform.frontend.expressions import Expression, Number, Variable
from regrapht.propose.transform.frontend.idioms import assignment
from regrapht.propose.transform.frontend.pointers import changes_in, referred
from regrapht.propose.transform.frontend.ranges import range_statement
from regrapht.propose.transform.frontend.returns import without_inner_returns
from regrapht.propose.transform.frontend.scope import Binding, Macro, Pointer, Scope, refuse
from regrapht.propose.transform.frontend.statements import Declare, Parameter, Statement
from regrapht.propose.transform.frontend.syntax import SourceText, SyntaxNode
from regrapht.propose.transform.frontend.vectors import method_statement

if TYPE_CHECKING:
    from regrapht.propose.transform.frontend.statement_reader import StatementReader


@dataclass(slots=True)
class Inliner:
    """The helpers of a file that are written out where they are called."""

    nodes: Mapping[str, SyntaxNode]
    parameters: Callable[[str], list[Parameter]]
    scope: Scope
    """Constants of the file."""
    written_out: frozenset[str]
    by_reference: Mapping[str, tuple[int, ...]]
    """The places of the arguments that each helper may change."""
    open: list[str] = field(default_factory=list)

    def inlined(
        self, reader: "StatementReader", node: SyntaxNode, scope: Scope
    ) -> tuple[list[Statement], Expression | None]:
        """The statements of one call and its value.

        Raises:
            CannotTransform: It calls itself, or is given something else than it declares.
        """
        source, line = reader.source, reader.source.line(node)
        name = source.text(node.child_by_field_name("function"))
        given = [n for n in node.child_by_field_name("arguments").named_children if n.type != "comment"]
        parameters, helper = self.parameters(name), self.nodes[name]
        if name in self.open or len(given) != len(parameters):
            raise refuse(f"call of '{name}'", line, "helpers that do not call themselves are taken")
        inside, before = self.scope.inner(), []
        changed = changes_in(source, helper.child_by_field_name("body"), self.by_reference)
        for parameter, argument in zip(parameters, given, strict=True):
            declared, bound = self._bound(reader, parameter, argument, scope, changed.assigned)
            inside.names[parameter.written] = bound
            before += declared
        returned = source.text(helper.child_by_field_name("type"))
        result: Variable | None = None
        if returned != "void":
            result = Variable(reader.names.unique(f"{name}_result"))
            reader.types[result.name] = reader.expressions.type_name(returned, line, f"what '{name}' returns")
            before.append(Declare(reader.types[result.name], result.name, None, line))
        outer, reader.changes = reader.changes, changed
        outer_fork, reader.fork = reader.fork, None
        self.open.append(name)
        body = reader.block(helper.child_by_field_name("body"), inside)
        self.open.pop()
        reader.changes, reader.fork = outer, outer_fork
        return [*before, *without_inner_returns(body, result, reader)], result

    def _bound(
        self,
        reader: "StatementReader",
        parameter: Parameter,
        argument: SyntaxNode,
        scope: Scope,
        assigned: frozenset[str],
    ) -> tuple[list[Statement], Binding]:
        line = reader.source.line(argument)
        if parameter.is_reference:
            return [], referred(reader, argument, scope, parameter.written)
        if parameter.is_pointer:
            before, place = reader.effects.gathered(lambda: reader.expressions.pointer(argument, scope))
            if place is None or parameter.written in assigned or parameter.lengths:
                raise refuse(f"'{reader.source.text(argument)}' for the pointer '{parameter.written}'", line)
            return before, Pointer(place.array, place.rank, place.prefix, place.offset)
        before, value = reader.value(argument, scope)
        same = reader.type_of(value, line) == parameter.type and parameter.written not in assigned
        if same and (isinstance(value, Number) or (isinstance(value, Variable) and value.name not in reader.mutable)):
            return before, value
        name = reader.names.unique(parameter.name)
        reader.types[name] = parameter.type
        if parameter.written in assigned:
            reader.mutable.add(name)
        return [*before, Declare(parameter.type, name, value, line)], Variable(name)


def call_statement(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """A call that stands as a statement; None for one that is not known."""
    function = node.child_by_field_name("function")
    name = reader.source.text(function)
    given = [n for n in node.child_by_field_name("arguments").named_children if n.type != "comment"]
    if reader.inliner is not None and reader.inlines(name):
        return reader.inliner.inlined(reader, node, scope)[0]
    if function.type == "field_expression" and name.endswith((".swap", "->swap")):
        given = [function.child_by_field_name("argument"), *given]
        name = "swap"
    if name in ("std::swap", "swap") and len(given) == 2:
        return _swapped(reader, given, scope)
    if (known := method_statement(reader, node, scope) or range_statement(reader, node, scope)) is not None:
        return known
    found = scope.find(name)
    return _expanded(reader, name, found, given, scope) if isinstance(found, Macro) else None


def _swapped(reader: "StatementReader", given: list[SyntaxNode], scope: Scope) -> list[Statement] | None:
    line = reader.source.line(given[0])
    places = [reader.expressions.pointer(node, scope) if node.type == "identifier" else None for node in given]
    if places[0] is not None and places[1] is not None:
        if any(place is not None and place.counter for place in places):
            raise refuse("pointers that walk change places", line, "index the arrays")
        for node, place in zip(given, reversed(places), strict=True):
            assert place is not None
            scope.rebind(reader.source.text(node), place)
        return []
    before, (first, second) = reader.effects.gathered(lambda: [reader.target(node, scope) for node in given])
    name = reader.names.unique("swapped")
    reader.types[name] = reader.type_of(first, line)
    return [
        *before,
        Declare(reader.types[name], name, first, line),
        assignment(first, "=", second, line),
        assignment(second, "=", Variable(name), line),
    ]


def _expanded(
    reader: "StatementReader", name: str, macro: Macro, given: list[SyntaxNode], scope: Scope
) -> list[Statement]:
    """The statements of a macro, its arguments put in as text."""
    from regrapht.propose.transform.frontend.expression_reader import ExpressionReader
    from regrapht.propose.transform.frontend.statement_reader import StatementReader

    line = reader.source.line(given[0]) if given else 0
    if len(given) != len(macro.parameters):
        raise refuse(f"macro '{name}' takes {len(macro.parameters)} arguments", line)
    texts = dict(zip(macro.parameters, map(reader.source.text, given), strict=True))
    body = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: texts.get(word[0], word[0]), macro.body.replace("\\\n", " "))
    text = " ".join(body.split())
    source = SourceText(f"void expanded() {{ {text}; }}", line, reader.source)
    before = reader.expressions
    expressions = ExpressionReader(source, before.aliases, before.helpers, before.structs)
    inner = StatementReader(expressions, reader.names, reader.inliner)
    inner.open_loops = reader.open_loops
    inner.types, inner.tables, inner.mutable, inner.changes = (
        reader.types,
        reader.tables,
        reader.mutable,
        reader.changes,
    )
    return inner.block(source.first("compound_statement"), scope)
