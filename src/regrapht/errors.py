"""Every exception of regrapht.

A bad candidate is data (a `Verdict` with a status), never an exception. Exceptions are for what the user can mend, for a machine
or a service that is missing, and for files that are damaged.

    RegraphtError
    +-- UserFixable            message only, exit code 2, no traceback
    |   +-- ConfigError          an option or a setting makes no sense
    |   +-- TaskError            task.toml or the code it names; says file, key and remedy
    |   +-- InvalidTask          the task loads, but its reference does not build, crashes, or never ends
    |   +-- PrerequisiteMissing  a tool is not installed; names the command that installs it
    |   +-- UnknownName          a name that no registry knows ("did you mean")
    |   +-- PluginError          a search, proposer or judge that is not ours fails; names it and the line
    |   +-- CannotTransform      the transform engine cannot take this function: line, reason, what would help
    |   +-- SchemaError          a file of ours is newer, older than supported, or damaged
    |       +-- DamagedFile        it is not what was written
    +-- Unavailable            the machine's or a service's fault; retried or parked, never a verdict; exit code 3
    |   +-- EvaluatorUnavailable
    |   +-- ModelUnavailable
    |   +-- StoreUnavailable
    +-- ModelRefused           the provider declined for good (quota, authorisation, unknown model); exit code 3
    |   +-- PromptTooLong        one prompt and its reply do not fit into the model's context; others may
    +-- TemplateError          a prompt template and its variables disagree: our bug
"""


class RegraphtError(Exception):
    """The root of everything that regrapht raises on purpose."""


class UserFixable(RegraphtError):
    """Something that the user can mend. The message says how; no traceback is shown."""


class ConfigError(UserFixable):
    """An option, a setting or a combination of them makes no sense."""


class TaskError(UserFixable):
    """A task description is wrong. The message names the file, the key and the remedy."""

    def __init__(self, message: str, *, file: str, key: str | None = None, remedy: str | None = None) -> None:
        self.file, self.key, self.remedy = file, key, remedy
        where = f"{file}: {key}" if key else file
        super().__init__(f"{where}: {message}" + (f" ({remedy})" if remedy else ""))


class InvalidTask(UserFixable):
    """The task loads, but what it defines as right cannot be computed: its reference does not build, crashes or never ends."""


class PrerequisiteMissing(UserFixable):
    """A tool that this step needs is not on the machine. The message names the command that installs it."""


class UnknownName(UserFixable):
    """No registry knows this name. The message lists what is known and the nearest match."""


class PluginError(UserFixable):
    """A search, a proposer or a judge of somebody else's cannot be loaded, lacks a method, or fails. The message names it and the line."""


class CannotTransform(UserFixable):
    """The transform engine cannot take this function, and says where, why, and what would help."""

    def __init__(
        self,
        reason: str,
        *,
        line: int | None = None,
        remedy: str | None = None,
        file: str | None = None,
        quoted: str | None = None,
    ) -> None:
        self.reason, self.line, self.remedy = reason, line, remedy
        where = f"line {line}: " if line is not None else ""
        if file is not None:
            where = f"{file}:{line}: " if line is not None else f"{file}: "
        what_helps = f" ({remedy})" if remedy else ""
        super().__init__(f"{where}{reason}{what_helps}" + (f"\n  {quoted}" if quoted else ""))


class SchemaError(UserFixable):
    """A file that regrapht wrote is damaged, or of a version that this one does not read."""


class DamagedFile(SchemaError):
    """A file that regrapht wrote is not what it wrote. What can be made again is made again; the rest is told to the user."""


class Unavailable(RegraphtError):
    """The machine or a service failed. Never counts for or against a candidate."""


class EvaluatorUnavailable(Unavailable):
    """The judge could not run: no compiler, no GPU, a lost device, a sandbox that does not start."""


class ModelUnavailable(Unavailable):
    """The model's endpoint is down, overloaded or out of its deadline, after all retries."""


class StoreUnavailable(Unavailable):
    """The store cannot be read or written: locked, full, no permission."""


class ModelRefused(RegraphtError):
    """The provider declined for good: no quota, no authorisation, unknown model. Retrying cannot help."""


class PromptTooLong(ModelRefused):
    """One prompt and the reply that was asked for do not fit into the model's context. That is said of the prompt, not of the model."""


class TemplateError(RegraphtError):
    """A prompt template and its variables disagree. This is a bug of regrapht."""


def as_plain(error: BaseException) -> dict[str, str]:
    """An error for programs: its kind by the name above, what is wrong, and what helps. What is no error of ours is `internal`."""
    if not isinstance(error, RegraphtError):
        return {
            "kind": "internal",
            "message": f"{type(error).__name__}: {error}",
            "remedy": "this is a fault of regrapht: report it",
        }
    remedy = getattr(error, "remedy", None)
    if remedy is None and isinstance(error, Unavailable):
        remedy = "ask again once the machine or the service is there; nothing was held against a program"
    if remedy is None and isinstance(error, ModelRefused):
        remedy = "mend what the model's provider names, or ask another model"
    return {"kind": type(error).__name__, "message": str(error), "remedy": remedy or "the message says what to change"}
