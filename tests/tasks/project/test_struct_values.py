"""Structs handed on as values: what comes out of the flat function is what the function of the project does."""

from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

from .conftest import differences, everything

pytest.importorskip("clang.cindex")

HEAD = """\
#include <cmath>
#include <vector>
namespace geo {
enum class side { near_one, far_one };
struct spot {
    float x, y, z;
    spot scaled(float s) const { return {s * x, s * y, s * z}; }
    float norm() const { return std::sqrt(x * x + y * y + z * z); }
};
struct beam { spot from, to; };
struct flags { bool on; int many; side which; };
struct lens {
    struct mark { int n; float w; };
    beam axis;
    flags set;
    float zoom;
    spot at(int i) const { return {axis.from.x + i, axis.from.y, zoom}; }
    mark marked(int i) const { return {i, zoom * i}; }
};
struct body { spot at, speed; };
template <class T> struct pair_of { T a, b; T sum(T k) const { T all = a; all += b * k; return all; } };
inline spot operator+(const spot& a, const spot& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline spot operator*(float s, const spot& a) { return {s * a.x, s * a.y, s * a.z}; }
inline spot operator*(const spot& a, float s) { return s * a; }
inline float blend(const spot& a, float s) { return a.x * s; }
inline spot blend(const spot& a, const spot& b) { spot out = a; out.x += b.y; return out; }
inline float lowered(spot a, float by) { a.x -= by; return a.x * a.y; }
inline float counted(flags f) { return f.on && f.which == side::far_one ? 2.0f * f.many : 1.0f; }
inline beam moved(const beam& r, const spot& by) { beam out; out.from = r.from + by; out.to = r.to + by; return out; }
inline side side_of(const spot& a, float s) { float t = a.x; if (t < s) t = s; return t > 0.9f ? side::far_one : side::near_one; }
inline bool lit(const spot& a, float s) { float t = a.x; if (t < s) t = s; return t > 0.9f; }
template <class T> pair_of<T> both(const spot& a, T k) { return {T(a.x) * k, T(a.y) + k}; }
template <class T> T nearest(T a, T b) { return a < b ? a : b; }
template <class T> T farthest(T a, T b) { return a < b ? b : a; }
template <class T> T farthest(T a, T b, T c) { return farthest(farthest(a, b), c); }
namespace inner { template <class T> T between(T low, T a, T high) { return nearest(geo::farthest(a, low), high); } }
template <class T> pair_of<T> operator-(const pair_of<T>& a, const pair_of<T>& b) { return {a.a - b.a, a.b - b.b}; }
"""
BODIES = {
    "method": "const spot p = l.at(i); out[i] = p.x + p.z;",
    "of_a_field": "const spot p = l.axis.from.scaled(0.5f * i); out[i] = p.norm();",
    "nested": "const beam r = moved(l.axis, {1.0f * i, 2, 3}); out[i] = r.from.x + r.to.z;",
    "overloads": "const spot p = blend(l.axis.from, l.axis.to); out[i] = p.x + blend(l.axis.to, 0.5f * i);",
    "copied": "spot p = l.axis.from; p.x *= i; out[i] = p.x + l.axis.from.x;",
    "copied_deep": "const beam r = l.axis; out[i] = r.from.x * i + r.to.y;",
    "operators": "const spot p = 0.5f * i * l.axis.from + l.axis.to * 2.0f; out[i] = p.x + p.y + p.z;",
    "in_braces": "const beam r = {l.axis.to, l.axis.from + spot{1.0f * i, 0, 0}}; out[i] = r.from.x - r.to.x;",
    "templated": "const auto p = both<float>(l.axis.from, 1.5f * i); out[i] = p.a + p.b;",
    "template_operator": "const pair_of<float> p = q - pair_of<float>{0.5f * i, 2.0f}; out[i] = p.a + p.b;",
    "templates_of_templates": "out[i] = inner::between(l.axis.from.x, 0.5f * i, l.axis.to.x) + farthest(0.25f * i, l.zoom, 1.0f);",
    "template_method": "out[i] = q.sum(0.5f * i);",
    "inner_type": "const auto m = l.marked(i); out[i] = m.n * m.w;",
    "enumeration": "out[i] = side_of(l.axis.from, 0.1f * i) == side::far_one ? 1.0f : 0.0f;",
    "truth": "out[i] = lit(l.axis.from, 0.1f * i) ? 1.0f : 0.0f;",
    "a_parameter_copied": "lens m = l; m.zoom += i; out[i] = m.zoom + m.axis.to.y;",
    "chosen": "const spot p = i % 2 ? l.axis.from : l.axis.to; out[i] = p.x + p.y;",
    "by_value": "out[i] = lowered(l.axis.from, 0.5f * i) + l.axis.from.x;",
    "kinds_of_fields": "out[i] = counted(l.set) * i;",
    "stored": "b.at = b.at + 0.5f * b.speed; out[i] = b.at.x * i + b.at.z;",
    "elements": "const spot p = v[i] + l.axis.from; v[i] = p * 0.5f; out[i] = p.z;",
}
PARAMETERS = "const lens& l, const pair_of<float>& q, body& b, std::vector<spot>& v, int n, float* out"
MAIN = """
int main() {{
    using namespace geo;
    const lens l = {{{{{{0.5f, 1.25f, -2.0f}}, {{3.0f, 0.75f, 1.5f}}}}, {{true, 3, side::far_one}}, 0.375f}};
    const pair_of<float> q = {{1.5f, -0.25f}};
    const int n = 16;
    body one = {{{{1, 2, 3}}, {{0.5f, 0.25f, 4}}}}, b = one;
    std::vector<spot> first(n, spot{{1, 2, 3}}), v = first;
    std::vector<float> wanted({count} * n), all({count} * n);
    everything(l, q, one, first, n, wanted.data());
    float* out = all.data();
    flat::everything({given});
    for (int k = 0; k < {count} * n; ++k) if (wanted[k] != all[k]) std::printf("%d ", k / n);
    for (int i = 0; i < n; ++i) if (first[i].y != v[i].y) std::printf("v ");
    if (one.at.x != b.at.x || one.at.z != b.at.z) std::printf("b ");
}}
"""


def test_the_flat_function_does_what_that_of_the_project_does(tmp_path: Path) -> None:
    source = everything(HEAD, PARAMETERS, BODIES.values())
    said = differences(tmp_path / "lenses.cpp", source, MAIN, count=len(BODIES), element="spot")
    assert said == "", f"these of {list(BODIES)} differ: {said}"


@pytest.mark.parametrize(
    "members", ["k(float a) : x(a) {} float x;", "float x; float* v;", "float x; private: float z;"]
)
def test_a_struct_that_is_not_made_by_its_fields_is_refused_at_its_line(tmp_path: Path, members: str) -> None:
    code = "void f(const k& a, float* out) {\n    k b = a; out[0] = b.x; }"
    (tmp_path / "k.cpp").write_text(f"struct k {{ {members} }};\n{code}\n")
    with pytest.raises(TaskError, match="line 3: uses 'a' as a whole, of type 'const k'"):
        project_function(tmp_path / "k.cpp", entry="f", flags=BuildFlags(standard="c++17"))
