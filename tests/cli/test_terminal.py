"""What a terminal gets and a pipe does not: colours, something that moves, completion of words."""

import os
import subprocess
import sys

import pytest

from regrapht.cli.colour import coloured
from regrapht.cli.notices import moving


@pytest.mark.parametrize(
    "tty, no_colour, status, colour",
    [
        (True, "", "PASSED", "\033[32m"),
        (True, "", "RACE", "\033[31m"),
        (True, "", "UNSUPPORTED", "\033[33m"),
        (False, "", "PASSED", None),
        (True, "1", "PASSED", None),
    ],
)
def test_colours(monkeypatch, tty, no_colour, status, colour):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: tty, raising=False)
    monkeypatch.setenv("NO_COLOR", no_colour)
    told = coloured(f"{status}: {status} again", status)
    assert (colour in told) if colour else told == f"{status}: {status} again"
    assert told.count("\033[0m") == (colour is not None)


def test_nothing_moves_in_a_pipe(capsys):
    with moving("preparing"):
        print("inside", file=sys.stderr)
    assert capsys.readouterr().err == "inside\n"


def test_something_moves_on_a_terminal():
    code = "import sys, time\nfrom regrapht.cli.notices import moving\nwith moving('preparing'): time.sleep(0.3)\n"
    here, there = os.openpty()
    process = subprocess.Popen([sys.executable, "-c", code], stderr=there, env={**os.environ, "TERM": "xterm"})
    os.close(there)
    shown = b""
    while True:
        try:
            part = os.read(here, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    assert process.wait(30) == 0 and b"preparing" in shown and b"0:00:00" in shown


@pytest.mark.parametrize("words, wanted", [("regrapht opt", "optimize"), ("regrapht bench re", "report")])
def test_the_shell_completes_commands(words, wanted):
    environment = {
        **os.environ, "_REGRAPHT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1),
    }  # fmt: skip
    code = "import sys; sys.argv = ['regrapht']; from regrapht.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert wanted in done.stdout.split(), done.stderr
