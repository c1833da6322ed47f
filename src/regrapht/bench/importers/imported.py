"""What an import makes, and how it reaches the disk: a folder a task, never over a file that somebody changed by hand.

Comments at the head of `task.toml` and a README say to people where a task is from.

A folder gets its code, a README, `imported.json` with the hashes of what was written, and last of all `task.toml`. A killed import leaves
no half task, and the same command again goes on: what is there already, is as it was written and would be written the same, is left alone.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path

from regrapht.errors import ConfigError, SchemaError
from regrapht.store.blobs import write_atomically
from regrapht.tasks.load import TASK_FILE, load_task

RECORD = "imported.json"
SUMMARY = "import.json"


class Matter(StrEnum):
    """What a known defect of the source means for the imported task."""

    GONE = "gone"
    """It lies in the source's own driver or protocol, which an imported task does not use."""
    HANDLED = "handled"
    """It lies in the problem itself, and the import works around it: other inputs, another interface."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """One known fault of a problem as its source ships it."""

    finding: str
    matter: Matter
    answer: str
    """What the import does about it; empty where there is nothing to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTask:
    """One problem as a task, ready to be written."""

    id: str
    problem: str
    """Its name in the source."""
    files: dict[str, str]
    """File name -> text, `task.toml` among them."""
    labels: tuple[str, ...]
    notes: tuple[str, ...]
    """Plain sentences for people: what differs from the source."""
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotImported:
    """One problem that is no task, and why."""

    problem: str
    reason: str
    kind: str
    """A short name of the reason, to count by."""
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one checkout holds."""

    source: str
    checkout: str
    commit: str
    """The checked out commit, or `tree:` and a hash of the files that were read."""
    tasks: tuple[ImportedTask, ...]
    not_imported: tuple[NotImported, ...]
    remarks: tuple[str, ...] = ()
    """Of the source as a whole: what its own protocol gets wrong, and what the figures here are not."""


class Written(StrEnum):
    """What happened to one task's folder."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    """Changed by hand since it was imported, and so left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """A finished import."""

    found: Found
    out: Path
    written: dict[str, Written]
    verified: dict[str, str] | None = None
    """Task -> why its reference is not what the source computes, empty where it is; None where nobody compared."""
    earlier: tuple[str, ...]
    """Tasks of an earlier import of the same source that this one did not make; they are left where they are."""

    @property
    def reasons(self) -> dict[str, int]:
        """Kind of reason -> how many problems were not imported for it, the commonest first."""
        return dict(Counter(problem.kind for problem in self.found.not_imported).most_common())


def select(found: Found, only: Sequence[str]) -> Found:
    """The problems that `only` names; all of them without any.

    A name is how a problem's name or task id begins, such as `level1/1` or `level1_019_relu`, or else, in capitals or not, what its file is
    called: `19_ReLU`, `19_ReLU.py`, `19` or `ReLU`.

    Raises:
        ConfigError: A name matches nothing, or files of several problems are called so; the message lists these, or the nearest.
    """
    if not only:
        return found
    if not all(only):
        raise ConfigError("--only is empty: give a problem's name")
    chosen = {problem for wanted in only for problem in _called(wanted, (*found.tasks, *found.not_imported))}
    return replace(
        found,
        tasks=tuple(task for task in found.tasks if task.problem in chosen),
        not_imported=tuple(one for one in found.not_imported if one.problem in chosen),
    )


def _called(wanted: str, problems: Sequence[ImportedTask | NotImported]) -> list[str]:
    """The problems that one name of `--only` stands for."""
    # With its .py, a problem's name is the beginning of no other.
    whole = {
        one.problem: {f"{one.problem}.py", *([one.id] if isinstance(one, ImportedTask) else [])} for one in problems
    }
    if begin := [problem for problem, names in whole.items() if any(name.startswith(wanted) for name in names)]:
        return begin
    near: dict[str, str] = {}
    of_file: list[str] = []
    for problem, names in whole.items():
        file = problem.rpartition("/")[2].lower()
        number, _, title = file.partition("_")
        spelled = (file, f"{file}.py", title.strip("_"))
        if wanted.lower() in (*spelled, number):
            of_file.append(problem)
        for name in (*(name.lower() for name in names), *spelled):
            near.setdefault(name, problem)
    if len(of_file) > 1:
        raise ConfigError(
            f"--only {wanted}: several problems are called so; name one of them in full: {', '.join(of_file)}"
        )
    if not of_file:
        match = get_close_matches(wanted.lower(), near, n=1)
        hint = f"did you mean {near[match[0]]!r}?" if match else "without --only all are listed"
        raise ConfigError(f"--only {wanted}: no problem that was read from this checkout is called so; {hint}")
    return of_file


def write_import(
    found: Found, out: Path, *, force: bool = False, observer: Callable[[str, Written], None] | None = None
) -> Import:
    """Write every task of `found` below `out`, one folder each, then `import.json` with the account of it all.

    Each task is loaded once it is written: what `load_task` would refuse is our bug and raises here.

    Args:
        force: Write over what was changed by hand, too.

    Raises:
        ConfigError: `out` is a file, or holds the import of another source.
        StoreUnavailable: It cannot be written.
    """
    if out.exists() and not out.is_dir():
        raise ConfigError(f"--out {out}: there is a file of that name; name a folder")
    known = _earlier(out, found.source)
    _make_folder(out)
    written: dict[str, Written] = {}
    for task in found.tasks:
        written[task.id] = _write_task(task, found, out / task.id, force=force)
        if observer is not None:
            observer(task.id, written[task.id])
    earlier = tuple(sorted(id for id in known - set(written) if (out / id / TASK_FILE).is_file()))
    done = Import(found=found, out=out, written=written, earlier=earlier)
    keep_summary(done)
    return done


def keep_summary(done: Import) -> None:
    """Write `import.json`, in place of an earlier one."""
    write_atomically(done.out / SUMMARY, _json(summary(done)))


def summary(done: Import) -> dict[str, object]:
    """The account of an import as plain data: what `--json` prints and `import.json` holds."""
    found = done.found
    return {
        "source": found.source,
        "checkout": found.checkout,
        "commit": found.commit,
        "out": str(done.out),
        "tasks": [
            {
                "id": task.id,
                "problem": task.problem,
                "written": done.written[task.id].value,
                "labels": list(task.labels),
                "notes": list(task.notes),
                "defects": _plain(task.defects),
            }
            for task in found.tasks
        ],
        "not_imported": [
            {"problem": one.problem, "kind": one.kind, "reason": one.reason, "defects": _plain(one.defects)}
            for one in found.not_imported
        ],
        "reasons": done.reasons,
        "earlier": list(done.earlier),
        "verified": done.verified,
        "remarks": list(found.remarks),
    }


def checkout_commit(root: Path, read: Iterable[Path]) -> str:
    """The commit that `root` has checked out, else `tree:` and a hash of the files that were read. Runs no git."""
    head = root / ".git" / "HEAD"
    if head.is_file():
        named = head.read_text().strip()
        if not named.startswith("ref:"):
            return named
        branch = named.removeprefix("ref:").strip()
        loose, packed = root / ".git" / branch, root / ".git" / "packed-refs"
        if loose.is_file():
            return loose.read_text().strip()
        for line in packed.read_text().splitlines() if packed.is_file() else ():
            if line.endswith(f" {branch}"):
                return line.split()[0]
    digest = hashlib.sha256()
    for path in sorted(read):
        digest.update(f"{path.relative_to(root)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"tree:{digest.hexdigest()}"


def task_id(name: str) -> str:
    """A problem's name in the characters of a task id."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name.lower())
    return "_".join(part for part in kept.split("_") if part)[:64]


def hash_of(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _earlier(out: Path, source: str) -> set[str]:
    """Ids of the tasks that an earlier import of the same source left in `out`."""
    path = out / SUMMARY
    if not path.is_file():
        return set()
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        before, ids = str(read["source"]), {str(task["id"]) for task in read["tasks"]} | set(map(str, read["earlier"]))
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError(f"{path} is no account of an import: {error}; move it away, or name another --out") from error
    if before != source:
        raise ConfigError(f"--out {out} holds tasks imported from {before}: name a folder of its own for {source}")
    return ids


def _write_task(task: ImportedTask, found: Found, folder: Path, *, force: bool) -> Written:
    existed = (folder / TASK_FILE).is_file()
    recorded = _recorded(folder)
    present = {
        name: (folder / name).read_text(encoding="utf-8", errors="replace")
        for name in task.files
        if (folder / name).is_file()
    }
    changed = [
        name for name, text in present.items() if text != task.files[name] and hash_of(text) != recorded.get(name)
    ]
    if changed and not force:
        return Written.KEPT
    if existed and present == task.files and recorded == {name: hash_of(text) for name, text in task.files.items()}:
        return Written.UNCHANGED
    _make_folder(folder)
    record = {
        "source": found.source,
        "problem": task.problem,
        "commit": found.commit,
        "labels": list(task.labels),
        "defects": _plain(task.defects),
        "files": {name: hash_of(text) for name, text in task.files.items()},
    }
    for name, text in task.files.items():
        if name != TASK_FILE:
            write_atomically(folder / name, text.encode())
    write_atomically(folder / RECORD, _json(record))
    write_atomically(folder / TASK_FILE, task.files[TASK_FILE].encode())
    try:
        load_task(folder)
    except Exception:
        if not existed:
            (folder / TASK_FILE).unlink()  # a suite with a broken task is no suite
        raise
    return Written.UPDATED if existed else Written.NEW


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--out: the folder {folder} cannot be made: {error.strerror}") from error


def read_source(path: Path) -> str:
    """A text file of a checkout.

    Raises:
        SchemaError: It is no UTF-8 text, or cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(f"{path} cannot be read as text: {error}") from error


def _recorded(folder: Path) -> dict[str, str]:
    try:
        files = json.loads((folder / RECORD).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # no record: whatever is there was not written by an import
    return dict(files) if isinstance(files, dict) else {}


def _plain(defects: Sequence[Defect]) -> list[dict[str, str]]:
    return [{"finding": one.finding, "matter": one.matter.value, "answer": one.answer} for one in defects]


def _json(content: object) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def head_comments(origin: str, protocol: str, notes: Sequence[str], defects: Sequence[Defect]) -> str:
    """Lines of comment, each ended.

    Args:
        origin: Such as `ParEval problem 55_transform_relu`.
        protocol: What figures from the task are not.
    """
    lines = [f"{origin}, {protocol}.", *(f"Note: {note}." for note in notes)]
    lines += [f"Known defect ({one.matter}): {one.finding}." for one in defects]
    return "".join(f"# {line}\n" for line in lines)


def readme_text(origin: str, protocol: str, notes: Sequence[str], defects: Sequence[Defect]) -> str:
    """The README, with a table of the known defects."""
    lines = [f"# {origin}", "", f"Imported, {protocol}.", "", *(f"* {note[0].upper()}{note[1:]}." for note in notes)]
    if defects:
        lines += [
            "",
            "## Known defects of the source",
            "",
            "| finding | for this task | what the import does |",
            "|---|---|---|",
        ]
        lines += [f"| {one.finding} | {one.matter} | {one.answer or '-'} |" for one in defects]
    return "\n".join(lines) + "\n"
