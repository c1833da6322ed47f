"""A verdict with all that is needed to judge again elsewhere: the task, the program, and the draw that it was made with, which is spent."""

import hashlib
import re
from dataclasses import dataclass

from regrapht.records.task import Task
from regrapht.records.verdict import Verdict

FORMAT = "regrapht-published-verdict"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedVerdict:
    """What `regrapht check --verdict FILE` writes.

    The draw was made for this one judgement and is used for no other: who reads it learns nothing of what any program is judged with later.
    """

    task: Task
    source: str
    """The program's text."""
    verdict: Verdict
    """Its environment has the versions of all tools, its cases the shapes."""
    draw: str
    """128 bits in hexadecimal, from which all inputs, hidden shapes and orders of threads follow."""
    judge: str
    """SHA-256 of the judge's own code."""
    format: str = FORMAT
    schema_version: int = SCHEMA_VERSION

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise ValueError(f"the format is {self.format!r:.60}, not {FORMAT}")
        if self.schema_version != SCHEMA_VERSION:
            raise ValueError(f"schema {self.schema_version} is unknown; this regrapht reads {SCHEMA_VERSION}")
        if not re.fullmatch(r"[0-9a-f]{1,32}", self.draw):
            raise ValueError("the draw is not 128 bits in hexadecimal")
        if self.verdict.task_hash != self.task.content_hash:
            raise ValueError("the verdict is on another task than the one beside it")
        if self.verdict.candidate_id != hashlib.sha256(self.source.encode()).hexdigest():
            raise ValueError("the verdict is on another program than the one beside it")
