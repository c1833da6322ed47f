"""The pages on a socket of loopback, from the start to the signal that ends it."""

from collections.abc import Callable
from typing import Any

from regrapht import loopback
from regrapht.errors import PrerequisiteMissing
from regrapht.view.door import Door
from regrapht.view.library import Library


def require_nicegui() -> None:
    """Say before any work what is missing.

    Raises:
        PrerequisiteMissing: NiceGUI is not installed.
    """
    try:
        import nicegui  # noqa: F401
    except ImportError as error:
        raise PrerequisiteMissing("the view needs NiceGUI: pip install 'regrapht[view]'") from error


def make_app(library: Library, *, token: str, port: int) -> Any:
    """The ASGI application behind its door. One a process: NiceGUI keeps its pages globally."""
    from fastapi import FastAPI
    from nicegui import ui

    from regrapht.view.pages import register

    app = FastAPI(openapi_url=None)
    register(library)
    ui.run_with(app, title="regrapht", dark=False, reconnect_timeout=10, show_welcome_message=False)
    return Door(app, token=token, port=port)


def run_view(library: Library, *, port: int, token: str, say: Callable[[str], None]) -> None:
    """Serve on 127.0.0.1 until interrupted; says the address once it listens.

    Raises:
        ConfigError: The port is taken.
    """
    with loopback.listen(port) as listener:
        taken = listener.getsockname()[1]
        app = make_app(library, token=token, port=taken)
        say(f"open http://127.0.0.1:{taken}/?token={token}")
        say("read only, on this machine alone; Ctrl-C ends it")
        try:
            loopback.run(app, listener, grace_s=2, ws="websockets-sansio")
        finally:
            library.close()
