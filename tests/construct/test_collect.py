"""Collecting: what is kept, what is rejected and why, resuming, labels, duplicates, and the way into a graph."""

import json
from types import SimpleNamespace

import pytest

from regrapht.construct.build import build_graph
from regrapht.construct.collect import Collection, CollectSettings
from regrapht.construct.collection_files import PLACE, Journal, KeptReplies
from regrapht.construct.corpus import read_corpus
from regrapht.construct.model_labels import ModelLabeller
from regrapht.construct.writers import FolderWriter, ModelWriter, NoTrajectory, ProposerWriter
from regrapht.errors import CannotTransform, ConfigError, EvaluatorUnavailable, SchemaError
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.llm.scripted import ScriptedModel
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import ProposalKind
from regrapht.records.technique import INIT, Transition
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

PROGRAM = """// {name}
__global__ void kernel(int n, const float* x, float* y) {{ if (n > {number}) y[0] = {factor} * x[0]; }}
extern "C" void scale(int n, const float* x, float* y) {{ kernel<<<1, 256>>>(n, x, y); }}
"""


def step(number, method, factor="2.0f", name="collected"):
    code = PROGRAM.format(name=f"{name} {number}", number=number, factor=factor)
    return {"think": "because", "method": method, "detail": "done", "code": code}


def reply(*steps):
    return json.dumps(steps)


GOOD = reply(step(1, "map_to_threads"), step(2, "Loop Unrolling"))
FAILING = reply(step(3, "map_to_threads"), step(4, "tiling", factor="3.0f"), step(5, "loop_unrolling"))


@pytest.fixture
def tasks(tmp_path, writing):
    folders = [writing.task(tmp_path / "tasks", "image", f"scale_{letter}") for letter in "ab"]
    return [load_task(folder) for folder in folders]


@pytest.fixture
def collecting(tmp_path, writing):
    def make(writer, *, judge=None, labeller=None, **settings):
        chosen = CollectSettings(**{"run": "first", "source": "some-model", **settings})
        made = judge or writing.judge()
        return Collection(tmp_path / "out", writer, made, chosen, vocabulary=load_vocabulary(), labeller=labeller)

    return SimpleNamespace(make=make, out=tmp_path / "out")


def model_writer(*replies, kept=None):
    return ModelWriter(ScriptedModel(replies), kept=kept)


def test_a_models_trajectory_goes_into_the_corpus_and_into_a_graph(tasks, collecting):
    report = collecting.make(model_writer(GOOD)).run(tasks[:1])
    assert (report.trajectories, report.steps, report.passed, report.rejected) == (1, 2, 2, {})
    assert report.labels == {"alias": 1, "exact": 1}
    (item,) = read_corpus(collecting.out)
    assert item.provenance == f"first/scale_a/{item.name}"
    assert item.trajectory.source == "some-model"
    graph, built = build_graph(collecting.out)
    assert built.verified == 2
    (path,) = graph.paths
    assert (path.slugs, path.source, path.provenance) == (
        ("map_to_threads", "loop_unrolling"),
        "some-model",
        item.provenance,
    )


def test_a_failing_step_ends_the_trajectory_and_becomes_an_outcome(tasks, collecting):
    report = collecting.make(model_writer(FAILING)).run(tasks[:1])
    assert report.statuses == {"PASSED": 1, "WRONG_VALUE": 1}
    graph, built = build_graph(collecting.out)
    assert built.refused == {"WRONG_VALUE": 1}
    (outcome,) = graph.outcomes(Transition("map_to_threads", "shared_memory_tiling"))
    assert (outcome.attempts, outcome.correct, outcome.proposer, outcome.task_id) == (1, 0, "some-model", "scale_a")
    assert outcome.applied == ("map_to_threads",)
    assert outcome.gain_count == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no", "no_steps"),
        (reply({"code": "x"}), "step_without_program"),
        (reply(step(1, "tiling", "// unsupported")), "not_judged"),
    ],
)
def test_a_rejection_is_counted_by_its_reason(tasks, collecting, text, reason):
    report = collecting.make(model_writer(text)).run(tasks[:1])
    assert report.rejected == {reason: 1}
    assert not list(collecting.out.glob("image"))


def test_the_same_programs_twice_are_a_duplicate(tasks, collecting):
    renamed = GOOD.replace("// collected", "// in other words")
    report = collecting.make(model_writer(GOOD, renamed), samples=2).run(tasks[:1])
    assert (report.trajectories, report.rejected) == (1, {"duplicate": 1})


def test_an_interrupted_collection_goes_on_where_it_was(tasks, collecting, writing):
    judge = writing.judge()
    evaluate, limit = judge.evaluate, 3

    def failing(task, candidate, *, level):
        if judge.judged == limit:
            raise EvaluatorUnavailable("the device is gone")
        return evaluate(task, candidate, level=level)

    judge.evaluate = failing
    other = reply(step(7, "map_to_threads"), step(8, "loop_unrolling"))
    replies = ScriptedModel((GOOD, other))
    writer = ModelWriter(replies, kept=KeptReplies(collecting.out, "first"))
    with pytest.raises(EvaluatorUnavailable):
        collecting.make(writer, judge=judge).run(tasks)
    limit = 100
    # The model has no reply left: what it said is on file, and an attempt that is done is not made again.
    seen = []
    report = collecting.make(writer, judge=judge).run(tasks, on_attempt=seen.append)
    assert [attempt.task for attempt in seen] == ["scale_b"]
    assert (report.trajectories, report.passed) == (2, 4)
    assert not list(collecting.out.rglob("*.part"))


def test_a_torn_last_line_of_the_journal_is_an_attempt_not_done(tasks, collecting):
    collecting.make(model_writer(GOOD)).run(tasks[:1])
    journal = collecting.out / PLACE / "first.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"task": "scale_b", "sam')
    other = reply(step(7, "map_to_threads"))
    report = collecting.make(model_writer(other)).run(tasks)
    assert report.attempts == 2
    assert journal.read_bytes().startswith(whole)
    assert all(json.loads(line) for line in journal.read_text().splitlines())


def test_a_run_is_not_mixed_with_another(tasks, collecting):
    collecting.make(model_writer(GOOD)).run(tasks[:1])
    with pytest.raises(ConfigError, match="another source"):
        collecting.make(model_writer(GOOD), source="other-model")
    with pytest.raises(ConfigError, match="--run"):
        collecting.make(model_writer(GOOD), run="../evil")


def test_a_damaged_journal_is_refused(collecting, tasks):
    collecting.make(model_writer(GOOD)).run(tasks[:1])
    journal = collecting.out / PLACE / "first.jsonl"
    journal.write_text(journal.read_text().replace('"sample"', '"samples"'))
    with pytest.raises(SchemaError, match="line 2 is damaged"):
        collecting.make(model_writer(GOOD))


def test_a_model_labels_what_the_vocabulary_does_not_know(tasks, collecting):
    text = reply(step(1, "map_to_threads"), step(2, "sprinkle"), step(3, "mystery"), step(4, "dust"))
    new = {"slug": "dusting", "title": "Dusting", "area": "memory", "meaning": "Dusts.", "condition": "Dust."}
    answers = ScriptedModel(('{"technique": "loop_unrolling"}', "what?", json.dumps({"new": new})))
    labeller = ModelLabeller(answers, load_vocabulary())
    report = collecting.make(model_writer(text), labeller=labeller).run(tasks[:1])
    assert report.labels == {
        "exact": 1,
        "model: chosen": 1,
        "model: new": 1,
        "unknown: wrong: no JSON object": 1,
    }
    assert report.new_techniques == ("dusting",)
    graph, built = build_graph(collecting.out)
    assert built.labels["model"] == 2 and built.labels["unknown"] == 1
    assert graph.paths[0].slugs == ("map_to_threads", "loop_unrolling", "dusting")
    assert graph.techniques["dusting"].title == "Dusting"
    assert build_graph(collecting.out)[0].content_hash == graph.content_hash


def test_several_tasks_at_a_time_give_the_same_corpus(tasks, collecting, tmp_path, writing):
    replies = tmp_path / "replies"
    replies.mkdir()
    (replies / "scale_a.json").write_text(GOOD)
    (replies / "scale_b").mkdir()
    for number in range(3):
        name = replies / "scale_b" / f"{number}.md"
        name.write_text(f"Method: tiling\n```cuda\n{step(20 + number, 'x')['code']}```\n")
    report = collecting.make(FolderWriter(replies), samples=4, jobs=4).run(tasks)
    assert (report.trajectories, report.rejected) == (4, {"no_file": 4})
    assert {item.run for item in read_corpus(collecting.out)} == {"first"}


class FakeEngine:
    """A proposer that applies what it is told and cannot take the task `scale_b`."""

    name = "transform"

    def propose(self, task, proposal):
        if task.id == "scale_b":
            raise CannotTransform("no loop")
        before = proposal.parent.candidate.techniques if proposal.kind is ProposalKind.APPLY else ()
        slug = proposal.transition.target if proposal.transition else "map_to_threads"
        code = step(len(before), slug, name=slug)["code"]
        origin = Origin(proposer=self.name, seconds=0.0, decisions="[]")
        return Candidate(
            source=code,
            program_hash=program_hash(code),
            origin=origin,
            techniques=(*before, slug),
            explanation="by rule",
        )

    def applicable(self, task, candidate, transition):
        assert candidate.origin.decisions == "[]"  # what the engine is asked about is what it made
        return transition.target in ("loop_unrolling", "vectorised_access")


def test_an_engine_writes_step_by_step_under_its_own_name(tasks, collecting):
    writer = ProposerWriter(FakeEngine(), load_vocabulary().techniques, most=5)
    report = collecting.make(writer, source="transform", run="engine").run(tasks)
    assert report.rejected == {"engine_cannot_take_the_task": 1}
    graph, _ = build_graph(collecting.out)
    (path,) = graph.paths
    assert path.slugs[0] == "map_to_threads" and set(path.slugs[1:]) == {"loop_unrolling", "vectorised_access"}
    assert not path.by_expert
    assert graph.edges[Transition(INIT, "map_to_threads")][0].source == "transform"


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no folder"):
        FolderWriter(tmp_path / "none")


def test_a_link_among_replies_is_not_followed(tasks, tmp_path):
    (tmp_path / "secret.json").write_text(GOOD)
    (tmp_path / "replies").mkdir()
    (tmp_path / "replies" / "scale_a.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(NoTrajectory, match="file_refused"):
        FolderWriter(tmp_path / "replies").begin(tasks[0], 0)


def test_a_journal_names_what_is_wrong(tmp_path):
    (tmp_path / PLACE).mkdir()
    (tmp_path / PLACE / "r.jsonl").write_text("[]\n")
    with pytest.raises(SchemaError, match="line 1"):
        Journal(tmp_path, "r", {})
