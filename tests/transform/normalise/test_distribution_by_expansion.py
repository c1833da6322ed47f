"""Scratch of a length that is known when the function runs: turns of a loop that write it before they read it, and turns that do not."""

import os
import random

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.normalise.array_expansion import private_buffers
from regrapht.transform.normalise.distribution_by_expansion import loops_around
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices, reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..random_programs import random_decisions

HEAD = "// shape: a = n*m\n// shape: b = n*m\n// shape: t = m\n// check: n=1, m=1; n=5, m=3; n=40, m=17; n=3, m=300\n"


def program(body: str, *, scratch: str = "std::vector<float> s(m);", after: str = "") -> str:
    return (
        f"{HEAD}void f(int n, int m, const float* a, float* b, float* t) {{\n{scratch}\n"
        f"for (int i = 0; i < n; i++) {{\n{body}\n}}\n{after}\n}}"
    )


FILL = "for (int k = 0; k < m; k++) s[k] = a[i * m + k];"
REVERSED = "for (int k = 0; k < m; k++) b[i * m + k] = s[m - 1 - k];"
TOTALS = "for (int k = 0; k < m; k++) t[k] += s[k] * s[m - 1 - k];"
ONE_LAUNCH = {
    "set as a whole": FILL + REVERSED,
    "a growing part": "for (int j = 0; j < m; j++) { for (int k = 0; k < j; k++) s[k] = a[i * m + k]; float g = 1;"
    " for (int k = 0; k < j; k++) g += s[j - 1 - k]; b[i * m + j] = g; }",
    "left early": "float g = 4; for (int j = 0; j < m && g > 0.5f; j++) { for (int k = 0; k < j; k++) s[k] = a[i * m + k];"
    " for (int k = 0; k < j; k++) g -= s[j - 1 - k]; b[i * m + j] = g; }",
    "a while that counts": "float g = 4; int j = 0; while (j < m && g > 0.5f) { for (int k = 0; k < j; k++) s[k] = a[i * m + k];"
    " for (int k = 0; k < j; k++) g -= 0.1f * s[k] * s[k]; b[i * m + j] = g; ++j; }",
    "one after the other": "s[0] = a[i * m]; for (int k = 1; k < m; k++) s[k] = 0.5f * s[k - 1] + a[i * m + k];"
    + REVERSED,
    "two, one behind the other": "for (int k = 0; k < m; k++) s[k] = a[i * m + k]; for (int k = 0; k < m - 1; k++)"
    " b[i * m + k] = s[k + 1] - s[k]; b[i * m + m - 1] = s[0];",
    "in a loop of its own": f"for (int r = 0; r < 3; r++) {{ {FILL} for (int k = 0; k < m; k++) b[i * m + k] += r * s[m - 1 - k]; }}",
    "in both branches": f"if (a[i * m] > 0) {{ {FILL} {REVERSED} }} else {{ for (int k = 0; k < m; k++) s[k] = 1; {REVERSED} }}",
    "places by data": f"{FILL} for (int k = 0; k < m; k++) b[i * m + k] = s[(int)(a[i * m + k] * a[i * m + k] * 0.9f * m) % m];",
}
IN_PARTS = {
    "sums a place": FILL + TOTALS,
    "with a scalar": "float g = 0; for (int k = 0; k < m; k++) g += a[i * m + k]; for (int k = 0; k < m; k++)"
    " if (a[i * m + k] > g) t[k] += a[i * m + k] - g;",
    "with two scalars and scratch": "float g = 0; for (int k = 0; k < m; k++) { s[k] = 2 * a[i * m + k]; g += s[k]; }"
    " const float h = g / m; for (int k = 0; k < m; k++) t[k] += s[k] - h; for (int k = 0; k < m; k++) b[i * m + k] = g - s[k];",
    "a scalar of the sums alone": FILL
    + "const float twice = 2.0f * i; for (int k = 0; k < m; k++) t[k] += twice * s[k];",
}
IN_ORDER = {
    "read first": REVERSED + FILL,
    "filled in part": FILL.replace("k < m", "k < m - 1") + REVERSED,
    "only some turns": f"if (a[i * m] > 0) {{ {FILL} }} {REVERSED}",
    "bounds that change": "int j = m; for (int k = 0; k < j - 1; k++) s[k] = a[i * m + k]; j = m + 1;"
    " for (int k = 0; k < j - 1; k++) b[i * m + k] = s[k];",
    "from the turn before": "for (int k = 0; k < m; k++) { b[i * m + k] = k < m - 1 ? s[k + 1] : 0; s[k] = a[i * m + k]; }",
    "left before it is full": "for (int k = 0; k < m; k++) { if (a[i * m + k] > 0.9f) break; s[k] = a[i * m + k]; }"
    + REVERSED,
    "a part skipped": "for (int k = 0; k < m; k++) { if (a[i * m + k] > 0.9f) continue; s[k] = a[i * m + k]; }"
    + REVERSED,
    "from another row": FILL + "for (int k = 0; k < m; k++) b[i * m + k] = s[k] + (i > 0 ? b[(i - 1) * m + k] : 0);",
    "sums that are read": FILL + "for (int k = 0; k < m; k++) { t[k] += s[k]; b[i * m + k] = t[k]; }",
}
"""What makes turns wait for each other although they seem to borrow the scratch."""


def launched_once(task) -> tuple[Program, str]:
    """The program with the rule applied to the outermost loop that it takes; as it is where it has threads for its turns already."""
    engine = Engine()
    plain = steps(engine, task, [])
    found = choices(engine.program(task, plain), BY_SLUG["launch_reduction"])
    decided = (*plain, *(one.decision for one in found[-1:]))
    return engine.program(task, decided), engine.text(task, decided)


@pytest.mark.parametrize("name", ONE_LAUNCH)
def test_turns_with_scratch_of_their_own_run_side_by_side(name, make_task):
    task = make_task(program(ONE_LAUNCH[name]), "f")
    made, source = launched_once(task)
    assert [nest.parallel[:1] for nest in made.nests if nest.root.variable.startswith("i")] == [["i"]]
    assert not any(nest.host_loops for nest in made.nests), source


@pytest.mark.parametrize("name", IN_PARTS)
def test_what_turns_add_up_into_has_a_launch_of_its_own(name, make_task):
    task = make_task(program(IN_PARTS[name]), "f")
    made, source = launched_once(task)
    assert not any(nest.host_loops for nest in made.nests), source
    assert all(nest.kind is Kind.MAP for nest in made.nests), source


@pytest.mark.parametrize("name", IN_ORDER)
def test_turns_that_hand_something_on_keep_their_order(name, make_task):
    task, engine = make_task(program(IN_ORDER[name]), "f"), Engine()
    plain = engine.program(task, steps(engine, task, []))
    refusal = reason_against(plain, BY_SLUG["launch_reduction"])
    assert refusal is not None
    assert not any(nest.parallel[:1] == ["i"] for nest in analyse(task).nests)


def test_scratch_that_is_read_afterwards_is_not_borrowed(make_task):
    task = make_task(program(FILL + REVERSED, after="t[0] = s[0];"), "f")
    engine = Engine()
    plain = engine.program(task, steps(engine, task, []))
    inside = next(nest for nest in plain.nests if nest.host_loops)
    assert private_buffers(plain.analysis.function, plain.scop, loops_around(plain, inside)[0]) == []


TEXT_LOOPS = {
    "rows of data-chosen length": "int len = (int)(a[i * m] * a[i * m] * 9); for (int j = 0; j < len; j++)"
    " for (int k = 0; k < m; k++) b[i * m + k] += a[i * m + k] * j;",
    "left by break": "float v = 1; for (int k = 0; k < m; k++) { v = 0.5f * v + a[i * m + k]; b[i * m + k] = v; if (v > 1.5f) break; }",
    "bounded by a condition": "int at = (int)(a[i * m] * 7); for (int j = at; j < m + 2; j++) if (j >= 0 && j < m) b[i * m + j] = j;",
}
NEIGHBOURS = {
    "one element too far": TEXT_LOOPS["left by break"].replace(
        "k < m; k++) { v", "k <= m && i * m + k < n * m; k++) { v"
    ),
    "an unbounded place": TEXT_LOOPS["bounded by a condition"].replace(
        "j >= 0 && j < m", "i * m + j >= 0 && i * m + j < n * m"
    ),
    "a bound that moves": "int k = 0; for (k = 0; k < m; k += 1) { if (a[i * m + k] > 0.5f) { k += 1; }"
    " if (i * m + k < n * m) b[i * m + k] = k + i; }",
}


@pytest.mark.parametrize("name", TEXT_LOOPS)
def test_loops_of_unknown_length_inside_a_turn_stay_in_its_row(name, make_task):
    task = make_task(program(TEXT_LOOPS[name], scratch=""), "f")
    (nest,) = analyse(task).nests
    assert nest.parallel[:1] == ["i"]


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_loops_that_reach_another_row_keep_the_order(name, make_task):
    task = make_task(program(NEIGHBOURS[name], scratch=""), "f")
    assert not any(nest.parallel[:1] == ["i"] for nest in analyse(task).nests)


def test_all_of_them_are_right(make_task):
    tasks = [make_task(program(body), "f") for body in (*ONE_LAUNCH.values(), *IN_PARTS.values())]
    pairs = [Pair(task, launched_once(task)[1]) for task in tasks]
    engine = Engine()
    for body in (*TEXT_LOOPS.values(), *NEIGHBOURS.values()):
        task = make_task(program(body, scratch=""), "f")
        pairs.append(Pair(task, engine.text(task, steps(engine, task, []))))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].source) for k, said in wrong.items()]


CHOSEN = "(int)(a[i * m + k] * a[i * m + k] * 0.9f * m) % m"
"""A place that data choose."""


def random_body(chance: random.Random) -> str:
    """Turns that write and read parts of their scratch in a random order, and perhaps add up into `t`."""
    bound = lambda: chance.choice(["m", "m", "m", "m - 1", "m / 2", "j"])  # noqa: E731
    parts = [f"const int j = {chance.choice(['m / 2', 'm - 1', '(int)(a[i * m] * a[i * m] * 3) % m', 'i % m'])};"]
    if chance.random() < 0.8:
        parts.append(f"for (int k = 0; k < {chance.choice(['m', 'm', 'm', 'j'])}; k++) s[k] = a[i * m + k];")
    for _ in range(chance.randint(1, 4)):
        end = bound()
        start = chance.choice(["0", "0", "0", "1", "j"])
        work = chance.choice(
            [
                "s[k] = a[i * m + k] - k;",
                "s[k] = 0.5f * s[k];",
                f"s[k] += {chance.choice(['1', 'a[i * m + k]', 'g'])};",
                "b[i * m + k] = s[k];",
                f"b[i * m + k] += s[{end} - 1 - k + {start}];",
                "t[k] += s[k];",
                "t[k] += g * a[i * m + k];",
                "g += s[k];",
                "g += a[i * m + k];",
                f"b[i * m + k] += s[{CHOSEN}];",
                f"s[{CHOSEN}] += k;",
                f"for (int l = {CHOSEN}; l < k; l++) g += s[l];",
                "if (a[i * m + k] > 0) s[k] = g;",
                "if (a[i * m + k] > 0.7f) break; s[k] = 2;",
            ]
        )
        loop = f"for (int k = {start}; k < {end}; k++) {{ {work} }}"
        parts.append(f"if (a[i * m] > {chance.choice(['0', '-2'])}) {{ {loop} }}" if chance.random() < 0.2 else loop)
    return "float g = 0;\n" + "\n".join(parts) + ("\nb[i * m] = g;" if chance.random() < 0.5 else "")


@pytest.mark.slow
def test_random_turns_natively(make_task):
    """`REGRAPHT_RANDOM_TURNS_FROM` sets the seed.

    In double: sums of some 10^6 that cancel in `t` keep too few digits of a float, in whatever order they are added.
    """
    seed = int(os.environ.get("REGRAPHT_RANDOM_TURNS_FROM", random.randrange(2**32)))
    print(f"seed {seed}")
    chance, engine, pairs, apart = random.Random(seed), Engine(), [], 0
    for _ in range(int(os.environ.get("REGRAPHT_RANDOM_TURNS", "25"))):
        task = make_task(program(random_body(chance)).replace("float", "double"), "f")
        plain = engine.program(task, steps(engine, task, []))
        taken = reason_against(plain, BY_SLUG["launch_reduction"]) is None
        apart += taken
        decided = steps(engine, task, ["launch_reduction"]) if taken else random_decisions(engine, task, chance)
        pairs.append(Pair(task, engine.text(task, decided)))
    faults = native_differences(pairs, choose_sandbox())
    shown = [f"{said[:2]}\n{pairs[k].task.reference.source.text}\n{pairs[k].source}" for k, said in faults.items()]
    assert not shown, shown[0]
    assert apart
