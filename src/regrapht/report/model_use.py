"""What a run asked of its model: requests, tokens, cost, and under which names the server answered."""

from collections.abc import Iterable

from regrapht.records.answers import ModelTold
from regrapht.records.candidate import Candidate
from regrapht.records.encoding import to_plain
from regrapht.records.proposal import Judged
from regrapht.records.run import Event


class ModelUse:
    """The sum over a run's candidates."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.requests = self.tokens = self.untold = self.begun = 0
        self.usd: float | None = None
        """None where no price is known."""
        self.served: list[str] = []
        """Names of models that the server answered with, in the order seen."""
        for event in events:
            if isinstance(event, Judged):
                self.add(event.candidate)

    def add(self, candidate: Candidate) -> None:
        """Count what one candidate took."""
        origin = candidate.origin
        if origin.usage is not None:
            self.tokens += origin.usage.total_tokens
            if origin.usage.cost_usd is not None:
                self.usd = (self.usd or 0.0) + origin.usage.cost_usd
        for request in origin.requests:
            attempts = request.get("attempts")
            self.requests += attempts if isinstance(attempts, int) else 1
            self.untold += request.get("usage", "told") != "told"
            self.begun += request.get("begun") is True
            served = request.get("served_model")
            if isinstance(served, str) and served not in self.served:
                self.served.append(served)

    def words(self) -> str:
        """In a line; empty where no model was asked."""
        if not self.requests:
            return ""
        about = "about " if self.untold else ""
        words = f"{self.requests} request{'s' * (self.requests > 1)}, {about}{self.tokens} tokens"
        if self.usd is not None:
            words += f", {about}{self.usd:.4f} USD"
        if self.untold:
            words += f" ({self.untold} estimated: the server told none, or none that can be)"
        return words + (f"; answered as {', '.join(self.served)}" if len(self.served) > 1 else "")

    def told(self) -> ModelTold:
        """For programs."""
        return ModelTold(
            requests=self.requests,
            tokens=self.tokens,
            tokens_estimated_in=self.untold,
            usd=self.usd,
            begun_replies=self.begun,
            answered_as=tuple(self.served),
        )

    def as_plain(self) -> dict[str, object]:
        """For `--json`."""
        plain: dict[str, object] = to_plain(self.told())
        return plain
