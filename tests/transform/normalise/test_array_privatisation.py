"""Small arrays that are declared outside of a loop and written anew in each turn."""

import random

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..judging import steps
from ..native_random import require_right

HEAD = "// shape: a = 8*n + 8\n// shape: b = 8*n + 8\n// check: n=1; n=5; n=300\n"
FILL = "for (int k = 0; k < 8; k++) s[k] = a[8 * i + k];"
SUM = "b[i] = 0; for (int k = 0; k < 8; k++) b[i] += s[k] * s[7 - k];"
OWN = {
    "filled by a loop": f"float s[8]; for (int i = 0; i < n; i++) {{ {FILL} {SUM} }}",
    "in halves": f"float s[8]; for (int i = 0; i < n; i++) {{ for (int k = 0; k < 4; k++) s[k] = 1; "
    f"for (int k = 4; k < 8; k++) s[k] = a[i] * k; {SUM} }}",
    "even and odd": "float s[8]; for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) { s[2 * k] = a[i + k];"
    f" s[2 * k + 1] = -a[i]; }} {SUM} }}",
    "updated": f"float s[8]; for (int i = 0; i < n; i++) {{ {FILL} for (int k = 1; k < 8; k++) s[k] += s[k - 1]; {SUM} }}",
    "two": f"float s[8], t[8]; for (int i = 0; i < n; i++) {{ {FILL} for (int k = 0; k < 8; k++) t[k] = 2 * s[k];"
    " for (int k = 0; k < 8; k++) b[8 * i + k] = t[7 - k] - s[0]; }",
    "two dimensions": "float s[4][2]; for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) for (int m = 0; m < 2; m++)"
    " s[k][m] = a[i + k] * m; b[i] = 0; for (int k = 0; k < 4; k++) b[i] += s[3 - k][1] - s[k][0]; }",
    "only what is read": "float s[8]; for (int i = 0; i < n; i++) { for (int k = 2; k < 5; k++) s[k] = a[i + k];"
    " b[i] = 0; for (int k = 2; k < 5; k++) b[i] += s[k]; }",
    "places by data": "int s[8]; for (int i = 0; i < n; i++) { for (int k = 0; k < 8; k++) s[k] = 0;"
    " for (int k = 0; k < 8; k++) s[(int)(a[8 * i + k] * a[8 * i + k] * 7.9f)] += 1; for (int k = 0; k < 8; k++) b[8 * i + k] = s[k]; }",
    "beside a stride": "const int wide = 4 * n; float s[8]; for (int i = 0; i < n; i++) {"
    f" {FILL} b[i] = 0; for (int k = 0; k < 8; k++) b[i] += s[k] * wide; }}",
}
SHARED = {
    "read first": f"float s[8]; for (int k = 0; k < 8; k++) s[k] = 1; for (int i = 0; i < n; i++) {{ {SUM} {FILL} }}",
    "filled in part": f"float s[8]; s[7] = 2; for (int i = 0; i < n; i++) {{ {FILL.replace('< 8', '< 7')} {SUM} }}",
    "only in part of the turns": f"float s[8]; for (int i = 0; i < n; i++) {{ if (i % 2 == 0) {FILL} {SUM} }}",
    "in the first turn": f"float s[8]; for (int i = 0; i < n; i++) {{ if (i == 0) {FILL} {SUM} }}",
    "under a condition of data": f"float s[8]; for (int i = 0; i < n; i++) {{ if (i == 0 || a[i] > 0) {FILL} {SUM} }}",
    "from turn to turn": "float s[8]; for (int k = 0; k < 8; k++) s[k] = 0; for (int i = 0; i < n; i++) {"
    " for (int k = 0; k < 8; k++) s[k] += a[8 * i + k]; b[i] = 0; for (int k = 0; k < 8; k++) b[i] += s[k]; }",
    "read afterwards": f"float s[8]; for (int i = 0; i < n; i++) {{ {FILL} {SUM} }} b[n] = s[3];",
    "behind the read": "float s[8]; s[0] = 0; for (int i = 0; i < n; i++) for (int k = 0; k < 7; k++) {"
    " b[8 * i + k] = k > 0 ? s[k] : 0.0f; s[k + 1] = a[8 * i + k]; }",
    "few turns": f"float s[8]; for (int i = 0; i < 3; i++) {{ {FILL.replace('8 * i', 'i')} for (int j = 0; j < n; j++)"
    " b[8 * j + i] = s[j % 8]; }",
    "too large": "float s[65]; for (int i = 0; i < n; i++) { for (int k = 0; k < 65; k++) s[k] = a[i] * k;"
    " b[i] = 0; for (int k = 0; k < 65; k++) b[i] += s[k]; }",
}


def task_with(make_task, body: str):
    return make_task(f"{HEAD}void f(int n, const float* a, float* b) {{\n{body}\n}}", "f")


@pytest.mark.parametrize("name", OWN)
def test_turns_with_arrays_of_their_own(name, make_task, bench):
    task = task_with(make_task, OWN[name])
    (nest,) = analyse(task).nests
    assert nest.parallel[0] == "i" and not nest.host_loops
    source = TransformProposer().plain(task).source
    assert source is not None and source.count("<<<") == 1
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize("name", SHARED)
def test_turns_that_share_stay_in_order(name, make_task, bench):
    task = task_with(make_task, SHARED[name])
    assert not any(nest.parallel[:1] == ["i"] for nest in analyse(task).nests)
    source = TransformProposer().plain(task).source
    assert source is not None
    assert bench.differences(task, source) == [], source


def test_an_array_between_kernels_is_not_written_beside_its_range(make_task, bench):
    """Threads beyond the nest's range may compute along only where they write registers, and this array outlives its kernel."""
    sums = "for (int k = 5; k < 298; k++) for (int i = 0; i < n; i++) s[k] += a[i];"
    task = task_with(
        make_task,
        f"float s[300]; for (int k = 0; k < 300; k++) s[k] = k; {sums} for (int k = 0; k < 8; k++) b[k] = s[k] + s[299 - k];",
    )
    engine = Engine()
    source = engine.text(task, steps(engine, task, ["shared_memory_tiling"]))
    assert bench.differences(task, source) == [], source


def scratch_program(chance: random.Random) -> str:
    """Turns that write and read parts of a small array in a random order, some of them what another turn wrote."""
    parts = []
    for _ in range(chance.randint(2, 5)):
        low, high = sorted(chance.sample(range(9), 2))
        loop = f"for (int k = {low}; k < {high}; k++)"
        guard = chance.choice(["", "", "", "if (i % 2 == 0) ", "if (i > 0) ", "if (a[i] > 0) "])
        work = chance.choice(
            [
                "s[k] = a[8 * i + k];",
                "s[k] = a[8 * i + k];",
                "s[7 - k] = a[8 * i + k] - k;",
                "b[8 * i + k] = s[k];",
                "b[8 * i + k] = s[7 - k];",
                "s[k] = 0.5f * s[7 - k];",
                "s[k] += a[i];",
            ]
        )
        parts.append(guard + (f"{loop} {work}" if chance.random() < 0.7 else f"{loop} {{ {guard}{work} }}"))
    if chance.random() < 0.6:
        parts.insert(0, FILL.replace("k < 8", f"k < {chance.choice([8, 8, 8, 7])}"))
    first = "for (int k = 0; k < 8; k++) s[k] = k;\n" if chance.random() < 0.2 else ""
    last = "b[8 * n] = s[3];" if first and chance.random() < 0.3 else ""
    start = "" if first else f"{chance.choice(['', 'if (i == 0) '])}{FILL}\n"
    return (
        f"{HEAD}void f(int n, const float* a, float* b) {{\nfloat s[8];\n{first}for (int i = 0; i < n; i++) {{\n{start}"
        + "\n".join(parts)
        + f"\n}}\n{last}\n}}"
    )


def test_random_scratch_natively(make_task):
    require_right(
        lambda chance: make_task(scratch_program(chance), "f"),
        seed_from="REGRAPHT_RANDOM_SCRATCH_FROM",
        is_parallel=lambda nests: any(nest.parallel[:1] == ["i"] for nest in nests),
    )
