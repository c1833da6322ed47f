"""What may be tuned: a licence that is named or accepted, a GPU that is large enough, said with the number before anything is loaded."""

import json

import pytest

from regrapht.distil.training import model_source as module
from regrapht.distil.training.memory import GIB, needed_bytes, plan
from regrapht.distil.training.model_source import ModelSource, Shape, model_source, require_packages
from regrapht.errors import ConfigError, PrerequisiteMissing

QWEN = Shape(parameters=1_543_714_304, layers=28, hidden=1536, inner=8960, vocabulary=151_936)
CONFIG = {"num_hidden_layers": 2, "hidden_size": 8, "intermediate_size": 16, "vocab_size": 32}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "require_packages", lambda gguf: None)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    header = json.dumps({"w": {"dtype": "F32", "shape": [8, 32], "data_offsets": [0, 0]}}).encode()
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    return tmp_path


@pytest.mark.parametrize(
    ("card", "config", "named"),
    [
        ("license: other\n", {}, "'other'"),
        ("---\nlicense: cc-by-nc-4.0\n---\n", {}, "'cc-by-nc-4.0'"),
        ("", {"license": "gemma"}, "'gemma'"),
        ("", {}, "tells no licence"),
    ],
)
def test_another_licence_is_named_and_needs_a_word(card, config, named, folder):
    (folder / "README.md").write_text(card)
    (folder / "config.json").write_text(json.dumps(CONFIG | config))
    with pytest.raises(ConfigError, match=named) as caught:
        model_source(folder, accept_licence=False)
    assert "--accept-licence" in str(caught.value)
    assert model_source(folder, accept_licence=True).shape.parameters == 256


@pytest.mark.parametrize("licence", ["Apache-2.0", "mit", '"bsd-3-clause"'])
def test_a_permissive_licence_needs_none(licence, folder):
    (folder / "README.md").write_text(f"---\nlicense: {licence}\n---\n")
    assert model_source(folder, accept_licence=False).licence == licence.strip('"').lower()


def test_what_is_no_model_is_one_line(folder, tmp_path):
    (folder / "config.json").write_text("{}")
    with pytest.raises(ConfigError, match="not one of a language model"):
        model_source(folder, accept_licence=True)
    with pytest.raises(ConfigError, match="there is no model"):
        model_source(tmp_path / "nowhere", accept_licence=True)


def test_missing_packages_are_named_with_the_extra(monkeypatch):
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PrerequisiteMissing, match=r"peft.*regrapht\[distil\]"):
        require_packages(gguf=True)


def source(tmp_path) -> ModelSource:
    return ModelSource(tmp_path / "qwen.gguf", "apache-2.0", QWEN)


def test_a_large_gpu_keeps_activations_and_a_smaller_one_makes_them_again(tmp_path):
    large = plan(source(tmp_path), rank=32, tokens=8192, longest=4096, free_bytes=78 * GIB)
    assert large.batch_tokens == 8192 and not large.checkpointing and large.bytes < 78 * GIB
    small = plan(source(tmp_path), rank=32, tokens=8192, longest=4096, free_bytes=22 * GIB)
    assert small.checkpointing and small.bytes < 22 * GIB


def test_a_gpu_that_is_too_small_is_refused_with_both_numbers(tmp_path):
    with pytest.raises(ConfigError, match=r"takes about [\d.]+ GiB .* 4.0 GiB are free"):
        plan(source(tmp_path), rank=32, tokens=8192, longest=4096, free_bytes=4 * GIB)


def test_memory_grows_with_the_pass():
    taken = [needed_bytes(QWEN, rank=32, tokens=tokens, checkpointing=False) for tokens in (1024, 4096, 8192)]
    assert taken == sorted(taken) and taken[0] > 2 * QWEN.parameters
