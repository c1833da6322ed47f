"""Structs with functions, constructors, operators and pointers inside: calls are written out over the fields of the object."""

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
"""
STRUCTS = """
struct V {
    float x, y;
    V() : x(0), y(1) {}
    V(float a, float b = 2) : x(a), y(b) {}
    V operator+(const V& o) const { return V(x + o.x, y + o.y); }
    V operator-() const { return V(-x, -y); }
    V& operator*=(float s) { x *= s; y *= s; return *this; }
    bool operator<(const V& o) const { return x < o.x; }
    float operator[](int i) const { return i == 0 ? x : y; }
    float dot(const V& o) const;
    float length() const { return std::sqrt(dot(*this) + 1); }
    void set(float a) { this->x = a; y = a; if (a > 0) return; y = -a; }
    void into(float& out) const { out += x; }
    static V one() { return V(1, 1); }
};
inline float V::dot(const V& o) const { return x * o.x + y * o.y; }
V operator*(float s, const V& v) { return V(s * v.x, s * v.y); }
static float both(const V& a, V b) { b.x += 1; return a.dot(b) + b.length(); }
static V made(float a) { V v(a, 2); v.set(a); return v; }
struct View {
    const float* at_first; int width;
    float at(int i, int k) const { return at_first[i * width + k]; }
    float operator()(int i, int k) const { return at(i, k); }
};
struct Out {
    float* to; int width;
    float& operator()(int i, int k) { return to[i * width + k]; }
    void add(int i, float v) { to[i] += v; }
};
struct Mean {
    float sum = 0; int count = 0;
    void add(float v) { sum += v; ++count; }
    float value() const { return count ? sum / count : 0; }
};
class Lcg {
public:
    explicit Lcg(unsigned seed) : state(seed) {}
    float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }
private:
    unsigned next() { state = state * 1664525u + 1013904223u; return state; }
    unsigned state;
};
struct Kahan {
    double sum, lost;
    Kahan() { sum = 0; lost = 0; }
    void operator()(double v) { double t = v - lost; double u = sum + t; lost = (u - sum) - t; sum = u; }
};
struct Last {
    float d[3];
    Last() { for (int i = 0; i < 3; i++) d[i] = 0; }
    void push(float v) { d[0] = d[1]; d[1] = d[2]; d[2] = v; }
    float median() const { return std::max(std::min(d[0], d[1]), std::min(std::max(d[0], d[1]), d[2])); }
};
constexpr float low = 9;
struct Range {
    float low, high, width;
    Range(float low, float high) : low(low), high(high), width(high - low) { low += 1; if (low > high) width = -width; }
};
struct Scaled {
    float low, twice; int set = 0;
    explicit Scaled(float v) : low(v), twice(low * 2) {}
    ~Scaled() {}
    float at(int i) const { return i * twice; }
    float at(int i) { return i * twice; }
};
"""
EACH = "for (int i = 0; i < n; i++) {{ {} }}"
RIGHT = {
    "operators": """V a(x[i]), b{x[i], 3}, c; c = a + b; c *= 2; V d = -c + V(1, x[i]);
        y[i] = d.length() + c.dot(d) + (a < b) + d[1] + (2.0f * a).x + V::one().y;""",
    "what a function changes": "V a; a.set(x[i]); float q = 1; a.into(q); a.into(q); y[i] = a.x + 10 * a.y + 100 * q;",
    "objects without a name": "y[i] = V(x[i], 2).length() + (V(x[i], 1) + V()).dot(V(3));",
    "by value and by reference": "V a(x[i], 1); y[i] = both(a, a) + both({x[i], 2}, a) + made(x[i]).dot(a);",
    "an object from its own fields": "V a(x[i], 3); a = V(a.y, a.x); V b = a; b.x = 7; y[i] = a.x + 10 * a.y + b.y;",
    "chosen": "V a(x[i], 3), b(1, 2); V c = x[i] > 0 ? a : b; if (x[i] > 0.5f) c = a + b; y[i] = c.x + c.y;",
    "in a lambda": "V a(x[i]); auto f = [&](float t) { a.x += t; return a.length(); }; y[i] = f(1) + f(2) + a.x;",
    "fields that begin with something": "Mean a; for (int k = 0; k < m; k++) a.add(x[i * m + k]); y[i] = a.value();",
    "a generator": "Lcg g(i + 1); float s = 0; for (int k = 0; k < m; k++) s += g.uniform() * x[i * m + k]; y[i] = s;",
    "an object that is called": "Kahan a; for (int k = 0; k < m; k++) a(x[i * m + k]); y[i] = (float)a.sum;",
    "an array inside": "Last w; for (int k = 0; k < m; k++) { w.push(x[i * m + k]); y[i * m + k] = w.median(); }",
    "names of parameters and fields": "Scaled s(x[i]); Range r(x[i], 0.5f); y[i] = s.twice + s.at(3) + s.set + low + r.low + 10 * r.width;",
    "pointers inside": "View v{x, m}; Out o = {y, m}; for (int k = 0; k < m; k++) o(i, k) = v(i, m - 1 - k) + v.at(i, k); o.add(i, 2);",
}
REFUSED = {
    "struct S { float v; virtual float f() { return v; } };|S s; y[0] = s.f();": "type 'S'",
    "struct B { float v; };\nstruct S : B { float w; };|S s; y[0] = s.w;": "type 'S'",
    "struct S { float v; float f(int k) { return k ? f(k - 1) : v; } };|S s{1}; y[0] = s.f(n);": "call of 'f'",
    "struct S { const float* p; void next() { p = p + 1; } };|S s{x}; s.next(); y[0] = s.p[0];": "the pointer 'p' of a 'S'",
    "struct S { float v; S(float& a) : v(a) { a = 2; } };|float q = 1; S s(q); y[0] = s.v;": "declaration 'S s(q);'",
    "struct S { float v; ~S() { v = 1; } };|S s; s.v = 2; y[0] = s.v;": "type 'S'",
    "struct S { float v; S(const S& o) : v(o.v + 1) {} };|S s; y[0] = s.v;": "type 'S'",
    "struct S { static const int k = 2; float v; };|S s; y[0] = s.v;": "type 'S'",
    "struct S { float v = 1, w = v + 1; };|S s; y[0] = s.w;": "from another field",
    "struct A { static float g(float v) { return v; } };\nstruct B { static float g(int v) { return v; } };|y[0] = A::g(n);": "A::g",
    "struct S { float v; S(float a) : v(a) {} };|S s; y[0] = s.v;": "call of 'S' with 0 arguments",
    "struct S { float v; float f() const; };|S s{1}; y[0] = s.f();": "'s.f'",
}


def program(body: str, helpers: str = STRUCTS) -> str:
    return f"{HEAD}{helpers}void f(int n, int m, const float* x, float* y, int* h) {{\n{body}\n}}\n"


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: program(EACH.format(body)) for name, body in RIGHT.items()})


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_taken_is_named(make_task, text) -> None:
    helpers, _, body = text.partition("|")
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(body, helpers + "\n"), "f"))
    assert REFUSED[text] in str(refused.value) and refused.value.line, refused.value


@pytest.mark.parametrize("name", ["pointers inside", "operators"])
def test_objects_keep_no_loop_from_being_threads(make_task, name) -> None:
    (nest,) = analyse(make_task(program(EACH.format(RIGHT[name].split(" o.add")[0])), "f")).nests
    assert nest.parallel[0] == "i" and len(nest.parallel) == (2 if name == "pointers inside" else 1)
