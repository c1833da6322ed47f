"""Arrays of structs that templates, bases and libraries make: a task's struct lies as the user's does and has a name of one word."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.element import StructType
from regrapht.records.task import Task
from regrapht.records.user_code import BuildFlags
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.sources import host
from regrapht.session.port.kept import written
from regrapht.tasks.function_text import project_function
from regrapht.tasks.infer import infer_function, infer_task
from regrapht.tasks.load import load_task

pytest.importorskip("clang.cindex")

HEAD = """\
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>
namespace geo {
template <class T> struct Vec3 { T x{}, y{}, z{}; Vec3& operator+=(const Vec3& o) { x += o.x; y += o.y; z += o.z; return *this; } };
template <class T> Vec3<T> operator*(T s, const Vec3<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
using vec = Vec3<double>;
typedef Vec3<float> vecf;
template <class T, int N> struct Tiny {
    T v[N]; T& operator[](int k) { return v[k]; } const T& operator[](int k) const { return v[k]; }
    T& operator()(int r, int c) { return v[r + c]; }
};
template <class T, std::size_t N = 4> struct Def { std::array<T, N> v; };
template <class A, class B> struct Two { A first; B second; };
template <class T> struct Box { Vec3<T> lo, hi[2]; };
enum class kind : std::uint8_t { solid, fluid, gas };
template <class T> struct Tagged { T value; kind what; };
template <class T> struct Outer { struct Inner { T a, b; }; Inner in; T c; };
struct Plain { struct Part { float x; double y; }; Part at; short n; };
template <class T> class Acc { public: T s{}, c{}; void add(T v) { s += v; c += T(1); } T mean() const { return s / (c + 1); } };
template <class T> struct Base { T x, y; };
template <class T> struct Derived : Base<T> { T z; };
struct Flat { double x; }; struct Deeper : Flat { double y; }; struct Deepest : Deeper { float z[2]; };
struct Empty {}; struct OfEmpty : Empty { double w; };
template <kind K> struct Of { double v; };
template <bool B, class T> struct Flag { T v; int n; };
template <class T = double> struct AllDef { T p, q; };
template <> struct Vec3<int> { int x, y, z, more; };
template <class T> struct Spec; template <> struct Spec<double> { double a; int b; };
template <class T> struct Part { T a; }; template <class T> struct Part<T*> { long a; T b; };
namespace inner { template <class T> struct Vec3 { T x, y; }; }
namespace { template <class T> struct Hidden { T u, v; }; }
template <class T> struct Aliased { using value_type = T; value_type a, b; };
template <class T> struct Fixed { static constexpr int many = 3; T a[many]; };
template <class... Ts> struct Many { double a; int n; };
struct Metre {};
template <class T, class U> struct Unit { T v; };
using length = Unit<double, Metre>;
"""
# An element's type, what is done with `v[i]`, and the fields of the task's struct where they are worth a look.
ROWS = {
    "vector": ("Vec3<double>", "v[i].x += dt * v[i].y;"),
    "using": ("vec", "v[i] += dt * v[i]; v[i] = v[i] + v[i];"),
    "typedef": ("vecf", "auto& one = v[i]; one.x *= float(dt);"),
    "copied": ("vec", "vec t = v[i]; t.z += dt; v[i] = t;"),
    "bound": ("vec", "auto& [a, b, c] = v[i]; a += b * c;"),
    "a number": ("Tiny<double, 3>", "v[i].v[1] += dt;"),
    "its own subscript": ("Tiny<double, 3>", "v[i][1] += dt * v[i][2];"),
    "its own call": ("Tiny<float, 4>", "v[i](1, 2) += float(dt);"),
    "a default": ("Def<double>", "v[i].v[1] += dt;"),
    "a default written": ("Def<double, 2>", "v[i].v[1] += dt;"),
    "defaults alone": ("AllDef<>", "v[i].p += dt * v[i].q;"),
    "an instance in an instance": ("Two<Vec3<double>, int>", "v[i].first.x += dt * v[i].second;"),
    "members that are instances": ("Box<float>", "v[i].lo.x += v[i].hi[1].y;"),
    "an enumeration": ("Tagged<double>", "if (v[i].what == kind::fluid) v[i].value += dt;"),
    "an enumeration for a type": ("Two<kind, double>", "if (v[i].first == kind::fluid) v[i].second += dt;"),
    "a class inside": ("Outer<double>::Inner", "v[i].a += dt * v[i].b;"),
    "a class around": ("Outer<float>", "v[i].in.a += v[i].c;"),
    "inside of a plain class": ("Plain::Part", "v[i].y += dt * v[i].x;"),
    "the word class": ("Acc<double>", "v[i].add(dt + v[i].mean());"),
    "a base": ("Derived<double>", "v[i].x += dt * v[i].z;"),
    "bases of plain structs": ("Deepest", "v[i].x += dt * v[i].z[1] + v[i].y;"),
    "a base without members": ("OfEmpty", "v[i].w += dt;"),
    "an enumerator": ("Of<kind::fluid>", "v[i].v += dt;"),
    "a truth": ("Flag<true, double>", "v[i].v += dt * v[i].n;"),
    "specialised": ("Vec3<int>", "v[i].x += 2 * v[i].more;"),
    "specialised alone": ("Spec<double>", "v[i].a += v[i].b;"),
    "specialised in part": ("Part<double*>", "v[i].b += dt * v[i].a;"),
    "one name in two namespaces": ("inner::Vec3<double>", "const vec t{1, 2, 3}; v[i].x += v[i].y * t.z;"),
    "no name": ("Hidden<double>", "v[i].u += dt * v[i].v;"),
    "a name for its parameter": ("Aliased<double>", "v[i].a += dt * v[i].b;"),
    "an extent of its own": ("Fixed<double>", "v[i].a[1] += dt;"),
    "a pack": ("Many<int, double>", "v[i].a += dt * v[i].n;"),
    "a unit": ("length", "v[i].v += dt;"),
    "words": ("Two<unsigned long long, std::size_t>", "v[i].first += v[i].second;"),
    "bytes": ("Vec3<std::uint8_t>", "v[i].x = std::uint8_t(v[i].x + v[i].y);"),
    "a pair": ("std::pair<double, int>", "v[i].first += dt * v[i].second;"),
    "a pair of an instance": ("std::pair<Vec3<double>, int>", "v[i].first.x += dt * v[i].second;"),
    "a pair of pairs": ("std::pair<std::pair<int, int>, double>", "v[i].second += v[i].first.first;"),
    "a pair of an enumeration": ("std::pair<kind, double>", "if (v[i].first == kind::fluid) v[i].second += dt;"),
    "a pair inside": ("Two<std::pair<int, double>, float>", "v[i].first.second += v[i].second;"),
}  # fmt: skip
TWO = (
    "void both(std::vector<Vec3<double>>& v, const std::vector<inner::Vec3<double>>& w)"
    "{ for (std::size_t i = 0; i < v.size(); ++i) v[i].x += w[i].y; }\n"
)


def source() -> str:
    loop = "for (std::size_t i = 0; i < v.size(); ++i)"
    functions = [
        f"void work{n}(std::vector<{kind}>& v, double dt) {{ (void)dt; {loop} {{ {body} }} }}\n"
        for n, (kind, body) in enumerate(ROWS.values())
    ]
    return f"{HEAD}{''.join(functions)}{TWO}}}\n"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("instances") / "kinds.cpp"
    path.write_text(source())
    return path


def through_a_folder(task: Task, folder: Path) -> Task:
    """As a port has it: written, and read again."""
    again = load_task(written(task, folder))
    assert again.content_hash == task.content_hash
    return again


def case(n: int, row: str, kind: str, struct: StructType, more: str) -> str:
    """Fills an array, works on it and on a copy by the flat function, and prints the row where anything is not as it should be."""
    size, name = struct.size_bytes, struct.c_name
    lines = [
        f"using kind = {kind};",
        "std::vector<kind> a(9), b; std::memset(static_cast<void*>(a.data()), 0, 9 * sizeof(kind));",
    ]
    for k, ((path, _), offset) in enumerate(zip(struct.fields, struct.offsets_bytes, strict=True)):
        member = f"a[i].{path}"
        lines += [
            f"for (int i = 0; i < 9; ++i) {member} = static_cast<std::remove_reference_t<decltype({member})>>(1 + (i + {k}) % 3);",
            f"for (int i = 0; i < 9; ++i) if (reinterpret_cast<char*>(&{member}) - reinterpret_cast<char*>(&a[i]) != {offset})",
            f'    std::printf("{row}: {path}\\n");',
        ]
    return "\n".join([
        "{", *lines,
        f"b = a; work{n}(a, 0.5); flat{n}::work{n}(reinterpret_cast<flat{n}::{name}*>(b.data()), b.size(){more});",
        f"static_assert(sizeof(defined{n}::{name}) == sizeof(kind) && sizeof(kind) == {size});",
        f'if (std::memcmp(a.data(), b.data(), 9 * sizeof(kind)) != 0) std::printf("{row}\\n");', "}\n",
    ])  # fmt: skip


def test_each_lies_as_it_does_and_comes_to_the_same(file: Path, tmp_path: Path) -> None:
    text, cases = f'#include "{file}"\n#include <cstdio>\n#include <cstring>\n#include <type_traits>\n', ""
    for n, (row, (kind, _)) in enumerate(ROWS.items()):
        found = project_function(file, entry=f"geo::work{n}", flags=BuildFlags(standard="c++17"))
        task = through_a_folder(infer_function(found).task, tmp_path / f"task{n}")
        array = next(arg for arg in task.args if arg.name == "v")
        assert isinstance(array.dtype, StructType), row
        assert array.dtype.c_name.isidentifier() and array.is_output, row
        flat = re.sub(r"^#include.*$", "", found.text, flags=re.MULTILINE)
        text += f"namespace flat{n} {{\n{flat}\n}}\nnamespace defined{n} {{ {array.dtype.c_definition} }}\n"
        cases += case(n, row, kind, array.dtype, ", 0.5" if any(arg.name == "dt" for arg in task.args) else "")
    (tmp_path / "main.cpp").write_text(f"{text}\nusing namespace geo;\nint main() {{\n{cases}}}\n")
    words = [
        "g++",
        "-std=c++17",
        "-w",
        "-O0",
        "-ffp-contract=off",
        "-fno-strict-aliasing",
        "-o",
        tmp_path / "app",
        tmp_path / "main.cpp",
    ]
    subprocess.run(words, check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == ""


def test_two_of_one_name_have_names_of_their_own(file: Path) -> None:
    task = infer_task(file, entry="geo::both", flags=BuildFlags(standard="c++17")).task
    names = [arg.dtype.c_name for arg in task.args if isinstance(arg.dtype, StructType)]
    assert len(set(names)) == 2
    assert [len(arg.dtype.fields) for arg in task.args if isinstance(arg.dtype, StructType)] == [3, 2]


@pytest.mark.parametrize("spelled", ["Vec3<double>", "Vec3< double >", "vec"])
@pytest.mark.parametrize("include", ["", '#include "other.hpp"\n'], ids=["bare", "of a project"])
def test_a_plain_pointer_to_one_has_a_name_of_one_word_too(tmp_path: Path, spelled: str, include: str) -> None:
    """As C would take it, so that nothing has to be made flat; the caller defines the struct anew."""
    (tmp_path / "other.hpp").write_text("")
    code = f"void f({spelled}* v, int n) {{ for (int i = 0; i < n; ++i) v[i].x += v[i].y; }}\n"
    head = "template <class T> struct Vec3 { T x, y; };\nusing vec = Vec3<double>;\n"
    (tmp_path / "f.cpp").write_text(include + head + code)
    task = through_a_folder(infer_task(tmp_path / "f.cpp", entry="f").task, tmp_path / "task")
    text = host(Interface(task, "device"))
    assert "struct Vec3_double {" in text or "struct vec {" in text
    assert "<double>" not in text
    begin = text.index("struct ")
    (tmp_path / "host.cpp").write_text(text[begin : text.index(");", begin) + 2] + "\n")
    subprocess.run(["g++", "-fsyntax-only", tmp_path / "host.cpp"], check=True)


@pytest.mark.parametrize(
    "members",
    [
        "alignas(32) double x; double y;",
        "double x; virtual double get() const { return x; }",
        "int x : 4; int y : 4;",
        "double x; bool on;",
        "double x; double* p;",
        "union { double x; long n; };",
    ],
)
def test_what_lies_otherwise_is_refused_with_its_line(tmp_path: Path, members: str) -> None:
    code = f"#include <vector>\nstruct Odd {{ {members} }};\nvoid f(std::vector<Odd>& v) {{ for (auto& one : v) one.x += 1; }}\n"
    (tmp_path / "f.cpp").write_text(code)
    with pytest.raises(TaskError, match=r"f\.cpp: line 3"):
        infer_task(tmp_path / "f.cpp", entry="f", flags=BuildFlags(standard="c++17"))


def test_a_base_counts_where_the_function_is_flat_as_it_stands(tmp_path: Path) -> None:
    code = "struct A { double x, y; };\n"
    code += "struct B : A { double z; };\nvoid f(B* v, int n) { for (int i = 0; i < n; ++i) v[i].z += v[i].x; }\n"
    (tmp_path / "f.cpp").write_text(code)
    task = through_a_folder(infer_task(tmp_path / "f.cpp", entry="f").task, tmp_path / "task")
    assert next(arg for arg in task.args if arg.name == "v").dtype.size_bytes == 24
