"""llama.cpp itself on a file of random weights: what it writes means nothing, that it is asked and ended rightly does."""

import re
import threading
import time

import pytest

from regrapht.errors import ConfigError, ModelUnavailable
from regrapht.llm import begun, gguf
from regrapht.llm.client import ModelOptions
from regrapht.llm.gguf import GgufModel
from regrapht.llm.hearing import Hearing
from regrapht.llm.openai_compatible import open_endpoint
from regrapht.records.prompt import Finish, Message, Prompt, Sampling, Speaker
from regrapht.testing.tiny_gguf import write_tiny_gguf

pytest.importorskip("xllamacpp")
BEGIN = "```cuda\n#include <cuda_runtime.h>\n"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write_tiny_gguf(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="module")
def model(file):
    opened = GgufModel(file)
    yield opened
    opened.close()


def test_it_answers_begins_replies_and_keeps_the_prefix(model, prompt):
    assert model.availability().context_tokens == 4096
    begun = Prompt(messages=prompt.messages, template_hash="t", begin=BEGIN)
    sampling = Sampling(temperature=0.0, max_tokens=8, seed=1)
    plain, first, again = (model.complete(asked, sampling) for asked in (prompt, begun, begun))
    assert not plain.begun and plain.finish is Finish.LENGTH and plain.usage.completion_tokens == 8
    assert first.begun and first.text.startswith(BEGIN) and first.text == again.text
    assert again.usage.cached_tokens > 0
    assert model.can_begin_replies() is True
    assert first.served_model == "tiny"


def test_what_is_common_is_kept_although_another_prompt_came_between(model):
    def asked(text):
        prompt = Prompt(messages=(Message(speaker=Speaker.USER, text=text),), template_hash="t")
        return model.complete(prompt, Sampling(temperature=0.0, max_tokens=2)).usage

    task = "the task that all prompts of a run begin with " * 8
    first = asked(task + "one")
    asked("something else " * 30)
    again = asked(task + "two")
    assert 0.9 * first.prompt_tokens < again.cached_tokens < first.prompt_tokens


def test_it_tells_what_it_is_at_and_how_fast_it_is(model, monkeypatch):
    long = Prompt(messages=(Message(speaker=Speaker.USER, text="read this " * 330),), template_hash="t")
    words = set()
    take = Hearing.take

    def asked_after_each(self: Hearing, chunk: bytes) -> None:
        for line in chunk.splitlines(keepends=True):  # several events may come at once on a busy machine
            take(self, line)
            words.add(model.doing())

    monkeypatch.setattr(Hearing, "take", asked_after_each)
    completion = model.complete(long, Sampling(temperature=0.0, max_tokens=40, seed=3))
    assert completion.usage.prompt_tokens > 3000 and model.doing() == ""
    assert any(word.startswith("the model has read ") for word in words), words
    assert model.speed.reading > 0


@pytest.mark.parametrize("idle", [1, 2])
def test_it_reads_and_writes_with_as_many_threads_as_cores_are_idle(file, prompt, monkeypatch, idle):
    monkeypatch.setattr(gguf, "idle_cores", lambda: idle)
    opened = GgufModel(file)
    try:
        assert opened.complete(prompt, Sampling(temperature=0.0, max_tokens=2)).usage.completion_tokens == 2
        assert opened._running.process.args[-2:] == [str(opened.context_tokens), str(idle)]
    finally:
        opened.close()


def test_closing_ends_what_is_waited_for(file):
    model = GgufModel(file)
    endless = Prompt(messages=(Message(speaker=Speaker.USER, text="go on"),), template_hash="t")
    ended = []

    def ask() -> None:
        while True:  # random weights may end a reply early
            try:
                model.complete(endless, Sampling(max_tokens=4000))
            except ModelUnavailable as error:
                ended.append(error)
                return

    model.availability()
    worker = threading.Thread(target=ask)
    worker.start()
    time.sleep(0.2)
    model.close()
    worker.join(timeout=60)
    assert ended and not worker.is_alive()


def test_a_process_that_ended_is_started_again(file, prompt):
    model = GgufModel(file)
    model.availability()
    model._running.process.kill()
    model._running.process.wait()
    assert model.complete(prompt, Sampling(max_tokens=2)).text is not None
    model.close()


def test_what_llama_cpp_does_not_take(tmp_path):
    martian = write_tiny_gguf(tmp_path / "m.gguf", architecture="martian")
    with pytest.raises(ConfigError, match=r"unknown model architecture: 'martian'.*upgrade xllamacpp"):
        GgufModel(martian).availability()
    short = tmp_path / "s.gguf"
    short.write_bytes(write_tiny_gguf(tmp_path / "w.gguf").read_bytes()[:-16])
    with pytest.raises(ConfigError, match="incomplete"):
        GgufModel(short).availability()


LOG = """0.04.592.058 W load: control-looking token: 128247
0.07.239.992 E ggml_aligned_malloc: insufficient memory (attempted to allocate 896.00 MB)
0.07.240.194 E llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache
0.07.240.572 E srv          init: exiting due to model loading error
"""


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (
            LOG,
            r"^insufficient memory \(attempted to allocate 896\.00 MB\); end other programs, lower --context-tokens, or take",
        ),
        (LOG.replace("insufficient memory", "x").replace("failed to allocate", "y"), r"^x \(attempted"),
        (
            "0.1.2.3 E llama_model_load: error loading model: unknown model architecture: 'm'\n",
            "^unknown.*upgrade xllamacpp",
        ),
        ("GGML_ASSERT(x) failed\n\n", r"^GGML_ASSERT\(x\) failed$"),
        ("", "^it gave no reason$"),
    ],
)
def test_what_llama_cpp_says_is_told_with_what_to_do(log, words):
    assert re.search(words, gguf.complaint(log))
    assert gguf.complaint(log, "it ended with code -6") == ("it ended with code -6" if not log else gguf.complaint(log))


def test_memory_bounds_context_and_model(file, monkeypatch):
    header = gguf.read_header(file)
    room = header.file_bytes + gguf._WORKING_BYTES
    monkeypatch.setattr(gguf, "free_bytes", lambda: room + 3000 * header.context_bytes)
    assert GgufModel(file).context_tokens == 2048
    monkeypatch.setattr(gguf, "free_bytes", lambda: room)
    with pytest.raises(ConfigError, match=r"needs about 0\.4 GiB.*smaller model"):
        GgufModel(file)
    with pytest.raises(ConfigError, match="trained for 4096"):
        GgufModel(file, context_tokens=8192)


def test_the_same_server_by_the_openai_protocol(model, prompt, monkeypatch):
    model.availability()
    served = model._running.model
    monkeypatch.setenv("REGRAPHT_API_KEY", served._calls.key())
    asked = Prompt(messages=prompt.messages, template_hash="t", begin=BEGIN)
    for look_first in (True, False):
        begun.forget()
        other = open_endpoint(f"tiny@{served.endpoint.url}", ModelOptions())
        if look_first:
            assert other.availability().available and other.can_begin_replies() is True
        completion = other.complete(asked, Sampling(temperature=0.0, max_tokens=8))
        assert completion.text.startswith(BEGIN) or not look_first
