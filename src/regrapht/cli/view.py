"""`regrapht view`: runs, their searches and experiments in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import GraphFile, Port


def view_command(
    experiments: Annotated[
        list[Path] | None, typer.Argument(help="Experiments to show too: folders of `bench run`, or files of results.")
    ] = None,
    port: Port = 8378,
    token: Annotated[
        str | None, typer.Option("--token", help="Token in the address; default: REGRAPHT_TOKEN, else a new one.")
    ] = None,
    graph: GraphFile = None,
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
