"""compute-sanitizer's four tools: which a program needs, how a command is run under one, and what its report says."""

import re
from dataclasses import dataclass
from pathlib import Path

from regrapht.records.verdict import Finding, Severity, Status
from regrapht.sandbox.sandbox import Command, Completed

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
_NEEDED_IN_PTX = {
    "racecheck": re.compile(r"\.shared\b"),
    "synccheck": re.compile(r"\b(mbarrier|barrier|bar)\b|\.sync\b"),
}
_NEEDED_IN_TEXT = {
    "racecheck": re.compile(r"__shared__|#\s*include|\basm\b"),
    "synccheck": re.compile(r"sync|#\s*include|\basm\b"),
}
_LOG = "sanitizer.log"
_STATUS = {
    "memcheck": Status.OUT_OF_BOUNDS,
    "racecheck": Status.RACE,
    "initcheck": Status.UNINITIALISED_READ,
    "synccheck": Status.BARRIER_FAULT,
}
_HINTS = {
    "memcheck": "Check every index against its array's length.",
    "racecheck": "Put a barrier between the two accesses.",
    "initcheck": "Write the memory before it is read.",
    "synccheck": "Let all threads of the block reach the same barrier.",
}
_SUMMARY = re.compile(
    r"^========= (?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: \d+ hazards? displayed \((\d+) error)", re.MULTILINE
)
_REPORT = re.compile(
    r"^========= (?P<text>(?:Invalid|Error: Race|Error: Potential|Uninitialized|Barrier error|Misaligned|Program hit|Race reported)[^\n]*)"
    r"(?P<rest>(?:\n=========  +[^\n]*)*)",
    re.MULTILINE,
)
_PLACE = re.compile(r"at (?:[\w:~<>]+::)?(\w+)\s*\([^\n]*?\)(?:\+0x[0-9a-f]+)?(?: in [^\n]*?:(\d+))?")
_LINE = re.compile(r"\bin [^\s:]*candidate\.cu:(\d+)|candidate\.cu:(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanitized:
    """What one tool said. `finished` is False when it ran out of time or did not work."""

    tool: str
    finished: bool
    findings: tuple[Finding, ...]


def tools_for_ptx(ptx: str | None) -> tuple[str, ...]:
    """The tools that could find anything in a program: racecheck looks at shared memory only, synccheck at synchronisation only.

    All of them where its PTX is not known.
    """
    if ptx is None:
        return TOOLS
    return tuple(tool for tool in TOOLS if tool not in _NEEDED_IN_PTX or _NEEDED_IN_PTX[tool].search(ptx))


def tools_for_text(source: str) -> tuple[str, ...]:
    """The same, guessed before a program is compiled. A text can hide what it uses; its PTX cannot."""
    return tuple(tool for tool in TOOLS if tool not in _NEEDED_IN_TEXT or _NEEDED_IN_TEXT[tool].search(source))


def sanitized_command(sanitizer: Path, tool: str, command: Command) -> Command:
    """`command` under one tool; `read_result` reads what it said."""
    options: tuple[str, ...] = ("--tool", tool, "--log-file", _LOG, "--print-limit", "20", "--error-exitcode", "86")
    if tool == "racecheck":
        options += ("--racecheck-report", "analysis")
    return Command(
        argv=(str(sanitizer), *options, *command.argv),
        files=command.files,
        collect=(_LOG,),
        collect_limit_bytes=4 * 2**20,
        read_only=(*command.read_only, sanitizer.parent.parent),
        descriptors=command.descriptors,
        environment={**command.environment, "NV_COMPUTE_SANITIZER_LOCAL_CONNECTION_OVERRIDE": "uds"},
        gpu=True,
    )


def parse_log(tool: str, log: str) -> tuple[Finding, ...]:
    """The findings in a log, at most ten, equal ones counted."""
    found: dict[tuple[str, str | None, int | None], Finding] = {}
    for match in _REPORT.finditer(log):
        text = re.sub(r"\s+", " ", match["text"]).strip()
        place = _PLACE.search(match["rest"])
        lines = [int(a or b) for a, b in _LINE.findall(match["text"] + match["rest"])]
        kernel = place[1] if place else None
        key = (text.split(" by ")[0], kernel, lines[0] if lines else None)
        if key in found:
            earlier = found[key]
            found[key] = _finding(tool, key, lines, earlier.count + 1)
        elif len(found) < 10:
            found[key] = _finding(tool, key, lines, 1)
    return tuple(found.values())


def _finding(tool: str, key: tuple[str, str | None, int | None], lines: list[int], count: int) -> Finding:
    text, kernel, line = key
    status = Status.MISALIGNED if "misaligned" in text.lower() else _STATUS[tool]
    return Finding(
        kind=f"{tool}_{'misaligned' if status is Status.MISALIGNED else 'error'}",
        status=status,
        severity=Severity.ERROR,
        checker=tool,
        message=text,
        kernel=kernel,
        line=line,
        other_line=lines[1] if len(lines) > 1 and tool == "racecheck" else None,
        hint=_HINTS[tool],
        count=count,
    )


def read_result(tool: str, completed: Completed) -> Sanitized:
    """What a finished (or stopped) tool run says. It counts as finished only when its own summary is there."""
    log = completed.files.get(_LOG, b"").decode(errors="replace")
    findings = parse_log(tool, log)
    summary = _SUMMARY.search(log)
    errors = int(summary[1] or summary[2]) if summary else 0
    if errors and not findings:
        unnamed = (f"{tool} reports {errors} error{'s' if errors > 1 else ''}", None, None)
        findings = (_finding(tool, unnamed, [], errors),)
    return Sanitized(tool=tool, finished=summary is not None and completed.stopped is None, findings=findings)
