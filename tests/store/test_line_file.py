"""Files of lines: what a kill leaves, what is not ours, and that a line is there when it is said to be."""

import pytest

from regrapht.errors import ConfigError, SchemaError, StoreUnavailable
from regrapht.store import line_file
from regrapht.store.line_file import LineFile


@pytest.fixture
def opened(tmp_path):
    return lambda: LineFile(tmp_path / "lines", is_head=lambda line: line.startswith(b"head"), writer="a command")


def test_lines_come_back_but_for_one_that_was_cut_off(tmp_path, opened):
    with opened() as file:
        assert file.lines == []
        file.replace(["head 1"])
        file.append("first")
        file.append("second")
    content = (tmp_path / "lines").read_bytes()
    (tmp_path / "lines").write_bytes(content[:-3])
    with opened() as file:
        assert file.lines == [b"head 1", b"first"]
        file.append("second")
    assert (tmp_path / "lines").read_bytes() == content


def test_an_empty_file_is_not_begun(tmp_path, opened):
    (tmp_path / "lines").write_bytes(b"")
    with opened() as file:
        assert file.lines == []


@pytest.mark.parametrize("content", [b"other\n", b"other\nhalf", b"head, cut o", b"\n", b"\xff"])
def test_what_is_not_ours_is_left_alone_and_free(tmp_path, opened, content):
    (tmp_path / "lines").write_bytes(content)
    for _ in range(2):
        with pytest.raises(ConfigError, match=f"not what `a command` writes, so {tmp_path} holds something else"):
            opened()
    assert (tmp_path / "lines").read_bytes() == content


def test_it_is_open_once_at_a_time(opened):
    with opened(), pytest.raises(ConfigError, match="another process works on"):
        opened()
    opened().close()


def test_what_is_too_large_is_not_read(tmp_path, opened, monkeypatch):
    monkeypatch.setattr(line_file, "MAX_BYTES", 5)
    (tmp_path / "lines").write_bytes(b"head 1\n")
    with pytest.raises(SchemaError, match="more than 5 bytes"):
        opened()


def test_a_line_that_cannot_be_written_is_said(tmp_path, opened):
    with opened() as file:
        (tmp_path / "lines").mkdir()
        with pytest.raises(StoreUnavailable):
            file.append("lost")
