"""The 50 ways in which a model's endpoint can answer, good ones among them, each as bytes on the wire.

Served by `regrapht.testing.model_server` under `/<fault>/v1`.
"""

import json
import socket
import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from regrapht.testing.model_exchange import Answer, Exchange

CODE = "```cuda\n__global__ void k(){}\n```"
BOMB_BYTES = 200 * 1024 * 1024


def completion(
    text: str | None = CODE, *, finish: str | None = "stop", model: str = "m", tokens: tuple[int, int] | None = (1, 1)
) -> bytes:
    """A chat completion in the OpenAI format; None where it tells no tokens."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    return _completion([choice], model, tokens)


def _completion(choices: list[object], model: str = "m", tokens: tuple[int, int] | None = (1, 1)) -> bytes:
    if tokens is None:
        return json.dumps(
            {"id": "x", "object": "chat.completion", "created": 1, "model": model, "choices": choices}
        ).encode()
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    head = {"id": "x", "object": "chat.completion", "created": 1, "model": model}
    return json.dumps({**head, "choices": choices, "usage": usage}).encode()


def event(text: str, *, finish: str | None = None, model: str = "m") -> bytes:
    """One server-sent event of a streamed completion."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": model}
    return b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"


def usage_event(tokens: tuple[int, int], *, model: str = "m") -> bytes:
    """The last event of a stream whose usage was asked for."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": model}
    return b"data: " + json.dumps({**head, "choices": [], "usage": usage}).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def error(kind: str) -> bytes:
    """An error in the OpenAI format."""
    return json.dumps({"error": {"message": kind, "type": kind, "code": kind}}).encode()


def _message(finish: str = "stop", **message: object) -> bytes:
    """A completion whose message is of another form."""
    return _completion([{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}])


_HTML = {"content-type": "text/html"}
_CALL = {"id": "1", "type": "function", "function": {"name": "write", "arguments": json.dumps({"code": CODE})}}
ANSWERS: dict[str, Answer] = {
    "ok": Answer(body=completion()),
    "always429": Answer(status=429, body=error("rate_limit")),
    "retryafter_huge": Answer(status=429, body=error("rate_limit"), headers={"retry-after": "86400"}),
    "quota429": Answer(status=429, body=error("insufficient_quota")),
    "500": Answer(status=500, body=error("server")),
    "503html": Answer(status=503, body=b"<html>bad gateway</html>", headers=_HTML),
    "401": Answer(status=401, body=error("bad key")),
    "ctx400": Answer(status=400, body=error("context_length_exceeded")),
    "html200": Answer(body=b"<html>login</html>", headers=_HTML),
    "badjson": Answer(body=b'{"choices": ['),
    "nochoices": Answer(body=_completion([])),
    "nullcontent": Answer(body=completion(None)),
    "empty": Answer(body=completion("")),
    "length": Answer(body=completion("```cuda\n__global__ void k(){", finish="length")),
    "filter": Answer(body=completion("", finish="content_filter")),
    "refusal": Answer(body=completion("I'm sorry, I can't help with that.")),
    "no_usage": Answer(body=completion(tokens=None)),
    "usage_zero": Answer(body=completion(tokens=(0, 0))),
    "usage_negative": Answer(body=completion(tokens=(-7, -5))),
    "usage_huge": Answer(body=completion(tokens=(10**15, 10**15))),
    "503later": Answer(status=503, body=error("loading model"), headers={"retry-after": "2"}),
    "413": Answer(status=413, body=error("request too large")),
    "toolong422": Answer(status=422, body=error("`inputs` tokens + `max_new_tokens` must be <= 2048")),
    "402": Answer(status=402, body=error("payment required")),
    "nocontent204": Answer(status=204),
    "parts": Answer(body=_message(content=[{"type": "text", "text": CODE[:9]}, {"type": "text", "text": CODE[9:]}])),
    "tool_call": Answer(body=_message(content=None, tool_calls=[_CALL], finish="tool_calls")),
    "thought_alone": Answer(body=_message(content="", reasoning_content="Each thread ...", finish="length")),
    "sse_as_text": Answer(body=event(CODE, finish="stop") + DONE, headers={"content-type": "text/plain"}),
    "json_as_sse": Answer(body=completion(), headers={"content-type": "text/event-stream"}),
    "gzipgarbage": Answer(body=completion(), headers={"content-encoding": "gzip"}),
    "huge": Answer(body=b'{"pad":"' + b"a" * (9 * 2**20)),
    "redirect": Answer(status=307, headers={"location": "http://127.0.0.2:9/elsewhere"}),
}


def flaky429(exchange: "Exchange") -> None:
    """Two rate limits with Retry-After, then a good answer."""
    if exchange.hit <= 2:
        exchange.answer(Answer(status=429, body=error("rate_limit"), headers={"retry-after": "1"}))
    else:
        exchange.answer(ANSWERS["ok"])


def reset(exchange: "Exchange") -> None:
    """The connection is reset instead of answered."""
    linger_zero = struct.pack("ii", 1, 0)
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_zero)
    exchange.hang_up()


def not_http(exchange: "Exchange") -> None:
    """Bytes of another protocol."""
    exchange.write(b"\x00\x15\x03\x01SSH-2.0-OpenSSH\r\n\r\n")
    exchange.hang_up()


def closes_early(exchange: "Exchange") -> None:
    """The headers of a good answer, and then the end."""
    exchange.head(length=100)


def hang(exchange: "Exchange") -> None:
    """No answer until the server is closed."""
    exchange.wait()


def slow_headers(exchange: "Exchange") -> None:
    """A header that never ends, one byte at a time."""
    with suppress(OSError):  # the client hung up
        exchange.write(b"HTTP/1.1 200 OK\r\nx-slow: ")
        while not exchange.wait(exchange.drip_s):
            exchange.write(b"a")


def endless(exchange: "Exchange") -> None:
    """A reply without an end."""
    exchange.head(kind="text/event-stream")
    with suppress(OSError):
        while not exchange.wait(exchange.drip_s):
            exchange.write(event("float x; "))


def renamed(exchange: "Exchange") -> None:
    """The model that answers has another name each time."""
    exchange.answer(Answer(body=completion(model=f"m-{exchange.hit}", tokens=None)))


def echoed_key(exchange: "Exchange") -> None:
    """The key that was sent stands in the reply's text and code, and in the model's name."""
    key = exchange.authorization
    exchange.answer(
        Answer(body=completion(f"{key}\n```cuda\n// {key}\n__global__ void k(){{}}\n```", model=key, tokens=None))
    )


def drip(exchange: "Exchange") -> None:
    """A good answer, one byte at a time: defeats time limits that start anew with every byte."""
    body = completion()
    exchange.head(length=len(body))
    for byte in body:
        exchange.write(bytes([byte]))
        if exchange.wait(exchange.drip_s):
            break


def trunc_cl(exchange: "Exchange") -> None:
    """The body is cut after 60 bytes, and Content-Length says so."""
    body = completion()
    exchange.head(length=len(body))
    exchange.write(body[:60])


def trunc_nocl(exchange: "Exchange") -> None:
    """The body is cut after 60 bytes, without a length: looks complete."""
    exchange.head()
    exchange.write(completion()[:60])


def gzipbomb(exchange: "Exchange") -> None:
    """200 MiB of padding in 200 KB."""
    exchange.answer(Answer(body=_bomb(), headers={"content-encoding": "gzip"}))


@cache
def _bomb() -> bytes:
    """Packed piece by piece, so that the server itself stays small."""
    packer = zlib.compressobj(level=9, wbits=zlib.MAX_WBITS | 16)
    piece = b"a" * 2**20
    parts = [packer.compress(b'{"choices":[],"pad":"'), *(packer.compress(piece) for _ in range(BOMB_BYTES // 2**20))]
    return b"".join([*parts, packer.compress(b'"}'), packer.flush()])


def _stream(exchange: "Exchange", *rest: bytes) -> None:
    exchange.head(kind="text/event-stream")
    exchange.write(event("```cuda\n__global__"), *rest)


def sse_ok(exchange: "Exchange") -> None:
    """A complete stream."""
    _stream(exchange, event(" void k(){}\n```", finish="stop"), usage_event((5, 7)), DONE)


def sse_drop(exchange: "Exchange") -> None:
    """A stream that closes in the middle of the code."""
    _stream(exchange)


def sse_err(exchange: "Exchange") -> None:
    """An error event after some text."""
    _stream(exchange, b"data: " + error("overloaded") + b"\n\n")


def sse_stall(exchange: "Exchange") -> None:
    """Silence after some text."""
    _stream(exchange)
    exchange.wait()


BEHAVIOURS: dict[str, Callable[["Exchange"], None]] = {
    function.__name__: function
    for function in (
        flaky429,
        reset,
        not_http,
        closes_early,
        hang,
        slow_headers,
        endless,
        renamed,
        echoed_key,
        drip,
        trunc_cl,
        trunc_nocl,
        gzipbomb,
        sse_ok,
        sse_drop,
        sse_err,
        sse_stall,
    )
}
FAULTS = (*ANSWERS, *BEHAVIOURS)
