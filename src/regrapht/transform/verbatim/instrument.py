"""The reference with marks around its loops, at the start of their turns and around updates, for `runtime/watch.cpp` to be told by."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from regrapht.errors import CannotTransform
from regrapht.records.task import ArgKind, Task
from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.counting import Counted, counted, nested
from regrapht.transform.verbatim.liveness import is_inside
from regrapht.transform.verbatim.scopes import LOOPS, Scopes, elements, walk
from regrapht.transform.verbatim.structs_by_value import handed_over

_MOST_LOOPS = 250
_DEPTH = {True: 3, False: 2}
"""How many loops deep in a function is watched: in the entry, and in others."""
_BLOCKS = ("lambda_expression", "initializer_list")
_LOCALS = ("declaration", "parameter_declaration", "optional_parameter_declaration")
_UPDATES = ("+=", "-=", "|=", "&=", "^=")


@dataclass(slots=True)
class Instrumented:
    """The text, and what its numbers stand for."""

    text: str
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    """(first byte of a loop, loops of its nest that are one) -> its number."""
    sites: dict[int, SyntaxNode] = field(default_factory=dict)
    """Number -> the statement that updates."""


def instrumented(scopes: Scopes, task: Task) -> Instrumented:
    """The file's text with all marks."""
    made = Instrumented(text="")
    marks: list[_Mark] = []
    for loop, nest in watchable(scopes):
        depths = [1] if len(nest) == 1 else [1, len(nest)]
        if len(made.numbers) + len(depths) > _MOST_LOOPS:
            break
        begin = ""
        for depth in depths:
            number = made.numbers[loop.start_byte, depth] = len(made.numbers)
            begin += f" watch::loop vb_w{number}({number}, __builtin_frame_address(0));{_objects(scopes, loop, number)}"
            body = nest[depth - 1].body
            marks.append(_Mark(body.start_byte, 1, f"{{ vb_w{number}.turn(); "))
            marks.append(_Mark(body.end_byte, 0, " }"))
        marks.append(_Mark(loop.start_byte, 0, "{" + begin + " "))
        marks.append(_Mark(loop.end_byte, 1, " }"))
    # Else locals of a caller would be in one frame with a turn's own.
    own = {scopes.function_around(loop).start_byte for loop, _ in watchable(scopes)}
    marks += [_Mark(start, 0, "__attribute__((noinline)) ") for start in sorted(own)]
    structs = [mark for place, before in handed_over(scopes) for mark in _around(place, before)]
    for number, statement in enumerate(_updates(scopes)):
        made.sites[number] = statement
        before, by = "", _by(statement)
        if by is not None and _calls(by):  # what calls read and write is no part of the update
            inside = [mark for mark in structs if by.start_byte <= mark.place <= by.end_byte]
            structs = [mark for mark in structs if mark not in inside]
            before = f"const auto vb_v = {_with(scopes, inside, by.start_byte, by.end_byte)}; "
            marks.append(_Mark(by.start_byte, 0, "vb_v", by.end_byte))
        marks.append(_Mark(statement.start_byte, 2, f"{{ {before}watch::update vb_u({number}); "))
        marks.append(_Mark(statement.end_byte, 0, " }"))
    body = scopes.entry.child_by_field_name("body")
    arrays = "".join(
        f' watch_array("{arg.name}", {arg.name}, {arg.dtype.size_bytes}LL * {elements(arg.shape, "watch")});'
        for arg in task.args
        if arg.kind is ArgKind.ARRAY
    )
    marks.append(_Mark(body.start_byte + 1, 0, f" watch::call vb_call;{arrays}"))
    made.text = '#include "watch.h"\n' + _marked(scopes, marks + structs)
    return made


@dataclass(frozen=True, slots=True)
class _Mark:
    """Text that is put in at a place."""

    place: int
    order: int
    """Among marks of one place."""
    text: str
    end: int = 0
    """Up to where it stands for what the file has; 0 where it replaces nothing."""


def _around(node: SyntaxNode, before: str) -> tuple[_Mark, _Mark]:
    """Marks around an expression: inside of those of its statement."""
    return _Mark(node.start_byte, 3, before), _Mark(node.end_byte, -1, ")")


def _marked(scopes: Scopes, marks: list[_Mark]) -> str:
    text = _with(scopes, marks, 0, len(scopes.source.written))
    text = re.sub(r"\bstd::vector\b(?!\s*<\s*bool\b)", "watch::vector", text)
    return re.sub(r"(?<![\w:.>])(std::)?snprintf(?=\s*\()", "watch::snprintf", text)


def _with(scopes: Scopes, marks: list[_Mark], start: int, end: int) -> str:
    """The file's text from `start` to `end` with marks in it."""
    out, at = [], start
    data = scopes.source.written
    for mark in sorted(marks, key=lambda mark: (mark.place, mark.order)):
        out += [data[at : mark.place].decode(), mark.text]
        at = max(mark.place, mark.end)
    out.append(data[at:end].decode())
    return "".join(out)


def watchable(scopes: Scopes) -> Iterator[tuple[SyntaxNode, list[Counted]]]:
    """The loops that may become launches, outermost first, each with the nest that it begins."""
    for function in scopes.functions:
        if scopes.is_constexpr(function):
            continue
        most = _DEPTH[function.id == scopes.entry.id]
        for loop in scopes.loops(function.child_by_field_name("body") or function):
            if _depth(loop, function) >= most:
                continue
            try:
                first = counted(scopes, loop)
            except CannotTransform:
                continue
            yield loop, nested(scopes, first)


def _depth(loop: SyntaxNode, function: SyntaxNode) -> int:
    depth, node = 0, loop.parent
    while node is not None and node.id != function.id:
        depth += node.type in LOOPS
        node = node.parent
    return depth


def _objects(scopes: Scopes, loop: SyntaxNode, number: int) -> str:
    """Marks that tell what the outer variables that a loop names are called, those of the file too, and the locals that it may reach by
    others."""
    seen = scopes.visible(loop)
    names = sorted(name for name in scopes.names(loop) | _field_names(scopes, loop) if name in seen)
    before = (name for name, one in scopes.variables.items() if one.start_byte < loop.start_byte)
    names += sorted(name for name in before if "::" not in name)
    marks = [f' vb_w{number}.object("{name}", {name});' for name in names]
    for name in sorted(seen.keys() - set(names)):
        if _is_reachable(scopes, loop, seen[name], name):
            at = f"&reinterpret_cast<const volatile char&>({name})"
            marks.append(f' watch_object({number}, "{name}", (const void*){at}, sizeof({name}), false);')
    return "".join(marks)


def _is_reachable(scopes: Scopes, loop: SyntaxNode, declaration: SyntaxNode, name: str) -> bool:
    """Whether a local that a loop does not name may be told to it: a name of one variable, not from around a lambda."""
    node = loop.parent
    while node is not None and node.type != "function_definition":
        if node.type == "lambda_expression" and not is_inside(declaration, node):
            return False
        node = node.parent
    return name.isidentifier() and declaration.type in _LOCALS and "..." not in scopes.text(declaration)


def _field_names(scopes: Scopes, loop: SyntaxNode) -> set[str]:
    return {scopes.text(n) for n in walk(loop) if n.type == "field_identifier" and n.parent.type != "field_expression"}


def _updates(scopes: Scopes) -> Iterator[SyntaxNode]:
    """Statements that update a place which is more than a local of its own block. To find that place, nothing of the file is called."""
    untouched = [(f.start_byte, f.end_byte) for f in scopes.functions if scopes.is_constexpr(f)]
    for statement in scopes.source.walk():
        if any(start <= statement.start_byte < end for start, end in untouched):
            continue
        if statement.type != "expression_statement" or not statement.named_children:
            continue
        target, by = update_target(scopes, statement), _by(statement)
        if target is None or (by is not None and any(n.type in _BLOCKS for n in walk(by))):
            continue
        if any(scopes.text(c.child_by_field_name("function")) in scopes.by_name for c in _calls(target)):
            continue
        if target.type != "identifier" or _is_outer(scopes, statement, scopes.text(target)):
            yield statement


def _by(statement: SyntaxNode) -> SyntaxNode | None:
    """What a statement such as `x += e;` updates by."""
    by: SyntaxNode | None = statement.named_children[0].child_by_field_name("right")
    return by


def update_target(scopes: Scopes, statement: SyntaxNode) -> SyntaxNode | None:
    """What a statement such as `x += e;` or `++x;` updates; None where it is no such statement."""
    node = statement.named_children[0]
    if node.type == "update_expression":
        return node.child_by_field_name("argument")
    if node.type == "assignment_expression" and scopes.text(node.child_by_field_name("operator")) in _UPDATES:
        return node.child_by_field_name("left")
    return None


def _is_outer(scopes: Scopes, statement: SyntaxNode, name: str) -> bool:
    """Whether a name is declared outside of some loop around a statement, or is a field."""
    node = statement.parent
    while node is not None and node.type != "function_definition":
        if node.type in LOOPS and name in scopes.visible(node):
            return True
        node = node.parent
    declaration = scopes.visible(statement).get(name)
    return declaration is not None and declaration.type.endswith("specifier")


def _calls(node: SyntaxNode) -> list[SyntaxNode]:
    return [each for each in walk(node) if each.type == "call_expression"]
