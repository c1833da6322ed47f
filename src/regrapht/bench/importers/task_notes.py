"""What an imported task says of itself to people: comments at the head of `task.toml`, and a README."""

from collections.abc import Sequence

from regrapht.bench.importers.imported import Defect


def head_comments(origin: str, protocol: str, notes: Sequence[str], defects: Sequence[Defect]) -> str:
    """Lines of comment, each ended.

    Args:
        origin: Such as `ParEval problem 55_transform_relu`.
        protocol: What figures from the task are not.
    """
    lines = [f"{origin}, {protocol}.", *(f"Note: {note}." for note in notes)]
    lines += [f"Known defect ({one.matter}): {one.finding}." for one in defects]
    return "".join(f"# {line}\n" for line in lines)


def readme_text(origin: str, protocol: str, notes: Sequence[str], defects: Sequence[Defect]) -> str:
    """The README, with a table of the known defects."""
    lines = [f"# {origin}", "", f"Imported, {protocol}.", "", *(f"* {note[0].upper()}{note[1:]}." for note in notes)]
    if defects:
        lines += [
            "",
            "## Known defects of the source",
            "",
            "| finding | for this task | what the import does |",
            "|---|---|---|",
        ]
        lines += [f"| {one.finding} | {one.matter} | {one.answer or '-'} |" for one in defects]
    return "\n".join(lines) + "\n"
