"""Loops over arrays of constant lengths count."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.engine import Engine
from regrapht.transform.reader.function_reader import read_function
from tests.transform.verbatim.conftest import SIGNATURE, task_of

HEAD = """
#include <cstddef>
#include <cstdint>
static const int kWeights[3] = {1, 2, 5};
static constexpr int kSteps[2][3] = {{1, 0, 2}, {3, 1, 1}};
"""
BODIES = (
    "for (const int w : kWeights) out[i] += w * a[i];",
    "for (auto w : kWeights) out[i] += w;",
    "int x[3] = {a[i], 2, 3}; for (int& v : x) v *= 2; for (int v : x) out[i] += v;",
    "const int step[3][2] = {{1, 2}, {0, 1}, {4, 0}}; for (const auto& d : step) out[i] += d[0] * a[i] + d[1];",
    "for (const auto& row : kSteps) for (const int v : row) out[i] = out[i] * 3 + v;",
    "const int step[2][2] = {{1, 2}, {0, 1}}; for (auto d : step) out[i] += d[0] - d[1];",
    "int x[2][2] = {{1, a[i]}, {2, 3}}; for (auto& r : x) for (auto& v : r) v += 1; out[i] = x[0][1] + x[1][0];",
)


@pytest.mark.parametrize("body", BODIES)
def test_each_is_read(body):
    read_function(f"{HEAD}{SIGNATURE} {{ for (int i = 0; i < n; ++i) {{ {body} }} }}\n", "f")


def test_they_are_right(bench):
    text = "\n".join(f"for (int i = 0; i < n; ++i) {{ {body} }}" for body in BODIES)
    task = task_of(f"{HEAD}{SIGNATURE} {{\n{text}\n}}\n")
    engine = Engine()
    made = engine.text(task, engine.plain(task))
    assert "<<<1, 1>>>" not in made and bench.differences(task, made) == []


@pytest.mark.parametrize("over", ["a", "out", "kSteps[0] + 1"])
def test_what_has_no_length_is_refused(over):
    with pytest.raises(CannotTransform, match="a loop over"):
        read_function(f"{HEAD}{SIGNATURE} {{ for (int v : {over}) out[0] += v; }}\n", "f")
