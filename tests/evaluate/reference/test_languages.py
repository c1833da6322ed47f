"""References in Python and in CUDA."""

import numpy as np
import pytest

from regrapht.errors import InvalidTask
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.evaluate.reference.languages import PythonReference, open_reference

SECRET = secret_from("test_reference")


def inputs_of(task, *, sizes=None, family=Family.DECLARED, index=0):
    return draw(task, Case(sizes=sizes or task.check_sizes[-1], family=family), secret=SECRET, index=index)


def test_python_references(build, emulated, sandbox):
    source = "import numpy as np\ndef reference(n, x):\n    return {'y': np.cumsum(x)}\n"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 100},), length="n", file="reference.py")
    reference = open_reference(task, sandbox, emulator=None)
    inputs = inputs_of(task)
    expected = reference.expected([inputs])[0]
    assert isinstance(reference, PythonReference) and expected.as_written["y"].dtype == np.float32
    assert np.allclose(expected.wide["y", ""].values, np.cumsum(inputs.arrays["x"].astype(float)))
    broken = build.task("f", "def reference(**args):\n    return {}\n", args, ({"n": 1},), file="reference.py")
    with pytest.raises(ReferenceFailed, match="returns no 'y'"):
        PythonReference(broken).expected([inputs_of(broken)])
    with pytest.raises(InvalidTask, match="defines no function"):
        PythonReference(build.task("f", "x = 1", args, ({"n": 1},), file="reference.py")).check()


def test_cuda_references_run_in_the_emulator(build, emulated, sandbox):
    source = """__global__ void k(int n, const float* x, float* y) { int i = threadIdx.x; if (i < n) y[i] = 2 * x[i]; }
extern "C" void f(int n, const float* x, float* y) { k<<<1, 64>>>(n, x, y); }"""
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, ({"n": 50},), file="reference.cu")
    inputs = inputs_of(task)
    reference = open_reference(task, sandbox, emulator=emulated._emulator)
    assert (reference.expected([inputs])[0].as_written["y"] == 2 * inputs.arrays["x"]).all() and not reference.widens
