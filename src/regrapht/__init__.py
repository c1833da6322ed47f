"""regrapht: slow code to fast, verified CUDA.

The public names, imported when they are first used, so that `import regrapht` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from regrapht.version import VERSION

__version__ = VERSION

_HOME = {
    "Budget": "regrapht.records.run",
    "Candidate": "regrapht.records.candidate",
    "Evaluator": "regrapht.evaluate.evaluator",
    "Judged": "regrapht.records.proposal",
    "Level": "regrapht.records.verdict",
    "OptimizeSettings": "regrapht.optimize",
    "Outcome": "regrapht.optimize",
    "Proposal": "regrapht.records.proposal",
    "Proposer": "regrapht.propose.proposer",
    "RegraphtError": "regrapht.errors",
    "RunOptions": "regrapht.records.run",
    "RunStore": "regrapht.store.runs",
    "Search": "regrapht.search.search",
    "SearchContext": "regrapht.search.context",
    "Status": "regrapht.records.verdict",
    "Task": "regrapht.records.task",
    "TechniqueGraph": "regrapht.graph.technique_graph",
    "Verdict": "regrapht.records.verdict",
    "open_evaluator": "regrapht.assemble",
    "open_graph": "regrapht.assemble",
    "open_proposer": "regrapht.assemble",
    "open_search": "regrapht.assemble",
    "open_task": "regrapht.assemble",
}
__all__ = ["__version__", *sorted(_HOME)]

if TYPE_CHECKING:
    from regrapht.assemble import open_evaluator, open_graph, open_proposer, open_search, open_task
    from regrapht.errors import RegraphtError
    from regrapht.evaluate.evaluator import Evaluator
    from regrapht.graph.technique_graph import TechniqueGraph
    from regrapht.optimize import OptimizeSettings, Outcome
    from regrapht.propose.proposer import Proposer
    from regrapht.records.candidate import Candidate
    from regrapht.records.proposal import Judged, Proposal
    from regrapht.records.run import Budget, RunOptions
    from regrapht.records.task import Task
    from regrapht.records.verdict import Level, Status, Verdict
    from regrapht.search.context import SearchContext
    from regrapht.search.search import Search
    from regrapht.store.runs import RunStore


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'regrapht' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
