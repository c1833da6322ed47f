"""`std::vector` locals, the library's loops over ranges, references for parameters, functions that count bits."""

import random

import pytest

from regrapht.errors import CannotTransform
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import apply, choices
from regrapht.transform.rules.decisions import Decision

from ..native.native_bench import Pair, native_differences
from ..random_programs import random_decisions

HEAD = """#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>
using row = std::vector<float>;
"""
CHECK = "// check: n=1,m=1; n=33,m=7; n=130,m=5\n"
SHAPES = "// shape: x = n * m\n// shape: y = n * m\n// shape: h = 64\n"
SIGNATURE = "void f(int n, int m, const float* x, float* y, int* h)"

RIGHT = {
    "two buffers that change places": """
        std::vector<float> now(x, x + n), next(n);
        for (int t = 0; t < m; t++) {
            for (int i = 0; i < n; i++) next[i] = now[i] + 0.25f * now[i > 0 ? i - 1 : n - 1];
            std::swap(now, next);
        }
        std::copy(now.begin(), now.end(), y);""",
    "the method swap": """
        std::vector<float> a(n, 1.5f), b(x, x + n);
        a.swap(b);
        for (int i = 0; i < n; i++) y[i] = a[i] - 2 * b[i];""",
    "a length whose variable changes": """
        int w = n;
        std::vector<float> v(w, 1.0f);
        w = w / 2;
        for (float& e : v) e += 1;
        std::vector<float> same(v);
        for (int i = 0; i < n; i++) y[i] = v[i] + same[n - 1 - i] + w;
        h[0] = (int)v.size() + (int)v.back() + (int)(v.end() - v.begin());
        h[1] = (int)std::accumulate(v.begin(), v.end(), 0.0f);""",
    "a length by hand whose variable changes": """
        int w = n;
        float* s = new float[w]();
        int* count = (int*)std::malloc(w * sizeof(int));
        w = (w + 1) / 2;
        for (int i = 0; i < w; i++) s[i] = x[i];
        for (int i = 0; i < n; i++) count[i] = i < w ? 1 : 2;
        for (int i = 0; i < n; i++) y[i] = s[i] + count[i];
        delete[] s;
        std::free(count);""",
    "a fill up to another value of the length": """
        int w = n;
        std::vector<float> s(w, 1.5f);
        w = w / 2;
        for (int i = 0; i < w; i++) s[i] = x[i];
        for (int i = 0; i < n; i++) y[i] = s[i];""",
    "a fill by a loop that is left": """
        std::vector<float> s(n, 1.5f), t(n, 2.5f), u(n, 3.5f);
        for (int i = 0; i < n; i++) {
            if (x[i] > 0.5f) break;
            s[i] = x[i];
        }
        for (int i = 0; i < n; i++) {
            t[i] = x[i];
            if (x[i] > 0.5f) break;
        }
        for (int i = 0; i < n; i++) {
            if (x[i] > 0.5f) continue;
            u[i] = x[i];
        }
        for (int i = 0; i < n; i++) y[i] = s[i] + 10 * t[i] + 100 * u[i];""",
    "a fill by a loop that skips": """
        std::vector<float> s(n, 1.5f);
        for (int i = 0; i < n; i++) {
            s[i] = x[i];
            if (x[i] > 0) i++;
        }
        for (int i = 0; i < n; i++) y[i] = s[i];""",
    "scratch that is read beside the turns": """
        float* s = new float[m];
        for (int r = 0; r < 2; r++) {
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < m; k++) s[k] = x[i * m + k] + r;
                float g = 0;
                for (int k = 0; k < m; k++) {
                    g = 0.5f * g + s[k];
                    y[i * m + k] += g;
                }
            }
            for (int k = 0; k < m; k++) h[k] += (int)(8 * s[k]);
        }
        delete[] s;""",
    "scratch that a first loop sets by places of data": """
        float* s = new float[m];
        for (int k = 0; k < m; k++) {
            s[(h[k] * h[k]) % m] = 1;
            h[k] = k;
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < m; k++) s[k] = x[i * m + k];
            float g = 0;
            for (int k = 0; k < m; k++) {
                g = 0.5f * g + s[k];
                y[i * m + k] = g;
            }
        }
        delete[] s;""",
    "scratch in the values of a small array": """
        std::vector<float> s(m, 1.0f);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < m; k++) s[k] = x[i * m + k];
            const float ends[2] = {s[0], s[m - 1]};
            float g = 0;
            for (int k = 0; k < m; k++) {
                g = 0.5f * g + s[k] * ends[k % 2];
                y[i * m + k] = g;
            }
        }""",
    "a step by data and other loops of the line": " ".join(
        (
            "for (int i = 0; i < n; i++) { const int st = h[i % 64] % 3 * (h[i % 64] % 3) + 1;",
            "for (int l = 0; l < m; l += st) y[i] = 0.5f * y[i] + x[i * m + l]; }",
            "for (int l = 0; l < m; l++) h[l] += 1;",
            "for (int i = 0; i < n; i++) { y[i] += 1;",
            "for (int l = 0; l < m; l++) y[i] = 0.5f * y[i] + x[i * m + l]; }",
        )
    ),
    "a fill that matters": """
        std::vector<float> sum(m);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m; k++) sum[k] += x[i * m + k];
        for (int k = 0; k < m; k++) y[k] = sum[k];""",
    "one in each turn": """
        for (int i = 0; i < n; i++) {
            std::vector<float> line(m);
            for (int k = 0; k < m; k += 2) line[k] = x[i * m + k];
            for (int k = 0; k < m; k++) y[i * m + k] = line[m - 1 - k];
        }""",
    "an expression for a length, and size": """
        std::vector<int> square(n * m, 3);
        for (size_t i = 0; i < square.size(); i++) square[i] += (int)i;
        for (int i = 0; i < n * m; i++) y[i] = (float)square[i];""",
    "front, back, at and data": """
        std::vector<float> v(x, x + n);
        float* p = v.data();
        for (int i = 0; i < n; i++) p[i] *= 2;
        for (int i = 0; i < n; i++) y[i] = v.front() + v.back() - v.at(i);""",
    "assign and copies of whole vectors": """
        std::vector<float> a(n), b(n, 2.0f);
        a.assign(n, 3.0f);
        for (int i = 0; i < n; i++) b[i] += x[i];
        std::vector<float> c(b);
        a = b;
        for (int i = 0; i < n; i++) y[i] = a[i] * c[i];""",
    "loops over ranges": """
        std::vector<float> v(x, x + n);
        for (float& one : v) one = one * one + 1;
        float sum = 0;
        for (const float one : v) sum += one > 2 ? 1 : 2;
        y[0] = sum;""",
    "fill, fill_n, iota and memset": """
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 5);
        std::fill(y, y + n * m, 1.0f);
        std::fill_n(y, n, 2.0f);
        std::memset(h, 0, 64 * sizeof(int));
        for (int i = 0; i < n; i++) h[i % 64] += order[n - 1 - i];""",
    "memcpy, copy_n and swap_ranges": """
        std::memcpy(y, x, sizeof(float) * n * m);
        std::copy_n(x, n, y);
        if (n > 2) std::swap_ranges(y, y + n / 2, y + (n - n / 2));""",
    "a range that moves over itself": """
        std::copy(x, x + n, y);
        std::copy(y + 1, y + n, y);""",
    "fills behind a pointer that walks": """
        for (int i = 0; i < n; i++, y += m) {
            std::fill(y, y + m, 0.5f);
            y[m - 1] = x[i];
        }""",
    "a name for a vector's type": """
        row line(m, 2.0f);
        for (int k = 0; k < m; k++) y[k] = line[k] + x[k];""",
    "sums of ranges": """
        const float total = std::accumulate(x, x + n, 0.5f);
        for (int i = 0; i < n; i++) y[i] = total + std::inner_product(x + i * m, x + (i + 1) * m, x, 0.0f);
        h[0] = std::accumulate(h + 1, h + 9, 0);""",
    "extremes of ranges": """
        const float top = *std::max_element(x, x + n);
        for (int i = 0; i < n; i++) y[i] = top - *std::min_element(x + i * m, x + i * m + m);""",
    "searches of ranges": """
        std::vector<int> code(n);
        for (int i = 0; i < n; i++) code[i] = i * 7 % 11;
        h[0] = std::find(code.begin(), code.end(), 3) != code.end();
        h[1] = (int)(std::find(code.begin(), code.end(), 5) - code.begin());
        auto big = std::find_if(code.begin(), code.end(), [&](int c) { return c > m; });
        h[2] = big == code.end() ? -1 : *big;
        const float* low = std::find_if_not(x, x + n, [](float v) { return v > 0; });
        for (int i = 0; i < n; i++) y[i] = low - x > i ? 1.0f : 2.0f;""",
    "sums in any order": """
        const float total = std::reduce(x, x + n), shifted = std::reduce(x, x + n, 1.5);
        y[0] = std::transform_reduce(x, x + n, x, 0.0f);
        for (int i = 1; i < n; i++) y[i] = total + shifted;
        h[0] = std::reduce(h + 1, h + 9, 5, [](int a, int b) { return std::max(a, b); });""",
    "running extremes": """
        std::inclusive_scan(x, x + n, y, [](float a, float b) { return std::min(a, b); }, 0.5f);
        std::inclusive_scan(h, h + 64, h, [](int a, int b) { return std::max(a, b); }, 3);""",
    "a vector that begins as another": """
        std::vector<float> a(x, x + n), b = a;
        for (int i = 0; i < n; i++) b[i] += a[n - 1 - i];
        std::vector<float> c = std::move(b);
        for (int i = 0; i < n; i++) y[i] = a[i] * c[i];""",
    "what is declared and not used": """
        std::vector<float> spare(n);
        for (int i = 0; i < n; i++) y[i] = x[i];""",
    "bits and bounds": """
        for (int i = 0; i < n; i++) {
            const unsigned bits = (unsigned)(i * 2654435761u) | 1u;
            const long long wide = (long long)bits << 7;
            h[i % 64] = __builtin_popcount(bits) + 3 * __builtin_clz(bits) + 5 * __builtin_ctz(bits << 3 | 0x80000000u)
                + __builtin_popcountll(wide) + __builtin_ctzll(wide) + __builtin_clzll(wide);
            y[i] = std::clamp(x[i], -0.5f, 0.25f);
        }""",
}
HELPERS = {
    "references": (
        """static void both(float a, float& low, float& high) { low = a < low ? a : low; high = a > high ? a : high; }
static float sum_of(const std::vector<float>& v, int n) { float s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
static void doubled(std::vector<float>& v) { for (size_t i = 0; i < v.size(); i++) v[i] *= 2; }""",
        """
        for (int i = 0; i < n; i++) {
            float low = 1e9f, high = -1e9f;
            for (int k = 0; k < m; k++) both(x[i * m + k], low, high);
            y[i] = high - low;
        }
        std::vector<float> v(m, 1.0f);
        doubled(v);
        h[0] = (int)sum_of(v, m);""",
    ),
    "what a reference changes behind a pointer's back": (
        "static void next(int& k) { k += 2; }",
        """
        for (int i = 0; i + 8 < n; i++) {
            int k = i;
            const float* p = x + k;
            next(k);
            y[i] = p[0] + 10 * x[k];
            next(k);
            const float* q = x + k;
            int& same = k;
            same -= 1;
            h[i % 64] = k + (int)p[1] + (int)(8 * q[0]);
        }""",
    ),
    "helpers with names of the library's": (
        """static float accumulate(const float* p, const float* q, float factor) { return factor * p[0] - q[-1]; }
static void fill(float* p, const float* q, float step) { for (int i = 0; i < 3; i++) p[i] = q[0] + step * i; }
static int clamp(int a, int b, int c) { return a + 10 * b + 100 * c; }""",
        """
        for (int i = 0; i < n; i++) y[i] = accumulate(x + i, x + i + 1, 3.0f) + (float)clamp(i, 2, 3);
        if (n * m > 3) fill(y, x, 2.0f);""",
    ),
    "a table inside a helper": (
        "static int odd(int i) { static const int factor[3] = {7, 11, 13}; return i * factor[i % 3]; }",
        "for (int i = 0; i < n; i++) y[i] = (float)odd(i) + x[i];",
    ),
}
REFUSED = {
    "std::vector<float> v;\n v.push_back(x[0]);\n y[0] = v[0];": "the vector 'v' without a length",
    "std::vector<float> v(n++);\n y[0] = v[0];": "'n++' inside an expression",
    "std::vector<float> v(h[0]);\n y[0] = v[0];": "the length of 'v' is found out on the way",
    "std::vector<float> v(n / m);\n y[0] = v[0];": "the length of 'v' divides by what may be zero",
    "for (int i = 0; i < n; i++) { std::vector<float> v(i + 1); v[i] = x[i]; y[i] = v[i]; }": "the length of 'v' is found out",
    "std::vector<std::vector<float>> v(n);\n y[0] = v[0].size();": "the vector of vectors 'v'",
    "std::vector<float> v(n), w(m);\n v = w;\n y[0] = v[0];": "a vector gets another length",
    "std::memset(y, 1, n * sizeof(float));": "'memset' with '1'",
    "std::memset(y, 0, n);": "'n' bytes of 'y'",
    "std::vector<float> v = {x[0], x[1]};\n y[0] = v[0];": "the vector 'v' without a length",
    "std::inclusive_scan(x, x + n, y, [](float a, float b) { return a; });": "has an effect that is not known",
    "std::copy(x, y, y);": "a range that begins in one array and ends in another",
}


def program(body: str, helpers: str = "") -> str:
    return f"{HEAD}{SHAPES}{CHECK}{helpers}\n{SIGNATURE} {{{body}\n}}\n"


def programs() -> dict[str, str]:
    plain = {name: program(body) for name, body in RIGHT.items()}
    return plain | {name: program(body, helpers) for name, (helpers, body) in HELPERS.items()}


def test_the_candidates_do_what_the_functions_do(make_task) -> None:
    """Plain, and under random decisions, all compiled together."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, engine, pairs, told = random.Random(seed), Engine(), [], []
    for name, text in programs().items():
        task = make_task(text, "f")
        for decisions in [random_decisions(engine, task, random.Random(0))[:1], random_decisions(engine, task, chance)]:
            pairs.append(Pair(task, engine.text(task, decisions)))
            told.append((name, [str(d) for d in decisions]))
    wrong = native_differences(pairs, choose_sandbox())
    shown = [(told[k], said[:3], pairs[k].source) for k, said in wrong.items()]
    assert not wrong, shown[0]


ROWS = {
    "declared in the loop": """
        for (int i = 0; i < n; i++) {
            std::vector<float> line(m);
            for (int k = 0; k < m; k++) line[k] = x[i * m + k] + 1;
            for (int k = 0; k < m; k++) y[i * m + k] = line[m - 1 - k];
        }""",
    "declared before it": """
        std::vector<float> line(m + 1), spare(m, 2.0f);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k <= m; k++) line[k] = k < m ? x[i * m + k] : 7.0f;
            for (int k = 0; k < m; k++) y[i * m + k] = line[m - k] + spare[k];
        }""",
}
SHARED = {
    "read after the loop": ROWS["declared in the loop"].replace("std::vector<float> line(m);", "")
    + "\n        y[0] = line[0];",
    "set in part": ROWS["declared in the loop"]
    .replace("std::vector<float> line(m);", "")
    .replace("int k = 0; k < m; k++) line", "int k = i % 2; k < m; k++) line"),
    "handed on": ROWS["declared in the loop"].replace("std::vector<float> line(m);", "").replace("+ 1;", "+ line[k];"),
}


@pytest.mark.parametrize("name", ROWS)
def test_turns_get_buffers_of_their_own(make_task, name) -> None:
    task, engine = make_task(program(ROWS[name]), "f"), Engine()
    plain = engine.program(task, ())
    first = next(nest.number for nest in plain.nests if nest.host_loops)
    apart = (
        Decision(
            technique="map_to_threads", nests=tuple(nest.number for nest in plain.nests), parameters={"block": 256}
        ),
        Decision(technique="launch_reduction", nests=(first,), parameters={"loop": 1}),
    )
    cut = (*apart, Decision(technique="kernel_fission", nests=(first,), parameters={"cut": 1}))
    assert all(not nest.host_loops for nest in engine.program(task, apart).nests)
    assert [len(nest.parallel) for nest in engine.program(task, cut).nests[-2:]] == [2, 2]
    wrong = native_differences([Pair(task, engine.text(task, some)) for some in (apart, cut)], choose_sandbox())
    assert not wrong, wrong


@pytest.mark.parametrize("name", SHARED)
def test_turns_that_hand_something_on_stay_in_order(make_task, name) -> None:
    task = make_task(program("\n        std::vector<float> line(m);" + SHARED[name]), "f")
    program_ = Engine().program(task, ())
    plain = apply(
        program_,
        Decision(technique="map_to_threads", nests=tuple(n.number for n in program_.nests), parameters={"block": 256}),
    )
    assert all(BY_SLUG["launch_reduction"].reason_against(plain, nest, {"loop": 1}) for nest in plain.nests)


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(body), "f"))
    assert REFUSED[body] in str(refused.value) and refused.value.line, refused.value


def test_a_buffer_that_is_set_as_a_whole_is_not_filled_first(make_task) -> None:
    set_first = program(
        "std::vector<float> v(n);\nfor (int i = 0; i < n; i++) v[i] = x[i];\nfor (int i = 0; i < n; i++) y[i] = v[n - 1 - i];"
    )
    read_too = set_first.replace("v[i] = x[i]", "v[i] = x[i] + v[0]")
    assert len(analyse(make_task(set_first, "f")).nests) == 2
    assert len(analyse(make_task(read_too, "f")).nests) == 3


def test_a_policy_changes_nothing(make_task) -> None:
    plain = program(
        "h[0] = std::count(h + 1, h + 9, 3);\ny[0] = std::reduce(x, x + n);\nstd::fill(y + 1, y + n, 2.0f);"
    )
    told = plain.replace("(h + 1", "(std::execution::par, h + 1").replace("(x, x", "(std::execution::par_unseq, x, x")
    told = told.replace("(y + 1", "(std::execution::seq, y + 1")
    assert told.count("execution") == 3
    engine = Engine()
    tasks = [make_task(text, "f") for text in (plain, told)]
    one, other = (engine.text(task, random_decisions(engine, task, random.Random(0))[:1]) for task in tasks)
    assert one == other


def test_counts_are_compared_in_one_type(make_task) -> None:
    """CUDA has no `min(int, long long)`: which one is meant is ambiguous. A loop variable is wide, or what bounds it."""
    loop = "float s = 0; for ({index} i = 0; i < {bound}; i++) s += a[i]; return s;"
    bodies = loop.format(index="long long", bound="n"), "const size_t m = n; " + loop.format(index="int", bound="m")
    for body in bodies:
        require_one_type(make_task, f"float sum_of(int n, const float* a) {{ {body} }}\n")


def require_one_type(make_task, code: str) -> None:
    task, engine = make_task(f"// shape: a = n\n// check: n=5\n{code}", "sum_of"), Engine()
    decisions: tuple[Decision, ...] = ()
    for slug in ("map_to_threads", "block_reduction"):
        choice = choices(engine.program(task, decisions), BY_SLUG[slug])[0]
        decisions = (*decisions, choice.decision)
    text = engine.text(task, decisions)
    assert "min((long long)(" in text, text


def test_bounds_of_wide_and_narrow_counters_are_compared_in_one_type(make_task) -> None:
    """As above, where the one type is that of a loop around: `min(31, n - base - 1)` with a wide `base`."""
    code = """void f(int n, const unsigned* x, unsigned* y) {
    for (long long base = 0; base < n; base += 32) {
        unsigned before = 1;
        for (int k = 0; k < 32 && base + k < n; k++) {
            y[base + k] = y[x[base + k] % n] + before;
            before = x[base + k];
        }
    }
}
"""
    task, engine = make_task(f"// shape: x = n\n// shape: y = n\n// check: n=5; n=70\n{code}", "f"), Engine()
    text = engine.text(task, random_decisions(engine, task, random.Random(0))[:1])
    assert "(31), n - base - 1)" in text, text
    assert not native_differences([Pair(task, text)], choose_sandbox())


@pytest.mark.parametrize(
    ("parameters", "body", "expected"),
    [
        (
            "int n, ",
            "const long long w = n; for (int i = 1; i < w && i < n; i++) y[i] = y[i - 1] * x[i] + 1.0f;",
            "min((long long)(n), w)",
        ),
        (
            "unsigned n, ",
            "for (int b = 0; b < n; b += 32) { float s = 0; for (int i = b; i < b + 32 && i < n; i++) "
            "{ s = s * 0.5f + x[i]; y[i] = s; } }",
            "min((long long)(b + 31), n - 1)",
        ),
        (
            "int n, long long m, ",
            "for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m && j < n - i; j++) s += x[j]; y[i] = s; }",
            "min(m, (long long)(-i + n))",
        ),
        (
            "int n, ",
            "const long long w = n / 2; for (int s = 1; s < n; s++) "
            "for (int i = s; i < w + s && i < n; i++) y[i] = y[i - s] + x[i];",
            "min((long long)(n), w + s)",
        ),
        (
            "int n, long long m, ",
            "for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < n * m && j < n - i; j++) s += x[j]; y[i] = s; }",
            "min(((long long)m * n), (long long)(-i + n))",
        ),
    ],
    ids=["a local", "an unsigned size", "a long size", "in the launcher", "a product"],
)
def test_bounds_by_wide_and_narrow_sizes_are_compared_in_one_type(make_task, parameters, body, expected) -> None:
    """As above, where a size or a scalar is wide that kernels and the launcher take, and no counter is."""
    code = f"void f({parameters}const float* x, float* y) {{ {body} }}\n"
    sizes = "n=1,m=3; n=5,m=3; n=70,m=9" if " m," in parameters else "n=1; n=5; n=70"
    task, engine = make_task(f"// shape: x = n\n// shape: y = n\n// check: {sizes}\n{code}", "f"), Engine()
    text = engine.text(task, random_decisions(engine, task, random.Random(0))[:1])
    assert expected in text, text
    assert not native_differences([Pair(task, text)], choose_sandbox())


def test_a_task_without_memory_of_its_own_refuses_vectors(make_task) -> None:
    from dataclasses import replace

    task = make_task(program(RIGHT["a fill that matters"]), "f")
    task = replace(task, contract=replace(task.contract, may_allocate=False))
    with pytest.raises(CannotTransform, match="'sum' needs memory"):
        analyse(task)
