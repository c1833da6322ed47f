"""How a stage ends early: the candidate failed in it, or it was not done."""

from regrapht.records.verdict import (
    Status,
)


class Rejected(Exception):
    """Ends a judgement: the candidate failed in the stage that is running."""

    def __init__(self, status: Status, reason: str, *, feedback: str = "", output: str = "") -> None:
        super().__init__(reason)
        self.status, self.reason, self.feedback, self.output = status, reason, feedback or reason, output


class NotDone(Exception):
    """A stage that was not done, for a reason such as `no_gpu`. The judgement goes on."""
