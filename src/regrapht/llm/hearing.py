"""What a model is doing of one call, as its stream tells while it comes: how much of the prompt is read, how many tokens are written.

Every server that streams tells the second; llama.cpp tells the first where it is asked to (`PROGRESS`), and at the end how long both took.
Nothing here judges an answer: what has not the expected form is passed over, and read (or refused) as a whole afterwards.
"""

import json
from dataclasses import dataclass

PROGRESS = {"return_progress": True}
"""What llama.cpp's server wants to be told."""
_LONGEST_LINE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second that a server says it read and wrote with; None where it read or wrote too few to tell."""

    reading: float | None
    writing: float | None

    def before(self, earlier: "Speed | None") -> "Speed":
        """This, with what it does not tell from an earlier one."""
        if earlier is None:
            return self
        return Speed(self.reading or earlier.reading, self.writing or earlier.writing)


class Hearing:
    """One answer as it comes; written by the thread that receives, read by any."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._read: tuple[int, int] | None = None
        self._written = 0
        self.speed: Speed | None = None

    def take(self, chunk: bytes) -> None:
        """The next bytes of the answer."""
        *whole, rest = bytes(self._line + chunk).split(b"\n")
        self._line = bytearray(rest[:_LONGEST_LINE])
        for line in whole:
            self._event(line.removeprefix(b"data:"))

    def words(self) -> str:
        """What the model does, for a person; empty before anything came."""
        if self._written:
            return f"the model has written {self._written} tokens"
        if self._read is not None:
            return f"the model has read {self._read[0]} of {self._read[1]} tokens"
        return ""

    def _event(self, data: bytes) -> None:
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        read = event.get("prompt_progress")
        if isinstance(read, dict) and _are_counts(read, "processed", "total"):
            self._read = read["processed"], read["total"]
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        said = choice.get("delta", event.get("message"))  # the second is Ollama's
        self._written += isinstance(said, dict) and bool(said.get("content"))
        took = event.get("timings")
        if isinstance(took, dict) and _are_counts(took, "prompt_n", "predicted_n"):
            self.speed = Speed(_rate(took, "prompt", 64), _rate(took, "predicted", 16))


def _rate(took: dict[str, object], what: str, fewest: int) -> float | None:
    """Tokens a second; None of so few tokens that it says little."""
    tokens, milliseconds = took[f"{what}_n"], took.get(f"{what}_ms")
    if not isinstance(tokens, int) or tokens < fewest or not isinstance(milliseconds, int | float):
        return None
    return 1000.0 * tokens / milliseconds if milliseconds > 0 else None


def _are_counts(said: dict[str, object], *names: str) -> bool:
    return all(type(said.get(name)) is int for name in names)
