"""Verdicts beside a trajectory, as they are written and read again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.construct.verdict_file import VERDICTS_FILE, StepVerdict, read_verdicts, write_verdicts
from regrapht.errors import SchemaError
from regrapht.records.encoding import to_plain
from regrapht.records.measurement import Environment, Ratio, ShapeTiming, TimingSamples
from regrapht.records.verdict import Status
from regrapht.testing.synthetic import synthetic_verdict

CORPUS = Path(__file__).parents[2] / "trajectories" / "written"
TIMED = CORPUS / "bio_text" / "barcode_assign" / "packed_words"
SHAPE = ShapeTiming(
    sizes={"n": 64},
    candidate=TimingSamples(samples_us=(15.359999611973763, 14.240000396966934, 16.0319, 20.06400004029274)),
    baselines={"sequential": TimingSamples(samples_us=(40.5,)), "naive": TimingSamples(samples_us=(30.0, 31.0, 32.0))},
    ratios=(Ratio(against="sequential", value=2.5, low=2.25, high=2.75),),
    floor_us=1.5,
    kernel=TimingSamples(samples_us=(9.0,)),
    absent=dict.fromkeys(("end_to_end", "with_transfers"), "screening"),
    first_call_us=900.0,
)
DEVICE = Environment(device="NVIDIA H200 (sm_90)", architecture="sm_90", cpu="x", tools={"nvcc": "13"}, clocks={})


def step_verdict(file="01_step.cu", evaluator="local_gpu", shapes=(SHAPE,), environment=DEVICE):
    verdict = replace(synthetic_verdict(Status.PASSED), timing=shapes, no_timing=None, environment=environment)
    return StepVerdict.of(verdict, evaluator=evaluator, file=file, source="int x;", date="2026-01-01T00:00:00+00:00")


def test_what_is_written_is_read_again(tmp_path):
    verdicts = read_verdicts(TIMED)
    assert any(verdict.timing for verdict in verdicts)
    tricky = replace(verdicts[0], reason="a list: [\n 1,\n 2\n ] in words")
    write_verdicts(tmp_path, [tricky, *verdicts[1:]])
    assert read_verdicts(tmp_path) == (tricky, *verdicts[1:])


def test_times_are_kept_as_summaries():
    (shape,) = step_verdict().timing
    assert shape.candidate.median_us == SHAPE.candidate.median_us  # not rounded: speed-ups are made of it
    assert shape.candidate.quartiles_us == (15.08, 17.04) and shape.candidate.samples == 4
    assert {name: times.median_us for name, times in shape.baselines.items()} == {"sequential": 40.5, "naive": 31.0}
    assert shape.floor_fraction == SHAPE.floor_fraction and shape.ratio("sequential") == SHAPE.ratios[0]
    assert shape.ratio("library") is None and shape.sizes == SHAPE.sizes


def test_a_verdict_stands_on_one_line_and_an_environment_is_told_once(tmp_path):
    verdicts = [
        step_verdict(),
        step_verdict("02_step.cu"),
        step_verdict("02_step.cu", "another", environment=replace(DEVICE, cpu="y")),
        replace(step_verdict("03_step.cu"), environment=None, timing=None),
    ]
    write_verdicts(tmp_path, verdicts)
    lines = (tmp_path / VERDICTS_FILE).read_text().splitlines()
    assert len([line for line in lines if '"tools"' in line]) == 2
    assert [json.loads(line.rstrip(","))["file"] for line in lines if '"status"' in line] == [
        *("01_step.cu", "02_step.cu", "02_step.cu", "03_step.cu")
    ]
    assert read_verdicts(tmp_path) == (verdicts[0], verdicts[2], verdicts[1], verdicts[3])


def test_a_file_of_the_first_version_is_read_and_its_samples_summed_up(tmp_path):
    kept = step_verdict()
    step = {**to_plain(kept), "timing": [to_plain(SHAPE)]}
    untimed = {**to_plain(replace(kept, evaluator="emulated", environment=None)), "timing": None}
    document = {"schema": "regrapht.corpus_verdicts", "schema_version": 1, "steps": [untimed, step]}
    (tmp_path / VERDICTS_FILE).write_text(json.dumps(document))
    read = read_verdicts(tmp_path)
    assert read == (replace(kept, evaluator="emulated", environment=None, timing=None), kept)
    write_verdicts(tmp_path, read)
    assert read_verdicts(tmp_path) == read and '"schema_version": 2' in (tmp_path / VERDICTS_FILE).read_text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda document: document["steps"][0].update(environment=1), "not a number of an environment"),
        (lambda document: document["steps"][0].update(environment=-1), "not a number of an environment"),
        (lambda document: document["steps"][0].update(environment=True), "not a number of an environment"),
        (lambda document: document.update(environments=None), "not a number of an environment"),
        (lambda document: document.pop("environments"), "not a file of verdicts"),
        (lambda document: document.update(steps={}), "expected a list"),
        (lambda document: document.update(schema_version=[2]), "upgrade it"),
        (lambda document: document["steps"][0]["timing"][0]["candidate"].update(median_us=0), "above 0"),
        (lambda document: document["steps"][0]["timing"][0]["candidate"].update(samples=0), "at least one sample"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path, change, words):
    write_verdicts(tmp_path, [step_verdict()])
    document = json.loads((tmp_path / VERDICTS_FILE).read_text())
    change(document)
    (tmp_path / VERDICTS_FILE).write_text(json.dumps(document))
    with pytest.raises(SchemaError, match=words):
        read_verdicts(tmp_path)


def test_no_shipped_file_of_verdicts_is_large_or_of_an_old_form():
    for file in CORPUS.parent.rglob(VERDICTS_FILE):
        assert file.stat().st_size < 100_000 and '"schema_version": 2' in file.read_text()[:100], file


def test_a_damaged_file_is_said(tmp_path):
    (tmp_path / VERDICTS_FILE).write_text('{"schema": "regrapht.corpus_verdicts", "steps": [')
    with pytest.raises(SchemaError, match="delete the file and run `regrapht graph verify`"):
        read_verdicts(tmp_path)
