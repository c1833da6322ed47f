"""Loops whose turns write segments between offsets in memory: threads where the offsets rise, the source's order where they do not."""

import os
import random
import re
from dataclasses import replace

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.task import Contract
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.explanation import run_time_test
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native.native_bench import Pair, native_differences, warnings
from ..native_random import require_right
from ..random_programs import random_decisions

SEED = "REGRAPHT_RISING_OFFSETS"
HEAD = """// shape: first = n + 1
// shape: w = m
// shape: x = m
// shape: y = n
// shape: k = m
// init: k = ints(0, m)
// check: n=0,m=1; n=1,m=9; n=2,m=3; n=3,m=40; n=33,m=70; n=300,m=600; n=7,m=2000
#include <cmath>
#include <cstdint>
"""
NAMES = "int n, int m, const int* first, const int* k, const float* x, float* y, float* w"
FALLING, RISING = "// init: first = ints(0, m)\n", "// init: first = rising(0, m)\n"
SEGMENT = "for (int e = first[v]; e < first[v + 1]; ++e)"
CASES = {
    "an element of its own": f"for (int v = 0; v < n; ++v) {SEGMENT} w[e] = 0.5f * w[e] + x[k[e]] * v;",
    "a softmax": f"""for (int v = 0; v < n; ++v) {{
        float most = -1e30f;
        {SEGMENT} {{ w[e] = 2.0f * x[e] + 0.1f * w[e]; if (w[e] > most) most = w[e]; }}
        float sum = 0;
        {SEGMENT} {{ w[e] = std::exp(w[e] - most); sum += w[e]; }}
        {SEGMENT} w[e] /= sum;
        y[v] = most;
    }}""",
    "a softmax with scores beside": f"""for (int v = 0; v < n; ++v) {{
        float most = -1e30f, sum = 0;
        {SEGMENT} most = std::fmax(most, w[e]);
        {SEGMENT} sum += std::exp(w[e] - most);
        {SEGMENT} w[e] = std::exp(w[e] - most) / sum;
    }}""",
    "bounds in locals": """for (int v = 0; v < n; ++v) {
        const int begin = first[v], end = first[v + 1];
        for (int e = begin; e < end; ++e) w[e] = w[e] * 0.5f + v;
    }
    for (int v = 0; v < n; ++v) {
        const int64_t begin = first[v], end = first[v + 1];
        for (int64_t e = begin; e < end; ++e) w[e] = w[e] * 0.5f - v;
    }""",
    "a wider counter": """for (int v = 0; v < n; ++v)
        for (std::size_t e = (std::size_t)first[v]; e < (std::size_t)first[v + 1]; ++e) w[e] = w[e] * 0.5f + v;""",
    "segments from the second on": """for (int v = 1; v < n; ++v)
        for (int e = first[v]; first[v + 1] > e && e < m; e++) { if (x[e] > 0.3f) continue; w[e] = w[e] * 0.5f + v; }""",
    "segments backwards, by the one before": """for (int v = n; v > 0; --v)
        for (int e = first[v - 1]; e < first[v]; ++e) w[e] = w[e] * 0.5f + v;""",
    "two arrays and an early end": f"""for (int v = 0; v < n; ++v) {{
        int found = 0;
        {SEGMENT} {{ if (x[e] > 0.8f) break; w[e] = w[e] * 0.5f + found; found = found + k[e] % 3; }}
        y[v] = y[v] + found;
    }}""",
    "in a loop of the launcher": f"""for (int t = 0; t < 3; ++t) {{
        for (int v = 0; v < n; ++v) {SEGMENT} w[e] = w[e] * 0.5f + t + v;
        for (int v = 0; v < n; ++v) y[v] = 0.5f * y[v] + 0.1f * w[(v * 7) % m];
    }}""",
    "a sum into each element": f"""for (int v = 0; v < n; ++v)
        for (int j = 0; j < 4; ++j)
            {SEGMENT} w[e] += 0.25f * x[e] * j;""",
    "under a condition of the data": f"for (int v = 0; v < n; ++v) if (y[v] > 0.0f) {SEGMENT} w[e] = 0.5f * w[e] + v;",
}


def text_of(body: str, order: str, names: str = NAMES) -> str:
    return f"{order}{HEAD}void f({names}) {{\n    {body}\n}}\n"


FEW_FALLS = text_of(CASES["an element of its own"], FALLING).replace(
    "n=300,m=600", "n=2,m=4; n=2,m=5; n=3,m=6; n=4,m=7"
)
FEW_FALLS = FEW_FALLS.replace("ints(0, m)\n", "ints(0, 2)\n", 1)
WITH_SIZES = text_of(
    f"""for (int v = 0; v < n; ++v) {{
        for (int j = 0; j < 3; ++j) y[v * ld + j] = 0.5f * y[v * ld + j] + v + j;
        {SEGMENT} w[e] = 0.5f * w[e] + v;
    }}""",
    FALLING,
    NAMES.replace("int m, ", "int m, int ld, "),
).replace("y = n", "y = n * ld + 3")
WITH_SIZES = re.sub(r"// check: .*", "// check: n=0,m=1,ld=3; n=3,m=40,ld=3; n=33,m=70,ld=4; n=9,m=30,ld=1", WITH_SIZES)


def seed() -> int:
    found = int(os.environ.get(SEED, random.randrange(2**32)))
    print(f"seed {found} ({SEED})")
    return found


@pytest.fixture
def sandbox():
    try:
        return choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


@pytest.mark.parametrize("name", CASES)
def test_turns_are_threads_where_offsets_rise(name, make_task):
    analysis = analyse(make_task(text_of(CASES[name], RISING), "f"))
    assert analysis.guard is not None and analysis.guard.rising == ("first",) and not analysis.guard.conditions
    assert all(nest.kind is Kind.MAP for nest in analysis.nests)
    assert any(nest.kind is Kind.SERIAL for nest in analysis.guard.otherwise.nests)


def always_threads(source: str) -> str:
    """A program that does not test its offsets."""
    changed = source.replace("if (rise_int(first, 0, n)) {", "if (true) {")
    assert changed != source
    return changed


def test_results_are_right_whether_offsets_rise_or_not(make_task, sandbox):
    """They are wrong without the test, which shows that the segments do overlap here."""
    engine, pairs = Engine(), []
    for text in [*(text_of(body, FALLING) for body in CASES.values()), FEW_FALLS, WITH_SIZES]:
        for order in (FALLING, RISING):
            task = make_task(text.replace(FALLING, order), "f")
            pairs.append(Pair(task, engine.text(task, steps(engine, task, []))))
    pairs += [replace(pairs[0], source=always_threads(pairs[0].source))]
    faults = native_differences(pairs, sandbox)
    wrong = [f"{said[:2]}\n{pairs[number].source}" for number, said in faults.items() if number < len(pairs) - 1]
    assert not wrong, wrong[0]
    assert len(pairs) - 1 in faults


@pytest.mark.slow
def test_results_are_right_under_other_decisions(make_task, sandbox):
    chance, engine, pairs = random.Random(seed()), Engine(), []
    for body in CASES.values():
        for order in (FALLING, RISING):
            task = make_task(text_of(body, order), "f")
            pairs += [Pair(task, engine.text(task, random_decisions(engine, task, chance))) for _ in range(8)]
    faults = native_differences(pairs, sandbox)
    assert not faults, next(f"{said[:2]}\n{pairs[number].source}" for number, said in faults.items())
    said = warnings([pair.source for pair in pairs[::16]], sandbox)
    assert not said, said


@pytest.mark.parametrize("order", [FALLING, RISING], ids=["falling", "rising"])
@pytest.mark.parametrize(
    "name",
    [name if name == "a softmax" else pytest.param(name, marks=pytest.mark.slow) for name in CASES],
)
def test_the_emulator_agrees(name, order, make_task, bench):
    task = make_task(text_of(CASES[name], order), "f")
    assert bench.differences(task, TransformProposer().plain(task).source) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_emulator_agrees_under_other_decisions(name, make_task, bench):
    chance, engine = random.Random(f"{seed()}{name}"), Engine()
    for order in (FALLING, RISING, RISING, RISING):
        task = make_task(text_of(CASES[name], order), "f")
        source = engine.text(task, random_decisions(engine, task, chance))
        assert bench.differences(task, source) == [], source


REFUSED = {
    "read at other places": f"for (int v = 0; v < n; ++v) {SEGMENT} w[e] = 0.5f * w[m - 1 - e] + v;",
    "read at the next place": f"for (int v = 0; v < n; ++v) {SEGMENT} w[e] = 0.5f * w[e + 1] + v;",
    "written at the next place": f"for (int v = 0; v < n; ++v) {SEGMENT} w[e + 1] = v;",
    "the next one's segment, too": """for (int v = 0; v < n - 1; ++v) {
        for (int e = first[v]; e < first[v + 1]; ++e) w[e] = 0.5f * w[e] + v;
        for (int e = first[v + 1]; e < first[v + 2]; ++e) w[e] = 0.5f * w[e] - v;
    }""",
    "two segments long": "for (int v = 0; v < n - 1; ++v) for (int e = first[v]; e < first[v + 2]; ++e) w[e] = 0.5f * w[e] + v;",
    "another end": "for (int v = 0; v < n; ++v) for (int e = first[v]; e < first[n]; ++e) w[e] = 0.5f * w[e] + v;",
    "the last one, too": "for (int v = 0; v < n; ++v) for (int e = first[v]; e <= first[v + 1] && e < m; ++e) w[e] = 0.5f * w[e] + v;",
    "an end that is met": "for (int v = 0; v < n; ++v) for (int e = first[v]; e != first[v + 1] && e < m; ++e) w[e] = 0.5f * w[e] + v;",
    "one end or the other": "for (int v = 0; v < n; ++v) for (int e = first[v]; e < first[v + 1] || e < m; ++e) w[e] = 0.5f * w[e] + v;",
    "a counter that moves": f"for (int v = 0; v < n; ++v) {SEGMENT} {{ w[e] = 0.5f * w[e] + v; if (x[e] > 0) e = e - k[e] % 2 + 1; }}",
    "a sum of all turns": f"float s = 0; for (int v = 0; v < n; ++v) {SEGMENT} {{ s = 0.5f * s + x[e]; w[e] = s; }}",
    "places of the offsets by data": "for (int v = 0; v < n; ++v) for (int e = first[k[v]]; e < first[k[v] + 1]; ++e) w[e] = 0.5f * w[e];",
    "in each turn all of it": f"for (int v = 0; v < n; ++v) {SEGMENT} {{ w[e] = 0.5f * w[e] + v; w[0] = v; }}",
}
GONE = {
    "offsets that change": (
        f"first[0] = 0; for (int v = 0; v < n; ++v) {SEGMENT} w[e] = 0.5f * w[e] + v;",
        NAMES.replace("const int* first", "int* first"),
    ),
    "offsets that turns change": (
        f"for (int v = 0; v < n; ++v) {SEGMENT} {{ w[e] = 0.5f * w[e] + v; if (x[e] > 0.9f) first[v] = e; }}",
        NAMES.replace("const int* first", "int* first"),
    ),
    "a narrower counter": (
        "for (int v = 0; v < n; ++v) for (int e = first[v]; e < first[v + 1]; ++e) w[e] = 0.5f * w[e] + v;",
        NAMES.replace("const int* first", "const long* first"),
    ),
    "a narrower local": (
        "for (int v = 0; v < n; ++v) { int from = first[v]; for (long e = from; e < first[v + 1]; ++e) w[e] = 0.5f * w[e] + v; }",
        NAMES.replace("const int* first", "const long* first"),
    ),
    "another sign on the way": (
        "for (int v = 0; v < n; ++v) for (long e = first[v]; e < (unsigned)first[v + 1]; ++e) w[e] = 0.5f * w[e] + v;",
        NAMES,
    ),
}


@pytest.mark.parametrize("name", [*REFUSED, *GONE])
def test_loops_that_are_no_segments_of_their_own_stay_as_they_are(name, make_task):
    body, names = GONE.get(name) or (REFUSED[name], NAMES)
    analysis = analyse(make_task(text_of(body, RISING, names), "f"))
    assert analysis.guard is None
    assert any(nest.kind is Kind.SERIAL for nest in analysis.nests) or not analysis.nests


def test_offsets_that_the_source_may_not_read_are_tested_only_inside_of_the_array(make_task):
    text = text_of(CASES["under a condition of the data"], RISING)
    assert analyse(make_task(text, "f")).guard is not None
    assert analyse(make_task(text.replace("first = n + 1", "first = n"), "f")).guard is None
    always = text_of(CASES["an element of its own"], RISING).replace("first = n + 1", "first = m")
    assert analyse(make_task(always, "f")).guard is not None


def test_a_task_that_allows_no_memory_has_no_test(make_task):
    text = text_of(CASES["a softmax"], RISING)
    assert analyse(make_task(text, "f", contract=Contract(may_allocate=False))).guard is None


def test_loops_that_have_threads_anyway_are_not_asked(make_task):
    body = f"for (int v = 0; v < n; ++v) {{ float s = 0; {SEGMENT} s += x[e]; y[v] = s; }}"
    assert analyse(make_task(text_of(body, RISING), "f")).guard is None


def test_offsets_and_sizes_are_tested_together(make_task):
    task = make_task(WITH_SIZES, "f")
    guard = analyse(task).guard
    assert guard.rising == ("first",) and len(guard.conditions) == 1
    assert "if (ld >= 3 && rise_int(first, 0, n)) {" in TransformProposer().plain(task).source


def test_the_condition_is_named(make_task):
    task = make_task(text_of(CASES["a softmax"], RISING), "f")
    engine = Engine()
    test = run_time_test(task, steps(engine, task, []))
    assert test.condition == "rise_int(first, 0, n)" and test.because == "offsets in 'first' rise"
    assert "right where offsets in 'first' rise." in TransformProposer().plain(task).source


def drawn(chance: random.Random) -> str:
    """Rows with loops that mostly are over a segment of their own, and offsets that mostly rise."""

    def bounds() -> tuple[str, str]:
        low = chance.choice(["first[v]"] * 6 + ["first[v - 1]", "other[v]", "other[v + 1]"])
        array, place = low[:-1].split("[")
        end = {"v": "v + 1", "v - 1": "v", "v + 1": "v + 2"}[place]
        return low, f"{array}[{end if chance.random() < 0.9 else 'n'}]"

    def segment(array: str) -> str:
        low, high = bounds()
        kind = chance.choice(["int", "int", "long", "size_t"])
        value = chance.choice(
            [f"{array}[e]", f"x[e] + {array}[e]", "x[k[e]]", "k[e]", f"{array}[k[e]]" if chance.random() < 0.2 else "s"]
        )
        write = chance.choice(
            [
                f"{array}[e] = 3 * {value} + v;",
                f"{array}[e] += {value};",
                f"s += {array}[e];",
                f"if (x[e] % 3) {array}[e] = s + {value};",
            ]
        )
        return f"for ({kind} e = {low}; e < {high}; ++e) {{ {write} }}"

    def row() -> str:
        parts = [segment(chance.choice("wwwu")) for _ in range(chance.choice((1, 2, 2, 3)))]
        if chance.random() < 0.4:
            parts.append("y[v] = s;")
        if chance.random() < 0.3:
            parts[0] = f"if ({chance.choice(['v % 2 == 0', 'y[v] > 3', 'v > 2'])}) {parts[0]}"
        low, high = chance.choice("112"), chance.choice(["n", "n", "n - 1"])
        return f"for (int v = {low}; v < {high}; ++v) {{ int s = v; {' '.join(parts)} }}"

    rows = "\n    ".join(row() for _ in range(chance.choice((1, 1, 2))))
    if chance.random() < 0.2:
        rows = f"for (int t = 0; t < 2; ++t) {{ {rows} }}"
    order = [chance.choice(["rising", "rising", "rising", "ints"]) for _ in range(2)]
    return f"""// shape: first = n + 2
// shape: other = n + 2
// shape: w = m
// shape: u = m
// shape: x = m
// shape: y = n
// shape: k = m
// init: k = ints(0, m)
// init: first = {order[0]}(0, m)
// init: other = {order[1]}(0, m)
// check: n=1,m=1; n=2,m=9; n=3,m=3; n=9,m=40; n=33,m=70; n=65,m=100
#include <cstddef>
void f(int n, int m, const int* first, const int* other, const int* k, const int* x, int* y, int* w, int* u) {{
    {rows}
}}
"""


@pytest.mark.slow
def test_random_rows_are_right(make_task):
    guarded = []

    def draw(chance: random.Random):
        task = make_task(drawn(chance), "f")
        guard = analyse(task).guard
        guarded.append(guard is not None and bool(guard.rising))
        return task

    for _ in range(4):
        require_right(draw, seed_from=SEED, is_parallel=lambda nests: any(nest.parallel for nest in nests))
    assert any(guarded)
    print(f"{sum(guarded)} of {len(guarded)} with offsets that are tested")
