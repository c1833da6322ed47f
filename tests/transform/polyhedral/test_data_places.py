"""Rows whose places data choose: threads where the values that they may have keep them inside, the source's order where they may not."""

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.ir.expressions import Variable
from regrapht.transform.plan.nest import Kind
from regrapht.transform.polyhedral.intervals import Interval, State, converted

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right
from ..random_places import RandomPlaces

HEAD = """// shape: in = n * m
// shape: key = n * m
// shape: byte = n * m
// shape: out = n * m + 50 * n + 300
// shape: y = n
// init: in = ints(-9, 40)
// init: key = ints(0, 300)
// init: byte = ints(0, 256)
// require: m >= 1
// check: n=0,m=1; n=1,m=1; n=2,m=3; n=3,m=33; n=33,m=7
#include <algorithm>
#include <cstdint>
static int number_of(int c) { switch (c & 7) { case 0: return 0; case 3: return 1; case 5: return 7; default: return -1; } }
static int wide_number_of(int c) { if (c > 3) return c; return 0; }
"""
NAMES = "int n, int m, const int* in, const unsigned* key, const uint8_t* byte, int* out, int* y"
ROWS, TURNS = "for (int r = 0; r < n; ++r)", "for (int j = 0; j < m; ++j)"
RESET = "for (int k = 0; k < 16; ++k) out[16 * r + k] = 0;"
CLEARED = "for (int k = 0; k < 49; ++k) out[k * n + r] = k;"
VALUE = "const int v = in[r * m + j];"


def each(inner: str) -> str:
    """A loop over rows of 16 places that other values choose in each turn of an inner one."""
    return f"{ROWS} {{ {RESET} {TURNS} {{ {VALUE} {inner} }} y[r] = m; }}"


KEPT = {
    "a guard": each("if (v >= 0 && v < 16) { out[16 * r + v] = out[16 * r + v] * 3 + j; }"),
    "a guard by another name": each("if (v < 0 || v > 15) continue; const int w = v; out[16 * r + w] = j;"),
    "the element itself": each("if (in[r * m + j] >= 0 && in[r * m + j] < 16) out[16 * r + in[r * m + j]] = j;"),
    "a mask": each("out[16 * r + (v & 15)] = j;"),
    "a remainder": each("out[16 * r + key[r * m + j] % 16u] = j;"),
    "bits of a byte": each("out[16 * r + (byte[r * m + j] >> 4)] = j;"),
    "a clamp": each("out[16 * r + std::min(15, std::max(0, v))] = j;"),
    "a choice": each("out[16 * r + (v < 0 ? 0 : v > 15 ? 15 : v)] = j;"),
    "a helper's results": each("const int a = number_of(v); if (a >= 0) out[16 * r + 2 * a + 1] = j;"),
    "two of them": each("const int a = v & 3, b = byte[r * m + j] & 3; out[16 * r + 4 * a + b] = j;"),
    "a cast that keeps it": each("const uint8_t a = (uint8_t)(v & 15); out[(size_t)16 * r + a] = j;"),
    "a variable that stays": f"""{ROWS} {{ int s = 0;
        {TURNS} {{ {VALUE} if (v > 0) s = (s + (v & 63)) % 16; out[16 * r + s] = j; }} y[r] = s; }}""",
    "a bounded counter": f"""{ROWS} {{ int count = 0;
        for (int j = 0; j < m && count < 16; ++j) {{ {VALUE} if (v > 5) out[16 * r + count++] = v; }}
        y[r] = count; while (count < 16) out[16 * r + count++] = -1; }}""",
    "a walk that data end": f"""{ROWS} {{ int left = m, at = 0;
        while (left > 0 && at < 15) {{ --left; if (in[r * m + left] > 3) ++at; out[16 * r + at] = left; }} y[r] = at; }}""",
    "what is kept of a row": f"""{ROWS} {{ int count = 0;
        {TURNS} {{ {VALUE} if (v > 5) out[r * m + count++] = v; }}
        y[r] = count; for (int k = count; k < m; ++k) out[r * m + k] = -1; }}""",
    "a wide counter": f"""{ROWS} {{ size_t count = 0;
        {TURNS} {{ {VALUE} if (v > 5) out[(size_t)r * m + count++] = v; }} y[r] = (int)count; }}""",
    "a pointer to the next": f"""{ROWS} {{ int* to = out + (long)r * m;
        {TURNS} {{ {VALUE} if (v > 5) *to++ = v; }} y[r] = (int)(to - out) - r * m; }}""",
    "one more than kept": f"""{ROWS} {{ int count = 0; out[r * m] = 0;
        for (int j = 1; j < m; ++j) {{ {VALUE} if (v > 5) {{ out[r * m + count] = j; ++count; }} }}
        out[r * m + count] = m; y[r] = count; }}""",
    "a bound from the sizes": f"{ROWS} {TURNS} {{ {VALUE} if (v >= 0 && v < m) out[r * m + v] = j; }}",
    "a column of rows that data choose": f"{ROWS} {{ {CLEARED} {TURNS} {{ {VALUE} out[(v + 9) * n + r] = j; }} y[r] = m; }}",
    "a column that is read so, too": f"""{ROWS} {{ {CLEARED} {TURNS} {{ {VALUE} int old[2];
        for (int k = 0; k < 2; ++k) old[k] = out[(number_of(v + k) + 1) * n + r];
        for (int k = 0; k < 2; ++k) out[(v + 9) * n + r] += old[k] + j; }} y[r] = m; }}""",
}
"""Rows of their own, whatever the data are."""
LEFT = {
    "no guard": each("out[16 * r + v + 9] = j;"),
    "one side": each("if (v < 16) out[16 * r + v + 9] = j;"),
    "one too many": each("if (v >= 0 && v <= 16) out[16 * r + v] = j;"),
    "a guard of the value before": each(
        "int w = v; if (w >= 0 && w < 16) { w += key[r * m + j] & 1; out[16 * r + w] = j; }"
    ),
    "an element that changed": each(
        "if (out[16 * r] >= 0 && out[16 * r] < 15) { out[16 * r] = 20; out[16 * r + out[16 * r]] = j; }"
    ),
    "one or the other": each("if ((v >= 0 && v < 16) || j == 1) out[16 * r + v + 9] = j;"),
    "a comparison that wraps": each("if (key[r * m + j] - 20u < 16u) out[16 * r + key[r * m + j]] = j;"),
    "a sum that wraps": each("const uint8_t a = (uint8_t)(byte[r * m + j] + 1); if (a > 0) out[16 * r + a - 1] = j;"),
    "a cast that cuts": each("const uint8_t a = (uint8_t)v; out[16 * r + a] = j;"),
    "a signed remainder": each("out[16 * r + v % 16 + 15] = j;"),
    "a product that wraps": each("out[16 * r + ((key[r * m + j] * 2654435761u) >> 27)] = j;"),
    "a helper's argument": each("out[16 * r + wide_number_of(v)] = j;"),
    "a sum of two": each("const int a = v & 15, b = byte[r * m + j] & 15; out[16 * r + a + b] = j;"),
    "a counter of all rows": f"{{ int count = 0; {ROWS} {{ {TURNS} {{ {VALUE} if (v > 5) out[count++] = v; }} y[r] = count; }} }}",
    "two a turn": f"""{ROWS} {{ int count = 0;
        {TURNS} {{ {VALUE} if (v > 5) {{ out[r * m + count++] = v; out[r * m + count++] = j; }} }} y[r] = count; }}""",
    "one after the last": f"{ROWS} {{ int count = 1; {TURNS} {{ {VALUE} if (v > 5) out[r * m + count++] = v; }} y[r] = count; }}",
    "a counter that turns set": f"""{ROWS} {{ int count = 0;
        {TURNS} {{ {VALUE} if (v > 35) count = v; if (v > 5) out[r * m + count++] = v; }} y[r] = count; }}""",
    "a counter in an inner loop": f"""{ROWS} {{ int count = 0;
        {TURNS} {{ {VALUE} for (int k = 0; k < v; ++k) ++count; out[r * m + count % 40] = v; }} y[r] = count; }}""",
    "a counter behind the bound": f"""{ROWS} {{ {RESET} int count = 0;
        for (int j = 0; j < m && count < 16; ++j) {{ {VALUE} if (v > 5) {{ count += 1; out[16 * r + count] = v; }} }} y[r] = count; }}""",
    "twice the bound": f"""{ROWS} {{ {RESET} int count = 0;
        for (int j = 0; j < m && count < 16; ++j) {{ {VALUE} count += 2; if (v > 5) out[16 * r + count - 1] = v; }} y[r] = count; }}""",
    "a column for two": f"{ROWS} {{ {TURNS} {{ {VALUE} out[(v + 9) * n + r / 2] = j; }} y[r] = m; }}",
    "a column beside rows that are too short": f"{ROWS} {{ {TURNS} {{ {VALUE} out[(v + 9) * (n - 1) + r] = j; }} y[r] = m; }}",
    "a place in a row of rows": f"{ROWS} {{ {TURNS} {{ {VALUE} out[r * 3 + v + 9] = j; }} y[r] = m; }}",
    "a bound that moves": f"""{ROWS} {{ int end = m; {TURNS} {{ {VALUE}
        if (v >= 0 && v < end) {{ end += 2; out[r * m + v] = j; }}
        if (v >= 0 && v < end) out[r * m + v] = j; }} y[r] = end; }}""",
}
"""Rows that may meet."""


def task_with(make_task, body: str):
    return make_task(f"{HEAD}void f({NAMES}) {{\n    {body}\n}}\n", "f")


@pytest.fixture
def sandbox():
    try:
        return choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


@pytest.mark.parametrize("name", KEPT)
def test_rows_of_their_own_are_threads(name, make_task):
    (nest,) = analyse(task_with(make_task, KEPT[name])).nests
    assert nest.kind is Kind.MAP
    assert nest.parallel[0] == "r"


@pytest.mark.parametrize("name", LEFT)
def test_rows_that_may_meet_are_left(name, make_task):
    nests = analyse(task_with(make_task, LEFT[name])).nests
    assert all("r" not in nest.parallel for nest in nests)


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_results_are_right(every, make_task, sandbox):
    engine, tasks = Engine(), [task_with(make_task, body) for body in [*KEPT.values(), *LEFT.values()][::every]]
    pairs = [Pair(task, engine.text(task, steps(engine, task, []))) for task in tasks]
    faults = native_differences(pairs, sandbox)
    assert not faults, next(f"{said[:2]}\n{pairs[number].source}" for number, said in faults.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_the_emulator_agrees(name, make_task, bench):
    engine = Engine()
    task = task_with(make_task, KEPT[name])
    assert bench.differences(task, engine.text(task, steps(engine, task, []))) == []


@pytest.mark.parametrize("count", [12, pytest.param(150, marks=pytest.mark.slow)])
def test_random_places(count, make_task):
    require_right(
        lambda chance: make_task(RandomPlaces(chance).text(), "rows_by_data"),
        seed_from="REGRAPHT_PLACES_FROM",
        is_parallel=lambda nests: any("r" in nest.parallel for nest in nests),
        programs=count,
    )


def test_conversions_keep_what_a_type_holds():
    assert converted(Interval(0, 15), "unsigned char") == Interval(0, 15)
    assert converted(Interval(-1, 15), "unsigned char") == Interval(0, 255)
    assert converted(Interval(0, 200), "char") == Interval(-128, 255)


def test_what_is_known_goes_when_a_name_in_it_changes():
    state = State({"a": "int", "b": "int"}).assigned(Variable("a"), Variable("b"))
    assert state.distances["a"].base == Variable("b")
    assert not state.without({"b"}).distances
