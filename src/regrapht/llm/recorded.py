"""Every completion kept in a file, and given again with the model off, byte for byte.

The file is JSON Lines: a head that names the model, then one line a completion. Requests are told apart by their hash; the n-th time that a
request is made, its n-th recorded completion is the answer, because samples at a temperature above 0 differ.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from regrapht.errors import ConfigError, ModelRefused, SchemaError
from regrapht.llm.client import LanguageModel, ModelAvailability, ModelOptions, request_hash
from regrapht.records.encoding import from_plain, parse_strict, to_json
from regrapht.records.prompt import Completion, Prompt, Sampling

VERSION = 1


class RecordingModel:
    """Another model, whose completions are written down as they come. Appends to a recording of the same model."""

    def __init__(self, model: LanguageModel, file: Path) -> None:
        self.name = model.name
        self._model = model
        self._lock = threading.Lock()
        try:
            if file.exists() and file.stat().st_size:
                recorded, _ = _read(file)
                if recorded != model.name:
                    raise ConfigError(
                        f"{file} is a recording of {recorded}, not of {model.name}: record to another file"
                    )
            else:
                file.write_text(to_json({"regrapht_recording": VERSION, "model": model.name}) + "\n", encoding="utf-8")
            self._lines = file.open("a", encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"cannot record to {file}: {error.strerror or error}") from error

    def availability(self) -> ModelAvailability:
        return self._model.availability()

    def can_begin_replies(self) -> bool | None:
        return self._model.can_begin_replies()

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """The model's reply, which is on disk when this returns."""
        completion = self._model.complete(prompt, sampling, deadline_s=deadline_s)
        with self._lock:
            self._lines.write(to_json(completion) + "\n")
            self._lines.flush()
        return completion

    def close(self) -> None:
        """Close the file and the model."""
        self._model.close()
        with self._lock:
            self._lines.close()


class RecordedModel:
    """A recording, standing in for its model under that model's name."""

    def __init__(self, name: str, completions: Iterable[Completion]) -> None:
        self.name = name
        self._completions: dict[str, list[Completion]] = defaultdict(list)
        for completion in completions:
            self._completions[completion.request_hash].append(completion)
        self._given: dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()

    def availability(self) -> ModelAvailability:
        return ModelAvailability(available=True)

    def can_begin_replies(self) -> bool | None:
        """None: a request is found again by what it asked, its beginning included, whatever became of that."""
        return None

    def close(self) -> None:
        """Nothing is held."""

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """The recorded completion, unchanged, its original seconds included; takes no time."""
        key = request_hash(self.name, prompt, sampling)
        with self._lock:
            sample = self._given[key]
            self._given[key] += 1
        known = self._completions.get(key, [])
        if sample >= len(known):
            raise ModelRefused(
                f"the recording of {self.name} holds {len(known)} replies to request {key:.12} and this is sample {sample + 1}: "
                "record it again with the model"
            )
        return known[sample]


def open_recording(rest: str, _options: ModelOptions) -> RecordedModel:
    """The model that `recorded:FILE` names.

    Raises:
        ConfigError: The file cannot be read.
        SchemaError: It is no recording, or damaged; the message names the line.
    """
    try:
        name, completions = _read(Path(rest))
    except OSError as error:
        raise ConfigError(f"recorded: cannot read {rest!r}: {error.strerror or error}") from error
    return RecordedModel(name, completions)


def _read(file: Path) -> tuple[str, list[Completion]]:
    lines = file.read_bytes().split(b"\n")
    try:
        head = parse_strict(lines[0])
    except SchemaError as error:
        raise SchemaError(f"{file} is no recording: {error}") from error
    if (
        not isinstance(head, dict)
        or head.get("regrapht_recording") != VERSION
        or not isinstance(head.get("model"), str)
    ):
        raise SchemaError(f"{file} is no recording that this regrapht reads (version {VERSION})")
    completions = []
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            try:
                completions.append(from_plain(Completion, parse_strict(line)))
            except SchemaError as error:
                raise SchemaError(f"{file}, line {number}: {error}; delete the line to use the others") from error
    return head["model"], completions
