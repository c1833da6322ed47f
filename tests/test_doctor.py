"""The examination itself: what it asks can be answered with no, and what a judge does not keep is named."""

import pytest

from regrapht import doctor
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.evaluator import Availability
from regrapht.sandbox.bubblewrap import BubblewrapSandbox
from regrapht.sandbox.choose import choose
from regrapht.sandbox.rlimits import RlimitSandbox
from regrapht.testing.evaluator_conformance import cases


class NeverReady:
    """An evaluator that says it works and does not."""

    name, protocol = "never_ready", "1"

    def __init__(self, sandbox):
        self.asked = 0

    def availability(self):
        return Availability(available=True)

    def prepare(self, task, plain):
        self.asked += 1
        raise RuntimeError("two\nlines")

    def evaluate(self, task, candidate, *, level):
        raise RuntimeError("no")


class Table:
    """A registry of one evaluator."""

    def __init__(self, evaluator):
        self.evaluator = evaluator

    def names(self):
        return ("mine",)

    def load(self, name):
        assert name == "mine"
        return self.evaluator


def test_a_strong_sandbox_must_hold_every_row():
    if choose().reason:
        pytest.skip(f"bubblewrap does not work here: {choose().reason}")
    rows = list(doctor._enforced(BubblewrapSandbox(), strong=True))
    assert len(rows) == 6 and all(row.needed for row in rows)
    assert [row.name for row in rows if not row.works] == []


def test_the_rows_can_be_answered_with_no(monkeypatch, tmp_path):
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path))
    tmp_path.chmod(0o755)
    rows = {row.name.removeprefix("sandbox "): row for row in doctor._enforced(RlimitSandbox(), strong=False)}
    refused = {name for name, row in rows.items() if not row.works}
    assert {"hides the home folder", "hides other processes", "has no network"} <= refused
    assert not any(rows[name].needed for name in refused), "a weak sandbox is a label, not a broken machine"
    assert rows["ends what never ends"].works


def test_a_judge_that_keeps_nothing_is_named_line_by_line(monkeypatch):
    monkeypatch.setattr(doctor, "EVALUATORS", Table(NeverReady))
    shown = []
    available, examined = doctor._judge("mine", RlimitSandbox(), quick=False, progress=shown.append)
    assert available.works and not examined.works
    assert "not kept: a right candidate passes, wrong candidates" in examined.detail
    assert any("RuntimeError: two lines" in line for line in examined.findings)
    assert all("\n" not in line for line in examined.findings)
    assert shown[-1] == "" and len(shown) == len(cases()) + 1 and "a right candidate passes" in shown[0]
    assert len(list(doctor._judge("mine", RlimitSandbox(), quick=True, progress=shown.append))) == 1


def test_a_judge_that_cannot_be_made_is_a_finding(monkeypatch):
    def broken(sandbox):
        raise EvaluatorUnavailable("its server is down")

    monkeypatch.setattr(doctor, "EVALUATORS", Table(broken))
    [row] = doctor._judge("mine", RlimitSandbox(), quick=False, progress=print)
    assert not row.works and "its server is down" in row.detail


def test_a_program_that_cannot_be_started_is_a_finding(tmp_path):
    program = tmp_path / "nvcc"
    program.write_bytes(b"\x7fELF not a program")
    program.chmod(0o755)
    row = doctor._program("nvcc", str(program), needed=False, fix="mend it")
    assert not row.works and "nvcc" in row.detail
