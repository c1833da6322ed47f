"""A server on loopback that speaks as Ollama does: it lists models, shows one, and streams a chat as JSON lines."""

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Chat = dict[str, Any]


class OllamaServer:
    """Serves from entering to leaving the context.

    Args:
        models: What is listed, with the length of context that each was trained for.
        reply: From a request's JSON to the text of the reply; what a begun message is gone on with, where the last message is one.
    """

    def __init__(self, models: Mapping[str, int], reply: Callable[[Chat], str]) -> None:
        self.models, self.reply = models, reply
        self.requests: list[Chat] = []
        """The JSON of each chat, in order."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.ollama = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> "OllamaServer":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    @property
    def owner(self) -> OllamaServer:
        return self.server.ollama  # type: ignore[attr-defined]

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: standard error belongs to the test."""

    def do_GET(self) -> None:
        listed = [{"name": name, "model": name, "size": 1} for name in self.owner.models]
        self._answer(200, {"models": listed}) if self.path == "/api/tags" else self._answer(404, {"error": "not found"})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        name = request.get("model")
        if name not in self.owner.models:
            self._answer(404, {"error": f"model '{name}' not found"})
        elif self.path == "/api/show":
            self._answer(
                200, {"model_info": {"general.architecture": "tiny", "tiny.context_length": self.owner.models[name]}}
            )
        elif self.path == "/api/chat":
            self._chat(request)
        else:
            self._answer(404, {"error": "not found"})

    def _chat(self, request: Chat) -> None:
        self.owner.requests.append(request)
        text = self.owner.reply(request)
        pieces = [text[at : at + 20] for at in range(0, len(text), 20)]
        lines: list[dict[str, Any]] = [
            {"message": {"role": "assistant", "content": piece}, "done": False} for piece in pieces
        ]
        asked = sum(len(message["content"]) for message in request["messages"])
        counts = {"prompt_eval_count": asked // 4 + 1, "eval_count": len(text) // 4 + 1}
        lines.append(
            {"model": request["model"], "message": {"content": ""}, "done": True, "done_reason": "stop", **counts}
        )
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson")
        self.end_headers()
        self.wfile.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
