"""One request to the model server of the tests, and the means to answer it well or badly."""

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One plain answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Exchange:
    """One request and the means to answer it, for the faults."""

    def __init__(self, handler: BaseHTTPRequestHandler, *, hit: int, drip_s: float, closing: threading.Event) -> None:
        self._handler, self._closing = handler, closing
        self.hit = hit
        """The how many-th request for this fault it is, from 1."""
        self.connection: socket.socket = handler.connection
        self.drip_s = drip_s
        self.authorization = str(handler.headers.get("authorization"))

    def head(self, *, length: int | None = None, kind: str = "application/json") -> None:
        """Status 200 and headers; without a length the end of the connection ends the body."""
        handler = self._handler
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("content-type", kind)
        handler.send_header("connection", "close")
        if length is not None:
            handler.send_header("content-length", str(length))
        handler.end_headers()

    def write(self, *parts: bytes) -> None:
        """Send bytes at once."""
        for part in parts:
            self._handler.wfile.write(part)
        self._handler.wfile.flush()

    def answer(self, answer: Answer) -> None:
        """Send a whole answer."""
        handler = self._handler
        handler.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(answer.body)))
        handler.end_headers()
        handler.wfile.write(answer.body)

    def hang_up(self) -> None:
        """Close the connection without another byte."""
        self._handler.close_connection = True
        self.connection.close()

    def wait(self, seconds: float | None = None) -> bool:
        """Do nothing for a while; True when the server is being closed."""
        self._handler.close_connection = True
        return self._closing.wait(seconds)
