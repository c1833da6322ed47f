"""Options that several commands share, and how their texts are read."""

import re
from pathlib import Path
from typing import Annotated

import typer

from regrapht.errors import ConfigError
from regrapht.records.run import Budget
from regrapht.records.user_code import BuildFlags
from regrapht.records.verdict import Level

YOUR_CODE, SEARCH, JUDGE, RESULT, MODEL = "Your code", "The search", "The judge", "The result", "A model"
"""Headings of options, where a command has many (`overview.Sections`)."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Entry = Annotated[str | None, typer.Option("--entry", help="The function, where a bare file has several.")]
Entries = Annotated[
    str | None,
    typer.Option(
        "--entry",
        rich_help_panel=YOUR_CODE,
        help="The function, where a file has several; or some of them: --entry a,b.",
    ),
]
Every = Annotated[
    bool,
    typer.Option(
        "--all", rich_help_panel=YOUR_CODE, help="Every function of the file that a task can be made of, in turn."
    ),
]
EvaluatorName = Annotated[
    str | None,
    typer.Option(
        "--evaluator",
        rich_help_panel=JUDGE,
        help="emulated, local_gpu or ssh:HOST; default: the GPU when there is one, else the emulator.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        rich_help_panel=JUDGE,
        help="Judge on a Ray cluster: its address, or local, local:3 for processes of this machine.",
    ),
]
ClusterKind = Annotated[
    str | None,
    typer.Option(
        "--cluster-kind",
        rich_help_panel=JUDGE,
        help="On a cluster with several kinds of GPU: part of the name of the one to use.",
    ),
]
AllowRoot = Annotated[
    bool,
    typer.Option(
        "--allow-root",
        rich_help_panel=JUDGE,
        help="Run generated code as root where root rights cannot be dropped.",
    ),
]
AllowRemote = Annotated[
    bool,
    typer.Option("--allow-remote", rich_help_panel=MODEL, help="Allow a model endpoint that is not on this machine."),
]
GraphFile = Annotated[
    Path | None,
    typer.Option("--graph", rich_help_panel=SEARCH, help="A reasoning graph; default: the shipped one."),
]
LevelName = Annotated[str, typer.Option("--level", help="screen or full.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0 takes a free one.")]
Sarif = Annotated[
    Path | None, typer.Option("--sarif", help="Write findings with their lines as SARIF, which code hosts display.")
]
TaskOrFile = Annotated[Path, typer.Argument(help="A task folder, or a bare file with the sequential function.")]
Mend = Annotated[
    bool,
    typer.Option(
        "--mend/--no-mend",
        rich_help_panel=MODEL,
        help="Mend faults of form in a model's replies, and ask for a first kernel alone; --no-mend as in the papers.",
    ),
]
Repair = Annotated[
    bool,
    typer.Option(
        "--repair/--no-repair",
        rich_help_panel=SEARCH,
        help="Ask for repairs of programs that failed; --no-repair shows what repairs are worth.",
    ),
]
ChoiceWeight = Annotated[
    float,
    typer.Option(
        "--choice-weight",
        rich_help_panel=MODEL,
        min=0,
        max=1,
        help="With hybrid: the share of the prior over techniques that the model chooses; 0 does not ask it.",
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        rich_help_panel=MODEL,
        help="A folder of templates NAME.md that replace the shipped ones; their hash is kept with the run.",
    ),
]
ResultFolder = Annotated[
    Path | None,
    typer.Option("--out", rich_help_panel=RESULT, help="Folder for the result; default: regrapht-out/TASK-RUN."),
]

Include = Annotated[
    list[Path] | None,
    typer.Option(
        "-I",
        metavar="FOLDER",
        rich_help_panel=YOUR_CODE,
        help="A folder with headers of the project; may be repeated.",
    ),
]
Define = Annotated[
    list[str] | None,
    typer.Option(
        "-D",
        metavar="NAME[=VALUE]",
        rich_help_panel=YOUR_CODE,
        help="A macro, as the compiler is given it; may be repeated.",
    ),
]
Standard = Annotated[
    str | None,
    typer.Option(
        "-std", metavar="NAME", rich_help_panel=YOUR_CODE, help="The C++ standard of the file, such as c++20."
    ),
]
Project = Annotated[
    Path | None,
    typer.Option(
        "--project",
        rich_help_panel=YOUR_CODE,
        help="The project's build folder: its compile_commands.json gives -I, -D and -std of the file.",
    ),
]
ResidencyName = Annotated[
    str | None,
    typer.Option(
        "--residency",
        rich_help_panel=YOUR_CODE,
        help="Where arrays are at a call: host, device or managed; default: what the task says, else device.",
    ),
]
Force = Annotated[
    bool, typer.Option("--force", rich_help_panel=RESULT, help="Replace a result that --out already holds.")
]
Proved = Annotated[
    bool,
    typer.Option(
        "--proved",
        rich_help_panel=RESULT,
        help="Accept only programs whose threads are proved independent, none by observation or a pragma.",
    ),
]
AllowSerial = Annotated[
    bool,
    typer.Option(
        "--allow-serial",
        rich_help_panel=RESULT,
        help="Exit with 0 even where the main work of the program runs in one thread.",
    ),
]

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
        raise ConfigError(f"--cluster {cluster!r} is not an address of a cluster")
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
        f"--arch {text!r} is not a GPU architecture: give sm_ and the compute capability without its dot, such as sm_90, sm_90a or sm_120"
    )
