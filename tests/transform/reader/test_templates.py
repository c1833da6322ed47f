"""Function templates of the file, and helpers of one name with several types."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = """// shape: x = n * m
// shape: y = n * m
// shape: d = n
// shape: h = 64
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y, const double* d, int* h)"

RIGHT = {
    "deduced from arguments": (
        "template <typename T> static inline T sq(T v) { return v * v; }",
        "for (int i = 0; i < n; i++) { y[i] = sq(x[i]) + (float)sq(d[i] + 0.25); h[i % 64] += sq(i % 7) / 2; }",
    ),
    "given": (
        "template <class T> T lerp(T a, T b, T t) { return a + t * (b - a); }",
        "for (int i = 0; i < n; i++) y[i] = lerp<float>(x[i], 2, d[i]) + (float)lerp<double>(x[i], d[i], 1 / 3.0);",
    ),
    "pointers, locals and casts": (
        """template <typename T> T sum_of(const T* p, int n) { T s = T{}; for (int k = 0; k < n; k++) s += p[k]; return s; }
template <typename To, typename From> To made(From v) { return static_cast<To>(v * 10) + To{1}; }
template <typename T> void keep_most(T& best, T v) { if (v > best) best = v; }""",
        """for (int i = 0; i < n; i++) {
            float best = -std::numeric_limits<float>::max();
            for (int k = 0; k < m; k++) keep_most(best, x[i * m + k]);
            y[i] = sum_of(x + i * m, m) + made<int>(x[i]) + made<int, double>(d[i]) + best;
        }""",
    ),
    "numbers and defaults": (
        """template <int N> float power(float v) { float r = 1; for (int k = 0; k < N; k++) r *= v; return r; }
template <typename T, int N = 2, typename U = double> T over(T v) { return (T)((U)v / N); }""",
        "for (int i = 0; i < n; i++) y[i] = power<3>(x[i]) + over(x[i]) + over<float, 4>(x[i]) + over(i) + over<int, 3, float>(i);",
    ),
    "one that uses another": (
        """namespace detail {
template <typename T> inline T sq(T v) { return v * v; }
template <typename T> inline T norm(T a, T b) { const T s = detail::sq<T>(a) + sq(b); return std::sqrt(s); }
}""",
        "for (int i = 0; i < n; i++) y[i] = detail::norm(x[i], 0.5f) + (float)detail::norm(d[i], 2.0);",
    ),
    "containers and auto": (
        """template <typename V> float first_of(const V& v) { return v[0] + v.size(); }
template <typename T> auto twice(T v) { return v + v; }
template <typename T, size_t N> T last_of(const std::array<T, N>& v) { return v[N - 1]; }
template <typename T> T middle_of(const std::vector<T>& v) { return v[v.size() / 2]; }
static auto thrice(float v) -> float { return 3 * v; }""",
        """std::vector<float> all(x, x + n);
        for (int i = 0; i < n; i++) {
            std::array<float, 2> two = {x[i], 1};
            y[i] = first_of(two) + first_of(all) + twice(x[i]) + thrice(x[i]) + last_of(two) + middle_of(all);
        }""",
    ),
    "overloads": (
        """static inline int min(int a, int b) { return b < a ? b : a; }
static inline float min(float a, float b) { return b < a ? b : a; }
static float sum(float a) { return a; }
static float sum(float a, float b) { return a + b; }
template <typename T> float sum(T a, T b, T c) { return (float)(a + b + c); }""",
        "for (int i = 0; i < n; i++) y[i] = min(x[i], 0.5f) + min(i, 5) + sum(x[i]) + sum(x[i], 1.0f) + sum(1, 2, i);",
    ),
    "in a condition and a macro": (
        """template <typename T> bool between(T v, T low, T high) { return v >= low && v < high; }
#define INSIDE(v) (between((v), -0.5f, 0.5f))""",
        "for (int i = 0; i < n; i++) if (between(i, 1, n - 1) && INSIDE(x[i])) y[i] = x[i - 1] + x[i + 1];",
    ),
}
REFUSED = {
    "template <typename T> T zero() { return T(0); }|y[0] = zero();": "what 'T' of the template 'zero' is",
    "template <typename... T> float all(T... v) { return 0; }|y[0] = all(x[0]);": "the template 'all' with",
    "template <typename T> T fact(T v) { return v < 2 ? v : v * fact(v - 1); }|y[0] = fact(x[0]);": "call of 'fact'",
    "static float g(float v) { return v; }\nstatic double g(double v) { return v; }|y[0] = g(n);": "'g' is defined more than once",
}


def program(helpers: str, body: str) -> str:
    return f"{HEAD}{helpers}\n{SIGNATURE} {{\n{body}\n}}\n"


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: program(*parts) for name, parts in RIGHT.items()})


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_taken_is_named(make_task, text) -> None:
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(*text.split("|")), "f"))
    assert REFUSED[text] in str(refused.value) and refused.value.line, refused.value
