"""Records survive JSON exactly, and damaged JSON is refused by place."""

import json
import math
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.errors import SchemaError
from regrapht.records.candidate import Candidate, NoSource, Origin, TokenUsage
from regrapht.records.encoding import MAX_DEPTH, from_json, parse_strict, to_json, to_plain
from regrapht.records.expression import Expression
from regrapht.records.measurement import Environment, Ratio, ShapeTiming, TimingSamples
from regrapht.records.proposal import Proposal
from regrapht.records.task import Init
from regrapht.records.technique import Area, Exemplar, Outcome, Technique, Transition
from regrapht.records.trajectory import Step, Trajectory
from regrapht.records.verdict import CaseResult, Finding, Verdict

finite = st.floats(allow_nan=False, allow_infinity=False)
times = st.floats(min_value=1e-300, max_value=1e300)
samples = st.builds(TimingSamples, samples_us=st.lists(times, min_size=1, max_size=4).map(tuple))
sizes = st.dictionaries(st.text(max_size=3), st.integers(), max_size=3)


@pytest.mark.parametrize(
    "cls",
    [
        Candidate,
        CaseResult,
        Environment,
        Finding,
        Origin,
        Outcome,
        Proposal,
        Ratio,
        Step,
        Technique,
        TokenUsage,
        Trajectory,
        Transition,
    ],
    ids=lambda cls: cls.__name__,
)
def test_records_survive(cls):
    @given(st.data())
    @settings(max_examples=40, deadline=None)
    def survives(data):
        try:
            record = data.draw(st.from_type(cls))
        except ValueError:
            return  # a combination that the record refuses
        try:
            text = to_json(record)
        except ValueError:
            assert not all(map(math.isfinite, _floats(to_plain(record)))), "only what is not finite is refused"
            return
        if any(version != 1 for version in _versions(record)):
            with pytest.raises(SchemaError, match="of schema"):
                from_json(cls, text)
            return
        assert from_json(cls, text) == record
        assert to_json(from_json(cls, text)) == text

    st.register_type_strategy(object, st.none() | st.booleans() | st.integers() | finite | st.text(max_size=5))
    survives()


def _versions(value):
    """Of a record and those inside it: drawn ones may claim any."""
    if is_dataclass(value):
        yield from [value.schema_version] if hasattr(value, "schema_version") else []
        value = [getattr(value, field.name) for field in fields(value)]
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _versions(item)


def _floats(plain):
    if isinstance(plain, float):
        yield plain
    for item in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        yield from _floats(item)


@given(finite)
def test_floats_survive_exactly(value):
    timing = Ratio(against="naive", value=value, low=value, high=value)
    assert math.copysign(1, from_json(Ratio, to_json(timing)).value) == math.copysign(1, value)
    assert from_json(Ratio, to_json(timing)) == timing


@given(sizes, samples, samples)
def test_timing_survives(row, candidate, baseline):
    timing = ShapeTiming(sizes=row, candidate=candidate, baselines={"naive": baseline}, ratios=())
    assert from_json(ShapeTiming, to_json(timing)) == timing


def test_expressions_and_free_values_survive():
    init = Init(
        kind="integers", parameters={"low": -3, "high": Expression("2 * n"), "values": (1, 2.5, "x"), "none": None}
    )
    assert from_json(Init, to_json(init)) == init


def test_text_is_canonical():
    technique = Technique(slug="é", title="t", area=Area.MEMORY, meaning="m", condition="c")
    assert to_json(technique) == to_json(from_json(Technique, json.dumps(to_plain(technique), indent=3)))
    assert "é" in to_json(technique) and ": " not in to_json(technique)


ORIGIN = Origin(proposer="transform", seconds=0.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not strict JSON"),
        ("[]", "expected an object"),
        ('{"proposer":"a"}', "lacks seconds"),
        ('{"proposer":"a","seconds":1,"colour":2}', "has no colour"),
        ('{"proposer":3,"seconds":1}', r"\$\.proposer: expected str"),
        ('{"proposer":"a","seconds":true}', r"\$\.seconds: expected a number"),
        ('{"proposer":"a","seconds":NaN}', "NaN"),
        ('{"proposer":"a","seconds":-Infinity}', "Infinity"),
        ('{"proposer":"a","seconds":1,"seconds":2}', "twice"),
        ('{"proposer":"\\ud800","seconds":1}', "not strict JSON"),
        ('{"proposer":"a","seconds":1,"usage":{"prompt_tokens":1}}', r"\$\.usage.*lacks completion_tokens"),
        (
            '{"proposer":"a","seconds":1,"usage":{"prompt_tokens":1,"completion_tokens":1.5}}',
            r"completion_tokens: expected int",
        ),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "deep"),
        ("[" * 100_000, "not strict JSON"),
        (b"\xff", "not strict JSON"),
    ],
)
def test_damaged_text_is_refused(text, words):
    with pytest.raises(SchemaError, match=words):
        from_json(Origin, text)


def test_another_schema_is_refused():
    with pytest.raises(SchemaError, match=r"schema 99.*upgrade"):
        from_json(Verdict, '{"schema_version":99}')


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@settings(max_examples=100, deadline=None)
def test_any_json_either_fits_or_is_a_schema_error(plain):
    text = json.dumps(plain)
    assert parse_strict(text) == plain
    for cls in (Origin, Candidate, Verdict, Exemplar):
        with pytest.raises(SchemaError):
            from_json(cls, text)


def test_candidates_without_source():
    candidate = Candidate(source=None, program_hash=None, origin=ORIGIN, no_source=NoSource.SKIPPED, reason="no loop")
    assert from_json(Candidate, to_json(candidate)) == candidate
    plain = to_plain(candidate) | {"no_source": None}
    with pytest.raises(SchemaError, match=r"\$: a candidate has either source or a reason"):
        from_json(Candidate, json.dumps(plain))
