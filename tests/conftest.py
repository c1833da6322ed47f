"""Tests side by side on several GPUs: with `REGRAPHT_TEST_GPUS=0,1` each process of pytest-xdist takes one of the two in turn.

`--hypothesis-profile repeatable`, which `make test` asks for, draws the same examples every time: a change is judged by what it changes.
The long tests draw new ones.
"""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)


def pytest_configure() -> None:
    gpus, worker = os.environ.get("REGRAPHT_TEST_GPUS"), os.environ.get("PYTEST_XDIST_WORKER")
    if gpus and worker:
        names = gpus.split(",")
        os.environ["CUDA_VISIBLE_DEVICES"] = names[int(worker.removeprefix("gw")) % len(names)]
