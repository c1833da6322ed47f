"""Lists of C++ are cut at their own commas alone."""

import pytest

from regrapht.source.listed import parts_of


@pytest.mark.parametrize(
    ("listed", "parts"),
    [
        ("a, b", ["a", "b"]),
        ("", [""]),
        ("f(a, b), c[i, j], {1, 2}", ["f(a, b)", "c[i, j]", "{1, 2}"]),
        ("a < b, c > d", ["a < b", "c > d"]),
        ("a,", ["a", ""]),
    ],
)
def test_commas_inside_of_brackets_stay(listed, parts):
    assert parts_of(listed) == parts


def test_arguments_of_templates_where_these_are_meant():
    assert parts_of("a,b<int, 3>,c(int, int)", brackets="(<[") == ["a", "b<int, 3>", "c(int, int)"]
