"""A reply that holds a part of a program: functions that change, or a diff. It is put into the program that the model was shown."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from regrapht.propose.form.left_out import is_left_out
from regrapht.propose.form.program import Edit, Program, head_start
from regrapht.propose.form.reference_helpers import TYPES, at_file_scope
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import declarators, declared_name, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_HUNK = re.compile(r"^@@.*$", re.MULTILINE)
_HEADER = re.compile(r"^(?:--- |\+\+\+ |diff |index )")


def with_functions_replaced(part: str, parent: str, task: Task) -> str | None:
    """The parent with the part's functions in the place of its own, what is new before them.

    None where no name is the same and no new function is one that the parent launches and lacks, or where one has overloads in the parent.
    """
    new, old = Program(part, task), Program(parent, task)
    given = [one for one in new.unit.functions if not is_left_out(one)]
    own = {function.name: function for function in old.unit.functions}
    often = Counter(function.name for function in old.unit.functions)
    replaced = [function for function in given if function.name in own]
    is_lacking = any(one.name in old.launched and one.name not in own for one in given)
    if not (replaced or is_lacking) or any(often[function.name] > 1 for function in replaced) or not own:
        return None
    data = part.encode("utf-8", "replace")
    edits = [
        Edit(head_start(own[one.name]), own[one.name].node.end_byte, _text(data, one))
        for one in {one.name: one for one in replaced}.values()
    ]
    first = min(edit.start for edit in edits) if edits else min(map(head_start, old.unit.functions))
    added, changed = _others(new, data, old, set(own))
    edits += changed
    text = "".join(f"{piece}\n\n" for piece in added)
    return old.edited([Edit(first, first, text), *edits] if text else edits)


def _text(data: bytes, function: FunctionDefinition) -> str:
    return data[head_start(function) : function.node.end_byte].decode("utf-8", "replace")


def _others(new: Program, data: bytes, old: Program, own: set[str]) -> tuple[list[str], list[Edit]]:
    """What the part defines beside these functions: texts that the parent does not hold, and edits of what has another value there."""
    functions = {head_start(one): one for one in new.unit.functions}
    there = {name: one for node in at_file_scope(old.root) for name, one in _defined(node).items()}
    found: list[str] = []
    edits: list[Edit] = []
    for node in at_file_scope(new.root):
        if node.type in ("comment", "ERROR") or node.is_missing:
            continue
        text = data[node.start_byte : node.end_byte].decode("utf-8", "replace").strip()
        function = functions.get(node.start_byte)
        if (function is not None and function.name in own) or not text or text == ";" or text in old.text:
            continue
        defined = _defined(node)
        lacking = [one for name, one in defined.items() if name not in there]
        if len(lacking) == len(defined):
            is_open = node.type in TYPES and not text.endswith(";")
            found.append(f"{text};" if is_open else text)
        elif lacking:
            found += [f"{_head_of(node)}{text_of(one)};" for one in lacking]
        for name, one in defined.items():
            before = there.get(name)
            if before is None or _value(before) == _value(one):
                continue
            if "init_declarator" in (before.type, one.type):
                before, one = _part(before), _part(one)
            if before.type == one.type:
                edits.append(Edit(before.start_byte, before.end_byte, text_of(one)))
    return found, edits


def _defined(node: "Node") -> dict[str, "Node"]:
    """Name -> what defines it, of a constant, macro or type at file scope: of several constants in one declaration each its own part."""
    if node.type in ("preproc_def", "struct_specifier", "enum_specifier", "alias_declaration"):
        name = node.child_by_field_name("name")
        return {text_of(name): node} if name is not None else {}
    parts = declarators(node) if node.type == "declaration" else []
    named = {text_of(name): one for one in parts if (name := declared_name(one)).type == "identifier"}
    return named if len(named) != 1 else dict.fromkeys(named, node)


def _part(node: "Node") -> "Node":
    """The name and value of a constant that is declared alone."""
    return declarators(node)[0] if node.type == "declaration" else node


def _head_of(node: "Node") -> str:
    """What stands before the parts of a declaration: `constexpr int `."""
    return text_of(node)[: declarators(node)[0].start_byte - node.start_byte]


def _value(node: "Node") -> str:
    """What a name stands for, blanks aside: `constexpr int kTop = 4` and `static const int kTop = 4` say one thing."""
    if node.type == "preproc_def":
        value = node.child_by_field_name("value")
        return "".join(text_of(value).split()) if value is not None else ""
    is_constant = node.type in ("declaration", "init_declarator")
    text = text_of(node).partition("=")[2] if is_constant else text_of(node)
    return "".join(text.replace("__host__ __device__", "").split()).rstrip(";")


def with_marks_taken_off(diff: str) -> str | None:
    """What a diff's lines that stay or come in hold together: a whole file, where each line of it is marked. None where one is not."""
    lines = [line for line in diff.split("\n") if not (_HEADER.match(line) or _HUNK.match(line))]
    if not any(line.startswith("+") for line in lines) or any(line and line[0] not in "+- " for line in lines):
        return None
    return "\n".join(line[1:] for line in lines if not line.startswith("-")) + "\n"


def with_a_diff_applied(diff: str, parent: str) -> str | None:
    """The parent after a unified diff, whose line numbers do not count; None where a hunk's lines are not found there."""
    hunks = _HUNK.split(diff)[1:] or [diff]
    lines = parent.split("\n")
    for hunk in hunks:
        marked = [
            line
            for line in hunk.split("\n")
            if line and not _HEADER.match(line) and line != "\\ No newline at end of file"
        ]
        before = [line[1:] for line in marked if line[0] in " -"]
        after = [line[1:] for line in marked if line[0] in " +"]
        at = place_of(lines, before)
        if at is None:
            return None
        lines[at : at + len(before)] = after
    text = "\n".join(lines)
    return text if text != parent else None


def place_of(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the wanted lines stand, layout aside; None where they do not, or more than once."""
    if not wanted:
        return None
    plain, key = [line.strip() for line in lines], [line.strip() for line in wanted]
    places = [at for at in range(len(plain) - len(key) + 1) if plain[at : at + len(key)] == key]
    return places[0] if len(places) == 1 else None
