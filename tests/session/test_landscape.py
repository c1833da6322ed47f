"""Recording a landscape: what is refused before anything is judged."""

import pytest

from regrapht.bench.landscape.records import Extent
from regrapht.errors import ConfigError
from regrapht.session.landscape import RecordRequest, journal_of, record


def test_a_file_that_exists_is_not_recorded_over(tmp_path):
    out = tmp_path / "landscape.json"
    out.write_text("{}")
    with pytest.raises(ConfigError, match="name another file with --out, or delete it"):
        record(RecordRequest(path=tmp_path, out=out, extent=Extent()))
    assert out.read_text() == "{}" and not journal_of(out).exists()


def test_the_journal_lies_beside_the_file(tmp_path):
    assert journal_of(tmp_path / "l.json") == tmp_path / "l.json.part"
