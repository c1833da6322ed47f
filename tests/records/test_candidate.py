"""Candidates that cannot be are refused when they are made."""

import pytest

from regrapht.records.candidate import Candidate, NoSource, Origin

ORIGIN = Origin(proposer="hand", seconds=0.0)


def test_text_that_no_file_can_hold_is_no_source():
    with pytest.raises(ValueError, match="surrogates"):
        Candidate(source="int a; // \ud800", program_hash="0", origin=ORIGIN)


def test_the_id_is_that_of_the_text():
    one, two = (Candidate(source=text, program_hash="0", origin=ORIGIN) for text in ("int a;", "int  a;"))
    assert one.id != two.id and len(one.id) == 64
    none = Candidate(source=None, program_hash=None, origin=ORIGIN, no_source=NoSource.SKIPPED, reason="why")
    assert none.id not in (one.id, two.id)
