"""An emulation as one HTML file that needs no network: the source beside heat columns. Everything that a program wrote is escaped."""

from dataclasses import dataclass
from importlib import resources

from regrapht.emulate.emulation import Emulation
from regrapht.records.verdict import Finding
from regrapht.report.emulation import (
    HEADING,
    LineEvidence,
    line_evidence,
    occupancy_text,
    resources_of,
    schedule_name,
)

_MAX_SOURCE_LINES = 5000
_MAX_OUTPUT = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """One figure with its heat, 0 (as good as it gets) to 1."""

    text: str
    heat: float
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One source line."""

    number: int
    text: str
    sectors: _Cell | None
    ways: _Cell | None
    lanes: _Cell | None
    instructions: _Cell | None
    flops: _Cell | None
    findings: tuple[Finding, ...]
    others: tuple[Finding, ...]
    """Findings whose other access is here."""


def render_emulation(emulation: Emulation) -> str:
    """The whole page as HTML text."""
    import jinja2

    text = resources.files("regrapht.report").joinpath("templates/emulation.html.jinja").read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    evidence = emulation.evidence
    kernels = [(k, occupancy_text(k, resources_of(k, emulation))) for k in evidence.kernels] if evidence else []
    return environment.from_string(text).render(
        emulation=emulation,
        heading=HEADING,
        evidence=evidence,
        kernels=kernels,
        rows=_rows(emulation),
        cut=len(emulation.source.splitlines()) - _MAX_SOURCE_LINES,
        placeless=[finding for finding in emulation.findings if not finding.line],
        outputs=_outputs(emulation),
        schedule_name=schedule_name,
    )


def _rows(emulation: Emulation) -> list[_Row]:
    evidence = line_evidence(emulation)
    total = sum(each.instructions for each in evidence.values())
    rows = []
    for number, text in enumerate(emulation.source.splitlines()[:_MAX_SOURCE_LINES], start=1):
        rows.append(
            _Row(
                number=number,
                text=text,
                findings=tuple(f for f in emulation.findings if f.line == number),
                others=tuple(f for f in emulation.findings if f.other_line == number and f.line != number),
                **_cells(evidence.get(number), total),
            )
        )
    return rows


def _cells(line: LineEvidence | None, total: int) -> dict[str, _Cell | None]:
    """The line's figures; the heat of a ratio is its distance from the ideal, that of instructions their share."""
    if line is None:
        return dict.fromkeys(("sectors", "ways", "lanes", "instructions", "flops"))
    sectors = ways = lanes = instructions = flops = None
    if line.sectors is not None and line.ideal_sectors:
        excess = line.sectors / line.ideal_sectors
        sectors = _Cell(
            text=f"{line.sectors:.1f}",
            heat=_heat(excess),
            title=f"ideal {line.ideal_sectors:.1f}, {excess:.1f} times that",
        )
    if line.ways is not None:
        ways = _Cell(text=f"{line.ways:.1f}", heat=_heat(line.ways), title="bank passes for each that is needed")
    if line.lanes is not None:
        lanes = _Cell(text=f"{line.lanes:.0f}", heat=max(0.0, 1 - line.lanes / 32), title=f"{line.lanes:.2f} of 32")
    if line.instructions:
        share = line.instructions / max(1, total)
        instructions = _Cell(
            text=_short(line.instructions), heat=share, title=f"{line.instructions:,}, {share:.0%} of all"
        )
    if line.flops:
        flops = _Cell(text=_short(line.flops), heat=0.0, title=f"{line.flops:,}")
    return {"sectors": sectors, "ways": ways, "lanes": lanes, "instructions": instructions, "flops": flops}


def _heat(ratio: float) -> float:
    """0 at the ideal, 1 at eight times it and beyond."""
    return min(1.0, max(0.0, (ratio - 1) / 7))


def _short(count: int) -> str:
    """`1.2 M`."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return str(count)


def _outputs(emulation: Emulation) -> list[tuple[str, str]]:
    """(which runs, what they printed), equal ones once."""
    found: dict[str, list[str]] = {}
    for run in emulation.runs:
        printed = "\n".join(part for part in (run.output.rstrip(), run.errors.rstrip()) if part)
        if printed:
            found.setdefault(printed[:_MAX_OUTPUT], []).append(schedule_name(run))
    return [("; ".join(names), printed) for printed, names in found.items()]
