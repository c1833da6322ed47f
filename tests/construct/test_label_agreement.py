import json

import pytest

from regrapht.construct.label_agreement import NO_LABEL, agreement, blind_labels
from regrapht.errors import ModelRefused
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.llm.scripted import ScriptedModel
from regrapht.records.trajectory import Step


def step(method, detail="the loop's body stands four times"):
    return Step(think="why", method=method, detail=detail, code=f"int {method};\n")


def answers(*slugs):
    return tuple(json.dumps({"technique": slug}) for slug in slugs)


class Listening:
    """A scripted model that remembers what it was asked."""

    def __init__(self, *replies):
        self._model, self.asked = ScriptedModel(tuple(replies)), []
        self.name = self._model.name

    def complete(self, prompt, sampling, *, deadline_s=None):
        self.asked.append("\n".join(message.text for message in prompt.messages))
        return self._model.complete(prompt, sampling)


def test_agreement_beyond_chance_and_what_is_taken_for_what():
    first = ["loop_unrolling", "loop_unrolling", "map_2d", "map_2d", "early_exit"]
    second = ["loop_unrolling", "thread_coarsening", "map_2d", "map_2d", None]
    found = agreement(first, second)
    assert (found.steps, found.agreed, found.share) == (5, 3, 0.6)
    by_chance = (2 * 1 + 2 * 2) / 25
    assert found.kappa == pytest.approx((0.6 - by_chance) / (1 - by_chance))
    assert found.confused == {("early_exit", NO_LABEL): 1, ("loop_unrolling", "thread_coarsening"): 1}
    assert found.by_technique == {"loop_unrolling": (2, 1), "map_2d": (2, 2), "early_exit": (1, 0)}


def test_full_agreement_and_none():
    assert agreement(["a", "b"], ["a", "b"]).kappa == 1
    assert agreement(["a", "b"], ["b", "a"]).kappa == -1
    assert agreement(["a", "a"], ["a", "a"]).kappa is None  # chance alone would do
    with pytest.raises(ValueError, match="at least"):
        agreement([], [])


def test_a_model_labels_without_seeing_the_authors_name():
    steps = [step("sprinkling_of_dust"), step("another_name")]
    model = Listening(*answers("loop_unrolling", "map_2d"))
    found = blind_labels(steps, model, load_vocabulary())
    assert found.slugs == ("loop_unrolling", "map_2d")
    assert found.kinds == {"chosen": 2}
    for one, asked in zip(steps, model.asked, strict=True):
        said = asked.replace(one.code, "")  # the code is shown as it is
        assert one.method not in said and one.detail in said


def test_steps_of_one_name_are_asked_about_one_by_one():
    steps = [step("loop_unrolling"), step("loop_unrolling", detail="four outputs a thread")]
    found = blind_labels(steps, Listening(*answers("loop_unrolling", "thread_coarsening")), load_vocabulary())
    assert found.slugs == ("loop_unrolling", "thread_coarsening")


def test_what_cannot_be_read_is_no_label_and_is_counted():
    replies = ("no idea", *answers("no_such_thing", None), *answers("map_2d"))
    found = blind_labels([step(f"m{i}") for i in range(4)], Listening(*replies), load_vocabulary())
    assert found.slugs == (None, None, None, "map_2d")
    assert found.kinds == {"chosen": 1, "none": 1, "wrong: no JSON object": 1, "wrong: no such technique": 1}
    assert agreement(["map_2d"] * 4, found.slugs).confused == {("map_2d", NO_LABEL): 3}


def test_a_model_that_is_gone_is_no_label():
    with pytest.raises(ModelRefused):
        blind_labels([step("one")], Listening(), load_vocabulary())
