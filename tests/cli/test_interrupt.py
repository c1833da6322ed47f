"""The first Ctrl-C asks for an end, the second one makes it, and afterwards Ctrl-C is what it was.

A command that is told to end leaves nothing that it runs.
"""

import os
import signal
import subprocess
import sys
import time

import pytest

from regrapht.cli import interrupt
from regrapht.cli.interrupt import end_when_told, stop_on_interrupt


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_once_asks_and_twice_stops(capsys, first, second):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt("step") as stop:
        assert not stop.is_set()
        signal.raise_signal(first)
        assert stop.is_set() and "finishing the step in hand" in capsys.readouterr().err
        signal.raise_signal(second)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_step_that_does_not_end_is_left_some_time_after_sigterm(monkeypatch):
    monkeypatch.setattr(interrupt, "GRACE_S", 0.05)
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt("step"):
        signal.raise_signal(signal.SIGTERM)
        time.sleep(60)


def test_a_forked_child_ends_as_it_would():
    with stop_on_interrupt("step") as stop:
        ready, says = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(says, b"r")
            time.sleep(60)
            os._exit(0)
        os.read(ready, 1)
        os.kill(child, signal.SIGTERM)
        _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGTERM and not stop.is_set()


ENDLESS = """
import signal
from pathlib import Path
from regrapht.cli import interrupt
from regrapht.cli.interrupt import end_when_told
from regrapht.session.port.copies import run
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background begins with it ignored
signal.signal(signal.SIGHUP, signal.SIG_DFL)
end_when_told()
run("echo $$ > started; mv started pid; sleep 300; true", Path("."))
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_a_command_runs_ends_with_it(tmp_path, how):
    process = subprocess.Popen([sys.executable, "-c", ENDLESS], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "pid").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(how)
    assert "KeyboardInterrupt" in process.communicate()[1]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


AS_IT_STARTS = """
import os, signal, subprocess
from regrapht.session.port import copies
whole = subprocess.Popen
def begun(*given, **named):
    process = whole(*given, **named)
    open("starting", "w").write(str(process.pid))
    os.kill(os.getpid(), signal.SIGINT)
    return process
subprocess.Popen = begun
"""


def test_what_it_is_just_starting_ends_too(tmp_path):
    code = ENDLESS.replace("end_when_told()\nrun", f"end_when_told()\n{AS_IT_STARTS}run")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "KeyboardInterrupt" in done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "starting").read_text()), 0)


def test_what_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        end_when_told()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
