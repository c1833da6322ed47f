"""Judge every candidate of a folder with an `EXPECTED.md`, and say which verdicts are not the wanted ones.

    python tests/attacks_as_expected.py FOLDER [--evaluator emulated] [--level full] [--only PART_OF_A_NAME]

The folder has `tasks/NAME/task.toml` and candidates; `EXPECTED.md` has a line for each:

    - attacks/name.cu (task): expect STATUS [STATUS ...]; **GPU** expect STATUS ...; whatever else

With the local_gpu judge the words behind **GPU** count where there are any. Exits with 1 when a verdict is another one, with 2 when there
is nothing to judge. It is no test: folders of this kind are kept outside of the repository; what they taught is in the tests.
"""

import argparse
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import RegraphtError
from regrapht.records.verdict import Level, Status
from regrapht.session.check import check_files

_LINE = re.compile(r"^- (?P<file>\S+\.cu) \((?P<task>[\w-]+)\): (?P<rest>.*)$", re.MULTILINE)
_STATUSES = re.compile(r"expect:? ((?:[A-Z_]+\b[ ,]*)+)")


@dataclass(frozen=True, kw_only=True)
class Expected:
    """One line of the table."""

    file: str
    task: str
    statuses: tuple[Status, ...]
    on_gpu: tuple[Status, ...]


def read_expected(text: str) -> list[Expected]:
    """The lines of an `EXPECTED.md`."""
    found = []
    for match in _LINE.finditer(text):
        here, _, gpu = match["rest"].partition("**GPU**")
        statuses = _statuses(here.partition("seen")[0])
        on_gpu = _statuses(gpu.partition("seen")[0])
        found.append(Expected(file=match["file"], task=match["task"], statuses=statuses, on_gpu=on_gpu or statuses))
    return found


def _statuses(text: str) -> tuple[Status, ...]:
    match = _STATUSES.search(text)
    return tuple(Status(word) for word in re.findall(r"[A-Z_]+", match[1])) if match else ()


def main() -> int:
    """Judge, print a line for each, and count the misses."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evaluator", default="emulated")
    parser.add_argument("--level", default="full", choices=[level.value for level in Level])
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    wanted = [one for one in read_expected((chosen.folder / "EXPECTED.md").read_text()) if chosen.only in one.file]
    if not wanted:
        print(f"{chosen.folder / 'EXPECTED.md'} has no line to judge", file=sys.stderr)
        return 2
    misses = 0
    for one in wanted:
        begun = time.monotonic()
        try:
            verdict = check_files(
                chosen.folder / "tasks" / one.task,
                [chosen.folder / one.file],
                entry=None,
                evaluator=chosen.evaluator,
                level=Level(chosen.level),
                allow_root=False,
            ).told
            status, reason = verdict.status.value, verdict.reason
            labels = " ".join(verdict.labels)
        except RegraphtError as error:
            status, reason, labels = type(error).__name__, str(error), ""
        expected = [each.value for each in (one.on_gpu if chosen.evaluator == "local_gpu" else one.statuses)]
        met = status in expected
        misses += not met
        seconds = time.monotonic() - begun
        print(
            f"{'ok  ' if met else 'MISS'} {one.file} ({one.task}): {status}, wanted {' or '.join(expected)}, {seconds:.0f} s"
        )
        if not met:
            print(f"       {reason[:200]}" + (f" [{labels}]" if labels else ""), flush=True)
    print(f"{len(wanted) - misses} of {len(wanted)} as wanted")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
