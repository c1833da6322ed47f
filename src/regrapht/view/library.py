"""What there is to look at: the store's runs, files of experiments, the reasoning graph. Each is opened when it is first shown."""

import functools
from dataclasses import dataclass
from pathlib import Path

from regrapht.assemble import open_graph
from regrapht.bench.experiment.results import RESULTS, read_results
from regrapht.bench.summary.tables import Tables, tabulate
from regrapht.errors import ConfigError, UnknownName
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.store.reader import StoreReader


@dataclass(frozen=True, slots=True)
class Shown:
    """An experiment by name."""

    name: str
    file: Path


class Library:
    """See the module.

    Args:
        home: The folder of the store.
        experiments: Folders of `bench run`, whose own stores are shown too, or files of results.
        graph: A graph's file; None is the shipped one.
    """

    def __init__(self, home: Path, experiments: tuple[Path, ...] = (), graph: Path | None = None) -> None:
        self.experiments = [_shown(path) for path in experiments]
        folders = [home, *(path for path in experiments if path.is_dir())]
        self.readers = {
            str(number): StoreReader(folder)
            for number, folder in enumerate(folders)
            if (folder / "runs.sqlite3").is_file()
        }
        if not self.readers and not self.experiments:
            raise ConfigError(
                f"there are no runs in {home}: `regrapht optimize` makes some, and `regrapht view FOLDER` shows an experiment"
            )
        self._graph = graph

    @functools.cached_property
    def graph(self) -> TechniqueGraph:
        """The reasoning graph."""
        return open_graph(self._graph)

    def tables(self, number: int) -> Tables:
        """The tables of an experiment as its file is now.

        Raises:
            UnknownName: There is none of this number.
            SchemaError: It is damaged.
        """
        if not 0 <= number < len(self.experiments):
            raise UnknownName(f"there is no experiment {number} here")
        return tabulate(*read_results(self.experiments[number].file))

    def close(self) -> None:
        for reader in self.readers.values():
            reader.close()


def _shown(path: Path) -> Shown:
    file = path / RESULTS if path.is_dir() else path
    if not file.is_file():
        raise ConfigError(f"there is no {file}: name a folder of `regrapht bench run`, or its file of results")
    read_results(file)  # what is wrong with it is said before anything is served
    return Shown(name=path.name if path.is_dir() else path.stem, file=file)
