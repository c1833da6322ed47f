"""A trajectory out of a model's reply: a JSON list of `{think, method, detail, code}`, or one fenced block of CUDA a step.

Reading is kind about the form (a list inside a block, inside an object, cut off, with a comma too many; keys by other names; headings
instead of labels) and strict about the contents: a step needs a whole program that defines the entry. Nothing here trusts the code.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regrapht.prompts.fences import Block, fenced, fenced_blocks
from regrapht.prompts.parse import extract_code
from regrapht.records.trajectory import Step
from regrapht.source.program_hash import program_hash

MAX_STEPS = 30
MAX_WORDS_CHARS = 20_000
MAX_REPLY_CHARS = 4_000_000
UNNAMED = "unnamed step"
_KEYS = {
    "think": ("think", "thought", "thoughts", "thinking", "reasoning", "rationale", "why"),
    "method": ("method", "technique", "optimization", "optimisation", "name", "title"),
    "detail": ("detail", "details", "change", "changes", "description", "what"),
    "code": ("code", "program", "source", "cuda", "kernel"),
}
_FIELD_OF = {name: field for field, names in _KEYS.items() for name in names}
_LABEL = re.compile(r"^[\s>#*_-]*(?P<name>[A-Za-z]+)[*_]*\s*:[*_]*\s*(?P<rest>.*)$")
_HEADING = re.compile(
    r"^\s*(?:#+\s*|\*\*)?(?:step\s*)?\d+\s*[.:)\-\u2013\u2014]\s*(?P<title>[^\n]*?)\**\s*$", re.IGNORECASE
)
_THOUGHT_ENDS = ("</think>", "</thinking>", "</reasoning>")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedReply:
    """The steps of a reply, and what was left out of it, a word a case."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()


def parse_trajectory(text: str, entry: str) -> ParsedReply:
    """The steps in a model's reply, up to the first that lacks a program which defines `entry`. Never raises.

    `notes` has `reply_too_long`, `no_steps`, `step_without_program`, `unchanged_program` (such a step is left out) and `too_many_steps`.
    """
    if len(text) > MAX_REPLY_CHARS:
        return ParsedReply(steps=(), notes=("reply_too_long",))
    answer = _after_thought(text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\0", "\ufffd"))
    raw = _from_json(answer) or _from_blocks(answer, entry)
    if not raw:
        return ParsedReply(steps=(), notes=("no_steps",))
    steps: list[Step] = []
    notes: list[str] = []
    before = None
    for fields in raw:
        if len(steps) == MAX_STEPS:
            notes.append("too_many_steps")
            break
        code = _program(fields.get("code", ""), entry)
        if code is None:
            notes.append("step_without_program")
            break
        if program_hash(code) == before:
            notes.append("unchanged_program")
            continue
        before = program_hash(code)
        steps.append(_step(fields, code))
    return ParsedReply(steps=tuple(steps), notes=tuple(notes))


def _program(text: str, entry: str) -> str | None:
    """The whole program in a step's code, which some models put into a block once more."""
    inside = extract_code(text, entry).code if "```" in text else None
    return inside or extract_code(fenced(text, "cuda"), entry).code


def _step(fields: dict[str, str], code: str) -> Step:
    words = {name: fields.get(name, "").strip()[:MAX_WORDS_CHARS] for name in ("think", "method", "detail")}
    method = " ".join(words["method"].strip("*_`#: ").split())[:200] or UNNAMED
    return Step(think=words["think"] or "No reason given.", method=method, detail=words["detail"] or method, code=code)


def _after_thought(text: str) -> str:
    low = text.lower() if text.isascii() else text
    end = max(low.rfind(tag) + len(tag) if tag in low else 0 for tag in _THOUGHT_ENDS)
    return text[end:] if text[end:].strip() else text


# ---- a JSON list


def _from_json(text: str) -> list[dict[str, str]]:
    """The objects of the first list of steps; empty where there is none."""
    inside = [block.text for block in fenced_blocks(text) if block.language in ("json", "") and "{" in block.text]
    for candidate in (*inside, text):
        start = re.search(r"\[\s*\{", candidate)
        if start is not None and (found := list(_objects(candidate, start.start() + 1))):
            return found
    return []


def _objects(text: str, place: int) -> Iterator[dict[str, str]]:
    """The objects from `place` on, one after another, until something else stands there: a list that breaks off keeps its beginning."""
    decoder = json.JSONDecoder(strict=False)
    while len(text) > place:
        place = len(text) - len(text[place:].lstrip(" \t\n,"))
        if not text.startswith("{", place):
            return
        try:
            plain, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        fields = _known_fields(plain)
        if "code" not in fields:
            return
        yield fields


def _known_fields(plain: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in plain.items():
        field = _FIELD_OF.get(key.strip().lower())
        if field is not None and field not in found and isinstance(value, str):
            found[field] = value
    return found


# ---- one fenced block a step


def _from_blocks(text: str, entry: str) -> list[dict[str, str]]:
    lines = text.split("\n")
    found, place = [], 0
    for block in fenced_blocks(text):
        if block.closed and _is_program(block, entry):
            found.append({**_words(lines[place : block.first_line]), "code": block.text})
            place = block.last_line + 1
    return found


def _is_program(block: Block, entry: str) -> bool:
    return extract_code(fenced(block.text, block.language), entry).code is not None and (
        "__global__" in block.text or "<<<" in block.text
    )


def _words(lines: list[str]) -> dict[str, str]:
    """What labels such as `Technique:` say; words without a label are the thought, and a numbered heading names the technique."""
    found: dict[str, list[str]] = {"think": []}
    current, heading = "think", ""
    for line in lines:
        label = _LABEL.match(line)
        field = _FIELD_OF.get(label["name"].lower()) if label is not None else None
        if label is not None and field is not None and field != "code":
            current = field
            found.setdefault(current, []).append(label["rest"])
        elif title := _HEADING.match(line):
            heading = title["title"]
        else:
            found.setdefault(current, []).append(line)
    words = {field: "\n".join(parts).strip() for field, parts in found.items()}
    if not words.get("method"):
        words["method"] = heading
    else:
        words["method"], _, rest = words["method"].partition("\n")
        words["detail"] = words.get("detail") or rest.strip()
    return words
