"""transformers itself on a folder of random weights that the test makes."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from regrapht.errors import ConfigError, ModelUnavailable, PrerequisiteMissing
from regrapht.llm.client import ModelOptions
from regrapht.llm.hf import open_folder
from regrapht.records.prompt import Finish, Message, Prompt, Sampling, Speaker

from .tiny_hf import write_tiny_folder

BEGIN = "```cuda\n#include <cuda_runtime.h>\n"


def asked(text: str, begin: str | None = None) -> Prompt:
    return Prompt(messages=(Message(speaker=Speaker.USER, text=text),), template_hash="t", begin=begin)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("transformers", reason="transformers is not installed")
    return write_tiny_folder(tmp_path_factory.mktemp("hf") / "tiny")


@pytest.fixture(scope="module")
def model(folder):
    opened = open_folder(str(folder), ModelOptions())
    yield opened
    opened.close()


def test_replies_begun_and_plain(model):
    assert model.availability().context_tokens == 2048
    sampling = Sampling(temperature=0.0, max_tokens=12)
    plain, begun = model.complete(asked("hello"), sampling), model.complete(asked("hello", BEGIN), sampling)
    assert plain.finish in (Finish.LENGTH, Finish.STOP) and not plain.begun and plain.served_model == "tiny"
    assert begun.begun and begun.text.startswith(BEGIN)
    assert 0 < plain.usage.completion_tokens <= 12 and begun.usage.prompt_tokens > plain.usage.prompt_tokens


def test_a_batch_gives_each_its_own_reply(model):
    sampling = Sampling(temperature=0.0, max_tokens=6)
    texts = ["a", "something longer", "a", "the longest of all of these by far"]
    alone = [model.complete(asked(text), sampling).text for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: model.complete(asked(text), sampling).text, texts))
    assert together == alone


def test_closing_and_deadlines_give_up(folder):
    model = open_folder(str(folder), ModelOptions())
    long = Sampling(temperature=1.0, max_tokens=1900)
    with pytest.raises(ModelUnavailable, match="given up"):
        for _ in range(50):  # random weights may end a reply early
            model.complete(asked("go on"), long, deadline_s=0.05)
    threading.Timer(0.3, model.close).start()
    with pytest.raises(ModelUnavailable, match="given up"):
        for _ in range(500):
            model.complete(asked("go on"), long)


def test_what_cannot_be_loaded(folder, tmp_path):
    with pytest.raises(ConfigError, match="no model in"):
        open_folder(str(tmp_path), ModelOptions())
    (tmp_path / "config.json").write_text('{"model_type": "martian"}')
    with pytest.raises(ConfigError, match="transformers cannot load"):
        open_folder(str(tmp_path), ModelOptions()).availability()


def test_without_the_packages(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setattr("regrapht.llm.hf.find_spec", lambda name: None)
    with pytest.raises(PrerequisiteMissing, match=r'pip install "regrapht\[hf\]"'):
        open_folder(str(tmp_path), ModelOptions())
