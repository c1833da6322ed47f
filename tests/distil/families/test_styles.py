"""Styles of references: what the loops do otherwise, a thread's code undoes."""

import pytest

from regrapht.distil.families import styles
from regrapht.distil.families.pen import FALLING, Pen
from regrapht.distil.families.styles import Styled, _by_rows, _leave_early, _walk, written
from regrapht.records.task import Role


def drawn() -> tuple[Pen, Styled]:
    pen = Pen("styles")
    pen.sizes = ["h", "w"]
    pen.real = "float"
    for name, role in (("a", Role.IN), ("out", Role.OUT)):
        pen.array(["h", "w"], role=role, pool=[name])
    body = ["float v = a[r * w + c] * 2.0f;", "out[r * w + c] = v;"]
    return pen, Styled(inner=list(body), thread=list(body))


LOOPS = [("r", "h"), ("c", "w")]


def test_pointers_walk_in_the_file_and_not_in_a_thread():
    for seed in range(9):
        pen, nest = drawn()
        pen.chance.seed(seed)
        _walk(pen, LOOPS, nest)
        walking = [name for name in ("a", "out") if f", ++{name}" in nest.steps]
        assert walking and all(
            f"*{name}" in " ".join(nest.inner) and f"{name}[" not in " ".join(nest.inner) for name in walking
        )
        thread = " ".join(nest.thread)
        assert all(f"{name} += r * w;" in thread or f"{name}[r * w + c]" in thread for name in walking), thread


@pytest.mark.parametrize("turning", FALLING)
def test_no_index_falls_beside_a_pointer_that_walks_up(turning, monkeypatch):
    """A thread's row is where its index says; a pointer that walks is elsewhere where the rows are counted down."""
    monkeypatch.setattr(styles, "LEAVES", 0)
    monkeypatch.setattr(styles, "BY_ROWS", 0)
    monkeypatch.setattr(styles, "WALKS", 1)
    pen, nest = drawn()
    pen.turning = turning
    text = written(pen, "test", LOOPS, nest.inner, most=99).task.reference.source.text
    assert "++out" in text or "++a" in text
    assert "--" not in text


def test_an_array_that_is_used_at_other_places_too_does_not_walk():
    pen, nest = drawn()
    nest.inner[0] = "float v = a[r * w + c] + a[0];"
    _walk(pen, LOOPS, nest)
    assert nest.steps in ("", ", ++out") and "a[r * w + c] + a[0]" in nest.inner[0]


def test_a_row_is_made_between_the_loops_and_the_row_is_the_threads():
    pen, nest = drawn()
    _by_rows(pen, LOOPS, nest)
    (line,) = nest.between
    assert nest.thread[0] == line and nest.thread[1].startswith("for (int c = 0; c < w;")
    assert [one.strip() for one in nest.thread[2:] if one != "}"] == nest.inner and "[c]" in " ".join(nest.inner)


def test_a_turn_that_ends_early_is_a_thread_that_returns():
    pen, nest = drawn()
    _leave_early(pen, LOOPS, nest)
    assert nest.inner[2].strip() == "continue;" and nest.thread[2].strip() == "return;"
    assert [line for line in nest.inner if "continue" not in line] == [
        line for line in nest.thread if "return" not in line
    ]
    assert nest.inner[1] == "    out[r * w + c] = 0;"


def test_no_early_end_where_the_place_of_the_result_is_found_in_the_turn():
    pen, nest = drawn()
    nest.inner = nest.thread = ["int at = c;", "out[at] = a[r * w + c];"]
    _leave_early(pen, LOOPS, nest)
    assert len(nest.inner) == 2
