"""What memory checkers found, and when it refuses a candidate."""

from regrapht.emulate.emulator import EmulatedRun
from regrapht.emulate.finding_groups import grouped
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.feedback import fault_group
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Finding, Severity, Status


def findings_of_run(run: EmulatedRun, known: tuple[Finding, ...] = ()) -> list[Finding]:
    """The findings of an emulated run that are not among `known`."""
    seen = {(f.kind, f.line, f.other_line) for f in known}
    return [f for f in run.findings if (f.kind, f.line, f.other_line) not in seen]


def errors_of(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    """Those that refuse."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def reject_findings(draft: Draft) -> None:
    """Raise `Rejected` for the first error among the draft's findings, with those of one cause told together; label the warnings."""
    errors = errors_of(draft.findings)
    if errors:
        first = errors[0]
        where = f", line {first.line}" if first.line is not None else ""
        told = "\n".join(dict.fromkeys(fault_group(group) for group in grouped(errors)[:4]))
        raise Rejected(first.status, f"{first.checker}: {first.message}{where}", feedback=told)
    for finding in draft.findings:
        draft.label(f"warning_{finding.kind}")


def require_launches(run: EmulatedRun) -> None:
    """Raise `Rejected` when no call launched a kernel, or no kernel touched memory: a right output was then computed on the host."""
    evidence = [each for each in run.evidence if each is not None and each.launches]
    if run.evidence and not evidence:
        raise Rejected(Status.POLICY_REJECTED, "no kernel was launched: the outputs were not computed on the device")
    if evidence and all(each.global_sectors == 0 for each in evidence):
        raise Rejected(Status.POLICY_REJECTED, "no kernel touches memory: the outputs were not computed on the device")
