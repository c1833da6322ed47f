"""The live table of a search: drawn anew while nothing happens, so that its clock goes on."""

import re
import time
import types

import pytest
import rich.live

from regrapht.cli import progress
from regrapht.records.candidate import Writer
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Asked, Budget, RunOptions
from regrapht.records.verdict import Status


class Recorder:
    """Takes the place of rich's live display and keeps what draws it."""

    def __init__(self, *_, get_renderable, **__):
        type(self).drawn = staticmethod(get_renderable)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


@pytest.fixture
def launched():
    settings = types.SimpleNamespace(options=RunOptions(budget=Budget(candidates=3)))
    return types.SimpleNamespace(
        proposer=types.SimpleNamespace(),
        yardstick=Yardstick(scale=Scale.MODELLED, start=2.0, floor=1.0, start_name="plain"),
        run=types.SimpleNamespace(settings=settings),
        replayed=(),
    )


def test_the_clock_goes_on_without_events(monkeypatch, launched):
    monkeypatch.setattr(rich.live, "Live", Recorder)
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])

    def elapsed():
        names, texts = Recorder.drawn().columns
        return str(list(texts.cells)[list(names.cells).index("elapsed")])

    with progress._live(launched):
        assert elapsed() == "0 s"
        now[0] += 12
        assert elapsed() == "12 s"


def test_a_repeat_of_a_judged_program_is_marked_and_has_no_number(launched):
    def judged(proposal, program, status=Status.PASSED):
        candidate = types.SimpleNamespace(
            program_hash=program,
            no_source=None,
            transition=None,
            parent=None,
            writer=Writer.OTHER,
            chosen=None,
            origin=types.SimpleNamespace(usage=None, requests=()),
        )
        evidence = types.SimpleNamespace(modelled_cost=1.0)
        verdict = types.SimpleNamespace(
            status=status, passed=status is Status.PASSED, evidence=evidence, reason="as told", time_us=None
        )
        return Judged(proposal_id=proposal, candidate=candidate, verdict=verdict)

    board = progress._Board(launched)
    programs = [
        ("a", Status.PASSED),
        ("b", Status.RACE),
        ("a", Status.PASSED),
        ("b", Status.RACE),
        (None, Status.SKIPPED),
    ]
    for number, (program, status) in enumerate(programs, start=1):
        board.take(judged(number, program, status))
    assert [line.split()[0] for line in board.last] == ["1", "2", "first", "first", "first"]
    assert [line.partition("as #")[2] for line in board.last] == ["", "", "1", "2", ""]
    assert board.judged == 2


def test_outside_a_terminal_silence_is_broken_by_what_is_waited_for(monkeypatch, launched, capsys):
    monkeypatch.setattr(progress, "SILENCE_S", 0.02)
    launched.proposer.doing = lambda: "the model has read 256 of 900 tokens"
    with progress.progress_for(launched, quiet=False) as observer:
        observer(Asked(proposal=Proposal(id=1, kind=ProposalKind.INITIAL)))
        said, until = "", time.monotonic() + 30
        while said.count("...") < 2 and time.monotonic() < until:
            time.sleep(0.01)
            said += capsys.readouterr().err
    words = r"\.\.\. candidate 1 of 3, initial, \d+ s: the model has read 256 of 900 tokens"
    assert re.search(words, said), said
    capsys.readouterr()
    time.sleep(0.06)
    assert capsys.readouterr().err == "", "what is over says nothing"


def test_quiet_says_nothing(monkeypatch, launched, capsys):
    monkeypatch.setattr(progress, "SILENCE_S", 0.01)
    with progress.progress_for(launched, quiet=True) as observer:
        observer(Asked(proposal=Proposal(id=1, kind=ProposalKind.INITIAL)))
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_what_is_waited_for(launched):
    board = progress._Board(launched)
    assert board.doing() == "preparing"
    board.take(Asked(proposal=Proposal(id=1, kind=ProposalKind.INITIAL)))
    assert "initial" in board.doing() and board.doing().endswith("being written or judged")
    origin = types.SimpleNamespace(usage=None, requests=())
    told = {"program_hash": None, "transition": None, "parent": None, "writer": Writer.OTHER, "chosen": None}
    verdict = types.SimpleNamespace(status=Status.SKIPPED, passed=False, evidence=None, reason="r", time_us=None)
    candidate = types.SimpleNamespace(**told, origin=origin)
    board.take(Judged(proposal_id=1, candidate=candidate, verdict=verdict))
    assert board.doing() == "the best program is judged in full"
