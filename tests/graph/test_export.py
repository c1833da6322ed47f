import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from regrapht.errors import ConfigError
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.export import FORMATS, export
from regrapht.graph.technique_graph import TechniquePath
from regrapht.graph.vocabulary import load_vocabulary

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
HOSTILE = 'a"\\];\n<script>alert(1)</script>&#1; ]]> \x07\x00 größer'


@pytest.fixture
def hostile(samples):
    graph = samples.graph()
    changed = {
        slug: replace(t, title=HOSTILE, meaning=HOSTILE) if slug == "map_2d" else t
        for slug, t in graph.techniques.items()
    }
    return replace(graph, techniques=changed)


def test_graphml_holds_every_edge(hostile):
    root = ET.fromstring(export(hostile, ".graphml"))
    edges = {(edge.get("source"), edge.get("target")) for edge in root.iter(f"{GRAPHML}edge")}
    assert edges == {(edge.source, edge.target) for edge in hostile.transitions}
    nodes = {node.get("id") for node in root.iter(f"{GRAPHML}node")}
    assert {end for edge in edges for end in edge} <= nodes
    supports = [data.text for edge in root.iter(f"{GRAPHML}edge") for data in edge if data.get("key") == "support"]
    assert sorted(map(int, supports)) == sorted(hostile.support(edge) for edge in hostile.transitions)


def test_cytoscape_holds_every_edge(hostile):
    elements = json.loads(export(hostile, ".json"))["elements"]
    assert len(elements["edges"]) == len(hostile.transitions)
    labels = {node["data"]["id"]: node["data"]["label"] for node in elements["nodes"]}
    assert labels["map_2d"] == HOSTILE


def test_dot_has_one_line_for_each_edge(hostile):
    text = export(hostile, ".dot")
    assert text.count(" -> ") == len(hostile.transitions)
    assert all(character.isprintable() or character == "\n" for character in text)
    assert all(line.rstrip().endswith((";", "{", "}")) for line in text.splitlines())


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphviz_reads_our_dot(samples):
    subprocess.run(["dot", "-Tplain"], input=export(samples.graph(), ".dot").encode(), check=True, capture_output=True)


def test_svg_is_sound_and_draws_what_is_connected(hostile):
    text = export(hostile, ".svg")
    root = ET.fromstring(text)
    assert root.tag.endswith("svg")
    assert not any(element.tag.endswith("script") for element in root.iter())
    titles = [element.text for element in root.iter() if element.tag.endswith("title")]
    assert all(str(edge) in titles for edge in hostile.transitions)
    drawn = {element.text for element in root.iter() if element.tag.endswith("}text")}
    assert "Tile in shared memory" in drawn
    assert "Tensor cores" not in drawn


def test_a_graph_without_edges_and_one_of_everything_can_be_drawn():
    techniques = load_vocabulary().techniques
    empty = GraphBuilder().graph()
    full = GraphBuilder(techniques.values())
    full.add_path(TechniquePath(task_id="t", family=None, source="hand", slugs=tuple(techniques)))
    for suffix, write in FORMATS.items():
        for graph in (empty, full.graph()):
            assert write(graph), suffix
            assert export(graph, suffix) == export(graph, suffix)


def test_an_unknown_format_is_refused(samples):
    with pytest.raises(ConfigError, match="graphml"):
        export(samples.graph(), ".gexf")
