"""What was done so far of a landscape: one JSON line a program listed and a verdict given, so that a recording goes on where it stopped."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from regrapht.errors import ConfigError, SchemaError
from regrapht.records.candidate import Candidate
from regrapht.records.encoding import from_plain, parse_strict, to_plain
from regrapht.records.measurement import Yardstick
from regrapht.records.verdict import Level, Verdict
from regrapht.store.database import make_folder

Successors = Mapping[str, tuple[Candidate, ...]]
_OF_THE_TASK = "task"


class RecordingJournal:
    """An append-only file. Its first line says what was recorded; a last line cut short by a kill is dropped.

    Args:
        about: What must be the same for going on: task, evaluator, protocol, device, attempts.

    Raises:
        ConfigError: The file is another recording's, or no journal.
    """

    def __init__(self, path: Path, about: Mapping[str, object]) -> None:
        self.path = path
        self.yardstick: Yardstick | None = None
        self._successors: dict[str, Successors] = {}
        self._verdicts: dict[tuple[str, Level], Verdict] = {}
        make_folder(path.parent)
        whole = self._read(about) if path.exists() else 0
        self._file: IO[bytes] = open(path, "r+b" if path.exists() else "w+b")  # noqa: SIM115 - closed by `close`
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._append({"about": dict(about)})

    def close(self) -> None:
        """Close the file; it stays where it is."""
        self._file.close()

    def successors(self, program: str | None) -> Successors | None:
        """What was listed after a program, by its hash, or after the task; None when that was not done yet."""
        return self._successors.get(program or _OF_THE_TASK)

    def verdict(self, candidate_id: str, level: Level) -> Verdict | None:
        """The verdict of a candidate; None when there is none yet."""
        return self._verdicts.get((candidate_id, level))

    def add_yardstick(self, yardstick: Yardstick) -> None:
        self.yardstick = yardstick
        self._append({"yardstick": to_plain(yardstick)})

    def add_successors(self, program: str | None, successors: Successors) -> None:
        self._successors[program or _OF_THE_TASK] = successors
        made = {slug: to_plain(ways) for slug, ways in successors.items()}
        self._append({"of": program or _OF_THE_TASK, "successors": made})

    def add_verdict(self, verdict: Verdict) -> None:
        self._verdicts[verdict.candidate_id, verdict.level] = verdict
        self._append({"verdict": to_plain(verdict)})

    def _append(self, line: Mapping[str, object]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":"), allow_nan=False).encode() + b"\n")
        self._file.flush()

    def _read(self, about: Mapping[str, object]) -> int:
        """Take in the whole lines; how many bytes they are."""
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        try:
            for number, line in enumerate(lines):
                self._take_in(parse_strict(line), about, is_first=number == 0)
        except (SchemaError, KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{self.path} is not a recording that can be continued ({error}): delete it") from error
        return whole

    def _take_in(self, line: Any, about: Mapping[str, object], *, is_first: bool) -> None:
        if is_first:
            changed = sorted(key for key in about if line["about"].get(key) != about[key])
            if changed:
                raise ConfigError(
                    f"{self.path} is a recording with another {', '.join(changed)}: delete it, or choose another --out"
                )
        elif "yardstick" in line:
            self.yardstick = from_plain(Yardstick, line["yardstick"])
        elif "verdict" in line:
            verdict: Verdict = from_plain(Verdict, line["verdict"])
            self._verdicts[verdict.candidate_id, verdict.level] = verdict
        else:
            made = {slug: from_plain(tuple[Candidate, ...], ways) for slug, ways in line["successors"].items()}
            self._successors[line["of"]] = made
