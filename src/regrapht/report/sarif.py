"""Verdicts as SARIF 2.1.0, the format in which code hosts take findings and show them at their lines."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from regrapht.records.verdict import Finding, Severity, Status, Verdict
from regrapht.version import VERSION

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LINE = re.compile(r"(?:\bline |:)(\d+)\b")


class Judged(Protocol):
    """A verdict whose lines have places in files."""

    @property
    def verdict(self) -> Verdict: ...

    def place(self, line: int | None) -> tuple[Path, int]: ...


def sarif(judged: Iterable[Judged], *, base: Path) -> dict[str, Any]:
    """One run with a result a finding; a program that was refused without one has one result that gives the reason.

    Args:
        base: Files below it are named relative to it.
    """
    results = [result for one in judged for result in _results(one, base)]
    rules = sorted({result["ruleId"] for result in results})
    driver = {
        "name": "regrapht",
        "version": VERSION,
        "informationUri": "https://regrapht.readthedocs.io",
        "rules": [{"id": rule, "shortDescription": {"text": rule.replace("_", " ")}} for rule in rules],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _results(judged: Judged, base: Path) -> Sequence[dict[str, Any]]:
    verdict = judged.verdict
    found = [_of_finding(judged, finding, base) for finding in verdict.findings]
    refused = not verdict.passed and not any(one["level"] == "error" for one in found)
    if refused:
        line = _LINE.search(verdict.reason)
        level = "warning" if verdict.status is Status.UNSUPPORTED else "error"
        place = judged.place(int(line[1]) if line else None)
        found.append(_result(verdict.status.value, level, verdict.reason, place, base))
    return found


def _of_finding(judged: Judged, finding: Finding, base: Path) -> dict[str, Any]:
    level = "error" if finding.severity is Severity.ERROR else "warning"
    text = finding.message + (f" ({finding.hint})" if finding.hint else "")
    result = _result(finding.kind, level, text, judged.place(finding.line), base)
    if finding.other_line is not None:
        result["relatedLocations"] = [_location(judged.place(finding.other_line), base)]
    return result


def _result(rule: str, level: str, text: str, place: tuple[Path, int], base: Path) -> dict[str, Any]:
    return {"ruleId": rule, "level": level, "message": {"text": text}, "locations": [_location(place, base)]}


def _location(place: tuple[Path, int], base: Path) -> dict[str, Any]:
    file, line = place[0].absolute(), place[1]
    name = file.relative_to(base.absolute()) if file.is_relative_to(base.absolute()) else file
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": name.as_posix()},
            "region": {"startLine": max(1, line)},
        }
    }
