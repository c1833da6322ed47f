"""Flat subscripts as several dimensions: strides that are locals, products and sums of sizes, and what must stay unproven."""

import random

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.source.polynomial import add, divided, highest, multiply, written_out
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices

from ..native_random import require_right

HEAD = "// shape: a = d*h*w\n// shape: b = d*h*w\n// check: d=1,h=1,w=1; d=3,h=5,w=2; d=2,h=19,w=33\n"
PADDED = "// shape: a = d*h*w\n// shape: b = d*(h+2)*(w+2)\n// check: d=1,h=1,w=1; d=3,h=5,w=2; d=2,h=19,w=33\n"
LOOPS = "for (int c = 0; c < d; c++) for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
WRITTEN = "{ float s = 0; for (int k = 0; k < 3; k++) s += a[c * h * w + y * w + x] * k; b[%s] = s; }"
DEPTHWISE = """for (int c = 0; c < d; ++c)
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float sum = 0.0f;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    sum += (2 + dy) * (3 + dx) * a[c * plane + (size_t)yy * w + xx];
                }
            b[c * plane + (size_t)y * w + x] = sum;
        }"""


def task_with(make_task, body: str, head: str = HEAD):
    text = f"{head}#include <cstddef>\nvoid f(int d, int h, int w, const float* a, float* b) {{\n{body}\n}}"
    return make_task(text, "f")


def parallel_loops(make_task, body: str, head: str = HEAD) -> list[str]:
    return analyse(task_with(make_task, body, head)).nests[-1].parallel


SEEN = {
    "product": ("const size_t plane = (size_t)h * w;", "c * plane + y * w + x"),
    "not const": ("int plane = h * w;", "c * plane + y * w + x"),
    "long long": ("long long plane = (long long)w * h;", "(long long)c * plane + y * w + x"),
    "static_cast": ("const auto plane = static_cast<size_t>(h) * w;", "c * plane + static_cast<size_t>(y) * w + x"),
    "row and plane": ("const size_t row = w, plane = row * h;", "c * plane + y * row + x"),
    "stride from the row alone": ("const int row = w;", "c * h * w + y * row + x"),
    "one stride as a local": ("const int plane = h * w;", "c * plane + (y * w + x)"),
    "set after its declaration": ("int plane; plane = h * w;", "c * plane + y * w + x"),
    "constant": ("const int one = 4 / 3, plane = one * h * w;", "c * plane + y * w + x"),
}


@pytest.mark.parametrize("name", SEEN)
def test_locals_that_hold_products_are_strides(name, make_task):
    declared, place = SEEN[name]
    assert parallel_loops(make_task, f"{declared}\n{LOOPS} {WRITTEN % place}") == ["c", "y", "x"]


@pytest.mark.parametrize(
    "body",
    [
        "const int plane = h * w;\nfor (int c = 0; c < d; c++) { float* p = b + c * plane;"
        " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) p[y * w + x] = 1; }",
        "const size_t plane = (size_t)h * w;\nfor (int c = 0; c < d; c++) for (int y = 0; y < h; y++) {"
        " const size_t at = c * plane + (size_t)y * w; for (int x = 0; x < w; x++) b[at + x] = 1; }",
        "const size_t plane = (size_t)h * w;\nfloat* p = b;\n"
        "for (int c = 0; c < d; c++, p += plane) for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) p[y * w + x] = 1;",
    ],
)
def test_pointers_and_places_with_such_strides(body, make_task):
    assert parallel_loops(make_task, body)[:2] == ["c", "y"]


def test_strides_of_strides(make_task):
    body = """const int plane = h * w, slab = plane * 4;
    for (int i = 0; i < d; i++) for (int k = 0; k < 4; k++) for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)
        b[i * slab + k * plane + y * w + x] = 1;"""
    assert parallel_loops(make_task, body, HEAD.replace("b = d*h*w", "b = 4*d*h*w")) == ["i", "k", "y", "x"]


def test_a_row_of_several_numbers_a_point(make_task):
    body = "const int row = 3 * w;\nfor (int y = 0; y < h; y++) for (int x = 0; x < w; x++) for (int k = 0; k < 3; k++)"
    body += " b[y * row + 3 * x + k] = 1;"
    assert parallel_loops(make_task, body, HEAD.replace("b = d*h*w", "b = 3*h*w")) == ["y", "x", "k"]


@pytest.mark.parametrize(
    ("declared", "place"),
    [
        ("", "c * (h + 2) * (w + 2) + (y + 1) * (w + 2) + x + 1"),
        ("", "((size_t)c * (h + 2) + y + 1) * (w + 2) + x + 1"),
        ("const int row = w + 2;", "(c * (h + 2) + y + 1) * row + x + 1"),
        ("const int row = w + 2, plane = (h + 2) * row;", "c * plane + (y + 1) * row + x + 1"),
        ("const size_t row = w + 2, rows = h + 2, plane = rows * row;", "c * plane + (y + 1) * row + x + 1"),
        ("const size_t row = w + 2, rows = h + 2, plane = rows * row;", "c * plane + y * row + (row + x + 1)"),
    ],
)
def test_sums_of_sizes_are_strides(declared, place, make_task):
    body = f"{declared}\n{LOOPS} b[{place}] = a[(c * h + y) * w + x];"
    assert parallel_loops(make_task, body, PADDED) == ["c", "y", "x"]


@pytest.mark.parametrize(
    ("declared", "place", "parallel"),
    [
        ("int plane = h * w; plane = plane + 1;", "c * plane + y * w + x", []),  # it changes: it is not known
        ("int plane = h * w; if (d > 2) plane = 3;", "c * plane + y * w + x", []),
        ("const int plane = h * w - 1;", "c * plane + y * w + x", []),  # planes share an element
        ("const int plane = h * (w - 1);", "c * plane + y * w + x", []),
        ("const size_t plane = (size_t)h * (w - d);", "c * plane + y * w + x", []),  # it may have wrapped
        ("const int plane = h * h;", "c * plane + y * w + x", []),
        ("const int row = w - 1, plane = h * row;", "c * plane + y * row + x", []),
        ("const int plane = (int)a[0];", "c * plane + y * w + x", []),
        ("const short plane = h * w;", "c * plane + y * w + x", []),
        ("const int half = w / 2;", "c * h * half + y * half + x", []),
        ("", "c * (h + 2) * (w + 2) + y * (w + 1) + x", []),
        ("", "c * (h + 2) * (w + 2) + y * w + x", []),
    ],
)
def test_what_is_not_proven_stays_sequential(declared, place, parallel, make_task):
    assert parallel_loops(make_task, f"{declared}\n{LOOPS} b[{place}] = 1;", PADDED) in (parallel, ["x"])


def test_rows_that_may_overlap_are_not_told_apart_by_a_local(make_task):
    loops = LOOPS.replace("x < w", "x <= w")
    assert parallel_loops(make_task, f"const int plane = h * w;\n{loops} b[c * plane + y * w + x] = 1;") == []


def test_depthwise_convolution_is_one_kernel(make_task, bench):
    task = task_with(make_task, f"const size_t plane = (size_t)h * w;\n{DEPTHWISE}")
    (nest,) = analyse(task).nests
    assert nest.parallel == ["c", "y", "x"]
    source = TransformProposer().plain(task).source
    assert source is not None and source.count("<<<") == 1
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize(
    ("body", "head", "slugs"),
    [
        (
            "const size_t row = w + 2, plane = (h + 2) * row;\n"
            f"{LOOPS} b[c * plane + (y + 1) * row + x + 1] = a[((size_t)c * h + y) * w + x];",
            PADDED,
            ["map_3d"],
        ),
        (
            "const int plane = h * w;\n"
            f"{LOOPS} b[c * plane + y * w + x] = y > 0 && y + 1 < h"
            " ? a[c * plane + y * w + x] + a[c * plane + (y - 1) * w + x] * a[c * plane + (y + 1) * w + x] : 0.5f;",
            HEAD,
            ["map_3d", "shared_memory_halo"],
        ),
    ],
)
def test_rules_upon_recovered_shapes(body, head, slugs, make_task, bench):
    engine, task = Engine(), task_with(make_task, body, head)
    plain = TransformProposer().plain(task)
    assert bench.differences(task, plain.source) == [], plain.source
    decisions = choices(engine.program(task, ()), BY_SLUG["map_to_threads"])[0].decision
    chosen = (decisions,)
    for slug in slugs:
        chosen = (*chosen, choices(engine.program(task, chosen), BY_SLUG[slug])[0].decision)
    source = engine.text(task, chosen)
    assert bench.differences(task, source) == [], source


def drawn(chance: random.Random) -> dict[tuple[str, ...], int]:
    terms = {tuple(sorted(chance.choices("hnw", k=chance.randint(0, 2)))): chance.randint(-4, 4) for _ in range(3)}
    return {atoms: value for atoms, value in terms.items() if value}


def test_division_of_polynomials():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(500):
        left, right, extra = drawn(chance), drawn(chance), drawn(chance)
        if not right:
            continue
        assert divided(multiply(left, right), right) == (left, {})
        found, rest = divided(extra, right)
        assert add(multiply(found, right), rest) == extra
        top = highest(right)
        assert not any(divided({atoms: value}, {top: right[top]})[0] for atoms, value in rest.items())


def test_written_out():
    values = {"plane": {("h", "w"): 1}, "row": {("w",): 1, (): 2}}
    assert written_out({("c", "plane"): 3, ("row", "row"): 1, (): 5}, values) == {
        ("c", "h", "w"): 3,
        ("w", "w"): 1,
        ("w",): 4,
        (): 9,
    }


def strided_program(chance: random.Random) -> str:
    """A nest that updates an array in place, with strides in one of many spellings, some of which let rows or planes overlap."""
    row = chance.choice(["w", "w", "(w + 1)", "(w + 2)", "(w - 1)", "h", "2 * w"])
    rows = chance.choice(["h", "h", "(h + 1)", "(h + 2)", "(h - 1)", "w"])
    kind = chance.choice(["int", "const int", "const long long", "const size_t"])
    declared, at_row, at_plane = "", row, f"{rows} * {row}"
    if chance.random() < 0.7:
        declared, at_row = f"{kind} row = {row};\n", "row"
    if chance.random() < 0.8:
        product = chance.choice([f"{rows} * {at_row}", f"{at_row} * {rows}", f"(long long){rows} * {row}"])
        declared, at_plane = f"{declared}{kind} plane = {product};\n", "plane"
    if at_plane == "plane" and kind == "int" and chance.random() < 0.3:
        declared += "plane += 1;\n"

    def place() -> str:
        shift = chance.choice(["", "", "", "", "", "", " + 1", f" + {at_row}", f" + {at_plane}", f" + {at_row} + 1"])
        return f"c * {at_plane} + y * {at_row} + x{shift}"

    first, width = place(), chance.choice([row, row, row, "w"])
    loops = f"for (int c = 0; c < d; c++) for (int y = 0; y < {rows}; y++) for (int x = 0; x < {width}; x++)"
    value = chance.choice(["a[x] + c", f"0.5f * b[{place()}] + y", f"0.5f * b[{first}] + a[y] - c", "y - 0.5f * x * c"])
    head = "// shape: a = 4*(d+h+w)\n// shape: b = 4*(d+2)*(h+w+3)*(h+w+3)\n"
    head += "// check: d=1,h=1,w=1; d=3,h=1,w=4; d=2,h=6,w=1; d=3,h=5,w=7; d=2,h=9,w=4\n#include <cstddef>\n"
    return f"{head}void f(int d, int h, int w, const float* a, float* b) {{\n{declared}{loops}\n    b[{first}] = {value};\n}}"


def test_random_strides_natively(make_task):
    require_right(
        lambda chance: make_task(strided_program(chance), "f"),
        seed_from="REGRAPHT_RANDOM_STRIDES_FROM",
        is_parallel=lambda nests: len(nests[-1].parallel) == 3,
    )
