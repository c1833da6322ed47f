"""A model that hangs: limits of time and Ctrl-C end a run all the same, and it says why. Nothing is timed: it ends, or it does not."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from regrapht.testing.model_server import ModelServer

EXAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "sum_of_squares")


@pytest.fixture
def command(tmp_path):
    def started(server: ModelServer, budget: str) -> subprocess.Popen[str]:
        model = f"openai:{server.model}@{server.fault_url('hang')}"
        words = ["optimize", EXAMPLE, "--proposer", "language_model", "--model", model, "--budget", budget]
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "regrapht",
                *words,
                "--evaluator",
                "emulated",
                "--out",
                str(tmp_path / "out"),
                "--allow-root",
            ],
            env={**os.environ, "REGRAPHT_HOME": str(tmp_path / "home"), "REGRAPHT_NVCC": "none"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return started


def test_seconds_bind(command):
    with ModelServer() as server:
        process = command(server, "seconds=1")
        said, _ = process.communicate(timeout=600)
    assert "ended: seconds" in said and process.returncode == 1, said


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_binds(command, presses):
    with ModelServer() as server:
        process = command(server, "3")
        assert process.stdout is not None
        said = ""
        while "goes on, should it end early" not in said:  # it searches from here on
            said += process.stdout.readline()
        for _ in range(presses):
            threading.Event().wait(0.5)
            process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=600)
    assert process.returncode == 130, said + rest
    assert "interrupted" in rest
