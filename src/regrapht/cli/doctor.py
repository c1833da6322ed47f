"""`regrapht doctor`: what this machine can do, tried for real."""

import json
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, Json


def doctor_command(
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the judge's own examination.")] = False,
    allow_root: AllowRoot = False,
) -> None:
    """Try compiler, sandbox, emulator, GPU, sanitizer, store and the judge itself, and say how to mend what is missing."""
    from regrapht.doctor import examine

    checks = []
    for check in examine(quick=quick, allow_root=allow_root):
        checks.append(check)
        if not as_json:
            mark = "ok     " if check.works else "MISSING" if check.needed else "absent "
            print(f"{mark} {check.name}: {check.detail}")
            if check.fix and not check.works:
                print(f"          to mend it: {check.fix}")
    healthy = all(check.works for check in checks if check.needed)
    if as_json:
        rows = [
            {"name": c.name, "works": c.works, "needed": c.needed, "detail": c.detail, "fix": c.fix} for c in checks
        ]
        print(json.dumps({"healthy": healthy, "checks": rows}))
    elif healthy:
        print("This machine can optimise and verify.")
    if not healthy:
        raise typer.Exit(3)
