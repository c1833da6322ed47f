"""Outputs of two runs are compared to the character, or in their numbers alone."""

import pytest

from regrapht.session.port.copies import Ran, compare, distance


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("x 1.0\n", "x 1.0\n", 0.0),
        ("x 1.0\n", "x 1.1\n", 0.1 / 1.1),
        ("x 1.0\n", "y 1.0\n", None),
        ("x 1e-300 2", "x 1e-300 2.5", 0.2),
        ("a -4", "a 4", 2.0),
        ("nan", "1", None),
        ("1 2", "1", None),
    ],
)
def test_numbers_are_apart_relatively_and_words_not_at_all(one: str, two: str, apart: float | None) -> None:
    found = distance(one, two)
    assert found is None if apart is None else found == pytest.approx(apart)


def ran(printed: str, code: int = 0, **files: str) -> Ran:
    return Ran(exit_code=code, seconds=1.0, printed=printed, files=files)


def test_files_exit_codes_and_tolerances_count() -> None:
    assert compare(ran("a 1"), ran("a 1"), None).words == "exact"
    close = compare(ran("a 1.000"), ran("a 1.001"), None)
    assert not close.equal and "--tolerance" in close.words
    assert compare(ran("a 1.000"), ran("a 1.001"), 0.01).equal
    assert not compare(ran("a 1.000"), ran("a 1.1"), 0.01).equal
    assert not compare(ran("a"), ran("a", 1), 0.1).equal
    assert not compare(ran("a", log="1"), ran("a"), 0.1).equal
    assert not compare(ran("a", log="b"), ran("a", log="c"), 0.1).equal
