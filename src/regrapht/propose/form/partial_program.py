"""A reply that holds a part of a program: functions that change, or a diff. It is put into the program that the model was shown."""

import re
from collections.abc import Sequence

from regrapht.propose.form.program import Edit, Program, head_start
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition

_HUNK = re.compile(r"^@@.*$", re.MULTILINE)
_HEADER = re.compile(r"^(?:--- |\+\+\+ |diff |index )")


def with_functions_replaced(part: str, parent: str, task: Task) -> str | None:
    """The parent with the part's functions in the place of its own, what is new before them; None where no name is the same."""
    new, old = Program(part, task), Program(parent, task)
    own = {function.name: function for function in old.unit.functions}
    replaced = [function for function in new.unit.functions if function.name in own]
    if not replaced or len(own) != len(old.unit.functions):
        return None
    data = part.encode("utf-8", "replace")
    edits = [
        Edit(head_start(own[one.name]), own[one.name].node.end_byte, _text(data, one))
        for one in {one.name: one for one in replaced}.values()
    ]
    first = min(edit.start for edit in edits)
    added = "".join(f"{piece}\n\n" for piece in _others(new, data, parent, set(own)))
    return old.edited([Edit(first, first, added), *edits] if added else edits)


def _text(data: bytes, function: FunctionDefinition) -> str:
    return data[head_start(function) : function.node.end_byte].decode("utf-8", "replace")


def _others(new: Program, data: bytes, parent: str, own: set[str]) -> list[str]:
    """What the part defines beside these functions and the parent does not hold: new functions, constants, types, includes."""
    functions = {head_start(one): one for one in new.unit.functions}
    found = []
    for node in new.root.children:
        if node.type in ("comment", "ERROR") or node.is_missing:
            continue
        text = data[node.start_byte : node.end_byte].decode("utf-8", "replace").strip()
        function = functions.get(node.start_byte)
        if (function is not None and function.name in own) or not text or text == ";" or text in parent:
            continue
        found.append(text)
    return found


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
        at = _place(lines, before)
        if at is None:
            return None
        lines[at : at + len(before)] = after
    text = "\n".join(lines)
    return text if text != parent else None


def _place(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the wanted lines stand, layout aside; None where they do not, or more than once."""
    if not wanted:
        return None
    plain, key = [line.strip() for line in lines], [line.strip() for line in wanted]
    places = [at for at in range(len(plain) - len(key) + 1) if plain[at : at + len(key)] == key]
    return places[0] if len(places) == 1 else None
