"""Between the client package and the network: no call outlives its time, no answer outgrows its cap.

A read timeout starts anew with every byte, so a server that sends one byte at a time could hold a call for hours; a small compressed
answer can unfold to gigabytes. Both are stopped here, for good answers and for error pages alike, before the client package sees a byte.

Imported only where httpx2 (which the openai package brings) is installed.
"""

import socket
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any

import httpx2

from regrapht.llm.retry import Transient

MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_STREAM_BYTES = 24 * 1024 * 1024
"""An event stream spends some 250 bytes on a token: this is about 100,000 tokens."""
_SLICE_BYTES = 64 * 1024
_AUTO_DETECT = zlib.MAX_WBITS | 32


class Watchdog:
    """Cuts the connection of one call when its time is over."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.expired = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self.cut)
        self._timer.daemon = True

    def __enter__(self) -> "Watchdog":
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Take note of the socket. httpcore calls this with every step of a connection (its `trace` extension)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.expired:
                self.cut()

    def check(self) -> None:
        """Raise `Transient` when the time is over."""
        if self.expired:
            raise Transient(f"no complete answer within {self.seconds:.0f} s")

    def cut(self) -> None:
        """End the call now."""
        self.expired = True
        if self._socket is not None:
            with suppress(OSError):  # the other side may have closed it first
                # The plain socket's method: the one of an SSL socket would drop the state that a reading thread is using.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class GuardedTransport(httpx2.BaseTransport):
    """Reads the whole answer under a watchdog and a cap, and hands it on as plain bytes; `heard` is given them as they come."""

    def __init__(
        self, inner: httpx2.BaseTransport, *, watchdog: Watchdog, heard: Callable[[bytes], None] | None = None
    ) -> None:
        self._inner, self._watchdog, self._heard = inner, watchdog, heard

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.extensions = {**request.extensions, "trace": self._watchdog.trace}
        try:
            response = self._inner.handle_request(request)
            try:
                body = _read(response, self._heard)
            finally:
                response.close()
        except httpx2.TransportError:
            self._watchdog.check()
            raise
        self._watchdog.check()
        framing = {"content-encoding", "content-length", "transfer-encoding"}
        headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in framing]
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)


def _read(response: httpx2.Response, heard: Callable[[bytes], None] | None) -> bytes:
    """The decoded body.

    Raises:
        Transient: It is longer than the cap, or compressed in a way that was not asked for and is not known.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    chunks: Iterable[bytes] = response.iter_raw()
    if encoding in ("gzip", "x-gzip", "deflate"):
        chunks = _inflated(chunks)
    elif encoding not in ("identity", ""):
        raise Transient(f"the answer is compressed as {encoding[:20]!r}, which was not asked for")
    is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
    cap = MAX_STREAM_BYTES if is_stream else MAX_BODY_BYTES
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > cap:
            raise Transient(f"the answer is longer than {cap // 2**20} MiB")
        if heard is not None:
            heard(chunk)
    return bytes(body)


def _inflated(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Decompressed slices of at most `_SLICE_BYTES`, so that a cap on their sum holds for memory too."""
    decoder = zlib.decompressobj(_AUTO_DETECT)
    try:
        for chunk in chunks:
            yield decoder.decompress(chunk, _SLICE_BYTES)
            while decoder.unconsumed_tail and not decoder.eof:
                yield decoder.decompress(decoder.unconsumed_tail, _SLICE_BYTES)
    except zlib.error as error:
        raise Transient(f"the answer is damaged: {error}") from error
    if not decoder.eof:
        raise Transient("the compressed answer is cut off")
