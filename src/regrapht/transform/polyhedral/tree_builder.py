"""Statements to loops and leaves. What is not affine inside a loop stays as text in a leaf and runs in one thread."""

from dataclasses import dataclass, field

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import add, names_in, written_out
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Element,
    Expression,
    Number,
    Variable,
    children,
    integer,
    walk,
)
from regrapht.transform.ir.idioms import all_of, as_extreme
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statement_walk import expressions_of
from regrapht.transform.ir.statements import (
    ALWAYS,
    Allocate,
    Assign,
    Break,
    Continue,
    Declare,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
    blocks,
    every,
    is_way_out,
)
from regrapht.transform.polyhedral.affine import Affine, Symbols
from regrapht.transform.polyhedral.loop_tree import Leaf, Loop, Node, affine_inside
from regrapht.transform.polyhedral.quotients import quotient_of


@dataclass(slots=True)
class Local:
    """A local variable or array, with the loops around its declaration: each of their iterations has its own."""

    type: str
    loops: list[Loop]
    lengths: tuple[int, ...]


@dataclass(slots=True)
class TreeBuilder:
    """Builds the tree of one function; `locals`, `host` and `symbols` are filled on the way."""

    symbols: Symbols
    scalars: set[str]
    """Scalar parameters, and host scalars once they are found."""
    assigned: set[str] = field(default_factory=set)
    """Locals that change after their declaration."""
    locals: dict[str, Local] = field(default_factory=dict)
    buffers: dict[str, Allocate] = field(default_factory=dict)
    """Arrays that live for one call, by name."""
    host: list[Declare] = field(default_factory=list)
    """Scalars that depend on parameters alone: the launcher computes them."""
    used: set[Variable] = field(default_factory=set)
    """Variables that occur in expressions."""
    leaf_count: int = 0

    def build(self, statements: list[Statement]) -> list[Node]:
        """The tree of a function's body.

        Raises:
            CannotTransform: An outermost loop or condition around loops is not affine.
        """
        for statement in every(statements):
            if isinstance(statement, Assign | Update) and isinstance(statement.target, Variable):
                self.assigned.add(statement.target.name)
        self.used = {part for whole in expressions_of(statements) for part in walk(whole) if isinstance(part, Variable)}
        return self._nodes(statements, [], [])

    def _nodes(self, statements: list[Statement], loops: list[Loop], conditions: list[str]) -> list[Node]:
        nodes: list[Node] = []
        run: list[Statement] = []

        def flush() -> None:
            if run:
                self.leaf_count += 1
                nodes.append(Leaf(list(run), list(loops), list(conditions), run[0].line, f"S{self.leaf_count}"))
                run.clear()

        for statement in statements:
            if loops and loops[-1].left_by_flag and is_way_out(statement):
                flush()
                run.append(statement)
                flush()
                nodes[-1].is_way_out = True  # type: ignore[union-attr]
                continue
            if isinstance(statement, Continue | Break | Return):
                word = type(statement).__name__.lower()
                raise CannotTransform(
                    f"'{word}' in the middle of a loop", line=statement.line, remedy="turn it into a condition"
                )
            if isinstance(statement, Allocate):
                self._allocate(statement)
                continue
            if isinstance(statement, Declare) and (
                self._is_unused(statement) or self._on_host(statement, loops, conditions)
            ):
                continue
            if isinstance(statement, Declare):
                self.symbols.types[statement.name] = statement.type
                self.locals[statement.name] = Local(statement.type, list(loops), statement.lengths)
                self._define(statement)
            inner = self._inner_nodes(statement, loops, conditions)
            if inner is not None:
                flush()
                nodes += inner
            else:
                self._check_leaf(statement, loops)
                run.append(statement)
        flush()
        return nodes

    def _allocate(self, buffer: Allocate) -> None:
        """Note a buffer that the launcher makes.

        Raises:
            CannotTransform: Its length is not known when the function begins.
        """
        if not self._host_value(buffer.length):
            if self._host_value(buffer.length, divides=True):
                raise CannotTransform(
                    f"the length of '{buffer.name}' divides by what may be zero",
                    line=buffer.line,
                    remedy="compute the quotient into a local of its own before",
                )
            raise CannotTransform(
                f"the length of '{buffer.name}' is found out on the way",
                line=buffer.line,
                remedy="give it a length that follows from the parameters alone",
            )
        self.symbols.types[buffer.name] = buffer.type
        self.buffers[buffer.name] = buffer

    def _is_unused(self, statement: Declare) -> bool:
        """Whether a declaration only served loops that have variables of their own now."""
        return not statement.lengths and statement.value is None and Variable(statement.name) not in self.used

    def _inner_nodes(self, statement: Statement, loops: list[Loop], conditions: list[str]) -> list[Node] | None:
        """The nodes of an affine loop, or of loops under an affine condition; None for what stays text."""
        if isinstance(statement, For):
            return self._loop(statement, loops, conditions)
        return self._branches(statement, loops, conditions) if isinstance(statement, If) else None

    def _on_host(self, statement: Declare, loops: list[Loop], conditions: list[str]) -> bool:
        """Whether the launcher can compute this declaration; it then does."""
        value = statement.value
        if (
            any(loop.launched is None for loop in loops)
            or statement.lengths
            or value is None
            or statement.name in self.assigned
            or not self._host_value(value, divides=not conditions)
        ):
            return False
        if loops and statement.name in self.scalars:  # in copies of a body: one name would have two values
            raise CannotTransform(f"'{statement.name}' is declared in two loops of the launcher", line=statement.line)
        (loops[-1].scalars if loops else self.host).append(statement)
        self.scalars.add(statement.name)
        self.symbols.types[statement.name] = statement.type
        if is_integer(statement.type) and size_bytes(statement.type) >= 4:
            self._host_integer(statement, value)
            if not loops and not conditions:
                self._note_quotient(statement, value)
            if loops:
                text = Affine(self.symbols, ()).affine(value)
                loops[-1].constraints += [f"{statement.name} = {text}"] if text is not None else []
        return True

    def _host_integer(self, statement: Declare, value: Expression) -> None:
        """Make a launcher's integer a parameter, and note what it is where that is a polynomial of earlier ones."""
        symbols, affine = self.symbols, Affine(self.symbols, ())
        polynomial = affine.polynomial(value)
        if polynomial is not None:
            nonnegative = affine.is_nonnegative(polynomial)
            plain = {atom for atoms in polynomial for atom in atoms} <= symbols.parameters  # no quotient, no minimum
            if plain and (nonnegative or not is_unsigned(statement.type)):
                symbols.values[statement.name] = written_out(polynomial, symbols.values)
            if nonnegative:
                symbols.nonnegative.add(statement.name)
        symbols.parameters.add(statement.name)

    def _note_quotient(self, statement: Declare, value: Expression) -> None:
        """Note what the launcher divides in every call."""
        symbols = self.symbols
        found = quotient_of(statement.name, statement.type, value, Affine(symbols, ()), symbols.divisible)
        if found is not None:
            symbols.quotients.append(found)
            symbols.nonnegative.add(statement.name)

    def _host_value(self, expression: Expression, *, divides: bool = False) -> bool:
        """Whether an expression is made of parameters alone; with `divides`, the source computes it whatever they are."""
        match expression:
            case Element():
                return False
            case Variable(name=name):
                return name in self.scalars
            case Binary("/" | "%", _, right) if not divides and integer(right) is None and not self._is_float(right):
                return False  # it may divide by a zero that a condition in the source keeps out
        return all(self._host_value(child, divides=divides) for child in children(expression))

    def _is_float(self, expression: Expression) -> bool:
        return isinstance(expression, Variable) and not is_integer(self.symbols.types.get(expression.name, "int"))

    def _define(self, statement: Declare) -> None:
        if statement.value is None or statement.name in self.assigned:
            return
        if is_integer(statement.type) and size_bytes(statement.type) >= 4:
            self.symbols.definitions[statement.name] = statement.value

    def _loop(self, statement: For, loops: list[Loop], conditions: list[str]) -> list[Node] | None:
        """The nodes of an affine loop; None for one that stays text."""
        if statement.launched:
            return self._launched_loop(statement, loops, conditions)
        own = [one for one in statement.body if not (statement.left_by_flag and is_way_out(one))]
        constraints = None if _leaves_early(own) else self._constraints(statement, loops)
        if constraints is None:
            return None
        variable = statement.variable
        self.symbols.types[variable] = statement.type
        outer = affine_inside(self.symbols, loops)
        first, last = outer.polynomial(statement.start), self._lowest(statement, outer)
        lowest = first if statement.step is not None and statement.step > 0 else last
        nonnegative = lowest is not None and outer.is_nonnegative(lowest)
        assert statement.step is not None
        loop = Loop(
            variable, statement.type, constraints, statement.step, [], statement.line, outer.text(first), nonnegative
        )
        loop.left_by_flag = statement.left_by_flag
        loop.endless = statement.left_by_flag and statement.condition == ALWAYS
        loop.children = self._nodes(statement.body, [*loops, loop], conditions)
        return [loop] if loop.children else []

    def _launched_loop(self, statement: For, loops: list[Loop], conditions: list[str]) -> list[Node]:
        """The nodes of a loop that the launcher runs as it is written.

        Raises:
            CannotTransform: Something but the launcher runs what is around it.
        """
        if any(loop.launched is None for loop in loops) or conditions:
            raise CannotTransform("a loop whose step is no constant is inside of another", line=statement.line)
        variable, outer = statement.variable, affine_inside(self.symbols, loops)
        if variable in self.scalars:
            raise CannotTransform(f"two loops of the launcher count by '{variable}'", line=statement.line)
        self.symbols.types[variable] = statement.type
        self.symbols.parameters.add(variable)
        self.scalars.add(variable)
        parts = [*all_of(statement.condition), *statement.known]
        texts = [outer.condition(part, trusted=True) for part in parts]
        loop = Loop(variable, statement.type, [text for text in texts if text], 1, [], statement.line)
        loop.launched = statement
        loop.nonnegative = Binary(">=", Variable(variable), Number("0", 0)) in statement.known
        if loop.nonnegative:
            self.symbols.nonnegative.add(variable)
        loop.children = self._nodes(statement.body, [*loops, loop], conditions)
        return [loop] if loop.children else []

    @staticmethod
    def _lowest(statement: For, outer: Affine) -> dict | None:
        """The lower bound of a loop that counts down, from a condition such as `i >= 0`."""
        match statement.condition:
            case Binary(">=" | ">", Variable(name=name), bound) if name == statement.variable:
                return outer.polynomial(bound)
        return None

    def _constraints(self, statement: For, loops: list[Loop]) -> list[str] | None:
        """isl's conditions for the values of a loop's variable; None when they are not affine."""
        if statement.step is None or statement.variable in self.assigned:
            return None
        if statement.left_by_flag and statement.condition == ALWAYS:
            return None if affine_inside(self.symbols, loops).polynomial(statement.start) is None else []
        variable, up = statement.variable, statement.step > 0
        outer = affine_inside(self.symbols, loops)
        inner = Affine(self.symbols, (*outer.iterators, variable), outer.nonnegative)

        def ends(expression: Expression, function: str, operator: str) -> list[str | None]:
            expression = as_extreme(expression)
            if isinstance(expression, Call) and expression.function == function and len(expression.arguments) == 2:
                return [end for argument in expression.arguments for end in ends(argument, function, operator)]
            text = outer.affine(expression)
            return [None if text is None else f"{variable} {operator} {text}"]

        def stops(condition: Expression) -> list[str | None]:
            match condition:
                case Binary("&&", left, right):
                    return stops(left) + stops(right)
                case Binary("||", left, right):
                    sides = stops(left) + stops(right)
                    return [None if None in sides or len(sides) != 2 else f"({sides[0]} or {sides[1]})"]
                case Binary("<" | "<=" as operator, Variable(name=name), bound) if name == variable and up:
                    return ends(bound, "min", operator)
                case Binary(">" | ">=" as operator, Variable(name=name), bound) if name == variable and not up:
                    return ends(bound, "max", operator)
                case Binary(">" | ">=" as operator, bound, Variable(name=name)) if name == variable and up:
                    return ends(bound, "min", "<" if operator == ">" else "<=")
            text = inner.condition(condition, trusted=True)
            return [text if text and _monotone(condition, statement, inner) else None]

        found = ends(statement.start, "max", ">=") if up else ends(statement.start, "min", "<=")
        if abs(statement.step) > 1:
            start = outer.affine(statement.start)
            found.append(None if start is None else f"({variable} - ({start})) mod {abs(statement.step)} = 0")
        found += stops(statement.condition)
        found += [text for text in (outer.condition(one, trusted=True) for one in statement.known) if text is not None]
        return None if None in found else [text for text in found if text is not None]

    def _branches(self, statement: If, loops: list[Loop], conditions: list[str]) -> list[Node] | None:
        """An affine condition around loops goes to the domains of what is inside; None for other conditions."""
        if not any(isinstance(inner, For) for inner in every([statement])):
            return None
        affine = affine_inside(self.symbols, loops, conditions)
        yes, no = (affine.condition(statement.condition, wanted=wanted) for wanted in (True, False))
        if yes is not None and no is not None:
            then = self._nodes(statement.then, loops, [*conditions, yes])
            return then + self._nodes(statement.otherwise, loops, [*conditions, no])
        return None

    def _check_leaf(self, statement: Statement, loops: list[Loop]) -> None:
        for inner in every([statement]):
            if isinstance(inner, Declare):
                self.symbols.types[inner.name] = inner.type
                self.locals.setdefault(inner.name, Local(inner.type, list(loops), inner.lengths))
                self._define(inner)
            if isinstance(inner, For):
                self.symbols.types[inner.variable] = inner.type
            if isinstance(inner, Allocate):
                self._allocate(inner)
        if not isinstance(statement, For | While) and _leaves_early([statement]):
            raise CannotTransform(
                "'break' or 'continue' under a condition", line=statement.line, remedy="turn it into a condition"
            )


def _monotone(condition: Expression, statement: For, affine: Affine) -> bool:
    """Whether the condition, once false, stays false: only then is a loop the same as a set of values."""
    if not isinstance(condition, Binary) or condition.operator not in ("<", "<=", ">", ">="):
        return False
    left, right = affine.polynomial(condition.left), affine.polynomial(condition.right)
    if left is None or right is None:
        return False
    difference = add(left, right, -1)
    own = (statement.variable,)
    if [atoms for atoms in difference if statement.variable in names_in({atoms: 1})] != [own]:
        return False
    grows = (difference[own] > 0) == ((statement.step or 0) > 0)
    return grows == (condition.operator in ("<", "<="))


def _leaves_early(statements: list[Statement]) -> bool:
    """Whether the loop around `statements` may be left or cut short by `break`, `continue` or `return`."""
    for statement in statements:
        if isinstance(statement, Break | Continue | Return):
            return True
        inside = blocks(statement) if isinstance(statement, If) else ()
        if any(_leaves_early(block) for block in inside):
            return True
        if isinstance(statement, For | While) and any(isinstance(s, Return) for s in every([statement])):
            return True
    return False
