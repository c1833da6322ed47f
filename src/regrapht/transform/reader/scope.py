"""The symbol table: what a name means at a place of the source, such as a variable, a pointer into an array, a constant, a struct."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from regrapht.transform.ir.expressions import ZERO, Binary, Cast, Expression
from regrapht.transform.ir.names import internal_name, refuse


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in an array: `array[prefix...] + offset`. `rank` is the number of subscripts that reach an element."""

    array: str
    rank: int = 1
    prefix: tuple[Expression, ...] = ()
    offset: Expression | None = None
    counter: str | None = None
    """The local that counts how far a pointer has moved, for one that moves."""
    length: Expression | None = None
    """Of a vector, which this is the name of, or of one of its rows."""
    width: Expression | None = None
    """Of a vector of vectors, the length of each of its rows; they lie one behind the other."""
    unset: str = ""
    """Of a pointer that points nowhere yet, the text of what it may point to; its `array` has no name then."""

    def moved(self, by: Expression) -> "Pointer":
        offset = by if self.offset is None else Binary("+", self.offset, by)
        return Pointer(self.array, self.rank, self.prefix, offset)

    def subscripted(self, by: Expression) -> "Pointer":
        if self.width is not None:
            return Pointer(self.array, offset=Binary("*", Cast("long long", by), self.width), length=self.width)
        first = by if self.offset is None else by if by == ZERO else Binary("+", self.offset, by)
        if self.offset is not None and by == ZERO:
            first = self.offset
        return Pointer(self.array, self.rank, (*self.prefix, first))


@dataclass(frozen=True, slots=True)
class Spent:
    """A loop variable declared outside its loop: its value after the loop is not kept."""

    name: str


@dataclass(frozen=True, slots=True)
class Record:
    """A struct, by what its fields are: variables, elements, local arrays."""

    struct: str
    fields: "dict[str, Binding]"


Binding = Expression | Pointer | Spent | Record


@dataclass(slots=True)
class Scope:
    """Nested names; inner ones hide outer ones."""

    names: dict[str, Binding] = field(default_factory=dict)
    outer: "Scope | None" = None
    lambdas: dict[str, Any] = field(default_factory=dict)
    """Names of lambdas, each a `Callee`."""

    def inner(self, names: dict[str, Binding] | None = None) -> "Scope":
        return Scope(dict(names or {}), self)

    def find(self, name: str) -> Binding | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def find_lambda(self, name: str) -> Any:
        """The lambda of this name; None where there is none in sight."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.lambdas or name in scope.names:
                return scope.lambdas.get(name)
            scope = scope.outer
        return None

    def pointers(self) -> dict[str, "Pointer"]:
        """What the pointers in sight point to now."""
        scope: Scope | None = self
        found: dict[str, Pointer] = {}
        while scope is not None:
            found = {n: b for n, b in scope.names.items() if isinstance(b, Pointer)} | found
            scope = scope.outer
        return found

    def rebind(self, name: str, binding: Binding) -> None:
        """Change what the innermost declaration of `name` means."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                scope.names[name] = binding
                return
            scope = scope.outer
        raise KeyError(name)


@dataclass(slots=True)
class Names:
    """Gives each declaration of a file a name of its own, the written one where it is free."""

    identifiers: set[str]
    """Every identifier of the file, and every name made here."""
    declared: dict[str, str | None] = field(default_factory=dict)
    """Names in use; for the variable of a loop its type, since loops one after the other may share it."""

    arrays: Collection[str] = ()
    """Arrays that stand for fields of structs."""
    buffers: dict[str, Expression | None] = field(default_factory=dict)
    """Arrays that the function makes for itself, with their lengths."""

    def unique(self, name: str) -> str:
        name = internal_name(name.replace(".", "_"))
        chosen, number = name, 2
        while chosen in self.declared or chosen in self.arrays or (chosen != name and chosen in self.identifiers):
            chosen, number = f"{name}_{number}", number + 1
        self.identifiers.add(chosen)
        self.declared[chosen] = None
        return chosen

    def of_loop(self, name: str, type_name: str, *, hidden: bool) -> str:
        """`name` again where an earlier loop over the same type had it, unless it is in sight (`hidden` by this loop)."""
        if not hidden and self.declared.get(name) == type_name:
            return name
        chosen = self.unique(name)
        self.declared[chosen] = type_name
        return chosen


def require_set(place: Pointer, text: str, line: int) -> None:
    """Refuse the use of a pointer that was declared and points nowhere yet, as far as its text shows."""
    if place.unset:
        raise refuse(f"what '{text}' points to here", line, "set it to a place in an array where it is declared")
