"""A verdict, and the examination of a task, in plain text for a terminal."""

import textwrap

from regrapht.emulate.finding_groups import grouped
from regrapht.evaluate.admission.findings import Admission
from regrapht.records.verdict import Severity, StageOutcome, Verdict


def worth(verdict: Verdict) -> str:
    """What a program that passed costs and gains, in a clause: measured or modelled, and called so. Empty where neither is known."""
    if not verdict.passed:
        return ""
    gain = verdict.gain_over_plain
    if verdict.time_us is not None:
        told = f"{verdict.time_us:.4g} us"
        return f"{told}, {gain:.2f} x as fast as plain CUDA" if gain is not None else told
    if verdict.evidence is None:
        return ""
    told = f"modelled cost {verdict.evidence.modelled_cost:.4g}"
    if gain is None:
        return told
    return f"{told}, {gain:.2f} x lower than plain CUDA's" if gain >= 1 else f"{told}, {1 / gain:.2f} x plain CUDA's"


def describe_briefly(verdict: Verdict) -> str:
    """The verdict in at most three lines: the reason, the first thing to mend, or what it is worth."""
    lines = [f"{verdict.status.value}: {verdict.reason}"]
    if told := worth(verdict):
        lines.append(f"  {told}")
    errors = [finding for finding in verdict.findings if finding.severity is Severity.ERROR]
    if errors:
        place = f"line {errors[0].line}: " if errors[0].line else ""
        lines.append(f"  {place}{errors[0].hint or errors[0].message}")
    if verdict.passed and verdict.labels:
        lines.append(f"  not enforced here: {', '.join(verdict.labels)}")
    return "\n".join(lines)


def describe_verdict(verdict: Verdict) -> str:
    """Status and reason, what it is worth, the stages, what was found, and what was not checked."""
    lines = [f"{verdict.status.value}: {verdict.reason}"]
    if value := worth(verdict):
        lines.append(f"  {value}")
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
