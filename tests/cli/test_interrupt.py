"""The first Ctrl-C asks for an end, the second one makes it, and afterwards Ctrl-C is what it was.

A command that is told to end leaves nothing that it runs.
"""

import os
import signal
import subprocess
import sys
import time

import pytest

from regrapht.cli.interrupt import end_when_told, stop_on_interrupt


def test_once_asks_and_twice_stops(capsys):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt("step") as stop:
        assert not stop.is_set()
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set() and "finishing the step in hand" in capsys.readouterr().err
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


ENDLESS = """
from pathlib import Path
from regrapht.cli.interrupt import end_when_told
from regrapht.session.port.copies import run
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


def test_what_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        end_when_told()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
