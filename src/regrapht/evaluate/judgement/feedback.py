"""What a proposer is told: written to act on, capped, paths scrubbed. Never an expected value, a seed or a hidden shape."""

import re
from collections.abc import Sequence

from regrapht.emulate.finding_groups import FindingGroup
from regrapht.records.measurement import ShapeTiming
from regrapht.records.task import Sizes
from regrapht.records.verdict import AccessSite, Evidence, Finding, KernelResources
from regrapht.sandbox.escaping import escape

LIMIT = 4000
_PATH = re.compile(r"(?<![\w<\"])/(?:[\w.+-]+/)+([\w.+-]*)")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


def scrub(text: str, *, limit: int = LIMIT) -> str:
    """Text of a tool or of a candidate, fit to be shown: control characters escaped, no folders, no addresses, capped."""
    text = _PATH.sub(r"\1", escape(text.encode("utf-8", "backslashreplace")))
    text = _ADDRESS.sub("0x...", text)
    return text if len(text) <= limit else text[: limit - 20] + "\n[... cut]"


def shape_text(sizes: Sizes) -> str:
    """`M=17 N=33`."""
    return " ".join(f"{name}={value}" for name, value in sizes.items())


def fault(finding: Finding) -> str:
    """On a memory fault: its lines, meaning and the smallest change that mends it."""
    lines = "" if finding.line is None else f" at line {finding.line}"
    if finding.other_line is not None and finding.other_line != finding.line:
        lines += f" and line {finding.other_line}"
    kernel = f" in kernel {finding.kernel}" if finding.kernel else ""
    return scrub(f"{finding.checker}: {finding.message}{lines}{kernel}. {finding.hint}".strip())


def fault_group(group: FindingGroup) -> str:
    """On memory faults of one cause: the first one, and where else the same change is needed."""
    told = fault(group.first)
    return scrub(f"{told} Of the same cause: {group.places}." if group.others else told)


def build_errors(output: str) -> str:
    """On a failed build: the compiler's first errors."""
    lines = output.splitlines()
    errors = [i for i, line in enumerate(lines) if "error" in line.lower()]
    if errors:
        lines = lines[errors[0] :]
    return scrub("\n".join(lines[:40]), limit=3000)


def passed_modelled(evidence: Evidence | None) -> str:
    """On success without a GPU: what the model says costs most."""
    if evidence is None:
        return "Correct."
    parts = [
        f"Correct. Modelled at {shape_text(evidence.sizes)}: cost {evidence.modelled_cost:.4g}, {evidence.launches} launches, "
        f"{evidence.global_sectors} sectors of global memory moved where {evidence.ideal_global_sectors} would do, "
        f"{evidence.shared_passes} passes of shared memory where {evidence.ideal_shared_passes} would do, "
        f"{evidence.barriers} barriers."
    ]
    if evidence.divergence is not None:
        parts.append(f"Share of lanes that work: {evidence.divergence:.0%}.")
    parts += [_site(site) for site in _worst_sites(evidence.sites)]
    return scrub("\n".join(parts))


def passed_timed(timing: Sequence[ShapeTiming], resources: Sequence[KernelResources], evidence: Evidence | None) -> str:
    """On success with measured times."""
    parts = ["Correct."]
    for shape in timing:
        low, high = shape.candidate.median_interval_us
        line = f"{shape_text(shape.sizes)}: {shape.candidate.median_us:.4g} us (95 % of the median within {low:.4g} to {high:.4g})"
        if shape.floor_fraction is not None:
            line += f", {shape.floor_fraction:.0%} of the speed of light"
        ratios = ", ".join(f"{ratio.value:.3g} x {ratio.against}" for ratio in shape.ratios)
        parts.append(line + (f", {ratios}" if ratios else "") + ".")
    for kernel in resources:
        parts.append(
            f"{kernel.name}: {kernel.registers_per_thread} registers, {kernel.static_shared_bytes} bytes of shared memory, "
            f"{kernel.spill_bytes} bytes spilled."
        )
    if evidence is not None:
        parts += [_site(site) for site in _worst_sites(evidence.sites)]
    return scrub("\n".join(parts))


def _worst_sites(sites: Sequence[AccessSite], *, count: int = 3) -> list[AccessSite]:
    wasteful = [site for site in sites if site.ideal_transactions and site.transactions > 1.2 * site.ideal_transactions]
    return sorted(wasteful, key=lambda site: site.ideal_transactions - site.transactions)[:count]


def _site(site: AccessSite) -> str:
    unit = "sectors" if site.space == "global" else "bank passes"
    return (
        f"Line {site.line}: {site.space} {site.kind} takes {site.transactions} {unit} where {site.ideal_transactions} would do "
        f"({site.transactions / site.ideal_transactions:.1f} x), {site.active_lanes:.0f} of 32 lanes active."
    )
