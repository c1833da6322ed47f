"""What a port keeps in its folder so that the same command goes on: what became of functions, and their tasks."""

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError
from regrapht.records.encoding import to_json
from regrapht.records.task import Task
from regrapht.store.blobs import write_atomically
from regrapht.tasks.write import HOME_FILE, task_toml

STATE_FILE = "port.json"


class Kept:
    """What became of each function, by Clang's name of it.

    Args:
        folder: The port's.
        asked: What was asked for; another port's functions are not gone on with.
        force: Begin anew where the folder has another port, or a damaged file.

    Raises:
        ConfigError: The file is damaged, or of another port.
    """

    def __init__(self, folder: Path, asked: list[str], *, force: bool) -> None:
        self.file = folder / STATE_FILE
        self.mark = hashlib.sha256("\0".join(asked).encode()).hexdigest()
        self.functions: dict[str, dict[str, Any]] = {}
        if not self.file.is_file() or self.file.stat().st_size == 0:
            return
        kept: Any = None
        with contextlib.suppress(ValueError):
            kept = json.loads(self.file.read_text(encoding="utf-8"))
        whole = _is_whole(kept)
        if whole and kept["asked"] == self.mark:
            self.functions = kept["functions"]
        elif not force:
            wrong = f"{folder} has a port of something else" if whole else f"{self.file} is damaged"
            raise ConfigError(f"{wrong}; --force begins anew, --out writes elsewhere")

    def of(self, usr: str, task: str) -> dict[str, Any]:
        """What is known of a function whose task has this hash."""
        known = self.functions.get(usr, {})
        return known if known.get("task") == task else {}

    def note(
        self, usr: str, task: str, *, run: str = "", left: str = "", taken: dict[str, object] | None = None
    ) -> None:
        """Keep what became of a function: its run, and why it was left or what was taken."""
        run = run or self.of(usr, task).get("run", "")
        self.functions[usr] = {"task": task, "run": run, "left": left, "taken": taken}
        text = json.dumps({"asked": self.mark, "functions": self.functions}, indent=1) + "\n"
        write_atomically(self.file, text.encode())


def _is_whole(kept: Any) -> bool:
    """Whether what was read is what `note` writes."""
    if (
        not isinstance(kept, dict)
        or not isinstance(kept.get("asked"), str)
        or not isinstance(kept.get("functions"), dict)
    ):
        return False
    return all(
        isinstance(one, dict) and one.keys() == {"task", "run", "left", "taken"} for one in kept["functions"].values()
    )


def written(task: Task, folder: Path) -> Path:
    """The task as a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "task.toml").write_text(task_toml(task), encoding="utf-8")
    (folder / task.reference.source.name).write_text(task.reference.source.text, encoding="utf-8")
    if task.home is not None:
        (folder / HOME_FILE).write_text(to_json(task.home) + "\n", encoding="utf-8")
    return folder
