"""What takes a while and is not a candidate: told on stderr as it begins, so that nobody looks at a silent terminal.

The parts say so through `logging`, at level INFO, under `regrapht`. Nothing is shown to who uses them from Python and has not asked for it.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class _OnStderr(logging.Handler):
    """Prints to what stderr is at that moment: a live table takes its place while it is drawn."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)


def show_notices() -> None:
    """Show notices from now on, once however often this is called."""
    logger = logging.getLogger("regrapht")
    logger.setLevel(logging.INFO)
    if not any(isinstance(handler, _OnStderr) for handler in logger.handlers):
        logger.addHandler(_OnStderr())


@contextmanager
def moving(what: str) -> Iterator[None]:
    """Something that moves beside `what` on a terminal, with the seconds that have passed, until it is left; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(what, total=None)
        yield
