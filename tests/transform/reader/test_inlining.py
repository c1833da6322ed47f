"""Calls that are written out where names, changes and order could go wrong."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = """// shape: x = n * m
// shape: y = n * m
// shape: h = 64
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <cmath>
struct Pair { float a, b; };
static void both(Pair& p, Pair q) { p.a += q.b; p.b += q.a; }
static void by(Pair& p, const float& s) { p.a *= s; p.b *= s; }
static int bump(int v, int& k) { k += 10; return v + k; }
static Pair sorted(Pair p) { if (p.b < p.a) { float t = p.a; p.a = p.b; p.b = t; } return p; }
static Pair first_below(const float* p, int n, float most) {
    for (int k = 0; k < n; k++)
        if (p[k] < most) return {p[k], (float)k};
    return {0, -1};
}
static float& at(float* p, int k) { return p[k]; }
static float& checked(float* p, int k) { if (k < 0) k = 0; return p[k]; }
static Pair& same(Pair& p) { return p; }
#define BOTH(p, v) both(p, {v, 1})
template <typename T> T clamped(T v, T low, T high) { T t = v < low ? low : v; if (t > high) t = high; return t; }
template <typename T> void exchange(T& p, T& q) { T t = p; p = q; q = t; }
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y, int* h)"
EACH = "for (int i = 0; i < n; i++) {{ {} }}"

BODIES = {
    "one struct twice": "Pair p = {x[i], 2}; both(p, p); by(p, p.a); y[i] = p.a + 10 * p.b;",
    "one number twice": "int k = i; const int v = bump(k, k); y[i] = v + 100 * k;",
    "structs that change places": """
        Pair p = {x[i], 1}, q = sorted(p);
        exchange(p.a, p.b);
        exchange(p, q);
        y[i] = p.a + 10 * p.b + 100 * q.a;""",
    "a return out of a loop": "const Pair p = first_below(x + i * m, m, 0.25f); y[i] = p.a + p.b;",
    "a return out of a loop, set anew": "Pair p = {x[i], 3}; if (i % 2) p = first_below(x + i * m, m, p.a); y[i] = p.a + p.b;",
    "an operator between effects": """
        int k = i % 3;
        auto sq = [](int v) { return v * v; };
        if (sq(k) > 0 && (k = 5) > sq(2)) h[i % 64] += k;
        y[i] = sq(k);""",
    "names of the caller": """
        float v = x[i], t = 2, low = -0.5f;
        auto low_of = [&](float t) { float v = t * low; for (int i = 0; i < 3; i++) v += i * t; return v; };
        y[i] = clamped(v, low, t / 4) + low_of(v + t) + t;""",
    "a counter that it changes": """
        int k = 0;
        auto next = [&](int by) { k += by; return k; };
        const int a = next(2);
        const int b = next(k);
        y[i] = a + 10 * b + 100 * k;""",
    "a pointer that it moves": """
        const float* p = x + i * m;
        auto next = [&]() { return *p++; };
        float s = 0;
        for (int k = 0; k < m; k++) s = 0.5f * s + next();
        y[i] = s;""",
    "a condition of a loop": "int k = 0; auto more = [&](int v) { int w = v; w += k; return w < 9; }; while (more(i % 5)) k++; y[i] = k;",
    "one in one": """
        float scale = x[i];
        auto outer = [=](float v) { auto inner = [scale, v](float w) { return w * scale + v; }; return inner(v) - inner(2 * v); };
        scale = 7;
        y[i] = outer(scale) + outer(x[i]);""",
    "a switch": """
        auto kind = [](int k) {
            switch (k % 4) { case 0: return 3; case 1: case 2: return k; default: break; }
            return -1;
        };
        y[i] = kind(i) + kind(i + 1) * 10;""",
    "an effect in an argument": """
        int k = i % 5;
        auto sum = [](int a, int b) { return a + 10 * b * a; };
        const int r = sum(k++, 3);
        y[i] = r + 100 * k;""",
    "an element behind a step": """
        int k = i * m;
        auto pick = [](auto v) { return v; };
        const float* p = x + i * m;
        const float a = pick(x[k++]); const float b = pick(*p++); const float c = pick(k > 3 ? x[--k] : x[k - 1]);
        y[i] = a + 2 * b + 3 * c + k;""",
    "a struct of the loop before": """
        Pair last = {0, 1};
        for (int k = 0; k < m; k++) {
            const Pair now = {x[i * m + k], last.a};
            last = sorted(now);
            if (k % 3 == 2) last = {last.b, last.a};
        }
        y[i] = last.a - last.b;""",
    "a place that a call returns": """
        Pair p = {x[i], 2};
        at(y, i) = 3; at(y, i) += x[i]; same(p).b = 5;
        float& r = at(y, i);
        r *= 2;
        y[i] += p.a + p.b;""",
    "a list in a macro": "Pair p = {x[i], 2}; BOTH(p, x[i] + 1); y[i] = p.a + 10 * p.b;",
    "an element of an array": """
        float w[3] = {x[i], 1, 2};
        exchange(w[0], w[2]);
        auto put = [&](int k, float v) { w[k] += v; };
        put(1, w[0]); put(i % 3, 5);
        y[i] = w[0] + 10 * w[1] + 100 * w[2];""",
}


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: f"{HEAD}{SIGNATURE} {{\n{EACH.format(body)}\n}}\n" for name, body in BODIES.items()})


def test_a_place_behind_several_statements_is_refused(make_task) -> None:
    with pytest.raises(CannotTransform, match=r"assignment to 'checked\(y, i - 1\)'"):
        analyse(make_task(f"{HEAD}{SIGNATURE} {{\n{EACH.format('checked(y, i - 1) = x[i];')}\n}}\n", "f"))
