"""Independent loops once for each part of their body, where the parts have many more threads, and what keeps parts together."""

import random

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind, Nest

from ..judging import steps
from ..native_random import require_right
from ..plain_programs import require_plain_right
from ..random_programs import RandomProgram, random_decisions

HEAD = (
    "// shape: a = m*k\n// shape: b = k*n\n// shape: c = m*n\n// shape: x = m\n"
    "// check: m=0, n=3, k=2; m=1, n=1, k=1; m=3, n=33, k=5; m=17, n=5, k=0; m=17, n=9, k=12\n"
)
TIMED = ({"m": 500, "n": 400, "k": 300}, {"m": 3000, "n": 1000, "k": 600})
ZERO = "for (int j = 0; j < n; j++) c[i * n + j] = 0;"
ADD = "for (int l = 0; l < k; l++) for (int j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];"
FACTOR = "for (int l = 0; l < k; l++) { const float f = a[i * k + l]; for (int j = 0; j < n; j++) c[i * n + j] += f * b[l * n + j]; }"
SCALE = "for (int j = 0; j < n; j++) c[i * n + j] *= s;"


def program(body: str, *, around: str = "", before: str = "") -> str:
    """Rows of `c`, each of which `body` computes."""
    return (
        f"{HEAD}void f(int m, int n, int k, const float* a, const float* b, float* c, float* x) {{\n{before}\n"
        f"{around} for (int i = 0; i < m; i++) {{\n{body}\n}}\n}}"
    )


def lines(*statements: str) -> str:
    return "\n".join(statements)


IN_PARTS = {
    "a product": program(lines(ZERO, ADD)),
    "with a factor": program(lines(ZERO, FACTOR)),
    "by a pointer to the row": program(
        "float* row = c + (long)i * n; for (int j = 0; j < n; j++) row[j] = 0;\n"
        "for (int l = 0; l < k; l++) for (int j = 0; j < n; j++) row[j] += a[(long)i * k + l] * b[(long)l * n + j];"
    ),
    "a local that both can have": program(
        lines("const float s = 2 * x[i];", ZERO.replace("] = 0;", "] = s;"), ADD, SCALE)
    ),
    "a local by way of another": program(
        lines("const int at = i * k; const float s = k > 0 ? a[at] : 1;", ZERO, ADD.replace("i * k", "at"), SCALE)
    ),
    "under a condition": program(f"if (x[i] > 0) {{\n{ZERO}\n{FACTOR}\n}}"),
    "turns that end early": program(lines("if (x[i] > 0) continue;", ZERO, ADD)),
    "in turns of the launcher": program(
        lines(ADD, "for (int j = 0; j < n; j++) c[i * n + j] *= 0.25f + c[i * n + j];"),
        around="for (int t = 0; t < 3; t++)",
    ),
    "other places of the same turn": program(
        lines(
            ZERO,
            ADD,
            "for (int l = 0; l < k; l++) for (int j = 0; j < n / 2; j++) c[i * n + j] += a[i * k + l] * c[i * n + n - 1 - j];",
        )
    ),
    "cheap statements between": program(lines("x[i] = 2;", ZERO, "x[i] += k;", ADD, "x[i] *= 0.5f;")),
}
TOGETHER = {
    "a local that is handed on": program(
        lines("float s = 0; for (int l = 0; l < k; l++) s = 0.5f * s + a[i * k + l];", ADD, SCALE)
    ),
    "a local array that is handed on": program(
        lines(
            "float s[2]; s[0] = x[i]; s[1] = 1;", ZERO.replace("] = 0", "] = s[1]"), ADD.replace("+= a", "+= s[0] * a")
        )
    ),
    "a local that changes on the way": program(
        lines("float s = x[i];", ZERO.replace("] = 0;", "] = s;"), "s *= 0.5f;", ADD, SCALE)
    ),
    "a local from what is written": program(
        lines("const float s = n > 0 ? c[i * n] : 0;", ZERO, ADD, SCALE.replace("*=", "+="))
    ),
    "a condition on what is written": program(f"if (n > 0 && c[i * n] > 0) {{\n{ZERO}\n{ADD}\n}}"),
    "rows from those before": program(
        lines(ZERO.replace("] = 0;", "] = i > 0 ? c[(i - 1) * n + n - 1 - j] : 1;"), ADD.replace("* b", "* 0.01f * b"))
    ),
    "rows that the next turn reads first": program(
        lines(ZERO.replace("] = 0;", "] += i < m - 1 ? c[(i + 1) * n + n - 1 - j] : 1;"), ADD)
    ),
    "an element of all turns": program(lines(ZERO, ADD, "x[0] = 0.5f * x[0] + (n > 0 ? c[i * n] : 0);")),
}


def is_cut(nests: list[Nest]) -> bool:
    """Whether a loop over rows is there several times, with more threads than it has rows in a part."""
    rows = [nest for nest in nests if nest.root.variable == "i"]
    return len(rows) > 1 and any(nest.parallel[:1] == ["i"] and len(nest.parallel) > 1 for nest in rows)


@pytest.mark.parametrize("name", IN_PARTS)
def test_parts_have_loops_of_their_own(name, make_task):
    nests = analyse(make_task(IN_PARTS[name], "f", bench_sizes=TIMED)).nests
    assert is_cut(nests)
    assert ["i", "j"] in [nest.parallel for nest in nests if "l" in [loop.variable for loop in nest.chain]]


@pytest.mark.parametrize("name", TOGETHER)
def test_parts_that_need_each_other_stay_together(name, make_task):
    assert not is_cut(analyse(make_task(TOGETHER[name], "f", bench_sizes=TIMED)).nests)


def test_what_gains_nothing_is_not_cut_further(make_task):
    nests = analyse(make_task(IN_PARTS["cheap statements between"], "f", bench_sizes=TIMED)).nests
    assert [nest.parallel for nest in nests] == [["i"], ["i", "j"], ["i"], ["i", "j"], ["i"]]


def test_all_independent_loops_around_the_body_are_repeated(make_task):
    text = IN_PARTS["with a factor"].replace("a = m*k", "a = m*m*k").replace("c = m*n", "c = m*m*n")
    text = text.replace("for (int i", "for (int h = 0; h < m; h++) for (int i")
    text = text.replace("i * k", "(h * m + i) * k").replace("i * n", "(h * m + i) * n")
    nests = analyse(make_task(text, "f", bench_sizes=({"m": 20, "n": 300, "k": 200},))).nests
    assert [nest.parallel for nest in nests] == [["h", "i", "j"], ["h", "i", "j"]]


WIDE = """// shape: a = m*k
// shape: b = k*n
// shape: c = (m - 1)*pitch + n
// check: m=1, n=1, k=1, pitch=1; m=5, n=7, k=4, pitch=9; m=5, n=7, k=4, pitch=3; m=4, n=6, k=3, pitch=0
// require: m >= 1
// require: n >= 1
// require: pitch >= 0
void f(int m, int n, int k, int pitch, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) c[i * pitch + j] = 0;
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++) c[i * pitch + j] += a[i * k + l] * b[l * n + j];
    }
}"""


def test_parts_under_a_condition_that_the_program_tests(make_task, bench):
    """One thread makes the turns, uncut, where rows of the result overlap."""
    task = make_task(WIDE, "f", bench_sizes=({"m": 500, "n": 400, "k": 300, "pitch": 512},))
    analysis = analyse(task)
    assert analysis.guard is not None
    assert [nest.parallel for nest in analysis.nests] == [["i", "j"], ["i", "j"]]
    assert [nest.kind for nest in analysis.guard.otherwise.nests] == [Kind.SERIAL]
    source = TransformProposer().plain(task).source
    assert source is not None
    assert bench.differences(task, source) == [], source


SUM = "for (int j = 0; j < n; j++) x[i] += c[i * n + j];"


@pytest.mark.parametrize(
    ("body", "sizes"),
    [
        (lines(ZERO, ADD), ()),
        (lines(ZERO, ADD), ({"m": 10_000_000, "n": 4, "k": 4},)),  # rows enough for all threads of a device
        (lines(ZERO, ADD), ({"m": 300, "n": 3, "k": 3},)),  # shorter than another launch
        (lines(ZERO, ADD), (*TIMED, {"m": 300, "n": 3, "k": 3})),  # at one of the sizes
        (lines(SUM, SCALE.replace("s;", "x[i];")), TIMED),  # the sum stays as long as it was
    ],
    ids=["not timed", "many rows", "few turns", "at one size", "little to gain"],
)
def test_parts_stay_together_where_that_takes_less_time(body, sizes, make_task):
    assert not is_cut(analyse(make_task(program(body), "f", bench_sizes=sizes)).nests)


@pytest.mark.parametrize("rows", [1_000, 200_000])
def test_at_one_size_there_is_much_to_gain(rows, make_task):
    sizes = ({"m": 1_000, "n": 500, "k": 300}, {"m": rows, "n": 500, "k": 300})
    assert is_cut(analyse(make_task(program(lines(ZERO, ADD)), "f", bench_sizes=sizes)).nests)


PRODUCT = IN_PARTS["with a factor"]


@pytest.mark.parametrize(
    "slugs",
    [
        [],
        ["map_2d", "shared_memory_tiling"],
        ["map_2d", "shared_memory_tiling", "register_tiling", "restrict_read_only"],
    ],
)
def test_rules_for_products_apply_to_the_part(slugs, make_task, bench):
    task, engine = make_task(PRODUCT, "f", bench_sizes=TIMED), Engine()
    source = engine.text(task, steps(engine, task, slugs))
    assert bench.differences(task, source) == [], source


# ---- at random


def random_rows(chance: random.Random) -> str:
    """Turns of a loop over rows with several parts, some of which hand a local on or read other rows."""
    s = chance.choice(
        [
            "const float s = x[i];",
            "float s = 0.5f; s += x[i];",
            "const float s = n > 0 ? c[i * n] : 1;",
            "const float s = i;",
        ]
    )
    value = chance.choice(["0", "s", "s * c[i * n + j]", "x[i]"])
    parts = [
        ZERO.replace("] = 0;", f"] = {value};"),
        ADD,
        FACTOR.replace("f * b", "f * s * b"),
        SCALE,
        "for (int j = 0; j < n; j++) s = 0.5f * s + c[i * n + j];".replace("s = ", "x[i] = ").replace("* s", "* x[i]"),
        "for (int l = 0; l < k; l++) for (int j = 0; j < n / 2; j++) c[i * n + j] += 0.5f * c[i * n + n - 1 - j];",
        "for (int l = 0; l < k; l++) { if (a[i * k + l] > 0) continue; for (int j = 0; j < n; j++) c[i * n + j] += l; }",
        "x[i] = 0.25f * x[i] + 1;",
        chance.choice(
            [
                "if (i > 0) for (int j = 0; j < n; j++) c[i * n + j] += c[(i - 1) * n + j];",
                "for (int j = 0; j < n; j++) c[i * n + j] += i < m - 1 ? c[(i + 1) * n + j] : 0;",
                "float g = 0; for (int l = 0; l < k; l++) g = 0.5f * g + a[i * k + l]; for (int j = 0; j < n; j++) c[i * n + j] += g;",
                "if (x[i] > 0) { for (int j = 0; j < n; j++) c[i * n + j] -= s; x[i] = 1; }",
            ]
        ),
    ]
    chosen = [part for part in parts[:-1] if chance.random() < 0.5] + parts[-1:] * (chance.random() < 0.35)
    if chance.random() < 0.4:
        chance.shuffle(chosen)
    body = lines(s, *chosen)
    guard = chance.choice(["", "", "", "if (x[i] > 0) continue;", "if (x[i] < 0.5f) {", "if (i % 2 == 0) {"])
    body = lines(guard, body, "}" if guard.endswith("{") else "")
    return program(body, around=chance.choice(["", "", "", "for (int t = 0; t < 2; t++)"]))


@pytest.mark.parametrize(
    "decide",
    [random_decisions, pytest.param(lambda engine, task, _: steps(engine, task, []), marks=pytest.mark.slow)],
    ids=["rules", "plain"],
)
def test_random_rows_natively(decide, make_task):
    require_right(
        lambda chance: make_task(random_rows(chance), "f", bench_sizes=TIMED),
        seed_from="REGRAPHT_RANDOM_ROWS_FROM",
        is_parallel=is_cut,
        decide=decide,
    )


@pytest.mark.slow
def test_random_nests_that_are_timed(make_task):
    require_right(
        lambda chance: make_task(RandomProgram(chance).text(), "nests", bench_sizes=({"n": 3000},)),
        seed_from="REGRAPHT_RANDOM_TIMED_FROM",
        is_parallel=lambda nests: True,
        programs=100,
    )


@pytest.mark.slow
def test_all_of_them_are_right(make_task, bench):
    tasks = [make_task(text, "f", bench_sizes=TIMED) for text in (*IN_PARTS.values(), *TOGETHER.values())]
    require_plain_right(tasks, bench)
