"""Options that several commands share, and how their texts are read."""

import re
from pathlib import Path
from typing import Annotated

import typer

from regrapht.errors import ConfigError
from regrapht.records.run import Budget
from regrapht.records.user_code import BuildFlags
from regrapht.records.verdict import Level

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Entry = Annotated[str | None, typer.Option("--entry", help="The function, where a bare file has several.")]
Entries = Annotated[
    str | None, typer.Option("--entry", help="The function, where a file has several; or several: --entry a,b.")
]
Every = Annotated[bool, typer.Option("--all", help="Every function of the file that a task can be made of.")]
EvaluatorName = Annotated[
    str | None,
    typer.Option("--evaluator", help="emulated, local_gpu or ssh:HOST; without it the GPU when there is one."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", help="Judge on a cluster of Ray: its address, or local, local:3 for processes of this machine."
    ),
]
ClusterKind = Annotated[
    str | None, typer.Option("--cluster-kind", help="Of a cluster with several kinds of GPU: part of the name of one.")
]
AllowRoot = Annotated[
    bool, typer.Option("--allow-root", help="Run generated code as root where root cannot be given up.")
]
AllowRemote = Annotated[bool, typer.Option("--allow-remote", help="Allow a model endpoint off this machine.")]
Mend = Annotated[
    bool,
    typer.Option(
        "--mend/--no-mend",
        help="With a model: mend faults of form in its replies, and ask for a first kernel alone; --no-mend as in the papers.",
    ),
]
Repair = Annotated[
    bool,
    typer.Option(
        "--repair/--no-repair", help="Ask for repairs of programs that failed; --no-repair to see what they are worth."
    ),
]
ChoiceWeight = Annotated[
    float,
    typer.Option(
        "--choice-weight",
        min=0,
        max=1,
        help="With hybrid: how much of the prior over techniques is what the model chose; 0 does not ask it.",
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts", help="With a model: a folder of templates NAME.md that take the place of ours; their hash is kept."
    ),
]
ResultFolder = Annotated[
    Path | None, typer.Option("--out", help="Folder for the result; default: regrapht-out/TASK-RUN.")
]

Include = Annotated[
    list[Path] | None, typer.Option("-I", help="A folder with headers of the project; may be given several times.")
]
Define = Annotated[list[str] | None, typer.Option("-D", help="A macro as the compiler has it: NAME or NAME=VALUE.")]
Standard = Annotated[str | None, typer.Option("-std", help="The C++ standard of the file, such as c++20.")]
Project = Annotated[
    Path | None,
    typer.Option(
        "--project", help="The project's build folder: its compile_commands.json says -I, -D and -std of the file."
    ),
]
ResidencyName = Annotated[
    str | None,
    typer.Option(
        "--residency",
        help="Where arrays are when it is called: host, device or managed; default: as the task says, else device.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the result that --out has already.")]

_ARCHITECTURE = re.compile(r"sm_(?:[5-9]\d|[1-9]\d\d)[af]?")  # three digits from sm_100 on: sm_12 is a mistaken sm_120


def read_budget(text: str) -> Budget:
    """`20`, or limits such as `candidates=20,seconds=600,usd=1.5`; a bare number counts judged candidates.

    Raises:
        ConfigError: A limit is unknown or given twice, no number, not above 0 or not finite.
    """
    try:
        return Budget.parse(text)
    except ValueError as error:
        raise ConfigError(f"--budget {text}: {error}") from error


def read_cluster(evaluator: str | None, cluster: str | None, kind: str | None) -> str | None:
    """The evaluator that `--evaluator`, `--cluster` and `--cluster-kind` name together.

    Raises:
        ConfigError: They contradict each other.
    """
    if cluster is None:
        if kind is not None:
            raise ConfigError("--cluster-kind goes with --cluster")
        return evaluator
    if evaluator is not None and ":" in evaluator and evaluator.startswith("ssh:"):
        raise ConfigError("--cluster and --evaluator ssh: are two places to judge: choose one")
    if "|" in cluster or not cluster:
        raise ConfigError(f"--cluster {cluster!r} is no address of a cluster")
    return f"ray:{cluster}|{evaluator or ''}|{kind or ''}"


def read_flags(
    include: list[Path] | None, define: list[str] | None, standard: str | None, project: Path | None
) -> BuildFlags:
    """How a file of a project is compiled, as the options say.

    Raises:
        ConfigError: A folder is not there, a macro has no name, or a standard is none of C++.
    """
    for folder in include or ():
        if not folder.is_dir():
            raise ConfigError(f"-I {folder}: there is no such folder")
    for one in define or ():
        if not re.match(r"[A-Za-z_]\w*(\(|=|$)", one):
            raise ConfigError(f"-D {one}: give NAME or NAME=VALUE")
    named = standard.lstrip("=") if standard is not None else None
    if named is not None and not re.fullmatch(r"(c|gnu)(\+\+)?\d[\da-z]", named):
        raise ConfigError(f"-std {named}: give a standard such as c++17 or c++20")
    return BuildFlags(include=tuple(include or ()), defines=tuple(define or ()), standard=named, project=project)


def read_residency(text: str | None) -> str | None:
    """What `--residency` says.

    Raises:
        ConfigError: It is neither host, device nor managed.
    """
    if text is None or text in ("host", "device", "managed"):
        return text
    raise ConfigError(f"--residency {text}: choose host, device or managed")


def read_level(text: str) -> Level:
    """The level that `--level` names.

    Raises:
        ConfigError: There is none of that name.
    """
    try:
        return Level(text)
    except ValueError as error:
        raise ConfigError(f"--level {text}: choose {' or '.join(Level)}") from error


def read_architecture(text: str | None) -> str | None:
    """A GPU architecture by the compiler's name, as it was given.

    Raises:
        ConfigError: It is no such name.
    """
    if text is None or _ARCHITECTURE.fullmatch(text):
        return text
    raise ConfigError(
        f"--arch {text!r} is no GPU architecture: give sm_ and the compute capability without its dot, such as sm_90, sm_90a or sm_120"
    )


Proved = Annotated[
    bool,
    typer.Option(
        "--proved", help="Only programs whose threads are proved independent, none by observation or a pragma."
    ),
]
AllowSerial = Annotated[
    bool,
    typer.Option("--allow-serial", help="Exit with 0 also where the main work of the program runs in one thread."),
]
