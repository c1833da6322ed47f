"""Judging one file: what is read, and what the judge is asked."""

import pytest

from regrapht.errors import ConfigError
from regrapht.records.verdict import Level
from regrapht.session import check

TASK = "void f(int n, float* x) { for (int i = 0; i < n; ++i) x[i] = 32.0f; }\n"


class Judge:
    def __init__(self):
        self.asked = []

    def prepare(self, task, plain):
        self.asked.append((task.entry, plain))

    def evaluate(self, task, candidate, *, level):
        self.asked.append((task.entry, candidate.source, candidate.origin.proposer, level))
        return "verdict"


@pytest.fixture
def judge(monkeypatch):
    made = Judge()
    monkeypatch.setattr(check, "open_evaluator", lambda name, *, allow_root: made)
    return made


def test_the_file_is_judged_as_it_stands(tmp_path, judge):
    (tmp_path / "f.cpp").write_text(TASK)
    (tmp_path / "mine.cu").write_text("// mine\n")
    found = check.check_file(
        tmp_path / "f.cpp", tmp_path / "mine.cu", entry=None, evaluator=None, level=Level.FULL, allow_root=False
    )
    assert found == "verdict" and judge.asked == [("f", None), ("f", "// mine\n", "file", Level.FULL)]


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_the_users(tmp_path, judge, content):
    (tmp_path / "f.cpp").write_text(TASK)
    if content is not None:
        (tmp_path / "mine.cu").write_bytes(content)
    with pytest.raises(ConfigError, match=r"cannot read .*mine.cu: .*; give a UTF-8 .cu file"):
        check.check_file(
            tmp_path / "f.cpp", tmp_path / "mine.cu", entry=None, evaluator=None, level=Level.FULL, allow_root=False
        )
    assert judge.asked == []
