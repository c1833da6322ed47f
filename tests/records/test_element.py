"""Struct layouts are those of C."""

import ctypes
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrapht.records.element import SCALAR_TYPES, StructType, member_keys, places
from regrapht.source.c_types import struct_numbers
from regrapht.source.functions import read_unit

C_TYPES = {
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
    "int8": ctypes.c_int8,
    "uint16": ctypes.c_uint16,
    "int32": ctypes.c_int32,
    "uint64": ctypes.c_uint64,
}


@given(st.lists(st.sampled_from(sorted(C_TYPES)), min_size=1, max_size=8))
def test_layout_is_that_of_the_c_compiler(names):
    struct = StructType(c_name="S", fields=tuple((f"f{i}", SCALAR_TYPES[name]) for i, name in enumerate(names)))
    layout = type("S", (ctypes.Structure,), {"_fields_": [(f"f{i}", C_TYPES[name]) for i, name in enumerate(names)]})
    assert struct.size_bytes == ctypes.sizeof(layout) and struct.alignment_bytes == ctypes.alignment(layout)
    assert struct.offsets_bytes == tuple(getattr(layout, f"f{i}").offset for i in range(len(names)))
    assert struct.is_float == any("float" in name for name in names)


def test_impossible_structs():
    with pytest.raises(ValueError, match="at least one"):
        StructType(c_name="S", fields=())
    with pytest.raises(ValueError, match="one name"):
        StructType(c_name="S", fields=(("a", SCALAR_TYPES["int8"]), ("a", SCALAR_TYPES["int8"])))


# Members in order, each (path, type); a path's dots are structs inside.
NESTED = (
    "p.x:float64 p.y:float64 p.z:float64 v.x:float64 v.y:float64 v.z:float64 m:float64 id:int32",
    "p.x:float32 p.y:float32 p.z:float32 m:float64",
    "p.a:float64 p.b:int8 c:int8",
    "c:int8 p.a:float64 p.b:int8 d:int8",
    "c:int8 p.a:int8 p.b:int8 d:int8",
    "c:int8 p.a:int16 p.b:int8 d:int8",
    "p.a:int32 p.b:int8 q.a:int8 q.b:int32 c:int8",
    "p.q.a:float64 p.q.b:int8 p.c:int8 d:int8",
    "p.q.a:int8 p.b:int16 c:int32 d:int64",
    "p.q.r.a:int64 p.q.r.b:int8 p.q.c:int16 p.d:int8 e:float32",
    "a:int8 p.q.a:int16 p.q.b:int8 p.r.a:float64 p.r.b:int8 s:int8",
    "p.a:uint8 q.a:uint16 r.a:uint32 s.a:uint64 t:uint8",
    "t:uint8 s.a:uint64 r.a:uint32 q.a:uint16 p.a:uint8",
    "lo.x:float32 lo.y:float32 hi.x:float32 hi.y:float32 empty:uint8",
    "key:int64 at.i:int32 at.j:int16 w:int16",
    "only.one:int8",
    "a.b.c:int8 d:float64",
    "a:float32 b.c:float64 b.d:float32 e:float32 f.g:int16 h:int16",
    "a.x:int16 b.x:int8 c.x:int16 d.x:int8",
    "a.x:float64 a.y:int32 b.x:int32 c.x:int8 c.y:float64 d:int8",
    "x.p.a:int8 x.p.b:int32 x.q.a:int8 y.p.a:int8 y.p.b:int64 z:int8",
)


def test_nested_layouts_are_those_of_the_compiler(tmp_path):
    structs = [
        StructType(c_name=f"S{at}", fields=tuple((path, SCALAR_TYPES[kind]) for path, kind in parts))
        for at, row in enumerate(NESTED)
        for parts in [[one.split(":") for one in row.split()]]
    ]
    lines = ["#include <cstddef>", "#include <cstdio>"]
    for struct in structs:
        lines.append(named_definitions(struct))
        lines.append(struct.c_definition.replace(f"struct {struct.c_name} ", f"struct {struct.c_name}_unnamed "))
    lines.append("int main() {")
    for struct in structs:
        for name in (struct.c_name, f"{struct.c_name}_unnamed"):
            places = [f"offsetof({name}, {path})" for path, _ in struct.fields]
            numbers = ", ".join([*places, f"sizeof({name})", f"alignof({name})"])
            lines.append(f'    std::printf("{"%zu " * (len(places) + 2)}\\n", {numbers});')
    (tmp_path / "layouts.cpp").write_text("\n".join([*lines, "}"]))
    subprocess.run(["g++", "-o", tmp_path / "layouts", tmp_path / "layouts.cpp"], check=True)
    printed = subprocess.run([tmp_path / "layouts"], check=True, capture_output=True, text=True).stdout.splitlines()
    for at, struct in enumerate(structs):
        ours = [*struct.offsets_bytes, struct.size_bytes, struct.alignment_bytes]
        for line in printed[2 * at : 2 * at + 2]:
            assert [int(number) for number in line.split()] == ours, NESTED[at]


def named_definitions(struct):
    """The struct as people write it, each struct inside with a name of its own."""
    out, groups = [], {}
    for path, scalar in struct.fields:
        *inside, name = path.split(".")
        for depth in range(len(inside)):
            groups.setdefault(tuple(inside[:depth]), {})[inside[depth]] = None
        groups.setdefault(tuple(inside), {})[name] = scalar
    called = {place: "_".join([struct.c_name, *place]) for place in groups}
    for place in sorted(groups, key=len, reverse=True):
        members = [
            f"{scalar.c_name if scalar is not None else called[(*place, name)]} {name};"
            for name, scalar in groups[place].items()
        ]
        out.append(f"struct {called[place]} {{ {' '.join(members)} }};")
    return "\n".join(out)


# Definitions as people write them; the struct that is looked at is the last one, S.
WITH_ARRAYS = {
    "lattice": "struct S { double f[19]; int flags; };",
    "flag_first": "struct S { signed char flag; double f[3]; };",
    "tail": "struct S { double x; signed char name[5]; };",
    "narrow": "struct S { signed char a[3]; short b[2]; signed char c; int d[2]; };",
    "plane": "struct S { float m[3][4]; int id; };",
    "cube": "struct S { short m[2][3][2]; long long last; };",
    "of_structs": "struct V { double x, y, z; }; struct S { V corner[4]; int n; };",
    "of_padded_structs": "struct V { double x; signed char c; }; struct S { signed char k; V v[3]; signed char l; };",
    "plane_of_structs": "struct V { float x; short s; }; struct S { V v[2][2]; signed char c; };",
    "array_in_array": "struct V { signed char k; int at[3]; }; struct S { V v[2]; short s; };",
    "deep": "struct A { short a[3]; }; struct B { A a[2]; double d; }; struct S { signed char c; B b[2]; A last; };",
    "std_array": "#include <array>\nstruct S { int n; std::array<double, 3> x, v; };",
    "std_array_of_arrays": "#include <array>\nstruct S { short n; std::array<std::array<float, 2>, 3> m; };",
    "array_of_std_arrays": "#include <array>\nstruct S { short n; std::array<short, 3> m[2]; };",
    "std_array_of_structs": "#include <array>\nstruct V { double x; int k; }; struct S { std::array<V, 2> v; int k; };",
    "alias": "#include <array>\nusing vec = std::array<double, 3>; using real = float; struct S { real w; vec x; };",
    "constant": "constexpr int Q = 9; struct S { double f[Q]; float g; };",
    "macro": "#define Q9 9\nstruct S { double f[Q9]; float g; };",
    "enumerator": "enum { Q = 9 }; struct S { float g; double f[Q]; };",
    "one": "struct S { signed char a[1]; double b[1]; };",
    "beside": "struct S { float lo[3], hi[3], w; };",
}


def test_arrays_inside_lie_as_the_compiler_lays_them(tmp_path):
    """Definition by definition, and the one that goes into generated code: places, size and alignment are the compiler's."""
    code, lines, wanted = ["#include <cstddef>", "#include <cstdio>", "#include <array>"], [], []
    for at, (name, text) in enumerate(WITH_ARRAYS.items()):
        unit = read_unit(text)
        fields = struct_numbers("S", unit.structs, unit.aliases)
        assert all(scalar is not None for _, scalar in fields), name
        struct = StructType(c_name=f"T{at}", fields=tuple(fields))
        code += [*(line for line in text.splitlines() if line.startswith("#define")), f"namespace n{at} {{"]
        code += [line for line in text.splitlines() if not line.startswith("#")]
        code += [struct.c_definition, "}"]
        for kind in ("S", struct.c_name):
            places = ", ".join(f"(char*)&s.{path} - (char*)&s" for path, _ in struct.fields)
            shape = "%td " * len(struct.fields) + "%zu %zu\\n"
            own = f"static n{at}::{kind} s;"
            lines.append(f'{{ {own} std::printf("{shape}", {places}, sizeof s, alignof(n{at}::{kind})); }}')
            wanted.append((name, kind, [*struct.offsets_bytes, struct.size_bytes, struct.alignment_bytes]))
    (tmp_path / "layouts.cpp").write_text("\n".join([*code, "int main() {", *lines, "}"]))
    subprocess.run(["g++", "-std=c++20", "-o", tmp_path / "layouts", tmp_path / "layouts.cpp"], check=True)
    printed = subprocess.run([tmp_path / "layouts"], check=True, capture_output=True, text=True).stdout.splitlines()
    for (name, kind, ours), line in zip(wanted, printed, strict=True):
        assert [int(number) for number in line.split()] == ours, (name, kind)


@pytest.mark.parametrize(
    "member",
    ["double f[0];", "double f[N];", "double f[300];", "double* f[3];", "std::vector<double> f;", "int f[8][40];"],
)
def test_what_has_no_place_in_a_task_is_known(member):
    unit = read_unit(f"struct S {{ int a; {member} }};")
    assert None in [scalar for _, scalar in struct_numbers("S", unit.structs, unit.aliases)]


def test_members_as_keys_of_a_table():
    double, whole = SCALAR_TYPES["float64"], SCALAR_TYPES["int32"]
    fields = [(place, double) for place in places("f[2][2]")]
    fields += [(place + path, whole) for place in places("at[2]") for path in (".i", ".j")] + [("p.x", double)]
    assert member_keys(fields) == [
        ('"f[2][2]"', double), ('"at[2]".i', whole), ('"at[2]".j', whole), ("p.x", double)
    ]  # fmt: skip
