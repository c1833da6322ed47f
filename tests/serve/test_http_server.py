"""The server on a real socket: what callers get, and what a hostile one does not get."""

import contextlib
import http.client
import json
import socket
import threading

import anyio
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from regrapht.records.encoding import to_plain
from regrapht.serve.http_server import make_app
from tests.serve.conftest import SAXPY

TOKEN = "a token of the test"


class Server:
    """Requests to a server that runs in this process."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str, body: object = None, **headers: str):
        """Code and JSON of one answer. Headers are named with underscores; None leaves one out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Authorization": f"Bearer {TOKEN}"} | {k.replace("_", "-"): v for k, v in headers.items()}
        text = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        with contextlib.closing(connection):
            connection.request(method, path, text, sent)
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read() or b"null")

    def tool(self, name: str, **arguments):
        return self.ask("POST", f"/v1/tools/{name}", arguments)


@pytest.fixture
def server(desk):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    port = listener.getsockname()[1]
    running = uvicorn.Server(uvicorn.Config(make_app(desk, token=TOKEN, port=port), log_level="warning"))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    yield Server(port)
    running.should_exit = True
    thread.join(10)
    listener.close()


def test_a_tool_is_called_with_json(server):
    code, made = server.tool("create_task", source=SAXPY)
    assert code == 200
    code, answer = server.tool("judge", task=made["task"], source="right")
    assert (code, answer["outcome"]) == (200, "passed")
    code, listed = server.ask("GET", "/v1/tools")
    judge = next(tool for tool in listed["tools"] if tool["name"] == "judge")
    assert code == 200 and {"task", "source", "level"} <= set(judge["arguments"]["properties"])
    assert server.ask("GET", "/v1/health")[1]["waiting"] == 0


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": ""}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/v1/tools/list_tasks", "/v1/health", "/mcp", "/nowhere"])
def test_nobody_gets_in_without_the_token_or_by_another_name(server, headers, code, path):
    got, answer = server.ask("POST", path, {}, **headers)
    assert got == code and answer["outcome"] == "error" and TOKEN not in json.dumps(answer)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "not strict JSON"),
        (b"[" * 100_000, "not strict JSON"),
        (b"\xff\xfe", "not strict JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"task": 1, "task": 2}', ""),
        (b'{"task": 7}', "judge: "),
        (b'{"nothing": 1}', "judge: "),
        (b'{"task": "t", "source": "x", "level": "all"}', "judge: level"),
        (b'{"task": "t", "source": "x", "wait_s": "soon"}', "judge: wait_s"),
        (b'{"task": "t", "source": "x", "wait_s": NaN}', ""),
    ],
)
def test_a_bad_body_is_one_line(server, body, words):
    code, answer = server.ask("POST", "/v1/tools/judge", body)
    assert code == 400 and answer["outcome"] == "error" and words in answer["error"]["message"], answer


def test_a_body_of_ten_megabytes_is_refused_before_it_is_read(server):
    code, answer = server.ask("POST", "/v1/tools/judge", b"x", Content_Length=str(10 << 20))
    assert code == 413 and "at most" in answer["error"]["message"]
    parts = (b"%x\r\n%s\r\n" % (1 << 20, b"x" * (1 << 20)) for _ in range(10))
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as raw:
        head = f"POST /v1/tools/judge HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        raw.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for part in parts:
                raw.sendall(part)
        assert raw.recv(64).split()[1] == b"400"


def test_an_unknown_tool_and_a_path_that_leaves_are_not_found(server):
    for name in ("nothing", "close", "_prepare", "call"):
        assert server.ask("POST", f"/v1/tools/{name}", {})[0] == 404
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    with contextlib.closing(connection):
        connection.request("POST", "/v1/tools/..%2f..%2fetc", b"{}", {"Authorization": f"Bearer {TOKEN}"})
        assert connection.getresponse().status == 404


def test_a_client_that_vanishes_holds_nobody_up(server, judge):
    task = server.tool("create_task", source=SAXPY)[1]["task"]
    body = json.dumps({"task": task, "source": "slow right"}).encode()
    head = f"POST /v1/tools/judge HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as raw:
            raw.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    judge.go_on.set()
    assert server.tool("judge", task=task, source="right 2")[1]["outcome"] == "passed"
    assert server.tool("judge", task=task, source="slow right")[1]["outcome"] == "passed"
    assert judge.judged.count("slow right") == 1


def test_a_whole_task_is_taken_unless_it_names_files(server, desk):
    task = desk.shelf.create(SAXPY, entry=None).task
    plain = to_plain(task)
    code, made = server.ask("POST", "/v1/tasks", plain)
    assert code == 200 and server.tool("judge", task=made["task"], source="right")[1]["outcome"] == "passed"
    reaching = json.loads(json.dumps(plain))
    reaching["reference"]["include"] = ["/etc"]
    code, answer = server.ask("POST", "/v1/tasks", reaching)
    assert code == 400 and "--no-server" in answer["error"]["message"]
    assert server.ask("POST", "/v1/tasks", {"id": "x"})[0] == 400


def test_a_missing_machine_is_503(server):
    task = server.tool("create_task", source=SAXPY)[1]["task"]
    assert server.tool("judge", task=task, source="broken")[0] == 503


def test_each_client_has_a_turn_of_its_own_over_mcp_too(server, desk, monkeypatch):
    asked, submit = [], desk.judging.submit
    monkeypatch.setattr(
        desk.judging, "submit", lambda *a, client, **more: asked.append(client) or submit(*a, client=client)
    )
    task = server.tool("create_task", source=SAXPY)[1]["task"]

    async def judge(number: int) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            create_mcp_http_client(headers=headers) as http,
            Client(streamable_http_client(f"http://127.0.0.1:{server.port}/mcp", http_client=http)) as client,
        ):
            for turn in range(2):
                await client.call_tool("judge", {"task": task, "source": f"right {number} {turn}"})

    for number in range(2):
        anyio.run(judge, number)
    assert "local" not in asked and len(set(asked[:2])) == 1 and set(asked[:2]).isdisjoint(asked[2:]), asked
