"""Which sandbox works on this machine. A real start is tried, never assumed."""

from dataclasses import dataclass
from functools import cache

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.bubblewrap import BubblewrapSandbox
from regrapht.sandbox.rlimits import RlimitSandbox
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

_TRIAL = Limits(wall_s=10, memory_bytes=2**28, output_bytes=4096)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The sandbox to use, and why a stronger one is not used."""

    sandbox: Sandbox
    reason: str
    """Empty when it is the strong one."""


@cache
def choose(*, allow_root: bool = False) -> Choice:
    """The strongest sandbox that starts here.

    Raises:
        EvaluatorUnavailable: None does: we are root and cannot give that up, and `allow_root` was not given.
        ConfigError: The C++ compiler lies where no sandbox may look.
    """
    # Tried without the compiler's folder: one that may not be shown is an error of its own, never a reason for a weaker sandbox.
    reason = _why_not(BubblewrapSandbox(toolchains=()))
    if reason is None:
        return Choice(sandbox=BubblewrapSandbox(), reason="")
    weak = RlimitSandbox()
    if (worse := _why_not(weak)) is None:
        return Choice(sandbox=weak, reason=reason)
    if not allow_root:
        raise EvaluatorUnavailable(
            f"no sandbox starts here: {reason}; {worse}. --allow-root runs generated code as root"
        )
    return Choice(sandbox=RlimitSandbox(keep_root=True), reason=f"{reason}; {worse}")


def choose_sandbox(*, allow_root: bool = False) -> Sandbox:
    """As `choose`, the sandbox alone."""
    return choose(allow_root=allow_root).sandbox


def _why_not(sandbox: Sandbox) -> str | None:
    """Why `sandbox` does not run even `true`, or None when it does."""
    try:
        done = sandbox.run(Command(argv=("true",)), _TRIAL)
    except EvaluatorUnavailable as error:
        return str(error)
    return (
        None
        if done.ok
        else f"{sandbox.name} ended with {done.exit_code or done.signal or done.stopped}: {done.stderr.strip()[:200]}"
    )
