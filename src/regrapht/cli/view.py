"""`regrapht view`: runs, their searches and experiments in a browser."""

from pathlib import Path
from typing import Annotated

import typer


def view_command(
    experiments: Annotated[
        list[Path] | None, typer.Argument(help="Experiments to show too: folders of `bench run`, or files of results.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0 takes a free one.")] = 8378,
    token: Annotated[
        str | None, typer.Option("--token", help="Token in the address; default: REGRAPHT_TOKEN, else a new one.")
    ] = None,
    graph: Annotated[Path | None, typer.Option("--graph", help="A reasoning graph; default: the shipped one.")] = None,
) -> None:
    """Browse runs, live and past, their searches, candidates and experiments: read only, on loopback, until interrupted."""
    import secrets

    from regrapht import settings
    from regrapht.view.library import Library
    from regrapht.view.listening import require_nicegui, run_view

    require_nicegui()
    library = Library(settings.home(), tuple(experiments or ()), graph)
    run_view(
        library,
        port=port,
        token=token or settings.serve_token() or secrets.token_urlsafe(24),
        say=lambda line: print(line, flush=True),
    )
