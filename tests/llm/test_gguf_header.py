"""Files that are no model for chats are one line that says what to do."""

import struct

import pytest

from regrapht.errors import ConfigError
from regrapht.llm.gguf_header import read_header
from regrapht.testing.tiny_gguf import write_tiny_gguf


@pytest.fixture
def whole(tmp_path):
    return write_tiny_gguf(tmp_path / "tiny.gguf")


def test_what_a_file_says(whole):
    header = read_header(whole)
    assert (header.architecture, header.name, header.context_tokens) == ("llama", "tiny", 4096)
    assert header.context_bytes == 2 * 2 * (32 + 32)  # two bytes, two layers, keys and values of all heads
    assert header.file_bytes == whole.stat().st_size


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (lambda data: b"", "no GGUF"),
        (lambda data: b"PK\3\4" + data[4:], "no GGUF"),
        (lambda data: data[:4] + struct.pack("<I", 1) + data[8:], "version 1"),
        (lambda data: data[:4] + struct.pack(">I", 3) + data[8:], "version"),
        (lambda data: data[:12], "cut off or damaged"),
        (lambda data: data[:200], "cut off or damaged"),
        (lambda data: data[:24] + b"\xff" * 8 + data[32:], "cut off or damaged"),
        (lambda data: data[:8] + b"\xff" * 16 + data[24:], "cut off or damaged"),
        (lambda data: data[: len(data) // 2], "cut off"),
        (lambda data: data.replace(b"general.architecture", b"general.architectura"), "architecture"),
    ],
)
def test_what_is_no_model(whole, changed, words):
    whole.write_bytes(changed(whole.read_bytes()))
    with pytest.raises(ConfigError, match=words):
        read_header(whole)


def test_every_cut_is_noticed_or_leaves_the_head_whole(whole):
    data = whole.read_bytes()
    for end in range(0, len(data) - 40000, 997):
        whole.write_bytes(data[:end])
        with pytest.raises(ConfigError):
            read_header(whole)


def test_what_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        read_header(tmp_path / "none.gguf")
    with pytest.raises(ConfigError, match="directory"):
        read_header(tmp_path)
