"""Loops that add up into a small array: every thread has a copy of it, and what they leave is combined in a fixed order."""

import random
from collections.abc import Mapping, Sequence

import pytest

from regrapht.records.task import Contract, Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules import BY_SLUG

from ..judging import first_now, steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

HEAD = """// shape: x = 4 * n
// shape: y = n
// shape: d = n
// shape: key = n
// shape: v = 30
// shape: w = 8
// shape: count = 4
// init: key = ints(0, 4)
// check: n=0; n=1; n=31; n=1000
#include <cmath>
#include <vector>
const int order[4] = {2, 0, 3, 1};
"""
PARAMETERS = "int n, const float* x, float* y, const double* d, const int* key, float* v, double* w, short* count"


def function(body: str, head: str = HEAD, shape: str = "v") -> str:
    return f"{head}void f({PARAMETERS}) {{\n{body}\n}}\n".replace(
        "float* v", "float v[][6]" if shape == "rows" else "float* v"
    )


NORMAL = """TYPE sum[27] = {0};
for (int i = 0; i < n; ++i) {
    const float a[6] = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i] * x[4 * i + 1], 1.0f, x[4 * i + 3]};
    const float r = y[i];
    int at = 0;
    for (int j = 0; j < 6; ++j) for (int k = j; k < 6; ++k) sum[at++] += (TYPE)a[j] * a[k];
    for (int j = 0; j < 6; ++j) sum[at++] += (TYPE)a[j] * r;
}
for (int t = 0; t < 27; ++t) v[t] = (float)sum[t];"""
COPIES = {
    "normal equations in double": NORMAL.replace("TYPE", "double"),
    "normal equations in float": NORMAL.replace("TYPE", "float"),
    "moments of every turn of the launcher": """for (int turn = 0; turn < 3; ++turn) {
        double m[3] = {0.5, v[0], 0.0};
        for (int i = 0; i < n; ++i) { m[0] += y[i]; m[1] += y[i] * x[i]; if (y[i] > 0.0f) m[2] += 1.0; }
        for (int k = 0; k < 3; ++k) v[k] = 0.25f * v[k] + (float)m[k] / (n + 1);
    }""",
    "a parameter that held something": "for (int i = 0; i < n; ++i) for (int k = 0; k < 4; ++k) v[k + 1] += x[4 * i + k];",
    "a parameter of rows": "for (int i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) for (int k = 0; k <= j; ++k)"
    " v[j][k + 1] += x[4 * i + j] * x[4 * i + k];",
    "maxima and minima": """float most[4], least[4]; float total = 0.0f;
        for (int k = 0; k < 4; ++k) { most[k] = k < 3 ? -1.0f : sqrtf(-1.0f); least[k] = v[k]; }
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < 4; ++k) {
                if (x[4 * i + k] > most[k]) most[k] = x[4 * i + k];
                least[k] = fminf(least[k], x[4 * i + k]);
            }
            total += y[i];
        }
        for (int k = 0; k < 4; ++k) { v[k] = most[k]; v[k + 4] = least[k]; } v[9] = total;""",
    "an element that nothing comes to": """float most[5]; most[4] = sqrtf(-1.0f);
        for (int k = 0; k < 4; ++k) most[k] = -1.0f;
        for (int i = 0; i < n; ++i) for (int k = 0; k < 4; ++k) most[k] = fmaxf(most[k], x[4 * i + k]);
        for (int k = 0; k < 5; ++k) v[k] = most[k];""",
    "products, and a table of places": """double p[4] = {1.0, 2.0, 0.5, v[2]};
        for (int i = 0; i < n; ++i) for (int k = 0; k < 4; ++k) p[order[k]] *= 1.0 + 0.001 * x[4 * i + k];
        for (int k = 0; k < 4; ++k) w[k] = p[k];""",
    "a matrix beside a vector and a number": """double cov[3][3] = {{0}}; float mean[3] = {0}; int used = 0;
        for (int i = 0; i < n; ++i) {
            if (y[i] < -0.5f) continue;
            used++;
            for (int j = 0; j < 3; ++j) {
                mean[j] -= x[4 * i + j];
                for (int k = 0; k < 3; ++k) cov[j][k] += (double)x[4 * i + j] * x[4 * i + k];
            }
        }
        for (int j = 0; j < 3; ++j) { v[j] = mean[j] + used; for (int k = 0; k < 3; ++k) v[3 + j * 3 + k] = (float)cov[j][k]; }""",
    "two loops over points": "double m[2] = {0}; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j)"
    " { m[0] += y[i] * y[j]; m[1] += x[j]; } w[0] = m[0]; w[1] = m[1];",
    "whole numbers without atomics": "for (int i = 0; i < n; ++i) for (int k = 0; k < 4; ++k) count[k] += key[i] + k;",
    "a vector": "std::vector<float> m(4); for (int i = 0; i < n; ++i) { y[i] += 1; m[0] += y[i]; m[3] += d[i]; }"
    " for (int k = 0; k < 4; ++k) v[k] = m[k];",
    "a short loop between two long ones": "for (int i = 0; i < n; ++i) for (int j = 0; j < 3; ++j) for (int k = j; k < i + j && k < n; ++k)"
    " { w[j] += 0.01 * d[k] * y[i]; w[7] += 0.001 * d[k]; }",
    "under a condition, with a counter of its own": """double s[4] = {0};
        for (int i = 0; i < n; ++i) {
            if (y[i] < 0.0f) continue;
            int at = n % 2;
            for (int k = 0; k < 3; ++k) { if (x[4 * i + k] < 0.5f) s[at] += x[4 * i + k]; at++; }
        }
        for (int k = 0; k < 4; ++k) w[k] = s[k];""",
    "a matrix of which few threads would have a row each": """double a[100] = {}, b[10] = {};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < 10; ++j) {
                for (int k = 0; k < 10; ++k) a[j * 10 + k] += (double)x[4 * i + j % 4] * x[4 * i + k % 4];
                b[j] += (double)x[4 * i + j % 4] * y[i];
            }
        for (int j = 0; j < 10; ++j) { v[j] = (float)b[j]; v[10 + j] = (float)(a[11 * j] + a[99 - j]); }""",
    "long loops inside of short ones": """for (int j = 0; j < 4; ++j) for (int k = j; k < 4; ++k) for (int i = j; i < n - k; ++i)
        v[4 * j + k] += x[4 * i + j] * x[4 * i + k];""",
    "many sums in a row": "double s[200] = {0};"
    " for (int i = 0; i < n; ++i) for (int k = 0; k < 50; ++k) { s[4 * k] += y[i]; s[3] += d[i]; }"
    " for (int k = 0; k < 30; ++k) v[k] = (float)(s[4 * k] + s[3]);",
    "points written beside the sums": """for (int i = 0; i < n; ++i) for (int j = 0; j < 1; ++j)
        { y[i] = 0.5f * y[i] + j; for (int k = 0; k < 4; ++k) w[4 * j + k] += x[4 * i + k] * y[i]; }""",
    "backwards": "for (int i = n - 1; i >= 0; --i) { w[0] += d[i]; w[7] += d[i] * d[i]; }",
}
TREE, SHUFFLE = ["block_reduction"], ["warp_shuffle_reduction"]
CHAINS = [[], TREE, SHUFFLE, [*TREE, "two_stage_reduction"], [*SHUFFLE, "two_stage_reduction", "loop_unrolling"]]
LOOP = "double s[4] = {0}; for (int i = 0; i < n; ++i) { BODY } for (int k = 0; k < 4; ++k) v[k] = (float)s[k];"


BESIDE = {
    "statements beside it": f"float before = v[0]; v[3] = before; {COPIES['backwards']} v[1] = (float)w[0] + before;"
}
FIRST = [
    "normal equations in double",
    "moments of every turn of the launcher",
    "an element that nothing comes to",
    "a matrix beside a vector and a number",
    "statements beside it",
    "a matrix of which few threads would have a row each",
]


def task_of(name: str, make_task) -> Task:
    shape = "rows" if name == "a parameter of rows" else "v"
    return make_task(function({**COPIES, **BESIDE}[name], shape=shape), "f")


def reduced(engine: Engine, task: Task) -> list[dict[str, int]]:
    return [nest.copies for nest in engine.analysis(task).nests if nest.kind is Kind.REDUCE]


@pytest.mark.parametrize("name", COPIES)
def test_threads_have_copies(name, make_task) -> None:
    engine, task = Engine(), task_of(name, make_task)
    assert any(reduced(engine, task))
    assert "in one thread" not in engine.text(task, steps(engine, task, []))


def test_the_results_are_those_of_the_source(make_task) -> None:
    """Some of them under a way each to combine; all of them under all in the long suite."""
    assert_right({name: [CHAINS[number % len(CHAINS)]] for number, name in enumerate(FIRST)}, make_task)


@pytest.mark.slow
def test_every_way_to_combine(make_task) -> None:
    assert_right(dict.fromkeys([*COPIES, *BESIDE], CHAINS), make_task)


def assert_right(wanted: Mapping[str, Sequence[Sequence[str]]], make_task) -> None:
    engine, pairs, told = Engine(), [], []
    for name, chains in wanted.items():
        task = task_of(name, make_task)
        for chain in chains:
            pairs.append(Pair(task, engine.text(task, steps(engine, task, chain))))
            told.append((name, chain))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((told[k], said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize("chain", first_now([CHAINS[4], CHAINS[0]], 1))
def test_no_thread_races_or_leaves_the_arrays(chain, make_task, bench) -> None:
    task, engine = task_of("a matrix beside a vector and a number", make_task), Engine()
    source = engine.text(task, steps(engine, task, chain))
    assert bench.differences(task, source) == [], source


def test_the_finish_has_a_thread_or_a_block_for_each_element(make_task) -> None:
    engine, task = Engine(), task_of("normal equations in double", make_task)
    assert "finish<<<1, 27>>>" in engine.text(task, steps(engine, task, []))
    assert "finish<<<27, 256>>>" in engine.text(task, steps(engine, task, CHAINS[3]))


@pytest.mark.parametrize(
    "body",
    [
        "s[key[i]] += y[i];",
        "s[i % 4] += y[i];",
        "int at = 0; if (y[i] > 0.0f) at = 2; s[at] += y[i]; s[3] += 1.0;",
        "int at = 0; for (int k = 0; k < key[i]; ++k) at++; s[at] += y[i]; s[0] += 1.0;",
        "int at = 0; for (int k = 0; k < 4; ++k) { if (x[4 * i + k] > 0.0f) break; at = k; } s[at] += y[i];",
    ],
)
def test_places_that_data_or_the_turn_choose_stay_refused(body, make_task) -> None:
    engine, task = Engine(), make_task(function(LOOP.replace("BODY", body)), "f")
    assert not any(reduced(engine, task))
    assert "atomic updates of 's' at line" in engine.text(task, steps(engine, task, []))


@pytest.mark.parametrize(
    "body",
    [
        "s[0] += y[i]; s[1] *= 1.5;  s[0] *= y[i];",  # two operators at one place
        "s[0] += y[i]; s[1] += s[0];",  # a running value is read
        "s[0] += y[i]; s[1] += s[2];",  # an element is read
        "s[0] += y[i]; s[1] = y[i];",
        "s[0] += y[i]; s[1] += 1.0; y[i] = y[i > 0 ? i - 1 : 0];",  # turns that need their order for something else
    ],
)
def test_what_is_no_sum_alone_stays_in_order(body, make_task) -> None:
    engine, task = Engine(), make_task(function(LOOP.replace("BODY", body)), "f")
    assert not any(reduced(engine, task))


def test_what_stays_as_it_was(make_task) -> None:
    long = "double s[257] = {0}; for (int i = 0; i < n; ++i) { s[0] += y[i]; s[256] += 1.0; } v[0] = s[0] + s[256];"
    of_unknown_length = "for (int i = 0; i < n; ++i) { y[0] += d[i]; y[1] += 1.0f; }"
    whole_numbers = "int s[4] = {0}; for (int i = 0; i < n; ++i) { s[0] += key[i]; s[1] += 1; } v[0] = s[0] + s[1];"
    few_turns = "double s[4] = {0}; for (int i = 0; i < 40; ++i) { s[0] += w[i % 8]; s[1] += 1.0; } v[0] = s[0] + s[1];"
    for body in (long, of_unknown_length, whole_numbers, few_turns):
        engine, task = Engine(), make_task(function(body), "f")
        assert not any(reduced(engine, task)), body


FEW_THREADS = "double s[300] = {0}; for (int i = 0; i < n; ++i) for (int j = 0; j < 25; ++j) BODY v[0] = s[0] + s[24];"


def test_few_threads_with_long_sums_give_way_to_copies(make_task) -> None:
    assert reduced(
        Engine(), make_task(function(FEW_THREADS.replace("300", "256").replace("BODY", "s[j] += y[i];")), "f")
    )


@pytest.mark.parametrize(
    "body",
    [
        FEW_THREADS.replace("BODY", "s[j] += y[i];"),  # copies of more elements
        FEW_THREADS.replace("300", "30").replace("BODY", "s[j] = 0.5 * s[j] + y[i];"),  # no sum
        FEW_THREADS.replace("300", "30").replace(
            "BODY", "{ s[j] += y[i]; if (s[j] > 9.0) v[j] += 1.0f; }"
        ),  # running values
        FEW_THREADS.replace("300", "30").replace(
            "BODY", "{ s[j] += y[i]; y[i] = y[i > 0 ? i - 1 : 0]; }"
        ),  # turns in order
        FEW_THREADS.replace("300", "30").replace("i < n", "i < 160").replace("BODY", "s[j] += w[i % 8];"),  # short sums
        FEW_THREADS.replace("300", "30").replace("BODY", "s[(j + i) % 25] += y[i];"),  # places that the turn chooses
        "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) y[j] += d[i];",  # many threads
        "float s[300] = {0}; for (int i = 0; i < n; ++i) for (int j = 0; j < 300; ++j) s[j] += y[i]; v[0] = s[9];",
    ],
)
def test_few_threads_that_stay(body, make_task) -> None:
    assert not any(reduced(Engine(), make_task(function(body), "f")))


def test_whole_numbers_in_few_threads(make_task) -> None:
    """A loop of its own over them has atomics instead."""
    sums = "int s[4] = {0}; for (int i = 0; i < n; ++i) LOOP v[0] = s[0] + s[3];"
    by_threads = sums.replace("LOOP", "for (int j = 0; j < 4; ++j) s[j] += key[i] + j;")
    assert any(reduced(Engine(), make_task(function(by_threads), "f")))
    by_atomics = sums.replace("LOOP", "{ s[0] += key[i]; s[3] += 1; }")
    assert not any(reduced(Engine(), make_task(function(by_atomics), "f")))


def test_few_threads_stay_where_parts_have_no_room(make_task) -> None:
    text = function("for (int i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) v[j] += x[4 * i + j];")
    (nest,) = Engine().analysis(make_task(text, "f")).nests
    assert nest.copies
    (nest,) = Engine().analysis(make_task(text, "f", contract=Contract(may_allocate=False))).nests
    assert nest.parallel == ["j"]


@pytest.mark.parametrize(
    ("slug", "chain", "why"),
    [
        ("two_stage_reduction", [], "too many"),
        ("atomic_reduction", [], "reduces to an array"),
        ("vectorised_access", [], "copies of an array"),
        ("kernel_fusion", [], "reduces to an array"),
        ("thread_coarsening", [], ""),
    ],
)
def test_rules_that_refuse(slug, chain, why, make_task) -> None:
    head = HEAD + "// nondeterministic\n"
    body = COPIES["backwards"] + " for (int i = 0; i < n; ++i) w[0] += d[i];"
    engine, task = Engine(), make_task(function(body, head), "f")
    program = engine.program(task, steps(engine, task, chain))
    nest = next(one for one in program.nests if one.copies)
    setting = BY_SLUG[slug].settings()[0]
    reason = BY_SLUG[slug].reason_against(program, nest, setting)
    assert reason is not None
    assert why in reason


@pytest.mark.slow
def test_random_sums_into_small_arrays(make_task) -> None:
    def draw(chance: random.Random) -> Task:
        return make_task(function(_body(chance)), "f")

    require_right(draw, seed_from="REGRAPHT_COPIES_SEED", is_parallel=lambda nests: any(nest.copies for nest in nests))


def _body(chance: random.Random) -> str:
    """Loops that update small arrays, most of them at places that are the same in every turn."""
    lines = ["double s[6] = {0.5, 1.0, v[0], -1.0, 0.25, 2.0}; float t[2][3] = {{0}}; float u = 0.0f;"]
    for number in range(chance.randint(1, 2)):
        lines += _loop(chance, f"i{number}")
    lines += ["for (int k = 0; k < 6; ++k) v[k] = (float)s[k];", "v[6] = t[0][1] + t[1][2]; v[7] = t[1][0] + u;"]
    if chance.random() < 0.3:
        lines = ["for (int turn = 0; turn < 2; ++turn) {", *lines, "}"]
    return "\n".join(lines)


def _loop(chance: random.Random, i: str) -> list[str]:
    value = chance.choice([f"y[{i}]", f"d[{i}]", f"x[4 * {i} + 1] * y[{i}]", f"(float)key[{i}]"])
    step = chance.choice(["{} += {};", "{} += {};", "{} -= {};", "if ({1} > {0}) {0} = {1};", "{0} = fmin({0}, {1});"])
    own = chance.choice(["s[0]", "s[5]", "s[n % 6]", f"s[key[{i}]]", f"s[{i} % 6]"])
    fixed = chance.choice(["s[1]", "s[4]"])
    lines = [step.format(fixed, value)]
    if chance.random() < 0.3:  # a thread an element, but for the copies
        long = f"for (int {i} = {chance.choice(['0', 'j'])}; {i} < n; ++{i})"
        short = f"for (int j = 0; j < {chance.choice(['2', '3', '6'])}; ++j)"
        loops = f"{short} {long}" if "j" in long or chance.random() < 0.5 else f"{long} {short}"
        others = [
            "s[j] += d[IN] * j;",
            "s[5 - j] -= y[IN];",
            "if (y[IN] > s[j]) s[j] = y[IN];",
            "s[key[IN]] += j;",
            "s[j] += s[0];",
        ]
        return [f"{loops} {{ {' '.join(chance.sample(others, chance.choice([1, 1, 2])))} }}".replace("IN", i)]
    if chance.random() < 0.6:
        lines.append(step.format(own if chance.random() < 0.5 else "s[2]", f"0.5f * {value}"))
    if chance.random() < 0.5:
        lines.append(f"for (int k = 0; k < {chance.choice(['3', '2'])}; ++k) s[k] += 0.1f * x[4 * {i} + k];")
    if chance.random() < 0.4:
        lines.append(f"for (int j = 0; j < 2; ++j) for (int k = j; k < 3; ++k) t[j][k] += x[4 * {i} + j] * {value};")
    if chance.random() < 0.4:
        lines.append(
            f"int at{i} = 0; for (int k = 0; k < 3; ++k) {{ s[at{i}] += 0.25f * y[{i}]; at{i} += {chance.randint(1, 2)}; }}"
        )
    if chance.random() < 0.3:
        lines.append(chance.choice([f"u += {value};", f"u = u > y[{i}] ? u : y[{i}];", f"v[20] += s[1] * y[{i}];"]))
    chance.shuffle(lines)
    if chance.random() < 0.3:
        lines = [f"if (y[{i}] > -0.25f) {{", *lines, "}"]
    return [f"for (int {i} = {chance.choice(['0', '0', '1'])}; {i} < n; ++{i}) {{", *lines, "}"]
