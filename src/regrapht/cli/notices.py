"""What takes a while and is not a candidate: told on stderr as it begins, so that nobody looks at a silent terminal.

The parts say so through `logging`, at level INFO, under `regrapht`. Nothing is shown to who uses them from Python and has not asked for it.
"""

import logging
import sys


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
