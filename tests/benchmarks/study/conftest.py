"""One made-up table for the tests of a study."""

import pytest
from study.landscape.world_table import WorldTable
from study.landscape.worlds import World


@pytest.fixture(scope="session")
def world_table():
    return WorldTable(World.draw(2).task(1, 0), paths=40)
