"""A6: a program of the judge's own that changes on disc stops the judging; nothing is run with it."""

import hashlib
import subprocess
import sys

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.build import compile as compiling
from regrapht.evaluate.build.compile import TrustedFiles, cached_program, cpu_harness

SOURCES = {"a.cpp": b"int main() { return 7; }"}
ARGV = ("g++", "-o", "program", "a.cpp")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of the test's own, and no pins from elsewhere."""
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path))
    monkeypatch.setattr(compiling, "TRUSTED", TrustedFiles())
    return tmp_path / "harness"


def one_file(folder):
    [path] = folder.iterdir()
    return path


def test_a_program_is_built_once_and_stays_trusted(cache, sandbox):
    first = cached_program(sandbox, ARGV, SOURCES, output="program")
    assert first[:4] == b"\x7fELF"
    compiling.TRUSTED.verify()
    assert cached_program(sandbox, ARGV, SOURCES, output="program") == first
    compiling.TRUSTED.verify()


@pytest.mark.parametrize("how", ["appended", "emptied", "one bit", "shorter than its hash"])
def test_a_damaged_program_is_refused_at_the_next_load(cache, sandbox, how):
    cached_program(sandbox, ARGV, SOURCES, output="program")
    path = one_file(cache)
    raw = bytearray(path.read_bytes())
    if how == "one bit":
        raw[len(raw) // 2] ^= 4
    path.write_bytes({"appended": raw + b"x", "emptied": b"", "one bit": raw, "shorter than its hash": raw[:20]}[how])
    with pytest.raises(EvaluatorUnavailable, match="not what was built") as refused:
        cached_program(sandbox, ARGV, SOURCES, output="program")
    assert str(path) in str(refused.value)
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        compiling.TRUSTED.verify()


@pytest.mark.parametrize("how", ["cut", "emptied", "one bit"])
def test_one_that_was_damaged_before_this_process_is_built_again(cache, sandbox, how, monkeypatch, caplog):
    first = cached_program(sandbox, ARGV, SOURCES, output="program")
    raw = bytearray(one_file(cache).read_bytes())
    if how == "one bit":
        raw[len(raw) // 2] ^= 4
    one_file(cache).write_bytes({"cut": raw[:50], "emptied": b"", "one bit": raw}[how])
    monkeypatch.setattr(compiling, "TRUSTED", TrustedFiles())
    assert len(cached_program(sandbox, ARGV, SOURCES, output="program")) == len(first)
    assert "built again" in caplog.text
    compiling.TRUSTED.verify()


def test_one_with_a_hash_that_fits_is_refused_too(cache, sandbox):
    """Whoever overwrites the program can write its hash beside it: this process remembers what it used."""
    cached_program(sandbox, ARGV, SOURCES, output="program")
    evil = b"\x7fELF evil"
    one_file(cache).write_bytes(hashlib.sha256(evil).digest() + evil)
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        compiling.TRUSTED.verify()
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        cached_program(sandbox, ARGV, SOURCES, output="program")


def test_a_removed_program_is_noticed_and_built_again_by_the_next_process(cache, sandbox):
    first = cached_program(sandbox, ARGV, SOURCES, output="program")
    path = one_file(cache)
    path.unlink()
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        compiling.TRUSTED.verify()
    code = f"""
from regrapht.evaluate.build.compile import TRUSTED, cached_program
from regrapht.sandbox.choose import choose_sandbox
print(len(cached_program(choose_sandbox(), {ARGV!r}, {SOURCES!r}, output="program")))
TRUSTED.verify()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == str(len(first)), done.stderr
    assert path.exists()


def test_processes_that_build_at_once_use_the_same_bytes(cache, sandbox):
    """A compiler that never makes the same twice: nobody takes the other's program for one that was tampered with."""
    code = """
import hashlib, sys
from regrapht.evaluate.build.compile import TRUSTED, cached_program
from regrapht.sandbox.choose import choose_sandbox
sandbox, sources = choose_sandbox(), {"build.sh": b"sleep 0.3; head -c 100 /dev/urandom > program"}
print("ready", flush=True)
sys.stdin.read(1)
content = cached_program(sandbox, ("sh", "build.sh"), sources, output="program")
print(hashlib.sha256(content).hexdigest(), flush=True)
sys.stdin.read(1)
TRUSTED.verify()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    started = [subprocess.Popen([sys.executable, "-c", code], **pipes) for _ in range(3)]
    assert {one.stdout.readline() for one in started} == {b"ready\n"}
    for one in started:
        one.stdin.write(b"x")
    assert len({one.stdout.readline() for one in started}) == 1
    for one in started:
        one.stdin.write(b"x")
    assert [one.wait(timeout=60) for one in started] == [0] * 3
    assert one_file(cache)


def test_nothing_runs_with_a_harness_that_changed(cache, sandbox, monkeypatch):
    cpu_harness(sandbox)
    path = one_file(cache)
    path.write_bytes(path.read_bytes() + b"\0")
    ran = []
    monkeypatch.setattr(type(sandbox), "run", lambda *arguments, **more: ran.append(arguments))
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        cpu_harness(sandbox)
    assert ran == []


def test_any_file_can_be_pinned(tmp_path):
    trusted, path = TrustedFiles(), tmp_path / "harness"
    path.write_bytes(b"one")
    trusted.pin(path)
    trusted.pin(path, b"one")
    trusted.verify()
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        trusted.pin(path, b"two")
    path.write_bytes(b"two")
    with pytest.raises(EvaluatorUnavailable, match="not what was built"):
        trusted.verify()
    path.write_bytes(b"one")
    trusted.verify()
