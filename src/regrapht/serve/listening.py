"""The HTTP server on its socket, from its start to the signal that ends it."""

from collections.abc import Callable

from regrapht import loopback
from regrapht.serve.address import announce, withdraw
from regrapht.serve.desk import Desk
from regrapht.serve.http_server import make_app


def run_http(desk: Desk, *, port: int, token: str, say: Callable[[str], None]) -> None:
    """Serve on 127.0.0.1 until interrupted; says address and token once it listens.

    Raises:
        ConfigError: The port is taken.
    """
    with loopback.listen(port) as listener:
        taken = listener.getsockname()[1]
        app = make_app(desk, token=token, port=taken)
        announce(port=taken, token=token)
        try:
            say(f"judge: {desk.judge_name}")
            say(f"serving http://127.0.0.1:{taken}/v1/tools and MCP at http://127.0.0.1:{taken}/mcp")
            say(f"token: {token}")
            loopback.run(app, listener, grace_s=3)
        finally:
            withdraw()
            desk.close()
