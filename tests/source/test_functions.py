"""What a file defines, as its syntax tree says."""

import pytest

from regrapht.source.c_types import scalar_type
from regrapht.source.functions import read_unit

FILE = """
#include <vector>
#define REAL float
typedef struct { float x; int id; } Point;
struct Particle { float x, y; double mass; };
using index_t = unsigned long;

static inline float square(float v) { return v * v; }
template <class T> T twice(T v) { return v + v; }
namespace physics {
extern "C" REAL *forces(const Particle* __restrict__ p, float const *q, index_t n, double out[], int& count, int grid[4][8]) {
    for (index_t i = 0; i < n; i++) out[i] = square(q[i]);
    return nullptr;
}
}
struct Box { int area() { return 1; } };
void nothing(void) {}
struct Drop { static const int most = 9; struct Water { float a; } water; struct { int n; } *in; };
"""


@pytest.fixture(scope="module", params=[False, True], ids=["cpp", "cuda"])
def unit(request):
    return read_unit(FILE, cuda=request.param)


def test_functions_are_listed_without_members(unit):
    assert [f.name for f in unit.functions] == ["square", "twice", "forces", "nothing"]
    assert unit.error_line is None
    square, twice, forces, nothing = unit.functions
    assert (square.line, square.return_type, "static" in square.qualifiers) == (8, "float", True)
    assert twice.is_template and not forces.is_template
    assert forces.return_type == "REAL*" and forces.calls == {"square"}
    assert nothing.parameters == ()


def test_parameters(unit):
    p, q, n, out, count, grid = unit.named("forces")[0].parameters
    assert (p.type_text, p.is_const, p.pointer_depth) == ("Particle", True, 1)
    assert (q.type_text, q.is_const, q.pointer_depth) == ("float", True, 1)
    assert (n.type_text, n.is_const, n.pointer_depth) == ("index_t", False, 0)
    assert (out.pointer_depth, out.array_extents, out.is_const) == (1, ("",), False)
    assert count.is_reference and not count.pointer_depth
    assert grid.array_extents == ("4", "8")


def test_structs_and_aliases(unit):
    assert unit.structs["Point"] == (("x", "float"), ("id", "int"))
    assert unit.structs["Particle"] == (("x", "float"), ("y", "float"), ("mass", "double"))
    (water, named), (inside, pointed) = unit.structs["Drop"]
    assert (water, named, inside) == ("water", "Water", "in") and unit.structs["Water"] == (("a", "float"),)
    assert pointed.endswith("*") and unit.structs[pointed.strip("* ")] == (("n", "int"),)
    assert scalar_type("index_t", aliases=unit.aliases).name == "uint64"
    assert scalar_type("REAL", aliases=unit.aliases).name == "float32"
    assert scalar_type("Particle", aliases=unit.aliases) is None


def test_kernels_run_on_the_device():
    unit = read_unit(
        "__global__ void k() {}\n__device__ int d() { return 1; }\n__host__ __device__ int b() { return k<<<1, 1>>>(), 1; }",
        cuda=True,
    )
    assert [f.runs_on_device for f in unit.functions] == [True, True, False]
    assert unit.functions[2].calls == {"k"}


def test_a_broken_file_says_where():
    assert read_unit("int a;\nvoid f( { }\n").error_line == 2


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("unsigned", "uint32"),
        ("long unsigned int", "uint64"),
        ("long long", "int64"),
        ("std::size_t", "uint64"),
        ("int16_t", "int16"),
        ("std::uint8_t", "uint8"),
        ("unsigned char", "uint8"),
        ("short int", "int16"),
        ("const float", "float32"),
        ("__half", "float16"),
    ],
)
def test_spellings_of_scalar_types(spelling, name):
    assert scalar_type(spelling).name == name


@pytest.mark.parametrize("spelling", ["bool", "void", "long double", "std::string", "", "T", "auto"])
def test_other_types_are_none(spelling):
    assert scalar_type(spelling) is None


def test_circular_aliases_end():
    assert scalar_type("a", aliases={"a": "b", "b": "a"}) is None
