"""What the judge said would mend a program, done by machine: no request is spent on it.

Barriers go where a race's hint puts them, headers in where the compiler misses what they declare, and a compiler's own corrections of a
name or a semicolon are taken. Each is tried at once, and the judge says whether it was right.
"""

import re
from collections.abc import Iterator

from regrapht.propose.form.program import Program
from regrapht.propose.form.standard_headers import with_missing_headers
from regrapht.records.task import Task
from regrapht.records.verdict import Severity, Status, Verdict
from regrapht.source.syntax import LOOPS, parse, walk

_GAP = re.compile(r"\b(?:Put|and) (?:__syncthreads\(\).*? )?after line (\d+) and before line \d+")
_TURN = re.compile(r"at the end of the body of the loop in line (\d+), after line (\d+)")
_FUNCTION = re.compile(r"at the end of (?!the body)\w+, after line (\d+)")
_HEADER = re.compile(r"#include <([\w./]+)>'")
_SPELLED = re.compile(r":(\d+):\d+: error: [^\n]*'(\w+)'[^\n]*; did you mean '(?:\w+::)*(\w+)'\?")
_BEFORE = re.compile(r":(\d+):\d+: error: expected (?:',' or )?';' before '?([^'\s]+)'?")
_CARET = re.compile(r"\((\d+)\): error: expected a \";\"\n(?P<text>[^\n]*)\n(?P<caret> *)\^")
_WORD = re.compile(r"\w+|[^\w\s]")


def with_hints(text: str, verdict: Verdict, task: Task) -> str | None:
    """The program with every change that the verdict names outright; None where it names none that can be made."""
    if verdict.status is Status.BUILD_FAILED:
        told = "\n".join([verdict.feedback, *(stage.output for stage in verdict.stages)])
        changed = _with_headers(_with_semicolons(_with_names(text, told), told), told, task)
    else:
        changed = _with_barriers(text, verdict)
    return changed if changed != text else None


# ---- barriers


def _with_barriers(text: str, verdict: Verdict) -> str:
    lines = text.split("\n")
    # A finding of another status would stay hidden: the program fails at what the verdict names, with the barrier and without.
    told = (one for one in verdict.findings if one.severity is Severity.ERROR and one.status is verdict.status)
    hints = {finding.hint for finding in told}
    places = {line for hint in hints if hint.startswith("Put __syncthreads()") for line in _places(hint, text)}
    for line in sorted(places, reverse=True):
        if 0 < line < len(lines) and "__syncthreads" not in lines[line]:
            indent = re.match(r"\s*", lines[line - 1])
            lines.insert(line, f"{indent[0] if indent else ''}__syncthreads();")
    return "\n".join(lines)


def _places(hint: str, text: str) -> Iterator[int]:
    """The lines after which a hint wants a barrier."""
    yield from (int(found[1]) for found in _GAP.finditer(hint))
    yield from (int(found[1]) for found in _FUNCTION.finditer(hint))
    for found in _TURN.finditer(hint):
        if _has_room(text, loop=int(found[1]), after=int(found[2])):
            yield int(found[2])


def _has_room(text: str, *, loop: int, after: int) -> bool:
    """Whether the loop's body has braces, and a line of it ends there."""
    for node in walk(parse(text, cuda=True)):
        if node.type in LOOPS and node.start_point[0] + 1 == loop:
            body = node.child_by_field_name("body")
            if body is not None and body.type == "compound_statement" and after <= body.end_point[0]:
                return True
    return False


# ---- what a compiler says


def _with_headers(text: str, told: str, task: Task) -> str:
    text = with_missing_headers(Program(text, task)) or text
    named = [header for header in dict.fromkeys(_HEADER.findall(told)) if f"<{header}>" not in text]
    return "".join(f"#include <{header}>\n" for header in named) + text


def _with_names(text: str, told: str) -> str:
    lines = text.split("\n")
    for number, wrong, right in _SPELLED.findall(told):
        place = int(number) - 1
        if place < len(lines):
            lines[place] = re.sub(rf"\b{re.escape(wrong)}\b", right, lines[place])
    return "\n".join(lines)


def _with_semicolons(text: str, told: str) -> str:
    """Semicolons before the tokens that a compiler met instead; by line and token, or by line and column."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    wanted: set[int] = set()
    for number, token in _BEFORE.findall(told):
        at = int(number) - 1
        wanted |= _before_token(token, at, text, lines, starts)
    for match in _CARET.finditer(told):
        wanted |= _at_caret(match, text, lines, starts)
    for place in sorted(wanted, reverse=True):
        text = text[:place] + ";" + text[place:]
    return text


def _before_token(token: str, at: int, text: str, lines: list[str], starts: list[int]) -> set[int]:
    """Before the token in a line, or where the next line that is not blank begins with it: compilers name the line with the gap."""
    if at >= len(lines):
        return set()
    found = [starts[at] + word.start() for word in _WORD.finditer(lines[at]) if word[0] == token]
    after = next((i for i in range(at + 1, len(lines)) if lines[i].strip()), at)
    first = _WORD.search(lines[after]) if after > at else None
    if first is not None and first[0] == token:
        found.append(starts[after] + first.start())
    return {place for start in found if (place := _end_before(text, start)) is not None}


def _at_caret(match: "re.Match[str]", text: str, lines: list[str], starts: list[int]) -> set[int]:
    at = int(match[1]) - 1
    line, quoted = lines[at] if at < len(lines) else "", match["text"]
    if not line.strip() or line.strip() != quoted.strip():
        return set()
    shift = (len(quoted) - len(quoted.lstrip())) - (len(line) - len(line.lstrip()))
    place = _end_before(text, starts[at] + len(match["caret"]) - shift)
    return {place} if place is not None else set()


def _end_before(text: str, place: int) -> int | None:
    """The end of what stands before a place; None where a statement ends or begins there already."""
    before = text[:place].rstrip()
    return len(before) if before and before[-1] not in ";{}:," else None
