"""Preferences (DPO): of two right programs for one prompt, the one that was measured to be faster is made likelier than the other."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regrapht.distil.pair import Pair
from regrapht.distil.training.examples import Example, batches, example, is_held_out
from regrapht.distil.training.fitting import ADAPTER, Settings, device_of, plan_of
from regrapht.distil.training.model_source import ModelSource
from regrapht.distil.training.pace import Pace, Say
from regrapht.distil.training.tuned_model import Tuned, keep, kept_record, open_tuned
from regrapht.errors import ConfigError

PREFERRED = "preferred"
STRENGTH = 0.1
"""How far the tuned model may go from where it was: DPO's beta."""
ANCHOR = 0.2
"""Weight of the better reply's own loss, which keeps it likely and not only likelier."""
RATE_SHARE = 0.1
"""Of the rate of the first stage."""


def prefer(
    source: ModelSource, pairs: Sequence[Pair], data: str, out: Path, settings: Settings, say: Say
) -> dict[str, Any]:
    """Train the kept adapter on preferences, and leave the result in `out/preferred`; the record. A second call begins anew.

    Raises:
        ConfigError: There is no adapter yet, or no preference that fits.
    """
    if kept_record(out / ADAPTER) is None:
        raise ConfigError(f"{out} has no adapter yet: train without --preferences first")
    device = device_of(settings.gpu)
    first = plan_of(source, settings, device, say)
    tuned = open_tuned(
        source,
        rank=settings.rank,
        adapter=out / ADAPTER,
        checkpointing=first.checkpointing,
        device=device,
        seed=settings.seed,
    )
    return _Preferring(tuned, pairs, data, settings, out / PREFERRED, first.batch_tokens, say).run()


class _Preferring:
    def __init__(
        self, tuned: Tuned, pairs: Sequence[Pair], data: str, settings: Settings, folder: Path, tokens: int, say: Say
    ) -> None:
        import torch

        self.tuned, self.settings, self.folder, self.say, self.data = tuned, settings, folder, say, data
        better = [example(tuned.tokenizer, pair, pair.reply) for pair in pairs if pair.rejected]
        worse = {id(one.pair): example(tuned.tokenizer, one.pair, one.pair.rejected) for one in better}
        kept = [
            one
            for one in better
            if max(len(one.ids), len(worse[id(one.pair)].ids)) <= settings.longest and not is_held_out(one.pair)
        ]
        if not kept:
            raise ConfigError(
                f"no preference is left: of {len(pairs)} pairs {len(better)} have two replies, all too long or held out"
            )
        self.worse = worse
        self.order = [
            batch
            for epoch in range(settings.epochs)
            for batch in batches(kept, tokens=max(tokens // 2, 1), seed=settings.seed + epoch)
        ]
        steps = -(-len(self.order) // settings.passes)
        self.steps = steps if settings.steps is None else min(steps, settings.steps)
        self.pace, self.pairs = Pace(self.steps, settings.minutes), len(kept)
        self.history: list[dict[str, Any]] = []
        self.optimizer = torch.optim.AdamW(tuned.trainable(), lr=settings.rate * RATE_SHARE, weight_decay=0.0)
        say(f"{len(kept)} preferences in {self.steps} steps")

    def run(self) -> dict[str, Any]:
        references = self._references()
        step = 0
        while not self.pace.is_over(step):
            step = self._one_step(step, references)
        record = {
            "data": self.data,
            "settings": {**asdict(self.settings), "strength": STRENGTH, "anchor": ANCHOR},
            "step": step,
            "preferences": self.pairs,
            "seconds": round(self.pace.seconds, 1),
            "history": self.history,
        }
        keep(self.folder, self.tuned, self.optimizer, record)
        return record

    def _references(self) -> dict[int, tuple[float, float]]:
        """What the model says of both replies before anything is changed."""
        import torch

        self.tuned.model.eval()
        found: dict[int, tuple[float, float]] = {}
        with torch.no_grad():
            for batch in self.order[: self.steps * self.settings.passes]:
                if any(id(one.pair) not in found for one in batch):
                    both = zip(batch, *(self._sums(part).tolist() for part in self._both(batch)), strict=True)
                    found |= {id(one.pair): (first, second) for one, first, second in both}
        return found

    def _both(self, batch: Sequence[Example]) -> tuple[list[Example], list[Example]]:
        return list(batch), [self.worse[id(one.pair)] for one in batch]

    def _sums(self, batch: Sequence[Example]) -> Any:
        """The log-probability of each whole reply."""
        import torch

        scores, rows = self.tuned.scores(batch)
        return torch.zeros(len(batch), device=scores.device).index_add(0, rows, scores)

    def _one_step(self, step: int, references: dict[int, tuple[float, float]]) -> int:
        import torch
        import torch.nn.functional as F

        passes, started = self.settings.passes, time.monotonic()
        group = self.order[step * passes : (step + 1) * passes]
        count, loss, right = sum(map(len, group)), 0.0, 0
        for one in self.optimizer.param_groups:
            one["lr"] = self.pace.rate(step, self.settings.rate * RATE_SHARE)
        self.tuned.model.train()
        for batch in group:
            better, worse = self._both(batch)
            first, second = self._sums(better), self._sums(worse)
            known = torch.tensor([references[id(one.pair)] for one in batch], device=first.device)
            margin = STRENGTH * ((first - known[:, 0]) - (second - known[:, 1]))
            lengths = torch.tensor([float(one.learnt) for one in batch], device=first.device)
            part = (-F.logsigmoid(margin) - ANCHOR * first / lengths).sum() / count
            part.backward()
            loss, right = loss + float(part.detach()), right + int((margin > 0).sum())
        torch.nn.utils.clip_grad_norm_(self.tuned.trainable(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.history.append({"step": step + 1, "loss": loss, "preferred": right / count})
        self.say(
            f"step {step + 1} of {self.steps}: loss {loss:.3f}, {right} of {count} better replies are the likelier ones now, "
            f"{time.monotonic() - started:.1f} s"
        )
        return step + 1
