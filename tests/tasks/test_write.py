"""What is written is read back as the same task."""

import json
import textwrap

import pytest

from regrapht.tasks.load import load_task
from regrapht.tasks.write import task_toml

FULL = """\
schema = 1
id = "full"
title = "A \\"full\\" task \\\\ with \\u007f"
description = "two\\nlines \\u00e9"
entry = "f"
family = "sparse"
tier = "hard"
licence = "Apache-2.0"
source = "somewhere"
copies = true
[reference]
file = "r.cpp"
language = "c++20"
include = ["inc"]
defines = ["A=1"]
flags = ["-fno-math-errno"]
fast = "fast.cpp"
[[args]]
name = "rows"
kind = "size"
dtype = "int32"
[[args]]
name = "nnz"
kind = "size"
dtype = "int64"
[[args]]
name = "alpha"
kind = "scalar"
dtype = "float64"
init = { kind = "choice", values = [1, 0.1, -2.5e-8] }
domain = [-3.0, 3.0]
[[args]]
name = "seed"
kind = "scalar"
dtype = "uint32"
value = 4294967295
[[args]]
name = "start"
kind = "array"
dtype = "int32"
shape = ["rows + 1"]
role = "in"
init = { kind = "csr_row_ptr", nnz = "nnz" }
[[args]]
name = "column"
kind = "array"
dtype = "int32"
shape = ["nnz"]
role = "in"
init = { kind = "csr_col_idx", cols = "max(1, rows // 2)" }
[[args]]
name = "items"
kind = "array"
dtype = { at.x = "float32", at.kind = "int16", id = "int64" }
shape = ["nnz"]
role = "in"
init = { kind = "uniform", low = -1.5, high = 2 }
[[args]]
name = "data"
kind = "array"
dtype = "float32"
shape = [3]
role = "in"
init = { kind = "file", path = "x.npy" }
[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["rows", 2]
role = "out"
compare = "float"
rtol = 1e-3
atol = 1
reduction_length = "nnz"
valid_length = "used"
[[args]]
name = "used"
kind = "array"
dtype = "int32"
shape = [1]
role = "inout"
init = { kind = "zeros" }
[sizes]
check = [{ rows = 1, nnz = 0 }, { rows = 5, nnz = 9 }]
bench = [{ rows = 1000, nnz = 5000 }]
require = ["nnz <= rows * rows", "1 <= rows"]
hidden = false
[tolerance]
class = "float"
reduction_length = "nnz"
rtol = 0.01
deterministic = false
allow = ["tf32", "half"]
[work]
flops = "2 * nnz"
bytes = "8 * nnz"
[candidate]
residency = "host"
may_allocate = false
allow_libraries = ["cub"]
rounding = "separate"
[baselines]
library = "lib.cu"
"""
CODE = """\
struct Spot { float x; short kind; };
struct Item { Spot at; long id; };
int f(int rows, long nnz, double alpha, unsigned seed, const int* start, const int* column, const Item* items, const float* data,
      float* y, int* used) { return 0; }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inc").mkdir()
    for name in ("r.cpp", "fast.cpp", "lib.cu"):
        (tmp_path / name).write_text(CODE)
    (tmp_path / "x.npy").write_bytes(b"")
    return tmp_path


def test_every_key_survives(folder):
    (folder / "task.toml").write_text(FULL)
    task = load_task(folder)
    written = task_toml(task, comments={"alpha": "drawn anew each time"})
    assert '# drawn anew each time\n[[args]]\nname = "alpha"' in written
    (folder / "task.toml").write_text(written)
    assert load_task(folder) == task
    assert task_toml(load_task(folder), comments={"alpha": "drawn anew each time"}) == written
    assert load_task(folder).content_hash == task.content_hash


def test_defaults_are_left_out(folder):
    short = textwrap.dedent("""\
        schema = 1
        id = "short"
        entry = "g"

        [reference]
        file = "g.c"

        [[args]]
        name = "n"
        kind = "size"
        dtype = "int32"

        [[args]]
        name = "a"
        kind = "array"
        dtype = "float32"
        shape = ["n"]
        role = "inout"
        init = { kind = "normal", mean = 0.0, std = 1.0 }

        [[args]]
        name = "hits"
        kind = "array"
        dtype = "int32"
        shape = ["n"]
        role = "out"

        [sizes]
        check = [{ n = 3 }]
        """)
    (folder / "g.c").write_text("void g(int n, float* a, int* hits) {}")
    (folder / "task.toml").write_text(short)
    assert task_toml(load_task(folder)) == short


def test_strings_of_json_are_strings_of_toml(folder):
    import tomllib

    from regrapht.tasks.write import _value

    for text in ["", "\x00\x1f\x7f", "\\ \" ' \t", "é😀\u2028", json.dumps("x")]:
        assert tomllib.loads(f"a = {_value(text)}") == {"a": text}
