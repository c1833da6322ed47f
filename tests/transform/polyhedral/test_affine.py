"""Places with quotients, remainders and bits by constants: interleaved layouts, planes, blocks, and conditions on every other element."""

import random

import pytest

from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.ir.expression_types import literal_type
from regrapht.transform.polyhedral.affine import runs_of_ones
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices

from ..native_random import require_right

HEAD = (
    "// shape: a = 4*h*w + 8\n// shape: b = 64*(h+8)*(w+8)\n// check: h=0,w=3; h=1,w=1; h=2,w=3; h=5,w=33; h=33,w=2\n"
)
QUADS = "for (int y = 0; y < 2 * h; y++) for (int x = 0; x < 2 * w; x++)"
LINE = "for (int x = 0; x < w; x++)"
APART = {
    "planes": f"{QUADS} {{ const int place = 2 * (y & 1) + (x & 1);"
    " b[((int64_t)place * h + y / 2) * w + x / 2] = a[y * 2 * w + x]; }",
    "planes by shifts": f"{QUADS} b[((2 * (y % 2) + (x & 1)) * (size_t)h + (y >> 1)) * w + (x >> 1)] = a[y * 2 * w + x];",
    "planes by one place": f"{QUADS} b[(2 * (y & 1) + (x & 1)) * h * w + (y / 2) * w + x / 2] = a[y * 2 * w + x];",
    "channels": "for (int k = 0; k < 3 * w; k++) b[(k % 3) * w + k / 3] = a[k % 4];",
    "channels of 64 bits": "const size_t n = w; for (size_t k = 0; k < 3 * n; k++) b[(k % 3) * n + k / 3] = a[k & 3];",
    "blocks": "for (int y = 0; y < 8 * h; y++) for (int x = 0; x < 8 * w; x++)"
    " { const int block = (y / 8) * w + x / 8, inside = (y & 7) * 8 + (x & 7); b[block * 64 + inside] = y - x; }",
    "every other": f"{LINE} {{ if (!(x & 1)) b[x / 2] = a[x]; }}",
    "odd ones": f"{LINE} {{ if (x & 1) b[x >> 1] = a[x]; else b[w + (x >> 1)] = -a[x]; }}",
    "by a remainder alone": f"{LINE} {{ if (x % 3) continue; b[x / 3] = a[x]; }}",
    "by a local": f"{LINE} {{ const int odd = x & 1; if (odd == 1) b[x / 2] = a[x]; }}",
    "one bit": f"{LINE} {{ if ((x & 4) == 0) b[(x & ~7) / 2 + (x & 3)] = a[x]; }}",
    "reversed in fours": f"{LINE} b[(x & ~3) + (3 - (x & 3))] = a[x];",
    "rounded by -4": f"{LINE} b[(x & -4) | (x & 3)] = a[x];".replace("|", "+"),
    "neighbours change places": f"{LINE} b[x ^ 1] = a[x];",
    "the bits above": f"{LINE} b[8 * (x >> 1) + (x | 1) - x] = a[x];",
    "from one on": "for (int x = 1; x <= w; x++) b[w * ((x - 1) % 2) + (x - 1) / 2] = a[x - 1];",
    "guarded": "for (int x = -3; x < w; x++) if (x >= 0) b[(x & 1) * w + x / 2] = a[x];",
    "a place in rows": "for (int y = 0; y < h; y++) for (int x = 0; x < 2 * w; x++) if (x % 2 == 0)"
    " b[(y * 2 * w + x) / 2] = a[x];",
    "unsigned": "for (unsigned x = 0; x < (unsigned)w; x++) b[(x & 1u) * (unsigned)w + x / 2u] = a[x];",
    "cut to a narrower counter": "const size_t n = w; for (size_t x = 0; x < n; x++) { const int j = (int)x; b[j] = a[j]; }",
    "rows cut to a narrower type": "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) b[(int)((size_t)y * w + x)] = a[x];",
    "a kept product": f"{LINE} {{ const int j = (int)((long long)x * 3); b[j] = a[x]; }}",
    "two runs": f"{LINE} b[(x & 10) + (x & 5) + (x & ~15)] = a[x];",
}
TOGETHER = {
    "many runs": f"{LINE} b[(x & 0x55555555) + 2 * (x & 0x2AAAAAAA)] = a[x];",
    "quotient alone": f"{LINE} b[x / 2] = a[x];",
    "remainder alone": f"{LINE} b[x & 3] = a[x];",
    "swapped": f"{LINE} b[(x & 1) * w + x / 4] = a[x];",
    "another half": f"{LINE} {{ if ((x & 1) == 0 || x > 4) b[x / 2] = a[x]; }}",
    "planes too near": f"{QUADS} b[((y & 1) * h + y / 4) * w + x / 2] = a[y * 2 * w + x];",
    "below zero": "for (int x = -3; x < w; x++) b[8 + (x & 1) * (w + 8) + x / 2] = x;",
    "remainder below zero": "for (int x = -3; x < w; x++) b[8 + 4 * (x / 2) + x % 2] = x;",
    "shift below zero": "for (int x = -3; x < w; x++) b[8 + 2 * (x >> 1) + (x & 1)] = x;",
    "guarded too low": "for (int x = -3; x < w; x++) if (x >= -1) b[8 + (x & 1) * (w + 8) + x / 2] = x;",
    "a hash": "for (unsigned x = 0; x < (unsigned)w; x++) b[(x * 2654435761u) >> 24] = a[x];",
    "a hash of remainders": "for (unsigned x = 0; x < (unsigned)w; x++) b[(x * 2654435761u) % 255u] = a[x];",
    "a named hash": "for (unsigned x = 0; x < (unsigned)w; x++) { const unsigned k = x * 40503u; b[(k >> 4) % 251u] = a[x]; }",
    "a wide hash": "for (size_t x = 0; x < (size_t)w; x++) b[(x * 6364136223846793005u) >> 56] = a[x];",
    "a hash in two steps": "for (unsigned x = 0; x < (unsigned)w; x++) b[x * 65536u * 65536u] = a[x];",
    "a hash in two shifts": "for (unsigned x = 0; x < (unsigned)w; x++) b[x << 16 << 16] = a[x];",
    "a product of locals": "for (unsigned x = 0; x < (unsigned)w; x++) { const unsigned k = x * 65536u; b[k * 65536u] = a[x]; }",
    "cut to a signed type": f"{LINE} b[(int)((long long)x * 4294967296LL) + 1] = a[x];",
    "cut by a shift": f"{LINE} b[(int)(((int64_t)x << 30) * 4)] = a[x];",
    "cut by a local": f"{LINE} {{ const int64_t k = (int64_t)x << 30; const int j = k * 4; b[j] = a[x]; }}",
    "cut before a mask": f"{LINE} {{ const int j = (long long)x * 1073741824LL * 4 + x / 2; b[j & 1023] = a[x]; }}",
    "cut and divided": f"{LINE} b[(int)((long long)x * 4194304) / 4096 + 600] = a[x];",
    "cut to an unsigned type": f"{LINE} b[(uint32_t)((uint64_t)x * 4294967296u) + 3] = a[x];",
    "cut to two bytes": f"{LINE} {{ const uint16_t j = x; b[j] = a[x]; }}",
    "cut to one byte": f"{LINE} {{ const int8_t j = x; b[j + 128] = a[x]; }}",
    "cut to one byte by a cast": f"{LINE} b[(uint8_t)x] = a[x];",
    "cut to one bit": f"{LINE} {{ const bool odd = x; b[odd] = a[x]; }}",
    "a cut hash": "for (size_t x = 0; x < (size_t)w; x++) b[(uint32_t)(x * 2654435761u) >> 24] = a[x];",
}


def task_with(make_task, body: str):
    text = (
        f"{HEAD}#include <cstddef>\n#include <cstdint>\nvoid f(int h, int w, const float* a, float* b) {{\n{body}\n}}"
    )
    return make_task(text, "f")


@pytest.mark.parametrize("name", APART)
def test_iterations_are_told_apart(name, make_task):
    nests = analyse(task_with(make_task, APART[name])).nests
    assert [len(nest.parallel) for nest in nests] == [APART[name].count("for (")]


@pytest.mark.parametrize("name", TOGETHER)
def test_iterations_that_may_meet_stay_in_order(name, make_task):
    """The source's own loops have no threads but those that claim elements by atomics: who writes is found first, then it is written."""
    nests = analyse(task_with(make_task, TOGETHER[name])).nests
    assert all(one.startswith("cell") for nest in nests for one in nest.parallel)


@pytest.mark.parametrize("name", ["planes", "one bit", "a hash"])
def test_on_the_emulated_device(name, make_task, bench):
    task = task_with(make_task, {**APART, **TOGETHER}[name])
    source = Engine().text(task, (choices(Engine().program(task, ()), BY_SLUG["map_to_threads"])[0].decision,))
    assert bench.differences(task, source) == [], source


WRAPPING = {
    "a widened hash": "const size_t k = x * 2654435761u; b[x] = a[k % 7] + (float)(k >> 30);",
    "one below zero": "const size_t k = x - 1; b[x] = a[k % 7] + (float)(k >> 40);",
    "a sum of both": "const size_t k = 7 + x * 4294967295u; b[x] = a[k % 5];",
}


@pytest.mark.parametrize("name", WRAPPING)
def test_scalars_of_wider_types_keep_what_wrapped(name, make_task, bench):
    """A kernel counts in signed types, but what the source computes in an unsigned one has its 32 bits."""
    task = task_with(make_task, f"for (unsigned x = 0; x < (unsigned)w; x++) {{ {WRAPPING[name]} }}")
    source = Engine().text(task, (choices(Engine().program(task, ()), BY_SLUG["map_to_threads"])[0].decision,))
    assert "_map<<<" in source
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize("along", ["x + 8 & 31", "(x | 3) >> 1"])
def test_tiles_of_places_with_shares(along, make_task, bench):
    found = []
    body = (
        f"for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) b[y * w + x] = a[({along}) & 3] + a[({along}) % 4];"
    )
    engine, task = Engine(), task_with(make_task, body)
    first = choices(engine.program(task, ()), BY_SLUG["map_to_threads"])[0].decision
    for rule in ("shared_memory_halo", "shared_memory_tiling", "vectorised_access"):
        for one in choices(engine.program(task, (first,)), BY_SLUG[rule])[:1]:
            source = engine.text(task, (first, one.decision))
            assert bench.differences(task, source) == [], source
            found.append(rule)
    assert found


def test_runs_of_ones():
    for mask in (0, 1, 6, 5, 0x55, 0xF0F, 255, 2**31):
        assert sum((2**length - 1) << low for low, length in runs_of_ones(mask)) == mask


def test_types_of_literals_as_the_language_has_them():
    types = {"2654435761u": "unsigned int", "0xFFFFFFFF": "unsigned int", "2147483648": "long long", "07": "int"}
    types |= {"4294967296u": "unsigned long long", "0x7fffffff": "int", "0xFFFFFFFFFFFFFFFF": "unsigned long long"}
    assert {text: literal_type(text) for text in types} == types


def scattered_program(chance: random.Random) -> str:
    """A nest that writes places with quotients, remainders and bits: with some, iterations meet; some values are below zero."""
    kind = chance.choice(["int", "int", "unsigned", "size_t", "long long"])
    signed = kind in ("int", "long long")
    end = "" if signed else "u"
    start = chance.choice(["0", "0", "1", "-3"]) if signed else "0"

    def share(name: str) -> str:
        number = chance.choice([2, 2, 3, 4, 8])
        power = chance.choice([1, 2, 3])
        of = chance.choice(
            [name, name, name, f"({name} + 1)", f"({name} - 1)" if signed else f"({name} * 2654435761{end})"]
        )
        low = [
            f"{of} % {number}{end}",
            f"({of} & {2**power - 1})",
            f"({of} & {chance.randrange(1, 16)})",
            f"({of} % 2{end})",
        ]
        high = [f"{name} / {number}", f"({name} >> {power})", f"({name} & ~({kind}){2**power - 1})", f"({name} & -8)"]
        return chance.choice([*low, *(high if signed else high[:3]), f"({name} ^ {2**power - 1})", f"({name} | 1)"])

    x, y = share("x"), share("y")
    number = chance.choice([2, 3, 4])
    whole = [
        f"x % {number} * (n + 8) + x / {number}",
        f"x / {number} * {number} + x % {number}",
        "(x ^ 1)",
        "(x & ~3) + (3 - (x & 3))",
    ]
    along = chance.choice([*whole, *whole, "x", f"{x} * (n + 8) + {share('x')}"])
    place = chance.choice(
        [f"{along} + 5 * (n + 8) * ({chance.choice(['y', y, 'y'])} % 4)", along, f"{y} + 40 * ({along})"]
    )
    guard = chance.choice(["", "", "if (!(x & 1)) ", "if (x % 2 == 1) ", f"if ({x}) ", "if (x >= 1 && (y & 1) == 0) "])
    loops = f"for ({kind} y = {start}; y < ({kind})m; y++) for ({kind} x = {start}; x < ({kind})n; x++)"
    update = chance.choice(["b[at] = a[k] + x", "b[at] = 2 * a[k] - y", "b[at] = b[at] * 0.5f + x"])
    head = "// shape: a = 64\n// shape: b = 16384 + 50 * (n + 8) * (n + 8)\n// check: n=0,m=1; n=1,m=3; n=2,m=2; n=3,m=5; n=33,m=4\n"
    body = f"{{ const int at = 8192 + (int)(({place}) % 2000); const int k = (x + 8) & 31; {guard}{update}; }}"
    plain = f"{{ {guard}b[16384 + ({place})] = a[(x + 8) & 31] + x - y; }}"
    if "2654435761" in place or chance.random() < 0.2:
        plain = body
    return f"{head}#include <cstddef>\nvoid f(int n, int m, const float* a, float* b) {{\n{loops} {plain}\n}}"


@pytest.mark.slow
def test_random_places_natively(make_task):
    require_right(
        lambda chance: make_task(scattered_program(chance), "f"),
        seed_from="REGRAPHT_RANDOM_REMAINDERS_FROM",
        is_parallel=lambda nests: any(nest.parallel for nest in nests),
    )
