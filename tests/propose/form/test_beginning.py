"""The reply to a repair begins with the function that the compiler refused, up to the line at fault."""

import pytest

from regrapht.propose.form.beginning import FENCE, beginning_of_repair
from regrapht.propose.form.reply import read_reply
from regrapht.records.verdict import Level, Status, Verdict
from tests.propose.form.test_reply import ENTRY, KERNEL, WHOLE

WRONG = WHOLE.replace("+ 2.0f;", "+ lift_of(2.0f);")
LINE = WRONG[: WRONG.index("lift_of")].count("\n") + 1


def verdict(status: Status, line: int, *others: int) -> Verdict:
    errors = "\n".join(f'candidate.cu({one}): error: identifier "lift_of" is undefined' for one in (line, *others))
    return Verdict(
        status=status,
        level=Level.SCREEN,
        evaluator="test",
        task_hash="t",
        candidate_id="c",
        reason="it does not build",
        feedback=errors,
        no_timing="not_reached",
    )


@pytest.mark.parametrize(
    "before", ["", "template <int N>\n__device__ int twice(int a) { return 2 * a; }\n\n", "// \u00e9\u00e9\n"]
)
def test_up_to_the_line_at_fault(before, brighten):
    source = before + WRONG
    begun = beginning_of_repair(source, verdict(Status.BUILD_FAILED, LINE + before.count("\n")))
    assert begun == FENCE + KERNEL[: KERNEL.index("    float value")]
    rest = KERNEL[KERNEL.index("    float value") :]
    read = read_reply(f"{begun}{rest}```\n", brighten, parent=source, may_refuse=False, mends=True)
    assert read.code == before + WHOLE and read.mends == ("partial_program",)


@pytest.mark.parametrize(
    ("status", "lines"),
    [
        (Status.UNPARSABLE, (LINE,)),
        (Status.BUILD_FAILED, (LINE, WHOLE.count("\n", 0, WHOLE.index(ENTRY)) + 3)),
        (Status.BUILD_FAILED, (1,)),
        (Status.BUILD_FAILED, (4000,)),
        (Status.BUILD_FAILED, (WHOLE.count("\n", 0, WHOLE.index(ENTRY)),)),
    ],
    ids=["no compiler said so", "two functions", "the head", "no such line", "between functions"],
)
def test_with_the_fence_alone(status, lines):
    assert beginning_of_repair(WRONG, verdict(status, *lines)) == FENCE
