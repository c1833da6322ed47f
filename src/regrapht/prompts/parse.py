"""The program in a model's reply.

Asked for is one fenced block. Taken is the last complete block that defines the entry, one with CUDA in it before one without (models like
to quote the sequential code). A block that was never closed is a reply that was cut off, not code. Without any block, the whole reply
counts if all of it reads as a program. Nothing here runs or trusts the code: that is the judge's work.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from regrapht.prompts.fences import Block, fenced_blocks
from regrapht.prompts.wrapped_code import texts_in_elements, texts_in_json
from regrapht.source.tokens import Token, TokenKind, tokens

MAX_CODE_CHARS = 1_000_000
MAX_PROSE_CHARS = 2000
_DATA = {"json", "yaml", "yml", "toml", "xml", "html", "diff", "patch", "console", "output"}
_OTHER_LANGUAGES = {
    "bash",
    "sh",
    "shell",
    "zsh",
    "python",
    "py",
    "python3",
    "make",
    "makefile",
    "cmake",
    "ptx",
    "asm",
    "sass",
}
_NOT_CODE = _DATA | _OTHER_LANGUAGES
_CUDA = re.compile(r"__global__|<<<|\bcuda[A-Z_]|\bcublas|\bcub::|\bthrust::")
_CODE_LINE = re.compile(r"[;{}][ \t]*$|__global__", re.MULTILINE)
_DIFF = re.compile(r"^(?:--- \S|\+\+\+ \S|@@ -\d)", re.MULTILINE)
_FIRST_WORDS = {
    "extern",
    "template",
    "static",
    "using",
    "struct",
    "namespace",
    "constexpr",
    "const",
    "typedef",
    "inline",
    "void",
}
_THOUGHT_ENDS = ("</think>", "</thinking>", "</reasoning>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The code of a reply, or the reason for there being none; exactly one of the two."""

    code: str | None
    reason: str | None = None
    prose: str = ""
    """The reply's words around the code, shortened."""


def extract_code(text: str, entry: str) -> Extracted:
    """The program that defines `entry` in a model's reply `text`. Never raises; linear in the length of the text."""
    text = _cleaned(text)
    if not text.strip():
        return Extracted(code=None, reason="the reply is empty")
    thought, answer = _split_thought(text)
    found = _extract(answer, entry)
    if found.code is None and thought and "cut off" not in (found.reason or ""):
        in_thought = _extract(thought, entry)
        if in_thought.code is not None:
            return in_thought
    return found


def _extract(text: str, entry: str) -> Extracted:
    blocks = fenced_blocks(text)
    if blocks and not blocks[-1].closed and _CODE_LINE.search(blocks[-1].text):
        return Extracted(code=None, reason="the reply was cut off inside its block of code")
    usable = [
        block for block in blocks if block.closed and block.language not in _NOT_CODE and _defines(block.text, entry)
    ]
    if usable:
        best = max(usable, key=lambda block: (_CUDA.search(block.text) is not None, block.first_line))
        return _accepted(best.text, _prose(text, best))
    wrapped = _from_json(text, blocks, entry) or _from_element(text, entry)
    if wrapped is not None:
        return _accepted(wrapped, "")
    if not blocks and _is_program(text, entry):
        return _accepted(text, "")
    return Extracted(code=None, reason=_complaint(text, blocks, entry))


def _accepted(code: str, prose: str) -> Extracted:
    if len(code) > MAX_CODE_CHARS:
        return Extracted(code=None, reason=f"the program is longer than {MAX_CODE_CHARS} characters")
    return Extracted(code=code.strip("\n") + "\n", prose=prose)


def _complaint(text: str, blocks: tuple[Block, ...], entry: str) -> str:
    if any(block.language in ("diff", "patch") for block in blocks) or _DIFF.search(text):
        return "the reply is a diff, not a whole program"
    if any(entry in block.text for block in blocks):
        return f"no block of the reply defines the function {entry}, it is only named"
    if blocks:
        return f"no block of the reply defines the function {entry}"
    return "the reply has no block of code"


def _cleaned(text: str) -> str:
    """The text with plain line ends, without a byte order mark and without lone surrogates."""
    text = text.encode("utf-8", "replace").decode().removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _split_thought(text: str) -> tuple[str, str]:
    """What was written inside thinking tags, and the answer after the last of them. Many servers leave out the opening tag."""
    low = text.lower() if text.isascii() else text
    end = max(low.rfind(tag) + len(tag) if tag in low else 0 for tag in _THOUGHT_ENDS)
    return text[:end], text[end:]


def _defines(code: str, entry: str) -> bool:
    """Whether the code holds a definition `entry(...) {` outside comments and strings."""
    if entry not in code or len(code) > MAX_CODE_CHARS:
        return False
    return _defines_in(tokens(code), entry)


def _defines_in(stream: Iterable[Token], entry: str) -> bool:
    open_calls: list[bool] = []  # for each open parenthesis, whether it follows the entry's name
    before, after_parameters = "", False
    for token in stream:
        if token.kind in (TokenKind.DIRECTIVE, TokenKind.DIRECTIVE_END, TokenKind.BLANK):
            before = ""
            continue
        if after_parameters and token.text == "{":
            return True
        after_parameters = False
        if token.text == "(":
            open_calls.append(before == entry)
        elif token.text == ")" and open_calls:
            after_parameters = open_calls.pop()
        before = token.text
    return False


def _is_program(text: str, entry: str) -> bool:
    """Whether all of an unfenced text reads as one program: only tokens of C++, balanced, starting and ending like code."""
    if not _defines(text, entry):
        return False
    depth = 0
    first = last = None
    for token in tokens(text):
        if token.kind is TokenKind.STRAY:
            return False
        if first is None:
            first = token
        if token.kind is TokenKind.PUNCTUATION:
            depth += (token.text in "([{") - (token.text in ")]}")
            if depth < 0:
                return False
        if token.kind is not TokenKind.BLANK and token.kind is not TokenKind.DIRECTIVE_END:
            last = token
    if first is None or last is None or depth != 0:
        return False
    starts = first.kind is TokenKind.DIRECTIVE or first.text in _FIRST_WORDS or first.text.startswith("__")
    return starts and last.text in ("}", ";", "endif")


def _from_json(text: str, blocks: tuple[Block, ...], entry: str) -> str | None:
    """The last text that defines the entry inside a JSON value: of a `json` block, or of the reply."""
    candidates = [text, *(block.text for block in blocks if block.closed and block.language in ("json", ""))]
    for value in texts_in_json(reversed(candidates)):
        if entry in value:
            code = _cleaned(value)
            inner = [block.text for block in fenced_blocks(code) if block.closed]
            for part in reversed(inner or [code]):
                if _defines(part, entry):
                    return part
    return None


def _from_element(text: str, entry: str) -> str | None:
    """The contents of an element or listing that defines the entry."""
    for inside in texts_in_elements(text):
        if "```" not in inside and _defines(inside, entry):
            return inside
    return None


def _prose(text: str, block: Block) -> str:
    """The words outside the block."""
    lines = text.split("\n")
    around = [*islice(lines, block.first_line), *islice(lines, block.last_line + 1, None)]
    return "\n".join(line.rstrip() for line in around).strip()[:MAX_PROSE_CHARS]
