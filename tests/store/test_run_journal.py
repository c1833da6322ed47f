"""One run of a store, as a loop writes to it."""

import pytest

from regrapht.store.run_journal import RunJournal
from regrapht.store.runs import RunStore


def test_what_is_appended_is_the_runs(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, other = (store.create(made.settings(), made.YARDSTICK) for _ in range(2))
        journal = RunJournal(store, run.id)
        assert [journal.append(event) for event in made.story(1)] == list(range(1, len(made.story(1)) + 1))
        assert list(store.events(run.id)) == list(made.story(1)) and store.events(other.id) == ()
        with pytest.raises(ValueError, match="for the second time"):
            journal.append(made.story(1)[0])
