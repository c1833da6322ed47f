"""What the emulator's compiler makes of a candidate's directives, for those who judge what is included and named."""

from dataclasses import dataclass

from regrapht.emulate.toolchain import UMBRELLA, Toolchain
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox

SOURCE_NAME = "candidate.cu"
_MOST_BYTES, _MOST_S, _MOST_MEMORY = 32 * 2**20, 2, 2**29
_LIMITS = Limits(wall_s=30, cpu_s=_MOST_S, memory_bytes=_MOST_MEMORY, file_bytes=_MOST_BYTES)
_ENDED = (
    ("CPU time limit exceeded", f"takes the preprocessor more than {_MOST_S} s"),
    ("File size limit exceeded", f"has more than {_MOST_BYTES} bytes"),
    ("out of memory", f"takes the preprocessor more than {_MOST_MEMORY} bytes of memory"),
)
"""What g++ says of a preprocessor that was ended at a limit, and what that means; clang has its own, without a limit named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preprocessed:
    """A candidate's text as its compiler reads it, headers written out and every `#include` kept beside what it brought."""

    text: str
    complete: bool
    """False where the preprocessor stopped with an error or at a limit."""
    errors: str
    too_much: str | None = None
    """What of the written out text is beyond a limit, where that ended the preprocessor."""


def preprocess(source: str, *, sandbox: Sandbox, tools: Toolchain) -> Preprocessed:
    """Run only the preprocessor, 0.05 to 0.1 s.

    Raises:
        EvaluatorUnavailable: The sandbox did not start.
    """
    umbrella = () if tools.clang else ("-include", UMBRELLA, "-fpch-preprocess")
    argv = (
        tools.compiler,
        *tools.flags,
        *tools.include,
        *umbrella,
        "-x",
        "c++",
        "-E",
        "-dI",
        "-fno-working-directory",
        SOURCE_NAME,
        "-o",
        "out",
    )
    command = Command(
        argv=argv,
        files={SOURCE_NAME: source.encode()},
        collect=("out",),
        collect_limit_bytes=_MOST_BYTES,
        read_only=(tools.folder,),
        environment={"LC_ALL": "C"},
    )
    done = sandbox.run(command, _LIMITS)
    text = done.files.get("out", b"").decode(errors="replace")
    return Preprocessed(
        text=text, complete=done.ok and "out" in done.files, errors=done.stderr, too_much=_beyond_limit(done)
    )


def _beyond_limit(done: Completed) -> str | None:
    if done.stopped == "memory":
        return _ENDED[-1][1]
    if done.stopped is not None:
        return f"was stopped at a limit of the preprocessor: {done.stopped}"
    return None if done.ok else next((meaning for said, meaning in _ENDED if said in done.stderr), None)
