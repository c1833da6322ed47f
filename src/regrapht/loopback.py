"""Servers of this machine alone: the socket they listen on, which requests are strangers', and how they end.

`regrapht serve` and `regrapht view` stand on it; what each answers, and how a caller shows its token, is their own.
"""

import errno
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from regrapht.errors import ConfigError

_NAMES = ("127.0.0.1", "localhost", "[::1]")


def listen(port: int) -> socket.socket:
    """A socket that listens on 127.0.0.1; port 0 takes a free one.

    Raises:
        ConfigError: The port is taken, or not this user's to listen on.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be listened on: {error.strerror}"
        raise ConfigError(f"port {port} {why}; choose another with --port, 0 takes a free one") from error
    listener.listen(256)
    return listener


def hosts(port: int) -> frozenset[str]:
    """What a `Host` header may say of a server on this port."""
    return frozenset(f"{name}:{port}" for name in _NAMES)


def refusal(headers: Mapping[bytes, bytes], known: frozenset[str]) -> str | None:
    """Why a request is a stranger's; None where it names one of the known hosts and comes from no other site's page.

    A page elsewhere can have a browser ask for any address: `Host` tells names that were bent to this machine, `Origin` other sites.
    """
    if headers.get(b"host", b"").decode("latin-1") not in known:
        return "this server answers to its loopback address alone"
    origin = headers.get(b"origin")
    if origin is not None and origin.decode("latin-1").removeprefix("http://") not in known:
        return "pages of other sites are not answered"
    return None


def run(app: Any, listener: socket.socket, *, grace_s: int, **options: Any) -> None:
    """Serve an ASGI application until interrupted; what is being answered then has `grace_s` seconds. `options` are uvicorn's."""
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=grace_s, **options)
    with suppress(KeyboardInterrupt):  # Ctrl-C is how it ends
        uvicorn.Server(config).run(sockets=[listener])
