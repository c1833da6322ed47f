"""What both servers stand on: a socket of this machine alone, and the same answer to strangers."""

import socket
import subprocess
import sys

import pytest

from regrapht import loopback
from regrapht.errors import ConfigError

KNOWN = loopback.hosts(8377)
HERE = {b"host": b"127.0.0.1:8377"}


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        (HERE, None),
        ({b"host": b"localhost:8377"}, None),
        ({b"host": b"[::1]:8377"}, None),
        (HERE | {b"origin": b"http://localhost:8377"}, None),
        ({}, "loopback address"),
        ({b"host": b""}, "loopback address"),
        ({b"host": b"127.0.0.1"}, "loopback address"),
        ({b"host": b"127.0.0.1:80"}, "loopback address"),
        ({b"host": b"127.0.0.1:8377.evil.example"}, "loopback address"),
        ({b"host": b"evil.example:8377"}, "loopback address"),
        ({b"host": b"\xff\xfe"}, "loopback address"),
        (HERE | {b"origin": b"null"}, "other sites"),
        (HERE | {b"origin": b""}, "other sites"),
        (HERE | {b"origin": b"https://127.0.0.1:8377"}, "other sites"),
        (HERE | {b"origin": b"http://127.0.0.1:9999"}, "other sites"),
        (HERE | {b"origin": b"http://evil.example"}, "other sites"),
    ],
)
def test_who_is_a_stranger(headers, words):
    told = loopback.refusal(headers, KNOWN)
    assert told is None if words is None else words in told


def test_it_listens_on_this_machine_alone():
    with loopback.listen(0) as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1" and port > 0
        with pytest.raises(ConfigError, match=f"port {port} is taken; choose another with --port"):
            loopback.listen(port)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "view"])
def test_a_taken_port_is_one_line(command, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "regrapht", command, "--port", str(port)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
    assert done.returncode == 2 and f"port {port} is taken" in done.stderr and "Traceback" not in done.stderr
