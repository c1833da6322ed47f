"""What a function returns that is no number: the numbers of a struct and the elements of a vector as outputs of the flat function."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any

from regrapht.records.user_code import Returned
from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.construction import constructed
from regrapht.tasks.project.expressions import bracketed, receiver_of, span, through
from regrapht.tasks.project.outer_statements import OuterStatements
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import Path, Place, Refused, is_scalar, shape_of
from regrapht.tasks.project.pushes import Push, pushes_of
from regrapht.tasks.project.returned_types import (
    extent,
    is_fixed_array,
    is_vector,
    member_text,
    number_leaves,
    own_returns,
    parts_listed,
    returned_variable,
    unwrapped,
)
from regrapht.tasks.project.struct_values import StructValues, flat_type

MADE = "regrapht_returned"
"""The object in the user's function that a call of the program fills and returns."""
_ROOT = "returned@"
_GROWING = {"resize", "assign", "reserve", "push_back", "emplace_back", "insert", "emplace", "append", "clear", "erase"}
_REMEDY = (
    "return a number, a struct of numbers, or one local variable whose vectors have lengths that the parameters say"
)
_TEXT = "std::basic_string"
_REMEDIES = {_TEXT: "return the numbers, and make the text of them where it is printed"}


def is_made(key: tuple[str, ...]) -> bool:
    """Whether a path leads to a part of what the function returns."""
    return key[0].startswith(_ROOT)


@dataclass(slots=True)
class Results(StructValues):
    """The rules for the object that the user's function returns."""

    outer: OuterStatements | None = None
    """The body of the user's function."""
    makes: bool = False
    """Whether it returns an object."""
    optional: bool = False
    """Whether that is a `std::optional`: whether there is a number, and the number."""
    returns: set[tuple[int, int]] = field(default_factory=set)
    leaves: list[Path] = field(default_factory=list)
    local: Cursor | None = None
    opened: set[tuple[str, ...]] = field(default_factory=set)
    """Parts that have a value, or a length."""
    fixed: dict[tuple[str, ...], str] = field(default_factory=dict)
    """Numbers of the object that are never changed: their names in the flat function."""
    changed: set[tuple[str, ...]] | None = None
    """Numbers of the object that the body changes, once that is known."""
    touched: set[tuple[str, ...]] = field(default_factory=set)
    """Parts of the surroundings that the body's own text names."""
    used: set[tuple[str, ...]] | None = None
    """The same, once that is known."""
    turns: dict[tuple[int, int], str] = field(default_factory=dict)
    """Where a loop over a range stands -> what counts its turns in the flat function."""
    pushes: dict[tuple[int, int], Push] = field(default_factory=dict)
    appended: set[tuple[str, ...]] = field(default_factory=set)
    """Vectors of the object that a nest of loops appends to."""
    before: list[str] = field(default_factory=list)
    grown: set[tuple[str, ...]] = field(default_factory=set)
    """Vectors of the surroundings whose length the user's function sets: a call does so before it calls the program."""
    cleared: set[tuple[str, ...]] = field(default_factory=set)

    places: dict[tuple[str, ...], Place] = field(default_factory=dict)

    @abstractmethod
    def spliced(self, cursor: Cursor, scope: Scope) -> str:
        """The text of a node with that of its parts, where no rule is for the node itself."""

    def open_result(self, function: Cursor, scope: Scope) -> None:
        """Have the returned object known, before the body's text is made.

        Raises:
            Refused: It has no flat form.
        """
        kind = function.result_type.get_canonical()
        body = next(one for one in function.get_children() if one.kind.name == "COMPOUND_STMT")
        self.outer = OuterStatements(self.unit, body)
        self.pushes = pushes_of(self.outer)
        if kind.kind.name != "RECORD":
            return
        self.makes = True
        statements = list(own_returns(body))
        self.returns = {span(one) for one in statements}
        spelled = function.result_type.spelling
        spelled = kind.spelling if spelled == "auto" else spelled
        made = {one.get_usr(): one for each in statements if (one := returned_variable(each)) is not None}
        whole = len(made) == 1 and all(returned_variable(each) is not None for each in statements)
        whole_array = whole and is_fixed_array(kind) and next(iter(made)) in self.outer.variables
        numbers = self._of_optional(kind) or (None if whole_array else number_leaves(kind))
        if numbers is not None:
            self.before.append(f"{spelled} {MADE}{{}};")
            self.leaves = [
                Path((f"{_ROOT}result", *(one.strip("[]") for one in names)), one, member_text(MADE, names))
                for names, one in numbers
            ]
            if self.optional:
                self.leaves = [replace(one, expression=in_between(one)) for one in self.leaves]
            for leaf in self.leaves:
                self._output(leaf, scope, function)
            return
        shape = shape_of(kind)
        if (
            shape is None
            or not (shape.kind == "object" or is_vector(kind) or whole_array)
            or not whole
            or kind.spelling.startswith(_TEXT)
        ):
            remedy = next((text for name, text in _REMEDIES.items() if kind.spelling.startswith(name)), _REMEDY)
            raise Refused(f"returns '{spelled}'", function, remedy)
        self.local = next(iter(made.values()))
        name = self.local.spelling
        if self.local.get_usr() not in self.outer.variables:
            raise Refused(f"returns '{name}', which is not declared in its body's outermost block", function, _REMEDY)
        scope.values[self.local.get_usr()] = Path((f"{_ROOT}{name}",), kind, MADE)

    def _of_optional(self, kind: Any) -> list[tuple[tuple[str, ...], Any]] | None:
        """The parts of a `std::optional` of a number: whether there is one, and which."""
        if not kind.spelling.startswith("std::optional<") or not is_scalar(kind.get_template_argument_type(0)):
            return None
        self.optional = True
        answers = (
            one for one in kind.get_declaration().specialized_template.get_children() if one.spelling == "has_value"
        )
        truth = next(answers).result_type.get_canonical()
        return [(("has",), truth), (("value",), kind.get_template_argument_type(0).get_canonical())]

    def returned(self) -> Returned | None:
        """What a call does before it calls the program, and how it makes and returns the object; None where there is neither."""
        if not self.makes and not self.before:
            return None
        if not self.makes:
            return Returned(expression="", before=tuple(dict.fromkeys(self.before)))
        if self.optional:
            has, value = (in_between(leaf) for leaf in self.leaves)
            shape = shape_of(self.leaves[1].type)
            assert shape is not None
            parts = (f"int {has} = 0;", f"{shape.element} {value} = 0;")
            before = tuple(dict.fromkeys((*self.before, *parts)))
            return Returned(expression=MADE, before=before, after=(f"if ({has}) {MADE} = {value};",))
        after = []
        for leaf in self.leaves:
            if leaf.type.kind.name in ("BOOL", "ENUM"):
                after.append(f"{leaf.expression} = static_cast<decltype({leaf.expression})>({in_between(leaf)});")
        between = [f"int {in_between(leaf)} = 0;" for leaf in self.leaves if leaf.type.kind.name in ("BOOL", "ENUM")]
        return Returned(expression=MADE, before=tuple(dict.fromkeys((*self.before, *between))), after=tuple(after))

    def _output(self, path: Path, scope: Scope, cursor: Cursor) -> Place:
        self.opened.add(path.key)
        known = set(self.touched)
        place = self.place(path, scope, cursor)
        self.touched = known
        place.written = place.accessed = True
        return place

    def refuse_unopened(self, path: Path, cursor: Cursor) -> None:
        """
        Raises:
            Refused: A part of the returned object is used that has no length or value yet.
        """
        if is_made(path.key) and path.key not in self.opened:
            shown = ".".join((self.local.spelling if self.local is not None else MADE, *path.key[1:]))
            why = f"returns '{shown}', whose length the parameters do not say before it is used"
            raise Refused(why, cursor, "give it its length from the parameters first: a constructor, resize or assign")

    # ---- rules

    def rule_return(self, cursor: Cursor, scope: Scope) -> str | None:
        if span(cursor) not in self.returns:
            return None
        if self.local is not None:
            return "return"
        value = next(iter(cursor.get_children()))
        if self.optional:
            return self._return_optional(value, scope, cursor)
        texts = [self.text(one, scope) for one in parts_listed(value, len(self.leaves))]
        first = ""
        if not texts:
            kept = self.names.fresh("kept")
            kind = flat_type(self.home.result_type, self.unit, self.declare)
            first = f"const {kind} {kept} = {self.text(value, scope)}; "
            of_array = is_fixed_array(self.home.result_type.get_canonical())
            texts = [
                member_text(kept, [f"[{one}]" for one in leaf.key[1:]] if of_array else leaf.key[1:])
                for leaf in self.leaves
            ]
        names = [self._output(leaf, scope, cursor).name for leaf in self.leaves]
        pairs = zip(names, texts, strict=True)
        return f"{{ {first}{' '.join(f'{name}[0] = {text};' for name, text in pairs)} return; }}"

    def _return_optional(self, value: Cursor, scope: Scope, cursor: Cursor) -> str:
        node = through(value)
        while node.kind.name in ("CALL_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "UNEXPOSED_EXPR") and not is_scalar(
            node.type
        ):
            parts = [one for one in node.get_children() if one.kind.is_expression() and self.unit.source(one)]
            if node.kind.name == "CALL_EXPR" and node.spelling == "make_optional":
                parts = list(node.get_arguments())
            if len(parts) != 1:
                break
            node = through(parts[0])
        has, number = (self._output(leaf, scope, cursor).name for leaf in self.leaves)
        if is_scalar(node.type):
            return f"{{ {has}[0] = 1; {number}[0] = {self.text(node, scope)}; return; }}"
        empty = node.type.get_canonical().spelling.endswith("std::nullopt_t") or not list(node.get_children())
        if (empty and "optional" not in node.type.get_canonical().spelling.replace("nullopt", "")) or self.unit.source(
            value
        ) in ("{}", ""):
            return f"{{ {has}[0] = 0; {number}[0] = 0; return; }}"
        raise Refused(
            f"returns the variable '{self.unit.source(value)}', a '{self.home.result_type.spelling}'", cursor,
            "keep a number and whether there is one in variables of their own, and return the number or std::nullopt",
        )  # fmt: skip

    def opening(self, variable: Cursor, scope: Scope) -> str | None:
        """The declaration of the returned object as values of its parts; None for another variable."""
        if self.local is None or variable.get_usr() != self.local.get_usr():
            return None
        path = scope.values[variable.get_usr()]
        assert isinstance(path, Path) and self.outer is not None
        if is_fixed_array(path.type):
            self.before.append(f"{variable.type.spelling} {MADE}{{}};")
        else:
            self.before += self.outer.again(self.outer.variables[variable.get_usr()], variable, MADE)
        initial = next((one for one in reversed(list(variable.get_children())) if one.kind.is_expression()), None)
        if is_vector(path.type):
            return " ".join(self._vector(path, initial, scope, variable)) or ";"
        if is_fixed_array(path.type):
            return self._array(path, initial, scope, variable)
        lines: list[str] = []
        for member, value, inner in constructed(self, path.type, initial, scope, variable):
            part = self.part(path, member)
            if isinstance(value, Path):
                value = self.part(value, member)
            lines += self._part(part, value, inner, variable)
        return " ".join(lines) or ";"

    def _array(self, path: Path, initial: Cursor | None, scope: Scope, at: Cursor) -> str:
        """A `std::array` as it is when it is made: of a list, or of zeros."""
        node = through(initial) if initial is not None else None
        listed = list(node.get_children()) if node is not None and node.kind.name == "INIT_LIST_EXPR" else []
        while len(listed) == 1 and listed[0].kind.name == "INIT_LIST_EXPR":
            listed = list(listed[0].get_children())
        copies = node is not None and node.kind.name == "CALL_EXPR" and any(node.get_arguments())
        if copies or not all(is_scalar(one.type) for one in listed):
            raise Refused(
                f"makes '{at.spelling}' in a way that is not followed", at, "list its elements, or set them one by one"
            )
        place = self._output(path, scope, at)
        texts = [self.text(one, scope) for one in listed]
        own = [f"{place.name}[{number}] = {text};" for number, text in enumerate(texts)]
        return " ".join([self._filled(place, str(extent(path.type)), "0"), *own])

    def _part(self, part: Path, value: Cursor | Path | None, scope: Scope, at: Cursor) -> list[str]:
        """One field as it is when the object is made."""
        if is_scalar(part.type):
            text = "0"
            if isinstance(value, Path):
                text = self.scalar(at, scope, value)
            elif value is not None:
                written = self.text(value, scope).strip()
                text = (written[1:-1].strip() or "0") if written.startswith("{") else written
            self.opened.add(part.key)
            if self.changed is not None and part.key not in self.changed:
                kind = shape_of(part.type)
                assert kind is not None
                name = self.fixed[part.key] = self.names.fresh("_".join(part.names))
                return [f"const {kind.element} {name} = {text};"]
            place = self.place(part, scope, at)
            place.accessed = True
            return [f"{self._output(part, scope, at).name}[0] = {text};"] if self.changed is not None else []
        if is_vector(part.type):
            return self._vector(part, value, scope, at)
        shape = shape_of(part.type)
        is_fixed = shape is not None and shape.container == "array" and not shape.inner and shape.record is None
        empty = value is None or (not isinstance(value, Path) and not list(unwrapped(value).get_children()))
        if is_fixed and empty:
            return [self._filled(self._output(part, scope, at), str(extent(part.type)), "0")]
        return []

    def _vector(self, path: Path, value: Cursor | Path | None, scope: Scope, at: Cursor) -> list[str]:
        """A vector as it is when the object is made; no line where it is empty, and where the body leaves it so."""
        if value is None or (self.used is not None and path.key not in self.used and len(path.key) > 1):
            return []
        if isinstance(value, Path):
            return [self._copied(path, value, scope, at)]
        node = unwrapped(value)
        given = [one for one in node.get_arguments() or () if self.unit.source(one)]
        source = self.vector(node, scope) or (self.vector(given[0], scope) if len(given) == 1 else None)
        if source is not None:
            return [self._copied(path, source, scope, at)]
        if not given and not any(one.kind.is_expression() for one in node.get_children()):
            return []
        if node.kind.name != "CALL_EXPR" or not 1 <= len(given) <= 2 or not is_scalar(given[0].type):
            if node.kind.name == "CALL_EXPR" and len(given) == 1:
                return self._vector(path, given[0], scope, at)
            raise Refused(f"makes '{'.'.join(path.names)}' in a way that is not followed", at, _REMEDY)
        text = self.text(given[1], scope) if len(given) == 2 else None
        return [self._sized(path, self.text(given[0], scope), text, scope, at)]

    def _copied(self, path: Path, source: Path, scope: Scope, at: Cursor) -> str:
        other = self.place(source, scope, at)
        other.sized = other.accessed = True
        place, turn = self._output(path, scope, at), self.names.fresh("at")
        length = f"const std::size_t {place.name}_size = {other.name}_size;"
        return f"{length} {self._loop(turn, place)} {place.name}[{turn}] = {other.name}[{turn}];"

    def _sized(self, path: Path, count: str, value: str | None, scope: Scope, at: Cursor) -> str:
        place = self._output(path, scope, at)
        return self._filled(place, count, value)

    def _filled(self, place: Place, count: str, value: str | None) -> str:
        turn = self.names.fresh("at")
        record = place.shape.record
        text = value or (f"{self.declare(record)}{{}}" if record is not None else "0")
        length = f"const std::size_t {place.name}_size = {count};"
        return f"{length} {self._loop(turn, place)} {place.name}[{turn}] = {text};"

    def _loop(self, turn: str, place: Place) -> str:
        return f"for (std::size_t {turn} = 0; {turn} < {place.name}_size; ++{turn})"

    def growing(self, call: Cursor, scope: Scope) -> str | None:
        """A call that gives a vector of the returned object its length or its next element; None for other calls.

        Raises:
            Refused: The parameters do not say how long that makes it.
        """
        receiver = receiver_of(call) if call.spelling in _GROWING else None
        path = self.path(receiver, scope) if receiver is not None else None
        if path is None or receiver is None or not is_vector(path.type):
            return None
        assert self.outer is not None
        given = list(call.get_arguments())
        push = self.pushes.get(span(call))
        if call.spelling == "reserve":
            return "(void)0"
        if push is not None and path.key in self.appended:
            index = push.index(lambda one: bracketed(self.text(one, scope)), self.turns)
            return f"{self.place(path, scope, call).name}[{index}] = {self.text(given[0], scope)}"
        known = self.opened if is_made(path.key) else self.places
        first = path.key not in known and span(call) in self.outer.spans and not path.hidden
        first = first and (is_made(path.key) or not self._leaves_before(call))
        if first and call.spelling == "clear" and not is_made(path.key):
            self.cleared.add(path.key)
            return "(void)0"
        if call.spelling not in ("resize", "assign") or not first or not given or not is_scalar(given[0].type):
            raise self._grows(path, call)
        value = self.text(given[1], scope) if len(given) == 2 else None
        if is_made(path.key):
            assert self.local is not None
            self.before += self.outer.again(call, self.local, MADE)
            return self._sized(path, self.text(given[0], scope), value, scope, call).removesuffix(";")
        meant = through(receiver).referenced
        self.before += [*self.outer.needed(call, meant), f"{self.unit.source(call)};"]
        count = self.text(given[0], scope)
        self.grown.add(path.key)
        if call.spelling == "assign":
            return self._sized(path, count, value, scope, call).removesuffix(";")
        return f"const std::size_t {self.place(path, scope, call).name}_size = {count}"

    def _leaves_before(self, call: Cursor) -> bool:
        """Whether the body may return before it comes to a statement."""
        assert self.outer is not None
        return any(span(one)[0] < span(call)[0] for one in own_returns(self.outer.body))

    def _grows(self, path: Path, call: Cursor) -> Refused:
        """A length that the parameters do not say."""
        if is_made(path.key):
            assert self.local is not None
            shown = "returns '" + ".".join((self.local.spelling, *path.key[1:])) + "', which"
        else:
            shown = f"'{path.expression}'"
        return Refused(
            f"{shown} grows by '{call.spelling}' as the data have it" if call.spelling != "clear" else f"empties {shown}", call,
            "give it its length from the parameters in the function's outermost block, and write its elements",
        )  # fmt: skip

    def rule_for(self, cursor: Cursor, scope: Scope) -> str | None:
        lengths = self.lengths_before(cursor, scope)
        return f"{lengths} {self.spliced(cursor, scope)}" if lengths else None

    def lengths_before(self, cursor: Cursor, scope: Scope) -> str:
        """The lengths of vectors of the returned object that a loop appends to, which are known before it."""
        lines = []
        for push in [one for one in self.pushes.values() if one.loop == span(cursor)]:
            path = self.path(push.receiver, scope)
            if path is None or not is_vector(path.type) or path.key in self.opened:
                continue
            if not is_made(path.key) and (path.key not in self.cleared or path.key in self.places):
                continue
            assert self.outer is not None
            without = through(push.receiver).referenced
            for bound in push.bounds:
                self.before += self.outer.needed(bound, without)
            self.before.append(f"{path.expression}.resize({push.safe_count(self._written_length)});")
            self.appended.add(path.key)
            self.grown |= set() if is_made(path.key) else {path.key}
            place = self._output(path, scope, cursor)
            count = push.count(lambda one: self._length_of(one, scope))
            lines.append(f"const std::size_t {place.name}_size = {count};")
        return " ".join(lines)

    def _length_of(self, bound: Cursor, scope: Scope) -> str:
        """A bound of a loop, or the length of the range that it is over."""
        path = self.path(bound, scope)
        shape = shape_of(path.type) if path is not None else None
        if path is None or shape is None or shape.kind != "sequence":
            return bracketed(self.text(bound, scope))
        place = self.place(path, scope, bound)
        place.sized = True
        return f"{place.name}_size"

    def _written_length(self, bound: Cursor) -> str:
        """The same, as the user's function says it."""
        text = bracketed(self.unit.source(bound))
        return text if is_scalar(bound.type) else f"{text}.size()"


def in_between(leaf: Path) -> str:
    """The variable that a truth value or an enumerator is written to, before the object has it."""
    return "_".join((MADE, *leaf.key[1:]))
