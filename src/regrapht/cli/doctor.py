"""`regrapht doctor`: what this machine can do, tried for real."""

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, Json


def doctor_command(
    as_json: Json = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Skip the examination of the judges, half a minute each.")
    ] = False,
    allow_root: AllowRoot = False,
) -> None:
    """Check compiler, sandbox, emulator, GPU, sanitizer, store and the judge itself, and say how to fix what is missing."""
    from regrapht.doctor import examine

    checks = []
    for check in examine(quick=quick, allow_root=allow_root, progress=_show if sys.stderr.isatty() else _hide):
        checks.append(check)
        if not as_json:
            mark = "ok     " if check.works else "MISSING" if check.needed else "absent "
            print(f"{mark} {check.name}: {check.detail}", flush=True)
            for finding in check.findings:
                print(f"          {finding}", flush=True)
            if check.fix and not check.works:
                print(f"          to mend it: {check.fix}", flush=True)
    healthy = all(check.works for check in checks if check.needed)
    if as_json:
        print(json.dumps({"healthy": healthy, "checks": [asdict(check) for check in checks]}))
    elif healthy:
        print("This machine can optimise and verify.")
    if not healthy:
        raise typer.Exit(3)


def _show(text: str) -> None:
    """On one line of the terminal, in place of the last one."""
    print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


def _hide(_: str) -> None:
    """Where nobody looks, the results are enough."""
