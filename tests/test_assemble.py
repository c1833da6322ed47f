"""What a search's name means for the prompts of a language model."""

import json

import pytest

from regrapht.assemble import open_evaluator, open_proposer
from regrapht.errors import ConfigError
from regrapht.graph.shipped import shipped_graph
from regrapht.records.measurement import Environment
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.run import Budget, RunOptions
from regrapht.search import SEARCHES
from regrapht.testing.synthetic import synthetic_task

GPU = Environment(device="NVIDIA H200", architecture="sm_90", cpu="c", tools={}, clocks={})


class Listener:
    """Keeps the prompts that a proposer sends."""

    def __init__(self, model):
        self.model, self.name, self.prompts = model, model.name, []

    def complete(self, prompt, sampling, *, deadline_s=None):
        self.prompts.append(prompt.messages[-1].text)
        return self.model.complete(prompt, sampling, deadline_s=deadline_s)


@pytest.mark.parametrize("search", SEARCHES.builtin)
def test_words_and_hardware_follow_the_search(tmp_path, search):
    replies = tmp_path / "replies.json"
    replies.write_text(json.dumps(["nothing"]))
    options = RunOptions(proposer="language_model", model=f"scripted:{replies}", search=search)
    proposer = open_proposer(options, graph=shipped_graph(), environment=GPU)
    proposer._model = listener = Listener(proposer._model)
    proposer.propose(synthetic_task(), Proposal(id=1, kind=ProposalKind.INITIAL))
    (text,) = listener.prompts
    assert ("NVIDIA H200" in text) == (search != "no-hardware")
    assert ("step by step" in text) == (search == "cot")
    assert ("State the idea" in text) == (search == "rethink-mcts")
    assert ("as little time as possible" in text) == (search == "fsr")


def test_a_replay_is_not_opened_by_name():
    with pytest.raises(ConfigError, match=r"recorded verdicts.* from Python .*ReplayEvaluator"):
        open_evaluator("replay")
    with pytest.raises(ConfigError, match=r"stored run.* from Python .*ReplayProposer"):
        open_proposer(RunOptions(proposer="replay"), graph=shipped_graph())


def test_a_limit_that_nothing_can_measure_is_refused():
    options = RunOptions(budget=Budget(candidates=3, usd=1.5))
    with pytest.raises(ConfigError, match="usd cannot be kept: no model is asked"):
        open_proposer(options, graph=shipped_graph())
