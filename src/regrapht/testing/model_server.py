"""A real HTTP server on loopback that speaks the OpenAI chat protocol, well or badly.

    with ModelServer(["```cuda\\n...\\n```"]) as server:
        endpoint = server.url            # good replies, in order, or from a function of the request
        broken = server.fault_url("drip")  # one of the 50 faults of `model_faults`

By hand: `python -m regrapht.testing.model_server replies.json` serves the replies of a file until it is interrupted.
"""

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from regrapht.testing.model_exchange import Answer, Exchange
from regrapht.testing.model_faults import (
    ANSWERS,
    BEHAVIOURS,
    DONE,
    FAULTS,
    completion,
    error,
    event,
    usage_event,
)

Request = dict[str, Any]
Replies = Sequence[str] | Callable[[Request], str]
_PIECE = 40  # characters in one event of a streamed reply


class ModelServer:
    """Serves from entering to leaving the context, one thread a connection.

    Args:
        replies: Texts given in order, an error 500 once they are used up; or a function from the request's JSON to the text.
        model: The name under which the good replies are offered; a request for another one gets a 404.
        drip_s: Pause between two bytes of the fault `drip`.
        owner: What the list of models says of who owns them.
        refuses: From a request to the status and message that it is refused with, or None.
    """

    def __init__(
        self,
        replies: Replies = (),
        *,
        model: str = "m",
        drip_s: float = 0.05,
        owner: str = "me",
        refuses: Callable[[Request], tuple[int, str] | None] = lambda request: None,
    ) -> None:
        self.model = model
        self.owner = owner
        self.refuses = refuses
        self.wants_key = False
        """Whether the list of models is refused, as by a server that wants another key."""
        self.drip_s = drip_s
        self.hits: Counter[str] = Counter()
        """Requests for completions by fault; those of `url` under `good`."""
        self.requests: list[Request] = []
        """The JSON of each request to `url`, in order."""
        self.headers: list[dict[str, str]] = []
        """The headers of every request, in order, names in lower case."""
        self.closing = threading.Event()
        self._replies = replies
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.model_server = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The base URL of the well-behaved model."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def fault_url(self, fault: str) -> str:
        """The base URL of one fault."""
        if fault not in FAULTS:
            raise ValueError(f"there is no fault {fault!r}; known: {', '.join(FAULTS)}")
        return f"http://127.0.0.1:{self._http.server_address[1]}/{fault}/v1"

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def count(self, fault: str) -> int:
        """Note one request and say the how many-th it is."""
        with self._lock:
            self.hits[fault] += 1
            return self.hits[fault]

    def note(self, headers: dict[str, str]) -> None:
        with self._lock:
            self.headers.append(headers)

    def reply(self, request: Request, number: int) -> str | None:
        """The text for the `number`-th request, from 1; None when the script is used up."""
        with self._lock:
            self.requests.append(request)
        if callable(self._replies):
            return self._replies(request)
        return self._replies[number - 1] if number <= len(self._replies) else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # a longer queue than workers: a client that finds it full waits a second
    model_server: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what the tests are about; anything else is shown."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    @property
    def owner(self) -> ModelServer:
        return self.server.model_server

    def _exchange(self, hit: int) -> Exchange:
        return Exchange(self, hit=hit, drip_s=self.owner.drip_s, closing=self.owner.closing)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: standard error belongs to the test."""

    def do_GET(self) -> None:
        self.owner.note({name.lower(): value for name, value in self.headers.items()})
        listed = {"id": self.owner.model, "object": "model", "owned_by": self.owner.owner}
        offered = json.dumps({"object": "list", "data": [listed]}).encode()
        exchange = self._exchange(0)
        if self.owner.wants_key:
            exchange.answer(Answer(status=401, body=error("no key")))
        elif self.path == "/v1/models":
            exchange.answer(Answer(body=offered))
        else:
            exchange.answer(Answer(status=404, body=error("not found")))

    def do_POST(self) -> None:
        self.owner.note({name.lower(): value for name, value in self.headers.items()})
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        fault, _, rest = self.path.lstrip("/").partition("/")
        with suppress(OSError):  # the client hung up
            if self.path == "/v1/chat/completions":
                self._good(body)
            elif rest == "v1/chat/completions" and fault in ANSWERS:
                self._exchange(self.owner.count(fault)).answer(ANSWERS[fault])
            elif rest == "v1/chat/completions" and fault in BEHAVIOURS:
                BEHAVIOURS[fault](self._exchange(self.owner.count(fault)))
            else:
                self._exchange(0).answer(Answer(status=404, body=error(f"not found: {self.path}")))

    def _good(self, body: bytes) -> None:
        request = json.loads(body)
        exchange = self._exchange(self.owner.count("good"))
        if request.get("model") != self.owner.model:
            exchange.answer(Answer(status=404, body=error(f"there is no model {request.get('model')}")))
            return
        text = self.owner.reply(request, exchange.hit)
        if (refusal := self.owner.refuses(request)) is not None:
            exchange.answer(Answer(status=refusal[0], body=error(refusal[1])))
            return
        if text is None:
            exchange.answer(Answer(status=500, body=error("the script has no more replies")))
            return
        asked = sum(len(message["content"]) for message in request["messages"])
        tokens = (asked // 4, len(text) // 4)
        if not request.get("stream"):
            exchange.answer(Answer(body=completion(text, model=self.owner.model, tokens=tokens)))
            return
        exchange.head(kind="text/event-stream")
        pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
        exchange.write(*(event(piece, model=self.owner.model) for piece in pieces))
        exchange.write(event("", finish="stop", model=self.owner.model))
        exchange.write(usage_event(tokens, model=self.owner.model), DONE)


def main(arguments: list[str]) -> int:
    """Serve the replies of a JSON file (a list of texts) until interrupted."""
    if len(arguments) != 1:
        print("usage: python -m regrapht.testing.model_server REPLIES.json", file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        replies = json.load(file)
    with ModelServer(replies) as server, suppress(KeyboardInterrupt):
        print(f"openai:{server.model}@{server.url}", flush=True)
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
