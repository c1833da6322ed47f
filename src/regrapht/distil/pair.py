"""One pair: what a model is asked, the reply that the judge has accepted, and the hashes behind it; a pair a line of JSON.

A line is in chat form (`messages` with role and content), so that other tools can train on it too. `hash` is over everything else in the
line: a line whose verdict, reply or prompt was changed afterwards does not have its own hash any more and is left out when it is read.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError
from regrapht.records.prompt import Prompt
from regrapht.records.verdict import Verdict

SCHEMA = "regrapht.distil_pair/1"
PASSED = "PASSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the judge said of the program that a reply comes to; of a choice, of every program that it rests on."""

    status: str
    evaluator: str
    level: str
    protocol: str

    @classmethod
    def of(cls, verdict: Verdict) -> "Judgement":
        return cls(
            status=str(verdict.status),
            evaluator=verdict.evaluator,
            level=str(verdict.level),
            protocol=verdict.protocol,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A prompt with its reply."""

    kind: str
    """What is asked: `initial`, `apply`, `repair`, `improve` or `choose`."""
    system: str
    user: str
    reply: str
    """The whole reply, its beginning included."""
    begin: str = ""
    """The part of the reply that the product gives, where a server goes on with begun replies; nothing is learnt from it."""
    rejected: str = ""
    """Of a preference, another right reply whose program is slower."""
    task: str
    task_hash: str
    family: str
    technique: str = ""
    parent_hash: str = ""
    """SHA-256 of the program that is shown."""
    program_hash: str = ""
    """SHA-256 of the program that the reply comes to; of a choice, of the programs that it rests on."""
    verdict: Judgement
    feedback_status: str = ""
    """Of a repair, the status of the program that is shown."""
    fault: str = ""
    """Of a repair, what was planted."""
    gain: Mapping[str, object] = field(default_factory=dict)
    """How much faster, and whether that is `measured` (with the device) or `modelled`."""
    origin: str
    licence: str

    def line(self) -> str:
        """The pair as one line of JSON, without a line's end."""
        plain = self._plain()
        return json.dumps({**plain, "hash": _hash(plain)}, ensure_ascii=False, sort_keys=True)

    def _plain(self) -> dict[str, Any]:
        plain = asdict(self)
        texts = [("system", plain.pop("system")), ("user", plain.pop("user")), ("assistant", plain.pop("reply"))]
        plain["gain"] = dict(self.gain)
        plain["messages"] = [{"role": role, "content": text} for role, text in texts]
        return {"schema": SCHEMA, **{name: value for name, value in plain.items() if value not in ("", {})}}


def prompt_texts(prompt: Prompt) -> tuple[str, str]:
    """System and user message of a prompt of the product's."""
    system, user = prompt.messages
    return system.text, user.text


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """The pairs of a file, and why others were left out."""

    pairs: tuple[Pair, ...]
    left_out: Mapping[str, int]
    content_hash: str
    """SHA-256 of the hashes of the pairs, in order: names the data in results."""


def read_pairs(file: Path) -> ReadPairs:
    """The pairs of a file that are as they were written.

    Raises:
        ConfigError: There is no such file, or nothing in it can be used.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {file}: {error}; make it with `regrapht distil data`") from error
    pairs: list[Pair] = []
    left_out: Counter[str] = Counter()
    hashes = hashlib.sha256()
    for line in lines:
        found = _read(line)
        if isinstance(found, str):
            left_out[found] += 1
        else:
            pairs.append(found)
            hashes.update(line.encode())
    if not pairs:
        raise ConfigError(f"{file} holds no pair that can be used: {said(left_out) or 'it is empty'}")
    return ReadPairs(tuple(pairs), dict(left_out), hashes.hexdigest())


def said(counts: Mapping[str, int]) -> str:
    """Counts as words: `12 near-duplicate, 3 no licence`."""
    return ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items(), key=lambda item: -item[1]))


def _read(line: str) -> Pair | str:
    """A line's pair, or in a few words why it is left out."""
    try:
        plain = json.loads(line)
    except ValueError:
        return "no JSON"
    if not isinstance(plain, dict) or plain.pop("schema", None) != SCHEMA:
        return "of another form"
    if not str(plain.get("licence", "")).strip():
        return "without a licence"
    hashed = plain.pop("hash", None)
    if hashed != _hash({"schema": SCHEMA, **plain}):
        return "changed since they were judged"
    try:
        texts = {one["role"]: one["content"] for one in plain.pop("messages")}
        verdict = Judgement(**plain.pop("verdict"))
        pair = Pair(system=texts["system"], user=texts["user"], reply=texts["assistant"], verdict=verdict, **plain)
    except (KeyError, TypeError):
        return "of another form"
    return pair if verdict.status == PASSED else "not passed"


def _hash(plain: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
