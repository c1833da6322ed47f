"""Compare the searches on landscapes: tune every method's dials on half of them, compare on the other half, ablate `mcgs`, write tables.

    python benchmarks/search_study.py --kind modelled --out results/modelled --docs docs/search-study
    python benchmarks/search_study.py --kind synthetic --out results/synthetic --docs docs/search-study
    python benchmarks/search_study.py --quick

`--kind` says which landscapes: `modelled` and `measured` are recorded ones in `--landscapes`, `synthetic` are made up from seeds. Results
are JSON lines below `--out`; a study that was stopped goes on with the same command. `--steps` runs some of `tune run ablate report` alone.
No model, no compiler and no GPU is needed.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from study.ablations import PARTS, search_of
from study.campaign import (
    Job,
    Place,
    carry_out,
    open_name,
    open_table,
    read_cells,
    recorded_places,
    world_places,
)
from study.methods import ABLATIONS, CONTROLS, METHODS, Dials, Method, draws
from study.run import BUDGETS
from study.statistics import Results
from study.tables import (
    ablations_table,
    dials_table,
    differences_table,
    methods_table,
    overall,
    share_at,
    tables_of,
)

from regrapht.bench.summary.table import Curve
from regrapht.report.curves import budget_curves

ROOT = Path(__file__).resolve().parents[1]
STEPS = ("tune", "run", "ablate", "report")
USUAL_SPOIL = 0.3
FLAT = 0.15
"""In doublings: a landscape whose best gains less tells no search from another."""
FEWEST = 20
"""Programs of a landscape that is worth a search."""
TUNING_SEEDS = 1000
"""Seeds of tuning begin here, so that no run of the comparison was seen before."""
SAID = {
    "modelled": "Gains are ratios of the emulator's modelled cost, over the first program. Nothing in these tables was timed.",
    "measured": "Gains are measured speed-ups over the first program, at screening level.",
    "synthetic": "Everything in these tables is made up by a generator; no program exists behind it.",
}


def split(places: list[Place]) -> tuple[list[Place], list[Place]]:
    """Landscapes for tuning and for claims: every second one by name, so that the split is fixed before any result."""
    ordered = sorted(places, key=open_name)
    return ordered[0::2], ordered[1::2]


def places_of(chosen: argparse.Namespace) -> tuple[list[Place], list[Place]]:
    """Worlds are split whole: no task of a world that was tuned on is claimed on."""
    if chosen.kind == "synthetic":
        half = chosen.worlds // 2
        return world_places(range(half)), world_places(range(half, 2 * half))
    places = recorded_places(chosen.landscapes / chosen.kind)
    useless = [place for place in places if open_table(place).best_gain < FLAT or open_table(place).size < FEWEST]
    for place in useless:
        table = open_table(place)
        best = 2**table.best_gain
        print(f"{table.name} is left out: {table.size:.0f} programs, the best {best:.2f} x the first", file=sys.stderr)
    return split([place for place in places if place not in useless])


def tune(places: list[Place], methods: list[Method], chosen: argparse.Namespace) -> bool:
    """Every method as shipped and with so many random draws of its dials; keeps the best by the mean over budgets 20 to 200."""
    candidates = {}
    for method in methods:
        for number, drawn in enumerate(draws(method, number=chosen.draws, seed=0)):
            candidates[f"{method.name}#{number}"] = (method.name, drawn)
    jobs = [
        Job(place=place, method=Method(name=key, search=drawn.search, dials=drawn.dials), seed=seed, spoil=USUAL_SPOIL)
        for place in places
        for key, (_, drawn) in candidates.items()
        for seed in range(TUNING_SEEDS, TUNING_SEEDS + chosen.tuning_seeds)
    ]
    if not carry_out(jobs, chosen.out / "tuning.jsonl", **_how(chosen, "tune")):
        return False
    scores: dict[str, list[float]] = {}
    for cell in read_cells(chosen.out / "tuning.jsonl"):
        scores.setdefault(cell.method, []).append(overall(cell))
    means = {key: sum(values) / len(values) for key, values in scores.items()}
    best: dict[str, Dials] = {}
    for method in methods:
        own = [key for key, (name, _) in candidates.items() if name == method.name]
        best[method.name] = dict(candidates[max(own, key=lambda key: means[key])][1].dials)
        print(f"{method.name}: as shipped {means[own[0]]:.3f}, best of {len(own)} {max(means[k] for k in own):.3f}")
    (chosen.out / "dials.json").write_text(json.dumps(best, indent=1, sort_keys=True) + "\n")
    return True


def run(places: list[Place], methods: list[Method], chosen: argparse.Namespace) -> bool:
    """Tuned methods at every spoil, controls and the untuned `mcgs` at the usual one."""
    dials = _dials(chosen)
    tuned = [Method(name=m.name, search=m.search, dials=dials.get(m.name, m.dials)) for m in methods]
    own = dials.get("mcgs", {"enough": None})
    others = [Method(name=control.name, search=control.search, dials=own) for control in CONTROLS]
    others.append(Method(name="mcgs as shipped", search="mcgs", dials={"enough": None}))
    if chosen.only:
        others = [method for method in others if method.name in chosen.only]
    jobs = [
        Job(place=place, method=method, seed=seed, spoil=spoil)
        for place in places
        for seed in range(chosen.seeds)
        for spoil in chosen.spoils
        for method in (*tuned, *(others if spoil == USUAL_SPOIL else ()))
    ]
    return carry_out(jobs, chosen.out / "study.jsonl", **_how(chosen, "run"))


def ablate(places: list[Place], chosen: argparse.Namespace) -> bool:
    """`mcgs` as shipped with one thing changed at a time, so that each row has one cause."""
    base = Method(name="mcgs", search="mcgs", dials={"enough": None})
    changed = [Method(name=name, search="mcgs", dials={**base.dials, **dials}) for name, dials in ABLATIONS.items()]
    changed += [Method(name=part, search=search_of(part), dials=base.dials) for part in PARTS]
    apart = Method(name="no transpositions", search="mcgs", dials=base.dials)
    jobs = [
        Job(place=place, method=method, seed=seed, spoil=USUAL_SPOIL, merge=method is not apart)
        for place in places
        for seed in range(chosen.ablation_seeds)
        for method in (base, *changed, apart)
    ]
    return carry_out(jobs, chosen.out / "ablations.jsonl", **_how(chosen, "ablate"))


def report(chosen: argparse.Namespace) -> None:
    """Tables and curves below `--docs`, or the tables on the screen."""
    results = Results(read_cells(chosen.out / "study.jsonl"))
    seeds = len({cell.seed for cell in results.cells(results.methods[0])})
    parts = [f"{SAID[chosen.kind]} {len(results.tables)} landscapes that nothing was tuned on, {seeds} seeds.\n"]
    parts += [tables_of(results)]
    for spoil in results.spoils:
        parts += [f"**Spoil {spoil:g}**: share of the best gain found.\n", methods_table(results, spoil)]
    spoil = USUAL_SPOIL if USUAL_SPOIL in results.spoils else results.spoils[0]
    parts += [f"**Paired differences in that share, spoil {spoil:g}**\n", differences_table(results, spoil)]
    if (chosen.out / "ablations.jsonl").exists():
        ablated = Results(read_cells(chosen.out / "ablations.jsonl"))
        parts += ["**`mcgs` as shipped with one thing changed, spoil 0.3**\n", ablations_table(ablated, USUAL_SPOIL)]
    if (chosen.out / "dials.json").exists():
        parts += [dials_table(_dials(chosen))]
    text = "\n".join(parts)
    if chosen.docs is None:
        print(text)
        return
    chosen.docs.mkdir(parents=True, exist_ok=True)
    (chosen.docs / f"{chosen.kind}.inc").write_text(text, encoding="utf-8")
    curves = [
        Curve(method=method, points=tuple(zip(BUDGETS, points, strict=True)))
        for method in results.methods
        if all(points := [results.mean(method, spoil, share_at(budget)) for budget in BUDGETS])
    ]
    drawing = budget_curves(curves, f"share of the best {chosen.kind} gain, spoil {spoil:g}")
    (chosen.docs / f"{chosen.kind}.svg").write_text(drawing, encoding="utf-8")


def _dials(chosen: argparse.Namespace) -> dict[str, Dials]:
    file = chosen.out / "dials.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _how(chosen: argparse.Namespace, step: str) -> dict[str, object]:
    left = None if chosen.stop_after is None else max(0.0, chosen.started + chosen.stop_after - time.monotonic())
    shown = [0.0]

    def show(done: int, of: int) -> None:
        if time.monotonic() - shown[0] > 10 or done == of:
            shown[0] = time.monotonic()
            print(f"{step}: {done} of {of}", file=sys.stderr, flush=True)

    return {"workers": chosen.workers, "seconds": left, "observer": show}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=sorted(SAID), default="synthetic")
    parser.add_argument("--landscapes", type=Path, default=ROOT / "benchmarks" / "landscapes", help="with KIND in it")
    parser.add_argument("--worlds", type=int, default=6, help="made-up worlds, two tasks each")
    parser.add_argument("--out", type=Path, default=Path("search-study"))
    parser.add_argument("--docs", type=Path, help="write tables and curves here instead of the screen")
    parser.add_argument("--steps", nargs="*", choices=STEPS, default=list(STEPS))
    parser.add_argument("--only", nargs="*", help="methods by name")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--spoils", nargs="*", type=float, default=[0.0, 0.3, 0.6])
    parser.add_argument("--draws", type=int, default=16, help="random draws of every method's dials")
    parser.add_argument("--tuning-seeds", type=int, default=8)
    parser.add_argument("--ablation-seeds", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--stop-after", type=float, help="seconds")
    parser.add_argument("--quick", action="store_true", help="two made-up landscapes, three seeds, nothing tuned")
    chosen = parser.parse_args()
    chosen.started = time.monotonic()
    if chosen.quick:
        chosen.kind, chosen.worlds, chosen.seeds, chosen.spoils = "synthetic", 2, 3, [USUAL_SPOIL]
        chosen.steps = ["run", "report"]
    methods = [method for method in METHODS if not chosen.only or method.name in chosen.only]
    tuning, claims = places_of(chosen)
    if not (tuning and claims):
        folder = chosen.landscapes / chosen.kind
        print(
            f"fewer than two landscapes in {folder}: record some with benchmarks/record_landscapes.py", file=sys.stderr
        )
        return 2
    steps = {
        "tune": lambda: tune(tuning, methods, chosen),
        "run": lambda: run(claims, methods, chosen),
        "ablate": lambda: ablate(claims, chosen),
    }
    for name, step in steps.items():
        if name in chosen.steps and not step():
            print(f"{name}: not complete; run this again", file=sys.stderr)
            return 1
    if "report" in chosen.steps:
        report(chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
