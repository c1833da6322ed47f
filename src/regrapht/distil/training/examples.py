"""Pairs as tokens, and batches of like lengths: what is learnt is the reply from where the product's own beginning ends."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.distil.pair import Pair

HELD_OUT_SHARE = 20
"""One task of so many is held out, with all of its pairs."""
END = "<|im_end|>"


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt and a reply as tokens."""

    ids: tuple[int, ...]
    given: int
    """Tokens at the beginning that are not learnt from: the prompt, and the reply's beginning."""
    pair: Pair

    @property
    def learnt(self) -> int:
        return len(self.ids) - self.given


def is_held_out(pair: Pair) -> bool:
    """Whether the pair's task is one that is kept for measuring; the same for all of its pairs."""
    return int(hashlib.sha256(pair.task_hash.encode()).hexdigest()[:8], 16) % HELD_OUT_SHARE == 0


def prompt_text(tokenizer: Any, pair: Pair) -> str:
    """The text that a model goes on with, by its own template, as `hf:` makes it at run time."""
    from regrapht.llm.hf import rendered

    return rendered(tokenizer, [("system", pair.system), ("user", pair.user)], pair.begin)


def example(tokenizer: Any, pair: Pair, reply: str) -> Example:
    """The tokens of one pair with a reply of it: prompt and rest are apart at run time, and so they are here."""
    first = tokenizer(prompt_text(tokenizer, pair), add_special_tokens=False)["input_ids"]
    rest = tokenizer(reply.removeprefix(pair.begin), add_special_tokens=False)["input_ids"]
    return Example((*first, *rest, end_token(tokenizer)), len(first), pair)


def end_token(tokenizer: Any) -> int:
    """What ends a reply: a chat's own end where the tokenizer has it."""
    turn = tokenizer.convert_tokens_to_ids(END)
    return int(turn if turn is not None and turn != tokenizer.unk_token_id else tokenizer.eos_token_id)


def batches(examples: Sequence[Example], *, tokens: int, seed: int) -> list[list[Example]]:
    """All examples once, those of like length together, each batch of at most `tokens` with its padding; in an order drawn by seed."""
    chance = random.Random(seed)
    order = sorted(examples, key=lambda one: (len(one.ids), chance.random()))
    made: list[list[Example]] = []
    for one in order:
        if made and len(one.ids) * (len(made[-1]) + 1) <= tokens:
            made[-1].append(one)
        else:
            made.append([one])
    chance.shuffle(made)
    return made


def tensors(batch: Sequence[Example], padding: int, device: str) -> tuple[Any, Any]:
    """Token ids padded at their ends, and labels, -100 where nothing is learnt. No mask: no token looks at what is behind it."""
    import torch

    longest = max(len(one.ids) for one in batch)
    ids = torch.full((len(batch), longest), padding, dtype=torch.long)
    labels = torch.full((len(batch), longest), -100, dtype=torch.long)
    for row, one in enumerate(batch):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
        labels[row, one.given : len(one.ids)] = torch.tensor(one.ids[one.given :])
    return ids.to(device), labels.to(device)
