"""What a skeleton says of the growing arrays of a reference for which nothing stands in its kernel."""

from dataclasses import replace

import pytest

from regrapht.propose.form.reference_containers import container_advice
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.records.verdict import Status

BODY = "Curve curve{gain, 2.0f};"


def with_scratch(task, declaration):
    source = task.reference.source
    text = source.text.replace(BODY, f"{declaration}\n            {BODY}").replace(
        "#include <algorithm>", "#include <algorithm>\n#include <deque>\n#include <vector>"
    )
    return replace(task, reference=replace(task.reference, source=replace(source, text=text)))


@pytest.mark.parametrize(
    ("declaration", "told"),
    [
        ("std::vector<float> near(9);", []),  # these have a local array or memory
        ("std::vector<float> near(cols);", []),
        ("std::vector<float> a(4), b(cols);", []),
        ("float near[9];", []),
        ("std::vector<int> near(kUnknown, 0);", ["no `std::vector near`"]),
        ("std::vector<float> near(image, image + 9);", ["no `std::vector near`"]),
        ("std::vector<std::vector<int>> near(cols);", ["no `std::vector near`"]),
        ("std::deque<int> near;", ["no `std::deque near`"]),
        ("std::vector<float> a, b;", ["no `std::vector a`", "no `std::vector b`"]),
    ],
)
def test_each_array_without_memory_is_told(brighten, declaration, told):
    lines = container_advice(with_scratch(brighten, declaration))
    assert len(lines) == len(told) and all(part in line for part, line in zip(told, lines, strict=True))


@pytest.mark.parametrize(
    ("declaration", "line"),
    [("std::deque<float> near;", "no `std::deque near`"), ("std::vector<float> near(9);", "near[k] = 0;")],
)
def test_the_skeleton_has_the_line_before_its_hole_and_builds(brighten, judged, declaration, line):
    file = skeleton(with_scratch(brighten, declaration)) or ""
    assert line in file[: file.index(HOLE)].splitlines()[-2]
    assert judged(brighten, file).status is Status.UNWRITTEN
