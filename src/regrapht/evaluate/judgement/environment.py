"""This machine and its tools, as verdicts record them."""

import platform
import re
import subprocess
from functools import cache
from pathlib import Path

from regrapht import settings
from regrapht.sandbox.sandbox import Sandbox
from regrapht.version import VERSION


@cache
def cpu_name() -> str:
    """The processor's model name."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1].strip() if match else platform.machine()


@cache
def tool_versions() -> dict[str, str]:
    """regrapht, python and the C++ compiler."""
    return {"regrapht": VERSION, "python": platform.python_version(), "g++": _compiler_version(settings.cxx())}


def sandbox_version(sandbox: Sandbox) -> dict[str, str]:
    """What ran the programs, with what it does not enforce: a verdict made with less is not one made with more."""
    return {"sandbox": " ".join((sandbox.name, *sandbox.labels))}


def _compiler_version(compiler: str) -> str:
    # The compiler itself is trusted; it reads nothing here.
    try:
        done = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "missing"
    return done.stdout.strip() or "unknown"
