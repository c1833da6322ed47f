"""Loops whose turns can be counted before they run, and what a turn's variables are from its number."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.liveness import is_read_elsewhere
from regrapht.transform.verbatim.scopes import Scopes, leaves, walk

TURN = "vb_t"
_WHOLE = re.compile(r"(std::)?(u?int(8|16|32|64)_t|size_t|ptrdiff_t)|((unsigned|signed|long|short|int|char)( |$))+")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One countable loop."""

    loop: SyntaxNode
    body: SyntaxNode
    count: str
    """How many turns it has, as C++ for the place before it; may be negative for none."""
    starts: tuple[str, ...]
    """Declarations of the turn's own variables, where `{turn}` stands for its number."""
    variables: tuple[str, ...]
    """The names that `starts` declare."""
    uses: str
    """The header's text that `count` and `starts` are made from: for the names in it."""
    uses_outside: str
    """As `uses`, without the names that `starts` declare."""
    ends: frozenset[str] = frozenset()
    """Outer names that the loop itself counts with, and leaves as `after` says."""
    moves: tuple[tuple[str, str], ...] = ()
    """Outer variables that the header moves: (name, by how much a turn)."""
    after: str = ""
    """What to run behind the loop, for a variable of the outside that the loop counts with."""


def with_loads(scopes: Scopes, nest: list[Counted], is_device_read: Callable[[SyntaxNode], bool]) -> list[Counted]:
    """The loops with what the launcher reads of device memory for them loaded from there: for their counts, and behind them."""
    return [_with_loads(scopes, one, is_device_read) for one in nest]


def _with_loads(scopes: Scopes, one: Counted, is_device_read: Callable[[SyntaxNode], bool]) -> Counted:
    read, waiting = set[str](), [child for child in one.loop.children if child.id != one.body.id]
    while waiting:
        node = waiting.pop()
        if is_device_read(node):
            read.add(scopes.text(node))
        else:
            waiting += node.children
    if not read:
        return one
    longest_first = "|".join(re.escape(text) for text in sorted(read, key=len, reverse=True))
    place, load = rf"(?<![\w.>])({longest_first})", r"verbatim::load(&(\1))"
    return replace(one, count=re.sub(place, load, one.count), after=re.sub(place, load, one.after))


def counted(scopes: Scopes, loop: SyntaxNode) -> Counted:
    """The loop as a countable one.

    Raises:
        CannotTransform: Its turns cannot be counted; says the line and why.
    """
    match loop.type:
        case "for_statement":
            return _counted_for(scopes, loop)
        case "for_range_loop":
            return _counted_range(scopes, loop)
        case "while_statement":
            return _counted_while(scopes, loop)
    raise _not_countable(scopes, loop, "its end is tested behind each turn")


def trips(scopes: Scopes, loop: SyntaxNode) -> str | None:
    """How many turns a loop makes, None where that cannot be counted or a turn may end it."""
    try:
        found = counted(scopes, loop)
    except CannotTransform:
        return None
    return None if leaves(found.body) is not None else f"verbatim::turns({found.count})"


def _not_countable(scopes: Scopes, loop: SyntaxNode, why: str) -> CannotTransform:
    return CannotTransform(f"the loop's turns are not known before it runs: {why}", line=scopes.line(loop))


def _counted_for(scopes: Scopes, loop: SyntaxNode) -> Counted:
    start, condition, update = (loop.child_by_field_name(f) for f in ("initializer", "condition", "update"))
    body = loop.child_by_field_name("body")
    if condition is None or update is None:
        raise _not_countable(scopes, loop, "it has not the form for (T i = start; i < end; step)")
    if condition.type != "binary_expression":
        raise _not_countable(scopes, loop, f"its condition is '{scopes.text(condition)}'")
    values = _values(scopes, loop, start)
    steps = [scopes.text(step) for step in comma(update)]
    left, operator, right = (scopes.text(condition.child_by_field_name(f)) for f in ("left", "operator", "right"))
    moved = {name: by for step in comma(update) for name, by in [_step(scopes, step)]}
    variable, end = _counter(left, right, {**dict.fromkeys(moved.keys() & scopes.visible(loop).keys()), **values})
    if variable is None:
        raise _not_countable(scopes, loop, f"its condition '{scopes.text(condition)}' is not of its variable")
    if None in moved.values() or variable not in moved or len(moved) != len(steps):
        raise _not_countable(scopes, loop, f"its step is '{scopes.text(update)}'")
    if variable in scopes.assigned(body):
        raise _not_countable(scopes, loop, f"'{variable}' changes in its body")
    step = moved[variable]
    assert step is not None
    if moved.keys() & {*_WORD.findall(" ".join([end, step, *(by for by in moved.values() if by is not None)]))}:
        raise _not_countable(scopes, loop, "its end or its step changes with its variables")
    fixed = {name: one.first for name, one in values.items() if name not in moved}
    end, step = (
        _WORD.sub(lambda found: f"({fixed[found[0]]})" if found[0] in fixed else found[0], t) for t in (end, step)
    )
    starts = [values[name].start(moved.pop(name, None)) for name in values]
    first = values[variable].first if variable in values else variable
    count = _count(scopes, loop, operator, first, end, step)
    outer = tuple((name, by) for name, by in moved.items() if by is not None)
    after = [one.after(count, step if name == variable else None) for name, one in values.items() if one.is_read_later]
    uses = [end, step, *(by for _, by in outer)]
    if after and {*_WORD.findall(" ".join([first, *uses]))} & scopes.assigned(loop):
        raise _not_countable(scopes, loop, "what its variables are behind it is not known")
    return Counted(
        loop=loop, body=body, count=count, starts=tuple(starts), variables=tuple(values), moves=outer, after=" ".join(after),
        uses=" ".join([scopes.text(start) if start is not None and values else first, *uses]), uses_outside=" ".join([first, *uses]),
        ends=frozenset(name for name, one in values.items() if not one.is_declared),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Variable:
    """A variable that a loop's header sets."""

    name: str
    kind: str
    """The text of its type, without a pointer's star."""
    star: str
    first: str
    is_declared: bool
    """Whether the header declares it, so that nothing outside sees it."""
    is_read_later: bool

    def start(self, step: str | None) -> str:
        """Its declaration in a turn."""
        text = self.first if step is None else f"({self.first}) + {{turn}}" + ("" if step == "1" else f" * ({step})")
        if self.first == "0" and step == "1":
            text = "{turn}"
        if self.star or self.kind == "auto":
            return f"{self.kind}{self.star} {self.name} = {text};"
        return f"{self.kind} {self.name} = ({self.kind}){text if text == '{turn}' else f'({text})'};"

    def after(self, count: str, step: str | None) -> str:
        """What it is behind the loop."""
        by = f"verbatim::turns({count}) * ({step})" if step is not None else "0"
        return f"{self.name} = verbatim::moved(({self.first}), {by});"


def _values(scopes: Scopes, loop: SyntaxNode, start: SyntaxNode | None) -> dict[str, _Variable]:
    """The variables that a header sets, in their order: those that it declares, or those of the outside that it assigns."""
    if start is None:
        return {}
    found: dict[str, _Variable] = {}
    if start.type == "declaration":
        declared: list[SyntaxNode] = declarators(start)
        kind = scopes.source.data[start.start_byte : declared[0].start_byte].decode().strip()
        for declarator in declared:
            name, value = scopes.text(declared_name(declarator)), declarator.child_by_field_name("value")
            if value is None:
                raise _not_countable(scopes, loop, f"'{name}' has no start")
            star = "*" if any(n.type == "pointer_declarator" for n in declarator.children) else ""
            found[name] = _Variable(
                name=name, kind=kind, star=star, first=scopes.text(value), is_declared=True, is_read_later=False
            )
        return found
    parts: list[SyntaxNode] = comma(start)
    for part in parts:
        left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
        plain = part.type == "assignment_expression" and scopes.text(part.child_by_field_name("operator")) == "="
        declaration = scopes.visible(loop).get(scopes.text(left)) if plain else None
        if declaration is None or declaration.type != "declaration" or right.type == "assignment_expression":
            raise _not_countable(scopes, loop, f"it starts with '{scopes.text(part)}'")
        name = scopes.text(left)
        own = next(d for d in declarators(declaration) if scopes.text(declared_name(d)) == name)
        found[name] = _Variable(
            name=name, kind=scopes.text(declaration.child_by_field_name("type")), first=scopes.text(right), is_declared=False,
            star="*" if any(n.type == "pointer_declarator" for n in walk(own)) else "",
            is_read_later=is_read_elsewhere(scopes, loop, declaration, name),
        )  # fmt: skip
    return found


def _counter(left: str, right: str, values: Collection[str]) -> tuple[str | None, str]:
    """Which variable a condition is about, and the end that it has alone on the other side."""
    if left in values:
        return left, right
    shifted = re.fullmatch(r"(\w+) \+ (\w+)", left)
    if shifted and shifted[1] in values:
        return shifted[1], f"({right}) - {shifted[2]}"
    return None, ""


def comma(node: SyntaxNode) -> list[SyntaxNode]:
    """The parts of a comma expression."""
    if node.type == "comma_expression":
        return [*comma(node.child_by_field_name("left")), *comma(node.child_by_field_name("right"))]
    return [node]


def _step(scopes: Scopes, node: SyntaxNode) -> tuple[str, str | None]:
    """What a step moves, and by how much; None for anything else than a constant step."""
    if node.type == "update_expression":
        sign = "1" if scopes.text(node.child_by_field_name("operator")) == "++" else "-1"
        return scopes.text(node.child_by_field_name("argument")), sign
    if node.type == "assignment_expression":
        name, by = scopes.text(node.child_by_field_name("left")), scopes.text(node.child_by_field_name("right"))
        operator = scopes.text(node.child_by_field_name("operator"))
        if operator in ("+=", "-="):
            return name, by if operator == "+=" else f"-({by})"
        return name, None
    return scopes.text(node), None


def _count(scopes: Scopes, loop: SyntaxNode, operator: str, first: str, end: str, step: str) -> str:
    if step.startswith("-"):
        down = step[1:] if step != "-1" else "1"
        if operator not in (">", ">=", "!="):
            raise _not_countable(scopes, loop, f"it counts down with '{operator}'")
        return _trips(f"verbatim::between({end}, {first})", operator == ">=", down)
    if operator not in ("<", "<=", "!="):
        raise _not_countable(scopes, loop, f"it counts up with '{operator}'")
    span = f"verbatim::between({first}, {end})"
    if first == "0" and _is_whole(scopes, loop, end):
        span = end if end.isdecimal() else f"(long long){end}"
    return _trips(span, operator == "<=", step)


def _is_whole(scopes: Scopes, loop: SyntaxNode, text: str) -> bool:
    """Whether a text is the name of a whole number, or one that is written out."""
    declaration = scopes.visible(loop).get(text)
    kind = declaration.child_by_field_name("type") if declaration is not None else None
    if declaration is None or kind is None or any(d.type.startswith("pointer") for d in declarators(declaration)):
        return text.isdecimal()
    return _WHOLE.fullmatch(scopes.text(kind)) is not None


def _trips(span: str, closed: bool, step: str) -> str:
    if step == "1":
        return f"({span} + 1)" if closed else span
    return f"verbatim::trips({span}{' + 1' if closed else ''}, {step})"


def _counted_range(scopes: Scopes, loop: SyntaxNode) -> Counted:
    """`for (auto& x : xs)`: turn by turn of what can be indexed."""
    range_, body = loop.child_by_field_name("right"), loop.child_by_field_name("body")
    declarator = loop.child_by_field_name("declarator")
    if range_.type not in ("identifier", "field_expression"):
        raise _not_countable(scopes, loop, "what it goes over is no variable")
    over, name = scopes.text(range_), scopes.text(declared_name(declarator))
    kind = scopes.source.data[loop.child_by_field_name("type").start_byte : declarator.start_byte].decode().strip()
    before = [c for c in loop.children if c.type == "type_qualifier" and c.end_byte <= declarator.start_byte]
    length = _length(scopes, loop, over)
    const = "const " if any(scopes.text(c) == "const" for c in before) and not kind.startswith("const") else ""
    mark = "&" if declarator.type == "reference_declarator" else ""
    return Counted(
        loop=loop, body=body, count=length or f"verbatim::size_of({over})", variables=(name,), uses=f"{over} {length or ''}",
        uses_outside=length or over,
        starts=(f"{const}{kind}{mark} {name} = *(verbatim::begin_of({over}) + {{turn}});",),
    )  # fmt: skip


def _length(scopes: Scopes, loop: SyntaxNode, name: str) -> str | None:
    """The length that a vector was declared with, where nothing in its function changes it."""
    declaration = scopes.visible(loop).get(name)
    if declaration is None or declaration.type != "declaration" or "std::vector" not in scopes.text(declaration):
        return None
    if re.search(
        rf"\b{name}\.(push_back|emplace_back|pop_back|resize|clear|assign|erase|insert|swap)\b",
        scopes.text(scopes.function_around(loop)),
    ):
        return None
    declarator = next(d for d in declarators(declaration) if scopes.text(declared_name(d)) == name)
    arguments = declarator.child_by_field_name("parameters") or declarator.child_by_field_name("value")
    if arguments is None or not arguments.named_children or arguments.type == "initializer_list":
        return None
    return f"((long long)({scopes.text(arguments.named_children[0])}))"


def _counted_while(scopes: Scopes, loop: SyntaxNode) -> Counted:
    """`while (n-- > 0)`."""
    condition, body = loop.child_by_field_name("condition"), loop.child_by_field_name("body")
    found = re.fullmatch(r"\(\s*(\w+)\s*--\s*(?:>|!=)\s*0\s*\)", scopes.text(condition))
    if found is None:
        raise _not_countable(scopes, loop, f"its condition is '{scopes.text(condition)}'")
    name = found[1]
    if name in scopes.names(body):
        raise _not_countable(scopes, loop, f"its body names '{name}'")
    return Counted(
        loop=loop,
        body=body,
        count=name,
        starts=(),
        variables=(),
        uses=name,
        uses_outside=name,
        ends=frozenset({name}),
        after=f"{name} = ({name} > 0 ? 0 : {name}) - 1;",
    )


def nested(scopes: Scopes, outer: Counted) -> list[Counted]:
    """The loops of a perfect nest from `outer` inwards whose counts do not depend on each other, as far as collapsing them is right."""
    found = [outer]
    while True:
        body = found[-1].body
        statements = (
            [c for c in body.named_children if c.type != "comment"] if body.type == "compound_statement" else [body]
        )
        if len(statements) != 1 or statements[0].type != "for_statement" or outer.moves or outer.after:
            return found
        try:
            inner = counted(scopes, statements[0])
        except CannotTransform:
            return found
        known = {name for one in found for name in one.variables}
        names = set(re.findall(r"\b[A-Za-z_]\w*\b", inner.uses)) - set(inner.variables)
        if inner.moves or inner.after or names & known or leaves(inner.body) is not None:
            return found
        found.append(inner)
