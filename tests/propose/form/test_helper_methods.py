"""Methods that device code calls, by their names or as operators."""

import pytest

from regrapht.propose.form.helper_methods import with_methods_for_the_device
from regrapht.propose.form.program import Program

STRUCT = "struct Vec {\n    float x;\n    Vec& operator+=(const Vec& other) { x += other.x; return *this; }\n};\n"
KERNEL = "__global__ void k(TYPE* at) { at[0] += at[1]; }\n"


@pytest.mark.parametrize(("of", "marked"), [("Vec", True), ("float", False)])
def test_an_operator_of_a_type_that_device_code_has(of, marked, brighten):
    text = with_methods_for_the_device(Program(STRUCT + KERNEL.replace("TYPE", of), brighten))
    assert (text is not None and "__host__ __device__ Vec& operator+=" in text) is marked
