"""An instrumented reference, built with the compiler's access hooks and run in the sandbox on drawn inputs."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from regrapht import settings
from regrapht.errors import CannotTransform
from regrapht.evaluate.build.compile import Built, build, cpu_harness
from regrapht.evaluate.inputs.drawing import Case, as_call, draw, secret_from
from regrapht.evaluate.judgement.endings import ending_of
from regrapht.evaluate.observation.watched_cases import is_listed, watched_cases
from regrapht.evaluate.reference.source import Variant, unit
from regrapht.records.task import Sizes, Task
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.sandbox.wire import Exchange
from regrapht.transform.verbatim.observations import Observations, read_watched

REPORT = "watched"
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
        """What the loops of `text` did on the calls of `watched_cases`.

        Raises:
            CannotTransform: It does not build, or does not come to an end even at the smallest shape.
        """
        library, cases = self._built(task, text), watched_cases(task)
        completed, seen = self._run(task, library, cases)
        if not completed.ok and 0 < seen.inputs < len(cases) and not is_listed(cases[seen.inputs]):
            # Not every call that the task does not list makes sense.
            completed, seen = self._run(task, library, [case for case in cases if is_listed(case)])
        if not seen.inputs:
            raise CannotTransform(f"an instrumented run of the reference {ending_of(completed, self._wall_s)}")
        return seen

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

    def _run(self, task: Task, library: bytes, cases: Sequence[Case]) -> tuple[Completed, Observations]:
        """How the run of some calls ended, and what was seen of those that it came to the end of."""
        secret = secret_from(f"watched {task.content_hash}")
        inputs = [draw(task, case, secret=secret, index=index) for index, case in enumerate(cases)]
        calls = [as_call(task, one, return_inputs=False) for one in inputs]
        with Exchange(task.parameters, calls) as exchange:
            completed = self._sandbox.run(
                Command(
                    argv=("./harness", "./watched.so", "right"),
                    files={"harness": cpu_harness(self._sandbox), "watched.so": library},
                    descriptors=exchange.descriptors,
                    collect=(REPORT,),
                ),
                Limits(wall_s=self._wall_s, memory_bytes=8 * 2**30, output_bytes=2**18),
            )
        sizes = tuple(_shown(case.sizes) for case in cases)
        if REPORT not in completed.files:
            return completed, Observations(inputs=0, sizes=(), accesses=0)
        listed = [is_listed(case) for case in cases]
        return completed, read_watched(completed.files[REPORT].decode(), sizes=sizes, listed=listed)


def _required(built: Built) -> bytes:
    if built.content is None:
        raise CannotTransform(f"the reference does not build with its accesses watched: {built.first_error}")
    return built.content


def _shown(sizes: Sizes) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items())
