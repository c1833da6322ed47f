import pytest

from regrapht.assemble import open_task
from regrapht.errors import CannotTransform
from regrapht.graph.shipped import shipped_graph
from regrapht.llm.scripted import ScriptedModel
from regrapht.propose.hybrid import HybridProposer
from regrapht.propose.language_model import LanguageModelSettings
from regrapht.propose.obstacle import obstacle
from regrapht.records.proposal import Proposal, ProposalKind

LEFT = """#include <cmath>
void odd(int n, const float* x, float* y) {
  for (int i = 0; i < n; ++i) { if (x[i] > 1e30f) goto out; y[i] = x[i]; }
out:;
}
"""
RIGHT = "void even(int n, const float* x, float* y) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n"
CODE = "```cuda\n__global__ void k(int n, const float* x, float* y) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }\n```\n"
WORDS = "What keeps a compiler from giving its loops to threads"


@pytest.fixture
def task_of(tmp_path):
    def made(text: str):
        file = tmp_path / "f.cpp"
        file.write_text(text)
        return open_task(file).task

    return made


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            CannotTransform(
                "the loop's turns depend on each other: turn 3 read what turn 2 had written in 'y[2]'", line=3
            ),
            "line 3 (`for (int i = 0; i < n; ++i) { if (x[i] > 1e30f) goto out; y[i] = x[i]; }`): the loop's turns depend on each other: "
            "turn 3 read what turn 2 had written in 'y[2]'",
        ),
        (
            CannotTransform(
                "a jump; and as it is written, line 3: the loop's turns depend on each other: nothing was observed of it",
                line=4,
            ),
            "line 4 (`out:;`): a jump",
        ),
        (CannotTransform("the loop's turns depend on each other: nothing was observed of it", line=3), ""),
        (CannotTransform("a type", line=99, remedy="scalars are taken"), "line 99: a type"),
        (CannotTransform("no loop"), "no loop"),
    ],
)
def test_what_is_told(error, told, task_of):
    assert obstacle(task_of(LEFT), error) == told


def asked(task, *proposals, **settings) -> list[str]:
    model = ScriptedModel((CODE,) * len(proposals))
    proposer = HybridProposer(model, graph=shipped_graph(), settings=LanguageModelSettings(**settings))
    return [proposer.propose(task, one).origin.prompt or "" for one in proposals]


def test_a_model_is_told_why_the_engine_has_no_program(task_of):
    task = task_of(LEFT)
    first, second = asked(task, *(Proposal(id=n + 1, kind=ProposalKind.INITIAL, attempt=n) for n in range(2)))
    for prompt in (first, second):
        line = prompt[prompt.index(WORDS) :].split("\n")[2]
        assert line.startswith("line ") and "goto out" in line


def test_nothing_is_told_where_the_engine_has_one(task_of):
    (prompt,) = asked(task_of(RIGHT), Proposal(id=2, kind=ProposalKind.INITIAL, attempt=1))
    assert prompt and WORDS not in prompt
