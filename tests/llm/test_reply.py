import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.llm.reply import read_reply
from regrapht.llm.retry import Transient
from regrapht.records.prompt import Finish
from regrapht.testing.model_faults import DONE, event

JSON, EVENTS = "application/json; charset=utf-8", "text/event-stream"


def answer(message, finish="stop", **rest) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}], **rest}).encode()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", Finish.STOP),
        ("eos_token", Finish.STOP),
        ("length", Finish.LENGTH),
        ("content_filter", Finish.FILTERED),
        ("tool_calls", Finish.STOP),
        ("a reason of tomorrow", Finish.UNKNOWN),
        (None, Finish.UNKNOWN),
        (["stop"], Finish.UNKNOWN),
    ],
)
def test_reasons_of_stopping(said, meant):
    assert read_reply(answer({"content": "x"}, said), content_type=JSON).finish is meant


def test_a_refusal_is_filtered():
    reply = read_reply(answer({"content": None, "refusal": "I will not"}), content_type=JSON)
    assert (reply.finish, reply.text) == (Finish.FILTERED, "I will not")


def test_reasoning_is_not_the_answer():
    assert read_reply(answer({"content": "a", "reasoning_content": "b"}), content_type=JSON).text == "a"


def test_lone_surrogates_do_not_reach_a_file():
    body = b'{"choices":[{"finish_reason":"stop","message":{"content":"a\\ud800b"}}]}'
    assert read_reply(body, content_type=JSON).text == "a?b"


@pytest.mark.parametrize("usage", [None, 3, {}, {"prompt_tokens": -1, "completion_tokens": 2}, {"prompt_tokens": True}])
def test_a_useless_usage_is_absent(usage):
    assert read_reply(answer({"content": "x"}, usage=usage), content_type=JSON).usage is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"choices":{}}',
        b'{"choices":[null]}',
        b'{"choices":[{}]}',
        b'{"choices":[{"message":"x"}]}',
        b'{"choices":[{"message":{"content":[{"text":"x"}]}}]}',
        b'{"error":{"message":"out of memory"}}',
        b"[" * 200_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_completion_may_work_the_next_time(body):
    with pytest.raises(Transient):
        read_reply(body, content_type=JSON)


def test_events_are_put_together():
    usage = b'data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":3}}\r\n\r\n'
    role = b'data: {"model":"served","choices":[{"delta":{"role":"assistant","content":null}}]}\n\n'
    body = b": ping\n\n" + role + event("a\nb") + event("c", finish="stop") + usage + DONE + b"data: after\n\n"
    reply = read_reply(body, content_type=EVENTS)
    assert (reply.text, reply.finish) == ("a\nbc", Finish.STOP)
    assert reply.usage is not None and reply.usage.total_tokens == 5


def test_a_stream_that_says_done_without_a_reason_is_not_trusted():
    assert read_reply(event("a") + DONE, content_type=EVENTS).finish is Finish.UNKNOWN


@pytest.mark.parametrize(
    "tail", [b"", b"data: {broken\n\n", b'data: {"error":"x"}\n\n', b"data: []\n\n", b'data: {"choices":[1]}\n\n']
)
def test_broken_streams(tail):
    with pytest.raises(Transient):
        read_reply(event("a") + tail, content_type=EVENTS)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "delta", "content", "finish_reason", "error", "usage", "model"]),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_json, st.sampled_from([JSON, EVENTS, ""]), st.binary(max_size=20))
def test_no_body_breaks_the_reader(value, content_type, noise):
    body = (
        b"data: " + json.dumps(value).encode() + b"\n" + noise if content_type == EVENTS else json.dumps(value).encode()
    )
    with suppress(Transient):
        assert isinstance(read_reply(body, content_type=content_type).text, str)


@pytest.mark.parametrize(
    ("deltas", "text"),
    [
        ([{"reasoning_content": "Think. "}, {"content": "a"}, {"content": "b"}], "ab"),
        ([{"reasoning": "Think "}, {"reasoning": "more."}], "<think>\nThink more.\n</think>\n"),
        ([{"content": [{"type": "text", "text": "a"}]}, {"content": [{"type": "text", "text": "b"}]}], "ab"),
        (
            [
                {"tool_calls": [{"function": {"arguments": '{"code'}}]},
                {"tool_calls": [{"function": {"arguments": '": 1}'}}]},
            ],
            '{"code": 1}',
        ),
        ([{"tool_calls": "x"}, {"tool_calls": [3, {"function": 4}]}, {"content": None}], ""),
    ],
)
def test_pieces_of_other_forms(deltas, text):
    events = [b"data: " + json.dumps({"choices": [{"delta": delta}]}).encode() + b"\n\n" for delta in deltas]
    assert read_reply(b"".join(events) + event("", finish="stop") + DONE, content_type=EVENTS).text == text
