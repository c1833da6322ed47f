"""The place of a smallest or largest value: ties, conditions, several loops, and searches that only look like one."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.engine import Engine

from ..judging import first_now, steps

FIRST_MINIMUM = """
void first_minimum(int n, const short* x, int* where, short* smallest) {
    short best = x[0];
    int at = 0;
    for (int i = 1; i < n; i++) {
        if (x[i] < best) {
            best = x[i];
            at = i;
        }
    }
    where[0] = at;
    smallest[0] = best;
}
"""
LAST_MAXIMUM = FIRST_MINIMUM.replace("x[i] < best", "best <= x[i]").replace("short", "float")
NEAREST = """
int nearest(int n, float px, float py, const float* x, const float* y, const int* alive) {
    float closest = 1.0e30f;
    int who = -1;
    for (int i = 0; i < n; i++) {
        const float dx = x[i] - px, dy = y[i] - py;
        const float d = dx * dx + dy * dy;
        if (alive[i] != 0 && d < closest) {
            closest = d;
            who = i;
        }
    }
    return who;
}
"""
OF_A_MATRIX = """
void largest_of_matrix(int rows, int cols, const int* a, int* place) {
    int most = a[0], row = 0, column = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            if (a[r * cols + c] > most) {
                most = a[r * cols + c];
                row = r;
                column = c;
            }
    place[0] = row;
    place[1] = column;
    place[2] = most;
}
"""


@pytest.mark.parametrize(
    "setting", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("text", first_now([FIRST_MINIMUM, LAST_MAXIMUM, NEAREST, OF_A_MATRIX], 2))
def test_searches(text, setting, judging):
    task = judging.task(text)
    source = judging.source(task, ["warp_shuffle_reduction"], setting)
    assert "runs in one thread" not in source and "__shfl_xor_sync" in source
    assert judging.faults(task, source, Level.FULL if text is FIRST_MINIMUM else Level.SCREEN) == ""


@pytest.mark.parametrize("comparison", ["x[i] < best", "x[i] <= best", "x[i] > best", "best <= x[i]"])
def test_ties_over_many_blocks(comparison, make_task, bench):
    head = "// shape: x = n\n// shape: where = 1\n// shape: smallest = 1\n// init: x = ints(-3, 4)\n// check: n=1; n=2; n=257; n=3001\n"
    task = make_task(head + FIRST_MINIMUM.replace("x[i] < best", comparison), "first_minimum")
    engine = Engine()
    assert bench.differences(task, engine.text(task, steps(engine, task, ["warp_shuffle_reduction"]))) == []


OTHER_VALUE = FIRST_MINIMUM.replace("best = x[i];", "best = x[i] + 1;")
SECOND_CONDITION = FIRST_MINIMUM.replace("if (x[i] < best)", "if (x[i] < best && at < 100)")
DOWN = FIRST_MINIMUM.replace("int i = 1; i < n; i++", "int i = n - 1; i >= 1; i--")
COUNTING = FIRST_MINIMUM.replace("at = i;", "at = at + 1;")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (OTHER_VALUE, "not what it keeps"),
        (SECOND_CONDITION, "does not compare with one"),
        (DOWN, "one by one"),
        (COUNTING, "no search"),
    ],
)
def test_why_no_search(text, why, judging):
    assert why in judging.refusal(judging.task(text), [], "warp_shuffle_reduction")
