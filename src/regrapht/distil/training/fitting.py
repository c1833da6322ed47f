"""The training itself: completions of verified pairs, loss on replies alone, kept every minute and gone on with after an interruption."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from regrapht.distil.families import draw
from regrapht.distil.pair import Pair
from regrapht.distil.training.examples import Example, batches, end_token, example, is_held_out, prompt_text
from regrapht.distil.training.memory import plan
from regrapht.distil.training.model_source import ModelSource
from regrapht.distil.training.pace import Pace, Say
from regrapht.distil.training.tuned_model import OPTIMIZER, Tuned, keep, kept_record, open_tuned
from regrapht.errors import ConfigError
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.skeleton import skeleton
from regrapht.records.task import Task

ADAPTER = "adapter"
KEEP_EVERY_S = 60.0
MEASURED_LOSSES = 64
"""Held-out pairs whose loss is measured."""
MEASURED_REPLIES = 12
LONGEST_REPLY = 400
"""Tokens of a reply that is written to see its form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a training goes."""

    epochs: int = 2
    steps: int | None = None
    """At most so many; None for all epochs."""
    minutes: float | None = None
    rate: float = 2e-4
    rank: int = 32
    batch_tokens: int = 8192
    """Of one pass, padding included."""
    passes: int = 4
    """Passes of one step."""
    longest: int = 4096
    """Tokens of a pair; longer ones are left out and counted."""
    measure_every: int = 40
    seed: int = 1
    gpu: bool | None = None
    """None for a GPU where there is one."""


def same_training(settings: Settings, data: str, source: ModelSource) -> dict[str, Any]:
    """What must not change for a training to be gone on with; steps and minutes may."""
    plain = asdict(settings)
    for free in ("steps", "minutes", "measure_every", "gpu"):
        plain.pop(free)
    return {**plain, "data": data, "model": source.name, "licence": source.licence}


def fit(
    source: ModelSource, pairs: Sequence[Pair], data: str, out: Path, settings: Settings, say: Say
) -> dict[str, Any]:
    """Train, and leave the adapter with its record in `out/adapter`; the record.

    Args:
        data: The hash of the pairs.
        say: Told every line of progress.

    Raises:
        ConfigError: The GPU is too small, the folder has another training, or no pair is left.
    """
    folder = out / ADAPTER
    before = kept_record(folder)
    same = same_training(settings, data, source)
    if before is not None and before["same"] != same:
        changed = ", ".join(key for key in same if before["same"].get(key) != same[key])
        raise ConfigError(
            f"{folder} is of another training ({changed} differ): go on with the same, or give another --out"
        )
    device = device_of(settings.gpu)
    first = plan_of(source, settings, device, say)
    tuned = open_tuned(
        source,
        rank=settings.rank,
        adapter=folder if before is not None else None,
        checkpointing=first.checkpointing,
        device=device,
        seed=settings.seed,
    )
    return _Fitting(tuned, pairs, settings, folder, before, same, first.batch_tokens, say).run()


def device_of(gpu: bool | None) -> str:
    import torch

    return "cuda" if (torch.cuda.is_available() if gpu is None else gpu) else "cpu"


def plan_of(source: ModelSource, settings: Settings, device: str, say: Say) -> Any:
    """How large a pass is; on a processor as asked for.

    Raises:
        ConfigError: The GPU is too small.
    """
    import torch

    free = torch.cuda.mem_get_info()[0] if device == "cuda" else 2**62
    found = plan(source, rank=settings.rank, tokens=settings.batch_tokens, longest=settings.longest, free_bytes=free)
    where = torch.cuda.get_device_name() if device == "cuda" else "the processor"
    kept = "activations made again" if found.checkpointing else "activations kept"
    say(f"on {where}: passes of {found.batch_tokens} tokens, {kept}, about {found.bytes / 2**30:.1f} GiB")
    return found


class _Fitting:
    def __init__(
        self,
        tuned: Tuned,
        pairs: Sequence[Pair],
        settings: Settings,
        folder: Path,
        before: dict[str, Any] | None,
        same: dict[str, Any],
        batch_tokens: int,
        say: Say,
    ) -> None:
        import torch

        self.tuned, self.settings, self.folder, self.say, self.same = tuned, settings, folder, say, same
        self.batch_tokens = batch_tokens
        self.learnt, self.held_out = tokenised(tuned, pairs, settings.longest, say)
        self.order = [
            batch
            for epoch in range(settings.epochs)
            for batch in batches(self.learnt, tokens=batch_tokens, seed=settings.seed + epoch)
        ]
        steps = -(-len(self.order) // settings.passes)
        self.steps = steps if settings.steps is None else min(steps, settings.steps)
        self.step = 0 if before is None else int(before["step"])
        self.history: list[dict[str, Any]] = [] if before is None else before["history"]
        self.tokens = 0 if before is None else int(before["tokens"])
        self.pace = Pace(self.steps, settings.minutes, spent_s=0.0 if before is None else before["seconds"])
        fused = {"fused": True} if tuned.device == "cuda" else {}
        self.optimizer = torch.optim.AdamW(
            tuned.trainable(), lr=settings.rate, betas=(0.9, 0.95), weight_decay=0.0, **fused
        )
        if before is not None:
            self.optimizer.load_state_dict(torch.load(folder / OPTIMIZER, weights_only=True))
            say(f"goes on after step {self.step} of {self.steps}")

    def run(self) -> dict[str, Any]:
        kept = time.monotonic()
        if self.step == 0:
            self._measure(form=True)
        try:
            while not self.pace.is_over(self.step):
                self._one_step()
                if self.step % self.settings.measure_every == 0 and not self.pace.is_over(self.step):
                    self._measure(form=False)
                if time.monotonic() - kept > KEEP_EVERY_S:
                    self._keep()
                    kept = time.monotonic()
        except KeyboardInterrupt:
            self.say(f"interrupted: kept after step {self.step}; the same command goes on")
            self._keep()
            raise
        self._keep()
        self._measure(form=True)
        self._keep()
        return self._record()

    def _one_step(self) -> None:
        """One change of the weights, over several passes."""
        import torch

        passes = self.settings.passes
        group = self.order[self.step * passes : (self.step + 1) * passes]
        total, started = sum(one.learnt for batch in group for one in batch), time.monotonic()
        rate = self.pace.rate(self.step, self.settings.rate)
        for one in self.optimizer.param_groups:
            one["lr"] = rate
        self.tuned.model.train()
        loss = 0.0
        for batch in group:
            scores, _ = self.tuned.scores(batch)
            part = -scores.sum() / total
            part.backward()
            loss += float(part.detach())
        torch.nn.utils.clip_grad_norm_(self.tuned.trainable(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        seen = sum(len(one.ids) for batch in group for one in batch)
        self.tokens += seen
        speed = seen / max(time.monotonic() - started, 1e-9)
        self.say(
            f"step {self.step} of {self.steps}: loss {loss:.3f}, rate {rate:.2e}, {speed:.0f} tokens a second, {self.pace.seconds:.0f} s"
        )

    def _measure(self, *, form: bool) -> None:
        """Loss on held-out tasks, and `form`, which takes as long as dozens of steps, of replies to them."""
        started = time.monotonic()
        loss, replies = held_out_loss(self.tuned, self.held_out, tokens=self.batch_tokens), None
        told = "no pair" if loss is None else f"loss {loss:.3f}"
        if form:
            replies = form_rate(self.tuned, self.held_out)
            told += (
                "; no reply to measure"
                if replies is None
                else f"; {replies['programs']} of {replies['replies']} replies are programs"
            )
        row = {"step": self.step, "held_out_loss": loss, "form": replies, "seconds": round(self.pace.seconds, 1)}
        self.history.append(row)
        self.say(f"held out, after step {self.step}: {told} ({time.monotonic() - started:.0f} s)")

    def _record(self) -> dict[str, Any]:
        return {
            "same": self.same,
            "step": self.step,
            "steps": self.steps,
            "tokens": self.tokens,
            "seconds": round(self.pace.seconds, 1),
            "pairs": len(self.learnt),
            "held_out": len(self.held_out),
            "history": self.history,
        }

    def _keep(self) -> None:
        keep(self.folder, self.tuned, self.optimizer, self._record())


def tokenised(tuned: Tuned, pairs: Sequence[Pair], longest: int, say: Say) -> tuple[list[Example], list[Example]]:
    """Examples to learn from, and those of held-out tasks.

    Raises:
        ConfigError: Nothing is left to learn from.
    """
    every = [example(tuned.tokenizer, pair, pair.reply) for pair in pairs]
    fits = [one for one in every if len(one.ids) <= longest and one.learnt > 1]
    learnt = [one for one in fits if not is_held_out(one.pair)]
    held_out = [one for one in fits if is_held_out(one.pair)]
    if not learnt:
        raise ConfigError(
            f"no pair is left to learn from: {len(every)} pairs, {len(every) - len(fits)} of them too long"
        )
    total = sum(len(one.ids) for one in learnt)
    say(
        f"{len(learnt)} pairs of {total} tokens, {sum(one.learnt for one in learnt)} of them learnt; {len(held_out)} held out; "
        f"{len(every) - len(fits)} longer than {longest} tokens left out"
    )
    return learnt, held_out


def held_out_loss(tuned: Tuned, held_out: Sequence[Example], *, tokens: int) -> float | None:
    """Mean loss of a learnt token over held-out pairs, in passes of so many tokens; None where there are none."""
    import torch

    tuned.model.eval()
    chosen = held_out[:MEASURED_LOSSES]
    if not chosen:
        return None
    with torch.no_grad():
        total = sum(-float(tuned.scores(batch)[0].sum()) for batch in batches(chosen, tokens=tokens, seed=0))
    return total / sum(one.learnt for one in chosen)


def form_rate(tuned: Tuned, held_out: Sequence[Example]) -> dict[str, int] | None:
    """Of greedy replies to held-out first programs, how many the product reads as a program with the entry; they are not judged."""
    asked: list[tuple[Pair, Task]] = []
    for one in held_out:
        task = _drawn_task(one.pair) if one.pair.kind == "initial" else None
        if task is not None and len(asked) < MEASURED_REPLIES:
            asked.append((one.pair, task))
    if not asked:
        return None
    tuned.model.eval()
    texts = [prompt_text(tuned.tokenizer, pair) for pair, _ in asked]
    replies = tuned.reply(texts, most=LONGEST_REPLY, end=end_token(tuned.tokenizer))
    right = 0
    for (pair, task), reply in zip(asked, replies, strict=True):
        read = read_reply(pair.begin + reply, task, parent=None, skeleton=skeleton(task), may_refuse=False, mends=True)
        right += read.code is not None
    return {"replies": len(asked), "programs": right}


def _drawn_task(pair: Pair) -> Task | None:
    """The task of a pair whose function was drawn, drawn again; None for others, and where the families have changed since."""
    kind, _, place = pair.origin.partition(" ")
    seed, _, number = place.partition("/")
    if kind != "drawn" or not (seed.lstrip("-").isdigit() and number.isdigit()):
        return None
    task = draw(int(seed), int(number)).task
    return task if task.content_hash == pair.task_hash else None
