"""Tests side by side on several GPUs: with `REGRAPHT_TEST_GPUS=0,1` each process of pytest-xdist takes one of the two in turn.

`--hypothesis-profile repeatable`, which `make test` asks for, draws the same examples every time, also where a test takes its seed from
`random`: a change is judged by what it changes. Without it, as in the long tests, new ones are drawn.

`--slice 3/8` runs the third of eight parts of what is selected. A test's part hangs on its own name alone: when others come and go, it
stays where it is, and eight runs in a row still run everything.
"""

import os
import random
import re
import zlib

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> None:
    """Each test's draws depend on its own name alone, not on what ran before it."""
    if request.config.getoption("--hypothesis-profile") == "repeatable":
        random.seed(request.node.nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slice", metavar="K/N", help="run part K of N, from 1/N to N/N, by a hash of each test's name")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--slice")
    if not wanted:
        return
    parts = re.fullmatch(r"(\d+)/(\d+)", wanted)
    number, count = (int(part) for part in parts.groups()) if parts else (0, 0)
    if not 1 <= number <= count:
        raise pytest.UsageError(f"--slice {wanted}: it is K/N with K from 1 to N, such as 3/8")
    others = [item for item in items if zlib.crc32(item.nodeid.encode()) % count != number - 1]
    left_out = set(others)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=others)


def pytest_configure() -> None:
    gpus, worker = os.environ.get("REGRAPHT_TEST_GPUS"), os.environ.get("PYTEST_XDIST_WORKER")
    if gpus and worker:
        names = gpus.split(",")
        os.environ["CUDA_VISIBLE_DEVICES"] = names[int(worker.removeprefix("gw")) % len(names)]
