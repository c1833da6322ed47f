"""A verdict, and the examination of a task, in plain text for a terminal."""

import textwrap

from regrapht.emulate.finding_groups import grouped
from regrapht.evaluate.admission.findings import Admission
from regrapht.records.verdict import Severity, StageOutcome, Verdict


def describe_verdict(verdict: Verdict) -> str:
    """Status and reason, the stages, what was found, and what was not checked."""
    lines = [f"{verdict.status.value}: {verdict.reason}"]
    for stage in verdict.stages:
        detail = f" ({stage.detail})" if stage.detail else ""
        lines.append(f"  {stage.name.value:8} {stage.outcome.value}{detail}")
        if stage.outcome is StageOutcome.FAILED and stage.output:
            lines += [f"    | {line}" for line in stage.output.splitlines()[:12]]
    for group in grouped(verdict.findings):
        finding = group.first
        place = f" in line {finding.line}" if finding.line else ""
        place += f" against line {finding.other_line}" if finding.other_line else ""
        mark = "" if finding.severity is Severity.ERROR else "warning: "
        lines.append(
            f"  {mark}{finding.kind}{place} [{finding.checker}]: {finding.message}"
            + (f" — {finding.hint}" if finding.hint else "")
        )
        if group.others:
            lines.append(f"    the same cause: {group.places}")
    if verdict.cases:
        passed = sum(case.passed for case in verdict.cases)
        lines.append(f"  {passed} of {len(verdict.cases)} comparisons with the reference passed")
    for shape in verdict.timing or ():
        sizes = " ".join(f"{name}={value}" for name, value in shape.sizes.items())
        ratios = ", ".join(
            f"{r.comparison.value} {r.value:.2f} x [{r.low:.2f}, {r.high:.2f}] against {r.against}"
            for r in shape.ratios
        )
        floor = (
            f", {100 * shape.floor_fraction:.0f} % of the speed of light" if shape.floor_fraction is not None else ""
        )
        lines.append(f"  {sizes}: {shape.candidate.median_us:.2f} us{', ' + ratios if ratios else ''}{floor}")
        further = {
            "kernels alone": shape.kernel,
            "call to synchronisation": shape.end_to_end,
            "with transfers": shape.with_transfers,
        }
        told = [f"{name} {times.median_us:.2f} us" for name, times in further.items() if times is not None]
        if told:
            lines.append(f"    {', '.join(told)}")
    if verdict.timing is None:
        lines.append(f"  no time was measured: {verdict.no_timing}")
    if verdict.labels:
        lines.append(f"  labels: {', '.join(verdict.labels)}")
    return "\n".join(lines)


_COLUMN = 21


def describe_admission(admission: Admission, *, width: int = 120) -> str:
    """Whether the task is admitted, its findings as a table, and what was not looked at."""
    errors = len(admission.errors)
    warnings = len(admission.findings) - errors
    counted = [f"{n} {word}{'s' * (n > 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    verdict = "admitted" if admission.admitted else "NOT ADMITTED"
    lines = [f"{admission.task_id}: {verdict}{': ' if counted else ''}{', '.join(counted)} ({admission.seconds:.1f} s)"]
    for finding in admission.findings:
        head = f"  {finding.severity.value:8} {finding.rule.value:{_COLUMN}}"
        lines += textwrap.wrap(
            finding.message,
            max(width, 60),
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_long_words=False,
            break_on_hyphens=False,
        )
    lines += [f"  not looked at: {why}" for why in admission.unchecked]
    return "\n".join(lines)
