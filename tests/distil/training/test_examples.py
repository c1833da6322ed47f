"""Pairs as tokens: prompt and rest apart, loss on what is learnt alone, batches of like lengths."""

from dataclasses import replace

import pytest

from regrapht.distil.training.examples import batches, example, is_held_out

from ..test_pair import PAIR


class Letters:
    """A tokenizer of one token a letter, without a template."""

    chat_template = None
    eos_token_id, unk_token_id = 1, None

    def __call__(self, text: str, add_special_tokens: bool) -> dict[str, list[int]]:
        return {"input_ids": [ord(letter) for letter in text]}

    def convert_tokens_to_ids(self, token: str) -> int | None:
        return None


def test_what_the_product_gives_is_not_learnt():
    one = example(Letters(), PAIR, PAIR.reply)
    learnt = "".join(map(chr, one.ids[one.given : -1]))
    assert learnt == "int x;\n```" and one.ids[-1] == 1
    given = "".join(map(chr, one.ids[: one.given]))
    assert given.endswith(PAIR.begin) and PAIR.user in given and PAIR.system in given


def test_a_batch_holds_no_more_than_its_tokens_and_each_pair_is_in_one():
    every = [example(Letters(), replace(PAIR, user="x" * (7 * k)), PAIR.reply) for k in range(60)]
    made = batches(every, tokens=1500, seed=1)
    assert all(max(len(one.ids) for one in batch) * len(batch) <= 1500 or len(batch) == 1 for batch in made)
    assert sorted(id(one) for batch in made for one in batch) == sorted(map(id, every))
    padded = sum(max(len(one.ids) for one in batch) * len(batch) for batch in made)
    assert padded < 1.2 * sum(len(one.ids) for one in every)
    assert [[id(one) for one in batch] for batch in made] == [
        [id(one) for one in b] for b in batches(every, tokens=1500, seed=1)
    ]


def test_all_pairs_of_a_task_are_held_out_or_none():
    tasks = [replace(PAIR, task_hash=f"{k:064x}") for k in range(2000)]
    share = sum(map(is_held_out, tasks)) / len(tasks)
    assert 0.03 < share < 0.07
    assert all(is_held_out(one) == is_held_out(replace(one, kind="repair", user="other")) for one in tasks[:50])


def test_padding_changes_no_score(tmp_path):
    """A batch without a mask gives each reply the score that it has alone, and that transformers gives it."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("peft", reason="peft is not installed")
    from regrapht.distil.training.model_source import model_source
    from regrapht.distil.training.tuned_model import open_tuned

    from ...llm.tiny_hf import write_tiny_folder

    source = model_source(write_tiny_folder(tmp_path / "tiny", licence="mit"), accept_licence=False)
    tuned = open_tuned(source, rank=2, adapter=None, checkpointing=False, device="cpu", seed=1)
    batch = [example(tuned.tokenizer, replace(PAIR, user="u" * length), PAIR.reply) for length in (5, 90, 300)]
    with torch.no_grad():
        scores, rows = tuned.scores(batch)
        for row, one in enumerate(batch):
            alone, _ = tuned.scores([one])
            assert torch.allclose(scores[rows == row], alone, atol=1e-4)
            ids = torch.tensor([one.ids])
            labels = ids.clone()
            labels[0, : one.given] = -100
            assert float(tuned.model(input_ids=ids, labels=labels).loss) == pytest.approx(
                -float(alone.mean()), abs=1e-4
            )
