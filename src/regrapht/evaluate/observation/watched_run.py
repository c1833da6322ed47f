"""An instrumented reference, built with the compiler's access hooks and run in the sandbox on drawn inputs."""

import threading
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from regrapht import settings
from regrapht.errors import CannotTransform
from regrapht.evaluate.build.compile import Built, build, cpu_harness
from regrapht.evaluate.inputs.drawing import Case, as_call, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.endings import ending_of
from regrapht.evaluate.reference.source import Variant, unit
from regrapht.records.task import Sizes, Task
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.sandbox.wire import Exchange
from regrapht.transform.verbatim.observations import Observations, read_watched

REPORT = "watched"
_DRAWS = 3
_MOST_BYTES = 64 * 2**20
"""Of the arrays of one call: a watched access takes tens of nanoseconds, and as much memory as it has bytes, twenty times."""
_HOOKS = ("-std=c++17", "-O2", "-fPIC", "-c")
_FLAGS = ("-O1", "-w", "-fPIC", "-c", "-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0")
_PLAIN_ACCESSES = (
    "-fno-tree-vectorize",
    "-fno-tree-loop-distribute-patterns",
    "-fno-inline-small-functions",
    "-fno-builtin",
)


class WatchedRuns:
    """Builds and runs instrumented references. Safe to use from several threads."""

    def __init__(self, sandbox: Sandbox, *, wall_s: float = 20.0) -> None:
        self._sandbox, self._wall_s = sandbox, wall_s
        self._hooks: bytes | None = None
        self._lock = threading.Lock()

    def __call__(self, task: Task, text: str) -> Observations:
        """What the loops of `text` did on some draws of every check shape.

        Raises:
            CannotTransform: It does not build, or does not come to an end even at the smallest shape.
        """
        library = self._built(task, text)
        shapes = sorted(task.check_sizes, key=task.work.amount)
        shapes = [sizes for sizes in shapes if sum(a.size_bytes(sizes) for a in task.parameters) <= _MOST_BYTES]
        if not shapes:
            raise CannotTransform("every check shape is too large for an instrumented run")
        cases = [(sizes, k) for k in range(_DRAWS) for sizes in shapes]
        report = self._run(task, library, cases)
        return read_watched(report, sizes=tuple(_shown(sizes) for sizes, _ in cases))

    def refuted(self, task: Task, program_hash: str) -> str | None:
        """Nothing: runs alone remember nothing."""
        return None

    def _built(self, task: Task, text: str) -> bytes:
        hooks = files("regrapht.transform.verbatim").joinpath("runtime")
        source = replace(task.reference.source, text=text)
        parts = unit(task, source, Variant.AS_WRITTEN)
        kept = tuple(flag for flag in parts.flags if flag != "-shared" and not flag.startswith("-O"))
        sources = {**parts.files, "watch.h": hooks.joinpath("watch.h").read_bytes()}
        folders = tuple(Path(folder) for folder in task.reference.include)
        argv = (settings.cxx(), "-x", "c++", *kept, *_FLAGS, *_PLAIN_ACCESSES, "-o", "unit.o", parts.main)
        made = _required(build(self._sandbox, argv, sources, output="unit.o", read_only=folders))
        with self._lock:
            if self._hooks is None:
                watch = {"watch.cpp": hooks.joinpath("watch.cpp").read_bytes()}
                built = build(
                    self._sandbox, (settings.cxx(), *_HOOKS, "-o", "watch.o", "watch.cpp"), watch, output="watch.o"
                )
                self._hooks = _required(built)
        wraps = ",".join(f"--wrap={name}" for name in ("memcpy", "memmove", "memset"))
        link = (settings.cxx(), "-shared", f"-Wl,{wraps},-Bsymbolic", "-o", "watched.so", "unit.o", "watch.o", "-lm")
        return _required(build(self._sandbox, link, {"unit.o": made, "watch.o": self._hooks}, output="watched.so"))

    def _run(self, task: Task, library: bytes, cases: list[tuple[Sizes, int]]) -> str:
        secret = secret_from(f"watched {task.content_hash}")
        inputs = [
            draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=secret, index=index)
            for index, (sizes, _) in enumerate(cases)
        ]
        calls = [as_call(task, one, return_inputs=False) for one in inputs]
        with Exchange(task.parameters, calls) as exchange:
            completed = self._sandbox.run(
                Command(
                    argv=("./harness", "./watched.so", "right"),
                    files={"harness": cpu_harness(self._sandbox), "watched.so": library},
                    descriptors=exchange.descriptors,
                    collect=(REPORT,),
                ),
                Limits(wall_s=self._wall_s, memory_bytes=8 * 2**30, output_bytes=2**16),
            )
        if REPORT not in completed.files:
            raise CannotTransform(f"an instrumented run of the reference {ending_of(completed, self._wall_s)}")
        return completed.files[REPORT].decode()


def _required(built: Built) -> bytes:
    if built.content is None:
        raise CannotTransform(f"the reference does not build with its accesses watched: {built.first_error}")
    return built.content


def _shown(sizes: Sizes) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items())
