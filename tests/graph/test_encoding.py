"""Damaged, newer, hostile and huge graph files: one clear error each, nothing executed."""

import hashlib
import json
import pickle
import random

import pytest

from regrapht.errors import SchemaError
from regrapht.graph import encoding
from regrapht.graph.technique_graph import TechniqueGraph


def resealed(text, change):
    """The graph's text with its contents changed and the header's sha256 made to match."""
    plain = json.loads(text)
    change(plain)
    body = {key: plain[key] for key in ("techniques", "transitions", "outcomes", "paths", "programs") if key in plain}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    plain["sha256"] = hashlib.sha256(canonical.encode()).hexdigest()
    return json.dumps(plain, ensure_ascii=False)


def drop_technique(plain):
    plain["techniques"] = [t for t in plain["techniques"] if t["slug"] != "map_2d"]


def rename_program(plain):
    key = sorted(plain["programs"])[0]
    plain["programs"]["0" * 64] = plain["programs"].pop(key)


CHANGES = {
    "no technique": (drop_technique, "no technique 'map_2d'"),
    "no program": (lambda p: p["programs"].clear(), "does not hold"),
    "renamed program": (rename_program, "does not hold"),
    "orphan": (lambda p: p["programs"].update({hashlib.sha256(b"x").hexdigest(): "x"}), "no exemplar names"),
    "no string": (lambda p: p["programs"].update(a=1), "expected a string"),
    "twice": (lambda p: p["transitions"].append(p["transitions"][0]), "second time"),
    "technique twice": (lambda p: p["techniques"].append(p["techniques"][0]), "two techniques"),
    "outcome twice": (lambda p: p["outcomes"].append(p["outcomes"][0]), "two outcomes"),
    "path twice": (lambda p: p["paths"].append(p["paths"][0]), "canonical form"),
    "disorder": (lambda p: p["transitions"].reverse(), "canonical form"),
    "unknown key": (lambda p: p["paths"][0].update(weight=1), "has no weight"),
    "missing key": (lambda p: p["paths"][0].pop("slugs"), "lacks slugs"),
    "empty path": (lambda p: p["paths"][0].update(slugs=[]), "at least one technique"),
    "path off the edges": (lambda p: p["paths"][0]["slugs"].append("bit_packing"), "no transition"),
    "negative count": (lambda p: p["outcomes"][0].update(built=9), "attempts >= built"),
    "text for number": (lambda p: p["outcomes"][0].update(attempts="1"), "expected int"),
    "true for number": (lambda p: p["outcomes"][0].update(attempts=True), "expected int"),
    "edge with a weight": (lambda p: p["transitions"][0].update(weight=1), "source, target and exemplars"),
    "list for object": (lambda p: p.update(programs=[]), "expected an object"),
    "object for list": (lambda p: p.update(techniques={}), "expected a list"),
    "unknown part": (lambda p: p.update(__import__="os"), "unknown parts"),
    "newer": (lambda p: p.update(schema_version=3), "upgrade regrapht"),
    "no version": (lambda p: p.update(schema_version=None), "damaged"),
    "true version": (lambda p: p.update(schema_version=True), "damaged"),
    "other schema": (lambda p: p.update(schema="regrapht.run"), "not a technique graph"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_wrong_graph_is_refused_by_what_is_wrong(samples, name):
    change, words = CHANGES[name]
    with pytest.raises(SchemaError, match=words):
        TechniqueGraph.from_json(resealed(samples.graph().to_json(), change))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not strict JSON"),
        ("[]", "expected an object"),
        ("{}", "not a technique graph"),
        ('{"schema": NaN}', "NaN"),
        ('{"schema": 1, "schema": 1}', "twice"),
        ("[" * 200 + "]" * 200, "deeper"),
        ("[" * 200_000, "not strict JSON"),
        ('{"schema": "\\ud800"}', "not strict JSON"),
        ("9" * 5000, "not strict JSON"),
        (b"\xff\xfe{}", "not strict JSON"),
        (pickle.dumps({"a": 1}), "not strict JSON"),
    ],
)
def test_what_is_no_graph_is_refused(text, words):
    with pytest.raises(SchemaError, match=words):
        TechniqueGraph.from_json(text)


def test_a_missing_part_is_named(samples):
    plain = json.loads(samples.graph().to_json())
    del plain["outcomes"]
    with pytest.raises(SchemaError, match="outcomes"):
        TechniqueGraph.from_json(json.dumps(plain))


def test_a_changed_text_is_noticed(samples):
    text = samples.graph().to_json()
    with pytest.raises(SchemaError, match="sha256"):
        TechniqueGraph.from_json(text.replace('"hand"', '"hank"', 1))


def test_caps_are_checked(samples, monkeypatch):
    text = samples.graph().to_json()
    for name, words in {
        "MAX_TECHNIQUES": "techniques",
        "MAX_TRANSITIONS": "transitions",
        "MAX_EXEMPLARS": "exemplars",
    }.items():
        with monkeypatch.context() as patch:
            patch.setattr(encoding, name, 3)
            with pytest.raises(SchemaError, match=words):
                TechniqueGraph.from_json(text)


def test_random_damage_gives_declared_errors_only(samples):
    """Flipped, cut and inserted bytes: the very graph, or a SchemaError."""
    graph = samples.graph()
    data = graph.to_json().encode()
    seed = random.randrange(2**32)
    print("seed", seed)
    chance, refused = random.Random(seed), 0
    for _ in range(150):
        place = chance.randrange(len(data))
        kind = chance.randrange(3)
        if kind == 0:
            damaged = data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]
        elif kind == 1:
            damaged = data[:place]
        else:
            damaged = data[:place] + chance.randbytes(3) + data[place:]
        try:
            assert TechniqueGraph.from_json(damaged) == graph
        except SchemaError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("wrong", [1.5, None, ["loop_unrolling"], True])
def test_items_of_lists_are_checked(samples, wrong):
    with pytest.raises(SchemaError, match=r"paths\[0\]\.slugs\[0\]: expected str"):
        TechniqueGraph.from_json(resealed(samples.graph().to_json(), lambda p: p["paths"][0]["slugs"].insert(0, wrong)))


def test_a_number_beyond_all_floats_is_refused(samples):
    def change(plain):
        plain["outcomes"][0]["gain_mean"] = 10**400

    with pytest.raises(SchemaError, match="gain_mean"):
        TechniqueGraph.from_json(resealed(samples.graph().to_json(), change))
