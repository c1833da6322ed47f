"""What became of functions, kept in a port's folder so that the same command goes on."""

import hashlib
import json
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError

STATE_FILE = "port.json"


class Kept:
    """What became of each function, by Clang's name of it.

    Args:
        folder: The port's.
        asked: What was asked for; another port's functions are not gone on with.
        force: Begin anew where the folder has another port.

    Raises:
        ConfigError: The file is damaged, or of another port.
    """

    def __init__(self, folder: Path, asked: list[str], *, force: bool) -> None:
        self.file = folder / STATE_FILE
        self.mark = hashlib.sha256("\0".join(asked).encode()).hexdigest()
        self.functions: dict[str, dict[str, Any]] = {}
        if not self.file.is_file() or self.file.stat().st_size == 0:
            return
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError(f"{self.file} is damaged; --force begins anew, --out writes elsewhere") from error
        if kept.get("asked") == self.mark:
            self.functions = dict(kept["functions"])
        elif not force:
            raise ConfigError(f"{folder} has a port of something else; --force begins anew, --out writes elsewhere")

    def of(self, usr: str, task: str) -> dict[str, Any]:
        """What is known of a function whose task has this hash."""
        known = self.functions.get(usr, {})
        return known if known.get("task") == task else {}

    def note(
        self, usr: str, task: str, *, run: str = "", left: str = "", taken: dict[str, object] | None = None
    ) -> None:
        """Keep what became of a function: its run, and why it was left or what was taken."""
        known = self.functions.get(usr, {})
        self.functions[usr] = {"task": task, "run": run or known.get("run", ""), "left": left, "taken": taken}
        text = json.dumps({"asked": self.mark, "functions": self.functions}, indent=1) + "\n"
        temporary = self.file.with_name(f".{self.file.name}.new")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(self.file)
