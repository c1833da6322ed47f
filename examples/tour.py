"""The whole flow on a laptop without GPU, model or key: run `python examples/tour.py`."""

import tempfile
from pathlib import Path

import regrapht
from regrapht.records.run import Asked

task = regrapht.open_task(Path(__file__).parent / "matrix_product").task
print(f"1. the task:      {task.title}; right is what {task.reference.source.name} computes\n   {task.signature}")

graph = regrapht.open_graph(None)
print(
    f"2. the knowledge: {len(graph.techniques)} techniques, {len(graph.transitions)} transitions, learnt from verified trajectories"
)

with tempfile.TemporaryDirectory() as home:
    judge = regrapht.open_evaluator("emulated", cache_folder=Path(home))
    writer = regrapht.open_proposer("transform", graph=graph)
    scale = judge.prepare(task, writer.plain(task))
    print(
        f"3. the judge:     {judge.name} on {judge.environment().device}; speed is {scale.scale.value}, never called a time"
    )

    context = regrapht.SearchContext(
        task_id=task.id,
        family=task.family,
        graph=graph,
        yardstick=scale,
        budget=regrapht.Budget(candidates=4),
        seed=1,
        proposer=writer.name,
        device=judge.environment().architecture,
        applicable=lambda candidate, transition: writer.applicable(task, candidate, transition),
    )

    def show(event: object) -> None:
        if isinstance(event, Asked):
            print(f"4. asked:         {event.proposal.kind.value} {event.proposal.transition or ''}")
        elif isinstance(event, regrapht.Judged):
            print(f"   judged:        {event.verdict.status.value}: {event.verdict.reason}")

    search = regrapht.open_search("mcgs", context)
    settings = regrapht.OptimizeSettings(level_final=regrapht.Level.SCREEN)
    outcome = regrapht.optimize(task, search=search, proposer=writer, evaluator=judge, settings=settings, observer=show)

assert outcome.best is not None
print(f"5. the best:      {' -> '.join(outcome.best.candidate.techniques)}\n\n{outcome.best.candidate.source}")
