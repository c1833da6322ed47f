"""Every search that is built in keeps the promises of the protocol."""

import pytest

from regrapht.search import SEARCHES
from regrapht.testing.search_conformance import SearchConformance

DERIVED = {"shuffled-graph", "method-only", "no-prior", "no-repair", "no-hardware", "cot"}
"""Those that only set other dials of another search: in the long suite."""
NAMES = [pytest.param(n, marks=pytest.mark.slow) if n in DERIVED else n for n in SEARCHES.builtin]


@pytest.mark.parametrize("name", NAMES)
class TestBuiltIn(SearchConformance):
    @pytest.fixture
    def make_search(self, name):
        return SEARCHES.load(name)
