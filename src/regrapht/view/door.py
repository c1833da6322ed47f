"""Who may look: a request that names this server by its loopback address, comes from no other site's page, and has the token.

The token is given once in the address (`/?token=...`), which answers with a cookie and leads on to the address without it. Everything
else, scripts and web sockets too, needs the cookie.
"""

import hmac
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from regrapht import loopback

_SAFE = [(b"x-frame-options", b"DENY"), (b"referrer-policy", b"no-referrer"), (b"x-content-type-options", b"nosniff")]


class Door:
    """An ASGI application around another one."""

    def __init__(self, app: Any, *, token: str, port: int) -> None:
        self._app, self._token, self._cookie = app, token, f"regrapht_view_{port}"
        self._hosts = loopback.hosts(port)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if (refusal := self._refusal(scope, headers)) is not None:
            await _refuse(scope, receive, send, 403, refusal)
        elif self._has(headers):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "http" and self._gives(scope):
            cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/".encode()
            await _answer(send, 303, b"", [(b"location", scope["path"].encode()), (b"set-cookie", cookie)])
        else:
            await _refuse(scope, receive, send, 401, "open the address that `regrapht view` printed: it has the token")

    def _refusal(self, scope: Any, headers: dict[bytes, bytes]) -> str | None:
        if (stranger := loopback.refusal(headers, self._hosts)) is not None:
            return stranger
        if scope["type"] == "websocket" and b"origin" not in headers:
            return "a web socket says where it comes from"
        return None

    def _has(self, headers: dict[bytes, bytes]) -> bool:
        try:
            cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            return False
        given = cookies.get(self._cookie)
        return given is not None and hmac.compare_digest(given.value.encode(), self._token.encode())

    def _gives(self, scope: Any) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._token.encode())


def _with_headers(send: Any) -> Any:
    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *_SAFE]}
        await send(message)

    return sent


async def _refuse(scope: Any, receive: Any, send: Any, code: int, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await _answer(send, code, text.encode() + b"\n", [(b"content-type", b"text/plain; charset=utf-8")])


async def _answer(send: Any, code: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": code, "headers": [*headers, *_SAFE]})
    await send({"type": "http.response.body", "body": body})
