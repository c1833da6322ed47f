"""Statements that one thread runs beside a reduction: its finishing kernel takes them in where that is legal, and only there."""

import random
import re

import pytest

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

HEAD = """// shape: x = n
// shape: y = n
// shape: v = 4
// check: n=0; n=1; n=33; n=1000
// nondeterministic
#include <cmath>
"""
TREE, TWO_STAGES = ["block_reduction"], ["block_reduction", "two_stage_reduction"]
CHAINS = [
    [],
    TREE,
    TWO_STAGES,
    ["two_stage_reduction"],
    ["warp_shuffle_reduction", "two_stage_reduction"],
    [*TWO_STAGES, "restrict_read_only"],
]
ONE, TWO, APART = ["partial", "finish"], ["partial", "finish"] * 2, ["scalars", "partial", "finish"]


def function(body: str, returns: str = "float") -> str:
    return f"{HEAD}{returns} f(int n, float* x, float* y, float* v) {{\n{body}\n}}\n"


SUM = "for (int i = 0; i < n; i++) sum += x[i];"
CASES = {
    "a sum": (f"float sum = 0.0f; {SUM} return sum;", ONE),
    "a root": ("float sum = 0.0f; for (int i = 0; i < n; i++) sum += x[i] * x[i]; return sqrtf(sum);", ONE),
    "a mean": (f"float sum = 0.0f; {SUM} return n > 0 ? sum / n : -1.0f;", ONE),
    "a start that is no constant": (f"float sum = v[2]; {SUM} return sum;", ONE),
    "two reductions": (
        "float least = 9.0f; for (int i = 0; i < n; i++) if (x[i] < least) least = x[i];"
        "float most = -9.0f; for (int i = 0; i < n; i++) if (x[i] > most) most = x[i]; return most - least;",
        TWO,
    ),
    "a reduction of what the statements between make": (
        f"float sum = 0.0f; {SUM} float mean = sum / (n + 1); float spread = 0.0f;"
        "for (int i = 0; i < n; i++) spread += (x[i] - mean) * (x[i] - mean); return sqrtf(spread / (n + 1));",
        TWO,
    ),
    "two scalars of one reduction": (
        "float sum = 1.0f, squares = v[0]; for (int i = 0; i < n; i++) { sum += x[i]; squares += x[i] * x[i]; }"
        "v[1] = sum; v[2] = squares - sum; return sum;",
        ONE,
    ),
    "statements under conditions, with names used twice": (
        f"if (n > 3) {{ float twice = v[0] * 2; v[0] = twice; }} v[1] = v[0]; float sum = 0.5f; {SUM}"
        "if (v[0] > sum) { float twice = v[1] + 1; v[3] = twice; } return sum;",
        ONE,
    ),
    "a loop of unknown length after it": (
        f"float sum = 0.0f; {SUM} int turns = 0; while (sum > 1.0f) {{ sum *= 0.5f; turns++; }} v[0] = turns; return sum;",
        ONE,
    ),
    "a place that an empty range does not have": (
        "v[1] = v[0]; for (int i = 0; i < n; i++) y[n - 1] += x[i]; v[2] = v[1]; return v[2];",
        ONE,
    ),
    "a maximum that starts from no number": (
        "float most = sqrtf(-1.0f); for (int i = 0; i < n; i++) most = most > x[i] ? most : x[i];"
        "float least = sqrtf(-1.0f); for (int i = 0; i < n; i++) if (x[i] < least) least = x[i];"
        "return n == 0 ? most : least;",
        TWO,
    ),
    "turns of the launcher": (
        "float sum = 0.0f; for (int t = 0; t < n / 30; t++) {"
        f"sum = 0.25f * v[0]; {SUM} v[0] = 0.5f * sum / n + 0.125f * x[t]; x[t] = v[0]; }} return sum;",
        APART,  # the first sets the sum before all turns
    ),
    "a scalar that the parts are made of": (
        "float scale = v[0]; float sum = 0.0f; for (int i = 0; i < n; i++) sum += scale * x[i]; return sum;",
        APART,
    ),
    "an element that the parts are made of": (f"if (n > 0) x[0] = 2.0f; float sum = 0.0f; {SUM} return sum;", APART),
    "an element that the kernel of the parts writes": (
        "float last = n > 0 ? y[n - 1] : 0.5f; float sum = 0.0f; for (int i = 0; i < n; i++) { y[i] = 2 * x[i]; sum += x[i]; }"
        "return sum + last + (n > 0 ? y[0] : 0.0f);",
        APART,
    ),
}
"""Bodies, with the kernels in the order of their launches after `TWO_STAGES`."""
COUNT = "int count = 0; for (int i = 0; i < n; i++) if (x[i] > 0.0f) count++; return count;"


def kernels(source: str) -> list[str]:
    return re.findall(r"f_\d+_(\w+)<<<", source)


@pytest.mark.parametrize("name", CASES)
def test_which_kernels_are_left(name, make_task) -> None:
    body, expected = CASES[name]
    task, engine = make_task(function(body), "f"), Engine()
    assert kernels(engine.text(task, steps(engine, task, TWO_STAGES))) == expected


def test_the_results_are_those_of_the_source(make_task) -> None:
    engine, pairs, told = Engine(), [], []
    for name, (body, _) in CASES.items():
        task = make_task(function(body), "f")
        for chain in CHAINS:
            pairs.append(Pair(task, engine.text(task, steps(engine, task, chain))))
            told.append((name, chain))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((told[k], said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize("name", ["two scalars of one reduction", "a place that an empty range does not have"])
def test_no_thread_races_or_leaves_the_arrays(name, make_task, bench) -> None:
    task, engine = make_task(function(CASES[name][0]), "f"), Engine()
    source = engine.text(task, steps(engine, task, [*TWO_STAGES, "restrict_read_only"]))
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ([], APART),
        (["block_size_tuning"], APART),
        (TREE, ONE),
        (["atomic_reduction"], ["scalars", "reduce"]),
        ([*TREE, "atomic_reduction"], ["scalars", "reduce"]),
    ],
)
def test_other_ways_to_finish(chain, expected, make_task) -> None:
    """The plain mapping stays as it is, and atomics need the start before any block is done."""
    task, engine = make_task(function(COUNT, "int"), "f"), Engine()
    assert kernels(engine.text(task, steps(engine, task, chain))) == expected


def test_random_statements_beside_reductions(make_task) -> None:
    def draw(chance: random.Random) -> Task:
        return make_task(function(_body(chance)), "f")

    require_right(
        draw,
        seed_from="REGRAPHT_NEIGHBOURS_SEED",
        is_parallel=lambda nests: any(nest.kind is Kind.REDUCE for nest in nests),
    )


def _body(chance: random.Random) -> str:
    """Statements and reductions by turns, over few enough places that they often meet."""
    lines = [_any(chance, number) for number in range(chance.randint(3, 7))]
    if chance.random() < 0.3:
        lines = ["for (int t = 0; t < 3; t++) {", *lines, "}"]
    return "\n".join(["float p = 0.25f, q = v[3];", *lines, "return p - q;"])


def _any(chance: random.Random, number: int) -> str:
    places = ["p", "q", "v[0]", "v[1]", "v[2]", "v[n % 4]"]
    target, value, other = (chance.choice(places) for _ in range(3))
    form = chance.random()
    if form < 0.3:
        return f"{target} = 0.5f * {value} + 0.125f * {other};"
    if form < 0.4:
        return f"if ({value} > {other}) {target} = {other}; else {other} = 0.25f;"
    if form < 0.5:
        return f"if (n > {chance.choice([0, 5])}) {chance.choice(['x', 'y'])}[0] = {value};"
    if form < 0.55:
        return f"{target} = sqrtf(fabsf({value})) - (n > 0 ? {chance.choice(['x', 'y'])}[n - 1] : 1.0f);"
    i, start, end = f"i{number}", chance.choice(["0", "0", "1"]), chance.choice(["n", "n", "n - 4"])
    term = chance.choice([f"x[{i}]", f"y[{i}] * 0.5f", f"x[{i}] * {value}", f"(x[{i}] - y[{i}])"])
    step = chance.choice([f"{target} += 0.0625f * {term};", f"if ({term} > {target}) {target} = {term};"])
    second = chance.choice(["", "", f"{other} += 0.03125f * {term};", f"y[{i}] = 0.5f * x[{i}];"])
    return f"for (int {i} = {start}; {i} < {end}; {i}++) {{ {step} {second} }}"
