"""What both servers stand on: a socket of this machine alone, and the same answer to strangers."""

import os
import select
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from regrapht import loopback
from regrapht.errors import ConfigError

RESULTS = Path(__file__).parents[1] / "benchmarks/results/cuda_llm_20_h100_2026-11-26.jsonl"
SERVERS = {"serve": ["serve", "--evaluator", "emulated"], "view": ["view", str(RESULTS)]}
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


def command(name, tmp_path, *more):
    """Arguments of a server in a process of its own, and its environment."""
    environment = {**os.environ, "REGRAPHT_HOME": str(tmp_path)}
    environment.pop("PYTHONUNBUFFERED", None)  # it would hide what is kept back
    return [sys.executable, "-m", "regrapht", *SERVERS[name], "--token", "t", *more], environment


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
def test_a_taken_port_is_one_line(name, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words, environment = command(name, tmp_path, "--port", str(port))
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and f"port {port} is taken" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("name", "address"), [("serve", "token: t"), ("view", "?token=t")])
def test_the_address_is_said_while_it_serves(name, address, tmp_path):
    """To a program that reads it from a pipe, too, whose lines Python keeps back unless told otherwise."""
    words, environment = command(name, tmp_path, "--port", "0")
    said = ""
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, bufsize=0) as server:
        while address not in said and select.select([server.stdout], [], [], 120)[0]:
            if not (part := server.stdout.read(4096)):
                break
            said += part.decode()
        server.terminate()
    assert address in said
