"""Places behind a cast to an unsigned type, such as `(size_t)yy * w + xx`: known where a guard proves that nothing wraps."""

import random

import pytest

from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices

from ..native_random import require_right

HEAD = "// shape: a = h*w\n// shape: b = h*w\n// check: h=1,w=1; h=5,w=2; h=19,w=33\n"
POINTS = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
AROUND = "for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)"
BLUR = """for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
        float sum = a[(size_t)y * w + x];
        if (y > 0) sum += a[(size_t)(y - 1) * w + x];
        if (y + 1 < h) sum += a[(size_t)(y + 1) * w + x];
        if (x > 0) sum += a[(size_t)y * w + (x - 1)];
        if (x + 1 < w) sum += a[(size_t)y * w + (size_t)(x + 1)];
        b[(size_t)y * w + x] = 0.2f * sum;
    }"""
GUARDED = {
    "continue": "if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue; s += a[(size_t)yy * w + xx];",
    "two of them": "if (yy < 0 || yy >= h) continue; if (xx < 0 || xx >= w) continue; s += a[(size_t)yy * w + xx];",
    "if": "if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "both cast": "if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += a[(size_t)yy * (size_t)w + (size_t)xx];",
    "whole place cast": "if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += a[(size_t)(yy * w + xx)];",
    "named place": "if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue; const size_t at = (size_t)yy * w + xx; s += a[at];",
    "named before": "const size_t at = (size_t)yy * w + xx; if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += a[at];",
    "unsigned comparison": "if (yy >= 0 && (size_t)yy < (size_t)h && xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "denied": "if (!(yy < 0 || (size_t)yy >= (size_t)h || xx < 0 || xx >= w)) s += a[(size_t)yy * w + xx];",
    "choice": "s += yy < 0 || yy >= h || xx < 0 || xx >= w ? 0.0f : a[(size_t)yy * w + xx];",
}
UNPROVEN = {
    "no guard": "if (xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "32 bits": "if (xx >= 0 && xx < w) s += a[(unsigned)yy * w + xx];",
    "one too low": "if (yy >= -1 && yy < h && xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "by data": "if (xx >= 0 && xx < w) if (a[0] > yy) s += a[(size_t)yy * w + xx];",
    "after the guard": "if (yy >= 0 && yy < h) s += 1; if (xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "the other branch": "if (xx < 0 || xx >= w) continue; if (yy >= 0) s += 1; else s += a[(size_t)yy * w + xx];",
    "wrapped comparison": "if ((size_t)yy < (size_t)h && xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "one or the other": "if ((yy >= 0 || xx == 0) && xx >= 0 && xx < w) s += a[(size_t)yy * w + xx];",
    "a negative factor": "if (yy >= 0 && xx >= 0 && xx < w) s += a[(size_t)(yy * (0 - w) + xx)];",
}


def around(inner: str) -> str:
    return f"{POINTS} {{ float s = 0; {AROUND} {{ int yy = y + dy, xx = x + dx; {inner} }} b[(size_t)y * w + x] = s; }}"


def task_with(make_task, body: str, head: str = HEAD):
    return make_task(f"{head}#include <cstddef>\nvoid f(int h, int w, const float* a, float* b) {{\n{body}\n}}", "f")


def places(task) -> list[bool]:
    """Whether each read of `a` at a moving place has a known one."""
    (nest,) = analyse(task).nests
    reads = [a for a in nest.accesses if a.array == "a" and a.subscripts != [{}]]
    return [access.index is not None and len(access.index) == 2 for access in reads]


@pytest.mark.parametrize("name", GUARDED)
def test_guards_make_places_known(name, make_task):
    assert places(task_with(make_task, around(GUARDED[name]))) == [True]


@pytest.mark.parametrize("name", UNPROVEN)
def test_without_a_proof_they_stay_unknown(name, make_task):
    assert places(task_with(make_task, around(UNPROVEN[name]))) == [False]


def test_loops_prove_it_as_well(make_task):
    body = "for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++)"
    task = task_with(make_task, f"{body} b[(size_t)y * w + x] = a[(size_t)(y - 1) * w + (x - 1)];")
    assert places(task) == [True]


@pytest.mark.parametrize("body", [around(GUARDED["continue"]), around(GUARDED["choice"]), BLUR])
def test_halo_tiles(body, make_task, bench):
    engine, task = Engine(), task_with(make_task, body)
    chosen = (choices(engine.program(task, ()), BY_SLUG["map_to_threads"])[0].decision,)
    for slug in ("map_2d", "shared_memory_halo"):
        chosen = (*chosen, choices(engine.program(task, chosen), BY_SLUG[slug])[0].decision)
    source = engine.text(task, chosen)
    assert "a_tile" in source
    assert bench.differences(task, source) == [], source


def guarded_program(chance: random.Random) -> str:
    """A nest that updates an array in place from a place behind a cast, guarded well or badly.

    What wraps comes back inside of the array: eight rows are in front of its first point.
    """
    row = chance.choice(["w", "w", "w", "(w + 4)", "(w + 1)"])
    low = chance.choice(["yy >= 0", "yy > 0", "yy >= -1", "!(yy < 0)", "x >= 0", "yy >= 0 || x > 1"])
    high = chance.choice(["yy < h", "(size_t)yy < (size_t)h", "(size_t)yy >= (size_t)h", "yy + 1 <= h", "x < w"])
    kind = chance.choice(["size_t", "size_t", "unsigned", "unsigned long long", "long long"])
    place = chance.choice(
        [f"({kind})yy * {row} + xx", f"({kind})(yy * {row} + xx)", f"({kind})yy * {row} + ({kind})xx"]
    )
    guard = " && ".join(chance.sample([f"({low})", high], 2))
    target = chance.choice([0, 0, 0, -3])
    update = f"b[(y + {target}) * {row} + x + 8 * {row}] = 0.5f * b[{place} + 8 * {row}] + a[x] - y;"
    body = chance.choice([f"if ({guard}) {update}", f"if (!({guard})) continue; {update}"])
    along = chance.choice(["xx = x", "xx = x", "xx = x + 1"])
    loops = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
    head = "// shape: a = 4*(h+w)\n// shape: b = 8*(h+4)*(w+4)\n// check: h=1,w=1; h=6,w=1; h=5,w=7; h=9,w=4\n#include <cstddef>\n"
    text = f"{loops} {{ int yy = y + {target} + {chance.choice([-2, -1, 0, 0, 1, 2])}, {along}; {body} }}"
    return f"{head}void f(int h, int w, const float* a, float* b) {{\n{text}\n}}"


def test_random_guards_natively(make_task):
    require_right(
        lambda chance: make_task(guarded_program(chance), "f"),
        seed_from="REGRAPHT_RANDOM_GUARDS_FROM",
        is_parallel=lambda nests: bool(nests[-1].parallel),
    )
