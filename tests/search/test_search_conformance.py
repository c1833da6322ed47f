"""Every search that is built in keeps the promises of the protocol."""

import pytest

from regrapht.search import SEARCHES
from regrapht.testing.search_conformance import SearchConformance


@pytest.mark.parametrize("name", SEARCHES.builtin)
class TestBuiltIn(SearchConformance):
    @pytest.fixture
    def make_search(self, name):
        return SEARCHES.load(name)
