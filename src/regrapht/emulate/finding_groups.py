"""Findings of one cause, told together: a missing barrier leaves several pairs of lines without an order.

The list of findings stays complete; this is how people and models read it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from regrapht.records.verdict import Finding, Status

_MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings that one change mends."""

    first: Finding
    """The one to tell in full: the first in the order of the list."""
    others: tuple[Finding, ...] = ()

    @property
    def places(self) -> str:
        """Where the others are, such as `race_shared_wr in line 12 against line 9, uninit_read_shared in line 12`; capped."""
        told = [_place(finding) for finding in self.others[:_MOST_PLACES]]
        more = len(self.others) - len(told)
        return ", ".join(told) + (f" and {more} more" if more else "")


def grouped(findings: Iterable[Finding]) -> list[FindingGroup]:
    """The emulator's races by what mends them, with the reads of what was not yet written in a line of such a race; every other finding
    is alone. Groups and their members keep the list's order."""
    groups: list[list[Finding]] = []
    for finding in findings:
        home = next((members for members in groups if _belongs(finding, members)), None)
        if home is None:
            groups.append([finding])
        else:
            home.append(finding)
    return [FindingGroup(members[0], tuple(members[1:])) for members in groups]


def _belongs(finding: Finding, members: list[Finding]) -> bool:
    first = members[0]
    if finding.checker != "emulator" or first.checker != "emulator" or first.status is not Status.RACE:
        return False
    if finding.kernel != first.kernel or finding.severity is not first.severity:
        return False
    if finding.status is Status.RACE:
        return finding.hint == first.hint
    if finding.status is not Status.UNINITIALISED_READ or finding.line is None:
        return False
    space = finding.kind.rsplit("_", 1)[-1]
    return any(f"_{space}_" in each.kind and finding.line in (each.line, each.other_line) for each in members)


def _place(finding: Finding) -> str:
    place = f"{finding.kind} in line {finding.line}" if finding.line else finding.kind
    if finding.other_line and finding.other_line != finding.line:
        place += f" against line {finding.other_line}"
    return place
