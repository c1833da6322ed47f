"""The `regrapht` command: parse, call the public API, print. Each sub-command is one file that loads when it is used."""

import atexit
import errno
import gc
import json
import os
import sys
import threading
import traceback
from collections.abc import Mapping
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from regrapht.cli.commands import Commands
from regrapht.cli.interrupt import Interrupted, end_when_told, how_to_go_on
from regrapht.cli.notices import show_notices
from regrapht.errors import RegraphtError, UserFixable, as_plain
from regrapht.version import VERSION

EXIT_REFUSED, EXIT_USER, EXIT_UNAVAILABLE, EXIT_INTERRUPTED = 1, 2, 3, 130

_SPACE = "make room, or choose other folders with --out, REGRAPHT_HOME and REGRAPHT_CACHE"
_RIGHTS = "choose folders that can be written with --out, REGRAPHT_HOME and REGRAPHT_CACHE"
_OF_THE_MACHINE = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EFBIG: _SPACE,
    errno.EROFS: _RIGHTS,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EIO: "the disk fails",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENFILE: "this machine has too many files open",
    errno.ENOMEM: "this machine has no memory left",
}
"""What is no fault of ours nor of a file's contents, wherever it happens, with what helps."""

app = typer.Typer(
    name="regrapht",
    cls=Commands,
    help="Slow code to fast, verified CUDA.",
    epilog="Start with: regrapht doctor; regrapht optimize FILE.cpp. Each command has its own --help.",
    no_args_is_help=True,
    add_completion=True,  # `regrapht --install-completion`
    rich_markup_mode=None,  # boxes and colours would take the help twice as long
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"regrapht {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Slow code to fast, verified CUDA: a search over a reasoning graph of optimisation techniques, every step compiled and verified."""


def main() -> None:
    """Run the command line. Exit codes: 0 passed, 1 refused, 2 the user can mend it, 3 machine or service unavailable, 130 interrupted."""
    end_when_told()
    # What the process holds goes with it: a last search of it all for garbage takes a third of a second.
    atexit.register(gc.freeze)
    if "--json" not in sys.argv:
        show_notices()
    try:
        _run()
    finally:
        # A worker that waits for a model that hangs is not joined: all that counts is on the disk by now.
        workers = _workers() if threading.active_count() > 1 else []
        for thread in workers:
            thread.join(timeout=0.5)
        if any(thread.is_alive() for thread in workers):
            ended = sys.exc_info()[1]
            if ended is not None and not isinstance(ended, SystemExit):  # a fault of ours is to be seen here too
                traceback.print_exc()
            code = getattr(ended, "code", 0 if ended is None else 1)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code if isinstance(code, int) else 0)


def _workers() -> list[threading.Thread]:
    """The threads of runs that are still there."""
    from regrapht.records.run import WORKERS

    return [thread for thread in threading.enumerate() if thread.name.startswith(WORKERS)]


def _run() -> None:
    try:
        code = app(standalone_mode=False)
    except TyperException as error:  # a mistake in the words of a command
        if not _wants_json():
            error.show()  # type: ignore[attr-defined]
            sys.exit(EXIT_USER)
        _fail(
            {"kind": "UsageError", "message": error.format_message(), "remedy": "--help lists what it takes"}, EXIT_USER
        )
    except UserFixable as error:
        _fail(as_plain(error), EXIT_USER)
    except RegraphtError as error:
        _fail(as_plain(error), EXIT_UNAVAILABLE)
    except (Interrupted, KeyboardInterrupt):
        told = f"interrupted; go on with: {how_to_go_on()}"
        _fail({"kind": "Interrupted", "message": told, "remedy": how_to_go_on()}, EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_REFUSED)
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        remedy = _OF_THE_MACHINE[error.errno]
        message = f"{error.filename or 'a file'}: {error.strerror}: {remedy}"
        _fail({"kind": "Machine", "message": message, "remedy": remedy}, EXIT_UNAVAILABLE)
    except Exception as error:
        from regrapht.registry import plugin_fault

        if (fault := plugin_fault(error)) is not None:
            _fail(as_plain(fault), EXIT_USER)
        if _wants_json():
            print(json.dumps({"error": as_plain(error)}))
        raise
    else:
        if code == EXIT_INTERRUPTED:  # a command that ended by itself after Ctrl-C, and printed what it has
            print(f"interrupted; go on with: {how_to_go_on()}", file=sys.stderr)
        if isinstance(code, int) and code:
            sys.exit(code)


def _wants_json() -> bool:
    words = sys.argv[1 : sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
    return "--json" in words


def _fail(error: Mapping[str, str], code: int) -> NoReturn:
    """End with a line for a person, and where JSON was asked for an object for a program."""
    print(f"regrapht: {error['message']}", file=sys.stderr)
    if _wants_json():
        print(json.dumps({"error": dict(error)}))
    sys.exit(code)
