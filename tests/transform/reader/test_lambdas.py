"""Lambdas bound to a local: calls are written out; what they hold by value is what it was."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = """// shape: x = n * m
// shape: y = n * m
// shape: h = 64
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <algorithm>
#include <cmath>
#include <numeric>
constexpr float kGain = 1.5f;
static float helped(float v) { return v * kGain; }
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y, int* h)"

RIGHT = {
    "an index": """
        auto at = [&](int i, int k) { return i * m + k; };
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m; k++) y[at(i, k)] = x[at(i, m - 1 - k)] * 2;""",
    "an element": """
        const auto pixel = [&](int i, int k) -> float {
            if (i < 0 || i >= n) return 0.0f;
            return x[i * m + k];
        };
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m; k++) y[i * m + k] = pixel(i - 1, k) + pixel(i + 1, k) - 2 * pixel(i, k);""",
    "declared in the loop, over its variables": """
        for (int i = 0; i < n; i++) {
            const float v = x[i];
            auto score = [&](float a, int j) { float s = a * v; for (int k = 0; k < j; k++) s += x[i * m + k]; return s; };
            y[i] = score(2.0f, m) - score(v, 1);
        }""",
    "what changes, by reference": """
        for (int i = 0; i < n; i++) {
            float sum = 0; int count = 0;
            auto add = [&](float v) { sum += v; ++count; };
            for (int k = 0; k < m; k++) if (x[i * m + k] > 0) add(x[i * m + k]);
            y[i] = sum + count;
        }""",
    "what changes, by value": """
        for (int i = 0; i < n; i++) {
            float scale = x[i];
            auto scaled = [scale](float v) { return v * scale; };
            auto both = [=](float v) { return v * scale + kGain; };
            scale = 100;
            y[i] = scaled(2) + both(3) + scale;
        }""",
    "mixed captures and defaults": """
        for (int i = 0; i < n; i++) {
            int k = 0; float last = 0;
            auto step = [&last, k, x, i](float by = 0.5f) { last += by * x[i] + k; };
            k = 7;
            step(); step(2);
            y[i] = last + k;
        }""",
    "one in another, and a helper": """
        auto sq = [](float v) { return v * v; };
        auto sum = [&](const auto& a, float b) { return sq(a) + helped(sq(b)); };
        for (int i = 0; i < n; i++) y[i] = sum(x[i], 2.0f) + sum(i, x[i] + 1);""",
    "a writer": """
        auto put = [&](int i, float v) { y[i] = v; if (v > 0.5f) return; y[i] += 1; };
        for (int i = 0; i < n * m; i++) put(i, x[i]);""",
    "in conditions": """
        auto inside = [&](int i) { return i > 0 && i < n - 1; };
        for (int i = 0; i < n; i++) if (inside(i) || x[i] > 0) y[i] = inside(i) ? x[i - 1] + x[i + 1] : 3.0f;""",
    "in a bound": """
        auto last = [&](int i) { return std::min(i + 3, n); };
        for (int i = 0; i < n; i++) { float s = 0; for (int k = i; k < last(i); k++) s += x[k]; y[i] = s; }""",
    "a local array by reference": """
        for (int i = 0; i < n; i++) {
            float w[3] = {x[i], 1, 2};
            auto at = [&](int k) { return w[k]; };
            w[1] = 5;
            y[i] = at(0) + 10 * at(1) + 100 * at(i % 3);
        }""",
    "values of its own": """
        float w = 3;
        auto g = [w = w * w, half = n / 2, &y](int i) { y[i] += w + half; };
        auto h2 = [=, twice = 2 * w](float v) { return v * twice + w; };
        w = 100;
        for (int i = 0; i < n; i++) { g(i); y[i] = h2(y[i]); }""",
    "a total declared with auto": """
        const auto total = std::accumulate(x, x + n, 0.0f);
        const auto above = [t = total](float v) { return v > t ? 1 : 2; };
        for (int i = 0; i < n; i++) y[i] = x[i] + above(x[i]);""",
    "an argument that it changes": """
        auto halve = [](float v, int times) { while (times-- > 0) v /= 2; return v; };
        auto raise = [](float& v) { v += 1; };
        for (int i = 0; i < n; i++) { float v = x[i]; raise(v); y[i] = halve(v, i % 5) + v; }""",
}
REFUSED = {
    "for (int i = 0; i < n; i++) { float w[2] = {1, 2}; auto g = [w](int k) { return w[k]; }; w[0] = x[i]; y[i] = g(0); }": (
        "'w' is captured by value and changes later"
    ),
    "int k = 0; auto g = [k]() mutable { return ++k; }; y[0] = g();": "(mutable)",
    "int k = 1; auto g = [&r = k]() { return r; }; y[0] = g();": "the capture '&r = k'",
    "auto g = [](int v) { int s = v; s *= 2; return s; }; for (int k = 0; k < g(n); k++) y[k] = 1;": "'g(n)' needs statements",
    "auto g = [](int k) { return k; }; y[0] = g(1, 2);": "call of 'g' with 2 arguments",
    "auto g = [](float v) { return v; }; auto h2 = g; y[0] = h2(1);": "'g'",
    "auto g = [&](float v, float w) { return v < w; }; std::sort(y, y + n, g);": "std::sort",
}


def program(body: str) -> str:
    return f"{HEAD}{SIGNATURE} {{\n{body}\n}}\n"


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: program(body) for name, body in RIGHT.items()})


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(body), "f"))
    assert REFUSED[body] in str(refused.value) and refused.value.line, refused.value


def test_an_index_stays_affine(make_task) -> None:
    nest = analyse(make_task(program(RIGHT["an index"]), "f")).nests[0]
    assert len(nest.parallel) == 2
