"""Arrays that a condition chooses are found wherever they are indexed."""

import pytest

from regrapht.source.chosen_arrays import with_chosen_pointers


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("(c ? a : b)[i]", "as((c ? a : b))[i]"),
        ("((c ? a : b))[i]", "as(((c ? a : b)))[i]"),
        ("(c ? a : d ? b : e)[i][j]", "as((c ? a : d ? b : e))[i][j]"),
        ("(c ? (d ? a : b)[i] : e)[j]", "as((c ? as((d ? a : b))[i] : e))[j]"),
        ("CHOSEN(c)[i]", "as(CHOSEN(c))[i]"),
        ("(a + c)[i]", "(a + c)[i]"),
        ("chosen(c)[i]", "chosen(c)[i]"),
        ("a[c ? i : j]", "a[c ? i : j]"),
    ],
)
def test_each_becomes_a_pointer(written, becomes):
    head, tail = "#define CHOSEN(c) ((c) ? a : b)\nvoid f() { ", " = 1; }\n"
    assert with_chosen_pointers(head + written + tail, "as") == head + becomes + tail


def test_a_text_without_conditions_stays_as_it_is():
    text = "void f(int* a)\r\n{ a[0] = 1; }"
    assert with_chosen_pointers(text, "as") is text
