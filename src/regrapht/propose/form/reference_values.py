"""What the reference's loops name and a model uses without the line that says so: `const int here = y * width + x;`, a row's pointer.

Names for indices, for what they and inputs come to, and room of a fixed length; nothing that the reference changes, and no result.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of
from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.propose.form.reference_indices import indices_of
from regrapht.propose.form.reference_locals import file_names, locals_of
from regrapht.propose.form.scopes import blocks_around, declared_names, seen_from, statement_around, unbound
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

OF_THE_HOST = re.compile(r"\b(?:vector|string|map|set|unordered_\w+|deque|queue|unique_ptr|auto\s*&)\b")
"""Types that device code has not."""
_CALLED = re.compile(
    r"(?:std::)?(?:min|max|clamp|size_t|u?int\d+_t|(?:abs|fabs|sqrt|floor|ceil|round|exp|exp2|log|log2|log10|sin|cos|tan|tanh|pow|hypot)f?)"
    r"|(?:static|reinterpret)_cast<[^>]*>|sizeof|std::numeric_limits<[^>]*>::\w+"
)
_CONSTANT = re.compile(r"const [^*&=]*[={]")
"""An object that is `const`: whoever is given its address cannot change it."""
_MOST = 24
"""Names that are put in at most."""


@dataclass(frozen=True, slots=True)
class Named:
    """A declaration of the reference's for one name."""

    text: str
    needs: frozenset[str]


def with_the_references_values(program: Program) -> str | None:
    """The text with such a name declared before its first use, where all that it comes from is seen there; None where none is missing."""
    offered = values_of(program.task)
    changed: str | None = None
    for _ in range(_MOST):
        edit = _next(program, offered)
        if edit is None:
            break
        changed = program.edited([edit])
        program = Program(changed, program.task)
    return changed


def _next(program: Program, offered: dict[str, Named]) -> Edit | None:
    shared = file_names(program) | helpers_of(program.task).keys()
    for function in program.unit.functions:
        if not {"__global__", "__device__"} & function.qualifiers:
            continue
        indices = indices_of(function, program.task) if "__global__" in function.qualifiers else {}
        named = {name: Named(f"const int {name} = {index};", frozenset({index})) for name, index in indices.items()}
        for name, use in unbound({*offered, *named} - shared, function).items():
            edit = _declared_before(name, use, function, offered | named, shared)
            if edit is not None:
                return edit
    return None


def _declared_before(
    name: str, use: "Node", function: FunctionDefinition, offered: dict[str, Named], shared: set[str]
) -> Edit | None:
    """The declaration with those that it needs, in the outermost block of the function where they can stand."""
    for block in blocks_around(use, function):
        at = statement_around(use, block)
        texts = _resolved(name, offered, shared | seen_from(at, function), ())
        if texts is not None:
            return Edit(at.start_byte, at.start_byte, "".join(f"{text}\n    " for text in texts))
    return None


def _resolved(name: str, offered: dict[str, Named], seen: set[str], asked: tuple[str, ...]) -> list[str] | None:
    found: list[str] = []
    for need in sorted(offered[name].needs - seen):
        if need not in offered or need in asked:
            return None
        below = _resolved(need, offered, seen, (*asked, name))
        if below is None:
            return None
        found += [text for text in below if text not in found]
    return [*found, offered[name].text]


def values_of(task: Task) -> dict[str, Named]:
    """Name -> its declaration in the reference's entry, for names with one meaning there that never changes."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    if len(entries) != 1:
        return {}
    body = entries[0].body
    outputs = {arg.name for arg in task.outputs}
    found: dict[str, Named | None] = {}
    for node in walk(body):
        if node.type == "declaration":
            for name, named in _declared(node, outputs, helpers_of(task)):
                same = name not in found or found[name] == named
                found[name] = named if same else None
    changed = {name for node in walk(body) for name in _changed(node)}
    return {
        name: named
        for name, named in found.items()
        if named is not None and (name not in changed or _CONSTANT.match(named.text))
    }


def values_of_the_entry(task: Task) -> list[str]:
    """The declarations of those that hold for the whole entry and come from its parameters, in its order; no room to be filled."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    offered = values_of(task)
    known = {arg.name for arg in task.parameters} | locals_of(task).keys() | helpers_of(task).keys()
    texts: list[str] = []
    for node in entries[0].body.named_children if offered else ():
        for name in declared_names(node) & offered.keys() - known if node.type == "declaration" else ():
            if not offered[name].text.endswith("];") and offered[name].needs <= known and offered[name].needs:
                texts.append(offered[name].text)
                known.add(name)
    return texts


def _declared(node: "Node", outputs: set[str], helpers: dict[str, str]) -> Iterator[tuple[str, Named | None]]:
    type_node = node.child_by_field_name("type")
    type_text = text_of(type_node) if type_node is not None else ""
    const = "const " if any(text_of(child) in ("const", "constexpr") for child in node.children) else ""
    for one in node.children_by_field_name("declarator"):
        declarator, value = one, None
        if one.type == "init_declarator":
            declarator, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")  # type: ignore[assignment]
        names = [text_of(name) for name in walk(declarator) if name.type == "identifier"]
        if (
            one.type == "function_declarator" and one.named_children
        ):  # `const Relief relief(rows, cols)`, read as a function's
            value = one.child_by_field_name("parameters")
            declarator = one.named_children[0]
        is_room = one.type == "array_declarator" and not const
        if (
            not names
            or (value is None and not is_room)
            or declarator.type in ("reference_declarator", "function_declarator")
        ):
            yield from ((name, None) for name in names[:1])
            continue
        about = value if value is not None else declarator
        fits = not _is_for_the_host(type_text, helpers) and (is_room or _is_pure(about, outputs, helpers))
        needs = frozenset(text_of(name) for name in walk(about) if name.type in ("identifier", "type_identifier")) - {
            names[0],
            "std",
            *_calls(about),
        }
        yield names[0], Named(f"{const}{type_text} {text_of(one)};", needs) if fits else None


def _is_for_the_host(type_text: str, helpers: dict[str, str]) -> bool:
    """Whether a type is one of the standard library's that device code has not, or has a part of one; or stands in a namespace."""
    waiting, seen = [type_text], set[str]()
    while waiting:
        text = waiting.pop()
        if OF_THE_HOST.search(text):
            return True
        for name in set(re.findall(r"\w+", text)) & helpers.keys() - seen:
            seen.add(name)
            waiting.append(helpers[name])
    return "::" in type_text.replace("std::", "")


def _calls(node: "Node") -> set[str]:
    called = {called.partition("<")[0] for called, _, _ in calls_of(node)}
    return called | {text_of(name).rpartition("::")[2] for name in walk(node) if name.type == "qualified_identifier"}


def _is_pure(value: "Node", outputs: set[str], helpers: dict[str, str]) -> bool:
    """Whether a value is made of names and calls that can stand anywhere: nothing is changed, and no result is read."""
    for node in walk(value):
        if node.type in ("assignment_expression", "update_expression", "lambda_expression", "new_expression"):
            return False
        if node.type == "subscript_expression" and text_of(node.child_by_field_name("argument")) in outputs:  # type: ignore[arg-type]
            return False
    return all(called in helpers or _CALLED.fullmatch(called) for called, _, _ in calls_of(value))


def _changed(node: "Node") -> Iterator[str]:
    """The name that a node gives another value, or whose address it takes."""
    if node.type == "assignment_expression" and (left := node.child_by_field_name("left")) is not None:
        yield text_of(left)
    elif node.type == "update_expression" or (node.type == "pointer_expression" and text_of(node).startswith("&")):
        to = node.child_by_field_name("argument")
        yield text_of(to) if to is not None else ""
