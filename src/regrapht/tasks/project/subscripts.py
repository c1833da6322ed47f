"""Elements of flat arrays, and local names for elements, rows and objects of the surroundings."""

from dataclasses import dataclass, replace
from typing import Any

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.exchanges import Exchanges
from regrapht.tasks.project.expressions import bracketed, copied, operands, receiver_of, span, through
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import Path, Place, Refused, bare, is_span, shape_of
from regrapht.tasks.project.pointer_uses import points_to_an_object
from regrapht.tasks.project.returned_types import extent
from regrapht.tasks.project.struct_values import flat_type


@dataclass(slots=True)
class Subscripts(Exchanges):
    """The rules for them."""

    def element(self, cursor: Cursor, scope: Scope) -> str | None:
        """`p[i][j]` on a flat array; None where the base is none of the function's surroundings."""
        indices: list[Cursor] = []
        base = cursor
        while True:
            base = through(base)
            if base.kind.name == "ARRAY_SUBSCRIPT_EXPR":
                inner = list(base.get_children())
            elif (
                base.kind.name == "CALL_EXPR"
                and base.spelling == "operator[]"
                and not self._is_of_an_element(base, scope)
            ):
                inner = operands(base)
            elif base.kind.name == "CALL_EXPR" and base.spelling == "at" and len(list(base.get_arguments())) == 1:
                inner = [receiver_of(base), next(iter(base.get_arguments()))]
            else:
                break
            if len(inner) != 2 or inner[0] is None:
                return None
            indices.insert(0, inner[1])
            base = inner[0]
        row = self._named_row(base, scope)
        path = row[0] if row is not None else self.path(base, scope)
        shape = shape_of(path.type) if path is not None and indices else None
        if path is None or shape is None or shape.kind not in ("sequence", "rows"):
            return None
        place = self.place(path, scope, cursor)
        place.written = place.written or span(through(cursor)) in self.written
        place.accessed = True
        texts = [*(row[1:] if row is not None else ()), *(self.text(index, scope) for index in indices)]
        return self._subscript(place, texts, self._widths(place))

    def _is_of_an_element(self, call: Cursor, scope: Scope) -> bool:
        """Whether a subscript is a function of an element's own class, and not one of the array."""
        return self.unit.is_own(call.referenced) and self.path(operands(call)[0], scope) is None

    def _widths(self, place: Place) -> tuple[str, ...]:
        """How long rows are, the outermost first."""
        if place.shape.kind != "rows":
            return place.shape.inner
        place.columns = True
        return (f"{place.name}_cols",)

    def row(self, node: Cursor, scope: Scope) -> tuple[Path, str] | None:
        """The array and the number of the row that an expression names; None where it names none."""
        node = through(node)
        if (known := self._named_row(node, scope)) is not None:
            return known
        inner = operands(node) if node.kind.name == "CALL_EXPR" and node.spelling == "operator[]" else []
        inner = list(node.get_children()) if node.kind.name == "ARRAY_SUBSCRIPT_EXPR" else inner
        path = self.path(inner[0], scope) if len(inner) == 2 else None
        shape = shape_of(path.type) if path is not None else None
        if path is None or shape is None or not (shape.kind == "rows" or (shape.kind == "sequence" and shape.inner)):
            return None
        return path, self.text(inner[1], scope)

    def _named_row(self, node: Cursor, scope: Scope) -> tuple[Path, str] | None:
        named = node.kind.name == "DECL_REF_EXPR" and node.referenced is not None
        return scope.rows.get(node.referenced.get_usr()) if named else None

    def whole_row(self, row: tuple[Path, str], meant: Cursor, scope: Scope, cursor: Cursor) -> str:
        """A local name of a row where it stands for a pointer.

        Raises:
            Refused: It is no pointer.
        """
        if bare(meant.type).kind.name not in ("CONSTANTARRAY", "POINTER"):
            raise Refused(f"uses the row '{meant.spelling}' as a whole", cursor, "use its elements")
        place = self.place(row[0], scope, cursor)
        place.accessed = True
        return self._subscript(place, [row[1]], self._widths(place))

    def length(self, place: Place) -> str:
        """How many elements a sequence has: a number where its type says so, else a parameter."""
        kind = place.path.type
        if place.shape.container == "array" and kind.kind.name != "INCOMPLETEARRAY":
            return str(extent(kind))
        place.sized = True
        return f"{place.name}_size"

    def width(self, path: Path, scope: Scope, cursor: Cursor) -> str:
        """How many elements a row has, as the code asks for it."""
        place = self.place(path, scope, cursor)
        place.measured = place.measured or place.shape.kind == "rows"
        return self._widths(place)[0]

    def _subscript(self, place: Place, texts: list[str], widths: tuple[str, ...]) -> str:
        if not widths:
            return f"{place.name}[{texts[0]}]"
        flat = bracketed(texts[0])
        for depth, width in enumerate(widths):
            flat = f"{bracketed(flat) if depth else flat} * {width}"
            if depth + 1 < len(texts):
                flat = f"{flat} + {bracketed(texts[depth + 1])}"
        if len(texts) == len(widths) + 1:
            return f"{place.name}[{flat}]"
        place.written = place.written or not place.shape.is_const
        return f"({place.name} + {flat})"

    def rule_loop(self, cursor: Cursor, scope: Scope) -> str | None:
        """`for (double& x : v)` as a loop over places."""
        children = list(cursor.get_children())
        variable, ranged, body = children[0], children[1], children[-1]
        row = self.row(ranged, scope)
        path = row[0] if row is not None else self.path(ranged, scope)
        path = self.ranged(path) if path is not None else None
        shape = shape_of(path.type) if path is not None else None
        if path is None or shape is None:
            return None
        deep = shape.kind == "rows" or bool(shape.inner)
        reference = variable.type.kind.name == "LVALUEREFERENCE"
        if shape.kind not in ("sequence", "rows") or (deep and row is None and not reference) or len(shape.inner) > 1:
            raise Refused(f"loops over '{path.expression}'", cursor, "write the loop with a subscript")
        lengths = self.lengths_before(cursor, scope)
        place = self.place(path, scope, cursor)
        at = self.turns[span(cursor)] = self.names.fresh(
            "item_at" if bindings_of(variable) else f"{variable.spelling}_at"
        )
        count = self.width(path, scope, cursor) if row is not None else self.length(place)
        place.accessed = True
        own, names = "", bindings_of(variable)
        name = self.names.fresh("item") if names else variable.spelling
        if deep and row is None:
            scope.rows[variable.get_usr()] = (path, at)
            self._bind_row(names, place, at, scope, writes=not bare(variable.type).is_const_qualified())
        else:
            const = "const " if bare(variable.type).is_const_qualified() or place.shape.is_const else ""
            place.written = place.written or (reference and not const)
            element = self._subscript(place, [*(row[1:] if row is not None else ()), at], self._widths(place))
            own = f"{const}{place.shape.element}{'&' if reference else ''} {name} = {element}; "
            self._bind(names, variable.type, name, scope)
        inside = self.text(body, scope) + ("" if body.kind.name == "COMPOUND_STMT" else ";")
        return f"{lengths} for (std::size_t {at} = 0; {at} < {count}; ++{at}) {{ {own}{inside} }}"

    def rule_declarations(self, cursor: Cursor, scope: Scope) -> str | None:
        """A local name for an object of the surroundings is looked through."""
        variables = [one for one in cursor.get_children() if one.kind.name == "VAR_DECL"]
        if len(variables) != 1:
            return self._declared_parts(cursor, scope)
        values = [one for one in variables[0].get_children() if one.kind.is_expression()]
        kind = variables[0].type.get_canonical()
        if (opened := self.opening(variables[0], scope)) is not None:
            return opened
        if not values or (kind.kind.name not in ("LVALUEREFERENCE", "POINTER") and not is_span(kind)):
            return None
        value = copied(values[-1]) if is_span(kind) and self.path(values[-1], scope) is None else through(values[-1])
        if (
            kind.kind.name == "POINTER"
            and value.kind.name == "UNARY_OPERATOR"
            and self.unit.source(value).startswith("&")
        ):
            value = through(next(iter(value.get_children())))
            if kind.get_pointee().get_canonical().kind.name != "RECORD":
                return None
        row = self.row(value, scope) if kind.kind.name == "LVALUEREFERENCE" else None
        if row is not None:
            at = self.names.fresh(f"{variables[0].spelling}_row")
            scope.rows[variables[0].get_usr()] = (row[0], at)
            return f"const std::size_t {at} = {row[1]};"
        path = self.path(value, scope)
        if path is not None and kind.kind.name == "POINTER" and bare(path.type).kind.name == "POINTER":
            one_object = path.counted_by is None and points_to_an_object(variables[0].semantic_parent, variables[0])
            path = replace(path, type=bare(path.type.get_pointee()), by_pointer=True) if one_object else None
        if path is None or (kind.kind.name == "POINTER" and bare(path.type).kind.name != "RECORD"):
            return None
        scope.values[variables[0].get_usr()] = path
        return ";"

    def _declared_parts(self, cursor: Cursor, scope: Scope) -> str | None:
        """`auto& [x, y] = v[i];` as a reference to the element, whose fields the names are; those of copies are left as they are."""
        declared = next((one for one in cursor.get_children() if bindings_of(one)), None)
        if declared is None or declared.type.kind.name != "LVALUEREFERENCE":
            return None
        names = bindings_of(declared)
        value = through([one for one in declared.get_children() if one.kind.is_expression()][-1])
        writes = not declared.type.get_pointee().is_const_qualified()
        if (row := self.row(value, scope)) is not None:
            at = self.names.fresh("item_row")
            self._bind_row(names, self.place(row[0], scope, cursor), at, scope, writes=writes)
            return f"const std::size_t {at} = {row[1]};"
        if (path := self.path(value, scope)) is not None:
            for name, member in zip(names, path.type.get_fields(), strict=False):
                scope.values[name.get_usr()] = self.part(path, member)
            return ";"
        item = self.names.fresh("item")
        self._bind(names, declared.type, item, scope)
        kind = flat_type(bare(declared.type), self.unit, self.declare).removeprefix("const ")
        return f"{'' if writes else 'const '}{kind}& {item} = {self.text(value, scope)};"

    def _bind(self, names: list[Cursor], kind: Any, item: str, scope: Scope) -> None:
        """The names of a structured binding are fields of `item`."""
        kind = bare(kind)
        for name, member in zip(names, kind.get_fields(), strict=False):
            scope.values[name.get_usr()] = f"{item}.{member.spelling}"

    def _bind_row(self, names: list[Cursor], place: Place, row: str, scope: Scope, *, writes: bool) -> None:
        """The names of a structured binding are elements of a row."""
        if names:
            place.accessed = True
            place.written = place.written or writes
        for number, name in enumerate(names):
            scope.values[name.get_usr()] = self._subscript(place, [row, str(number)], self._widths(place))


def bindings_of(variable: Cursor) -> list[Cursor]:
    """The names that a structured binding declares; none for another declaration."""
    if not variable.spelling.startswith("["):
        return []
    return [one for one in variable.get_children() if one.kind.is_declaration() and one.get_usr()]
