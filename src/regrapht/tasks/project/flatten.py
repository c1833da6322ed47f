"""A function of a project as one with numbers and flat arrays for parameters, in a file without namespaces and classes around it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from regrapht.records.user_code import FlatPlace, Members, Returned
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.declarations import Declarations, Piece, body_of
from regrapht.tasks.project.end_pointers import ends_of
from regrapht.tasks.project.lambda_calls import in_place
from regrapht.tasks.project.pairs import with_pairs
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import Names, NoBody, Path, Place, Refused, bare, is_scalar, pointee, shape_of
from regrapht.tasks.project.pointer_uses import points_to_a_number, points_to_an_object
from regrapht.tasks.project.rendering import Renderer
from regrapht.tasks.project.results import in_between, is_made
from regrapht.tasks.project.rows import UNKNOWN
from regrapht.tasks.project.struct_values import (
    fields_of,
    flat_type,
    open_template,
    with_types,
    written_out,
)

_MOST_CLONES = 60
_CALLED = "which function it is has to be known: call one by its name, or make it a template parameter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """The declarations of the flat file, the function last, and how its parameters are had."""

    name: str
    pieces: tuple[Piece, ...]
    places: tuple[FlatPlace, ...]
    notes: tuple[str, ...]
    returned: Returned | None = None
    structs: tuple[tuple[str, Members], ...] = ()
    """As `Home` has them."""
    same: tuple[tuple[str, str], ...] = ()
    """Expressions of the user's function that are taken to be equal in every call."""


def flatten(unit: ClangUnit, function: Cursor, *, same: tuple[tuple[str, str], ...] = (), sized: bool = False) -> Flat:
    """Make a function flat.

    Args:
        same: (parameter, parameter) of the flat function that are equal in every call: the first is left out, the second stands for both.
        sized: Whether the length of every vector is a parameter, also where the code does not ask for it.

    Raises:
        Refused: It works on something that has no flat form.
    """
    first = _Flattener(unit, function)
    plain = first.run()  # which numbers are written is known at its end
    second = _Flattener(unit, function)
    places = first.renderer.places
    second.expected = {
        key: (one.written, one.sized or (sized and _knows_length(one)), one.columns, one.accessed)
        for key, one in places.items()
    }
    alike = ((places.get(two.key), places.get(one.key)) for one, two in first.renderer.equal_numbers)
    named = tuple((gone.name, kept.name) for gone, kept in alike if gone is not None and kept is not None)
    merged = mergeable(places.values(), (*same, *named))
    second.merged = {places_key: places[kept].path for places_key, kept in merged.items()}
    for gone, kept in merged.items():
        second.expected[kept] = (False, False, False, places[kept].accessed or places[gone].accessed)
    known = {place.name: place for place in plain.places}
    names = {key: one.name for key, one in places.items()}
    checks = tuple((known[names[gone]].expression, known[names[kept]].expression) for gone, kept in merged.items())
    second.renderer.changed = {key for key, one in places.items() if one.written}
    second.renderer.used = first.renderer.touched
    flat = second.run()
    return replace(flat, same=tuple(dict.fromkeys((*checks, *second.equal_lengths()))))


def _knows_length(place: Place) -> bool:
    """Whether an array's object says how long it is, one number after the other."""
    seen = not place.path.by_element or place.path.read_by is not None or place.path.counted_by is not None
    return (
        seen
        and place.shape.kind == "sequence"
        and place.shape.container in ("vector", "span")
        and not place.shape.inner
    )


def mergeable(places: Iterable[Place], same: tuple[tuple[str, str], ...]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Key of a number that is left out -> key of the one in its place: numbers of one type that are only read, and that can be compared."""
    known = {
        one.name: one for one in places if not one.is_array and not one.written and not one.own and not one.path.hidden
    }
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for gone, kept in same:
        if gone in known and kept in known and known[gone].shape.element == known[kept].shape.element:
            one, other = (_last(found, known[name].path.key) for name in (gone, kept))
            if one != other:
                found[one] = other
    return {gone: _last(found, gone) for gone in found}


def _last(merged: dict[tuple[str, ...], tuple[str, ...]], key: tuple[str, ...]) -> tuple[str, ...]:
    """The number in whose place another one stands, however many stand between."""
    while key in merged:
        key = merged[key]
    return key


@dataclass(slots=True)
class _Flattener(Declarations):
    expected: dict[tuple[str, ...], tuple[bool, bool, bool, bool]] = field(default_factory=dict)
    merged: dict[tuple[str, ...], Path] = field(default_factory=dict)
    clones: dict[tuple[object, ...], tuple[str, list[tuple[str, ...]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        text = self.unit.bytes_of(str(self.unit.path)).decode("utf-8", "replace")
        names = Names(taken=set(re.findall(r"[A-Za-z_]\w*", text)))
        self.renderer = _Expecting(self.unit, self.function, names)
        self.renderer.declare = self.declare
        self.renderer.clone = self.clone
        self.renderer.add = self._add
        self.renderer.element_name = self.element_name
        self.renderer.ends = ends_of(self.function)

    def run(self) -> Flat:
        self.renderer.expected = self.expected  # type: ignore[attr-defined]
        self.renderer.merged = self.merged  # type: ignore[attr-defined]
        scope = self._scope(self.function)
        body = body_of(self.function)
        self.renderer.mark(body)
        self.renderer.open_result(self.function, scope)
        text = self.renderer.text(body, scope)
        text = text.replace("{", "{" + self.renderer.ends_declared(scope), 1)
        text = with_types(text, written_out(self.function, self.unit, self.declare))
        self._refuse_pointers_over_swaps()
        name = self._entry_name()
        returns = self._returns()
        parameters = self._parameters(scope)
        head = f"{returns} {name}({', '.join(self._declared(place, part) for place, part in parameters)}) "
        self._add(head + text, body)
        places = tuple(self._flat_place(place, part) for place, part in parameters)
        returned = self.renderer.returned()
        pieces = tuple(replace(one, text=with_pairs(one.text, self.pairs)) for one in self.pieces)
        return Flat(
            name=name, pieces=pieces, places=places, notes=(), returned=returned, structs=tuple(self.structs.items())
        )

    def _refuse_pointers_over_swaps(self) -> None:
        """A pointer into a vector goes with the vector's memory when two are swapped; their contents, exchanged, would leave it behind."""
        if self.renderer.swapped is None:
            return
        self.renderer.refuse_changed_numbers(self.renderer.places)
        for body in self.renderer.bodies:
            for node in body.walk_preorder():
                if node.kind.name == "VAR_DECL" and node.type.get_canonical().kind.name == "POINTER":
                    raise Refused(
                        f"swaps vectors where '{node.spelling}' may point into one",
                        node,
                        "use the vector's name instead",
                    )

    def equal_lengths(self) -> tuple[tuple[str, str], ...]:
        """Pairs of lengths that have to be equal, as the user's function says them."""
        pairs = (
            (self._flat_place(one, "_size").expression, self._flat_place(two, "_size").expression)
            for one, two in self.renderer.equal_lengths
        )
        numbers = ((two.expression, one.expression) for one, two in self.renderer.equal_numbers)
        return tuple(dict.fromkeys(pair for pair in (*pairs, *numbers) if pair[0] != pair[1]))

    def _entry_name(self) -> str:
        spelled = str(self.function.spelling)
        if not spelled.isidentifier():
            raise Refused(
                f"'{spelled}' has no name that C can call", self.function, "call it from a function with a name"
            )
        if self.function.kind.name == "CXX_METHOD":
            return f"{self.function.semantic_parent.spelling}_{spelled}"
        return spelled

    def _returns(self) -> str:
        kind = self.function.result_type.get_canonical()
        if kind.kind.name == "VOID" or self.renderer.makes:
            return "void"
        if not is_scalar(kind):
            raise Refused(
                f"returns '{kind.spelling}'",
                self.function,
                "return a number or nothing, and write the rest to a parameter",
            )
        return "int" if kind.kind.name in ("BOOL", "ENUM") else str(kind.spelling)

    def _scope(self, function: Cursor) -> Scope:
        scope, ends = Scope(), self.renderer.ends
        counted = {begin.get_usr(): end for end, begin in ends.items()}
        spelled = {one.get_usr(): one.spelling for one in function.get_arguments()}
        for parameter in function.get_arguments():
            kind = bare(parameter.type)
            name = parameter.spelling
            if not name:
                continue
            if parameter.get_usr() in ends:
                scope.values[parameter.get_usr()] = name
                continue
            path = Path((f"parameter@{name}",), kind, name, by_value=is_scalar(parameter.type))
            shape = shape_of(kind)
            if shape is None:
                remedy = _CALLED if "FUNCTION" in pointee(kind) else None
                raise Refused(
                    f"'{name}' is of type '{parameter.type.spelling}', which has no flat form", parameter, remedy
                )
            to_struct = kind.kind.name == "POINTER" and points_to_an_object(function, parameter)
            if parameter.get_usr() in counted:
                count = f"static_cast<std::size_t>({spelled[counted[parameter.get_usr()]]} - {name})"
                path = replace(path, counted_by=count)
            elif to_struct:
                path = Path(path.key, bare(kind.get_pointee()), name, by_pointer=True)
            if points_to_a_number(function, parameter):
                path = Path(path.key, kind.get_pointee().get_canonical(), f"*{name}", by_pointer=True)
            scope.values[parameter.get_usr()] = path
        if function.kind.name == "CXX_METHOD" and not function.is_static_method():
            scope.this = Path(("this",), bare(function.semantic_parent.type), "this", by_pointer=True)
        return scope

    # ---- parameters

    def _parameters(self, scope: Scope) -> list[tuple[Place, str]]:
        """The flat parameters in order: those of the function, each with what goes with it, then fields and globals."""
        order = [f"parameter@{one.spelling}" for one in self.function.get_arguments()]
        used = list(self.renderer.places.values())
        ranked = sorted(used, key=lambda one: order.index(one.path.key[0]) if one.path.key[0] in order else len(order))
        found = []
        for place in ranked:
            if place.accessed:
                found.append((place, ""))
            if place.sized and not is_made(place.path.key) and place.path.key not in self.renderer.grown:
                found.append((place, "_size"))
            if place.columns:
                found.append((place, "_cols"))
        return found

    def _declared(self, place: Place, part: str) -> str:
        if part:
            return f"std::size_t {place.name}{part}"
        if not place.is_array:
            return f"{place.shape.element}{'*' if place.written else ''} {place.name}"
        return f"{'' if place.written else 'const '}{place.shape.element}* {place.name}"

    def _flat_place(self, place: Place, part: str) -> FlatPlace:
        """How the user's function has a parameter."""
        found = self._of_surroundings(place, part)
        if place.shape.cast and not part:
            kind = f"{'' if place.written else 'const '}{place.shape.element}*"
            found = replace(found, expression=f"reinterpret_cast<{kind}>({found.expression})")
        if place.path.key in self.renderer.grown:
            return replace(found, made=True)
        if not is_made(place.path.key):
            return found
        if place.path in self.renderer.leaves and place.path.type.kind.name in ("BOOL", "ENUM"):
            return FlatPlace(name=found.name, expression=f"&{in_between(place.path)}", form="pointer", made=True)
        return replace(found, made=True)

    def _of_surroundings(self, place: Place, part: str) -> FlatPlace:
        path, shape = place.path, place.shape
        if path.hidden and path.read_by and not place.written and place.is_array:
            path = replace(path, expression=path.read_by, hidden=None)
            place = replace(place, path=path)
        written = path.expression
        if part == "_size" and path.counted_by and (path.hidden or path.by_element or shape.container == "pointer"):
            return FlatPlace(name=place.name + part, expression=path.counted_by)
        if part == "_size" and path.by_element and not path.read_by:
            why = f"the length of {'.'.join(path.names[-1:])} is not public"
            return FlatPlace(name=place.name + part, expression=UNKNOWN, hidden=why)
        if part:
            if path.by_element:
                written, path = path.read_by or UNKNOWN, replace(path, hidden=None)
            text = f"{written}.size()" if part == "_size" else f"({written}.empty() ? 0 : {written}[0].size())"
            if (
                written == UNKNOWN
                or shape.container in ("pointer", "array")
                or (part == "_cols" and not place.measured)
            ):
                text = UNKNOWN
            return FlatPlace(name=place.name + part, expression=text, hidden=path.hidden)
        if not place.is_array:
            is_class = place.path.type.get_canonical().kind.name in ("BOOL", "ENUM")
            if place.written and written.endswith(")"):
                return FlatPlace(
                    name=place.name, expression=written, form="pointer", hidden=f"{written} cannot be written to"
                )
            if is_class and place.written and place.path not in self.renderer.leaves:
                raise Refused(
                    f"writes to '{written}', of type '{place.path.type.spelling}'", self.function, "use an int"
                )
            text = f"&{written}" if place.written else f"static_cast<int>({written})" if is_class else written
            form = "pointer" if place.written else "value"
            return FlatPlace(name=place.name, expression=text, form=form, hidden=place.path.hidden)
        if place.path.by_element:
            return FlatPlace(name=place.name, expression=f"&{written}", form="pointer", length=place.path.counted_by)
        if shape.kind == "rows":
            return FlatPlace(name=place.name, expression=written, form="rows", hidden=place.path.hidden)
        has_data = shape.container in ("vector", "span") or (
            shape.container == "array" and place.path.type.kind.name == "RECORD"
        )
        length = f"{written}.size()" if has_data or shape.container == "valarray" else path.counted_by
        text = written
        if shape.container == "unique_ptr":
            text = f"{written}.get()"
        elif shape.container == "valarray":
            text = f"&{written}[0]"
        elif has_data:
            text = f"{written}.data()"
        if shape.inner:
            text = (
                "&"
                + (f"{written}" if not has_data else f"{written}.data()[0]")
                + "[0]" * (len(shape.inner) + (not has_data))
            )
            length = f"{length} * {' * '.join(shape.inner)}" if length else None
        return FlatPlace(name=place.name, expression=text, length=length, form="pointer", hidden=place.path.hidden)

    # ---- what the function calls

    def clone(self, call: Cursor, scope: Scope, stack: list[str]) -> str:
        """A call of a function on vectors or objects, as one of a flat copy of it."""
        callee = call.referenced.get_definition()
        if callee is None or body_of(callee) is None:
            raise NoBody(call.spelling, call)
        receiver, given = self.renderer.arguments_of(call)
        inner = Scope()
        if callee.kind.name == "CXX_METHOD":
            inner.this = self.renderer.path(receiver, scope) if receiver is not None else scope.this
        kept: list[tuple[Cursor, Cursor]] = []
        for parameter, argument in zip(callee.get_arguments(), given, strict=False):
            path = self.renderer.path(argument, scope) if self.renderer.is_object(argument, scope) else None
            copied = "REFERENCE" not in parameter.type.kind.name and path is not None and fields_of(path.type)
            if path is not None and not copied:
                inner.values[parameter.get_usr()] = path
            else:
                kept.append((parameter, argument))
        if (block := in_place(self.renderer, call, body_of(callee), inner, kept, scope)) is not None:
            return block
        key = (
            callee.get_usr(),
            inner.this and inner.this.key,
            tuple((k, v.key) for k, v in sorted(inner.values.items()) if isinstance(v, Path)),
        )
        if key not in self.clones:
            self.clones[key] = ("", [])
            self.clones[key] = self._cloned(callee, inner, [parameter for parameter, _ in kept])
        name, leaves = self.clones[key]
        if not name:
            raise Refused(f"'{call.spelling}' calls itself", call, "write the recursion as a loop")
        for leaf in leaves:
            scope.used[leaf] = self.renderer.places[leaf]
        parts = [self.renderer.text(argument, scope) for _, argument in kept]
        for leaf in leaves:
            place = self.renderer.places[leaf]
            parts += [
                *([place.name] if place.accessed else []),
                *([f"{place.name}_size"] if place.sized else []),
                *([f"{place.name}_cols"] if place.columns else []),
            ]
        return f"{name}({', '.join(parts)})"

    def _cloned(self, callee: Cursor, inner: Scope, kept: list[Cursor]) -> tuple[str, list[tuple[str, ...]]]:
        if len(self.clones) > _MOST_CLONES:
            raise Refused("calls more functions than are followed", callee)
        body = body_of(callee)
        self.renderer.mark(body)
        text = self.renderer.text(body, inner)
        outer = callee.semantic_parent
        spelled = re.sub(r"\W+", "_", callee.spelling)  # an operator has a name too
        wanted = f"{outer.spelling}_{spelled}" if callee.kind.name == "CXX_METHOD" else spelled
        name = self.renderer.names.fresh(wanted) if wanted != spelled else self.renderer.names.fresh(f"{wanted}_flat")
        written = written_out(callee, self.unit, self.declare)
        text = with_types(text, written)
        parts = [with_types(self.renderer.text(one, inner), written).split("=")[0].strip() for one in kept]
        for place in inner.used.values():
            parts += [self._declared(place, "")] if place.accessed else []
            parts += [
                self._declared(place, part)
                for part, wanted_too in (("_size", place.sized), ("_cols", place.columns))
                if wanted_too
            ]
        kind = callee.result_type.get_canonical()
        if kind.kind.name in ("LVALUEREFERENCE", "POINTER"):
            raise Refused(f"calls '{callee.spelling}', which returns '{kind.spelling}'", callee)
        returned = flat_type(kind, self.unit, self.declare)
        self._add(f"{open_template(callee, written)}static {returned} {name}({', '.join(parts)}) {text}", body)
        return name, list(inner.used)


class _Expecting(Renderer):
    """A renderer that knows from a first time which places are written."""

    expected: dict[tuple[str, ...], tuple[bool, bool, bool, bool]] = {}  # noqa: RUF012 -- set for each
    merged: dict[tuple[str, ...], Path] = {}  # noqa: RUF012 -- set for each

    def place(self, path: Path, scope: Scope, cursor: Cursor) -> Place:
        path = self.merged.get(path.key, path)
        fresh = path.key not in self.places
        found = Renderer.place(self, path, scope, cursor)
        if fresh and path.key in self.expected:
            found.written, found.sized, found.columns, found.accessed = self.expected[path.key]
        return found
