"""The small landscape that is made by hand for the tests of its files, as a table."""

import pytest
from study.landscape.table import RecordedTable

from ....bench.landscape.conftest import graph, landscape

__all__ = ["graph", "landscape"]


@pytest.fixture
def table(landscape, graph):
    return RecordedTable(landscape, graph)
