"""Rows cut into parts by a quotient of sizes: `width = d / h` columns for each of h heads, and what must stay unproven."""

import random

import pytest

from regrapht.transform.analyse import analyse
from regrapht.transform.polyhedral.assumptions import divisible

from ..native_random import require_right

HEAD = "// shape: a = n*d\n// shape: b = n*d\n// check: n=1,d=1,h=1; n=2,d=3,h=5; n=7,d=12,h=3; n=5,d=17,h=4\n#include <cstddef>\n"
EXACT = f"{HEAD}// require: d % h == 0\n".replace("d=3,h=5", "d=5,h=5").replace("d=17", "d=16")
LOOPS = "for (int head = 0; head < h; head++) for (int i = 0; i < n; i++) for (int c = 0; c < width; c++)"
SUM = "{ float s = 0; for (int k = 0; k < 3; k++) s += a[%s] * k; b[%s] = s; }"
WIDTH = "const int width = d / h;"
FROM_LOCAL = LOOPS.replace("for (int c", "{ const int first = head * width; for (int c") + "@}"
TURNED = LOOPS.replace("head < h", "head < n")


def task_with(make_task, body: str, head: str = HEAD, types: str = "int n, int d, int h"):
    return make_task(f"{head}void f({types}, const float* a, float* b) {{\n{body}\n}}", "f")


def parallel_loops(make_task, body: str, head: str = HEAD, types: str = "int n, int d, int h") -> list[str]:
    return analyse(task_with(make_task, body, head, types)).nests[-1].parallel


APART = {
    "heads": (WIDTH, LOOPS, "i * d + head * width + c"),
    "heads from a local": (WIDTH, FROM_LOCAL, "i * d + first + c"),
    "heads side by side": (WIDTH, LOOPS, "i * d + c * h + head"),
    "a column on": (WIDTH, LOOPS, "i * d + head * width + c + 1"),
    "a column less": (WIDTH, LOOPS.replace("c < width", "c < width - 1"), "i * d + head * width + c + 1"),
    "a head less": (WIDTH, LOOPS.replace("head < h", "head < h - 1"), "i * d + (head + 1) * width + c"),
    "a constant divisor": (
        WIDTH.replace("h;", "4;"),
        LOOPS.replace("head < h", "head < 4"),
        "i * d + head * width + c",
    ),
    "two quotients": ("const int half = d / 2, width = d / h;", LOOPS, "i * d + head * width + c"),
    "64 bits": ("const size_t width = (size_t)d / h;", LOOPS, "(size_t)i * d + head * width + c"),
    "another name of the row": ("const int row = d, width = row / h;", LOOPS, "i * row + head * width + c"),
    "a row as a product": ("const int row = d * h, width = row / n;", TURNED, "i * row + head * width + c"),
}
TOGETHER = {
    "a quotient and one more": ("const int width = d / h + 1;", LOOPS, "i * d + head * width + c"),
    "a column more": (WIDTH, LOOPS.replace("c < width", "c <= width"), "i * d + head * width + c"),
    "a head more": (WIDTH, LOOPS.replace("head < h", "head <= h"), "i * d + head * width + c"),
    "rows of less": (WIDTH, LOOPS, "i * (d - 1) + head * width + c"),
    "rows of the quotient": (WIDTH, LOOPS, "i * width + head * width + c"),
    "of another divisor": ("const int width = d / n;", LOOPS, "i * d + head * width + c"),
    "of a longer row": ("const int width = (d + h) / h;", LOOPS, "i * d + head * width + c"),
    "under a condition": ("int width = 0; if (n > 1) width = d / h;", LOOPS, "i * d + head * width + c"),
    "changed afterwards": ("int width = d / h; width++;", LOOPS, "i * d + head * width + c"),
    "the rest": ("const int width = d % h;", LOOPS, "i * d + head * width + c"),
    "few bits": ("const int width = (short)(d / h);", LOOPS, "i * d + head * width + c"),
}
BESIDE = ["i * d + head * width + c + 1", "i * d + (head + 1) * width + c", "(i + 1) * d + head * width + c"]


def body(case: tuple[str, str, str], beside: str = "") -> str:
    declared, loops, place = case
    start, _, end = loops.partition("@")
    return f"{declared}\n{start} {{ {SUM % (place, place)} {f'b[{beside}] += 1;' if beside else ''} }} {end}"


@pytest.mark.parametrize("head", [HEAD, EXACT], ids=["any", "exact"])
@pytest.mark.parametrize("name", APART)
def test_parts_of_rows_are_apart(name, head, make_task):
    assert parallel_loops(make_task, body(APART[name]), head) == ["head", "i", "c"]


BATCHES = {
    "batches of rows": (WIDTH, "((x * n + i) * d) + head * width + c"),
    "batches of heads": (WIDTH, "((x * h + head) * n + i) * width + c"),
    "groups of rows": ("const int width = n / h;", "(x * n + head * width + c) * d + i"),
    "groups of rows in batches behind each other": (
        "const int width = n / h;",
        "x * n * d + (head * width + c) * d + i",
    ),
}


@pytest.mark.parametrize("head", [HEAD, EXACT], ids=["any", "exact"])
@pytest.mark.parametrize("name", BATCHES)
def test_parts_of_rows_in_batches(name, head, make_task):
    declared, place = BATCHES[name]
    inner = LOOPS.replace("i < n", "i < d") if "d + i" in place else LOOPS
    loops = f"for (int x = 0; x < batches; x++) {inner}"
    head = head.replace("n=", "batches=2,n=")
    types = "int batches, int n, int d, int h"
    assert parallel_loops(make_task, body((declared, loops, place)), head, types) == ["x", "head", "i", "c"]


def test_parts_by_pointers(make_task):
    loops = LOOPS.replace("for (int c", "{ float* row = b + (size_t)i * d + head * width; for (int c")
    assert parallel_loops(make_task, f"{WIDTH}\n{loops} row[c] = a[c]; }}") == ["head", "i", "c"]


@pytest.mark.parametrize("head", [HEAD, EXACT], ids=["any", "exact"])
@pytest.mark.parametrize("name", TOGETHER)
def test_what_may_meet_keeps_its_order(name, head, make_task):
    analysis = analyse(task_with(make_task, body(TOGETHER[name]), head))
    assert analysis.guard is None
    assert len(analysis.nests[-1].parallel) < 3


@pytest.mark.parametrize("head", [HEAD, EXACT], ids=["any", "exact"])
@pytest.mark.parametrize("beside", BESIDE)
def test_places_beside_those_of_another_turn(beside, head, make_task):
    assert len(parallel_loops(make_task, body(APART["heads"], beside), head)) < 3


def test_a_size_that_may_be_negative_says_nothing(make_task):
    head = HEAD.replace(",h=1", "").replace(",h=5", "").replace(",h=3", "").replace(",h=4", "")
    assert parallel_loops(make_task, body(APART["heads"]), head) == []


def test_rows_that_parts_fill_are_taken_apart(make_task):
    """Only then have rules several indices to work with: elsewhere the places are no more than told apart."""
    for head, dimensions in ((HEAD, 0), (EXACT, 2)):
        nest = analyse(task_with(make_task, body(APART["heads"]), head)).nests[-1]
        assert len(nest.shapes["b"]) == dimensions


def test_what_divides_a_size():
    require = ["d % h == 0", "n % 4 == 0", "0 == d % n", "d % n == 1", "d % (n + 1) == 0", "m % h == 0", "d >= h and h"]
    assert divisible(require, ["d", "h", "n"]) == {("d", "h"), ("n", "4")}


def parts_program(chance: random.Random) -> str:
    """Rows of parts, changed in place, with one of many quotients and places, of which some let parts overlap."""
    exact = chance.random() < 0.4
    quotient = chance.choice(
        ["d / h"] * 5 + ["d / h + 1", "d / n", "(d + h) / h", "d / 3", "d % h", "(d + 1) / h", "n / h"]
    )
    kind = chance.choice(["const int", "int", "const long long", "const unsigned", "const size_t"])
    row = chance.choice(["d"] * 6 + ["(d - 1)", "(d + 1)", "h * width", "(h * width + 1)"])
    declared = [f"{kind} width = {quotient};"]
    if row != "d" or chance.random() < 0.3:
        declared.append(f"{chance.choice(['const int', 'const long long'])} row = {row};")
        row = "row"
    if kind == "int" and chance.random() < 0.2:
        declared.append(chance.choice(["width += 1;", "if (n > 5) width = 2;"]))
    heads, columns = (
        chance.choice(["h"] * 5 + ["h - 1", "h + 1", "3"]),
        chance.choice(["width"] * 5 + ["width - 1", "width + 1"]),
    )
    across = chance.random() < 0.25
    shifts = ["", "", "", " + 1", " + (int)width", f" + {row}", " + h"]

    def place(shift: str) -> str:
        return f"i * {row} + {'c * h + head' if across else 'head * width + c'}{shift}"

    shift = chance.choice(shifts[:5])
    headers = [
        f"for (int head = 0; head < {heads}; head++)",
        "for (int i = 0; i < n; i++)",
        f"for (int c = 0; c < (int)({columns}); c++)",
    ]
    chance.shuffle(headers)
    value = chance.choice(
        ["a[c] + head", f"0.5f * b[{place(chance.choice([shift, *shifts]))}] + i", f"a[{place('')}] - c"]
    )
    checks = [(1, 1, 1), (7, 12, 3), (5, 16, 4), (3, 5, 5)] + ([] if exact else [(2, 3, 5), (6, 17, 4), (4, 11, 3)])
    check = "; ".join(f"n={n},d={d},h={h}" for n, d, h in checks)
    shape = "(n+3)*(2*d+2*h+n+8)*3"
    head = f"// shape: a = {shape}\n// shape: b = {shape}\n// check: {check}\n" + "// require: d % h == 0\n" * exact
    lines = "\n".join([*declared, *headers, f"b[{place(shift)}] = {value};"])
    return f"{head}#include <cstddef>\nvoid f(int n, int d, int h, const float* a, float* b) {{\n{lines}\n}}"


def test_random_parts_natively(make_task):
    require_right(
        lambda chance: make_task(parts_program(chance), "f"),
        seed_from="REGRAPHT_RANDOM_PARTS_FROM",
        is_parallel=lambda nests: any(len(nest.parallel) == 3 for nest in nests),  # none where loops stay text
    )
