import pytest

from regrapht.errors import ConfigError, SchemaError, StoreUnavailable
from regrapht.records import encoding
from regrapht.store import graph_files
from regrapht.store.graph_files import read_graph_bytes, write_graph_text


def test_a_text_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "new" / "graph.json"
    write_graph_text(path, '{"größe":1}\r\n')
    assert read_graph_bytes(path) == '{"größe":1}\r\n'.encode()
    write_graph_text(path, "{}")
    assert read_graph_bytes(path) == b"{}"


def test_bad_files_are_refused_by_what_is_wrong(tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match="no graph file"):
        read_graph_bytes(tmp_path / "absent.json")
    with pytest.raises(ConfigError, match="no graph file"):
        read_graph_bytes(tmp_path)
    large = tmp_path / "large.json"
    large.write_bytes(b"12345")
    monkeypatch.setattr(graph_files, "MAX_BYTES", 4)
    assert encoding.MAX_BYTES > 4
    with pytest.raises(SchemaError, match="at most 4"):
        read_graph_bytes(large)
    with pytest.raises(StoreUnavailable):
        write_graph_text(large / "below.json", "{}")
