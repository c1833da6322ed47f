"""Struct layouts are those of C."""

import ctypes

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
