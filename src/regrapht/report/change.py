"""The judgements of a change's files: a line each for a terminal, a table in Markdown for a job's summary."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from regrapht.records.verdict import Verdict
from regrapht.report.text import worth


class Checked(Protocol):
    """A judgement."""

    @property
    def told(self) -> Verdict: ...


class Judged(Protocol):
    """One file, judged or not."""

    @property
    def file(self) -> Path: ...
    @property
    def task(self) -> Path | None: ...
    @property
    def checked(self) -> Checked | None: ...
    @property
    def why(self) -> str: ...
    @property
    def status(self) -> str: ...


def change_line(judged: Judged) -> str:
    """One file in a line."""
    return f"{judged.file}: {judged.status}: {_reason(judged)}"


def change_summary(files: Sequence[Judged]) -> str:
    """All files as a table."""
    passed = sum(one.status == "PASSED" for one in files)
    judged = sum(one.checked is not None for one in files)
    lines = [f"### regrapht: {passed} of {judged} CUDA programs passed", ""]
    if files:
        lines += ["| file | verdict | |", "|---|---|---|"]
        lines += [f"| `{_cell(str(one.file))}` | {one.status} | {_cell(_reason(one))} |" for one in files]
    return "\n".join(lines) + "\n"


def _reason(judged: Judged) -> str:
    if judged.checked is None:
        return judged.why
    verdict = judged.checked.told
    told = worth(verdict)
    return f"{verdict.reason}; {told}" if told else verdict.reason


def _cell(text: str) -> str:
    """As text in a table of Markdown, whatever a program or a compiler wrote."""
    escaped = text.replace("\\", "\\\\").replace("|", "\\|").replace("`", "'")
    return " ".join(escaped.replace("<", "&lt;").replace(">", "&gt;").split())
