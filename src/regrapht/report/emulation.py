"""An emulation as text: findings like a compiler's messages, then the modelled evidence on one page."""

from collections.abc import Iterator
from dataclasses import dataclass

from regrapht.emulate.emulation import Emulation, ScheduleRun
from regrapht.emulate.finding_groups import FindingGroup, grouped
from regrapht.emulate.occupancy import ARCHITECTURE, WARPS, occupancy
from regrapht.records.verdict import AccessSite, Evidence, Finding, KernelEvidence, KernelResources, Severity

HEADING = "Modelled on a CPU: nothing here was measured, and no figure is a time."
_MAX_OUTPUT_LINES = 40
_MAX_KERNELS = 12
_WORST_LINES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEvidence:
    """What was modelled for one source line, every figure None where the line does nothing of the kind."""

    line: int
    text: str
    sectors: float | None
    """32-byte sectors a global request, of the line's worst kind of access."""
    ideal_sectors: float | None
    excess: float
    """Global sectors beyond the ideal, in all."""
    ways: float | None
    """Bank passes a shared request over those that it needs at least: 1 is free of conflicts."""
    lanes: float | None
    """Mean active lanes, of the memory accesses where there are any."""
    instructions: int
    flops: int


def describe_emulation(emulation: Emulation) -> str:
    """Everything, in the order in which a person wants it: findings, what was printed, evidence, the result last."""
    blocks = [
        _compiler(emulation),
        *(describe_group(emulation, g) for g in grouped(emulation.findings)),
        _printed(emulation),
    ]
    if emulation.evidence is not None:
        blocks.append(describe_evidence(emulation))
    blocks.append(_result(emulation))
    return "\n\n".join(block for block in blocks if block)


def describe_group(emulation: Emulation, group: FindingGroup) -> str:
    """The first of a group in full, and where the others of the same cause are."""
    lines = [describe_finding(emulation, group.first)]
    if group.others:
        lines.append(f"  the same cause: {group.places}")
    return "\n".join(lines)


def describe_finding(emulation: Emulation, finding: Finding) -> str:
    """`file.cu:12: error: race_shared_rw: what happened`, the line, the other access, and the hint."""
    place = emulation.place(finding.line)
    kernel = f" [in {finding.kernel}]" if finding.kernel else ""
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    lines = [f"{place}: {finding.severity.value}: {finding.kind}: {finding.message}{times}{kernel}"]
    lines += _excerpt(emulation, finding.line)
    if finding.other_line and finding.other_line != finding.line:
        lines.append(f"{emulation.place(finding.other_line)}: note: the other access")
        lines += _excerpt(emulation, finding.other_line)
    if finding.hint:
        lines.append(f"  hint: {finding.hint}")
    return "\n".join(lines)


def describe_evidence(emulation: Emulation) -> str:
    """The one-page text: each kernel's totals, then the lines that waste most."""
    evidence = emulation.evidence
    assert evidence is not None
    lines = [HEADING]
    sizes = " ".join(f"{name}={value}" for name, value in evidence.sizes.items())
    if sizes:
        lines.append(f"At {sizes}.")
    for kernel in evidence.kernels[:_MAX_KERNELS]:
        lines += ["", *describe_kernel(kernel, resources_of(kernel, emulation))]
    if len(evidence.kernels) > _MAX_KERNELS:
        lines.append(f"... and {len(evidence.kernels) - _MAX_KERNELS} more kernels or launch shapes")
    worst = worst_lines(emulation)
    if worst:
        lines += ["", "Lines, the most wasteful first:", *_line_table(worst)]
    return "\n".join(lines)


def describe_kernel(kernel: KernelEvidence, resources: KernelResources | None) -> Iterator[str]:
    """A kernel's totals, a line each."""
    shape = f"<<<{_extent(kernel.grid)}, {_extent(kernel.block)}>>>"
    launches = f"{kernel.launches} launch" + ("es" if kernel.launches != 1 else "")
    yield f"{kernel.name or 'kernel'} {shape}  {launches}, {kernel.threads:,} threads"
    yield f"  occupancy     {occupancy_text(kernel, resources)}"
    if not kernel.traced_blocks:
        yield "  counts        none: no block of it was traced to its end"
        return
    if kernel.active_lanes is not None:
        yield f"  instructions  {kernel.instructions:,} of threads, {kernel.active_lanes:.1f} of 32 lanes active"
    intensity = "no global accesses" if kernel.intensity is None else f"{kernel.intensity:.2f} FLOP a byte requested"
    yield f"  FLOP          {kernel.flops:,}, {intensity}"
    if kernel.global_requests:
        each, ideal = (x / kernel.global_requests for x in (kernel.global_sectors, kernel.ideal_global_sectors))
        yield f"  global        {kernel.global_requests:,} requests, {each:.2f} sectors each (ideal {ideal:.2f})"
    if kernel.shared_requests:
        ways = kernel.shared_passes / max(1, kernel.ideal_shared_passes)
        yield f"  shared        {kernel.shared_requests:,} requests, {ways:.2f} bank passes for each needed"
    if kernel.barriers:
        yield f"  barriers      {kernel.barriers:,} of blocks"


def occupancy_text(kernel: KernelEvidence, resources: KernelResources | None) -> str:
    """`64 of 64 warps on sm_90, limited by warps (26 registers a thread, says nvcc)`."""
    x, y, z = kernel.block
    registers = resources.registers_per_thread if resources is not None else None
    found = occupancy(x * y * z, shared_bytes=kernel.shared_bytes, registers=registers)
    known = f"{registers} registers a thread, says nvcc" if registers is not None else "registers unknown without nvcc"
    return f"{found.warps} of {WARPS} warps on {ARCHITECTURE}, limited by {found.limit} ({known})"


def resources_of(kernel: KernelEvidence, emulation: Emulation) -> KernelResources | None:
    """What nvcc said of a kernel; of several instances of a template the one with most registers."""
    named = [r for r in emulation.resources if r.name == kernel.name and r.registers_per_thread is not None]
    return max(named, key=lambda r: r.registers_per_thread or 0, default=None)


def line_evidence(emulation: Emulation) -> dict[int, LineEvidence]:
    """What was modelled, by source line."""
    evidence = emulation.evidence
    if evidence is None:
        return {}
    texts = emulation.source.splitlines()
    sites: dict[int, list[AccessSite]] = {}
    for site in evidence.sites:
        sites.setdefault(site.line, []).append(site)
    work = {each.line: each for each in evidence.lines}
    found = {}
    for line in sorted({*sites, *work} - {0}):
        mine, known = sites.get(line, []), work.get(line)
        wide = [site for site in mine if site.space == "global" and site.requests]
        worst = max(wide, key=lambda s: s.transactions / max(1, s.ideal_transactions), default=None)
        ways = [s.transactions / s.ideal_transactions for s in mine if s.space == "shared" and s.ideal_transactions]
        lanes = [site.active_lanes for site in mine] or ([known.active_lanes] if known else [])
        found[line] = LineEvidence(
            line=line,
            text=texts[line - 1].strip() if line <= len(texts) else "",
            sectors=worst.transactions / worst.requests if worst else None,
            ideal_sectors=worst.ideal_transactions / worst.requests if worst else None,
            excess=float(sum(site.transactions - site.ideal_transactions for site in mine)),
            ways=max(ways, default=None),
            lanes=min(lanes, default=None),
            instructions=known.instructions if known else 0,
            flops=known.flops if known else 0,
        )
    return found


def worst_lines(emulation: Emulation) -> list[LineEvidence]:
    """The lines that access memory or compute, those with most excess sectors and passes first, then those with most instructions."""
    lines = [line for line in line_evidence(emulation).values() if line.sectors or line.ways or line.flops]
    return sorted(lines, key=lambda line: (-line.excess, -line.instructions))[:_WORST_LINES]


def _line_table(lines: list[LineEvidence]) -> Iterator[str]:
    yield f"  {'line':>5} {'sectors (ideal)':>16} {'bank ways':>9} {'lanes':>5} {'instructions':>13} {'FLOP':>12}"
    for each in lines:
        sectors = f"{each.sectors:.1f} ({each.ideal_sectors:.1f})" if each.sectors is not None else ""
        ways = f"{each.ways:.1f}" if each.ways is not None else ""
        lanes = f"{each.lanes:.1f}" if each.lanes is not None else ""
        counts = f"{each.instructions:13,} {each.flops:12,}"
        yield f"  {each.line:5} {sectors:>16} {ways:>9} {lanes:>5} {counts}  {each.text[:60].rstrip()}"


def _compiler(emulation: Emulation) -> str:
    return emulation.compiler_output.strip()


def _printed(emulation: Emulation) -> str:
    """What the program printed, once where all runs printed the same."""
    blocks = []
    outputs = list(dict.fromkeys((run.output, run.errors) for run in emulation.runs))
    for output, errors in outputs:
        runs = [run for run in emulation.runs if (run.output, run.errors) == (output, errors)]
        which = "" if len(outputs) == 1 else f" ({', '.join(schedule_name(run) for run in runs)})"
        for name, text in (("printed", output), ("printed to standard error", errors)):
            if text.strip():
                blocks.append(f"The program {name}{which}:\n{_shortened(text)}")
    return "\n".join(blocks[:4])


def schedule_name(run: ScheduleRun) -> str:
    """`reverse`, or `random, seed 2`."""
    return run.schedule if run.seed is None else f"{run.schedule}, seed {run.seed}"


def _shortened(text: str) -> str:
    lines = text.rstrip().splitlines()
    shown = [f"  | {line[:200]}" for line in lines[:_MAX_OUTPUT_LINES]]
    if len(lines) > _MAX_OUTPUT_LINES:
        shown.append(f"  | [{len(lines) - _MAX_OUTPUT_LINES} more lines]")
    return "\n".join(shown)


def _result(emulation: Emulation) -> str:
    lines = [f"{emulation.status.value}: {emulation.reason}"]
    if emulation.runs:
        runs = "; ".join(f"{schedule_name(run)}: {run.ending}" for run in emulation.runs)
        lines.append(f"  runs: {runs}")
    warnings = sum(finding.severity is Severity.WARNING for finding in emulation.findings)
    if warnings:
        lines.append(f"  warnings: {warnings}")
    if emulation.labels:
        lines.append(f"  labels: {', '.join(emulation.labels)}")
    return "\n".join(lines)


def _excerpt(emulation: Emulation, line: int | None) -> list[str]:
    texts = emulation.source.splitlines()
    return [f"{line:6} | {texts[line - 1].rstrip()[:160]}"] if line and line <= len(texts) else []


def _extent(extent: tuple[int, int, int]) -> str:
    x, y, z = extent
    return str(x) if y == z == 1 else f"({x}, {y}, {z})" if z > 1 else f"({x}, {y})"


def total(evidence: Evidence) -> str:
    """The call's totals in a line."""
    return f"{evidence.launches} launches, {evidence.threads:,} threads, {evidence.instructions:,} instructions, {evidence.flops:,} FLOP"
