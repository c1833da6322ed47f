"""`regrapht verdict replay|sign|verify FILE`: verdicts that are handed on."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, EvaluatorName, Json

app = typer.Typer(help="Verdicts to hand on: replay, sign, verify.", no_args_is_help=True)
_File = Annotated[Path, typer.Argument(help="A file of `regrapht check TASK FILE --verdict FILE`.")]


@app.command("replay")
def replay_command(
    file: _File, evaluator: EvaluatorName = None, allow_root: AllowRoot = False, as_json: Json = False
) -> None:
    """Judge the program in the file again, with the same draw, and say what agrees and what differs.

    Exits with 0 when status and every repeated comparison agree, 1 when they do not, 2 when the file is damaged or no such file, 3 when
    this machine cannot judge it.
    """
    from regrapht.records.encoding import to_plain
    from regrapht.session.verdicts import replay

    done = replay(file, evaluator=evaluator, allow_root=allow_root)
    if as_json:
        print(json.dumps({"agrees": done.agrees, "lines": list(done.lines), "verdict": to_plain(done.again)}))
    else:
        print("\n".join((f"{file}: {'AGREES' if done.agrees else 'DIFFERS'}", *(f"  {line}" for line in done.lines))))
    if not done.agrees:
        raise typer.Exit(3 if done.again.status.value == "UNSUPPORTED" else 1)


@app.command("sign")
def sign_command(
    file: Annotated[
        Path, typer.Argument(help="A verdict: of `check --verdict`, or `verdict.json` of a result folder.")
    ],
    key: Annotated[Path, typer.Option("--key", help="Your private Ed25519 key, PEM or OpenSSH, without a passphrase.")],
    as_json: Json = False,
) -> None:
    """Write the signature of a verdict's file beside it, as FILE.sig."""
    from regrapht.session.verdicts import sign

    written = sign(file, key)
    print(json.dumps({"signature": str(written)}) if as_json else written)


@app.command("verify")
def verify_command(
    file: Annotated[Path, typer.Argument(help="A verdict with FILE.sig beside it.")],
    public: Annotated[Path, typer.Option("--public", help="The signer's public key, PEM or OpenSSH.")],
    as_json: Json = False,
) -> None:
    """See whether FILE.sig is the signature of the file by that key. Exits with 0 when it is, 1 when it is not."""
    from regrapht.session.verdicts import verify

    good = verify(file, public)
    if as_json:
        print(json.dumps({"file": str(file), "signed": good}))
    else:
        print(f"{file}: {'signed by this key' if good else 'NOT what this key signed'}")
    if not good:
        raise typer.Exit(1)
