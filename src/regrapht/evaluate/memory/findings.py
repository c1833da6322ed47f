"""What memory checkers found, and when it refuses a candidate."""

import re
from dataclasses import replace

from regrapht.emulate.emulator import EmulatedRun
from regrapht.emulate.finding_groups import grouped
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.feedback import fault_group
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import ArgKind, Task
from regrapht.records.verdict import Finding, Severity, Status

_PLACE = re.compile(
    r"( by block \([\d,]+\) thread \([\d,]+\))?, at element -?\d+ of (\w+), an array of (\d+) (.+?) \(shape ([^)]*)\)"
)


def findings_of_run(run: EmulatedRun, known: tuple[Finding, ...] = ()) -> list[Finding]:
    """The findings of an emulated run that are not among `known`."""
    seen = {(f.kind, f.line, f.other_line) for f in known}
    return [f for f in run.findings if (f.kind, f.line, f.other_line) not in seen]


def errors_of(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    """Those that refuse."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


RACECHECK_ALONE = "racecheck_unconfirmed"
"""The label of a program with locks of its own: racecheck, which follows barriers alone, sees a race there, and the emulator none."""
_LOCKS = re.compile(r"\batom\S*\.(cas|exch)\b")


def without_races_of_locks(findings: list[Finding], ptx: str | None) -> list[Finding]:
    """The findings without what racecheck alone says of a program that takes locks.

    Only for a run that the emulator saw to its end: it follows what atomic operations order, so it reports what a lock does not guard. That
    a lock's fences are not verified is a warning of it, and no race.

    Args:
        ptx: The program's code; one that exchanges no word atomically has no lock, and racecheck is right about it.
    """
    confirmed = any(finding.status is Status.RACE and finding.checker == "emulator" for finding in errors_of(findings))
    if confirmed or ptx is None or not _LOCKS.search(ptx):
        return findings
    return [finding for finding in findings if finding.checker != "racecheck" or finding.status is not Status.RACE]


def reject_findings(draft: Draft) -> None:
    """Raise `Rejected` for the first error among the draft's findings, with those of one cause told together; label the warnings."""
    draft.findings = [_without_hidden_sizes(finding, draft.task) for finding in draft.findings]
    errors = errors_of(draft.findings)
    if errors:
        first = errors[0]
        where = f", line {first.line}" if first.line is not None else ""
        told = "\n".join(dict.fromkeys(fault_group(group) for group in grouped(errors)[:4]))
        raise Rejected(first.status, f"{first.checker}: {first.message}{where}", feedback=told)
    for finding in draft.findings:
        draft.label(f"warning_{finding.kind}")


def _without_hidden_sizes(finding: Finding, task: Task) -> Finding:
    """The finding without the place where it would tell a size of the judge's own."""
    listed = {
        (arg.name, arg.element_count(sizes))
        for sizes in (*task.check_sizes, *task.bench_sizes)
        for arg in task.parameters
        if arg.kind is ArgKind.ARRAY
    }

    def told(place: re.Match[str]) -> str:
        name, count, element, shape = place[2], int(place[3]), place[4], place[5]
        if (name, count) in listed or name not in {arg.name for arg in task.parameters}:
            return place.group()
        return f", beside {name}, an array of {element} (shape {shape}), at a size that is not listed"

    return replace(finding, message=_PLACE.sub(told, finding.message))


_BY_A_KERNEL = "Write the outputs in a `__global__` function, and launch it with <<<blocks, threads>>> from the entry."


def require_launches(run: EmulatedRun) -> None:
    """Raise `Rejected` when no call launched a kernel, or no kernel touched memory: a right output was then computed on the host."""
    evidence = [each for each in run.evidence if each is not None and each.launches]
    if run.evidence and not evidence:
        reason = "no kernel was launched: the outputs were not computed on the device"
        raise Rejected(Status.POLICY_REJECTED, reason, feedback=f"{reason}. {_BY_A_KERNEL}")
    if evidence and all(each.global_sectors == 0 for each in evidence):
        reason = "no kernel touches memory: the outputs were not computed on the device"
        raise Rejected(Status.POLICY_REJECTED, reason, feedback=f"{reason}. {_BY_A_KERNEL}")
