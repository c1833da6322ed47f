"""Plain structs by value: parameters and results of helpers, operators, lists of values."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.records.verdict import Level
from regrapht.transform.analyse import analyse

from ..differential import assert_same
from ..judging import first_now

HEAD = """// shape: x = 3 * n
// shape: y = 3 * n
// check: n=1; n=33; n=130
#include <cmath>
struct Vec3 { float x, y, z; };
struct Hit { int at; double t; bool ok; };
using Point = Vec3;
static inline Vec3 add(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec3 scale(const Vec3& a, float s) { return Vec3{a.x * s, a.y * s, a.z * s}; }
static float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vec3 cross(const Vec3& a, const Vec3& b) {
    Vec3 r;
    r.x = a.y * b.z - a.z * b.y;
    r.y = a.z * b.x - a.x * b.z;
    r.z = a.x * b.y - a.y * b.x;
    return r;
}
static Vec3 load(const float* p, int i) { return {p[3 * i], p[3 * i + 1], p[3 * i + 2]}; }
static void store(float* p, int i, Vec3 v) { p[3 * i] = v.x; p[3 * i + 1] = v.y; p[3 * i + 2] = v.z; }
Vec3 operator+(Vec3 a, Vec3 b) { return add(a, b); }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
Vec3 operator*(Vec3 a, float s) { return scale(a, s); }
Vec3 operator*(float s, Vec3 a) { return a * s; }
namespace part { static float product(float a, float b) { float p = a; p *= b; return p; } }
float operator*(const Vec3& a, const Vec3& b) { float s = part::product(a.x, b.x); s += a.y * b.y; s += a.z * b.z; return s; }
Vec3& operator+=(Vec3& a, const Vec3& b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }
static Vec3 normalised(Vec3 v) {
    const float length = std::sqrt(dot(v, v));
    if (length < 1e-6f) return {0, 0, 1};
    return scale(v, 1.0f / length);
}
static Vec3 moved(Vec3 v, float by) { v.x += by; v.y *= 2; return v; }
static Vec3 turned(Vec3 v) { return {v.y, v.z, v.x}; }
static Hit probe(Vec3 v, int i) {
    Hit h = {-1, 0, false};
    if (v.x > 0) { h.at = i; h.t = v.y / 2.0; h.ok = true; }
    return h;
}
static Hit whole(float v) { return {(int)(v * 10), v, v > 0}; }
"""
SIGNATURE = "void f(int n, const float* x, float* y)"
EACH = "for (int i = 0; i < n; i++) {{ {} }}"

RIGHT = {
    "helpers of values": "const Vec3 v = load(x, i); store(y, i, add(scale(v, 2.0f), cross(v, {1, 2, 3})));",
    "operators": "Vec3 v = load(x, i), w = {1, 0.5f, 2}; store(y, i, (v + w) * 2.0f - 0.5f * v + -w);",
    "a product that is a number": "const Vec3 v = load(x, i); const Vec3 w{1, 2, 3}; y[3 * i] = v * w + 1.0f; y[3 * i + 1] = (v - w).z;",
    "several returns": "store(y, i, normalised(load(x, i)));",
    "a parameter that changes": "const Vec3 v = load(x, i); store(y, i, moved(v, 3) + moved(turned(v), v.x));",
    "itself": "Vec3 v = load(x, i); v = turned(v); v = {v.z, v.x, v.y}; v = v + v; store(y, i, v);",
    "a chain that changes itself": "Vec3 v = load(x, i); v += v * 2.0f; v += turned(v); store(y, i, v);",
    "fields of several types": """
        const Hit h = probe(load(x, i), i);
        const Hit w = whole(x[3 * i]);
        y[3 * i] = h.ok ? (float)h.t : -1.0f; y[3 * i + 1] = (float)h.at; y[3 * i + 2] = w.at + (float)w.t + w.ok;""",
    "a choice": """
        const Vec3 v = load(x, i), w = {0, 0, 1};
        Point p = v.x > 0 ? v : w;
        if (p.y < 0) p = scale(p, -1);
        store(y, i, p);""",
    "a sum in a loop": """
        Vec3 sum = {};
        for (int k = 0; k < n; k++) { const Vec3 v = load(x, k); if (dot(v, v) < 1.0f) sum = sum + v * (float)(k - i); }
        store(y, i, sum);""",
    "with a lambda and a template": """
        auto at = [&](int k) { return load(x, k); };
        const Vec3 v = at(i);
        auto blend = [=](Vec3 w, float t) -> Vec3 { return v * (1 - t) + w * t; };
        store(y, i, clean(blend(at(n - 1 - i), 0.25f), 0.1f));""",
    "a field of a call": "y[3 * i] = add(load(x, i), load(x, 0)).y + turned({x[i], 2, 3}).x;",
    "values in the order of a list": """
        float v = x[i]; int k = i;
        const Vec3 w = {v, v += 1, v * (k++ + 1)};
        const float list[3] = {v, v *= 2, v + k};
        store(y, i, w); y[3 * i] += list[0] + 10 * list[1] + 100 * list[2];""",
    "compound literals": "store(y, i, Vec3{x[i], 1.0f, 2.0f} + (Vec3){1, x[i], 3}); ",
}
EXTRA = "template <typename V> V clean(V v, float eps) { if (std::fabs(v.x) < eps) v.x = 0; return v; }\n"
COMPLEX = """// shape: a = n
// shape: b = n
// check: n=1; n=33; n=130
struct cf { float re, im; };
static inline cf mul(cf a, cf b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static cf operator+(cf a, cf b) { return {a.re + b.re, a.im + b.im}; }
"""
COMPLEX_BODIES = {
    "a product of each": "void f(int n, const cf* a, cf* b) { for (int i = 0; i < n; i++) b[i] = mul(a[i], b[i]); }",
    "a sum of all": """void f(int n, const cf* a, cf* b) {
    cf sum = {0, 0};
    for (int i = 0; i < n; i++) sum = sum + mul(a[i], a[n - 1 - i]);
    b[0] = sum;
}""",
    "a walk": "void f(int n, const cf* a, cf* b) { for (int i = 1; i < n; i++) b[i] = b[i - 1] + mul(a[i], b[i]); }",
    "names that look like fields": """void f(int n, const cf* a, cf* b) {
    for (int i = 0; i < n; i++) { float a_re = a[i].im, b_im = 2; b[i].re = a_re + b_im; b[i].im += a[i].re * b[i].re; }
}""",
}
REFUSED = {
    "Vec3 v = load(x, 0); Vec3 w = v / 2.0f; store(y, 0, w);": "'/' of structs",
    "Vec3 v(1, 2, 3); store(y, 0, v);": "'Vec3'",
    "Vec3 v = Vec3(1, 2, 3); store(y, 0, v);": "Vec3",
    "y[0] = load(x, 0);": "'load(x, 0)' is used as a value",
    "store(y, 0, 1.0f);": "'1.0f' for 'v'",
    "Hit h = load(x, 0); y[0] = h.at;": "for a 'Hit'",
}


def program(body: str) -> str:
    return f"{HEAD}{EXTRA}{SIGNATURE} {{\n{body}\n}}\n"


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: program(EACH.format(body)) for name, body in RIGHT.items()})


@pytest.mark.parametrize("name", first_now(list(COMPLEX_BODIES), 1))
def test_arrays_of_them(make_task, judging, name) -> None:
    task = make_task(COMPLEX + COMPLEX_BODIES[name], "f")
    source = judging.source(task, [])
    assert judging.faults(task, source, Level.SCREEN) == "", source


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(body), "f"))
    assert REFUSED[body] in str(refused.value) and refused.value.line, refused.value
