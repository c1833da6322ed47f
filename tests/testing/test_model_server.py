"""The server itself, with the standard library's client."""

import http.client
import json
import zlib

import pytest

from regrapht.testing.model_faults import ANSWERS, BOMB_BYTES
from regrapht.testing.model_server import ModelServer, main


def post(url: str, request: dict | None = None, timeout: float = 60.0) -> tuple[http.client.HTTPResponse, bytes]:
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=timeout)
    try:
        connection.request("POST", f"/{path}/chat/completions", json.dumps(request or {}))
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def ask(text: str, **rest) -> dict:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **rest}


def test_plain_faults_are_sent_as_they_are():
    with ModelServer() as server:
        for fault, expected in ANSWERS.items():
            answer, body = post(server.fault_url(fault))
            assert (answer.status, body) == (expected.status, expected.body)
            assert all(answer.headers[name] == value for name, value in expected.headers.items())
        assert all(server.hits[fault] == 1 for fault in ANSWERS)


def test_faults_of_the_wire():
    with ModelServer() as server:
        with pytest.raises(ConnectionResetError):
            post(server.fault_url("reset"))
        with pytest.raises(http.client.IncompleteRead):
            post(server.fault_url("trunc_cl"))
        with pytest.raises(TimeoutError):
            post(server.fault_url("hang"), timeout=0.2)
        with pytest.raises(TimeoutError):
            post(server.fault_url("sse_stall"), timeout=0.2)
        assert len(post(server.fault_url("trunc_nocl"))[1]) == 60
        assert b"[DONE]" in post(server.fault_url("sse_ok"))[1]
        assert b"[DONE]" not in post(server.fault_url("sse_drop"))[1]
        assert b"overloaded" in post(server.fault_url("sse_err"))[1]
        assert [post(server.fault_url("flaky429"))[0].status for _ in range(3)] == [429, 429, 200]
        bomb = post(server.fault_url("gzipbomb"), timeout=120)[1]
    assert len(bomb) < 1 << 20
    assert len(zlib.decompress(bomb, wbits=31)) > BOMB_BYTES


def test_good_replies_plain_and_streamed():
    with ModelServer(["one", "two " * 30]) as server:
        plain = json.loads(post(server.url, ask("a"))[1])
        streamed = post(server.url, ask("b", stream=True))[1]
        assert post(server.url, ask("c"))[0].status == 500
        assert [request["messages"][0]["content"] for request in server.requests] == ["a", "b", "c"]
    assert plain["choices"][0]["message"]["content"] == "one"
    assert streamed.count(b"data: ") == 6


def test_a_function_can_answer():
    with ModelServer(lambda request: request["messages"][0]["content"].upper()) as server:
        assert json.loads(post(server.url, ask("abc"))[1])["choices"][0]["message"]["content"] == "ABC"


def test_what_is_not_there():
    with ModelServer(["x"]) as server:
        assert post(server.url, {"model": "other", "messages": []})[0].status == 404
        assert post(server.url + "/nothing")[0].status == 404
        with pytest.raises(ValueError, match="no fault 'nothing'"):
            server.fault_url("nothing")


def test_usage_of_the_program(capsys):
    assert main([]) == 2
    assert "REPLIES.json" in capsys.readouterr().err
