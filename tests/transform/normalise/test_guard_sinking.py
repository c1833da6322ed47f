"""Conditions that data decide around loops: inside of these, where that gives them threads and asks for nothing that the condition kept."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.normalise.guard_sinking import with_guards_sunk
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native.native_bench import Pair, native_differences

HEAD = (
    "// shape: used = n\n// shape: row = n + 1\n// shape: a = n*m\n// shape: b = n*m\n// shape: y = n + m\n// shape: bits = m\n"
    "// init: used = ints(0, 3)\n// init: row = ints(0, m + 1)\n"
    "// check: n=1, m=1; n=2, m=3; n=3, m=33; n=33, m=2; n=5, m=300; n=70, m=65\n"
)
EMPTY = HEAD.replace("n=1, m=1;", "n=0, m=0; n=0, m=3; n=3, m=0; n=1, m=1;")
ROW = "for (int d = 0; d < n; d++)"
COLUMN = "for (int w = 0; w < m; w++)"
OTHER = "for (int x = 0; x < m; x++)"
TURN = "y[w] = 0.5f * y[w] + a[d * m + w];"
INSIDE = {
    "around": (f"{ROW} if (used[d]) {COLUMN} {TURN}", {"w"}),
    "continue": (f"{ROW} {{ if (!used[d]) continue; {COLUMN} bits[w] ^= used[d] + w; }}", {"w"}),
    "two conditions": (f"{ROW} {{ if (used[d] == 0) continue; if (a[d] < 0.0f) continue; {COLUMN} {TURN} }}", {"w"}),
    "two in one": (f"{ROW} if (d > 0 && used[d - 1] != 1) {COLUMN} {TURN}", {"w"}),
    "a scalar before": (
        f"{ROW} {{ const int f = used[d]; if (f == 0) continue; {COLUMN} y[w] = f * y[w] + 1; }}",
        {"w"},
    ),
    "a scalar inside": (f"{ROW} if (used[d]) {{ const float f = a[d * m]; {COLUMN} y[w] = f - y[w]; }}", {"w"}),
    "scalars before, between and inside": (
        f"{ROW} {{ const int f = used[d]; if (f == 0) continue; const float g = f * a[d]; if (g > 0.5f) continue;"
        f" const float h = g + f; {COLUMN} if (a[d * m + w] != 0) y[w] = h * y[w] + g; }}",
        {"w"},
    ),
    "a pointer behind it": (
        f"{ROW} {{ if (used[d] == 1) continue; const float* in = a + d * m; {COLUMN} if (in[w] > 0) y[w] = in[w] - y[w]; }}",
        {"w"},
    ),
    "two loops": (f"{ROW} if (used[d]) {{ {COLUMN} {TURN} {OTHER} b[d * m + x] = y[m - 1 - x]; }}", {"w", "x"}),
    "both ways": (f"{ROW} if (used[d]) {COLUMN} {TURN} else {OTHER} y[x] = y[x] * 0.25f - d;", {"w", "x"}),
    "a statement beside": (f"{ROW} if (used[d]) {{ {COLUMN} {TURN} y[m] += 1; }}", {"w"}),
    "two loops deep": (
        f"{ROW} if (used[d]) for (int k = 0; k < n; k++) {COLUMN} y[w] = 0.5f * y[w] + a[k * m + w];",
        {"w"},
    ),
    "rows that have threads": (f"{ROW} if (used[d]) {COLUMN} b[d * m + w] = a[d * m + w] + 1;", {"d", "w"}),
    "no loop around": (f"if (used[0]) {COLUMN} y[w] += 1;", {"w"}),
    "bounds of parameters and outer loops": (
        f"{ROW} if (used[d]) for (int w = std::min(d, m); w < std::max(m, 3) + n - 3 && w < m; w++) {TURN}",
        {"w"},
    ),
    "a sum that one condition is around": (f"if (used[0]) {COLUMN} y[0] += a[w];", {"w"}),
}
STAYS = {
    "a bound that the condition protects": f"{ROW} if (used[d] > 0) for (int w = row[d]; w < m; w++) {TURN}",
    "a bound that reads behind the condition": f"{ROW} if (used[d]) for (int w = 0; w < row[d + 1]; w++) {TURN}",
    "a division": f"{ROW} if (used[d]) for (int w = 0; w < m / used[d]; w++) {TURN}",
    "a division by a size": f"{ROW} if (used[d]) for (int w = 0; w < m / k; w++) {TURN}",
    "a difference without a sign": f"{ROW} if (used[d]) for (unsigned w = 0; w < u - 1; w++) {TURN}",
    "a bound that changes": f"int e = m; {ROW} {{ if (used[d]) for (int w = 0; w < e; w++) {TURN} e = m - used[d]; }}",
    "its array changes": f"{ROW} if (used[d]) {COLUMN} used[w % n] = d;",
    "its array changes beside it": f"{ROW} if (used[d]) {{ {COLUMN} {TURN} used[d] = 0; }}",
    "its scalar changes": f"float s = 1; {ROW} if (s > 0) {COLUMN} {{ {TURN} s -= y[w]; }}",
    "a break": f"{ROW} if (used[d]) {COLUMN} {{ if (a[w] > 0.5f) break; {TURN} }}",
    "a local for both": f"{ROW} if (used[d]) {{ const float s = a[d]; {COLUMN} y[w] = y[w] * s; {OTHER} y[x] -= s * y[x]; }}",
    "a local that changes": f"{ROW} if (used[d]) {{ float s = a[d]; {COLUMN} {{ s = s * y[w]; y[w] = s; }} }}",
    "no threads by it": f"{ROW} if (used[d]) for (int w = 1; w < m; w++) y[w] = y[w - 1] + a[w];",
}
AS_IT_WAS = {
    "a whole sum": f"{ROW} if (used[d]) {COLUMN} y[0] += a[d * m + w];",
    "a sum a row": f"{ROW} if (used[d]) {COLUMN} y[d] += a[d * m + w];",
    "few turns in a thread": f"{ROW} if (used[d]) for (int w = 0; w < 2 && w < m; w++) b[d * m + w] = a[d * m + w];",
    "an affine condition": f"{ROW} if (d > 2) {COLUMN} {TURN}",
}


def task_of(make_task, body: str, head: str = HEAD):
    parameters = (
        "int n, int m, int k, unsigned u, int* used, const int* row, const float* a, float* b, float* y, int* bits"
    )
    return make_task(f"#include <algorithm>\n{head}void f({parameters}) {{\n{body}\n}}", "f")


def threads(task) -> set[str]:
    return {
        name
        for nest in analyse(task).nests
        for name in (*nest.parallel, *(nest.reduced if nest.kind in (Kind.REDUCE, Kind.SCATTER) else ()))
    }


@pytest.mark.parametrize("name", INSIDE)
def test_conditions_around_loops_keep_none_from_being_threads(name, make_task):
    body, expected = INSIDE[name]
    assert threads(task_of(make_task, body)) == expected


@pytest.mark.parametrize("name", STAYS)
def test_what_a_condition_protects_stays_under_it(name, make_task):
    assert not threads(task_of(make_task, STAYS[name])) & {"w", "x"}


@pytest.mark.parametrize("name", [name for name in STAYS if name != "no threads by it"])
def test_such_conditions_are_not_even_tried_elsewhere(name, make_task):
    assert list(with_guards_sunk(analyse(task_of(make_task, STAYS[name])).function)) == []


def test_where_nothing_is_gained_the_program_is_as_the_source_has_it(make_task):
    *others, affine = (analyse(task_of(make_task, body)) for body in AS_IT_WAS.values())
    for analysis in others:
        assert [[*nest.parallel, *nest.reduced] for nest in analysis.nests] == [["d"]]
        assert [loop.variable for loop in analysis.nests[0].chain] == ["d"]
    assert [nest.parallel for nest in affine.nests] == [["w"]]


def test_all_of_them_are_right(make_task):
    engine = Engine()
    bodies = [body for body, _ in INSIDE.values()] + [*AS_IT_WAS.values()]
    bodies += [body for name, body in STAYS.items() if "size" not in name and "sign" not in name]
    tasks = [task_of(make_task, body, HEAD if "used[0]" in body else EMPTY) for body in bodies]
    pairs = [Pair(task, engine.text(task, steps(engine, task, []))) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].task.reference.source.text, pairs[k].source) for k, said in wrong.items()][:1]


@pytest.mark.parametrize("name", ["scalars before, between and inside", "two loops"])
def test_they_are_right_on_the_emulated_device(name, make_task, bench):
    engine, task = Engine(), task_of(make_task, INSIDE[name][0])
    assert bench.differences(task, engine.text(task, steps(engine, task, []))) == []
