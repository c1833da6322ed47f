"""Landscapes as files: canonical, strict, capped."""

import gzip
import json
from dataclasses import replace

import pytest

from regrapht.bench.landscape import files
from regrapht.bench.landscape.files import load_landscape, save_landscape
from regrapht.bench.landscape.records import Step, trimmed
from regrapht.errors import ConfigError, SchemaError
from regrapht.records.measurement import ShapeTiming, TimingSamples
from regrapht.records.verdict import Status
from regrapht.testing.synthetic import synthetic_verdict


@pytest.mark.parametrize("name", ["one.json", "one.json.gz"])
def test_a_landscape_comes_back_and_has_one_text(tmp_path, landscape, name):
    save_landscape(landscape, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert load_landscape(tmp_path / name) == landscape
    save_landscape(load_landscape(tmp_path / name), tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def changed(path, change):
    plain = json.loads(gzip.decompress(path.read_bytes()))
    change(plain)
    path.write_bytes(gzip.compress(json.dumps(plain).encode()))


CHANGES = {
    "not the text that was judged": lambda p: p["programs"][1].update(source="int other;"),
    "another task": lambda p: p["programs"][0]["verdicts"][0].update(task_hash="other"),
    "leads to program 99": lambda p: p["programs"][0]["transitions"][0]["steps"][0].update(program=99),
    "recorded twice": lambda p: p["programs"][0].update(program_hash="hash-1"),
    "several evaluators": lambda p: p["programs"][0]["verdicts"][0].update(evaluator="other"),
    "reads 1": lambda p: p.update(schema_version=2),
    "has no speed": lambda p: p.update(speed=1),
    "lacks first": lambda p: p.pop("first"),
    "has a first program": lambda p: p.update(first=[]),
    "one screening verdict": lambda p: p["programs"][0].update(verdicts=[]),
}


@pytest.mark.parametrize("reason", CHANGES)
def test_a_damaged_landscape_is_refused(tmp_path, landscape, reason):
    path = tmp_path / "one.json.gz"
    save_landscape(landscape, path)
    changed(path, CHANGES[reason])
    with pytest.raises(SchemaError, match=reason):
        load_landscape(path)


def test_what_is_no_file_cut_short_or_too_large_is_refused(tmp_path, landscape, monkeypatch):
    path = tmp_path / "one.json.gz"
    with pytest.raises(ConfigError, match="there is no landscape"):
        load_landscape(path)
    save_landscape(landscape, path)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], b"", b"\x1f\x8bnonsense", whole[:30] + b"\0\0\0\0" + whole[34:]):
        path.write_bytes(data)
        with pytest.raises(SchemaError):
            load_landscape(path)
    path.write_bytes(gzip.compress(b" " * 5000))  # a small file may hold a large text
    monkeypatch.setattr(files, "MAX_BYTES", 4999)
    with pytest.raises(SchemaError, match="more than 4999 bytes"):
        load_landscape(path)
    with pytest.raises(SchemaError, match="record fewer programs"):
        save_landscape(landscape, path)


def test_two_equal_settings_of_a_technique_are_two_steps(tmp_path, landscape):
    """An attempt that changes nothing is a fact about the engine, and stays."""
    first = landscape.programs[0]
    way = replace(first.transitions[0], steps=(*first.transitions[0].steps, Step(program=0, techniques=("tile",))))
    again = replace(landscape, programs=(replace(first, transitions=(way,)), *landscape.programs[1:]))
    save_landscape(again, tmp_path / "one.json")
    assert load_landscape(tmp_path / "one.json").programs[0].transitions[0].steps[-1].program == 0


def test_a_trimmed_verdict_keeps_status_figure_and_median():
    samples = tuple(float(n) for n in range(101, 0, -1))
    shape = ShapeTiming(sizes={"n": 1}, candidate=TimingSamples(samples_us=samples), baselines={}, ratios=())
    verdict = replace(
        synthetic_verdict(Status.PASSED), timing=(shape,), no_timing=None, reason="r" * 500, feedback="f" * 500
    )
    small = trimmed(verdict)
    assert small.passed and small.time_us == verdict.time_us == 51.0
    assert small.timing is not None and len(small.timing[0].candidate.samples_us) == 15
    assert (min(small.timing[0].candidate.samples_us), max(small.timing[0].candidate.samples_us)) == (1.0, 101.0)
    assert small.evidence is not None and small.evidence.modelled_cost == 1000.0
    assert len(small.reason) == len(small.feedback) == 200 and small.environment is None
    assert trimmed(small) == small
