"""Tests side by side on several GPUs: with `REGRAPHT_TEST_GPUS=0,1` each process of pytest-xdist takes one of the two in turn.

`--hypothesis-profile repeatable`, which `make test` asks for, draws the same examples every time, also where a test takes its seed from
`random`: a change is judged by what it changes. Without it, as in the long tests, new ones are drawn, unless `REGRAPHT_TEST_SEED` is set:
the same number draws the same, so that a commit's run in CI, whose seed is the commit's day, can be had again, and other days draw others.

`long_tests.txt` names tests that take long; they count as marked `slow`, whatever file they stand in.

`--slice 3/8` runs the third of eight parts of what is selected. A test's part hangs on its own name alone: when others come and go, it
stays where it is, and eight runs in a row still run everything.
"""

import os
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long a machine takes to draw an example says nothing of the project.
_ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", _ANY_SPEED)
settings.register_profile("repeatable", _ANY_SPEED, derandomize=True)
settings.load_profile("default")
RUN_SEED = os.environ.get("REGRAPHT_TEST_SEED", "")
_LINES = (Path(__file__).parent / "long_tests.txt").read_text(encoding="utf-8").splitlines()
LONG_TESTS = frozenset(line for line in _LINES if line and not line.startswith("#"))


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> None:
    """Each test's draws depend on its own name, and on the run's seed, alone, not on what ran before it."""
    if request.config.getoption("--hypothesis-profile") == "repeatable":
        random.seed(request.node.nodeid)
    elif RUN_SEED:
        random.seed(f"{RUN_SEED}/{request.node.nodeid}")


def pytest_report_header() -> str:
    return f"draws of REGRAPHT_TEST_SEED={RUN_SEED}" if RUN_SEED else "new draws; REGRAPHT_TEST_SEED=N repeats a run's"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slice", metavar="K/N", help="run part K of N, from 1/N to N/N, by a hash of each test's name")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Marks the long tests before pytest selects by marks, and takes a slice of what is left after it."""
    for item in items:
        if item.nodeid in LONG_TESTS:
            item.add_marker(pytest.mark.slow)
    _require_known(config, items)
    yield
    _keep_slice(config, items)


def _require_known(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Names that no test has are an error, where all of a file's tests were collected: a test renamed would be a quick one again."""
    if any("::" in argument for argument in config.args):
        return
    files = {item.nodeid.partition("::")[0] for item in items}
    known = {item.nodeid for item in items}
    if gone := sorted(name for name in LONG_TESTS - known if name.partition("::")[0] in files):
        raise pytest.UsageError(f"tests/long_tests.txt names tests that are not there: {', '.join(gone[:5])}")


def _keep_slice(config: pytest.Config, items: list[pytest.Item]) -> None:
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
