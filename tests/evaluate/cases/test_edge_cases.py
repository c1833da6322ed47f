"""Answers chosen by comparing numbers: a program that compares them in less precision meets an edge on which it is wrong.

An honest one in another order does not.

The candidates are functions over numpy arrays.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.chosen_cases import edge_cases
from regrapht.evaluate.cases.edge_cases import edge_arrays
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Init
from regrapht.records.verdict import Level

N, WIDTH = 96, 8
EACH = "for (int i = 0; i < n; ++i) "
ROWS = f"for (int r = 0; r < n / {WIDTH}; ++r) "
PAIR = Init(kind="uniform", parameters={"low": -1.0, "high": 1.0})


def rows(x):
    return x.reshape(-1, WIDTH)


def squared_distances(x):
    points = x.reshape(-1, 2)
    return (points[:, None, 0] - points[None, :4, 0]) ** 2 + (points[:, None, 1] - points[None, :4, 1]) ** 2


def nearest_by_products(x):
    points = x.reshape(-1, 2)
    return np.argmin((points[:4] ** 2).sum(1)[None] - 2 * points @ points[:4].T, axis=1)


TASKS = {
    "the largest of a row": (
        f"{ROWS} {{ int b = 0; for (int j = 1; j < {WIDTH}; ++j) if (x[r * {WIDTH} + j] > x[r * {WIDTH} + b]) b = j; z[r] = b; }}",
        f"n / {WIDTH}",
        "int32",
        lambda x: np.argmax(rows(x), axis=1),
        lambda x: np.argsort(-rows(x), axis=1, kind="stable")[:, 0],
    ),
    "the smallest of all": (
        f"int b = 0; {EACH} if (x[i] < x[b]) b = i; z[0] = b;",
        "1",
        "int32",
        lambda x: np.array([np.argmin(x)]),
        lambda x: np.argsort(x, kind="stable")[:1],
    ),
    "the nearest centre": (
        "for (int i = 0; i < n / 2; ++i) { int b = 0; double least = 1e300; for (int k = 0; k < 4; ++k) {"
        " double u = x[2 * i] - x[2 * k], v = x[2 * i + 1] - x[2 * k + 1], d = u * u + v * v;"
        " if (d < least) { least = d; b = k; } } z[i] = b; }",
        "n / 2",
        "int32",
        lambda x: np.argmin(squared_distances(x), axis=1),
        nearest_by_products,
    ),
    "a mask": (
        f"{EACH} z[i] = x[i] > 0.3;",
        "n",
        "int32",
        lambda x: x > x.dtype.type(0.3),
        lambda x: x - 0.3 > 0,
    ),
    "a bin": (
        f"{EACH} z[i] = (int)((x[i] + 1) * 17);",
        "n",
        "int32",
        lambda x: ((x + x.dtype.type(1)) * x.dtype.type(17)).astype(np.int32),
        lambda x: (x * 17 + 17).astype(np.int32),
    ),
    "a histogram": (
        f"for (int k = 0; k < 34; ++k) z[k] = 0; {EACH} ++z[(int)((x[i] + 1) * 17)];",
        "34",
        "int32",
        lambda x: np.bincount(((x + x.dtype.type(1)) * x.dtype.type(17)).astype(np.int32), minlength=34)[:34],
        lambda x: np.bincount((x * 17 + 17).astype(np.int32), minlength=34)[:34],
    ),
    "how many": (
        f"int c = 0; {EACH} c += x[i] * x[i] < 0.5; z[0] = c;",
        "1",
        "int32",
        lambda x: np.array([(x * x < x.dtype.type(0.5)).sum()]),
        lambda x: np.array([(np.abs(x) < np.sqrt(0.5)).sum()]),
    ),
    "a rank": (
        f"{EACH} {{ int c = 0; for (int j = 0; j < n; ++j) c += x[j] < x[i] || (x[j] == x[i] && j < i); z[i] = c; }}",
        "n",
        "int32",
        lambda x: np.argsort(np.argsort(x, kind="stable"), kind="stable"),
        lambda x: np.argsort(np.lexsort((np.arange(len(x)), x))),
    ),
    "a step of a float output": (
        f"{EACH} z[i] = x[i] > 0.3 ? 1 + x[i] : -1;",
        "n",
        "float64",
        lambda x: np.where(x > x.dtype.type(0.3), 1 + x.astype(np.float64), -1),
        lambda x: np.where(x - 0.3 > 0, x + 1, -1),
    ),
    "sums in order": (
        f"{ROWS} {{ double s = 0; for (int j = 0; j < {WIDTH}; ++j) s += x[r * {WIDTH} + j]; z[r] = s > 0.25 ? 1 : s < 0; }}",
        f"n / {WIDTH}",
        "int32",
        lambda x: np.where(rows(x).sum(axis=1) > 0.25, 1, rows(x).sum(axis=1) < 0),
        lambda x: np.where(rows(x)[:, ::-1].sum(axis=1) > 0.25, 1, rows(x)[:, ::-1].sum(axis=1) < 0),
    ),
}
SEEDS = range(5)
TIES = ("zeros", "equal", "levels", "integers")
"""Families with ties, which another way to compute the same breaks otherwise."""


EXACT = [name for name in TASKS if TASKS[name][2] == "int32"]
KINDS = [*((name, "float64") for name in TASKS), *((name, "float32") for name in EXACT)]
LESS = {"float64": np.float32, "float32": np.float16}


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: ", ".join(kind))
def judged(request, build, sandbox):
    """What is right at every case of a task, for several draws."""
    name, of = request.param
    body, shape, dtype, same, other = TASKS[name]
    text = f"void f(int n, const double* x, {'double' if dtype == 'float64' else 'int'}* z) {{ {body} }}"
    text = text.replace("double", "float") if of == "float32" else text
    text = re.sub(r"\b(0\.\d+)", r"\1f", text).replace("1e300", "1e30f") if of == "float32" else text
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype=of, init=PAIR),
        build.array("z", shape.replace("/", "//"), "out", dtype=dtype),
    )
    task = build.task("f", text, args, ({"n": N},), length="n", require=(f"n % {WIDTH} == 0",))
    reference = CompiledReference(task, sandbox)
    drawn = []
    for seed in SEEDS:
        oracle = Oracle(task, reference, secret=seed)
        oracle.prepare()
        drawn.append((oracle, oracle.trials(oracle.cases(Level.FULL))))
    return task, drawn, same, other, LESS[of]


def wrong(task, oracle, trials, program):
    """The kinds of cases that a program is wrong at."""
    found = set()
    for trial in trials:
        case = trial.inputs.case
        answer = np.ascontiguousarray(program(trial.inputs.arrays["x"]))
        got = {"z": answer.astype(trial.expected.as_written["z"].dtype)}
        compared = compare_case(task, trial.inputs, trial.expected, got, tolerances=oracle.tolerances(case.sizes))
        if compared.status is not None:
            found.add(case.near or case.family.value)
    return found


def test_less_precision_is_wrong_and_another_order_is_right(judged):
    task, drawn, same, other, less = judged
    missed = []
    for seed, (oracle, trials) in zip(SEEDS, drawn, strict=True):
        assert wrong(task, oracle, trials, lambda x: same(x)) == set(), f"seed {seed}"
        assert wrong(task, oracle, trials, lambda x: other(x)) <= set(TIES), f"seed {seed}"
        missed += [] if wrong(task, oracle, trials, lambda x: same(x.astype(less))) else [seed]
    assert len(missed) <= (2 if less is np.float16 else 0), (
        f"less precision passes with the seeds {missed}: halves may be right by chance"
    )


def test_edges_are_where_no_less_is_allowed(build):
    def names(dtype, *allow):
        args = (
            build.size("n"),
            build.array("x", "n", "in", dtype=dtype, init=PAIR),
            build.array("z", "n", "out", dtype="int32"),
        )
        task = build.task("f", "", args, ({"n": N},))
        allowing = replace(task, tolerance=replace(task.tolerance, allow=frozenset(allow)))
        return [arg.name for arg in edge_arrays(allowing)]

    assert names("float64") == ["x"]
    assert names("float32") == ["x"], "an output is exact"
    assert names("int32") == names("float64", "half") == names("float32", "tf32") == []


@pytest.mark.parametrize(("listed", "at"), [((1, 100, 1000), 100), ((1, 8), 8), ((1000, 64), 64)])
def test_edges_are_searched_where_there_is_something_to_compare(build, listed, at):
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="float64", init=PAIR),
        build.array("z", "n", "out", dtype="int32"),
    )
    task = build.task("f", "", args, tuple({"n": n} for n in listed))
    assert [n for n in listed if edge_cases(task, {"n": n})] == [at]
