"""regrapht: slow code to fast, verified CUDA.

The public names, imported when they are first used, so that `import regrapht` costs next to nothing.

    import regrapht as rg
    print(rg.optimize("f.cpp", budget=6))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from regrapht.version import VERSION

__version__ = VERSION

_HOME = {
    "AccountedSearch": "regrapht.search.accounting",
    "Budget": "regrapht.records.run",
    "Candidate": "regrapht.records.candidate",
    "Environment": "regrapht.records.measurement",
    "Evaluator": "regrapht.evaluate.evaluator",
    "Judged": "regrapht.records.proposal",
    "Level": "regrapht.records.verdict",
    "NoSource": "regrapht.records.candidate",
    "OptimizeSettings": "regrapht.loop",
    "Origin": "regrapht.records.candidate",
    "Outcome": "regrapht.loop",
    "Proposal": "regrapht.records.proposal",
    "ProposalKind": "regrapht.records.proposal",
    "Proposer": "regrapht.propose.proposer",
    "RegraphtError": "regrapht.errors",
    "Result": "regrapht.session.finish",
    "RunOptions": "regrapht.records.run",
    "RunStore": "regrapht.store.runs",
    "Search": "regrapht.search.search",
    "SearchContext": "regrapht.search.context",
    "Status": "regrapht.records.verdict",
    "Task": "regrapht.records.task",
    "TechniqueGraph": "regrapht.graph.technique_graph",
    "Transition": "regrapht.records.technique",
    "Verdict": "regrapht.records.verdict",
    "Wait": "regrapht.records.proposal",
    "Yardstick": "regrapht.records.measurement",
    "check": "regrapht.api",
    "examine": "regrapht.api",
    "judge": "regrapht.api",
    "open_evaluator": "regrapht.assemble",
    "open_graph": "regrapht.assemble",
    "open_proposer": "regrapht.assemble",
    "open_search": "regrapht.assemble",
    "open_task": "regrapht.assemble",
    "optimize": "regrapht.api",
    "program_hash": "regrapht.source.program_hash",
    "results": "regrapht.api",
    "run_search": "regrapht.loop",
}
__all__ = ["__version__", *sorted(_HOME)]

if TYPE_CHECKING:
    from regrapht.api import check as check
    from regrapht.api import examine as examine
    from regrapht.api import judge as judge
    from regrapht.api import optimize as optimize
    from regrapht.api import results as results
    from regrapht.assemble import open_evaluator as open_evaluator
    from regrapht.assemble import open_graph as open_graph
    from regrapht.assemble import open_proposer as open_proposer
    from regrapht.assemble import open_search as open_search
    from regrapht.assemble import open_task as open_task
    from regrapht.errors import RegraphtError as RegraphtError
    from regrapht.evaluate.evaluator import Evaluator as Evaluator
    from regrapht.graph.technique_graph import TechniqueGraph as TechniqueGraph
    from regrapht.loop import OptimizeSettings as OptimizeSettings
    from regrapht.loop import Outcome as Outcome
    from regrapht.loop import run_search as run_search
    from regrapht.propose.proposer import Proposer as Proposer
    from regrapht.records.candidate import Candidate as Candidate
    from regrapht.records.candidate import NoSource as NoSource
    from regrapht.records.candidate import Origin as Origin
    from regrapht.records.measurement import Environment as Environment
    from regrapht.records.measurement import Yardstick as Yardstick
    from regrapht.records.proposal import Judged as Judged
    from regrapht.records.proposal import Proposal as Proposal
    from regrapht.records.proposal import ProposalKind as ProposalKind
    from regrapht.records.proposal import Wait as Wait
    from regrapht.records.run import Budget as Budget
    from regrapht.records.run import RunOptions as RunOptions
    from regrapht.records.task import Task as Task
    from regrapht.records.technique import Transition as Transition
    from regrapht.records.verdict import Level as Level
    from regrapht.records.verdict import Status as Status
    from regrapht.records.verdict import Verdict as Verdict
    from regrapht.search.accounting import AccountedSearch as AccountedSearch
    from regrapht.search.context import SearchContext as SearchContext
    from regrapht.search.search import Search as Search
    from regrapht.session.finish import Result as Result
    from regrapht.source.program_hash import program_hash as program_hash
    from regrapht.store.runs import RunStore as RunStore


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'regrapht' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
