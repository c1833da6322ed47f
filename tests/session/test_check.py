"""Judging one file: what is read, and what the judge is asked."""

import os
from dataclasses import replace

import pytest

from regrapht.errors import ConfigError
from regrapht.records.candidate import NoSource
from regrapht.records.verdict import Finding, Level, Severity, Status, Verdict
from regrapht.session import check

REFUSED = Verdict(
    status=Status.SKIPPED,
    level=Level.FULL,
    evaluator="e",
    task_hash="t",
    candidate_id="c",
    reason="r",
    no_timing="none",
)
TASK = "void f(int n, float* x) { for (int i = 0; i < n; ++i) x[i] = 32.0f; }\n"


class Judge:
    def __init__(self):
        self.asked = []

    def prepare(self, task, plain):
        self.asked.append((task.entry, plain))

    def evaluate(self, task, candidate, *, level):
        self.asked.append((task.entry, candidate.source, candidate.origin.proposer, level))
        return REFUSED


@pytest.fixture
def judge(monkeypatch):
    made = Judge()
    monkeypatch.setattr(check, "open_evaluator", lambda name, *, allow_root: made)
    return made


def test_the_file_is_judged_as_it_stands(tmp_path, judge):
    (tmp_path / "f.cpp").write_text(TASK)
    (tmp_path / "mine.cu").write_text("// mine\n")
    found = check.check_files(
        tmp_path / "f.cpp", [tmp_path / "mine.cu"], entry=None, evaluator=None, level=Level.FULL, allow_root=False
    )
    assert found.told == REFUSED and judge.asked == [("f", None), ("f", "// mine\n", "file", Level.FULL)]


def judged(folder, *files):
    return check.check_files(
        folder / "f.cpp",
        [folder / name for name in files],
        entry=None,
        evaluator=None,
        level=Level.FULL,
        allow_root=False,
    ).told


def test_a_file_that_cannot_be_read_is_the_users(tmp_path, judge):
    (tmp_path / "f.cpp").write_text(TASK)
    (tmp_path / "folder.cu").mkdir()
    os.mkfifo(tmp_path / "pipe.cu")
    (tmp_path / "loop.cu").symlink_to(tmp_path / "loop.cu")
    for name, words in (
        ("none.cu", "No such file"),
        ("folder.cu", "a folder"),
        ("pipe.cu", "a pipe"),
        ("loop.cu", "symbolic links"),
    ):
        with pytest.raises(ConfigError, match=words) as refused:
            judged(tmp_path, name)
        assert "\n" not in str(refused.value) and name in str(refused.value)
    assert judge.asked == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"// gr\xf6\xdfe\n", "line 1: byte 0xf6 is not UTF-8"),
        (b"int a;\n\xff\xfei\0", "line 2: byte 0xff"),
        ("int a;".encode("utf-16"), "line 1: byte 0xff"),
    ],
)
def test_text_that_is_not_utf_8_gets_a_verdict(tmp_path, judge, content, words):
    (tmp_path / "mine.cu").write_bytes(content)
    candidate, _ = check.read_candidate([tmp_path / "mine.cu"])
    assert candidate.source is None and candidate.no_source is NoSource.UNPARSABLE and words in candidate.reason


def test_windows_text_is_read_as_text(tmp_path):
    (tmp_path / "mine.cu").write_bytes(b"\xef\xbb\xbf#include <cmath>\r\nint a;\r\n")
    candidate, _ = check.read_candidate([tmp_path / "mine.cu"])
    assert candidate.source == "#include <cmath>\nint a;\n"


def test_several_files_are_one_program_and_lines_are_told_by_file(tmp_path, judge):
    (tmp_path / "f.cpp").write_text(TASK)
    (tmp_path / "entry.cu").write_text('#include "cuda_own.h"\nvoid f(int n, float* x) { go(n, x); }\n')
    (tmp_path / "kernel.cu").write_text('#include "cuda_own.h"\n\nvoid go(int n, float* x) { BAD; }\n')
    (tmp_path / "cuda_own.h").write_text("#pragma once\nvoid go(int n, float* x);\n")
    finding = Finding(
        kind="global_oob",
        status=Status.OUT_OF_BOUNDS,
        severity=Severity.ERROR,
        checker="emulator",
        message="enqueued in line 8",
    )

    def evaluate(task, candidate, *, level):
        line = candidate.source.split("\n").index("void go(int n, float* x) { BAD; }") + 1
        return Verdict(
            status=Status.BUILD_FAILED,
            level=level,
            evaluator="emulated",
            task_hash="",
            candidate_id=candidate.id,
            reason=f"candidate.cu:{line}:5: error: BAD",
            feedback=f"line {line}: BAD",
            findings=(replace(finding, line=line, message=f"enqueued in line {line}"),),
            no_timing="no_gpu",
        )

    judge.evaluate = evaluate
    verdict = judged(tmp_path, "entry.cu", "kernel.cu", "cuda_own.h")
    assert verdict.reason == "kernel.cu:3:5: error: BAD" and verdict.feedback == "line 3 of kernel.cu: BAD"
    assert verdict.findings[0].line == 3 and verdict.findings[0].message == "kernel.cu: enqueued in line 3 of kernel.cu"
