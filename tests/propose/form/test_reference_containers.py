"""What a skeleton says of the growing arrays of a reference, by kinds of their lengths."""

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
        ("std::vector<float> near(9);", ["float near[9];"]),
        ("std::vector<int> near(kTaps, 0);", ["int near[kTaps];"]),
        ("std::vector<uint8_t> near(2 * kTaps + 1);", ["uint8_t near[2 * kTaps + 1];"]),
        ("std::vector<float> near(cols);", ["no `std::vector near`"]),
        ("std::vector<float> near(image, image + 9);", ["no `std::vector near`"]),
        ("std::deque<int> near;", ["no `std::deque near`"]),
        ("std::vector<float> a(4), b(5);", ["float a[4];", "float b[5];"]),
        ("float near[9];", []),
    ],
)
def test_each_array_is_told_with_what_stands_for_it(brighten, declaration, told):
    lines = container_advice(with_scratch(brighten, declaration))
    assert len(lines) == len(told) and all(part in line for part, line in zip(told, lines, strict=True))


def test_the_skeleton_has_the_line_before_its_hole_and_builds(brighten, judged):
    task = with_scratch(brighten, "std::vector<float> near(9);")
    file = skeleton(task) or ""
    assert "float near[9];" in file[: file.index(HOLE)].splitlines()[-2]
    assert judged(brighten, file).status is Status.UNWRITTEN
