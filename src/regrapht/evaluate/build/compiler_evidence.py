"""The contract held against what a compiler itself made of a candidate: the headers that it opened, and its words after every macro.

`text_policy.py` reads the text as it is written. Here no spelling counts: the preprocessor's output says which files were included from the
candidate's own lines, by which names, and what those lines became.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from regrapht.evaluate.build.ambiguous_text import pragma_fault
from regrapht.evaluate.build.assembler_text import assembler_fault
from regrapht.evaluate.build.nvcc import SOURCE_NAME
from regrapht.evaluate.build.text_policy import Breach, check_calls, check_header
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import Task
from regrapht.records.verdict import Status
from regrapht.source.tokens import Token, TokenKind, tokens

_MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)$', re.MULTILINE)
_DIRECTIVE = re.compile(r"^#[ \t]*(\w+)[ \t]*(.*)$", re.MULTILINE)
_INCLUDED = re.compile(r'["<]([^">]*)[">]')
_FILES_OF_OURS = ("everything.h",)
LONGEST_WRITTEN_OUT = 2**20
"""Characters of a candidate once its macros are written out: a compiler takes seconds for more."""


@dataclass(frozen=True, slots=True)
class _Segment:
    """Lines of the candidate's own, from one marker to the next."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a preprocessor's output says."""

    own: list[_Segment]
    entered: list[tuple[int, str]]
    """Files that the candidate's own lines opened, with the line."""
    before: list[str]
    """Files that were opened before, by the compiler's own doing."""
    strange: tuple[int, str] | None
    """A name that the candidate's lines were given."""


def refuse_preprocessed(text: str, task: Task, *, ours: Iterable[str] = (), roots: Iterable[str] | None = None) -> None:
    """As `breach_in`.

    Raises:
        Rejected: POLICY_REJECTED, with the line of the candidate's own text.
    """
    if (breach := breach_in(text, task, ours=ours, roots=roots)) is not None:
        raise Rejected(breach.status, breach.message)


def breach_in(
    preprocessed: str, task: Task, *, ours: Iterable[str] = (), roots: Iterable[str] | None = None
) -> Breach | None:
    """The first breach of the contract that the preprocessor's output of a file `candidate.cu` shows, or None.

    Args:
        ours: Names that text of ours around the candidate's is under.
        roots: Folders of headers besides those that the compiler had opened before the candidate. None where the output has the names that
            the candidate's lines include (`-dI`): they are checked then.
    """
    own = SOURCE_NAME
    reading = _read(preprocessed, own, frozenset(ours))
    if reading.strange is not None:
        line, name = reading.strange
        return _refused(f"lines that call themselves {name!r:.80} are not judged", line)
    length = sum(len(segment.text) for segment in reading.own)
    if length > LONGEST_WRITTEN_OUT:
        message = (
            f"with its macros written out the code has {length} characters; at most {LONGEST_WRITTEN_OUT} are judged"
        )
        return Breach(status=Status.POLICY_REJECTED, message=message)
    folders = None if roots is None else (*roots, *_folders_of(reading.before, task))
    for line, path in reading.entered:
        if breach := _check_file(path, line, task, folders):
            return breach
    stream: list[Token] = []
    for segment in reading.own:
        words = _tokens_of(segment)
        if breach := _check_segment(segment, words, task):
            return breach
        stream += words
    assembler = assembler_fault(stream, told_apart=roots is not None)  # the emulator has no word for code of the device
    return None if assembler is None else _refused(assembler[1], assembler[0])


def own_lines(preprocessed: str) -> list[tuple[int, str]]:
    """What the preprocessor's output of a file `candidate.cu` has of its own lines: pieces, each with the line that it begins on."""
    return [(segment.line, segment.text) for segment in _read(preprocessed, SOURCE_NAME, frozenset()).own]


def _read(text: str, own: str, ours: frozenset[str]) -> _Reading:
    depth, name, line, start = 0, own, 1, 0
    reading = _Reading(own=[], entered=[], before=[], strange=None)
    strange: tuple[int, str] | None = None
    seen = False  # the candidate's first line
    for match in _MARKER.finditer(text):
        number, file, flags = int(match[1]), match[2], match[3].split()
        if depth == 0 and name == own:
            reading.own.append(_Segment(line, text[start : match.start()]))
        if "1" in flags:
            if depth == 0 and seen and name == own:
                reading.entered.append((line + text.count("\n", start, match.start()), file))
            else:
                reading.before.append(file)
            depth += 1
        elif "2" in flags:
            depth = max(0, depth - 1)
        if depth == 0:
            if seen and file != own and file not in ours and strange is None:
                strange = (line, file)
            if file == own and number > 0:
                seen = True
            name, line = (own, number) if file == own else (file, number)
        start = match.end() + 1
    if depth == 0 and name == own:
        reading.own.append(_Segment(line, text[start:]))
    return _Reading(own=reading.own, entered=reading.entered, before=reading.before, strange=strange)


def _folders_of(files: Iterable[str], task: Task) -> set[str]:
    """The folders in which the compiler itself found headers that candidates may include."""
    found = set()
    for file in files:
        for name in _names_of(file):
            if file.startswith("/") and check_header(name, 0, task) is None:
                found.add(file[: -len(name) - 1])
    return found


def _names_of(path: str) -> Iterator[str]:
    """By which names a file may have been included: its last part, its last two, and so on."""
    parts = PurePosixPath(path).parts
    for count in range(1, min(len(parts), 6)):
        yield "/".join(parts[-count:])


def _check_file(path: str, line: int, task: Task, folders: Iterable[str] | None) -> Breach | None:
    """Why a candidate may not include the file that it included, or None."""
    if folders is None:
        return None if path.startswith("/") else _refused(f"{path!r:.80} is a file of no folder of headers", line)
    below = [path[len(folder) + 1 :] for folder in folders if path.startswith(f"{folder}/")]
    if not below:
        return _refused(f"{PurePosixPath(path).name!r:.80} is a file of no folder of headers", line)
    if any(check_header(name, line, task) is None for name in below):
        return None
    return check_header(min(below, key=len), line, task)


def _tokens_of(segment: _Segment) -> list[Token]:
    """Without those of directives, on the lines of the candidate's text."""
    stream, directive = [], False
    for token in tokens(segment.text):
        if token.kind is TokenKind.DIRECTIVE:
            directive = True
        elif token.kind is TokenKind.DIRECTIVE_END:
            directive = False
        elif not directive:
            stream.append(Token(token.kind, token.text, segment.line + token.line - 1))
    return stream


def _check_segment(segment: _Segment, stream: list[Token], task: Task) -> Breach | None:
    words = segment.text
    for token in stream:
        if token.kind is TokenKind.STRAY and re.match(r'(?:u8|[uUL])?R"', token.text):
            return _refused("a raw string holds lines that look like the compiler's own", token.line)
    for match in _DIRECTIVE.finditer(words):
        line = segment.line + words.count("\n", 0, match.start())
        if match[1] in ("include", "include_next", "import", "embed"):
            if breach := _check_directive(match[1], match[2], line, task):
                return breach
        elif match[1] == "pragma" and (fault := pragma_fault(match[2])) and "pch_preprocess" not in match[2]:
            return _refused(fault, line)
    return check_calls(stream, task)


def _check_directive(word: str, rest: str, line: int, task: Task) -> Breach | None:
    named = _INCLUDED.match(rest)
    if named is not None and named[1] in _FILES_OF_OURS:
        return None
    if word != "include" or named is None:
        return _refused(f"#{word} is not allowed", line)
    return check_header(named[1], line, task)


def _refused(message: str, line: int) -> Breach:
    return Breach(status=Status.POLICY_REJECTED, message=f"line {line}: {message}, says the compiler", line=line)
