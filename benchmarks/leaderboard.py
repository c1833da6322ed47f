"""docs/leaderboard.md, a row a method of each committed experiment, and the list of these files by hash that ships.

`make measured` writes both. A submission is one file `results.jsonl` of `regrapht bench run SUITE@VERSION`, put into `results/` under a
name of its own once `regrapht bench verify-results` says that it holds.
"""

import json
from pathlib import Path

from measured_tables import RESULTS, experiment, markdown, table_of

from regrapht.bench.experiment.results import read_results
from regrapht.bench.experiment.verification import file_hashes
from regrapht.errors import SchemaError

HEAD = """# Leaderboard

Written by `make measured` from the committed files of results, each of which `regrapht bench verify-results FILE` accepts; nothing is
typed here. Rows are comparable where suite, tasks, budget and device are the same. *pass@1*, *reward* and *speed-up* are
[defined here](bench.md#metrics): the reward is over all tasks, the speed-up over the plain CUDA version is the geometric mean of the tasks
that were solved. A modelled reward is no time, and has no speed-up beside it.

A submission is the one file that `regrapht bench run cudaeval@VERSION ... --out DIR` leaves, `DIR/results.jsonl`. `regrapht bench
verify-results` says in one line what does not hold: [what is looked for](bench.md#packs-and-submissions).
"""


def files() -> list[Path]:
    """The committed experiments, by name."""
    found = []
    for file in sorted(RESULTS.glob("*.jsonl")):
        try:
            read_results(file)
        except SchemaError:
            continue  # a file of another script: samples of the judge, landscapes ...
        found.append(file)
    return found


def published() -> str:
    """The list that ships: hash of a file's first line -> hash of the file."""
    return json.dumps(dict(sorted(file_hashes(file) for file in files())), indent=1) + "\n"


def page() -> str:
    """docs/leaderboard.md, whole."""
    parts = [HEAD]
    by_suite: dict[str, list[Path]] = {}
    for file in files():
        by_suite.setdefault(experiment(file.name)[0].suite.rpartition("/")[2], []).append(file)
    for suite, group in sorted(by_suite.items()):
        parts += ["", f"## {suite}", ""]
        head = (
            "method",
            "who writes",
            "tasks",
            "budget",
            "seeds",
            "device",
            "pass@1",
            "reward",
            "times plain CUDA",
            "pack",
            "file",
        )
        parts += markdown(head, [row for file in group for row in _rows(file)])
    return "\n".join(parts) + "\n"


def _rows(file: Path) -> list[tuple[str, ...]]:
    told, _ = experiment(file.name)
    methods, speed = table_of(file.name, "methods"), table_of(file.name, "speed")
    reward = next(name for name in methods.columns if name.endswith(" reward"))
    over_plain = {
        row[speed.columns.index("method")]: row[speed.columns.index("geometric mean of solved")]
        for row in speed.rows
        if row[speed.columns.index("against")] == "naive"
    }
    rows = []
    for row in methods.rows:
        named = dict(zip(methods.columns, row, strict=True))
        if not named["tasks"]:
            continue  # of an experiment that was cut off before all its methods had finished one task
        gain = over_plain.get(named["method"])
        rows.append(
            (
                str(named["method"]),
                told.proposer if told.model is None else f"{told.proposer}, a model",
                str(named["tasks"]),
                str(told.budget.candidates or "-"),
                str(told.seeds),
                told.environment.device,
                _number(named["pass@1"]),
                f"{_number(named[reward])} {reward.split()[0]}",
                _number(gain),
                told.pack_hash[:12] if told.pack_hash else "-",
                f"[{file.name}](../benchmarks/results/{file.name})",
            )
        )
    return rows


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "-"
