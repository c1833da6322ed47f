import pytest

from regrapht.wording import counted, did_you_mean


@pytest.mark.parametrize(
    ("name", "said"), [("mcg", "did you mean 'mcgs'?"), ("xyz", "known: mcgs, fsr"), ("", "known: mcgs, fsr")]
)
def test_a_wrong_name_is_told_the_nearest_or_all(name, said):
    assert did_you_mean(name, ("mcgs", "fsr")) == said


def test_nouns_are_counted():
    assert [counted(1, "task"), counted(2, "task"), counted(0, "box", "boxes")] == ["1 task", "2 tasks", "0 boxes"]
