"""The text of a function made flat: each use of a vector, a field, a row or a global as one of an array or a number."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.end_pointers import difference
from regrapht.tasks.project.expressions import (
    bracketed,
    chosen,
    is_chosen_at_run_time,
    is_lambda,
    is_std,
    is_zero,
    number_of,
    only_return,
    operands,
    overloads,
    receiver_of,
    span,
    through,
)
from regrapht.tasks.project.functions import uses_variables
from regrapht.tasks.project.pairs import pair_name
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import NoBody, Path, Place, Refused, bare, shape_of, whole_object_remedy
from regrapht.tasks.project.struct_values import field_text, with_types, written_out
from regrapht.tasks.project.subscripts import Subscripts
from regrapht.tasks.project.writes import is_member_of_element, written_parts

_SEQUENCE_METHODS = {"size", "empty", "data", "get", "begin", "end", "cbegin", "cend", "front", "back", "ssize"}


@dataclass(slots=True)
class Renderer(Subscripts):
    """Turns cursors to text; keeps the places and the declarations that this needs."""

    bodies: list[Cursor] = field(default_factory=list)
    clone: "Callable[[Cursor, Scope, list[str]], str] | None" = None
    element_name: Callable[[Cursor], str] = lambda record: str(record.spelling)
    """Has a struct of the project, or what stands for it, in the flat file; its name there."""
    ends: dict[str, Cursor] = field(default_factory=dict)
    """Identity of a parameter that is the end of an array -> that of its beginning."""

    def mark(self, body: Cursor) -> None:
        """Note what the code writes."""
        self.bodies.append(body)
        for node in written_parts(body, self.unit.source):
            inner = through(node)
            while True:
                self.written.add(span(inner))
                children = list(inner.get_children())
                if (
                    inner.kind.name in ("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "UNEXPOSED_EXPR", "PAREN_EXPR")
                    or is_member_of_element(inner)
                ) and children:
                    inner = through(children[0])
                else:
                    break

    def text(self, cursor: Cursor, scope: Scope) -> str:
        """The text of a node, rewritten."""
        own = self._rewritten(cursor, scope)
        return own if own is not None else self.spliced(cursor, scope)

    def spliced(self, cursor: Cursor, scope: Scope, start: int | None = None, end: int | None = None) -> str:
        edits: dict[tuple[int, int], str] = {}
        self._collect(cursor, scope, edits)
        start = cursor.extent.start.offset if start is None else start
        end = cursor.extent.end.offset if end is None else end
        data = self.unit.bytes_of(str(self.unit.path))
        own = list(scope.written)
        pieces, at = [], start
        for (begin, stop), text in sorted(edits.items()):
            if begin < at or stop > end:
                continue
            pieces += [with_types(data[at:begin].decode("utf-8", "replace"), own), text]
            at = stop
        return "".join([*pieces, with_types(data[at:end].decode("utf-8", "replace"), own)])

    def _collect(self, cursor: Cursor, scope: Scope, edits: dict[tuple[int, int], str]) -> None:
        for child in cursor.get_children():
            if child.extent.start.file is None:
                continue
            text = self._rewritten(child, scope)
            if text is None:
                self._collect(child, scope, edits)
            else:
                edits.setdefault(self._reach(child), text)

    def _reach(self, child: Cursor) -> tuple[int, int]:
        """What an edit takes away: a namespace goes with its `::`."""
        start, end = span(child)
        if child.kind.name == "NAMESPACE_REF":
            after = self.unit.bytes_of(str(self.unit.path))[end : end + 40]
            colons = re.match(rb"\s*::\s*", after)
            end += len(colons.group()) if colons else 0
            before = self.unit.bytes_of(str(self.unit.path))[max(start - 3, 0) : start]
            start -= 2 if re.search(rb"(?:^|\W)::$", before) else 0
        return start, end

    def _rewritten(self, cursor: Cursor, scope: Scope) -> str | None:
        kind = cursor.kind.name
        rule = _RULES.get(kind)
        return rule(self, cursor, scope) if rule is not None else None

    # ---- element, number, size

    def place(self, path: Path, scope: Scope, cursor: Cursor) -> Place:
        """The flat parameter for a path.

        Raises:
            Refused: Its type has no flat form.
        """
        self.touched.add(path.key)
        known = self.places.get(path.key)
        if known is None:
            self.refuse_unopened(path, cursor)
            shape = shape_of(path.type)
            if shape is None or shape.kind == "object":
                raise Refused(f"'{path.expression}' is of type '{path.type.spelling}', which has no flat form", cursor)
            known = Place(path, shape, self.names.of(path, root_is_parameter=is_parameter(path, self.home)))
            if shape.record is not None:
                known.shape = replace(shape, element=self.element_name(shape.record))
            self.places[path.key] = known
        elif known.path.hidden and not path.hidden:
            known.path = path
        scope.used[path.key] = known
        return known

    def scalar(self, cursor: Cursor, scope: Scope, path: Path) -> str:
        """A use of a number."""
        if path.key in self.fixed:
            return self.fixed[path.key]
        place = self.place(path, scope, cursor)
        changed = span(cursor) in self.written
        place.own = place.own or (changed and path.by_value)
        place.written = place.written or (changed and not path.by_value)
        place.accessed = True
        return f"{place.name}[0]" if place.written else place.name

    def _sequence_call(self, call: Cursor, scope: Scope) -> str | None:
        """`v.size()` and its like on a flat array."""
        receiver = receiver_of(call)
        if receiver is None or call.spelling not in _SEQUENCE_METHODS:
            return None
        if call.spelling == "size" and (row := self.row(receiver, scope)) is not None:
            return self.width(row[0], scope, call)
        path = self.path(receiver, scope)
        shape = shape_of(path.type) if path is not None else None
        if path is None or shape is None or shape.kind not in ("sequence", "rows"):
            return None
        place = self.place(path, scope, call)
        place.accessed = place.accessed or call.spelling not in ("size", "ssize", "empty")
        if call.spelling in ("data", "get", "begin", "cbegin"):
            seen = shape_of(bare(receiver.type)) or shape  # a span of a vector says by its own type what may be changed
            owns = seen.container in ("vector", "array", "valarray")
            place.written = place.written or not (seen.is_const or (owns and call.referenced.is_const_method()))
            return place.name
        if call.spelling == "front":
            place.written = place.written or span(call) in self.written
            return f"{place.name}[0]"
        size = self.length(place)
        if call.spelling == "back":
            place.written = place.written or span(call) in self.written
        forms = {"empty": f"({size} == 0)", "end": f"({place.name} + {size})", "back": f"{place.name}[{size} - 1]"}
        return forms.get(call.spelling.removeprefix("c"), size)

    # ---- calls

    def _call(self, call: Cursor, scope: Scope) -> str | None:
        if (text := self.growing(call, scope)) is not None:
            return text
        if call.spelling in ("operator[]", "at") and (text := self.element(call, scope)) is not None:
            return text
        if (text := self._sequence_call(call, scope) or self.exchange(call, scope)) is not None:
            return text
        meant = call.referenced
        if meant is None or not self.unit.is_own(meant):
            return None
        if is_chosen_at_run_time(call):
            raise Refused(
                f"calls the virtual function '{meant.spelling}'", call, "call one that is known when it is compiled"
            )
        receiver, given = self.arguments_of(call)
        reaches = self.path(receiver, scope) if receiver is not None else None
        is_method = meant.kind.name == "CXX_METHOD" and not meant.is_static_method()
        inside = is_method and receiver is None and scope.this is not None
        objects = [argument for argument in given if self.is_object(argument, scope)]
        if reaches is None and not inside and not objects:
            has_body = meant.get_definition() is not None and meant.specialized_template is None
            is_of_a_class = meant.kind.name == "CXX_METHOD" and meant.is_static_method()
            is_copied = has_body and (is_of_a_class or uses_variables(self.unit, meant.get_definition()))
            is_copied = is_copied or any(map(is_lambda, given))
            return self.clone(call, scope, []) if is_copied and self.clone is not None else None
        if meant.kind.name == "CONSTRUCTOR":
            return None  # its arguments are values
        if (text := self.stored(call, scope)) is not None:
            return text
        returned = only_return(meant) if not self.by_value(meant, given, scope) else None
        if returned is not None and not objects:
            returned = chosen(returned, meant.get_definition(), given)
            inner = self.scope_of(call, scope)
            if inner is not None:
                for node in written_parts(returned, self.unit.source):
                    self.written.add(span(through(node)))
                if span(call) in self.written:
                    self.written.add(span(through(returned)))
                text = self.text(returned, inner)
                self._reach_through(call, given, returned, inner, reaches)
                is_place = through(returned).kind.name in (
                    "CALL_EXPR",
                    "ARRAY_SUBSCRIPT_EXPR",
                    "MEMBER_REF_EXPR",
                    "DECL_REF_EXPR",
                )
                return text if is_place else bracketed(text)
        assert self.clone is not None
        return self.clone(call, scope, [])

    def _reach_through(
        self, call: Cursor, given: list[Cursor], returned: Cursor, inner: Scope, receiver: Path | None
    ) -> None:
        """Where a field is not public but this accessor is, the user's function has it by the accessor."""
        meant = call.referenced
        if receiver is None or receiver.hidden or self.closed(meant):
            return
        joint = "->" if bare(receiver.type).kind.name == "POINTER" else "."
        path = self.path(returned, inner)
        numbers = [str(number_of(one)) for one in given]
        if path is not None and path.hidden and path.key in self.places and "None" not in numbers:
            called = f"{receiver.expression}{joint}{meant.spelling}({', '.join(numbers)})"
            self.places[path.key].path = Path(path.key, path.type, called)
            return
        kinds = [one.type.get_canonical().kind.name for one in meant.get_arguments()]
        value = through(returned)
        if (
            value.kind.name not in ("CALL_EXPR", "ARRAY_SUBSCRIPT_EXPR")
            or not kinds
            or meant.result_type.kind.name != "LVALUEREFERENCE"
        ):
            return
        parts = operands(value) if value.kind.name == "CALL_EXPR" else list(value.get_children())
        of = self.path(parts[0], inner) if len(parts) == 2 else None
        if of is None or not of.hidden or of.key not in self.places:
            return
        zeros = Scope(
            values={one.get_usr(): "0" for one in meant.get_arguments()}, this=inner.this, used=inner.used, inlined=True
        )
        self.name_constants(meant, zeros)
        if is_zero(self.text(parts[1], zeros)):
            called = (
                f"{receiver.expression}{joint}{meant.spelling}"
                if meant.spelling.isidentifier()
                else receiver.expression
            )
            brackets = "[]" if meant.spelling == "operator[]" else "()"
            element = f"{called}{brackets[0]}{', '.join('0' for _ in kinds)}{brackets[1]}"
            self.places[of.key].path = replace(
                of, expression=element, hidden=None, by_element=True, counted_by=of.counted_by
            )

    def is_object(self, argument: Cursor, scope: Scope) -> bool:
        path = self.path(argument, scope)
        shape = shape_of(path.type) if path is not None else None
        if path is None or shape is None:
            return False
        return shape.kind in ("object", "rows") or (
            shape.kind == "sequence" and (shape.container != "pointer" or bool(shape.inner))
        )

    def ends_declared(self, scope: Scope) -> str:
        """The ends of arrays that the user's function is given, as its first statements."""
        lines = []
        for usr, begin in self.ends.items():
            path = scope.values[begin.get_usr()]
            assert isinstance(path, Path)
            place = self.place(path, scope, begin)
            place.sized = place.accessed = True
            const = "" if place.written else "const "
            lines.append(
                f" {const}{place.shape.element}* const {scope.values[usr]} = {place.name} + {place.name}_size;"
            )
        return "".join(lines)

    # ---- rules by kind of node

    def rule_binary(self, cursor: Cursor, scope: Scope) -> str | None:
        """`end - begin` as the number of elements."""
        assert self.outer is not None
        begin = difference(cursor, self.ends, self.outer.changed)
        path = scope.values.get(begin.get_usr()) if begin is not None else None
        return (
            f"static_cast<std::ptrdiff_t>({self.place(path, scope, cursor).name}_size)"
            if isinstance(path, Path)
            else None
        )

    def rule_unary(self, cursor: Cursor, scope: Scope) -> str | None:
        """`*n` as the number itself."""
        if not self.unit.source(cursor).startswith("*"):
            return None
        number = self.pointed_number(cursor, scope)
        return self.scalar(cursor, scope, number) if number is not None else None

    def rule_call(self, cursor: Cursor, scope: Scope) -> str | None:
        text = self._call(cursor, scope)
        meant = cursor.referenced
        if text is None and cursor.spelling == "make_pair" and pair_name(cursor.type) is not None:
            parts = (self.text(one, scope) for one in cursor.get_arguments())
            return f"{self.declare(cursor.type.get_canonical().get_declaration())}{{{', '.join(parts)}}}"
        if text is None and meant is not None and self.unit.is_own(meant):
            template = meant.specialized_template
            if meant.kind.name == "FUNCTION_DECL" and (template or meant).get_definition() is None:
                raise NoBody(meant.spelling, cursor)
            self.declare(meant)
        return text

    def rule_subscript(self, cursor: Cursor, scope: Scope) -> str | None:
        return self.element(cursor, scope)

    def rule_name(self, cursor: Cursor, scope: Scope) -> str | None:
        meant = cursor.referenced
        if meant is None:
            return None
        if (row := scope.rows.get(meant.get_usr())) is not None:
            return self.whole_row(row, meant, scope, cursor)
        value = scope.values.get(meant.get_usr())
        if isinstance(value, str):
            return value
        path = self.path(cursor, scope)
        if path is not None:
            return self._whole(cursor, scope, path)
        if not self.unit.is_own(meant) or meant.kind.name in ("PARM_DECL", "NON_TYPE_TEMPLATE_PARAMETER"):
            return None
        if meant.kind.name == "ENUM_CONSTANT_DECL":
            return str(meant.enum_value)
        if meant.kind.name == "VAR_DECL" and meant.semantic_parent.kind.name in ("CLASS_DECL", "STRUCT_DECL"):
            return self._constant(meant, scope, cursor)
        if meant.semantic_parent is not None and meant.semantic_parent.kind.name in (
            "NAMESPACE",
            "TRANSLATION_UNIT",
            "LINKAGE_SPEC",
            "UNEXPOSED_DECL",
        ):
            name = self.declare(meant)
            if name != meant.spelling:
                return name
        return None

    def rule_overloads(self, cursor: Cursor, scope: Scope) -> str | None:
        """What a call inside of a template may come to: all of it is in the flat file."""
        kinds = ("FUNCTION_DECL", "FUNCTION_TEMPLATE")
        own = [one for one in overloads(cursor) if self.unit.is_own(one) and one.kind.name in kinds]
        names = {self.declare(one) for one in own}
        return names.pop() if len(names) == 1 and names != {cursor.spelling} else None

    def rule_brought(self, cursor: Cursor, scope: Scope) -> str | None:
        """A `using` or another name of a namespace of the project: the flat file has no namespaces."""
        inner = next((one for one in cursor.get_children() if one.kind.name == "NAMESPACE_REF"), None)
        return "" if inner is not None and self.rule_namespace(inner, scope) == "" else None

    def rule_constructor(self, cursor: Cursor, scope: Scope) -> str | None:
        """A constructor or destructor: it is called as its class is in the flat file."""
        own = cursor.semantic_parent
        name = self.declare(own)
        if name == own.spelling:
            return None
        return re.sub(rf"\b{re.escape(own.spelling)}\b(?=\s*\()", name, self.spliced(cursor, scope), count=1)

    def _constant(self, meant: Cursor, scope: Scope, cursor: Cursor) -> str:
        """The value of a static constant of a class, as it is written there."""
        values = [one for one in meant.get_children() if one.kind.is_expression()]
        if not values or not meant.type.is_const_qualified():
            raise Refused(f"uses '{meant.spelling}', a static member that is no constant", cursor)
        return bracketed(with_types(self.text(values[-1], scope), written_out(meant, self.unit, self.declare)))

    def rule_member(self, cursor: Cursor, scope: Scope) -> str | None:
        path = self.path(cursor, scope)
        if path is not None:
            return self._whole(cursor, scope, path)
        meant = cursor.referenced
        if meant is not None and meant.kind.name == "VAR_DECL" and self.unit.is_own(meant):
            return self._constant(meant, scope, cursor)
        return None

    def _whole(self, cursor: Cursor, scope: Scope, path: Path) -> str | None:
        """A use of a place as a whole: a number, or a pointer."""
        shape = shape_of(path.type)
        if shape is not None and shape.kind == "object" and (value := self.value(cursor, scope, path)) is not None:
            return value
        if shape is None or shape.kind == "object":
            raise Refused(
                f"uses '{path.expression}' as a whole, of type '{path.type.spelling}'",
                cursor,
                whole_object_remedy(path.type),
            )
        if shape.kind == "scalar":
            return self.scalar(cursor, scope, path)
        if (
            shape.kind == "sequence"
            and shape.container in ("pointer", "array")
            and (not shape.inner)
            and path.type.kind.name != "RECORD"
        ):
            place = self.place(path, scope, cursor)
            place.written = place.written or not shape.is_const
            place.accessed = True
            return place.name
        remedy = "pass it on element by element, or by a pointer"
        raise Refused(f"uses '{path.expression}' as a whole, of type '{path.type.spelling}'", cursor, remedy)

    def rule_namespace(self, cursor: Cursor, scope: Scope) -> str | None:
        meant = cursor.referenced
        return "" if meant is not None and self.unit.is_own(meant) and not is_std(meant) else None

    def rule_type(self, cursor: Cursor, scope: Scope) -> str | None:
        meant = cursor.referenced
        if meant is None or not self.unit.is_own(meant):
            return None
        if meant.kind.name in ("TYPE_ALIAS_DECL", "TYPEDEF_DECL"):
            target = meant.underlying_typedef_type.get_canonical()
            if shape_of(target) is not None and shape_of(target).kind == "scalar":  # type: ignore[union-attr]
                return "bool" if target.kind.name == "BOOL" else shape_of(target).element  # type: ignore[union-attr]
        if meant.kind.name == "ENUM_DECL":
            return "int"
        if meant.semantic_parent is not None and meant.semantic_parent.kind.name in ("CLASS_DECL", "STRUCT_DECL"):
            return None
        name = self.declare(meant)
        return name if name != meant.spelling else None

    def rule_field(self, cursor: Cursor, scope: Scope) -> str | None:
        """A field of a struct that the flat file declares: it lies as it does in the project."""
        return field_text(cursor, self.spliced(cursor, scope), self.unit, self.declare)

    def rule_lambda(self, cursor: Cursor, scope: Scope) -> str | None:
        """What a lambda reached through `this` are variables of the flat function: it captures those that it names by reference."""
        head, bracket, _ = self.unit.source(cursor).partition("]")
        captured = [one.strip() for one in head.removeprefix("[").split(",")]
        if not bracket or not {"this", "=", "&"} & set(captured):
            return None
        if "=" in captured:
            kept = [one for one in captured if one != "this"]
        else:
            kept = ["&", *(one for one in captured if one not in ("this", "&") and not re.fullmatch(r"&\s*\w+", one))]
        return f"[{', '.join(kept)}]{self.spliced(cursor, scope).partition(']')[2]}"

    def rule_refused(self, cursor: Cursor, scope: Scope) -> str | None:
        what = {
            "CXX_THROW_EXPR": "throws an exception",
            "CXX_TRY_STMT": "catches exceptions",
            "CXX_DYNAMIC_CAST_EXPR": "casts dynamically",
        }
        raise Refused(
            what.get(cursor.kind.name, cursor.kind.name), cursor, "check the arguments in a function around it"
        )


_RULES: dict[str, Callable[[Renderer, Cursor, Scope], str | None]] = {
    "CALL_EXPR": Renderer.rule_call,
    "RETURN_STMT": Renderer.rule_return,
    "FOR_STMT": Renderer.rule_for,
    "UNARY_OPERATOR": Renderer.rule_unary,
    "BINARY_OPERATOR": Renderer.rule_binary,
    "ARRAY_SUBSCRIPT_EXPR": Renderer.rule_subscript,
    "DECL_REF_EXPR": Renderer.rule_name,
    "OVERLOADED_DECL_REF": Renderer.rule_overloads,
    "MEMBER_REF_EXPR": Renderer.rule_member,
    "NAMESPACE_REF": Renderer.rule_namespace,
    "USING_DECLARATION": Renderer.rule_brought,
    "USING_DIRECTIVE": Renderer.rule_brought,
    "NAMESPACE_ALIAS": Renderer.rule_brought,
    "CONSTRUCTOR": Renderer.rule_constructor,
    "DESTRUCTOR": Renderer.rule_constructor,
    "TYPE_REF": Renderer.rule_type,
    "TEMPLATE_REF": Renderer.rule_type,
    "CXX_FOR_RANGE_STMT": Renderer.rule_loop,
    "DECL_STMT": Renderer.rule_declarations,
    "FIELD_DECL": Renderer.rule_field,
    "LAMBDA_EXPR": Renderer.rule_lambda,
    "CXX_THROW_EXPR": Renderer.rule_refused,
    "CXX_TRY_STMT": Renderer.rule_refused,
    "CXX_DYNAMIC_CAST_EXPR": Renderer.rule_refused,
}


def is_parameter(path: Path, home: Cursor) -> bool:
    return path.key[0] in {f"parameter@{one.spelling}" for one in home.get_arguments()}
