# ruff: noqa: E501 -- one function a line
"""Names of other namespaces, however they are brought in: the flat function compiles, and agrees with the one that was written."""

import subprocess

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.standalone import stand_alone

pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")

HEAD = """
namespace a {
template <typename T, int N> struct Vec { T c[N]; };
struct Plain { double v; };
using V3 = Vec<double, 3>;
typedef Plain Old;
template <typename T> using Two = Vec<T, 2>;
inline double twice(double v) { return 2 * v; }
constexpr double half = 0.5;
enum Kind { first = 1, second = 7 };
using number = double;
namespace b { inline double less(double v) { return v - 1; } using Deep = Plain; }
}
"""
USES = {
    "alias": ("using a::V3;", "V3 p{{x[i], 1, 2}}; y[i] = p.c[0] + p.c[2];"),
    "typedef": ("using a::Old;", "Old p{x[i]}; y[i] = p.v;"),
    "template alias": ("using a::Two;", "Two<double> p{{x[i], 4}}; y[i] = p.c[0] * p.c[1];"),
    "alias of a number": ("using a::number;", "number p = x[i]; y[i] = p;"),
    "class": ("using a::Plain;", "Plain p{x[i]}; y[i] = p.v;"),
    "class template": ("using a::Vec;", "Vec<double, 2> p{{x[i], 3}}; y[i] = p.c[0] + p.c[1];"),
    "function": ("using a::twice;", "y[i] = twice(x[i]);"),
    "constant": ("using a::half;", "y[i] = half * x[i];"),
    "enumerator": ("using a::second;", "y[i] = second * x[i];"),
    "directive": ("using namespace a;", "V3 p{{x[i], 1, half}}; y[i] = twice(p.c[0]) + p.c[2];"),
    "namespace alias": ("namespace g = a::b;", "g::Deep p{g::less(x[i])}; y[i] = p.v;"),
    "alias of an alias": ("using a::V3; using Mine = V3;", "Mine p{{x[i], 1, 2}}; y[i] = p.c[0];"),
    "in a struct": ("using a::V3; struct Body { V3 at; double m; };", "Body p{{{x[i], 1, 2}}, 3}; y[i] = p.at.c[0] * p.m;"),
}  # fmt: skip
OF_BASE = """
struct Base { double scale(double v) const { return 3 * v; } };
struct Derived : Base { using Base::scale; double both(double v) const { return scale(v) + 1; } };
"""
TWINS = {
    "functions": ("namespace p { inline double g(double v) { return v + 1; } } namespace q { inline double g(double v) { return v * 3; } }", "y[i] = p::g(x[i]) + q::g(x[i]);"),
    "function and constant": ("namespace p { constexpr double g = 4; } namespace q { inline double g(double v) { return v * 3; } }", "y[i] = p::g + q::g(x[i]);"),
    "constant after function": ("namespace p { inline double g(double v) { return v * 3; } } namespace q { constexpr double g = 4; }", "y[i] = p::g(x[i]) * q::g;"),
    "constants": ("namespace p { constexpr double g = 4; } namespace q { constexpr double g = 5; }", "y[i] = p::g * x[i] - q::g;"),
    "tables": ("namespace p { constexpr double g[2] = {4, 5}; } namespace q { constexpr double g[2] = {6, 7}; }", "y[i] = p::g[1] * x[i] - q::g[0];"),
    "structs": ("namespace p { struct G { double v; }; } namespace q { struct G { double w; double v; }; }", "p::G one{x[i]}; q::G two{x[i], 3}; y[i] = one.v * two.w + two.v;"),
    "struct and function": ("namespace p { struct G { double v; }; } namespace q { inline double G(double v) { return v - 4; } }", "p::G one{x[i]}; y[i] = one.v * q::G(x[i]);"),
    "overloads": ("namespace p { inline double g(double v) { return v + 1; } inline double g(int v) { return v * 2; } } namespace q { inline double g(double v) { return v * 3; } inline double g(int v) { return v * 5; } }", "y[i] = p::g(x[i]) + q::g(x[i]) + p::g(i) + q::g(i);"),
    "aliases": ("namespace p { struct A { double v; }; using T = A; } namespace q { struct B { double v; double w; }; using T = B; }", "p::T one{x[i]}; q::T two{x[i], 2}; y[i] = one.v * two.w;"),
    "called by a function": ("namespace p { inline double g(double v) { return v + 1; } } namespace q { inline double g(double v) { return p::g(v) * 3; } }", "y[i] = q::g(x[i]);"),
    "struct that names itself": ("namespace p { struct G { double v; }; } namespace q { struct G { double v; G(double a) : v(a) {} double sum(const G& o) const { return v + o.v; } }; }", "p::G one{x[i]}; q::G two(2.0); y[i] = one.v + two.sum(two);"),
}  # fmt: skip


def _agrees(folder, before, inside, body, standard="c++17"):
    """Whether the flat function computes what the one of the project does."""
    source = folder / "a.cpp"
    source.write_text(
        f"{before}void f(int n, const double* x, double* y) {{ {inside} for (int i = 0; i < n; ++i) {{ {body} }} }}\n}}\n"
    )
    flat = stand_alone(source, "lat::f", BuildFlags(standard=standard))
    (folder / "flat.cpp").write_text(flat.text)
    (folder / "main.cpp").write_text(
        '#include <cstdio>\n#include "a.cpp"\nnamespace flat {\n#include "flat.cpp"\n}\n'
        "int main() { double x[3] = {1, 2.5, -4}, one[3], two[3]; lat::f(3, x, one); flat::f(3, x, two); "
        "for (int i = 0; i < 3; ++i) if (one[i] != two[i]) return 1; }\n"
    )
    subprocess.run(["g++", f"-std={standard}", "-o", folder / "both", folder / "main.cpp"], check=True)
    subprocess.run([folder / "both"], check=True)


@pytest.mark.parametrize("name", USES)
def test_a_name_brought_into_a_namespace(tmp_path, name):
    using, body = USES[name]
    _agrees(tmp_path, f"{HEAD}namespace lat {{\n{using}\n", "", body)


@pytest.mark.parametrize("name", [one for one in USES if one != "in a struct"])
def test_a_name_brought_into_a_function(tmp_path, name):
    using, body = USES[name]
    _agrees(tmp_path, f"{HEAD}namespace lat {{\n", using, body)


def test_a_name_of_a_base_brought_into_its_class(tmp_path):
    _agrees(tmp_path, f"namespace lat {{\n{OF_BASE}\n", "const Derived d{};", "y[i] = d.both(x[i]) + d.scale(x[i]);")


@pytest.mark.parametrize("name", TWINS)
def test_two_things_of_one_name(tmp_path, name):
    before, body = TWINS[name]
    _agrees(tmp_path, f"{before}\nnamespace lat {{\n", "", body)
