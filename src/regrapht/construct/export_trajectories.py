"""The corpus in chat form, for those who want to fine-tune a model on the same knowledge that the graph holds."""

import json
from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory, read_corpus
from regrapht.records.trajectory import Step

SYSTEM = (
    "You turn sequential C++ into fast CUDA, one optimisation technique at a time. In each answer give the reasoning, the technique, what "
    "changes in the code, and the complete program. The function's name and parameters stay; array pointers point to device memory."
)
NEXT = "Apply the next optimisation."


def export_trajectories(corpus: Path) -> str:
    """One line of JSON for each trajectory in a corpus folder: `messages` as role and content, with task, family, source and licence.

    All steps are exported as they are written, whether or not a verdict on them is on file.

    Raises:
        TaskError: The corpus is malformed.
    """
    return "".join(
        json.dumps(_conversation(item), sort_keys=True, ensure_ascii=False) + "\n" for item in read_corpus(corpus)
    )


def _conversation(item: CorpusTrajectory) -> dict[str, object]:
    task = item.task
    question = f"{task.description}\n\n{_fenced('cpp', task.reference.source.text)}\n\nThe CUDA program must define:\n{task.signature};"
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}]
    for index, step in enumerate(item.trajectory.steps):
        if index:
            messages.append({"role": "user", "content": NEXT})
        messages.append({"role": "assistant", "content": _answer(step)})
    return {
        "messages": messages,
        "task": task.id,
        "family": task.family,
        "trajectory": item.name,
        "source": item.trajectory.source,
        "licence": item.trajectory.licence,
    }


def _answer(step: Step) -> str:
    return f"{step.think}\n\nTechnique: {step.method}\n{step.detail}\n\n{_fenced('cuda', step.code)}"


def _fenced(language: str, code: str) -> str:
    """A fenced block whose fence is longer than any run of backticks in the code."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
