"""What may be read of what a user names."""

import os
import socket

import pytest

from regrapht.errors import ConfigError
from regrapht.source.user_file import as_text, fault_of_text, read_file


@pytest.fixture
def hostile(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "to pipe").symlink_to(tmp_path / "pipe")
    (tmp_path / "to zero").symlink_to("/dev/zero")
    (tmp_path / "large").write_bytes(bytes(2000))
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "socket"))
    yield tmp_path
    listening.close()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pipe", "it is a pipe"),
        ("to pipe", "it is a pipe"),
        ("folder", "it is a folder"),
        ("socket", "it is a socket"),
        ("to zero", "it is a device"),
        ("loop", "symbolic links"),
        ("none", "No such file"),
        ("large", "2000 bytes"),
        ("large/x", "Not a directory"),
        ("x" * 300, "too long"),
        ("a\0b", "NUL"),
    ],
)
def test_only_regular_files_of_a_likely_size(hostile, name, words):
    with pytest.raises(ConfigError, match=words) as refused:
        read_file(hostile / name, limit=1000)
    assert "\n" not in str(refused.value)


def test_links_to_files_and_text_of_other_systems(tmp_path):
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbfa\r\nb")
    (tmp_path / "link").symlink_to("file")
    assert as_text(read_file(tmp_path / "link")) == "a\nb"
    assert (
        fault_of_text(b"a\n\xe9") == "line 2: byte 0xe9 is not UTF-8: save the file as UTF-8"
        and fault_of_text(b"a") is None
    )
