"""Begun replies: what a server made of the beginning is seen from what it sent, and remembered."""

import pytest

from regrapht.errors import ModelRefused
from regrapht.llm import begun
from regrapht.llm.client import ModelOptions
from regrapht.llm.openai_compatible import open_endpoint
from regrapht.records.prompt import Prompt, Sampling
from regrapht.testing.model_server import ModelServer

BEGIN = "```cuda\n#include <cuda_runtime.h>\n__global__ void k(float* y) {\n"
REST = "    y[0] = 1;\n}\n```\n"
ANEW = "```cuda\n#include <cuda_runtime.h>\n__global__ void k() {}\n```"


@pytest.fixture(autouse=True)
def nothing_known():
    begun.forget()


@pytest.fixture
def asked(prompt):
    return Prompt(messages=prompt.messages, template_hash="t", begin=BEGIN)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (REST, BEGIN + REST),
        (BEGIN + REST, BEGIN + REST),
        ("I'm sorry, I cannot do that.", None),
        ("    y[0] = 1;\n}", BEGIN + "    y[0] = 1;\n}"),
        ("```", BEGIN + "```"),
        (ANEW, None),
        ("Here it is:\n```cpp\nint x;\n```", None),
        ("Sure.\n```\nint x;\n```\n", None),
        ("#include <cuda_runtime.h>\nint x;", None),
    ],
)
def test_what_was_sent(text, whole):
    assert begun.joined(BEGIN, text) == whole


def test_a_server_that_goes_on(asked):
    with ModelServer([REST, REST]) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        assert model.can_begin_replies() is None
        for _ in range(2):
            completion = model.complete(asked, Sampling())
            assert completion.text == BEGIN + REST and completion.begun
    assert model.can_begin_replies() is True
    assert server.requests[0]["messages"][-1] == {"role": "assistant", "content": BEGIN}
    assert server.requests[0]["continue_final_message"] is True
    assert server.requests[0]["add_generation_prompt"] is False


def test_an_empty_reply_teaches_nothing(asked):
    with ModelServer(["", REST]) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        empty = model.complete(asked, Sampling())
        assert (empty.text, empty.begun, model.can_begin_replies()) == ("", False, None)
        assert model.complete(asked, Sampling()).begun


def test_a_server_that_answers_anew_loses_nothing_and_is_not_tried_again(asked):
    with ModelServer([ANEW, ANEW]) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        assert [model.complete(asked, Sampling()).text for _ in range(2)] == [ANEW, ANEW]
    assert model.can_begin_replies() is False
    assert [len(request["messages"]) for request in server.requests] == [2, 1]
    assert "continue_final_message" not in server.requests[1]


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_refuses_the_beginning(asked, status):
    with ModelServer(lambda request: ANEW, refuses=lambda request: _complaint(request, status)) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        model._calls.clock = type(model._calls.clock)(sleep=lambda seconds: None)
        completion = model.complete(asked, Sampling())
        assert (completion.text, completion.begun, model.can_begin_replies()) == (ANEW, False, False)


def test_what_is_refused_for_another_reason_teaches_nothing(asked):
    with ModelServer(lambda request: ANEW, refuses=lambda request: (400, "the prompt is bad")) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        with pytest.raises(ModelRefused, match="the prompt is bad"):
            model.complete(asked, Sampling())
        assert model.can_begin_replies() is None


@pytest.mark.parametrize(("owner", "goes_on"), [("llamacpp", True), ("vllm", True), ("sglang", True), ("me", None)])
def test_servers_that_are_known(owner, goes_on):
    with ModelServer(["x"], owner=owner) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        assert model.availability().available
        assert model.can_begin_replies() is goes_on


def _complaint(request, status):
    return (status, "the last message must be the user's") if request["messages"][-1]["role"] == "assistant" else None
