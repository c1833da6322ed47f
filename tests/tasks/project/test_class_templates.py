# ruff: noqa: E501 -- a row is one class
"""Members of class templates, however they are written and instantiated: each as it stands and flat, side by side."""

import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function
from regrapht.tasks.infer import infer_function
from regrapht.tasks.project.class_templates import plain_type

pytest.importorskip("clang.cindex")

FIELDS = "std::vector<Real> x = std::vector<Real>(9, Real(2)); int n = 9; Real h = Real(0.5);"
LOOP = "for (int i = 0; i < n; ++i)"
# The class, and the type of an object; `step(double)` is called.
ROWS = {
    "inside of the class": (
        f"template <class Real> class System {{ public: void step(Real s) {{ {LOOP} x[i] += s * h; }} {FIELDS} }};", "System<double>"),
    "behind it, by names of its own": (
        f"template <class Real> class System {{ public: void step(Real s); {FIELDS} }};"
        f"template <typename T> void System<T>::step(T s) {{ const T two = T(2); {LOOP} x[i] += two * s * h; }}", "System<double>"),
    "private, called by another": (
        f"template <class Real> class System {{ public: void step(Real s) {{ each(s); }} private: void each(Real s) {{ {LOOP} x[i] -= s; }} {FIELDS} }};",
        "System<double>"),
    "overloads": (
        f"template <class Real> struct System {{ void step(int k) {{ {LOOP} x[i] += k; }} void step(Real s) {{ {LOOP} x[i] *= s; }} {FIELDS} }};",
        "System<double>"),
    "a number and a default": (
        f"template <class Real, int Order = 3> struct System {{ void step(Real s); {FIELDS} }};"
        f"template <class R, int K> void System<R, K>::step(R s) {{ {LOOP} {{ R p = 1; for (int k = 0; k < K; ++k) p *= s; x[i] += p; }} }}",
        "System<double>"),
    "a policy": (
        "template <class T> struct Kernel { static T at(T r, T h); }; template <class A> A Kernel<A>::at(A r, A h) { return r * h + A(1); }"
        f"template <class Real, class K = Kernel<Real>> struct System {{ void step(Real s) {{ {LOOP} x[i] = K::at(x[i], s); }} {FIELDS} }};",
        "System<double>"),
    "constants of another template": (
        "template <class Q> struct Limits { static constexpr Q most = Q(7); static const int rounds = 2; };"
        f"template <class Real> struct System {{ void step(Real s) {{ {LOOP} x[i] = s * Limits<Real>::most + Limits<Real>::rounds; }} {FIELDS} }};",
        "System<double>"),
    "an alias": (
        f"template <class Real, int D> struct General {{ void step(Real s) {{ {LOOP} x[i] += s * D; }} {FIELDS} }};"
        "template <class R> using System = General<R, 2>; using Mine = System<double>;", "Mine"),
    "asked for in the file": (
        f"template <class Real> class System {{ public: void step(Real s); {FIELDS} }};"
        f"template <class Real> void System<Real>::step(Real s) {{ {LOOP} x[i] = s - x[i]; }} template class System<double>;", "System<double>"),
    "elements that are structs of it": (
        "template <class T> struct Vec { T x, y; }; template <class Real> struct System { std::vector<Vec<Real>> v; std::vector<Real> x = std::vector<Real>(9, Real(2));"
        f"int n = 9; Real h = Real(1); void step(Real s) {{ {LOOP} {{ const Real d = x[i] - s; x[i] = d * d; }} }} }};", "System<double>"),
    "a class inside": (
        f"template <class Real> struct Outer {{ struct System {{ void step(Real s) {{ {LOOP} x[i] += 3 * s; }} {FIELDS} }}; }};",
        "Outer<double>::System"),
    "a name without one": (
        f"namespace {{ struct Tag {{ static double of(double r) {{ return r + 4; }} }}; }}"
        f"template <class Real, class P> struct System {{ void step(Real s) {{ {LOOP} x[i] = P::of(x[i]) * s; }} {FIELDS} }}; using Mine = System<double, Tag>;", "Mine"),
    "a base that is one": (
        f"template <class Real> struct Base {{ {FIELDS} }};"
        "template <class Real> struct System : Base<Real> { void step(Real s) { for (int i = 0; i < this->n; ++i) this->x[i] += s * this->h; } };",
        "System<double>"),
    "other members and a lambda": (
        f"template <class Real> struct System {{ Real scaled(Real v) const {{ return v * h; }} void step(Real s) {{ auto f = [this](Real v) {{ return scaled(v); }};"
        f"{LOOP} x[i] = f(x[i]) + s; }} {FIELDS} }};", "System<double>"),
    "an accessor that names its parameters": (
        "template <class T, int W> struct Rows { std::vector<T> v = std::vector<T>(12, T(2)); T at(int r, int c) const { return v[r * W + c] + T(W); } };"
        f"template <class Real> struct System {{ Rows<Real, 3> rows; {FIELDS} void step(Real s) {{ for (int W = 0; W < 4; ++W) x[W] += rows.at(W, 1) * s; }} }};",
        "System<double>"),
}  # fmt: skip
PRIVATE = {"private, called by another": "each"}


def source(*, calls: bool = True) -> str:
    parts = ["#include <cstddef>", "#include <vector>"]
    for n, (text, kind) in enumerate(ROWS.values()):
        call = f" void called({kind}& one) {{ one.step(1.5); }}" if calls and "template class" not in text else ""
        parts.append(f"namespace row{n} {{ {text}{call} }}")
    return "\n".join(parts) + "\n"


def test_they_come_to_the_same(tmp_path: Path) -> None:
    file = tmp_path / "systems.cpp"
    file.write_text(source())
    text, cases = f'#include <cstdio>\n#include "{file.name}"\n', ""
    for n, (row, (_, kind)) in enumerate(ROWS.items()):
        spelled = "General" if row == "an alias" else "Outer::System" if row == "a class inside" else "System"
        name = PRIVATE.get(row, "step")
        entry = f"row{n}::{spelled}::{name}" + ("(Real)" if row == "overloads" else "")
        found = project_function(file, entry=entry, flags=BuildFlags(standard="c++17"))
        assert found.home is not None
        assert found.home.only_in is not None
        assert "Real" not in found.text.rpartition("void ")[2], row
        flat = "\n".join(line for line in found.text.splitlines() if not line.startswith("#include"))
        given = ", ".join(one.expression.replace("this->", "flat.") for one in found.home.places)
        text += f"namespace flat{n} {{\n{flat}\n}}\n"
        cases += (
            f"    {{ row{n}::{kind} plain, flat; const double s = 1.5; plain.{name}(s); flat{n}::{found.home.member_of}_{name}({given});\n"
            f'    if (plain.x != flat.x || plain.x[3] == 2) std::printf("%d ", {n}); }}\n'
        )
    (tmp_path / "main.cpp").write_text(f"{text}int main() {{\n{cases}}}\n")
    words = ["g++", "-std=c++17", "-w", "-fno-access-control", "-o", tmp_path / "app", tmp_path / "main.cpp"]
    subprocess.run(words, check=True)
    wrong = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout.split()
    assert [list(ROWS)[int(one)] for one in wrong] == []


SYSTEM = f"template <class Real> class System {{ public: void step(Real s) {{ {LOOP} x[i] += s; }} {FIELDS} }};\n"


@pytest.mark.parametrize(
    ("uses", "entry", "said"),
    [
        ("void a(System<double>& s) { s.step(1); } void b(System<float>& s) { s.step(1); }", "System::step", "used in 2 ways"),
        ("", "System::step", "nothing that was read calls it"),
        ("void a(System<double>& s) { s.step(1); }", "System<float>::step", "nothing that was read calls it for System<float>"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_told_with_the_line(tmp_path: Path, uses: str, entry: str, said: str) -> None:
    (tmp_path / "one.cpp").write_text(f"#include <vector>\n{SYSTEM}{uses}\n")
    with pytest.raises(TaskError, match=rf"one\.cpp: line 2: System::step .*{said}") as refused:
        project_function(tmp_path / "one.cpp", entry=entry, flags=BuildFlags(standard="c++17"))
    assert refused.value.remedy


@pytest.mark.parametrize("entry", ["System<float>::step", "System<double>::step", "System< double >::step"])
def test_an_instance_is_chosen_by_its_name(tmp_path: Path, entry: str) -> None:
    uses = "template class System<float>; void a(System<double>& s) { s.step(1); }"
    (tmp_path / "one.cpp").write_text(f"#include <vector>\n{SYSTEM}{uses}\n")
    found = project_function(tmp_path / "one.cpp", entry=entry, flags=BuildFlags(standard="c++17"))
    wanted = "float" if "float" in entry else "double"
    assert next(one for one in infer_function(found).task.args if one.name == "s").dtype.c_name == wanted
    assert found.home is not None
    assert found.home.only_in == f"std::is_same<System, ::System<{wanted}>>::value"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("std::vector<double, std::allocator<double> >", "std::vector<double,std::allocator<double>>"),
        ("long unsigned int", "unsigned long"),
        ("short unsigned int", "unsigned short"),
        ("long long int", "long long"),
        ("const float *", "const float*"),
        ("4ul", "4"),
        ("{anonymous}::Tag", "(anonymous namespace)::Tag"),
    ],
)
def test_spellings_of_types(one: str, other: str) -> None:
    assert plain_type(one) == plain_type(other)
    assert plain_type("unsigned int") != plain_type("int")
