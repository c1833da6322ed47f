"""Which object of a function's surroundings an expression names: through fields, references and accessors."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

from regrapht.tasks.project.accessors import first_element_of, getter_of, handed_out, length_of
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.expressions import (
    bracketed,
    constants_before_return,
    copied,
    is_constant,
    only_return,
    operands,
    receiver_of,
    through,
)
from regrapht.tasks.project.functions import qualified
from regrapht.tasks.project.places import Path, Place, bare, is_span, plain_name, shape_of

_SIDE_EFFECTS = {"COMPOUND_ASSIGNMENT_OPERATOR", "CXX_NEW_EXPR", "LAMBDA_EXPR"}


def _ancestors(record: Cursor) -> Iterator[Cursor]:
    """The classes, or their templates, that a class is derived from, and theirs."""
    for one in record.get_children():
        if one.kind.name == "CXX_BASE_SPECIFIER":
            base = one.type.get_canonical().get_declaration()
            base = base.specialized_template or base
            yield base
            yield from _ancestors(base)


def _seen_through(made: Cursor) -> Cursor | None:
    """The vector, array or span that becomes a span, as where one is handed over; None for anything else."""
    if made.kind.name not in ("CALL_EXPR", "CXX_FUNCTIONAL_CAST_EXPR") or not is_span(made.type):
        return None
    if made.kind.name == "CALL_EXPR" and (made.referenced is None or made.referenced.kind.name != "CONSTRUCTOR"):
        return None
    parts = [one for one in made.get_children() if one.kind.is_expression()]
    return parts[0] if len(parts) == 1 else None


@dataclass(slots=True)
class Scope:
    """One function on its way to flat text: what its parameters and `this` stand for."""

    values: dict[str, "Path | str"] = field(default_factory=dict)
    this: Path | None = None
    used: dict[tuple[str, ...], Place] = field(default_factory=dict)
    inlined: bool = False
    written: tuple[tuple[str, str], ...] = ()
    """The parameters of its template, and of the classes around it, with what they are in the instance."""
    rows: dict[str, tuple[Path, str]] = field(default_factory=dict)
    """Local names of rows: the array and the number of the row."""


@dataclass(slots=True)
class Paths(ABC):
    """Follows expressions to where they begin."""

    unit: ClangUnit
    home: Cursor
    """The user's function."""

    @abstractmethod
    def text(self, cursor: Cursor, scope: Scope) -> str:
        """The flat text of a node; `Renderer` says how."""

    @abstractmethod
    def of_template(self, meant: Cursor) -> tuple[tuple[str, str], ...]:
        """What `Scope.written` is for a function."""

    def path(self, cursor: Cursor, scope: Scope) -> Path | None:
        """The way to the object that an expression names; None where it is none of the function's surroundings."""
        cursor = through(cursor)
        kind = cursor.kind.name
        if kind == "DECL_REF_EXPR":
            return self._named(cursor, scope)
        if kind == "CXX_THIS_EXPR":
            return scope.this
        if kind == "MEMBER_REF_EXPR" and cursor.referenced is not None and cursor.referenced.kind.name == "FIELD_DECL":
            return self._field(cursor, scope)
        if kind == "UNARY_OPERATOR" and self.unit.source(cursor).startswith("*"):
            number = self.pointed_number(cursor, scope)
            if number is not None:
                return number
            inner = self.path(next(iter(cursor.get_children())), scope)
            if inner is not None and (bare(inner.type).kind.name == "POINTER" or inner.by_pointer):
                pointee = bare(inner.type).get_pointee() if bare(inner.type).kind.name == "POINTER" else inner.type
                if bare(pointee).kind.name == "RECORD":
                    return Path(inner.key, bare(pointee), f"(*{inner.expression})", inner.hidden)
            return None
        if kind == "UNARY_OPERATOR" and self.unit.source(cursor).startswith("&"):
            named = self.path(next(iter(cursor.get_children())), scope)
            return named if named is not None and bare(named.type).kind.name == "RECORD" else None
        if (seen := _seen_through(cursor)) is not None:
            return self.path(seen, scope)
        if kind == "CALL_EXPR" and cursor.referenced is not None:
            return self._returned(cursor, scope)
        return None

    def pointed_number(self, cursor: Cursor, scope: Scope) -> Path | None:
        """`*n` of a parameter that points to one number."""
        name = through(next(iter(cursor.get_children())))
        if name.kind.name != "DECL_REF_EXPR" or name.referenced is None:
            return None
        value = scope.values.get(name.referenced.get_usr())
        shape = shape_of(value.type) if isinstance(value, Path) and value.by_pointer else None
        return value if isinstance(value, Path) and shape is not None and shape.kind == "scalar" else None

    def _named(self, cursor: Cursor, scope: Scope) -> Path | None:
        meant = cursor.referenced
        if meant is None:
            return None
        value = scope.values.get(meant.get_usr())
        if isinstance(value, Path):
            return value
        if meant.kind.name != "VAR_DECL" or not self.unit.is_own(meant) or meant.semantic_parent is None:
            return None
        if meant.semantic_parent.kind.name in ("NAMESPACE", "TRANSLATION_UNIT", "LINKAGE_SPEC") and not is_constant(
            meant
        ):
            return Path((f"global@{meant.spelling}",), bare(meant.type), f"::{qualified(meant)}")
        return None

    def _field(self, cursor: Cursor, scope: Scope) -> Path | None:
        children = [one for one in cursor.get_children() if one.kind.is_expression()]
        base = self.path(children[0], scope) if children else scope.this
        if base is None:
            return None
        return self.part(base, cursor.referenced)

    def part(self, base: Path, meant: Cursor) -> Path:
        """The way to a field of an object."""
        through_pointer = bare(base.type).kind.name == "POINTER" or base.by_pointer
        joint = "->" if (through_pointer and base.expression != "(*this)") or base.expression == "this" else "."
        closed = self.closed(meant)
        shape = shape_of(bare(meant.type))
        getter = getter_of(meant) if closed and not base.hidden else None
        is_number = shape is not None and shape.kind == "scalar"
        dot = f"{base.expression}{joint}"
        given = handed_out(meant) if closed and not base.hidden and not is_number else None
        if given is not None and (given[1] or not self._is_constant(base)):
            return Path((*base.key, meant.spelling), bare(meant.type), f"{dot}{given[0]}()")
        length = length_of(meant) if closed and not base.hidden and not is_number else None
        counted = f"{dot}{length}()" if length else None
        is_plain = shape is not None and shape.kind == "sequence" and not shape.inner
        first = first_element_of(meant) if closed and not base.hidden and is_plain else None
        if first is not None and (first[1] or not self._is_constant(base)):
            element, read = f"*{dot}{first[0]}()", f"{dot}{getter}()" if getter else None
            return Path(
                (*base.key, meant.spelling),
                bare(meant.type),
                element,
                by_element=True,
                read_by=read,
                counted_by=counted,
            )
        return Path(
            (*base.key, meant.spelling),
            bare(meant.type),
            f"{dot}{getter}()" if getter and is_number else f"{dot}{meant.spelling}",
            base.hidden or (None if getter and is_number else closed),
            read_by=f"{dot}{getter}()" if getter else None,
            counted_by=counted,
        )

    def ranged(self, path: Path) -> Path:
        """The vector that a loop over an object goes through: its class's `begin` is that of the vector."""
        shape = shape_of(path.type)
        if shape is None or shape.kind != "object":
            return path
        declared = bare(path.type).get_declaration()
        for method in declared.get_children():
            returned = only_return(method) if method.kind.name == "CXX_METHOD" and method.spelling == "begin" else None
            receiver = receiver_of(through(returned)) if returned is not None else None
            found = self.path(receiver, Scope(this=path)) if receiver is not None else None
            if found is not None and through(returned).spelling == "begin":
                return found
        return path

    def _is_constant(self, base: Path) -> bool:
        own = base.key == ("this",) and self.home.kind.name == "CXX_METHOD" and self.home.is_const_method()
        return bool(own or len(base.key) > 1 or bare(base.type).is_const_qualified())

    def closed(self, member: Cursor) -> str | None:
        """Why the user's function cannot name a member; None where it can."""
        if member.access_specifier.name in ("PUBLIC", "INVALID", "NONE"):
            return None
        owner, mine = member.semantic_parent, self.home.semantic_parent
        if mine is not None and owner is not None and owner.get_usr() == mine.get_usr():
            return None
        if mine is not None and owner is not None and member.access_specifier.name == "PROTECTED":
            family = {one.get_usr() for one in _ancestors(mine)}
            if (owner.specialized_template or owner).get_usr() in family:
                return None
        return f"{owner.spelling}::{member.spelling} is not public"

    def _returned(self, call: Cursor, scope: Scope) -> Path | None:
        """The object that an accessor gives a reference to."""
        meant = call.referenced
        if not self.unit.is_own(meant) or meant.kind.name not in ("CXX_METHOD", "FUNCTION_DECL"):
            return None
        returned = only_return(meant)
        if returned is not None and is_span(meant.result_type):
            returned = copied(returned)
        if returned is None or bare(meant.result_type).kind.name not in ("RECORD", "POINTER"):
            return None
        inner = self.scope_of(call, scope)
        found = self.path(returned, inner) if inner is not None else None
        if found is None:
            return None
        text = self.unit.source(call) if not scope.inlined else found.expression
        return Path(
            found.key,
            found.type,
            text if found.hidden else found.expression,
            None if found.hidden and not self.closed(meant) else found.hidden,
        )

    def vector(self, argument: Cursor, scope: Scope) -> Path | None:
        """A vector of numbers, named or returned by an accessor."""
        node = through(argument)
        path = self.path(node, scope)
        if path is None and node.kind.name == "CALL_EXPR" and node.referenced is not None:
            meant = node.referenced.get_definition() or node.referenced
            returned, inner = only_return(meant), self.scope_of(node, scope)
            path = self.path(returned, inner) if returned is not None and inner is not None else None
        shape = shape_of(path.type) if path is not None else None
        plain = shape is not None and shape.kind == "sequence" and shape.container == "vector" and not shape.inner
        return path if plain else None

    def scope_of(self, call: Cursor, scope: Scope) -> Scope | None:
        """What a called function's parameters stand for, to write its text in the place of the call; None where an argument has effects."""
        meant = call.referenced.get_definition() or call.referenced
        receiver, given = self.arguments_of(call)
        inner = Scope(used=scope.used, inlined=True, written=self.of_template(meant))
        if receiver is not None:
            inner.this = self.path(receiver, scope)
            if inner.this is None:
                return None
        elif meant.kind.name == "CXX_METHOD":
            inner.this = scope.this
        for parameter, argument in zip(meant.get_arguments(), given, strict=False):
            if any(node.kind.name in _SIDE_EFFECTS or node.spelling == "=" for node in argument.walk_preorder()):
                return None
            value = self.path(argument, scope)
            shape = shape_of(value.type) if value is not None else None
            keep = value is not None and shape is not None and shape.kind != "scalar"
            inner.values[parameter.get_usr()] = value if keep and value else bracketed(self.text(argument, scope))
        self.name_constants(meant, inner)
        return inner

    def name_constants(self, meant: Cursor, scope: Scope) -> None:
        """Have the constants of a function known that is written in the place of its call."""
        for variable, value in constants_before_return(meant):
            text = bracketed(self.text(value, scope))
            if variable.type.get_canonical().kind != value.type.get_canonical().kind:
                text = f"static_cast<{plain_name(variable.type)}>{text if text.startswith('(') else f'({text})'}"
            scope.values[variable.get_usr()] = text

    def arguments_of(self, call: Cursor) -> tuple[Cursor | None, list[Cursor]]:
        if call.referenced.kind.name == "CXX_METHOD" and call.spelling.startswith("operator"):
            parts = operands(call)
            return parts[0], parts[1:]
        return receiver_of(call), list(call.get_arguments())
