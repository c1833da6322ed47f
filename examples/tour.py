"""The whole flow on a laptop without GPU, model or key: run `python examples/tour.py`."""

import tempfile
from pathlib import Path

import regrapht as rg
from regrapht.loop import run_search

task = rg.open_task(Path(__file__).parent / "matrix_product").task
print(f"1. the task:      {task.title}; right is what {task.reference.source.name} computes")

graph = rg.open_graph(None)
print(f"2. the knowledge: {len(graph.techniques)} techniques, {len(graph.transitions)} transitions between them")

options = rg.RunOptions(proposer="transform", search="mcgs", budget=rg.Budget(candidates=5), seed=1)
with tempfile.TemporaryDirectory() as cache:
    judge = rg.open_evaluator("emulated", cache_folder=Path(cache))
    writer = rg.open_proposer(options, graph=graph)
    yardstick = judge.prepare(task, writer.plain(task))
    print(f"3. the judge:     {judge.environment().device}; costs are {yardstick.scale.value}, never called a time")

    context = rg.SearchContext(
        task_id=task.id, family=task.family, graph=graph, yardstick=yardstick, budget=options.budget, seed=options.seed,
        proposer=writer.name, device="emulated", applicable=lambda *pair: writer.applicable(task, *pair),
    )  # fmt: skip
    search = rg.open_search(options.search, context)

    def show(event: object) -> None:
        if isinstance(event, rg.Judged):
            print(f"4. judged:        {event.verdict.status.value:12} {event.candidate.techniques[-1]}")

    quick = rg.OptimizeSettings(level_final=rg.Level.SCREEN)
    best = run_search(task, search=search, proposer=writer, evaluator=judge, settings=quick, observer=show).best

assert best is not None
print(f"5. the best:      {' -> '.join(best.candidate.techniques)}\n\n{best.candidate.source}")
