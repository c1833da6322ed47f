"""The journal of one run: its place in the store, as a loop writes events to it."""

from dataclasses import dataclass

from regrapht.records.run import Event
from regrapht.store.runs import RunStore


@dataclass(frozen=True, slots=True)
class RunJournal:
    """Where the events of one run of a store are kept. The store's lease on that run has to be held."""

    store: RunStore
    run_id: str

    def append(self, event: Event) -> int:
        """Keep an event; on the disk when this returns its number. Raises what `RunStore.append` raises."""
        return self.store.append(self.run_id, event)
