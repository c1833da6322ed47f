"""Nothing is shown without the token, under another name, or to a page of another site: a table over ways to ask."""

import asyncio

import pytest

from regrapht.view.door import Door

HOST = (b"host", b"127.0.0.1:8378")
GOOD = (b"cookie", b"regrapht_view_8378=secret")
HERE = (b"origin", b"http://127.0.0.1:8378")


async def inside(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"shown"})


def ask(headers, *, path="/", query=b"", kind="http"):
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    scope = {"type": kind, "path": path, "query_string": query, "headers": list(headers)}
    asyncio.run(Door(inside, token="secret", port=8378)(scope, receive, send))
    return sent


@pytest.mark.parametrize(
    "headers, query, status",
    [
        ([HOST, GOOD], b"", 200),
        ([(b"host", b"localhost:8378"), GOOD], b"", 200),
        ([HOST, GOOD, HERE], b"", 200),
        ([HOST], b"", 401),
        ([HOST], b"token=wrong", 401),
        ([HOST], b"token=", 401),
        ([HOST, (b"cookie", b"regrapht_view_8378=wrong")], b"", 401),
        ([HOST, (b"cookie", b"regrapht_view_9999=secret")], b"", 401),
        ([HOST, (b"cookie", b";;=\xff")], b"", 401),
        ([HOST, (b"authorization", b"Bearer secret")], b"", 401),
        ([HOST], b"token=secret", 303),
        ([GOOD], b"", 403),
        ([(b"host", b"evil.example:8378"), GOOD], b"", 403),
        ([(b"host", b"127.0.0.1:80"), GOOD], b"", 403),
        ([(b"host", b"evil.example:8378")], b"token=secret", 403),
        ([HOST, GOOD, (b"origin", b"http://evil.example")], b"", 403),
        ([HOST, GOOD, (b"origin", b"null")], b"", 403),
    ],
)
def test_who_is_let_in(headers, query, status):
    start, body = ask(headers, query=query)
    assert start["status"] == status and (body["body"] == b"shown") == (status == 200)
    assert (b"x-frame-options", b"DENY") in start["headers"]


def test_the_token_becomes_a_cookie_and_leaves_the_address():
    start, _ = ask([HOST], query=b"token=secret", path="/run/0/x")
    headers = dict(start["headers"])
    assert headers[b"location"] == b"/run/0/x" and b"HttpOnly; SameSite=Strict" in headers[b"set-cookie"]


@pytest.mark.parametrize(
    "headers", [[HOST], [HOST, GOOD], [HOST, GOOD, (b"origin", b"http://evil.example")], [HOST, HERE]]
)
def test_web_sockets_need_cookie_and_origin(headers):
    (closed,) = ask(headers, kind="websocket")
    assert closed == {"type": "websocket.close", "code": 1008}


def test_a_web_socket_of_our_page_is_let_in():
    assert ask([HOST, GOOD, HERE], kind="websocket")[0]["status"] == 200
