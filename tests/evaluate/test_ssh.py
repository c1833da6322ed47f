"""A judge behind OpenSSH, with a program in its place that starts the command on this machine: jobs at once, losses, refusals."""

import io
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from regrapht.assemble import open_evaluator, open_task
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.evaluate.ssh import SshEvaluator, serve_stdio
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.source.program_hash import program_hash

SCALE = "void scale(int n, float a, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = a * x[i]; }\n"
RIGHT = """__global__ void k(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
extern "C" void scale(int n, float a, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, a, x, y); }
"""


def candidate(text):
    return Candidate(source=text, program_hash=program_hash(text), origin=Origin(proposer="t", seconds=0.0))


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    """`ssh` is a script; what it was started with stands in a file."""

    def install(body):
        script = tmp_path / "bin" / "ssh"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f'#!/bin/bash\necho "$@" >> {tmp_path}/asked\n{body}\n')
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")

    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path / "home"))
    return install


@pytest.mark.slow
def test_verdicts_come_from_the_other_side_and_losses_are_asked_again(ssh, tmp_path):
    ssh(f"echo 'welcome to this machine'; exec {sys.executable} -m regrapht judge-stdio --evaluator emulated")
    (tmp_path / "scale.cpp").write_text(SCALE)
    task = open_task(tmp_path / "scale.cpp").task
    judge = open_evaluator("ssh:me@gpu-box")
    assert (judge.name, judge.environment().architecture) == ("emulated", "emulated")
    assert "BatchMode=yes" in (asked := (tmp_path / "asked").read_text()) and asked.endswith(
        "-- me@gpu-box regrapht judge-stdio\n"
    )
    judge.prepare(task, None)
    wrong = RIGHT.replace("a * x[i]", "a + x[i]")
    with ThreadPoolExecutor(3) as pool:
        found = list(
            pool.map(lambda text: judge.evaluate(task, candidate(text), level=Level.SCREEN), (RIGHT, wrong, "int x;"))
        )
    assert [one.status for one in found] == [Status.PASSED, Status.WRONG_VALUE, Status.UNPARSABLE] or found[
        2
    ].status is not Status.PASSED
    process = judge.inner._connection.process
    process.kill()
    process.wait()
    again = judge.evaluate(task, candidate(RIGHT + "\n// once more\nint unused;\n"), level=Level.SCREEN)
    assert again.passed and (tmp_path / "asked").read_text().count("judge-stdio") == 2
    judge.inner.close()


@pytest.mark.parametrize(
    "body, told",
    [
        ("echo 'ssh: Could not resolve hostname gpu-box' >&2; exit 255", "Could not resolve hostname"),
        ("exit 127", "ended"),
        ("read line; echo 'not json'; echo '[1]'; echo '{}'", "ended"),
        ("cat > /dev/null < /dev/null; sleep 0.1; exit 0", "ended"),
    ],
)
def test_what_does_not_answer_is_unavailable(ssh, body, told):
    ssh(body)
    with pytest.raises(EvaluatorUnavailable, match=told):
        SshEvaluator("gpu-box")


@pytest.mark.parametrize("address", ["", "-oProxyCommand=touch x", "a b", "$(id)", "host;id", "host:relative"])
def test_addresses_that_are_none(ssh, address, tmp_path):
    ssh("exit 1")
    with pytest.raises((ConfigError, EvaluatorUnavailable)):
        SshEvaluator(address)
    started = tmp_path / "asked"
    assert not started.exists() or address == "host:relative"


def test_another_version_is_refused(ssh):
    hello = {"name": "emulated", "protocol": "1", "environment": {}, "judge": "0"}
    ssh(f"read line; echo '{json.dumps({'result': hello, 'number': 1})}'; sleep 1")
    with pytest.raises(ConfigError, match="another regrapht"):
        SshEvaluator("gpu-box")


class Echo:
    def answer(self, asked):
        return {"result": asked.get("method")}


def test_lines_are_answered_whatever_they_are():
    answers = io.StringIO()
    lines = ['{"method": "a", "number": 1}', "nonsense", "", "[]", '{"number": 2}']
    serve_stdio(Echo(), io.StringIO("\n".join(lines)), answers, at_once=1)
    found = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert [(one["number"], one["result"]) for one in found] == [
        (1, "a"),
        (None, "not JSON"),
        (None, "no object"),
        (2, None),
    ]
