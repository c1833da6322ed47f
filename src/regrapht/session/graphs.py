"""Writing the reasoning graph in the forms that other programs read."""

from pathlib import Path

from regrapht.assemble import open_graph
from regrapht.errors import ConfigError
from regrapht.graph.export import export


def export_graph(out: Path, *, graph: Path | None, corpus: Path | None) -> None:
    """Write `out` in the form that its suffix names: `.dot`, `.graphml`, `.json` (Cytoscape), `.svg`, or `.jsonl` for trajectories.

    Raises:
        ConfigError: The suffix is unknown, `.jsonl` lacks a corpus, or the file cannot be written.
    """
    if out.suffix == ".jsonl":
        if corpus is None:
            raise ConfigError("trajectories come from the corpus: add --corpus FOLDER")
        from regrapht.construct.export_trajectories import export_trajectories

        text = export_trajectories(corpus)
    else:
        text = export(open_graph(graph), out.suffix)
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from error
