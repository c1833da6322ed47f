"""Recording with the transform engine and a judge that takes no time: what is listed, in which order, in slices, and what goes wrong."""

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from study.landscape.table import RecordedTable

from regrapht.assemble import open_task
from regrapht.bench.landscape.files import load_landscape, save_landscape
from regrapht.bench.landscape.journal import RecordingJournal
from regrapht.bench.landscape.recording import record_landscape
from regrapht.bench.landscape.records import Extent
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.graph.shipped import shipped_graph
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import ProposalKind
from regrapht.records.technique import Transition
from regrapht.records.verdict import Level, Status
from regrapht.testing.synthetic import ENVIRONMENT, START_COST, synthetic_verdict
from regrapht.transform.rules.decisions import decisions_from_json

ROOT = Path(__file__).resolve().parents[3]
EXTENT = Extent(depth=2, programs=6, attempts=2, full=2)


class QuickJudge:
    """Costs by the length of the text; counts what it is asked."""

    name, protocol = "synthetic", "1"

    def __init__(self, *, breaks_after=None):
        self.asked, self.breaks_after, self.lock = [], breaks_after, threading.Lock()

    def environment(self):
        return ENVIRONMENT

    def prepare(self, task, plain):
        return Yardstick(scale=Scale.MODELLED, start=START_COST, floor=1.0, start_name="plain")

    def evaluate(self, task, candidate, *, level):
        with self.lock:
            self.asked.append((candidate.id, level))
            if self.breaks_after is not None and len(self.asked) > self.breaks_after:
                raise EvaluatorUnavailable("the machine is gone")
        verdict = synthetic_verdict(
            Status.PASSED, cost=START_COST * 1000 / len(candidate.source), level=level, candidate_id=candidate.id
        )
        return replace(verdict, task_hash=task.content_hash, protocol=self.protocol)


@pytest.fixture(scope="module")
def task():
    return open_task(ROOT / "examples" / "histogram").task


@pytest.fixture(scope="module")
def recorded(task, tmp_path_factory):
    judge = QuickJudge()
    journal = tmp_path_factory.mktemp("recording") / "one.part"
    return record_landscape(task, evaluator=judge, extent=EXTENT, journal=journal), judge, journal


def test_programs_come_nearest_first_and_each_once(recorded):
    landscape, judge, _ = recorded
    distances = [program.distance for program in landscape.programs]
    assert distances == sorted(distances) and distances[0] == 0 and len(distances) == EXTENT.programs
    assert len({program.program_hash for program in landscape.programs}) == EXTENT.programs
    assert sorted(level for _, level in judge.asked) == [Level.FULL] * 2 + [Level.SCREEN] * 6
    assert landscape.task.folder is None and not landscape.is_measured
    best = max(range(6), key=lambda n: len(landscape.programs[n].source))
    assert Level.FULL in {verdict.level for verdict in landscape.programs[best].verdicts}


def test_every_recorded_way_is_what_the_engine_does(task, recorded):
    landscape, _, _ = recorded
    engine = TransformProposer()
    for program in landscape.programs:
        rebuilt = engine.rebuild(task, decisions_from_json(program.decisions))
        assert rebuilt.source == program.source
    first = landscape.programs[landscape.first[0].program]
    parent = SimpleNamespace(candidate=engine.rebuild(task, decisions_from_json(first.decisions)))
    known = [program.program_hash for program in landscape.programs]
    for transition in first.transitions:
        made = [
            engine.propose(task, asked(parent, transition.technique, attempt)).program_hash
            for attempt in range(EXTENT.attempts)
        ]
        recorded_hashes = [known[step.program] for step in transition.steps]
        assert [program for program in made if program in known] == recorded_hashes
        assert all(step.techniques[-1] == transition.technique for step in transition.steps)


def asked(parent, technique, attempt):
    return SimpleNamespace(
        kind=ProposalKind.APPLY, parent=parent, transition=Transition("map_to_threads", technique), attempt=attempt
    )


def test_a_recording_is_replayed(tmp_path, recorded):
    landscape, _, _ = recorded
    save_landscape(landscape, tmp_path / "one.json.gz")
    table = RecordedTable(load_landscape(tmp_path / "one.json.gz"), shipped_graph())
    first = table.first(0)
    assert first is not None and table.techniques(first.program)
    for technique in table.techniques(first.program):
        way = table.way(first.program, technique, 0)
        assert way is not None and table.gain(way.program) is not None


def test_a_recording_in_slices_is_the_same_and_nothing_is_judged_twice(task, tmp_path, recorded):
    judge, journal, landscape, calls = QuickJudge(), tmp_path / "slices.part", None, 0
    while landscape is None and calls < 60:
        calls += 1
        landscape = record_landscape(task, evaluator=judge, extent=EXTENT, journal=journal, seconds=0.0)
        with open(journal, "ab") as file:  # as a kill in the middle of a line leaves it
            file.write(b'{"verdict":{"status"')
    assert landscape == recorded[0] and calls > 1
    assert len(set(judge.asked)) == len(judge.asked) == 8


def test_a_smaller_extent_is_a_part_and_takes_no_judging(task, recorded):
    landscape, _, journal = recorded
    judge = QuickJudge()
    part = record_landscape(task, evaluator=judge, extent=replace(EXTENT, programs=4, full=0), journal=journal)
    assert judge.asked == []
    assert [p.program_hash for p in part.programs] == [p.program_hash for p in landscape.programs[:4]]
    assert all(step.program < 4 for p in part.programs for way in p.transitions for step in way.steps)


def test_a_broken_judge_is_an_error_that_can_be_gone_on_from(task, tmp_path, recorded):
    journal = tmp_path / "broken.part"
    with pytest.raises(EvaluatorUnavailable):
        record_landscape(task, evaluator=QuickJudge(breaks_after=4), extent=EXTENT, journal=journal)
    judge = QuickJudge()
    assert record_landscape(task, evaluator=judge, extent=EXTENT, journal=journal) == recorded[0]
    assert len(judge.asked) == 4


def test_another_recording_is_not_gone_on_with(task, tmp_path, recorded):
    journal = tmp_path / "one.part"
    journal.write_bytes(recorded[2].read_bytes())
    with pytest.raises(ConfigError, match="another attempts"):
        record_landscape(task, evaluator=QuickJudge(), extent=replace(EXTENT, attempts=1), journal=journal)
    journal.write_text("not a journal\n")
    with pytest.raises(ConfigError, match="delete it"):
        RecordingJournal(journal, {})
