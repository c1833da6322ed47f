"""`// tune: NAME = 16 | 32 | 64`: the open parameters that a program's author declares, a person or a model.

NAME is defined once in the same file, by `#define NAME 16` or as a `const` or `constexpr` with a plain number. Its value there is where
tuning starts.
"""

import re
import time
from dataclasses import dataclass

from regrapht.records.candidate import Candidate, Origin
from regrapht.source.program_hash import program_hash
from regrapht.tune.opening import CannotOpen, DoesNotFit, OpenParameter, Setting, words

_MARK = re.compile(r"//[ \t]*tune[ \t]*:[ \t]*(?P<text>.*)$", re.MULTILINE)
_DECLARED = re.compile(r"(?P<name>[A-Za-z_]\w*)[ \t]*(?:=[ \t]*(?P<listed>.+)|in[ \t]*\{(?P<braced>[^{}]*)\})[ \t]*")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)\w*")
_DEFINED = (
    r"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+(?P<value>{number})[ \t]*(?:$|/[/*])",
    r"^[^/\n]*\b(?:const|constexpr)\b[^;{{}}()=\n]*\b{name}[ \t]*=[ \t]*(?P<value>{number})[ \t]*;",
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a parameter's value stands in the text."""

    begin: int
    end: int


def has_tune_lines(source: str) -> bool:
    """Whether the text declares an open parameter."""
    return _MARK.search(source) is not None


class LineOpening:
    """A program whose `// tune:` lines are open.

    Raises:
        CannotOpen: A line is wrong; says which, and what it should look like.
    """

    def __init__(self, candidate: Candidate) -> None:
        assert candidate.source is not None
        self._tuned, self._source = candidate, candidate.source
        self._places: dict[str, _Place] = {}
        self.parameters = tuple(self._read(mark) for mark in _MARK.finditer(self._source))

    def candidate(self, setting: Setting) -> Candidate:
        """As `Opening.candidate`; parameters that `setting` leaves out stay as they are."""
        started = time.perf_counter()
        source = self._source
        for name in sorted(setting, key=lambda each: self._places[each].begin, reverse=True):
            parameter = next(each for each in self.parameters if each.name == name)
            if setting[name] not in parameter.values:
                raise DoesNotFit(f"{name} has no value {setting[name]}")
            place = self._places[name]
            source = source[: place.begin] + setting[name] + source[place.end :]
        return Candidate(
            source=source,
            program_hash=program_hash(source),
            origin=Origin(proposer=self._tuned.origin.proposer, seconds=time.perf_counter() - started),
            parent=self._tuned.id,
            techniques=self._tuned.techniques,
            explanation=f"Tuned: {words(setting)}.",
        )

    def _read(self, mark: re.Match[str]) -> OpenParameter:
        line = self._source.count("\n", 0, mark.start()) + 1
        declared = _DECLARED.fullmatch(mark["text"].rstrip())
        if declared is None:
            raise CannotOpen(f"line {line}: '// tune: {mark['text']}' is not '// tune: NAME = 16 | 32 | 64'")
        name, listed = declared["name"], declared["listed"]
        values = [value.strip() for value in (listed.split("|") if listed else declared["braced"].split(","))]
        if wrong := [value for value in values if not _NUMBER.fullmatch(value)]:
            raise CannotOpen(f"line {line}: {wrong[0]!r} is not a number; write '// tune: {name} = 16 | 32 | 64'")
        if name in self._places:
            raise CannotOpen(f"line {line}: {name} has a '// tune:' line already")
        place = self._definition(name, line)
        self._places[name] = place
        start = self._source[place.begin : place.end]
        return OpenParameter(name=name, values=tuple(dict.fromkeys([start, *values])), start=start)

    def _definition(self, name: str, line: int) -> _Place:
        found = [
            _Place(match.start("value"), match.end("value"))
            for form in _DEFINED
            for match in re.finditer(form.format(name=name, number=_NUMBER.pattern), self._source, re.MULTILINE)
        ]
        if len(found) != 1:
            how_often = "is not defined" if not found else f"is defined {len(found)} times"
            raise CannotOpen(
                f"line {line}: {name} {how_often} as a plain number; have one '#define {name} 16' or 'constexpr int {name} = 16;'"
            )
        return found[0]
