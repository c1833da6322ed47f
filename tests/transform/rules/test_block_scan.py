"""Scans: running values in a variable or in an array, and loops that only look like one."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.engine import Engine

from ..judging import first_now, steps

INCLUSIVE = """
void running_sum(int n, const int* a, int* out) {
    int run = 0;
    for (int i = 0; i < n; i++) {
        run += a[i];
        out[i] = run;
    }
}
"""
EXCLUSIVE = """
void offsets(int buckets, const int* count, long long* offset) {
    long long running = 0;
    for (int b = 0; b < buckets; b++) {
        offset[b] = running;
        running += count[b];
    }
    offset[buckets] = running;
}
"""
IN_PLACE = """
void exclusive_in_place(int n, int* a) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        const int own = a[i];
        a[i] = sum;
        sum += own;
    }
}
"""
RECURRENCE = """
void cumulative(int n, const double* x, double* y) {
    y[0] = x[0];
    for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i] - 0.5 * x[i - 1];
}
"""
OWN_ELEMENT = """
void cumulative_in_place(int n, unsigned int* a) {
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
}
"""
LARGEST = """
void running_maximum(int n, const float* x, float* top, int* rises) {
    float most = x[0];
    for (int i = 0; i < n; i++) {
        rises[i] = 0;
        if (x[i] > most) rises[i] = 1;
        most = most > x[i] ? most : x[i];
        top[i] = most;
    }
}
"""
COUNTED = """
int positions(int n, const short* keep, int* position) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        position[i] = -1;
        if (keep[i] > 0) {
            position[i] = kept;
            kept += 1;
        }
    }
    return kept;
}
"""
LOCAL_TABLE = """
void ranks(int n, const unsigned char* key, int* rank) {
    int below[256];
    for (int level = 0; level < 256; level++) below[level] = 0;
    for (int i = 0; i < n; i++) below[key[i]]++;
    for (int level = 1; level < 256; level++) below[level] += below[level - 1];
    for (int i = 0; i < n; i++) rank[i] = below[key[i]];
}
"""
DECAY = RECURRENCE.replace("y[i - 1] + x[i]", "0.5 * y[i - 1] + x[i]")
TWO_SUMS = INCLUSIVE.replace("int run = 0;", "int run = 0, other = 1;").replace(
    "out[i] = run;", "other += run; run += other; out[i] = run * other;"
)
TWO_BEFORE = OWN_ELEMENT.replace("a[i - 1]", "a[i - 2]").replace("int i = 1", "int i = 2")
SCANS = [
    INCLUSIVE,
    EXCLUSIVE,
    IN_PLACE,
    RECURRENCE,
    OWN_ELEMENT,
    LARGEST,
    COUNTED,
    LOCAL_TABLE,
    DECAY,
    TWO_SUMS,
    TWO_BEFORE,
]


@pytest.mark.parametrize(
    "setting", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("text", first_now(SCANS, 2))
def test_scans(text, setting, judging):
    task = judging.task(text)
    source = judging.source(task, ["block_scan"], setting)
    assert "runs in one thread" not in source and "__shfl_up_sync" in source
    assert judging.faults(task, source, Level.FULL if text is INCLUSIVE else Level.SCREEN) == ""


def test_scans_of_more_strips_than_blocks(make_task, bench):
    for text, name in ((INCLUSIVE, "running_sum"), (OWN_ELEMENT, "cumulative_in_place")):
        array = "// shape: a = n\n// shape: out = n\n" if name == "running_sum" else "// shape: a = n\n"
        task = make_task(f"{array}// check: n=1; n=128; n=129; n=40001\n{text}", name)
        engine = Engine()
        assert bench.differences(task, engine.text(task, steps(engine, task, ["block_scan"], 1))) == []


CLAMPED = INCLUSIVE.replace("run += a[i];", "if (run < 100) run += a[i];")
BY_TWO = INCLUSIVE.replace("int i = 0; i < n; i++", "int i = 0; i < n; i += 2")
INDEPENDENT = "void twice(int n, const int* a, int* out) { for (int i = 0; i < n; i++) out[i] = 2 * a[i]; }"
FED_BACK = (
    "void fed(int n, const int* a, int* out) { for (int i = 1; i < n; i++) out[i] = out[i - 1] + a[out[i - 1] & 1]; }"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CLAMPED, "depends on the running value"),
        (BY_TWO, "one by one"),
        (INDEPENDENT, "need no order"),
        (FED_BACK, "no running sum"),
    ],
)
def test_why_no_scan(text, why, judging):
    assert why in judging.refusal(judging.task(text), [], "block_scan")
