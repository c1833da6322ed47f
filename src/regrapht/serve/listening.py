"""The HTTP server on its socket, from its start to the signal that ends it."""

import errno
import socket
from collections.abc import Callable
from contextlib import suppress

from regrapht.errors import ConfigError
from regrapht.serve.address import announce, withdraw
from regrapht.serve.desk import Desk
from regrapht.serve.http_server import make_app


def run_http(desk: Desk, *, port: int, token: str, say: Callable[[str], None]) -> None:
    """Serve on 127.0.0.1 until interrupted; says address and token once it listens.

    Raises:
        ConfigError: The port is taken.
    """
    import uvicorn

    with _listening(port) as listener:
        taken = listener.getsockname()[1]
        server = uvicorn.Server(
            uvicorn.Config(make_app(desk, token=token, port=taken), log_level="warning", timeout_graceful_shutdown=3)
        )
        announce(port=taken, token=token)
        try:
            say(f"judge: {desk.judge_name}")
            say(f"serving http://127.0.0.1:{taken}/v1/tools and MCP at http://127.0.0.1:{taken}/mcp")
            say(f"token: {token}")
            with suppress(KeyboardInterrupt):  # Ctrl-C is how it ends
                server.run(sockets=[listener])
        finally:
            withdraw()
            desk.close()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(f"port {port} is taken; choose another with --port, 0 takes a free one") from error
        raise ConfigError(f"cannot listen on port {port}: {error.strerror}; choose another with --port") from error
    listener.listen(256)
    return listener
