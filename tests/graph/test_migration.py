"""Graphs of every version that was released are read, and mean the same; the golden files are what those versions wrote."""

import copy
import json
from pathlib import Path

import pytest

from regrapht.errors import SchemaError
from regrapht.graph.encoding import SCHEMA_VERSION
from regrapht.graph.migration import OLDER, migrated
from regrapht.graph.technique_graph import TechniqueGraph

GOLDEN = Path(__file__).parent / "golden"
PARTS = ("techniques", "transitions", "outcomes", "paths", "programs")


def golden(version):
    return (GOLDEN / f"graph_v{version}.json").read_text(encoding="utf-8")


def test_there_is_a_golden_file_for_each_version():
    assert sorted(GOLDEN.glob("graph_v*.json")) == [GOLDEN / f"graph_v{v}.json" for v in (*OLDER, SCHEMA_VERSION)]


@pytest.mark.parametrize("version", OLDER)
def test_an_older_graph_means_the_same_today(version):
    graph = TechniqueGraph.from_json(golden(version))
    assert graph == TechniqueGraph.from_json(golden(SCHEMA_VERSION))
    assert graph.to_json() == golden(SCHEMA_VERSION)
    assert {path.provenance for path in graph.paths} == {"gemm/a", "syrk/a", "blur/a"}
    assert all(outcome.task_id is None and outcome.applied is None for outcome in graph.all_outcomes)


def test_the_present_version_is_read_and_written_bit_for_bit():
    text = golden(SCHEMA_VERSION)
    assert TechniqueGraph.from_json(text).to_json() == text
    assert TechniqueGraph.from_json(text.encode()).to_json() == text


@pytest.mark.parametrize("version", OLDER)
def test_a_migration_leaves_its_argument_alone(version):
    body = {name: value for name, value in json.loads(golden(version)).items() if name in PARTS}
    before = copy.deepcopy(body)
    migrated(body, version)
    assert body == before


@pytest.mark.parametrize("version", OLDER)
def test_a_changed_older_graph_is_refused(version):
    with pytest.raises(SchemaError, match="sha256"):
        TechniqueGraph.from_json(golden(version).replace('"hand"', '"hank"', 1))
