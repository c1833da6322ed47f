"""Arrays inside of structs: what comes out of the flat function is what the function of the project does, and structs lie as they lay."""

import re
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function
from regrapht.tasks.infer import infer_task

from .conftest import differences, everything

pytest.importorskip("clang.cindex")

HEAD = """\
#include <array>
#include <cstdint>
#include <vector>
#define PLANES 2
namespace lb {
constexpr int Q = 5;
enum class kind : std::uint8_t { fluid, wall };
enum class wide : long long { a, b };
enum old { first, second };
using vec = std::array<double, 3>;
struct spot { float x, y; };
struct cell {
    kind what;
    double f[Q], g[Q];
    kind around[3];
    float m[PLANES][Q - 2];
    wide w;
    old o = second;
    spot corner[2];
    vec speed{};
    std::array<std::array<short, 2>, Q> nested;
    double total() const { double s = 0; for (int k = 0; k < Q; ++k) s += f[k]; return s; }
    void scale(double by) { for (double& each : f) each *= by; }
};
inline double sum(const double* f) { double s = 0; for (int k = 0; k < Q; ++k) s += f[k]; return s; }
inline void relax(double* f, double by) { for (int k = 0; k < Q; ++k) f[k] += by * (1 - f[k]); }
inline double dot(const vec& a, const vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline void turn(vec& a) { const double t = a[0]; a[0] = a[1]; a[1] = -t; }
"""
BODIES = {
    "elements": "for (int k = 0; k < Q; ++k) v[i].f[k] += v[i].g[k]; out[i] = v[i].f[1];",
    "reference": "cell& c = v[i]; for (int k = 0; k < Q; ++k) c.g[k] *= 0.5; out[i] = c.g[Q - 1];",
    "plane": "v[i].m[1][2] += v[i].m[0][1]; out[i] = v[i].m[1][2];",
    "of_structs": "v[i].corner[1].x += v[i].corner[0].y; out[i] = v[i].corner[1].x;",
    "pointer": "double* f = v[i].f; f[2] += 1; out[i] = f[2];",
    "helper": "relax(v[i].g, 0.25); out[i] = sum(v[i].f) + sum(v[i].g);",
    "method": "v[i].scale(1.5); out[i] = v[i].total();",
    "range": "double s = 0; for (double f : v[i].f) s += f; for (auto& f : v[i].g) f += s; out[i] = v[i].g[0];",
    "whole": "cell c = v[i]; c.f[3] += 2; v[i] = c; out[i] = c.f[3];",
    "std_array": "for (std::size_t d = 0; d < v[i].speed.size(); ++d) v[i].speed[d] += d; out[i] = v[i].speed[2];",
    "std_array_helper": "turn(v[i].speed); out[i] = dot(v[i].speed, v[i].speed);",
    "nested": "v[i].nested[Q - 1][1] += 3; out[i] = v[i].nested[Q - 1][1];",
    "enumerations": "if (v[i].what == kind::fluid) v[i].around[2] = kind::wall; out[i] = v[i].around[2] == kind::wall ? 2 : 1;",
    "wide": "out[i] = (v[i].w == wide::b ? 4 : 1) + (v[i].o == second ? 8 : 16);",
    "loop_over_all": "out[i] = 0; for (const cell& c : v) out[i] += c.f[0];",
}
PARAMETERS = "std::vector<cell>& v, int n, double* out"
MAIN = """
int main() {{
    using namespace lb;
    const int n = 8;
    std::vector<cell> first(n), v;
    for (int i = 0; i < n; ++i) {{
        auto* bytes = reinterpret_cast<unsigned char*>(&first[i]);
        for (std::size_t k = 0; k < sizeof(cell); ++k) bytes[k] = 0;
        first[i].what = i % 2 ? kind::fluid : kind::wall; first[i].w = i % 3 ? wide::a : wide::b; first[i].o = i % 2 ? second : lb::first;
        for (int k = 0; k < Q; ++k) {{ first[i].f[k] = i + k; first[i].g[k] = i - k; first[i].nested[k][1] = i; }}
        first[i].m[0][1] = i; first[i].corner[0].y = 2 * i; first[i].speed = {{1.0 * i, 2, 3}};
    }}
    v = first;
    std::vector<double> wanted({count} * n), all({count} * n);
    everything(first, n, wanted.data());
    double* out = all.data();
    static_assert(sizeof(flat::cell) == sizeof(cell) && alignof(flat::cell) == alignof(cell));
    flat::everything({given});
    for (int k = 0; k < {count} * n; ++k) if (wanted[k] != all[k]) std::printf("%d ", k / n);
    if (std::memcmp(first.data(), v.data(), n * sizeof(cell)) != 0) std::printf("v ");
}}
"""


def test_the_flat_function_does_what_that_of_the_project_does(tmp_path: Path) -> None:
    source = everything(HEAD, PARAMETERS, BODIES.values())
    said = differences(tmp_path / "cells.cpp", source, MAIN, count=len(BODIES), element="cell")
    assert said == "", f"these of {list(BODIES)} differ: {said}"


@pytest.mark.parametrize(
    "body", [one for one in BODIES.values() if re.search(r"v\[i\][.\w\[\]]* [+*-]?=[^=]|relax|scale|turn", one)]
)
def test_what_changes_an_array_inside_is_seen_to_write(tmp_path: Path, body: str) -> None:
    file = tmp_path / "cells.cpp"
    file.write_text(f"{HEAD}void f({PARAMETERS}) {{ for (int i = 0; i < n; ++i) {{ {body} }} }}\n}}\n")
    found = project_function(file, entry="f", flags=BuildFlags(standard="c++17"))
    assert re.search(r"\bf\(cell\* v", found.text), found.text


KINDS = {
    "instance_in_a_struct": ("a", "for (auto& p : a) p.pos.x += dt * p.vel[0];"),
    "instances": ("e", "for (std::size_t i = 0; i < e.size(); ++i) e[i].y = a[i].weight * e[i].x;"),
    "operators_of_instances": ("e", "for (std::size_t i = 0; i < e.size(); ++i) e[i] += dt * a[i].pos;"),
    "iterators": ("a", "for (auto it = a.begin(); it != a.end(); ++it) it->pos.x -= std::floor(it->pos.x);"),
    "a_span_of_an_accessor": ("out", "double s = 0; for (const v2& v : f.flat()) s += v.x; out[0] = s;"),
    "a_named_span": ("out", "const auto v = f.flat(); for (std::size_t i = 0; i < v.size(); ++i) out[i] = v[i].x;"),
    "a_named_span_that_is_written": (
        "f_data",
        "auto v = f.flat(); for (std::size_t i = 0; i < v.size(); ++i) v[i].x = dt;",
    ),
    "a_lambda_that_sets": ("f_data", "f.each([&](std::size_t i, v2& to) { to = {dt * i, a[i].weight}; });"),
}
"""What is written, and the code."""


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_a_particle_code_become_tasks(tmp_path: Path, name: str) -> None:
    file, (array, body) = tmp_path / "particles.cpp", KINDS[name]
    file.write_text(f"""#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>
namespace pic {{
template <class T> struct Vec2 {{ T x{{}}, y{{}}; Vec2& operator+=(const Vec2& o) {{ x += o.x; y += o.y; return *this; }} }};
template <class T> Vec2<T> operator*(T s, const Vec2<T>& a) {{ return {{s * a.x, s * a.y}}; }}
using v2 = Vec2<double>;
enum class Kind : std::uint8_t {{ electron, ion }};
struct Particle {{ v2 pos; std::array<double, 3> vel; double weight; Kind kind; }};
class Field {{
 public:
    std::span<v2> flat() {{ return data_; }}
    std::span<const v2> flat() const {{ return data_; }}
    template <class F> void each(F&& f) {{ for (std::size_t i = 0; i < data_.size(); ++i) f(i, data_[i]); }}
 private:
    std::vector<v2> data_;
}};
void work(std::vector<Particle>& a, std::vector<v2>& e, Field& f, double* out, double dt) {{
    {body}
}}
}}
""")
    task = infer_task(file, entry="work", flags=BuildFlags(standard="c++20")).task
    assert [arg.name for arg in task.args if arg.is_output] == [array]


def test_a_struct_without_a_name_of_its_own_keeps_that_of_its_typedef(tmp_path: Path) -> None:
    file = tmp_path / "nodes.cpp"
    file.write_text(
        "typedef struct { double x[2]; double u; unsigned char fixed; } Node;\nextern Node *nodes;\n"
        "void load(double t, double* out, int n) {\n    for (int i = 0; i < n; i++) {\n"
        "        const double *x = nodes[i].x;\n        out[i] = nodes[i].fixed ? 0 : t * x[1];\n    }\n}\n"
    )
    task = infer_task(file, entry="load", flags=BuildFlags(standard="c++17")).task
    assert "{x[2]: float64, u: float64, fixed: uint8}" in [arg.dtype.name for arg in task.args]
