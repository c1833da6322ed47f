"""Where in a program a judge found a fault: the lines it names, their text, and the functions they stand in.

A judge names lines by number. A model that is shown some functions of a file, or counts badly, needs the text of the line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.prompts.fences import fenced
from regrapht.prompts.inline import inline
from regrapht.records.verdict import Status, Verdict
from regrapht.source.functions import read_unit

if TYPE_CHECKING:
    from tree_sitter import Node

_ERROR = re.compile(
    r"^\S*?[:(](?P<line>\d+)(?::\d+:|\):) (?:(?:fatal|catastrophic) )?error: (?P<says>.*)", re.MULTILINE
)
_AT = re.compile(r"\blines? (\d+)\b")
_MOST = 3
_PLAIN = (
    (
        re.compile(
            r"identifier \"(\w+)\" is undefined|use of undeclared identifier '(\w+)'|[^\w\s](\w+)[^\w\s] was not declared in this scope"
        ),
        "`{}` is used, and nothing of that name is defined there.",
    ),
    (
        re.compile(r"expected (?:a |',' or )?[\"']?;"),
        "A semicolon is missing in this line or at the end of the one before.",
    ),
)
"""What compilers say most often of small models' programs, in words that need no compiler."""
_DO = {
    Status.BUILD_FAILED: "Change {where} so that the compiler takes it. Use only names that are defined in this file.",
    Status.OUT_OF_BOUNDS: "Change {where}, or how many threads are launched, so that every index at this line is below the array's length.",
    Status.WRONG_VALUE: "Compare {where} with the sequential code, find the one expression that differs, and correct it.",
    Status.NON_FINITE: "Compare {where} with the sequential code, find what divides by zero or goes beyond its type, and correct it.",
    Status.UNWRITTEN: "Change {where} so that every element of the output is written.",
    Status.UNINITIALISED_READ: "Change {where} so that what this line reads was written before.",
    Status.RACE: "Change {where} so that no two threads use the same element at these lines without a barrier or an atomic between them.",
    Status.BARRIER_FAULT: "Change {where} so that all threads of a block reach every barrier: no return and no branch before it.",
    Status.BAD_POINTER: "Change {where}: all pointer parameters of the entry are device memory, which host code may not read or write.",
}
"""One instruction a status: a small model follows one."""
_ELSE = "Change {where} so that this failure does not happen."


@dataclass(frozen=True, slots=True)
class Places:
    """The lines of a program that its judge names."""

    lines: tuple[int, ...]
    """Counted from 1."""
    functions: tuple[str, ...]
    """Names of the functions that these stand in."""
    quoted: tuple[str, ...]
    """Their texts."""
    says: tuple[str, ...] = ()
    """What a compiler says of each; empty for any other judge."""


def fault_places(source: str, verdict: Verdict) -> Places:
    """The places that a verdict names; no lines where it names none, as for a wrong value."""
    told, count = f"{verdict.feedback}\n{verdict.reason}", source.count("\n") + 1
    if verdict.status is Status.BUILD_FAILED:
        named = {int(found["line"]): found["says"] for found in reversed(list(_ERROR.finditer(told)))}
    else:
        named = dict.fromkeys((int(one) for one in _AT.findall(told)), "")
    lines = sorted(line for line in named if 1 <= line <= count)[:_MOST]
    functions = [one.name for one in read_unit(source, cuda=True).functions if _holds(one.node, lines)]
    text = source.split("\n")
    return Places(
        lines=tuple(lines),
        functions=tuple(dict.fromkeys(functions)),
        quoted=tuple(text[line - 1].strip() for line in lines),
        says=tuple(_plainly(named[line]) for line in lines if named[line]),
    )


def _plainly(said: str) -> str:
    for pattern, words in _PLAIN:
        if (found := pattern.search(said)) is not None:
            return words.format(*filter(None, found.groups()))
    return f"The compiler says: {inline(said)}."


def failure_text(places: Places, feedback: str) -> str:
    """What the judge said with the lines that it names, as a prompt tells it; of a compiler each error by its line and in plain words.

    Args:
        feedback: The judge's words, in Markdown.
    """
    if not places.lines:
        return feedback
    where = f" in {_names(places.functions)}" if places.functions else ""
    if places.says:
        errors = [f"{fenced(line, 'cuda')}\n\n{says}" for line, says in zip(places.quoted, places.says, strict=True)]
        return "\n\n".join([f"The compiler does not take what stands{where}:", *errors])
    quoted = fenced("\n".join(places.quoted), "cuda")
    return "\n\n".join(part for part in (feedback, f"What stands there{where}:", quoted) if part)


def one_instruction(status: Status, places: Places) -> str:
    """What to do about it, in one sentence or two."""
    return _DO.get(status, _ELSE).format(where=_names(places.functions) or "the kernel")


def _names(functions: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in functions)


def _holds(node: "Node", lines: Sequence[int]) -> bool:
    first, last = node.start_point[0] + 1, node.end_point[0] + 1
    return any(first <= line <= last for line in lines)
