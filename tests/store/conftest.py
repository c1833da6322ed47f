import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def made():
    """The records of run_writer.py, which tests and killed processes share."""
    path = Path(__file__).with_name("run_writer.py")
    spec = importlib.util.spec_from_file_location("run_writer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
