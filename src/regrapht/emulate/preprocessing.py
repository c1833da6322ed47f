"""What the emulator's compiler makes of a candidate's directives, for those who judge what is included and named."""

from dataclasses import dataclass

from regrapht.emulate.toolchain import UMBRELLA, Toolchain
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

SOURCE_NAME = "candidate.cu"
_LIMITS = Limits(wall_s=30, memory_bytes=2 * 2**30)
_MOST_BYTES = 32 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Preprocessed:
    """A candidate's text as its compiler reads it, headers written out and every `#include` kept beside what it brought."""

    text: str
    complete: bool
    """False where the preprocessor stopped with an error or at a limit."""
    errors: str


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
    return Preprocessed(text=text, complete=done.ok and "out" in done.files, errors=done.stderr)
