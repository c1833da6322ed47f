"""What many GPUs would judge: a simulation, on paper, from measured times of a judgement's parts. Nothing here has run on 64 GPUs.

    python benchmarks/scale.py                    # the tables of docs/scale.md
    python benchmarks/scale.py --check            # against the crowds that were measured on one host
    python benchmarks/scale.py --crowds FILE      # what benchmarks/scale_on_gpus.sh measured, beside the simulation

A judgement builds on a core, makes contexts one after the other on its host (the driver's limit: one at a time, all GPUs together), runs
beside others on its GPU, and holds it alone while it is timed. Draws are from the measured judgements themselves, not from a fitted curve.
"""

import argparse
import heapq
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
CONTEXT_S = 0.11
"""One context with one queue on a host with two H200 (2026-11-22, docs/judge.md)."""
CONTEXTS = {"screen": 1, "full": 8}
"""What a judgement takes (docs/judge.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Seconds of one measured judgement."""

    build: float
    """On a core."""
    beside: float
    """On the GPU beside others: everything else but what follows."""
    alone: float
    """While it holds the GPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """What judges."""

    hosts: int
    gpus: int
    """Of a host."""
    cores: int
    """Of a host."""
    at_once: int
    """Judgements in hand of a GPU."""


def measured(level: str) -> list[Parts]:
    """The right programs of the newest measured stages; a screening is timed at one shape, which its own record says."""
    found = []
    for line in (RESULTS / "judge_h200_2026-11-23.jsonl").read_text().splitlines():
        record = json.loads(line)
        for one in record["raw"]:
            if one.get("kind") != "right" or "stages" not in one:
                continue
            stages, alone = one["stages"], float(one["exclusive_s"])
            rest = stages["check"] + stages["memory"] + stages["time"] - alone
            contexts = CONTEXTS["full"] * CONTEXT_S
            found.append(Parts(build=stages["build"], beside=max(0.0, rest - contexts), alone=alone))
    if level == "screen":  # one process, one shape, no checker beside: the measured share of a crowd's screening
        crowd = json.loads((RESULTS / "judge_crowd_h200_2026-11-23.jsonl").read_text().splitlines()[0])["medians"]
        return [Parts(build=one.build, beside=crowd["having shared"], alone=crowd["having exclusive"]) for one in found]
    return found


def judged_a_second(
    fleet: Fleet, parts: Sequence[Parts], contexts: int, *, judgements: int, seed: int
) -> tuple[float, str]:
    """Judgements a second once all are busy, and which resource was busiest."""
    chance = random.Random(seed)
    clock, done = 0.0, 0
    order: Iterator[int] = itertools.count()
    events: list[tuple[float, int, int, int]] = []
    """Time, order, judgement's slot, stage that begins."""
    free: dict[tuple[str, int], int] = {}
    busy: dict[str, float] = {"cores": 0.0, "contexts": 0.0, "GPU beside others": 0.0, "GPU alone": 0.0}
    capacity = {"cores": fleet.cores * fleet.hosts, "contexts": fleet.hosts, "GPU alone": fleet.gpus * fleet.hosts}
    queues: dict[tuple[str, int], list[tuple[int, int]]] = {}
    now: dict[int, Parts] = {}
    slots = fleet.hosts * fleet.gpus * fleet.at_once

    def place(slot: int) -> tuple[int, int]:
        gpu = slot // fleet.at_once
        return gpu // fleet.gpus, gpu

    def key_of(slot: int, stage: int) -> tuple[str, int] | None:
        host, gpu = place(slot)
        return {0: ("cores", host), 1: ("contexts", host), 2: None, 3: ("GPU alone", gpu)}[stage]

    def begin(slot: int, stage: int, at: float) -> None:
        key = key_of(slot, stage)
        if key is not None:
            left = free.setdefault(key, fleet.cores if key[0] == "cores" else 1)
            if left == 0:
                queues.setdefault(key, []).append((slot, stage))
                return
            free[key] = left - 1
        one = now[slot]
        took = (one.build, contexts * CONTEXT_S, one.beside, one.alone)[stage]
        busy[("cores", "contexts", "GPU beside others", "GPU alone")[stage]] += took
        heapq.heappush(events, (at + took, next(order), slot, stage))

    for slot in range(slots):
        now[slot] = chance.choice(parts)
        begin(slot, 0, chance.random())
    warm, began = judgements // 4, 0.0
    while done < judgements:
        clock, _, slot, stage = heapq.heappop(events)
        key = key_of(slot, stage)
        if key is not None:
            free[key] += 1
            if queues.get(key):
                begin(*queues[key].pop(0), clock)
        if stage < 3:
            begin(slot, stage + 1, clock)
            continue
        done += 1
        if done == warm:
            began = clock
        now[slot] = chance.choice(parts)
        begin(slot, 0, clock)
    shares = {name: busy[name] / (count * clock) for name, count in capacity.items()}
    busiest = max(shares, key=lambda name: shares[name])
    return (done - warm) / (clock - began), f"{busiest} ({100 * min(1.0, shares[busiest]):.0f} % busy)"


def table(level: str, *, seed: int, judgements: int) -> list[str]:
    """Rows: how many GPUs, on hosts of 1 to 8, judge how fast; a million's time and GPU-hours."""
    parts = measured(level)
    rows = [
        f"| GPUs ({level}) | hosts | judgements a second | times one GPU | a million in | GPU hours | what limits |",
        "|---:|---:|---:|---:|---:|---:|---|",
    ]
    one = None
    for hosts, gpus in ((1, 1), (1, 2), (1, 4), (1, 8), (2, 4), (4, 1), (8, 8), (16, 4), (64, 1)):
        fleet = Fleet(hosts=hosts, gpus=gpus, cores=16 * gpus, at_once=6)
        rate, limit = judged_a_second(fleet, parts, CONTEXTS[level], judgements=judgements, seed=seed)
        one = one or rate
        hours = 1e6 / rate / 3600
        rows.append(
            f"| {hosts * gpus} | {hosts} | {rate:.2f} | {rate / one:.1f} | {hours:.0f} h | {hours * hosts * gpus:.0f} | {limit} |"
        )
    return rows


def check(*, seed: int, judgements: int) -> list[str]:
    """The simulation beside the crowds that were measured: twelve processes, on one and on two GPUs of one host."""
    lines = []
    for line in (RESULTS / "judge_crowd_h200_2026-11-23.jsonl").read_text().splitlines():
        crowd = json.loads(line)
        fleet = Fleet(
            hosts=1, gpus=crowd["gpus"], cores=crowd["processes"], at_once=crowd["processes"] // crowd["gpus"]
        )
        rate, limit = judged_a_second(fleet, measured("screen"), 2, judgements=judgements, seed=seed)
        told = f"{crowd['gpus']} GPU, {crowd['processes']} processes, {crowd['level']}"
        lines.append(f"{told}: measured {crowd['a second']} a second, simulated {rate:.2f}, limited by {limit}")
    return lines


def crowds(file: Path, *, seed: int, judgements: int) -> list[str]:
    """Crowds of judges of one host, as `judge_crowd.py` keeps them: each level over the number of GPUs, times what one GPU does."""
    found = [json.loads(line) for line in file.read_text().splitlines()]
    rows = [
        "| level | GPUs | processes | judgements a second | times one GPU | simulated, times one GPU | passed |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for level in CONTEXTS:
        mine = sorted((one for one in found if one["level"] == level), key=lambda one: one["gpus"])
        simulated = []
        for one in mine:
            fleet = Fleet(hosts=1, gpus=one["gpus"], cores=one["processes"], at_once=one["processes"] // one["gpus"])
            rate, _ = judged_a_second(fleet, measured(level), CONTEXTS[level], judgements=judgements, seed=seed)
            simulated.append(rate)
            times, on_paper = one["a second"] / mine[0]["a second"], rate / simulated[0]
            rows.append(
                f"| {level} | {one['gpus']} | {one['processes']} | {one['a second']:.2f} | {times:.2f} | {on_paper:.2f} | "
                f"{one['passed']} of {one['judgements']} |"
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--crowds", type=Path, help="a file of judge_crowd.py")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judgements", type=int, default=4000)
    chosen = parser.parse_args()
    if chosen.check:
        print("\n".join(check(seed=chosen.seed, judgements=chosen.judgements)))
        return
    if chosen.crowds:
        print("\n".join(crowds(chosen.crowds, seed=chosen.seed, judgements=chosen.judgements)))
        return
    for level in CONTEXTS:
        print("\n".join([*table(level, seed=chosen.seed, judgements=chosen.judgements), ""]))


if __name__ == "__main__":
    main()
