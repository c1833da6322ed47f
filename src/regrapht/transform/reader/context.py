"""What is known while C++ is read, and the two protocols by which readings go into one another.

Statements hold expressions, and an expression may hold statements: the body of a lambda, a call that is written out, `x[used++]`. So
every module here takes a `Context` and goes on reading through it. `function_reader`, which alone knows all modules, says what reads then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import Element, Expression, Variable, walk
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.statements import Constant, Statement, Struct
from regrapht.transform.reader.callees import Callee
from regrapht.transform.reader.changes import Changes
from regrapht.transform.reader.library_calls import type_refusal
from regrapht.transform.reader.members import Structs
from regrapht.transform.reader.scope import Binding, Names, Pointer, Record, Scope
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

Result = TypeVar("Result")
Defaults = tuple[Expression | None, ...]
"""For each parameter of a helper what it is by default; None where a call must give it."""
Places = dict[str, Pointer]
"""What pointers point to, by their names."""


class ExpressionReader(Protocol):
    """Reads an expression. Each raises `CannotTransform` where it is of a kind that the engine does not take."""

    def read(self, context: "Context", node: SyntaxNode, scope: Scope) -> Expression:
        """Its value, a number."""

    def pointer(self, context: "Context", node: SyntaxNode, scope: Scope) -> Pointer | None:
        """The place in an array that it points to; None where it is no pointer."""

    def bound(self, context: "Context", node: SyntaxNode, scope: Scope) -> Binding:
        """What it stands for: a value, a place that a pointer points to, or the fields of a struct."""


class StatementReader(Protocol):
    """Reads statements. Each raises `CannotTransform` where one is of a kind that the engine does not take."""

    def statement(self, context: "Context", node: SyntaxNode, scope: Scope) -> list[Statement]:
        """One statement, as none, one or several of the engine's."""

    def block(self, context: "Context", node: SyntaxNode | None, scope: Scope) -> list[Statement]:
        """The statements of a block, or of the one statement that stands where a block could."""

    def effect(self, context: "Context", node: SyntaxNode, scope: Scope) -> list[Statement]:
        """What an expression that stands as a statement does."""

    def constructed(
        self, context: "Context", struct: Struct, given: "list[Given]", scope: Scope, line: int
    ) -> tuple[list[Statement], Record]:
        """What the body of a struct's constructor does, and the new object."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """A local that counts bytes and stays: how it was set."""

    source: SourceText
    value: SyntaxNode
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """Buffers that change places in a loop: what follows is read for an even and for an odd number of its runs."""

    even: Expression
    """Whether the loop ran an even number of times."""
    before: Places
    after: Places
    line: int


@dataclass(slots=True, kw_only=True, eq=False)
class Context:
    """What is known of a file, and of the function in it that is being read."""

    expressions: ExpressionReader
    statements: StatementReader
    source: SourceText
    """The text that nodes are in: the file, or a piece that was made of it."""
    aliases: dict[str, str]
    """What names of types stand for; a template adds its own while it is read."""
    structs: Structs
    names: Names
    helpers: dict[str, Defaults] = field(default_factory=dict)
    """The file's functions besides the entry, with their default arguments."""
    callees: dict[str, tuple[Callee, ...]] = field(default_factory=dict)
    """Those whose calls are written out."""
    by_reference: Mapping[str, tuple[int, ...]]
    """The places of the arguments that each function may change."""
    takes_effects: bool
    """Whether an expression may do more than have a value: in a function, not in a constant, a default, or a template's argument."""

    lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Of arrays of constant lengths: the file's tables, and local ones by unique name."""

    # ---- the function
    types: dict[str, str] = field(default_factory=dict)
    """Types of what was declared, by unique name."""
    mutable: set[str] = field(default_factory=set)
    """Locals that are changed after their declaration, by unique name."""
    bytes: dict[str, Bytes] = field(default_factory=dict)
    """Locals that count bytes, by unique name."""
    tables: list[Constant] = field(default_factory=list)
    """Its local arrays that never change."""
    grown: dict[str, Expression] = field(default_factory=dict)
    """Vectors that the loop that is being read fills, by unique name, with the number of its turn."""
    open_loops: list[str] = field(default_factory=list)
    """Variables of the loops that are being read, callers of a helper that is written out included."""
    open_calls: list[Callee] = field(default_factory=list)
    """The helpers that are being written out."""
    changes: Changes = field(default_factory=lambda: Changes(frozenset(), frozenset()))
    """What the body that is being read changes."""
    returned: Record | None = None
    """Where the fields of what is returned go, in the body of a function that returns a struct."""
    deduced: Callable[[Struct], Record] | None = None
    """Gives these places, in the body of a function whose `return` says what it returns."""
    fork: Fork | None = None
    """Set by a loop whose buffers change places: what follows depends on how often it ran."""
    pending: list[Statement] | None = None
    """What must run before the expression that is being read; None where no statement is open that it could stand before."""

    # ---- reading on

    def read(self, node: SyntaxNode, scope: Scope) -> Expression:
        return self.expressions.read(self, node, scope)

    def pointer(self, node: SyntaxNode, scope: Scope) -> Pointer | None:
        return self.expressions.pointer(self, node, scope)

    def bound(self, node: SyntaxNode, scope: Scope) -> Binding:
        return self.expressions.bound(self, node, scope)

    def statement(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return self.statements.statement(self, node, scope)

    def block(self, node: SyntaxNode | None, scope: Scope) -> list[Statement]:
        return self.statements.block(self, node, scope)

    def effect(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return self.statements.effect(self, node, scope)

    def value(self, node: SyntaxNode, scope: Scope) -> tuple[list[Statement], Expression]:
        """An expression, and what must run before it."""
        return self.gathered(lambda: self.read(node, scope))

    def gathered(self, read: Callable[[], Result]) -> tuple[list[Statement], Result]:
        """What `read` returns, and the statements that must run before its expressions are used."""
        outer, self.pending = self.pending, []
        try:
            result = read()
            return self.pending, result
        finally:
            self.pending = outer

    def add_effects(self, statements: list[Statement], node: SyntaxNode) -> None:
        """Note effects of a part of the expression.

        Raises:
            CannotTransform: No statement is being read that they could stand before.
        """
        if not statements:
            return
        if self.pending is None:
            text, line = self.source.text(node), self.source.line(node)
            if node.type == "call_expression":
                raise refuse(
                    f"'{text}' needs statements where none can stand", line, "keep its value in a variable before"
                )
            raise refuse(f"'{text}' changes something inside an expression", line)
        self.pending += statements

    def of_function(self, changes: Changes) -> "Context":
        """The context for a function of the file, whose body changes so much."""
        return replace(
            self,
            takes_effects=True,
            types={},
            mutable=set(),
            bytes={},
            tables=[],
            grown={},
            open_loops=[],
            open_calls=[],
            changes=changes,
        )

    def within(self, source: SourceText) -> "Context":
        """The context for another piece of text that goes on where this one is."""
        return self if source is self.source else replace(self, source=source, fork=None, deduced=None)

    def without_effects(self, source: SourceText) -> "Context":
        """The context for a piece of text that means the same by its names, but in which nothing may be changed."""
        return replace(self, source=source, takes_effects=False, types={}, pending=None)

    def read_text(self, text: str, line: int, scope: Scope) -> Expression:
        """The value of an expression of which only the text is known; nothing may be changed in it."""
        source = SourceText(f"auto x = {text};", line, self.source)
        return self.without_effects(source).read(source.first("init_declarator").child_by_field_name("value"), scope)

    # ---- names and types

    def fresh(self, name: str, type_name: str) -> str:
        """The unique name of a new local."""
        chosen = self.names.unique(name)
        self.types[chosen] = type_name
        return chosen

    def declare(self, written: str, type_name: str, scope: Scope) -> str:
        """The unique name of a local that the source declares."""
        name = self.fresh(written, type_name)
        scope.names[written] = Variable(name)
        if written in self.changes.assigned:
            self.mutable.add(name)
        return name

    def declare_loop(self, written: str, type_name: str, scope: Scope) -> str:
        """The name of a loop's variable, which loops one after the other may share."""
        found = scope.find(written)
        hidden = (isinstance(found, Variable) and found.name == written) or written in self.open_loops
        name = self.names.of_loop(written, type_name, hidden=hidden)
        scope.names[written] = Variable(name)
        self.types[name] = type_name
        return name

    def type_name(self, text: str, line: int, what: str) -> str:
        """The engine's name of the scalar type that a text names.

        Raises:
            CannotTransform: It names another type; says for `what` it is written.
        """
        found = canonical(text, self.aliases)
        if found is None:
            raise type_refusal(self.source, text, line, what)
        return found

    def type_of(self, expression: Expression, line: int) -> str:
        return type_of(expression, self.types, line=line)

    def inlines(self, name: str) -> bool:
        """Whether calls of this helper are written out."""
        return name in self.callees

    def stays(self, index: Expression) -> bool:
        """Whether an index has one value as long as its names are in sight."""
        return not any(
            isinstance(part, Element) or (isinstance(part, Variable) and part.name in self.mutable)
            for part in walk(index)
        )


@dataclass(frozen=True, slots=True)
class Given:
    """One argument of a call: what must run before, its value, how it is written. A list of values has none until its type is known."""

    context: Context
    """Of the text in which the argument stands."""
    before: list[Statement]
    value: Binding | None
    node: SyntaxNode
    text: str
    line: int
    is_place: bool = False
    """It is an element, whatever `node` is."""


def given_argument(context: Context, node: SyntaxNode | None, scope: Scope) -> Given:
    """An argument as it is read where the call stands."""
    assert node is not None
    text, line = context.source.text(node), context.source.line(node)
    if node.type == "initializer_list":
        return Given(context, [], None, node, text, line)
    before, value = context.gathered(lambda: context.bound(node, scope))
    return Given(context, before, value, node, text, line)
