"""A task's examination and a verdict, as a terminal shows them."""

from regrapht.evaluate.admission.findings import Admission, Rule, TaskFinding
from regrapht.records.verdict import Severity
from regrapht.report.story import Story
from regrapht.report.text import describe_admission, describe_verdict


def admission(*findings, unchecked=()):
    return Admission(task_id="t", task_hash="h", findings=findings, unchecked=unchecked, seconds=1.25)


def test_an_admitted_task_is_one_line():
    assert describe_admission(admission()).splitlines() == ["t: admitted (1.2 s)"]


def test_findings_are_counted_wrapped_and_aligned():
    finding = TaskFinding(rule=next(iter(Rule)), severity=Severity.ERROR, message="word " * 40)
    lines = describe_admission(admission(finding, finding, unchecked=("the fast reference",)), width=80).splitlines()
    assert lines[0] == "t: NOT ADMITTED: 2 errors (1.2 s)" and lines[-1] == "  not looked at: the fast reference"
    assert max(map(len, lines)) <= 80 and lines[2].startswith(" " * 30)


def test_a_verdict_says_status_stages_and_times(story: Story):
    assert story.best is not None
    said = describe_verdict(story.best.verdict)
    assert said.startswith("PASSED: ") and "20.00 x" in said
