"""What is known of a function's scalars while its loops are rewritten: their types, which of them live on, which nobody reads."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from regrapht.transform.ir.expressions import Element, Variable, mentions
from regrapht.transform.ir.statement_walk import mentions_variable, without_locals
from regrapht.transform.ir.statements import Allocate, Assign, Declare, For, If, Return, Statement, Update, While, every


@dataclass(frozen=True, slots=True)
class Place:
    """One list of statements around a statement: what follows in it, whether it is a loop's body, and all of that body."""

    rest: Sequence[Statement]
    whole: Sequence[Statement]
    is_loop: bool
    before: Sequence[Statement] = ()


@dataclass(slots=True)
class Locals:
    """What is known of the function's locals while its loops are rewritten."""

    types: dict[str, str]
    nonnegative: set[str]
    identifiers: set[str]
    fixed: set[str]
    """Parameters, which nothing changes."""
    touched: set[str] = field(default_factory=set)
    """Locals that loops no longer change."""
    counters: dict[str, str] = field(default_factory=dict)
    """Variables of loops made here, with those that they were made of."""

    def fresh(self, name: str) -> str:
        chosen, number = name, 2
        while chosen in self.identifiers:
            chosen, number = f"{name}_{number}", number + 1
        self.identifiers.add(chosen)
        return chosen

    def is_live(self, name: str, here: tuple[Place, ...]) -> bool:
        """Whether a variable may be read behind the innermost of these places."""
        for place in reversed(here):
            for statement in place.rest:
                if _only_moves(statement, name):
                    continue
                if _sets(statement, name):
                    return False
                if mentions_variable([statement], name):
                    return True
            if any(isinstance(s, Declare) and s.name == name for s in place.whole):
                return False
            if place.is_loop:  # the next turn may read it, unless it is set first
                for statement in place.before:
                    if _sets(statement, name):
                        return False
                    if mentions_variable([statement], name):
                        return True
                return True
        return False


def _sets(statement: Statement, name: str) -> bool:
    """Whether a statement gives the variable a new value without reading the old one."""
    if isinstance(statement, Declare):
        return statement.name == name
    own = isinstance(statement, Assign) and statement.target == Variable(name)
    return own and isinstance(statement, Assign) and not mentions(statement.value, Variable(name))


def _only_moves(statement: Statement, name: str) -> bool:
    """Whether a statement reads the variable for its own new value alone."""
    own = Variable(name)
    return isinstance(statement, Update) and statement.target == own and not mentions(statement.value, own)


def without_unread(body: list[Statement], names: set[str]) -> list[Statement]:
    """Dead-code elimination: the statements without those of the locals `names` that nothing reads."""
    while True:
        declared = {s.name for s in every(body) if isinstance(s, Declare)} & names
        unread = {name for name in declared if not _is_read(body, name)}
        if not unread:
            return body
        body = without_locals(body, unread)


def _is_read(body: list[Statement], name: str) -> bool:
    own = Variable(name)
    for statement in every(body):
        match statement:
            case Assign(target, value) | Update(target, _, value):
                parts = [value, *(target.subscripts if isinstance(target, Element) else ())]
            case Declare(value=value) | Return(value=value):
                parts = [] if value is None else [value]
            case Allocate(length=length):
                parts = [length]
            case If(condition=condition) | While(condition=condition):
                parts = [condition]
            case For(start=start, condition=condition, advance=advance, variable=variable):
                parts = [start, condition, advance.value] if variable != name else []
            case _:
                parts = []
        if any(mentions(part, own) for part in parts):
            return True
    return False
