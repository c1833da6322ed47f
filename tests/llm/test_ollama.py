"""Ollama's protocol against a stand-in of its API on loopback."""

import pytest

from regrapht.errors import ConfigError, ModelUnavailable
from regrapht.llm import begun
from regrapht.llm.client import ModelOptions
from regrapht.llm.ollama import open_ollama
from regrapht.llm.reply import read_lines
from regrapht.llm.retry import Transient
from regrapht.records.prompt import Finish, Prompt, Sampling

from .ollama_server import OllamaServer

CODE = "```cuda\n__global__ void k(){}\n```"
MODELS = {"coder:1.5b": 32768, "coder:7b": 8192, "tiny:latest": 2048}


@pytest.fixture(autouse=True)
def nothing_known():
    begun.forget()


@pytest.fixture
def server():
    with OllamaServer(MODELS, lambda request: CODE) as running:
        yield running


def test_a_reply_with_its_context_set(server, prompt):
    model = open_ollama(f"coder:7@{server.url}", ModelOptions())
    assert model.availability().context_tokens == 8192
    completion = model.complete(prompt, Sampling(temperature=0.5, max_tokens=7, seed=3))
    assert (completion.text, completion.finish, completion.served_model) == (CODE, Finish.STOP, "coder:7b")
    assert completion.usage.completion_tokens == len(CODE) // 4 + 1
    assert server.requests[0]["model"] == "coder:7b"
    assert server.requests[0]["options"] == {"num_ctx": 8192, "num_predict": 7, "temperature": 0.5, "seed": 3}


@pytest.mark.parametrize(("asked", "context"), [(None, 16384), (4096, 4096)])
def test_the_context_that_is_asked_for(server, prompt, asked, context):
    model = open_ollama(f"coder:1.5b@{server.url}", ModelOptions(context_tokens=asked))
    model.availability()
    model.complete(prompt, Sampling())
    assert server.requests[0]["options"]["num_ctx"] == context


@pytest.mark.parametrize(
    ("name", "reason", "fix"),
    [
        ("coder", "several that begin with coder: coder:1.5b, coder:7b", "more of the name"),
        ("other", "has coder:1.5b, coder:7b, tiny:latest, not other", "ollama pull other"),
    ],
)
def test_models_that_are_not_one(server, name, reason, fix):
    answer = open_ollama(f"{name}@{server.url}", ModelOptions()).availability()
    assert not answer.available and reason in answer.reason and fix in answer.fix


def test_a_name_without_its_tag(server):
    model = open_ollama(f"tiny@{server.url}", ModelOptions())
    assert model.availability().available and model.endpoint.model == "tiny:latest"


def test_no_ollama_there():
    answer = open_ollama("tiny@http://127.0.0.1:9", ModelOptions()).availability()
    assert (
        not answer.available
        and "does not answer at http://127.0.0.1:9" in answer.reason
        and "ollama serve" in answer.fix
    )


def test_another_machine_is_refused():
    with pytest.raises(ConfigError, match="not this machine"):
        open_ollama("tiny@http://192.0.2.1:11434", ModelOptions())


@pytest.mark.parametrize(("reply", "is_begun"), [(" more();\n```", True), (CODE, False)])
def test_begun_replies(prompt, reply, is_begun):
    asked = Prompt(messages=prompt.messages, template_hash="t", begin="```cuda\n#include <cuda_runtime.h>\n")
    with OllamaServer(MODELS, lambda request: reply) as server:
        model = open_ollama(f"tiny@{server.url}", ModelOptions())
        model.availability()
        assert model.can_begin_replies() is None
        completion = model.complete(asked, Sampling())
        assert completion.begun is model.can_begin_replies() is is_begun
        assert completion.text == (asked.begin + reply if is_begun else reply)
        model.complete(asked, Sampling())
    assert (server.requests[1]["messages"][-1]["role"] == "assistant") is is_begun


def test_closing_gives_up(server, prompt):
    model = open_ollama(f"tiny@{server.url}", ModelOptions())
    model.close()
    with pytest.raises(ModelUnavailable, match="given up"):
        model.complete(prompt, Sampling())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "ended before the reply did"),
        (b'{"message":{"content":"a"},"done":false}\n', "ended before the reply did"),
        (b'{"message":{"content":"a"},"done":false}\n{"error":"out of memory"}\n', "out of memory"),
        (b"<html>", "not JSON"),
        (b"[1]\n", "not JSON"),
    ],
)
def test_streams_that_are_none(body, words):
    with pytest.raises(Transient, match=words):
        read_lines(body)
