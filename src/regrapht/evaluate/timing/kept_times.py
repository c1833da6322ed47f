"""Times of baselines on this machine, kept for a week: a process that judges a known task need not run its slow programs again."""

import hashlib
import json
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regrapht import settings
from regrapht.errors import SchemaError
from regrapht.records.encoding import parse_strict
from regrapht.records.measurement import TimingSamples
from regrapht.records.task import Sizes

_KEPT_S = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTime:
    """Samples of one baseline at one shape."""

    samples: TimingSamples | None
    """None of a program that is too slow to be timed."""
    ordinary_us: float | None
    """What the work around a call takes there by the parent's clock; None for programs that no harness runs."""
    latency_us: float = 0.0
    """What a command to the harness takes by itself."""
    around_us: float | None = None
    """What the work around a call takes where there is no call."""


class BaselineTimes:
    """Baseline times in the cache folder.

    Args:
        machine: Everything that a time depends on besides program and shape: devices, driver, compiler, the judge's protocol.
    """

    def __init__(self, machine: str) -> None:
        self._machine = machine

    def load(self, task_hash: str, program: str, sizes: Sizes) -> BaselineTime | None:
        """The kept times; None when there are none, they are older than a week, or their file is damaged."""
        path = self._path(task_hash, program, sizes)
        try:
            if time.time() - path.stat().st_mtime > _KEPT_S:
                return None
            plain = parse_strict(path.read_bytes())
            times, ordinary = tuple(float(t) for t in plain["samples_us"]), plain["ordinary_us"]
            samples = TimingSamples(samples_us=times) if times else None
            return BaselineTime(
                samples=samples,
                ordinary_us=None if ordinary is None else float(ordinary),
                latency_us=float(plain["latency_us"]),
                around_us=None if plain["around_us"] is None else float(plain["around_us"]),
            )
        except (FileNotFoundError, SchemaError, KeyError, TypeError, ValueError):
            return None

    def save(self, task_hash: str, program: str, sizes: Sizes, found: BaselineTime) -> None:
        """Keep times, in place of earlier ones."""
        times = found.samples.samples_us if found.samples is not None else ()
        plain = {
            "samples_us": list(times),
            "ordinary_us": found.ordinary_us,
            "latency_us": found.latency_us,
            "around_us": found.around_us,
        }
        self._write(self._path(task_hash, program, sizes), plain)

    def load_shape(self, task_hash: str, program: str) -> Sizes | None:
        """The bench shape that was scaled up for a task without one; None when there is none yet, or it is over a week old."""
        path = self._path(task_hash, program, {})
        try:
            if time.time() - path.stat().st_mtime > _KEPT_S:
                return None
            return {str(name): int(value) for name, value in parse_strict(path.read_bytes())["sizes"].items()}
        except (FileNotFoundError, SchemaError, KeyError, TypeError, ValueError, AttributeError):
            return None

    def save_shape(self, task_hash: str, program: str, sizes: Sizes) -> None:
        """Keep a bench shape, in place of an earlier one."""
        self._write(self._path(task_hash, program, {}), {"sizes": dict(sizes)})

    def _write(self, path: Path, plain: Mapping[str, object]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        temporary.write_text(json.dumps(plain))
        temporary.replace(path)

    def _path(self, task_hash: str, program: str, sizes: Sizes) -> Path:
        key = json.dumps([self._machine, task_hash, program, sorted(sizes.items())])
        return settings.cache() / "baseline_times" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
