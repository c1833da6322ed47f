"""A real Chromium, driven over its DevTools protocol: pages are opened, scripts evaluated, screenshots taken."""

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


_LABELS = """(() => {
    const places = [...document.querySelectorAll("svg text")].map((label) => [label.textContent.trim(), label.getBoundingClientRect()]);
    return places.filter(([text, place]) => text && place.width).map(([text, r]) => [text, r.left, r.top, r.right, r.bottom]);
})()"""


class Browser:
    """One window. `errors` are what its pages' scripts threw or wrote to the console as an error."""

    def __init__(self, *, width: int = 1280, height: int = 900) -> None:
        from websockets.sync.client import connect

        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--remote-allow-origins=*",
            f"--user-data-dir={self._folder.name}", f"--window-size={width},{height}", "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = Path(self._folder.name) / "DevToolsActivePort"
        self._until(lambda: port_file.is_file() and port_file.read_text().strip(), 60)
        port = port_file.read_text().split()[0]
        pages = self._until(lambda: [p for p in _get(f"http://127.0.0.1:{port}/json") if p["type"] == "page"], 30)
        self._connection = connect(pages[0]["webSocketDebuggerUrl"], max_size=None, ping_interval=None)
        self._socket = self._connection.__enter__()
        self._ids = itertools.count(1)
        self.errors: list[str] = []
        self.resize(width, height)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self(f"{domain}.enable")

    def __call__(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=120))
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(message["params"]["exceptionDetails"])[:600])
            if message.get("method") == "Log.entryAdded":
                entry = message["params"]["entry"]
                if entry["level"] == "error" and entry["source"] != "network":  # a page that is not there answers 404
                    self.errors.append(json.dumps(entry)[:600])
            if message.get("method") == "Runtime.consoleAPICalled" and message["params"]["type"] in ("error", "assert"):
                self.errors.append(json.dumps(message["params"])[:600])
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    def resize(self, width: int, height: int) -> None:
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def open(self, url: str) -> None:
        self("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        result = self("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, condition: str, *, seconds: float = 60) -> None:
        """Until a script gives something true."""
        self._until(lambda: self.run(f"Boolean({condition})"), seconds)

    def text(self) -> str:
        return str(self.run("document.body.innerText"))

    def labels(self) -> list[tuple[str, float, float, float, float]]:
        """What is written in pictures: text, left, top, right and bottom edge in pixels."""
        return [(text, *edges) for text, *edges in self.run(_LABELS)]

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        self._connection.__exit__(None, None, None)
        self._process.terminate()
        self._process.wait(30)
        self._folder.cleanup()

    def _until(self, ready: Any, seconds: float) -> Any:
        end = time.monotonic() + seconds
        while not (found := ready()):
            assert time.monotonic() < end, f"not ready after {seconds} s"
            time.sleep(0.05)
        return found


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)
