"""The real openai package against a real server on loopback, with every fault that it knows."""

import json
import logging
import resource
import socket
import sys
import threading

import pytest

from regrapht.errors import ModelRefused, ModelUnavailable, PrerequisiteMissing
from regrapht.llm.endpoint import parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits, _retry_after_s
from regrapht.llm.openai_compatible import OpenAICompatibleModel
from regrapht.llm.retry import Clock, RetryPolicy
from regrapht.records.prompt import Finish, Message, Prompt, Sampling, Speaker
from regrapht.testing.model_faults import CODE, FAULTS
from regrapht.testing.model_server import ModelServer

SECRET = "sk-secret-of-the-test-1234567890"
BACKOFF = [0.5, 1.0, 2.0]  # half of 1, 2 and 4 s: the jitter of these tests is always 0.5

# fault -> (requests, pauses, outcome): a finish with its text, or an exception with words of its message
OUTCOMES = {
    "ok": (1, [], (Finish.STOP, CODE)),
    "always429": (4, BACKOFF, (ModelUnavailable, "HTTP 429")),
    "retryafter_huge": (4, [60.0] * 3, (ModelUnavailable, "HTTP 429")),
    "quota429": (1, [], (ModelRefused, "quota")),
    "500": (4, BACKOFF, (ModelUnavailable, "HTTP 500")),
    "503html": (4, BACKOFF, (ModelUnavailable, "HTTP 503")),
    "401": (1, [], (ModelRefused, "check REGRAPHT_API_KEY")),
    "ctx400": (1, [], (ModelRefused, "prompt is too long")),
    "html200": (4, BACKOFF, (ModelUnavailable, "text/html, not a chat completion")),
    "badjson": (4, BACKOFF, (ModelUnavailable, "not a chat completion")),
    "nochoices": (4, BACKOFF, (ModelUnavailable, "no choice")),
    "nullcontent": (1, [], (Finish.STOP, "")),
    "empty": (1, [], (Finish.STOP, "")),
    "length": (1, [], (Finish.LENGTH, "```cuda\n__global__ void k(){")),
    "filter": (1, [], (Finish.FILTERED, "")),
    "refusal": (1, [], (Finish.STOP, "I'm sorry, I can't help with that.")),
    "no_usage": (1, [], (Finish.STOP, CODE)),
    "usage_zero": (1, [], (Finish.STOP, CODE)),
    "usage_negative": (1, [], (Finish.STOP, CODE)),
    "usage_huge": (1, [], (Finish.STOP, CODE)),
    "renamed": (1, [], (Finish.STOP, CODE)),
    "echoed_key": (1, [], (Finish.STOP, "Bearer [key]\n```cuda\n// Bearer [key]\n__global__ void k(){}\n```")),
    "slow_headers": (1, [], (ModelUnavailable, "no complete answer within 1 s (1 request")),
    "endless": (1, [], (ModelUnavailable, "no complete answer within 1 s (1 request")),
    "503later": (4, [2.0] * 3, (ModelUnavailable, "HTTP 503")),
    "413": (1, [], (ModelRefused, "prompt is too long")),
    "toolong422": (1, [], (ModelRefused, "prompt is too long")),
    "402": (1, [], (ModelRefused, "HTTP 402: payment required")),
    "nocontent204": (4, BACKOFF, (ModelUnavailable, "not a chat completion")),
    "parts": (1, [], (Finish.STOP, CODE)),
    "tool_call": (1, [], (Finish.STOP, json.dumps({"code": CODE}))),
    "thought_alone": (1, [], (Finish.LENGTH, "<think>\nEach thread ...\n</think>\n")),
    "sse_as_text": (1, [], (Finish.STOP, CODE)),
    "json_as_sse": (1, [], (Finish.STOP, CODE)),
    "gzipgarbage": (4, BACKOFF, (ModelUnavailable, "the answer is damaged")),
    "huge": (4, BACKOFF, (ModelUnavailable, "longer than 8 MiB")),
    "not_http": (4, BACKOFF, (ModelUnavailable, "connection failed")),
    "closes_early": (4, BACKOFF, (ModelUnavailable, "connection failed")),
    "redirect": (1, [], (ModelRefused, "redirects are not followed")),
    "flaky429": (3, [1.0, 1.0], (Finish.STOP, CODE)),
    "reset": (4, BACKOFF, (ModelUnavailable, "connection failed")),
    "hang": (4, BACKOFF, (ModelUnavailable, "no answer in time (read limit)")),
    "drip": (1, [], (ModelUnavailable, "no complete answer within 1 s (1 request")),
    "trunc_cl": (4, BACKOFF, (ModelUnavailable, "connection failed")),
    "trunc_nocl": (4, BACKOFF, (ModelUnavailable, "not a chat completion")),
    "gzipbomb": (4, BACKOFF, (ModelUnavailable, "longer than 8 MiB")),
    "sse_ok": (1, [], (Finish.STOP, CODE)),
    "sse_drop": (4, BACKOFF, (ModelUnavailable, "stream ended before the reply did")),
    "sse_err": (4, BACKOFF, (ModelUnavailable, "overloaded")),
    "sse_stall": (4, BACKOFF, (ModelUnavailable, "no answer in time (read limit)")),
}


def connect(url: str, *, pauses: list[float] | None = None, **limits) -> OpenAICompatibleModel:
    slept = [] if pauses is None else pauses
    return OpenAICompatibleModel(
        parse_endpoint(f"m@{url}", allow_remote=False),
        limits=CallLimits(**{"read_s": 0.25, "total_s": 600.0, **limits}),
        clock=Clock(sleep=slept.append, jitter=lambda: 0.5),
    )


def test_every_fault_has_an_outcome():
    assert set(OUTCOMES) == set(FAULTS)
    assert len(FAULTS) == 50


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault, prompt, monkeypatch, caplog):
    monkeypatch.setenv("REGRAPHT_API_KEY", SECRET)
    caplog.set_level(logging.DEBUG)
    requests, expected_pauses, (kind, words) = OUTCOMES[fault]
    pauses: list[float] = []
    with ModelServer() as server:
        limits = (
            {"total_s": 1.0}
            if fault in ("drip", "slow_headers", "endless")
            else {"read_s": 10.0}
            if fault == "gzipbomb"
            else {}
        )
        model = connect(server.fault_url(fault), pauses=pauses, **limits)
        if isinstance(kind, Finish):
            completion = model.complete(prompt, Sampling())
            assert (completion.finish, completion.text, completion.attempts) == (kind, words, requests)
            said = repr(completion)
        else:
            with pytest.raises(kind) as failure:
                model.complete(prompt, Sampling())
            said = str(failure.value)
            assert words in said
            assert "http://127.0.0.1" in said
        assert server.hits[fault] == requests
        assert pauses == expected_pauses
        assert all(headers["authorization"] == f"Bearer {SECRET}" for headers in server.headers)
    assert SECRET not in said
    assert SECRET not in caplog.text


def test_a_small_compressed_answer_does_not_fill_the_memory(prompt):
    with ModelServer() as server:
        model = connect(server.fault_url("gzipbomb"), read_s=10.0)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(ModelUnavailable):
            model.complete(prompt, Sampling())
        grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kib < 64 * 1024


def test_a_header_that_never_ends_is_cut_at_the_deadline(prompt):
    listener = socket.create_server(("127.0.0.1", 0))
    closing = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nx-slow: ")
            while not closing.wait(0.05):
                try:
                    connection.sendall(b"a")
                except OSError:
                    return

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    with listener:
        model = connect(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        with pytest.raises(ModelUnavailable, match="within 1 s"):
            model.complete(prompt, Sampling(), deadline_s=0.6)
    closing.set()
    thread.join()


def test_the_deadline_of_a_call_stops_the_retries(prompt):
    pauses: list[float] = []
    with ModelServer() as server:
        with pytest.raises(ModelUnavailable):
            connect(server.fault_url("retryafter_huge"), pauses=pauses).complete(prompt, Sampling(), deadline_s=30.0)
        assert server.hits["retryafter_huge"] == 1
    assert pauses == []


def test_retry_after_may_be_a_date(monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
    cases = {
        "7": 7.0,
        "0.5": 0.5,
        "Sun, 09 Sep 2001 01:46:50 GMT": 10.0,
        "-1": None,
        "nan": None,
        "inf": None,
        "soon": None,
    }
    assert {said: _retry_after_s({"retry-after": said}) for said in cases} == cases
    assert _retry_after_s({}) is None


def test_a_server_that_is_down(prompt):
    with ModelServer() as server:
        url = server.url
    model = connect(url)
    assert not model.availability().available
    with pytest.raises(ModelUnavailable, match=r"Connection refused.*4 requests"):
        model.complete(prompt, Sampling())


def test_a_good_reply_says_who_served_it_and_what_it_cost(prompt):
    with ModelServer(["é" * 100 + "\n```cuda\nx\n```"]) as server:
        completion = connect(server.url).complete(prompt, Sampling(temperature=0.5, seed=7, max_tokens=9))
        sent = server.requests[0]
    assert completion.text == "é" * 100 + "\n```cuda\nx\n```"
    assert completion.served_model == "m"
    assert completion.usage is not None and completion.usage.completion_tokens > 0
    assert (sent["model"], sent["temperature"], sent["seed"], sent["max_tokens"]) == ("m", 0.5, 7, 9)
    assert "top_p" not in sent
    assert sent["messages"] == [{"role": "user", "content": "make it fast"}]


def test_speakers_become_roles():
    texts = [Message(speaker=speaker, text=speaker.name) for speaker in Speaker]
    with ModelServer(["x"]) as server:
        connect(server.url).complete(Prompt(messages=tuple(texts), template_hash="t"), Sampling())
        assert [message["role"] for message in server.requests[0]["messages"]] == ["system", "user", "assistant"]


def test_an_unknown_model_is_refused_at_once(prompt):
    with ModelServer(["x"], model="other") as server:
        model = connect(server.url)
        with pytest.raises(ModelRefused, match="there is no model m"):
            model.complete(prompt, Sampling())
        assert server.hits["good"] == 1
        availability = model.availability()
    assert not availability.available
    assert "offers other, not m" in availability.reason


def test_availability_of_a_server_that_works_and_of_one_without_a_list():
    with ModelServer() as server:
        assert connect(server.url).availability().available
        assert connect(server.fault_url("ok")).availability().available


def test_proxies_of_the_environment_get_nothing(prompt, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with ModelServer(["x"]) as server:
        assert connect(server.url).complete(prompt, Sampling()).text == "x"


def test_a_key_that_a_reply_holds_is_not_kept(prompt, monkeypatch):
    monkeypatch.setenv("REGRAPHT_API_KEY", "sk-very-secret")
    with ModelServer(["your key is sk-very-secret, isn't it"]) as server:
        model = OpenAICompatibleModel(parse_endpoint(f"m@{server.url}", allow_remote=False))
        assert model.complete(prompt, Sampling()).text == "your key is [key], isn't it"


def test_a_key_that_the_server_quotes_is_not_repeated(prompt, monkeypatch):
    monkeypatch.setenv("REGRAPHT_API_KEY", "bad key")  # what the server's error 401 says
    with ModelServer() as server, pytest.raises(ModelRefused, match=r"HTTP 401: \[key\]"):
        connect(server.fault_url("401")).complete(prompt, Sampling())


def test_many_threads(prompt):
    with ModelServer(lambda request: f"seed {request['seed']}") as server:
        model = connect(server.url, read_s=10.0)
        texts: dict[int, str] = {}

        def ask(seed: int) -> None:
            texts[seed] = model.complete(prompt, Sampling(seed=seed)).text

        threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert texts == {seed: f"seed {seed}" for seed in range(16)}


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(PrerequisiteMissing, match=r'pip install "regrapht\[models\]"'):
        connect("http://127.0.0.1:1/v1")


def test_the_policy_is_a_setting(prompt):
    with ModelServer() as server:
        with pytest.raises(ModelUnavailable, match="1 request"):
            connect(server.fault_url("500"), retry=RetryPolicy(max_attempts=1)).complete(prompt, Sampling())
        assert server.hits["500"] == 1
