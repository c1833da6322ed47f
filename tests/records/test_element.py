"""Struct layouts are those of C."""

import ctypes
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrapht.records.element import SCALAR_TYPES, StructType

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
