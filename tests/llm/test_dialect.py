"""A server that wants the protocol otherwise gets it so, and is asked so from then on."""

import pytest

from regrapht.errors import ModelRefused
from regrapht.llm.client import ModelOptions
from regrapht.llm.openai_compatible import open_endpoint
from regrapht.records.prompt import Message, Prompt, Sampling, Speaker
from regrapht.testing.model_server import ModelServer

SAMPLING = Sampling(temperature=0.7, top_p=0.9, max_tokens=50, seed=1)
ASKED = Prompt(
    messages=(Message(speaker=Speaker.SYSTEM, text="be brief"), Message(speaker=Speaker.USER, text="hello")),
    template_hash="t",
)


def said_by(request):
    return [(one["role"], one["content"]) for one in request["messages"]]


def reasoning(request):
    """As OpenAI's reasoning models complain."""
    if "max_tokens" in request:
        return (
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        )
    for name in ("temperature", "top_p"):
        if name in request:
            return 400, f"Unsupported value: '{name}' does not support {request[name]} with this model."
    if request["messages"][0]["role"] == "system":
        return 400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."
    return None


def without_roles(request):
    """As templates of models complain that know two speakers."""
    role = request["messages"][0]["role"]
    return None if role == "user" else (400, f"the {role} role is not supported")


def test_a_reasoning_model():
    with ModelServer(lambda request: "ok", refuses=reasoning) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions(reasoning_effort="low"))
        assert model.complete(ASKED, SAMPLING).attempts == 5
        assert model.complete(ASKED, SAMPLING).attempts == 1
    last = server.requests[-1]
    assert last["max_completion_tokens"] == 50 and last["reasoning_effort"] == "low" and last["seed"] == 1
    assert not {"max_tokens", "temperature", "top_p"} & last.keys()
    assert said_by(last) == [("developer", "be brief"), ("user", "hello")]


def test_a_template_without_instructions():
    with ModelServer(lambda request: "ok", refuses=without_roles) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        assert model.complete(ASKED, SAMPLING).text == "ok"
    assert said_by(server.requests[-1]) == [("user", "be brief\n\nhello")]


def test_other_complaints_are_passed_on():
    with ModelServer(lambda request: "ok", refuses=lambda request: (400, "no temperature suits me")) as server:
        model = open_endpoint(f"m@{server.url}", ModelOptions())
        with pytest.raises(ModelRefused, match="no temperature suits me"):
            model.complete(ASKED, SAMPLING)
        assert len(server.requests) == 2  # asked once without it
