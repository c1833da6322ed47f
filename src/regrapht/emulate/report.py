"""The harness's report, read strictly, as findings and evidence.

The file is written by the process that runs the candidate, so it is a claim: sizes are capped, every number is checked, and what does not
fit is a `SchemaError`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from regrapht.emulate.comparisons import never_equal, never_taken, read_comparisons
from regrapht.emulate.cost import KernelWork, TransferWork, modelled_cost
from regrapht.emulate.disassembly import Disassembly
from regrapht.emulate.fault_kinds import FAULTS
from regrapht.emulate.race_hints import Race, Scope, with_places
from regrapht.errors import SchemaError
from regrapht.records.encoding import parse_strict
from regrapht.records.task import Sizes
from regrapht.records.verdict import AccessSite, Evidence, Finding, KernelEvidence, LineWork, Severity, Status

MAX_REPORT_BYTES = 16 * 2**20
_Key = TypeVar("_Key")
_CAUSES = (
    Status.OUT_OF_BOUNDS,
    Status.BAD_POINTER,
    Status.MISALIGNED,
    Status.BARRIER_FAULT,
    Status.RACE,
    Status.LATE_WRITE,
    Status.UNINITIALISED_READ,
    Status.CRASHED,
    Status.TIMED_OUT,
)
_MAX_FINDINGS, _MAX_SITES, _MAX_LINES, _MAX_KERNELS, _MAX_SINCE, _MAX_TEXT = 2000, 500, 1000, 64, 8, 400
_MAX_ENQUEUED, _MAX_COMPARISONS = 2, 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTraffic:
    """What one call moved between host and device, in bytes, by copies, memory that both may touch, and commands: a launch's parameters and
    shape, and of any other what it does where."""

    to_host: int
    from_host: int
    unmatched: int = 0
    """Of a replayed call with arrays on the host: what reached the device from there and was no part of them as they came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    findings: tuple[Finding, ...]
    evidence: tuple[Evidence | None, ...]
    unsupported: str | None
    partial: bool
    """Some of the evidence is of a call that did not come to a good end."""
    traffic: tuple[HostTraffic, ...]
    """Of each call that the report tells of."""
    keeps_state: bool
    """The candidate's own variables go on changing from call to call."""
    never_equal: frozenset[tuple[int, int | None]]
    """Lines with numbers that something was compared with there, and never was equal to; None for what is no constant."""
    never_taken: frozenset[int]
    """Lines with a comparison that went one way alone."""


def read_report(
    raw: bytes, disassembly: Disassembly, sizes: Sequence[Sizes], *, source: str, accept_partial: bool = False
) -> Report:
    """The report's findings and one evidence for each entry of `sizes`; of a call that did not end only with `accept_partial`.

    Args:
        source: The candidate's, for hints that name where a barrier belongs.

    Raises:
        SchemaError: It is not what a harness writes.
    """
    plain = parse_strict(raw)
    try:
        findings = [_race(each, disassembly) for each in _items(plain, "findings", _MAX_FINDINGS)]
        calls = _items(plain, "calls", len(sizes))
        evidence = [
            _evidence(call, disassembly, shape) if call["ended"] or accept_partial else None
            for call, shape in zip(calls, sizes, strict=False)
        ]
        traffic = tuple(
            HostTraffic(
                to_host=_count(c, "to_host"), from_host=_count(c, "from_host"), unmatched=_count(c, "unmatched")
            )
            for c in calls
        )
        partial = any(not call["ended"] for call in calls)
        keeps_state = plain["keeps_state"] is True
        compared = read_comparisons(_items(plain, "comparisons", _MAX_COMPARISONS))
        unsupported = plain["unsupported"]
        if unsupported is not None and not isinstance(unsupported, str):
            raise TypeError("unsupported")
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SchemaError(f"the emulator's report is damaged: {error!r}") from error
    evidence += [None] * (len(sizes) - len(evidence))
    return Report(
        findings=tuple(sorted(with_places(_merged(findings), source), key=_rank)),
        evidence=tuple(evidence),
        unsupported=unsupported[:_MAX_TEXT] if unsupported else None,
        partial=partial,
        traffic=traffic,
        keeps_state=keeps_state,
        never_equal=never_equal(compared, disassembly),
        never_taken=never_taken(compared, disassembly),
    )


def _merged(races: Sequence[Race]) -> list[Race]:
    """One for each kind and pair of lines, with all their counts: of an unrolled loop each copy was reported. A guess at the other line
    gives way to what is known of the same kind and line."""
    merged: dict[tuple[object, ...], Race] = {}
    for each in sorted(races, key=lambda race: race.guess):
        key: tuple[object, ...] = (each.finding.kind, each.finding.kernel, each.finding.line, each.finding.other_line)
        if each.guess:
            key = next((known for known, race in merged.items() if known[:3] == key[:3] and not race.guess), key)
        merged[key] = merged[key].with_more(each) if key in merged else each
    return list(merged.values())


def _rank(finding: Finding) -> tuple[bool, int, int]:
    """Errors first, causes before their consequences: a missing barrier also shows as an uninitialised read."""
    place = _CAUSES.index(finding.status) if finding.status in _CAUSES else len(_CAUSES)
    return finding.severity is Severity.WARNING, place, finding.line or 0


def _race(plain: dict[str, Any], disassembly: Disassembly) -> Race:
    """A finding of any kind: the circumstances of what is no race are empty."""
    since = (_number(address) for address in _items(plain, "since", _MAX_SINCE))
    lines = frozenset(disassembly.line(address) or -1 if address else 0 for address in since)
    return Race(_finding(plain, disassembly), Scope(plain["scope"]), lines, guess=plain["guess"] is True)


def _finding(plain: dict[str, Any], disassembly: Disassembly) -> Finding:
    fault = FAULTS[plain["kind"]]
    line = disassembly.line(_count(plain, "pc")) if plain["pc"] else None
    other = disassembly.line(_count(plain, "other_pc")) if plain["other_pc"] else None
    return Finding(
        kind=plain["kind"],
        status=fault.status,
        severity=fault.severity,
        checker="emulator",
        message=f"{fault.meaning}: {_text(plain, 'detail')}{_enqueued(plain, disassembly)}",
        kernel=_text(plain, "kernel") or None,
        line=line,
        other_line=other,
        hint=fault.hint,
        count=_count(plain, "count"),
    )


def _enqueued(plain: dict[str, Any], disassembly: Disassembly) -> str:
    """Where the host asked for the launches or transfers that are at fault; nothing where the finding is of no such kind."""
    places = [_number(address) for address in _items(plain, "enqueued", _MAX_ENQUEUED)]
    lines = [disassembly.line(address) if address else None for address in places]
    known = [f"line {line}" for line in lines if line is not None]
    return f"; enqueued in {' and '.join(known)}" if known else ""


def _evidence(plain: dict[str, Any], disassembly: Disassembly, sizes: Sizes) -> Evidence | None:
    kernels = [_Kernel(each, disassembly) for each in _items(plain, "kernels", 10_000)]
    if not kernels:
        return None
    total: dict[str, float] = defaultdict(float)
    places: dict[tuple[int, str, str], list[float]] = {}
    lines: dict[int, list[float]] = {}
    for kernel in kernels:
        for name, value in kernel.totals.items():
            total[name] += value
        for key, counts in kernel.sites.items():
            _add(places, key, counts)
        for line, counts in kernel.lines.items():
            _add(lines, line, counts)
    sites = [
        AccessSite(
            line=line,
            space=space,
            kind=kind,
            requests=round(requests),
            transactions=round(transactions),
            ideal_transactions=round(ideal),
            active_lanes=lanes / requests,
        )
        for (line, space, kind), (requests, transactions, ideal, lanes) in sorted(places.items())[:_MAX_SITES]
        if requests > 0
    ]
    return Evidence(
        sizes=sizes,
        launches=round(total["launches"]),
        threads=round(total["threads"]),
        instructions=round(total["instructions"]),
        flops=round(total["flops"]),
        global_sectors=round(total["sectors"]),
        ideal_global_sectors=round(total["ideal_sectors"]),
        shared_passes=round(total["passes"]),
        ideal_shared_passes=round(total["ideal_passes"]),
        barriers=round(total["barriers"]),
        divergence=min(1.0, total["lane_slots"] / total["warp_slots"]) if total["warp_slots"] else None,
        modelled_cost=modelled_cost([kernel.work for kernel in kernels], _transfers(plain)),
        sites=tuple(sites),
        lines=tuple(
            LineWork(
                line=line,
                instructions=round(lanes),
                flops=round(flops),
                active_lanes=min(32.0, lanes / warps),
            )
            for line, (lanes, warps, flops) in sorted(lines.items())[:_MAX_LINES]
            if line and lanes and warps
        ),
        kernels=tuple(kernel.record for kernel in kernels[:_MAX_KERNELS]),
    )


def _add(sums: dict[_Key, list[float]], key: _Key, counts: Sequence[float]) -> None:
    sums[key] = [a + b for a, b in zip(sums.get(key, [0.0] * len(counts)), counts, strict=True)]


class _Kernel:
    """One kernel with one launch shape; counts of the traced blocks scaled up to all blocks."""

    def __init__(self, plain: dict[str, Any], disassembly: Disassembly) -> None:
        blocks, traced = _count(plain, "blocks"), _count(plain, "traced_blocks")
        scale = blocks / traced if traced else 0.0
        totals: dict[str, float] = defaultdict(float)
        totals["launches"] = _count(plain, "launches")
        totals["threads"] = _count(plain, "threads")
        totals["barriers"] = _count(plain, "barriers")
        self.sites: dict[tuple[int, str, str], list[float]] = {}
        self.lines: dict[int, list[float]] = {}
        """(instructions of lanes, of warps, FLOP) of each source line."""
        atomic_passes = 0.0
        for site in _items(plain, "sites", 10_000):
            space, kind = site["space"], site["kind"]
            if space not in ("global", "shared") or kind not in ("load", "store", "atomic"):
                raise ValueError("unknown access")
            counts = [scale * _count(site, name) for name in ("requests", "transactions", "ideal", "lanes")]
            key = (disassembly.line(_count(site, "pc")) or 0, space, kind)
            _add(self.sites, key, counts)
            prefix = "sectors" if space == "global" else "passes"
            totals[f"{space}_requests"] += counts[0]
            totals[prefix] += counts[1]
            totals[f"ideal_{prefix}"] += counts[2]
            atomic_passes += scale * _count(site, "same_word")
        warp_instructions = 0.0
        for address, lanes, warps in _items(plain, "basic_blocks", 100_000):
            weight = disassembly.block(_number(address))
            lane_slots, warp_slots = scale * _number(lanes), scale * _number(warps)
            totals["instructions"] += lane_slots * weight.instructions
            totals["flops"] += lane_slots * weight.flops
            totals["lane_slots"] += lane_slots * weight.instructions
            totals["warp_slots"] += 32 * warp_slots * weight.instructions
            warp_instructions += warp_slots * weight.instructions
            for line, instructions, flops in weight.lines:
                _add(self.lines, line, (lane_slots * instructions, warp_slots * instructions, lane_slots * flops))
        self.totals = totals
        self.record = _kernel_record(plain, totals)
        self.work = KernelWork(
            launches=totals["launches"],
            warps=_count(plain, "warps"),
            warp_instructions=warp_instructions,
            global_requests=totals["global_requests"],
            sectors=totals["sectors"],
            shared_passes=totals["passes"],
            atomic_passes=atomic_passes,
            block_barriers=totals["barriers"],
            blocks=blocks,
            imbalance=_count(plain, "imbalance_percent") / 100,
        )


def _kernel_record(plain: dict[str, Any], totals: Mapping[str, float]) -> KernelEvidence:
    slots = totals["warp_slots"]
    return KernelEvidence(
        name=_text(plain, "name"),
        grid=_extent(plain, "grid"),
        block=_extent(plain, "block"),
        shared_bytes=_count(plain, "shared_bytes"),
        launches=_count(plain, "launches"),
        threads=_count(plain, "threads"),
        traced_blocks=_count(plain, "traced_blocks"),
        instructions=round(totals["instructions"]),
        flops=round(totals["flops"]),
        global_requests=round(totals["global_requests"]),
        global_sectors=round(totals["sectors"]),
        ideal_global_sectors=round(totals["ideal_sectors"]),
        shared_requests=round(totals["shared_requests"]),
        shared_passes=round(totals["passes"]),
        ideal_shared_passes=round(totals["ideal_passes"]),
        barriers=_count(plain, "barriers"),
        active_lanes=min(32.0, 32 * totals["lane_slots"] / slots) if slots else None,
    )


def _extent(plain: dict[str, Any], key: str) -> tuple[int, int, int]:
    x, y, z = (_number(value) for value in _items(plain, key, 3))
    return x, y, z


def _items(plain: dict[str, Any], key: str, most: int) -> list[Any]:
    items = plain[key]
    if not isinstance(items, list) or len(items) > most:
        raise ValueError(f"{key} is no list of at most {most}")
    return items


def _transfers(plain: dict[str, Any]) -> TransferWork:
    return TransferWork(
        count=_count(plain, "transfers"),
        host_bytes=_count(plain, "host_bytes"),
        device_bytes=_count(plain, "device_bytes"),
    )


def _count(plain: dict[str, Any], key: str) -> int:
    return _number(plain[key])


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63 or not math.isfinite(value):
        raise ValueError("not a count")
    return value


def _text(plain: dict[str, Any], key: str) -> str:
    value = plain[key]
    if not isinstance(value, str):
        raise TypeError(key)
    return "".join(c if c.isprintable() else "?" for c in value[:_MAX_TEXT])
