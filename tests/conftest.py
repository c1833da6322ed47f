"""Tests side by side on several GPUs: with `REGRAPHT_TEST_GPUS=0,1` each process of pytest-xdist takes one of the two in turn.

`--hypothesis-profile repeatable`, which `make test` asks for, draws the same examples every time, also where a test takes its seed from
`random`: a change is judged by what it changes. Without it, as in the long tests, new ones are drawn.
"""

import os
import random

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> None:
    """Each test's draws depend on its own name alone, not on what ran before it."""
    if request.config.getoption("--hypothesis-profile") == "repeatable":
        random.seed(request.node.nodeid)


def pytest_configure() -> None:
    gpus, worker = os.environ.get("REGRAPHT_TEST_GPUS"), os.environ.get("PYTEST_XDIST_WORKER")
    if gpus and worker:
        names = gpus.split(",")
        os.environ["CUDA_VISIBLE_DEVICES"] = names[int(worker.removeprefix("gw")) % len(names)]
