"""Loops whose turns hand on more than sums: what a turn makes of it is a map that can be combined; run natively at many sizes."""

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

SIZES = "// check: n=1; n=2; n=33; n=1000; n=17001\n"
WHOLE = f"#include <algorithm>\n// shape: x = n\n// shape: y = n\n// shape: z = n\n// init: x = ints(-9, 10)\n{SIZES}"
REAL = (
    "#include <algorithm>\n// shape: x = n\n// shape: r = n\n// shape: y = n\n"
    f"// init: x = uniform(-1, 1)\n// init: r = uniform(0.1, 0.9)\n{SIZES}"
)
LOOP = "for (int i = 0; i < n; i++)"
OF_WHOLE = {
    "a sum that starts anew": (
        f"int s = 0, m = 0; {LOOP} {{ if (x[i] > 0) s += 1; else s = 0; m = std::max(m, s); y[i] = m; z[i] = s; }}",
        ["affine", None],
    ),
    "a hash with a factor for each turn": (
        f"unsigned h = 7; {LOOP} {{ h = h * (unsigned)(2 * x[i] + 1) + i; y[i] = (int)(h >> 5); }} z[0] = (int)h;",
        ["affine"],
    ),
    "a hash that shifts": (
        f"unsigned h = 5381; {LOOP} {{ h = ((h << 5) + h) + x[i]; y[i] = (int)h; }} z[0] = (int)h;",
        ["affine"],
    ),
    "a hash that shifts twice": (
        f"unsigned h = 0; {LOOP} {{ h = x[i] + (h << 6) + (h << 16) - h; y[i] = (int)h; }}",
        ["affine"],
    ),
    "the last one that counts": (f"int last = -1; {LOOP} {{ if (x[i] == 3) last = i; y[i] = last; }}", ["affine"]),
    "narrow": (f"unsigned char c = 3; {LOOP} {{ c = c * 5 + x[i]; y[i] = c; }}", ["affine"]),
    "two that hang on each other": (
        f"unsigned a = 1, b = 2; {LOOP} {{ y[i] = (int)(a ^ b); unsigned t = 3 * a - b; if (x[i] > 4) t = b; b = a + x[i]; a = t; }}"
        " z[0] = (int)(a + 5 * b);",
        ["affine"],
    ),
    "three that move on": (
        f"int a = 1, b = 2, c = 3; {LOOP} {{ int d = a; a = b; b = c; c = x[i] > 0 ? d : x[i]; y[i] = a - b; }} z[0] = c;",
        ["affine"],
    ),
    "an element from a choice with the one before": (
        "y[0] = x[0]; for (int i = 1; i < n; i++) y[i] = x[i] > y[i - 1] ? x[i] : y[i - 1];",
        [None],
    ),
    "an element from the one before, and what it held": (
        "for (int i = n - 2; i >= 0; i--) z[i] -= (x[i] & 3) * z[i + 1] + y[i];",
        ["affine"],
    ),
    "what a turn sets and keeps for the next": (
        f"int a = 0, b = 1; {LOOP} {{ y[i] = x[i] - a + 3 * b; a = x[i]; b = y[i]; z[i] = y[i] / 2; }}",
        ["affine", "affine"],
    ),
    "the best stretch": (
        f"int now = 0, best = 0; {LOOP} {{ now = std::max(0, now + x[i]); best = std::max(best, now); y[i] = now; }} z[0] = best;",
        ["bounded", None],
    ),
    "the best stretch by a choice": (
        f"int now = x[0], best = x[0]; {LOOP} {{ now = now > 0 ? now + x[i] : x[i]; if (now > best) best = now; y[i] = best; }}",
        ["bounded", None],
    ),
    "the best stretch by branches": (
        f"int now = 0; {LOOP} {{ if (now < 0) now = x[i]; else now += x[i]; y[i] = now; }} z[0] = now;",
        ["bounded"],
    ),
    "a level with two bounds": (
        f"int level = 5; {LOOP} {{ level += x[i]; if (level > 20) level = 20; if (level < i % 7) level = i % 7; y[i] = level; }}"
        " z[0] = level;",
        ["bounded"],
    ),
    "a long level from the least value": (
        f"long long low = -9223372036854775807LL; {LOOP} {{ low = std::max<long long>(low, x[i]) - 1; y[i] = (int)low; }}",
        ["bounded"],
    ),
    "the largest two": (
        f"int a = -99, b = -99; {LOOP} {{ if (x[i] > a) {{ b = a; a = x[i]; }} else if (x[i] > b) b = x[i]; y[i] = b; }} z[0] = a;",
        ["bounded", "bounded"],
    ),
    "the place of the least so far": (
        f"int m = 99, at = -1; {LOOP} {{ if (x[i] + i % 50 < m) {{ m = x[i] + i % 50; at = i; }} else if (at >= 0) y[i] = at; z[i] = m; }}",
        ["bounded", "affine"],
    ),
    "with and without a share": (
        f"long long cash = 0, hold = -(1LL << 40); {LOOP} {{ long long c = std::max(cash, hold + x[i] - 3);"
        " hold = std::max(hold, cash - x[i]); cash = c; y[i] = (int)cash; } z[0] = (int)cash;",
        ["extreme"],
    ),
    "the best of two lines with a change": (
        f"int a = 0, b = 0; {LOOP} {{ int to_a = b + 4 < a ? b + 4 : a; int to_b = a + 4 < b ? a + 4 : b;"
        " a = to_a + (x[i] & 7); b = to_b + (x[i] * i & 7); y[i] = a - b; z[i] = std::min(a, b); }",
        ["extreme"],
    ),
    "every other one": (
        f"int with = 0, without = 0; {LOOP} {{ int w = without + x[i]; if (with > without) without = with; with = w; y[i] = with; }}"
        " z[0] = with + without;",
        ["extreme"],
    ),
    "inside of quotes": (
        f"int s = 0; {LOOP} {{ if (s == 0) {{ if (x[i] == 1) s = 1; }} "
        "else if (s == 1) { if (x[i] == 2) s = 2; else if (x[i] == 1) s = 0; } else s = 1; y[i] = s; z[i] = s + i; }",
        ["table"],
    ),
    "on and off": (f"bool on = false; {LOOP} {{ if (x[i] > 6) on = !on; y[i] = on ? x[i] : 0; }}", ["table"]),
    "a phase that starts anew": (
        f"int p = 0; {LOOP} {{ if (x[i] == 3) p = 0; else p = p == 2 ? 0 : p + 1; y[i] = p; }}",
        ["table"],
    ),
    "a count up to five": (
        f"int p = 5; {LOOP} {{ if (x[i] > 2) {{ if (p < 5) p++; else p = 1; }} y[i] = p; }}",
        ["table"],
    ),
    "a remainder of few": (f"int p = 1; {LOOP} {{ p = (p * 2 + (x[i] & 1)) % 7; y[i] = p; }}", ["table"]),
    "the largest behind it": (
        "int m = 0; for (int i = n - 1; i >= 0; --i) { m = std::max(m, x[i]); y[i] = m; }",
        [None],
    ),
    "from the end on": (
        "unsigned h = 1; for (int i = n - 1; i >= 1; i--) { h = h * 3u + (unsigned)x[i]; y[i] = (int)h; } z[0] = (int)h;",
        ["affine"],
    ),
    "from the element behind": (
        "y[n - 1] = x[n - 1]; for (int i = n - 2; i >= 0; --i) y[i] = 3 * y[i + 1] + x[i];",
        ["affine"],
    ),
    "sums from the end": ("z[n - 1] = 0; for (int i = n - 2; i >= 0; --i) z[i] = z[i + 1] + x[i + 1];", [None]),
    "turned by data": (f"bool on = x[0] > 2; {LOOP} {{ on ^= x[i] & 1; y[i] = on ? 1 : 2; }}", ["table"]),
    "a machine of a mask, counted": (
        f"int s = 1, found = 0; {LOOP} {{ s = (s * 5 + x[i] * x[i]) & 7; if (s == 3) found++; y[i] = found; }} z[0] = 10 * found + s;",
        ["table", None],
    ),
}
OF_REAL = {
    "an average with a rate for each turn": (
        f"float v = x[0]; {LOOP} {{ v = (1.0f - r[i]) * v + r[i] * x[i]; y[i] = v; }}",
        ["affine"],
    ),
    "in double": (f"float v = 0; {LOOP} {{ v = v * 0.75 + x[i]; y[i] = v; }}", ["affine"]),
    "a mean and what is far from it": (
        f"double m = 0, s = 0; {LOOP} {{ double d = x[i] - m; m += d / (i + 1); s += d * (x[i] - m); y[i] = (float)(s / (i + 1)); }}",
        ["affine", None],
    ),
    "a filter of second order": (
        f"float a = 0, b = 0, c = 0, d = 0; {LOOP} {{ float out = 0.2f * x[i] + 0.3f * a + 0.1f * b + 0.5f * c - 0.25f * d;"
        " b = a; a = x[i]; d = c; c = out; y[i] = out; }",
        ["affine", "affine", "affine"],
    ),
    "from the element before": ("y[0] = x[0]; for (int i = 1; i < n; i++) y[i] = r[i] * y[i - 1] + x[i];", ["affine"]),
    "a bucket that leaks": (
        f"float v = 0; {LOOP} {{ v = std::min(2.0f, std::max(0.0f, v + x[i] - r[i])); y[i] = v; }}",
        ["bounded"],
    ),
}
REFUSED = {
    "a square of itself": f"unsigned h = 7; {LOOP} {{ h = h * h + x[i]; y[i] = (int)h; }}",
    "a part of itself": f"int h = 7; {LOOP} {{ h = h / 3 + x[i]; y[i] = h; }}",
    "a condition on itself": f"int h = 7; {LOOP} {{ if (h < 100) h += x[i]; y[i] = h; }}",
    "a factor that it finds itself": f"unsigned h = 7; {LOOP} {{ h = h * x[h % n] + 1; y[i] = (int)h; }}",
    "a flag that it sets": f"int h = 0; {LOOP} {{ int up = 0; if (h > 3) up = 1; h += x[i] - up; y[i] = h; }}",
    "cut on the way": f"int h = 7; {LOOP} {{ signed char c = (signed char)h; h = c + x[i]; y[i] = h; }}",
    "rounded on the way": f"int h = 7; {LOOP} {{ h = (int)(0.5f * h) + x[i]; y[i] = h; }}",
    "two widths": f"unsigned a = 1; unsigned short b = 2; {LOOP} {{ unsigned t = a + b; b = (unsigned short)a; a = t * 3 + x[i];"
    " y[i] = b; }",
    "bounds that wrap around": f"unsigned u = 3; {LOOP} {{ u = std::max(2u, u - (unsigned)x[i]); y[i] = (int)u; }}",
    "narrow bounds that wrap around": f"short u = 3; {LOOP} {{ u = (short)std::max(-30000, u - 3000 * x[i]); y[i] = u; }}",
    "a place that the choice reads": (
        f"int m = 0, at = 0; {LOOP} {{ if (x[i] > m) {{ at = i; m = x[at]; }} y[i] = m; }}"
    ),
    "a second choice of one value": (f"int m = 0; {LOOP} {{ if (x[i] > m) {{ m = x[i]; m = m - 1; }} y[i] = m; }}"),
    "a choice that moves what it was made of": (
        f"int m = 0; {LOOP} {{ int d = x[i]; if (d > m) {{ d = 2; m = d; }} y[i] = m; }}"
    ),
    "the greatest of one and the least of another": (
        f"int a = 0, b = 0; {LOOP} {{ int c = std::max(a, b + x[i]); b = std::min(b, a - x[i]); a = c; y[i] = a; }}"
    ),
    "a choice of another step": f"int now = 0; {LOOP} {{ now = now > 0 ? now + x[i] : x[i] + 1; y[i] = now; }}",
    "seventeen states": f"unsigned s = 0; {LOOP} {{ s = (s * s + (unsigned)x[i]) % 17; y[i] = (int)s; }}",
    "a state that comes from data": f"int s = x[0]; {LOOP} {{ s = s > 2 ? 1 : (s * s) & 7; y[i] = s; }}",
    "a count without an end": f"int p = 0; {LOOP} {{ if (x[i] > 2) p = p ^ 5; else p = p * 2 + 1; y[i] = p; }}",
    "a count by twos": "int p = 0; for (int i = 0; i < n; i += 2) { p = p > 2 ? 0 : p + 1; y[i] = p; }",
    "a remainder below nothing": f"int s = 0; {LOOP} {{ s = (s * s + x[i]) % 5; y[i] = s; }}",
    "reads what it wrote": f"unsigned h = 7; {LOOP} {{ y[i] = x[i]; h = h * 3u + (unsigned)y[i / 2]; z[i] = (int)h; }}",
}


def of_whole(body: str, make_task) -> Task:
    return make_task(f"{WHOLE}void f(int n, const int* x, int* y, int* z) {{ {body} }}\n", "f")


def of_real(body: str, make_task) -> Task:
    return make_task(f"{REAL}void f(int n, const float* x, const float* r, float* y) {{ {body} }}\n", "f")


def found_in(task: Task):
    analysis = Engine().analysis(task)
    return scan_of(next(nest for nest in analysis.nests if nest.kind is Kind.SERIAL), analysis.scop)


@pytest.mark.parametrize("name", [*OF_WHOLE, *OF_REAL])
def test_families(name, make_task):
    task = of_whole(OF_WHOLE[name][0], make_task) if name in OF_WHOLE else of_real(OF_REAL[name][0], make_task)
    found = found_in(task)
    assert not isinstance(found, str), found
    assert [stage.map and stage.map.family.value for stage in found.stages] == (OF_WHOLE | OF_REAL)[name][1]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_such_map_keeps_its_order(name, make_task):
    assert isinstance(found_in(of_whole(REFUSED[name], make_task)), str)


def test_the_results_are_those_of_the_source(make_task):
    engine, pairs = Engine(), []
    tasks = [of_whole(body, make_task) for body, _ in OF_WHOLE.values()]
    tasks += [of_real(body, make_task) for body, _ in OF_REAL.values()]
    for task in tasks:
        pairs.append(Pair(task, engine.text(task, steps(engine, task, ["block_scan"], 1))))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said[:2], pairs[k].source) for k, said in wrong.items()][:1]


def random_body(chance: random.Random) -> str:
    """Two or three values of one kind that hang on each other by sums, bounds, conditions and copies, in a random order."""
    signed = chance.random() < 0.4
    kind, names = "int" if signed else "unsigned", ["p", "q", "r"][: chance.randint(1, 3)]
    known = ["x[i]", "(i % 9)", "h", "x[n - 1 - i]"]

    def data() -> str:
        return f"({chance.choice(known)} {chance.choice(['+', '-', '^'])} {chance.choice(known)})"

    def change(name: str) -> str:
        other = chance.choice(names)
        if signed:
            ways = ["{0} = std::max({0} + {2}, {3});", "{0} += {2}; if ({0} > 40) {0} = 40;", "{0} = {2};"]
            ways += ["{0} = std::max({0}, {1} + {2});", "{0} = {1} - h;", "if ({1} > {0}) {{ {0} = {1}; y[i] = h; }}"]
            ways += ["{0} = {0} > 0 ? {0} + {2} : {2};", "if ({0} < {3}) {0} = {3};", "{0} = std::min({3}, {0}) - h;"]
        else:
            ways = ["{0} = {0} * (unsigned){2} + {1};", "{0} += {1} * 3u;", "{0} = {1};", "{0} = (unsigned){2};"]
            ways += ["{{ unsigned t = {0}; {0} = {1}; {1} = t + (unsigned){2}; }}", "{0} = {2} > 1 ? {1} : {0};"]
        own = chance.choice(ways).format(name, other, data(), data())
        return f"if ({data()} > {chance.randint(-3, 3)}) {{ {own} }}" if chance.random() < 0.4 else own

    work = [change(chance.choice(names)) for _ in range(chance.randint(1, 4))]
    work += [f"y[i] = (int){chance.choice(names)};", f"z[i] = (int)({' ^ '.join(names)});"]
    chance.shuffle(work)
    starts = ", ".join(f"{name} = {chance.choice(['0', '1', 'x[0]'])}" for name in names)
    return f"{kind} {starts}; {LOOP} {{ int h = x[i] % 5; {' '.join(work)} }} z[0] = (int)({' + '.join(names)});"


@pytest.mark.slow
def test_random_maps_natively(make_task):
    """`REGRAPHT_RANDOM_MAPS_FROM` sets the seed."""

    def decide(engine: Engine, task: Task, _: random.Random) -> Sequence[Decision]:
        program = engine.program(task, steps(engine, task, []))
        found = reason_against(program, BY_SLUG["block_scan"]) is None
        return steps(engine, task, ["block_scan"] if found else [])

    require_right(
        lambda chance: of_whole(random_body(chance), make_task),
        seed_from="REGRAPHT_RANDOM_MAPS_FROM",
        is_parallel=lambda nests: any(nest.kind is Kind.SERIAL for nest in nests),
        decide=decide,
        programs=20,
    )
