"""Where in a user's file the transform engine stopped."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.session.refusal import naming_file, reference_file
from regrapht.testing.synthetic import synthetic_task

TASK = synthetic_task()


def test_the_file_and_the_line_are_named(tmp_path):
    bare = tmp_path / "bare.cpp"
    bare.write_text(TASK.reference.source.text)
    with pytest.raises(CannotTransform) as caught, naming_file(bare, TASK):
        raise CannotTransform("a while loop", line=1, remedy="count")
    first = TASK.reference.source.text.splitlines()[0].strip()
    assert str(caught.value) == f"{bare}:1: a while loop (count)\n  {first}"


@pytest.mark.parametrize("line", [None, 0, 10_000])
def test_a_line_that_is_not_there_is_not_quoted(tmp_path, line):
    with pytest.raises(CannotTransform) as caught, naming_file(tmp_path, TASK):
        raise CannotTransform("a while loop", line=line)
    assert str(tmp_path / TASK.reference.source.name) in str(caught.value) and "\n" not in str(caught.value)


def test_a_folder_and_its_description_have_the_same_reference(tmp_path):
    (tmp_path / "task.toml").touch()
    assert reference_file(tmp_path, TASK) == reference_file(tmp_path / "task.toml", TASK)
