"""Graph files: merged, exported and quarantined, and what is refused first."""

import pytest

from regrapht.errors import ConfigError
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.session import graphs
from regrapht.testing.synthetic import SyntheticWorld, synthetic_graph

GRAPH = synthetic_graph(SyntheticWorld.draw(3), seed=1)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text(GRAPH.to_json())
    return path


def test_a_graph_merged_with_itself_is_the_same(file, tmp_path):
    out = tmp_path / "merged.json"
    assert graphs.merge_files([file, file], out).content_hash == GRAPH.content_hash
    assert TechniqueGraph.from_json(out.read_bytes()).content_hash == GRAPH.content_hash


@pytest.mark.parametrize("name", ["graph.dot", "graph.graphml", "graph.svg"])
def test_the_suffix_names_the_form(file, tmp_path, name):
    graphs.export_graph(tmp_path / name, graph=file, corpus=None)
    assert "technique-00" in (tmp_path / name).read_text()


@pytest.mark.parametrize(
    ("name", "corpus", "said"),
    [("t.jsonl", False, "add --corpus FOLDER"), ("g.dot", True, "which are a .jsonl file"), ("g.png", False, "png")],
)
def test_forms_that_make_no_sense(file, tmp_path, name, corpus, said):
    with pytest.raises(ConfigError, match=said):
        graphs.export_graph(tmp_path / name, graph=file, corpus=tmp_path if corpus else None)
    assert not (tmp_path / name).exists()


def test_convergence_is_drawn(file, tmp_path):
    graphs.draw_convergence(tmp_path / "c.svg", graph=file)
    assert (tmp_path / "c.svg").read_text().lstrip().startswith("<svg")


@pytest.mark.parametrize(
    ("origin", "corpus", "said"), [("run", None, "--corpus FOLDER, or --out"), ("#", "c", "is not a run")]
)
def test_a_quarantine_says_what_and_where(tmp_path, origin, corpus, said):
    with pytest.raises(ConfigError, match=said):
        graphs.quarantine(origin, graph=None, out=None, corpus=corpus and tmp_path, reason="")
