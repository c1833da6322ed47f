"""Which functions are one and the same but for their names and numbers."""

import pytest

from regrapht.distil.families import draw
from regrapht.distil.shape import shape_of

TEXT = "#include <cmath>\nvoid f(int n, const float* a, float* out) { for (int i = 0; i < n; ++i) out[i] = sqrtf(a[i]) * 2.0f; }"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (TEXT.replace("out", "dst").replace("2.0f", "0.5f").replace("{ ", "{\n    // a root\n    "), True),
        (TEXT.replace("#include <cmath>\n", ""), True),
        (TEXT.replace("sqrtf", "expf"), False),
        (TEXT.replace("float*", "double*"), False),
        (TEXT.replace("a[i]", "a[n]"), False),
        (TEXT.replace("i < n", "i <= n"), False),
    ],
)
def test_names_numbers_comments_and_layout_count_for_nothing(other, same):
    assert (shape_of(TEXT) == shape_of(other)) is same


def test_most_of_what_is_drawn_is_different():
    shapes = [shape_of(draw(7, number).task.reference.source.text) for number in range(600)]
    assert len(set(shapes)) > 0.93 * len(shapes)
