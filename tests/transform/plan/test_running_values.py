"""Loops with several running values: side by side, and such as add to each other in stages; run natively at many sizes."""

import random
from collections.abc import Sequence

import pytest

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.plan.scans import scan_of
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import reason_against
from regrapht.transform.rules.decisions import Decision

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

HEAD = "#include <algorithm>\n// shape: x = n\n// shape: y = n\n// shape: z = n\n// check: n=1; n=2; n=129; n=1000; n=40001\n"
LOOP = "for (int i = 0; i < n; i++)"
STAGES = {
    "a largest value and a sum": (
        f"int s = 0, m = x[0]; {LOOP} {{ s += x[i]; m = std::max(m, x[i]); y[i] = m; z[i] = s; }}",
        1,
    ),
    "the largest of the sums": (
        f"int s = 0, m = 0; {LOOP} {{ s += x[i]; if (s > m) m = s; y[i] = m - s; }} z[0] = m + 3 * s;",
        2,
    ),
    "before and after the step": (
        f"int s = 1, t = 0; {LOOP} {{ t += s; s += x[i]; y[i] = t; t += 2 * s; z[i] = t + s; }} y[0] = t; z[0] = s;",
        2,
    ),
    "the largest fall": (
        f"int peak = x[0], worst = 0; {LOOP} {{ peak = std::max(peak, x[i]); int fall = peak - x[i];"
        " if (fall > worst) worst = fall; y[i] = worst; } z[0] = worst + peak;",
        2,
    ),
    "two lists": (f"int p = 0, q = 0; {LOOP} {{ if (x[i] >= 0) y[p++] = x[i]; else z[q++] = x[i]; }}", 1),
    "three stages": (
        f"int a = 0, b = 0, c = -1000; {LOOP} {{ a += x[i] & 3; b += a % 5; if (b % 7 > c % 7) y[i] = c; c = std::max(c, b % 11 - a % 3);"
        " z[i] = a + b - c; }",
        3,
    ),
    "under a condition that another one makes": (
        f"int s = 0, high = 0; {LOOP} {{ s += x[i]; if (s > 5) high += 1; y[i] = high; z[i] = s; }}",
        2,
    ),
}
REFUSED = {
    "each adds to the other": f"int s = 0, t = 1; {LOOP} {{ s += t; t += s ^ x[i]; y[i] = s; }}",
    "one hangs on itself": f"int s = 0, m = 0; {LOOP} {{ s += x[i]; if (m < 100) m += s; y[i] = m; }}",
}


def task_of(body, make_task):
    return make_task(f"{HEAD}void f(int n, const int* x, int* y, int* z) {{ {body} }}\n", "f")


@pytest.mark.parametrize("name", STAGES)
def test_stages(name, make_task):
    body, count = STAGES[name]
    analysis = Engine().analysis(task_of(body, make_task))
    found = scan_of(analysis.nests[0], analysis.scop)
    assert not isinstance(found, str), found
    assert len(found.stages) == count


@pytest.mark.parametrize("name", REFUSED)
def test_what_hangs_on_itself_keeps_its_order(name, make_task):
    analysis = Engine().analysis(task_of(REFUSED[name], make_task))
    assert isinstance(scan_of(analysis.nests[0], analysis.scop), str)


def test_the_results_are_those_of_the_source(make_task):
    engine, pairs = Engine(), []
    for body, _ in STAGES.values():
        task = task_of(body, make_task)
        pairs += [Pair(task, engine.text(task, steps(engine, task, ["block_scan"], setting))) for setting in (0, 1)]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said[:2], pairs[k].source) for k, said in wrong.items()][:1]


def random_body(chance: random.Random) -> str:
    """Some running values in integers, which may hang on those declared before them, used and changed in a random order."""
    names = ["p", "q", "r"][: chance.randint(1, 3)]
    known = ["x[i]", "(i & 7)", "h", "x[n - 1 - i]"]

    def value(upto: int) -> str:
        left, right = (chance.choice([*known, *names[:upto]]) for _ in range(2))
        return f"({left} {chance.choice(['+', '-', '^', '&'])} {right})"

    work = ["int h = x[i] % 5;"]
    for place, name in enumerate(names):
        change = chance.choice(
            ["{0} += {1};", "{0} = std::max({0}, {1});", "if ({1} < {0}) {0} = {1};", "{0} *= 1 + ({1} & 1);"]
        )
        own = change.format(name, value(place))
        work.append(f"if ({value(place)} > 2) {{ {own} }}" if chance.random() < 0.3 else own)
    chance.shuffle(names)
    work += [f"y[i] = {value(len(names))};"] + [f"z[i] ^= {one};" for one in names if chance.random() < 0.5]
    if chance.random() < 0.5:
        work.append(f"h = {value(0)};")
    tail = work[1:]
    if chance.random() < 0.7:
        chance.shuffle(tail)
    starts = ", ".join(f"{name} = {chance.choice(['0', '1', 'x[0]'])}" for name in names)
    return f"int {starts}; {LOOP} {{ {work[0]} {' '.join(tail)} }} z[0] = {' + '.join(names)};"


@pytest.mark.slow
def test_random_running_values_natively(make_task):
    """`REGRAPHT_RANDOM_RUNNING_FROM` sets the seed."""

    def decide(engine: Engine, task: Task, _: random.Random) -> Sequence[Decision]:
        program = engine.program(task, steps(engine, task, []))
        found = reason_against(program, BY_SLUG["block_scan"]) is None
        return steps(engine, task, ["block_scan"] if found else [])

    require_right(
        lambda chance: task_of(random_body(chance), make_task),
        seed_from="REGRAPHT_RANDOM_RUNNING_FROM",
        is_parallel=lambda nests: any(nest.kind is Kind.SERIAL for nest in nests),
        decide=decide,
        programs=20,
    )
