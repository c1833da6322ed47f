"""How a run with a model ended is the same in text, JSON, report, store and exit code."""

import html
import json

import pytest

from regrapht.testing.model_server import ModelServer
from regrapht.testing.tiny_gguf import write_tiny_gguf

pytestmark = pytest.mark.slow
KEY = "sk-of-the-test-0123456789"


@pytest.fixture
def asked(cli, saxpy):
    def run(model: str, budget: str, *more: str, **variables: str):
        words = [
            "optimize",
            "saxpy",
            "--model",
            model,
            "--budget",
            budget,
            "--evaluator",
            "emulated",
            "--out",
            "out",
            "--force",
        ]
        words += ["--proposer", "language_model"]
        return cli(*words, *more, REGRAPHT_NVCC="none", REGRAPHT_API_KEY=KEY, **variables)

    return run


def run_of(cli):
    rows = json.loads(cli("runs", "list", "--json").stdout)
    return rows[-1]


def test_a_provider_that_declines(cli, asked):
    with ModelServer() as server:
        model = f"openai:{server.model}@{server.fault_url('401')}"
        said = asked(model, "3")
        told = asked(model, "3", "--json")
    assert said.returncode == told.returncode == 3
    (line,) = [line for line in said.stdout.splitlines() if "ended:" in line]
    reason = line.partition("ended: ")[2]
    assert reason.startswith("refused: m at http://127.0.0.1") and "HTTP 401" in reason and "REGRAPHT_API_KEY" in reason
    assert json.loads(told.stdout)["ended"] == reason
    row = run_of(cli)
    assert (row["state"], row["ended"]) == ("refused", reason)
    assert f"ended: {reason}" in cli("runs", "show", row["id"]).stdout
    assert "refused: m at" in (cli.folder / "out" / "report.html").read_text()
    assert "runs resume" in said.stderr


@pytest.mark.parametrize(
    ("fault", "context", "told"),
    [
        ("ok", "1100", "holds 100 beside a reply of 1000"),  # the task alone is too long
        ("ok", "1500", "holds 500 beside a reply of 1000"),  # with the rest of the prompt it is
        ("ctx400", "90000", "is too small for it (m at http://127.0.0.1"),
    ],
)
def test_prompts_that_are_too_long(cli, asked, fault, context, told):
    with ModelServer() as server:
        url = server.url if fault == "ok" else server.fault_url(fault)
        sized = ("--context-tokens", context, "--max-tokens", "1000")
        said = asked(f"openai:{server.model}@{url}", "3", *sized)
        plain = asked(f"openai:{server.model}@{url}", "3", *sized, "--json")
    assert said.returncode == plain.returncode == 2 and "Traceback" not in said.stderr
    (line,) = [line for line in said.stdout.splitlines() if "nothing was judged" in line]
    reason = line.removeprefix("saxpy: ")
    assert reason.startswith("nothing was judged: the prompt needs about ") and told in reason
    assert "--context-tokens" in reason and "--max-tokens" in reason
    answer = json.loads(plain.stdout)
    assert (answer["ended"], answer["judged"], answer["passed"]) == (reason, 0, False)
    assert answer["headline"] == line
    row = run_of(cli)
    assert (row["state"], row["ended"], row["judged"]) == ("finished", reason, 0)
    assert cli("runs", "show", row["id"]).stdout.count(reason) == 1
    assert reason in html.unescape((cli.folder / "out" / "report.html").read_text())


def test_no_time_left(cli, asked):
    with ModelServer() as server:
        said = asked(f"openai:{server.model}@{server.fault_url('hang')}", "seconds=1")
    assert said.returncode == 1 and "ended: seconds" in said.stdout
    assert (run_of(cli)["state"], run_of(cli)["ended"]) == ("finished", "seconds")


def test_an_echoed_key_is_kept_nowhere(cli, asked):
    with ModelServer() as server:
        done = asked(f"openai:{server.model}@{server.fault_url('echoed_key')}", "2", "--no-mend")
    assert done.returncode == 1 and KEY not in done.stdout + done.stderr
    kept = [path for folder in (cli.home, cli.folder / "out") for path in folder.rglob("*") if path.is_file()]
    assert kept and not [path for path in kept if KEY.encode() in path.read_bytes()]


def test_money_that_prices_measure(cli, asked):
    with ModelServer(lambda request: "I cannot.") as server:
        model = f"openai:{server.model}@{server.url}"
        refused = asked(model, "usd=0.01")
        (cli.folder / "regrapht.toml").write_text("[prices.m]\ninput = 2\noutput = 2\n")
        done = asked(model, "usd=0.01", "--json")
    assert refused.returncode == 2 and "no price of openai:m@" in refused.stderr and "regrapht.toml" in refused.stderr
    told = json.loads(done.stdout)
    assert done.returncode == 1 and told["ended"] == "finished"
    assert 0.01 <= told["model"]["usd"] < 0.02 and told["model"]["requests"] == told["judged"]


def test_a_file_is_asked_from_beginning_to_end(cli, asked):
    pytest.importorskip("xllamacpp")
    write_tiny_gguf(cli.folder / "tiny.gguf", context=16384)  # it reads nearly letter by letter
    done = asked("gguf:tiny.gguf", "2", "--max-tokens", "20", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 1 and not told["passed"] and told["ended"] == "finished"
    assert (
        told["model"]["tokens"] > 0 and told["model"]["answered_as"] == ["tiny"] and told["model"]["begun_replies"] > 0
    )
    short = cli("optimize", "saxpy", "--model", "gguf:none.gguf")
    assert short.returncode == 2 and "none.gguf" in short.stderr and len(short.stderr.splitlines()) == 1
