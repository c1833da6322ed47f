"""Tests side by side on several GPUs: with `REGRAPHT_TEST_GPUS=0,1` each process of pytest-xdist takes one of the two in turn."""

import os


def pytest_configure() -> None:
    gpus, worker = os.environ.get("REGRAPHT_TEST_GPUS"), os.environ.get("PYTEST_XDIST_WORKER")
    if gpus and worker:
        names = gpus.split(",")
        os.environ["CUDA_VISIBLE_DEVICES"] = names[int(worker.removeprefix("gw")) % len(names)]
