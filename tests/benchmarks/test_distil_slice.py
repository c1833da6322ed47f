"""The study of tuned models inside of a clock: what it needs is said first, and a call in which no cell ended is no success."""

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "benchmarks"
NO_EXPERIMENT = "import sys\nprint('the judge is not there')\nsys.exit(1)\n"
SERVER = """
import argparse, http.server, json

asked = argparse.ArgumentParser()
asked.add_argument("file")
asked.add_argument("--port", type=int)
port = asked.parse_known_args()[0].port


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, said):
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer({"data": [{"id": "model"}]})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": "I would rather not."}
        usage = {"prompt_tokens": 500, "completion_tokens": 6}
        self.answer({"model": "model", "usage": usage, "choices": [{"message": message, "finish_reason": "stop"}]})


http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


@pytest.fixture(scope="module")
def module():
    spec = importlib.util.spec_from_file_location("distil_slice", SCRIPTS / "distil_slice.py")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["distil_slice"] = loaded
    spec.loader.exec_module(loaded)
    yield loaded
    del sys.modules["distil_slice"]


@pytest.fixture
def call(module, tmp_path, monkeypatch, unused_tcp_port):
    """The script on one stand-in of a model, with these scripts beside it; its exit code and what it printed."""
    for name, text in (("serve_gguf.py", SERVER), ("model.gguf", ""), ("tasks.txt", "utf8_fields\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setattr(module, "NEEDED", {})
    words = ["out", "--model", "base=model.gguf", "--tasks", "tasks.txt", "--budget", "1", "--parts", "1"]

    def run(*more: str) -> int:
        (tmp_path / "in_turn.py").write_text((SCRIPTS / "in_turn.py").read_text())
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(module, "HERE", tmp_path)
        monkeypatch.setattr(sys, "argv", ["distil_slice.py", *words, "--port", str(unused_tcp_port), *more])
        return module.main()

    return run


@pytest.fixture
def unused_tcp_port() -> int:
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_no_cell_is_no_success_and_says_why(call, tmp_path, capfd):
    (tmp_path / "experiment_on_gpus.py").write_text(NO_EXPERIMENT)
    assert call("--seconds", "90") == 1
    said = capfd.readouterr().out
    assert "base: no cell ended: the judge is not there" in said
    assert "base: 0 tasks" in (tmp_path / "out" / "tables.txt").read_text()


def test_a_cell_that_ended_is_in_the_table(call, tmp_path):
    (tmp_path / "experiment_on_gpus.py").write_text((SCRIPTS / "experiment_on_gpus.py").read_text())
    assert call("--seconds", "600", "--arm", "language_model:direct") == 0
    table = (tmp_path / "out" / "tables.txt").read_text()
    assert "base: 1 tasks" in table and "language_model-direct" in table


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (["--model", "base=model.gguf"], 2, "two models have one label"),
        (["--model", "a-b=model.gguf"], 2, "is not LABEL=FILE"),
        (["--model", "other=none.gguf"], 2, "there is no none.gguf"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(call, capsys, change, code, words):
    with pytest.raises(SystemExit) as ended:
        call("--seconds", "60", *change)
    assert ended.value.code == code and words in capsys.readouterr().err.splitlines()[-1]


def test_missing_packages_are_named_with_what_installs_them(module, call, monkeypatch, capsys):
    monkeypatch.setattr(module, "NEEDED", {"json": "json", "no_such_package": '"regrapht[models]"'})
    with pytest.raises(SystemExit) as ended:
        call("--seconds", "60")
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith('more packages: pip install "regrapht[models]"')


def test_the_clock_ends_what_hangs(call, tmp_path, capfd):
    (tmp_path / "experiment_on_gpus.py").write_text(
        "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)\n"
    )
    started = time.monotonic()
    assert call("--seconds", "56") == 1
    assert time.monotonic() - started < 120
    worker = int((tmp_path / "out" / "logs" / "arms-base.log").read_text().split()[0])
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_help_works_from_anywhere(tmp_path):
    words = [sys.executable, str(SCRIPTS / "distil_slice.py"), "--help"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "--seconds" in done.stdout
