"""Verdicts to hand on: judged with a draw of their own that is published with them, judged again from their file, signed, verified."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regrapht.assemble import open_evaluator, open_task
from regrapht.errors import ConfigError, PrerequisiteMissing, SchemaError
from regrapht.evaluate.cached import judge_code
from regrapht.evaluate.inputs.drawing import new_secret
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.encoding import from_json, parse_strict, to_json
from regrapht.records.published import PublishedVerdict
from regrapht.records.task import Task
from regrapht.records.verdict import CaseResult, Level, Verdict
from regrapht.session.check import read_candidate
from regrapht.source.program_hash import program_hash
from regrapht.source.user_file import read_file
from regrapht.store.blobs import check_target, write_atomically

_MOST_BYTES = 64 * 2**20
_SIGNATURE = "regrapht-signature"
_SIGNED = b"regrapht verdict, signed\n"
_KEY_HELP = (
    "make one: openssl genpkey -algorithm ed25519 -out key.pem; openssl pkey -in key.pem -pubout -out public.pem"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A published verdict beside one made now from its file."""

    published: PublishedVerdict
    again: Verdict
    agrees: bool
    """The same status, and every comparison that both made passed or failed alike."""
    lines: tuple[str, ...]
    """What agrees and what differs, a sentence each."""


def judge_and_publish(
    task: Path, files: Sequence[Path], *, entry: str | None, evaluator: str | None, level: Level, allow_root: bool
) -> PublishedVerdict:
    """Judge with a new draw, which this spends: no verdict is remembered or taken from memory, and no kept bench data are used.

    Raises:
        UserFixable: The task, a file or an option is wrong, or the task reads files beside its own.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    opened = replace(open_task(task, entry=entry).task, folder=None)
    _require_whole(opened)
    candidate, _ = read_candidate(files)
    if candidate.source is None:
        raise ConfigError(f"there is no program to publish a verdict on: {candidate.reason}")
    draw = new_secret()
    verdict = _judged(opened, candidate, draw, evaluator=evaluator, level=level, allow_root=allow_root)
    return PublishedVerdict(task=opened, source=candidate.source, verdict=verdict, draw=f"{draw:x}", judge=judge_code())


def write_published(published: PublishedVerdict, path: Path) -> None:
    """Write the file in one step.

    Raises:
        ConfigError: The folder is not there, or what is there is no file.
        StoreUnavailable: It cannot be written, or the disk is full.
    """
    check_target(path)
    write_atomically(path, (to_json(published) + "\n").encode())


def read_published(path: Path) -> PublishedVerdict:
    """The verdict in a file of `check --verdict`.

    Raises:
        UserFixable: It is no such file, damaged, or does not fit together.
    """
    raw = read_file(path, limit=_MOST_BYTES)
    try:
        plain = parse_strict(raw)
        if isinstance(plain, dict) and "draw" not in plain and "status" in plain:
            raise SchemaError(
                "it has no draw to repeat: judge the program again with `regrapht check TASK FILE --verdict OUT`"
            )
        return from_json(PublishedVerdict, raw)
    except SchemaError as error:
        raise SchemaError(f"{path}: {error}") from error


def replay(path: Path, *, evaluator: str | None, allow_root: bool) -> Replay:
    """Judge the program in the file again, on this machine, with the same draw.

    Raises:
        UserFixable: The file is none, damaged, or its task is at fault.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    published = read_published(path)
    origin = Origin(proposer="file", seconds=0.0)
    candidate = Candidate(source=published.source, program_hash=program_hash(published.source), origin=origin)
    again = _judged(
        published.task,
        candidate,
        int(published.draw, 16),
        evaluator=evaluator,
        level=published.verdict.level,
        allow_root=allow_root,
    )
    differing, compared = _cases(published.verdict, again)
    agrees = again.status is published.verdict.status and not differing
    return Replay(
        published=published, again=again, agrees=agrees, lines=tuple(_lines(published, again, differing, compared))
    )


def sign(path: Path, key: Path) -> Path:
    """Write the Ed25519 signature of the file at `path` beside it, as `NAME.sig`. The file is any verdict of ours.

    Raises:
        UserFixable: The file is no verdict, the key is none, or the package `cryptography` is missing.
    """
    content = _verdict_bytes(path)
    private = _key(key, private=True)
    raw = _public_bytes(private.public_key())
    plain = {
        "format": _SIGNATURE,
        "algorithm": "ed25519",
        "public": base64.b64encode(raw).decode(),
        "signature": base64.b64encode(private.sign(_SIGNED + content)).decode(),
    }
    target = path.with_name(f"{path.name}.sig")
    write_atomically(target, (json.dumps(plain, sort_keys=True) + "\n").encode())
    return target


def verify(path: Path, public: Path) -> bool:
    """Whether `NAME.sig` beside the file is its signature by the key whose public half is in the file `public`.

    Raises:
        UserFixable: The file is no verdict, there is no signature, or the key is none.
    """
    from cryptography.exceptions import InvalidSignature

    content = _verdict_bytes(path)
    signature_file = path.with_name(f"{path.name}.sig")
    key = _key(public, private=False)
    try:
        plain = parse_strict(read_file(signature_file, limit=2**16))
        if not isinstance(plain, dict) or plain.get("format") != _SIGNATURE or plain.get("algorithm") != "ed25519":
            raise ValueError("it is not a signature that regrapht wrote")
        signature = base64.b64decode(str(plain["signature"]), validate=True)
    except (SchemaError, ValueError, KeyError) as error:
        raise SchemaError(f"{signature_file}: {error}") from error
    try:
        key.verify(signature, _SIGNED + content)
    except InvalidSignature:
        return False
    return True


def _judged(
    task: Task, candidate: Candidate, draw: int, *, evaluator: str | None, level: Level, allow_root: bool
) -> Verdict:
    judge = open_evaluator(evaluator, allow_root=allow_root, secret=draw)
    judge.prepare(task, None)
    return judge.evaluate(task, candidate, level=level)


def _require_whole(task: Task) -> None:
    """A stranger has the file alone."""
    reads = [f"the data of {arg.name}" for arg in task.args if arg.init is not None and arg.init.kind == "file"]
    reads += [f"headers in {Path(folder).name}/" for folder in task.reference.include]
    if reads:
        raise ConfigError(
            f"{task.id} reads {', '.join(reads)} beside its own text, which a published verdict cannot carry"
        )


def _cases(first: Verdict, second: Verdict) -> tuple[list[str], int]:
    """What differs between comparisons that both made, and how many those are."""
    known = {_place(case): case for case in first.cases}
    both = [(known[_place(case)], case) for case in second.cases if _place(case) in known]
    differing = [
        f"{case.output} at {_shape(case)} ({case.family} values): {_word(before)} then, {_word(case)} now"
        for before, case in both
        if before.passed != case.passed
    ]
    return differing, len(both)


def _place(case: CaseResult) -> tuple[object, ...]:
    return (*sorted(case.sizes.items()), case.family, case.hidden)


def _shape(case: CaseResult) -> str:
    return " ".join(f"{name}={value}" for name, value in case.sizes.items())


def _word(case: CaseResult) -> str:
    return "right" if case.passed else f"wrong in {case.mismatches}"


def _lines(published: PublishedVerdict, again: Verdict, differing: Sequence[str], compared: int) -> list[str]:
    before = published.verdict
    same = "agrees" if before.status is again.status else "DIFFERS"
    lines = [f"status {same}: {before.status.value} then, {again.status.value} now"]
    if differing:
        lines += [f"comparison DIFFERS: {one}" for one in differing]
    lines.append(
        f"{compared} comparisons at places of the {len(before.cases)} then were made, {compared - len(differing)} came out alike"
    )
    lines.append(_tool("judge", f"{before.evaluator} {published.judge[:12]}", f"{again.evaluator} {judge_code()[:12]}"))
    for word, get in (("device", lambda e: e.device), ("processor", lambda e: e.cpu)):
        lines.append(_tool(word, *(get(v.environment) if v.environment else "unknown" for v in (before, again))))
    tools = [v.environment.tools if v.environment else {} for v in (before, again)]
    lines += [_tool(name, *(tool.get(name, "none") for tool in tools)) for name in sorted({*tools[0], *tools[1]})]
    gone, new = (sorted(set(a.labels) - set(b.labels)) for a, b in ((before, again), (again, before)))
    lines += [f"label then alone: {label}" for label in gone] + [f"label now alone: {label}" for label in new]
    if before.timing is not None and again.timing is None:
        lines.append(f"times were not taken again: {again.no_timing}")
    elif before.timing is not None and again.timing is not None:
        lines.append(
            f"time then {before.time_us:.4g} us, now {again.time_us:.4g} us: another machine's or hour's, no part of agreeing"
        )
    return lines


def _tool(word: str, then: str, now: str) -> str:
    return f"{word} the same: {now}" if then == now else f"{word} another: {then} then, {now} now"


def _verdict_bytes(path: Path) -> bytes:
    """A file's bytes, if it is a verdict of ours: nothing else is signed."""
    raw = read_file(path, limit=_MOST_BYTES)
    try:
        plain = parse_strict(raw)
        from_json(PublishedVerdict if isinstance(plain, dict) and "draw" in plain else Verdict, raw)
    except SchemaError as error:
        raise SchemaError(f"{path} is not a verdict: {error}") from error
    return raw


def _key(path: Path, *, private: bool) -> Any:
    """The Ed25519 key in a PEM or OpenSSH file."""
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise PrerequisiteMissing("signing needs the package cryptography: pip install 'regrapht[sign]'") from error
    raw = read_file(path, limit=2**16)
    try:
        if private and raw.startswith(b"-----BEGIN OPENSSH"):
            key: Any = serialization.load_ssh_private_key(raw, password=None)
        elif private:
            key = serialization.load_pem_private_key(raw, password=None)
        elif raw.startswith(b"ssh-"):
            key = serialization.load_ssh_public_key(raw)
        else:
            key = serialization.load_pem_public_key(raw)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        what = "private" if private else "public"
        raise ConfigError(
            f"{path} is no {what} key that can be read (PEM or OpenSSH, without a passphrase); {_KEY_HELP}"
        ) from error
    if not isinstance(key, ed25519.Ed25519PrivateKey if private else ed25519.Ed25519PublicKey):
        raise ConfigError(f"{path} is not an Ed25519 key; {_KEY_HELP}")
    return key


def _public_bytes(key: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    raw: bytes = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return raw
