"""From nothing to a tuned model that the product asks: pairs, twenty steps of a tiny model of random weights, export, `optimize`."""

import json
import os

import pytest
from typer.testing import CliRunner

from regrapht.cli.main import app
from regrapht.distil.gathering import Wanted, gather

pytestmark = pytest.mark.slow
CONTEXT = 16384


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    for package in ("torch", "transformers", "peft"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    from ...llm.tiny_hf import write_tiny_folder

    return write_tiny_folder(tmp_path_factory.mktemp("base") / "tiny", context=CONTEXT, licence="apache-2.0")


@pytest.fixture(scope="module")
def data(tiny, tmp_path_factory):
    kept_out = tmp_path_factory.mktemp("kept_out")
    (kept_out / "one.cpp").write_text("void one(int n, int* a) { for (int i = 0; i < n; ++i) a[i] = a[i] * 3 + i; }\n")
    out = tmp_path_factory.mktemp("data") / "pairs"
    gather(
        out,
        Wanted(pairs=16, seed=2, corpora=(), keep_out=(kept_out,), allow_root=True),
        jobs=1,
        minutes=None,
        say=lambda total: None,
    )
    return out


def run(*words: object) -> str:
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (0, 1), done.output
    return done.output


@pytest.fixture(scope="module")
def training(tiny, data, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "training"
    words = ("distil", "train", tiny, data / "pairs.jsonl", "--out", out, "--cpu", "--longest", 9000, "--passes", 1)
    first = run(*words, "--rank", 4, "--steps", 5)
    assert "step 5 of 5" in first
    rest = run(*words, "--rank", 4, "--steps", 20, "--epochs", 2)
    assert "goes on after step 5" in rest
    return out


def test_a_training_goes_on_and_learns(training):
    record = json.loads((training / "adapter" / "training.json").read_text())
    assert record["step"] > 5 and record["same"]["model"] == "tiny" and len(record["same"]["data"]) == 64


def test_another_training_is_not_mixed_in(training, tiny, data):
    from regrapht.errors import ConfigError

    words = ["distil", "train", str(tiny), str(data / "pairs.jsonl"), "--out", str(training), "--cpu", "--rank", "8"]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, ConfigError) and "rank" in str(done.exception)


def test_preferences_are_a_second_stage(training, tiny, data, tmp_path):
    lines = (data / "pairs.jsonl").read_text().splitlines()
    from dataclasses import replace

    from regrapht.distil.pair import read_pairs

    assert lines
    short = sorted(
        (p for p in read_pairs(data / "pairs.jsonl").pairs if p.kind == "initial"), key=lambda p: len(p.user)
    )
    preferences = "".join(replace(p, rejected=p.reply + "\n").line() + "\n" for p in short)
    (tmp_path / "preferences.jsonl").write_text(preferences)
    said = run(
        "distil", "train", tiny, tmp_path / "preferences.jsonl", "--preferences", "--out", training, "--cpu", "--longest", 9000,
        "--rank", 4, "--passes", 1, "--steps", 2,
    )  # fmt: skip
    assert "likelier" in said and (training / "preferred" / "adapter_model.safetensors").is_file()


def test_the_merged_model_is_asked_by_optimize(training, tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path / "home"))
    merged = tmp_path / "merged"
    run("distil", "export", tiny, training, merged, "--first-stage")
    task = os.path.join(os.environ.get("REGRAPHT_ROOT", "."), "examples", "sum_of_squares")
    said = run(
        "optimize", task, "--model", f"hf:{merged}", "--proposer", "language_model", "--search", "direct", "--budget", "proposals=2",
        "--max-tokens", 24, "--evaluator", "emulated", "--allow-root", "--out", tmp_path / "result",
    )  # fmt: skip
    assert "language_model" in said or "proposals" in said or "UNPARSABLE" in said, said


def test_the_merged_model_says_what_its_parts_say(training, tiny, tmp_path):
    """The merged weights give the scores of model and adapter together, and not those of the model alone."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    merged = tmp_path / "merged"
    run("distil", "export", tiny, training, merged, "--first-stage")
    ids = torch.tensor([[5, 9, 30, 31, 7, 80, 12]])
    base = AutoModelForCausalLM.from_pretrained(tiny, dtype=torch.float32)
    before = base(ids).logits
    together = PeftModel.from_pretrained(base, str(training / "adapter"))(ids).logits
    after = AutoModelForCausalLM.from_pretrained(merged, dtype=torch.float32)(ids).logits
    assert (after - together).abs().max() < 0.25 * (after - before).abs().max()
