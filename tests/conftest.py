"""Tests side by side on several GPUs: with `REGRAPHT_TEST_GPUS=2` each process of pytest-xdist takes one of the two in turn."""

import os


def pytest_configure() -> None:
    gpus, worker = os.environ.get("REGRAPHT_TEST_GPUS"), os.environ.get("PYTEST_XDIST_WORKER")
    if gpus and worker:
        os.environ["CUDA_VISIBLE_DEVICES"] = str(int(worker.removeprefix("gw")) % int(gpus))
