"""The desk's tools over HTTP on loopback: `POST /v1/tools/NAME` with a JSON object, and MCP at `/mcp`.

Every request needs the token. `Host` and `Origin` are checked, so that a page in a browser cannot reach the server by another name.
"""

import hmac
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from regrapht import loopback
from regrapht.assemble import OpenedTask
from regrapht.errors import ConfigError, RegraphtError, SchemaError
from regrapht.records.encoding import from_plain, parse_strict
from regrapht.records.task import Task
from regrapht.serve.answers import error_answer
from regrapht.serve.desk import CLIENT, Desk
from regrapht.serve.mcp_server import make_server
from regrapht.serve.waiting import waiting
from regrapht.version import VERSION

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

MOST_BODY_BYTES = 2 << 20
_CODES = {"error": HTTPStatus.BAD_REQUEST, "machine_unavailable": HTTPStatus.SERVICE_UNAVAILABLE}


def make_app(desk: Desk, *, token: str, port: int) -> Any:
    """The ASGI application: every tool of the desk, its task door for `check`, and MCP."""
    from mcp.server.transport_security import TransportSecuritySettings

    server = make_server(desk)
    routes: dict[str, tuple[str, Any]] = {
        "/v1/health": ("GET", _health(desk)),
        "/v1/tools": ("GET", _tools(server)),
        "/v1/tools/{name}": ("POST", _tool(desk)),
        "/v1/tasks": ("POST", _task(desk)),
    }
    for path, (method, answer) in routes.items():
        server.custom_route(path, methods=[method])(answer)
    hosts = loopback.hosts(port)
    security = TransportSecuritySettings(allowed_hosts=[*hosts], allowed_origins=[f"http://{host}" for host in hosts])
    app = server.streamable_http_app(transport_security=security, max_request_body_size=MOST_BODY_BYTES)
    return _Door(app, token=token, hosts=hosts)


class _Door:
    """Lets a request in that names this server and has its token; ASGI."""

    def __init__(self, app: Any, *, token: str, hosts: frozenset[str]) -> None:
        self._app, self._token, self._hosts = app, token.encode(), hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (refusal := self._refusal(scope["headers"])) is not None:
            code, message = refusal
            await _json(error_answer(ConfigError(message)), code)(scope, receive, send)
            return
        if scope["type"] == "http":
            CLIENT.set(_client(scope))
        await self._app(scope, receive, send)

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[HTTPStatus, str] | None:
        found = dict(headers)
        if (stranger := loopback.refusal(found, self._hosts)) is not None:
            return HTTPStatus.FORBIDDEN, stranger
        given = found.get(b"authorization", b"").removeprefix(b"Bearer ")
        if not hmac.compare_digest(given, self._token):
            return HTTPStatus.UNAUTHORIZED, "the token is missing or wrong: send 'Authorization: Bearer TOKEN'"
        length = found.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MOST_BODY_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {MOST_BODY_BYTES} bytes"
        return None


def _client(scope: Any) -> str:
    """Who asks, for the order of answers: its name, else its session of MCP, which has several connections, else its connection."""
    headers = dict(scope["headers"])
    named = headers.get(b"x-client") or headers.get(b"mcp-session-id") or str(scope.get("client")).encode()
    return str(named.decode("latin-1"))


def _health(desk: Desk) -> Any:
    async def health(request: "Request") -> "Response":
        return _json({"version": VERSION, "judge": desk.judge_name, "waiting": desk.judging.waiting})

    return health


def _tools(server: Any) -> Any:
    async def tools(request: "Request") -> "Response":
        listed = await server.list_tools()
        return _json(
            {"tools": [{"name": t.name, "description": t.description, "arguments": t.input_schema} for t in listed]}
        )

    return tools


def _tool(desk: Desk) -> Any:
    """One tool by its name. Arguments are checked against its signature before anything is done."""
    from pydantic import ValidationError, validate_call

    checked = {name: validate_call(waiting(desk.tool(name))) for name in Desk.TOOLS}

    async def tool(request: "Request") -> "Response":
        name = request.path_params["name"]
        if name not in checked:
            return _json(
                error_answer(ConfigError(f"there is no tool {name[:80]!r}; GET /v1/tools lists them")),
                HTTPStatus.NOT_FOUND,
            )
        try:
            answer = await checked[name](**await _object(request))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
            return _json(error_answer(ConfigError(f"{name}: {wrong}")), HTTPStatus.BAD_REQUEST)
        except RegraphtError as error:
            return _json(error_answer(error), HTTPStatus.BAD_REQUEST)
        return _json(answer, _CODES.get(answer.get("outcome", ""), HTTPStatus.OK))

    return tool


def _task(desk: Desk) -> Any:
    """A whole task record, as `regrapht check` sends it; one that needs files of this machine is refused."""

    async def task(request: "Request") -> "Response":
        try:
            record = from_plain(Task, await _object(request))
            require_self_contained(record)
            kept = desk.shelf.keep(OpenedTask(task=record), digest=record.content_hash)
        except (RegraphtError, ValueError, TypeError, KeyError) as error:
            told = error if isinstance(error, RegraphtError) else SchemaError(f"not a task: {error}")
            return _json(error_answer(told), HTTPStatus.BAD_REQUEST)
        return _json({"task": kept.name})

    return task


def require_self_contained(task: Task) -> None:
    """Refuse a task that names files or folders: the server opens no path that a caller gives.

    Raises:
        ConfigError: It does; says which.
    """
    if task.reference.include or task.reference.flags:
        raise ConfigError("the task's reference has include folders or flags of its own; judge it with --no-server")
    for arg in task.args:
        if arg.init is not None and arg.init.kind == "file":
            raise ConfigError(f"the values of {arg.name!r} are in a file; judge the task with --no-server")


async def _object(request: "Request") -> Mapping[str, Any]:
    """The body as a JSON object.

    Raises:
        SchemaError: It is none.
        ConfigError: It is too long.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY_BYTES:
            raise ConfigError(f"a request has at most {MOST_BODY_BYTES} bytes")
    plain = parse_strict(bytes(body)) if body else {}
    if not isinstance(plain, dict):
        raise SchemaError("the body is not a JSON object")
    return plain


def _json(answer: Mapping[str, Any], code: HTTPStatus = HTTPStatus.OK) -> "Response":
    from starlette.responses import Response

    return Response(json.dumps(answer, ensure_ascii=False), status_code=code, media_type="application/json")
