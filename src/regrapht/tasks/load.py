"""Loading a task from its folder: `task.toml`, the reference, the baselines. Strict: every error names file, key and remedy."""

import re
from pathlib import Path
from typing import Any

from regrapht.errors import SchemaError, TaskError
from regrapht.records.encoding import from_json
from regrapht.records.task import (
    SCHEMA_VERSION,
    Arg,
    ArgKind,
    Baseline,
    Compare,
    Contract,
    Reference,
    Residency,
    Rounding,
    SourceFile,
    Task,
    Tolerance,
    Work,
)
from regrapht.records.toml_text import parse_toml
from regrapht.records.user_code import Home
from regrapht.tasks.arguments import Surroundings, check_valid_lengths, open_args, read_arg
from regrapht.tasks.defaults import default_bytes, default_compare, default_reduction_length, with_exact_integers
from regrapht.tasks.shapes import check_rows, read_require, read_rows
from regrapht.tasks.signature import check_names, check_types, read_interface, read_return_type
from regrapht.tasks.toml_table import Table, TaskFolder, read_text

TASK_FILE = "task.toml"
REFERENCE_SUFFIXES = (".cpp", ".cc", ".c", ".cu", ".py")
BASELINE_SUFFIXES = (".cu", ".cpp", ".cc", ".c")
LANGUAGES = ("c++11", "c++14", "c++17", "c++20")
TIERS = ("easy", "medium", "hard")
PRECISIONS = ("tf32", "half")
_TOP = (
    *("schema", "id", "title", "description", "entry", "family", "tier", "licence", "source", "copies"),
    *("reference", "args", "sizes", "tolerance", "work", "candidate", "baselines"),
)


def load_task(path: Path) -> Task:
    """The task in the folder `path`, or in the folder of the `task.toml` that `path` is.

    Everything that the format leaves open is filled in. Nothing is compiled or run: whether the reference builds is the judge's to say.

    Raises:
        TaskError: Anything is missing, unknown, of a wrong type or contradictory; the message names file, key and remedy.
    """
    folder_path = path.parent if path.name == TASK_FILE and not path.is_dir() else path
    file = folder_path / TASK_FILE
    if not file.is_file():
        remedy = "run `regrapht init FILE.cpp` to write one"
        raise TaskError("there is no such file", file=str(file), remedy=remedy)
    top = Table(_parse(file), file=str(file), path="", known=_TOP)
    if top.typed("schema", int, default=None) != SCHEMA_VERSION:
        top.value("schema")
        found = top.typed("schema", int)
        top.fail("schema", f"version {found} is unknown", f"this regrapht reads schema = {SCHEMA_VERSION}")
    return _read_task(top, TaskFolder(folder_path))


def _parse(file: Path) -> dict[str, Any]:
    text = read_text(file, file=str(file), key=None)
    try:
        return parse_toml(text)
    except ValueError as error:
        raise TaskError(f"is no TOML: {error}", file=str(file), remedy="correct that line") from error


def _read_task(top: Table, folder: TaskFolder) -> Task:
    entry = _read_entry(top)
    reference = _read_reference(top, folder)
    home = _read_home(top, folder)
    interface = read_interface(top, reference, entry=entry, home=home)
    tables = open_args(top)
    check_names(top, [table.text("name") for table in tables], interface, entry=entry)
    sizes = tuple(table.text("name") for table in tables if table.value("kind") == ArgKind.SIZE)
    around = Surroundings(entry=entry, sizes=sizes, folder=folder, interface=interface)
    args = tuple(read_arg(table, around) for table in tables)
    check_types(top, args, interface)
    check_valid_lengths(top, args)
    returns = read_return_type(top, interface)
    if returns is None and not any(arg.is_output for arg in args):
        top.fail("args", "the function has no output", 'give one array the role "out" or "inout"')
    if returns is not None and any(arg.name == "result" for arg in args):
        top.fail("args.result", "the candidate's last parameter is called 'result'", "rename the reference's parameter")

    top.value("sizes")
    table = top.table("sizes", ("check", "bench", "require", "hidden"))
    require = read_require(table, sizes)
    check_sizes, bench_sizes = read_rows(table, "check", sizes), read_rows(table, "bench", sizes)
    read = {arg.name: (arg, own) for arg, own in zip(args, tables, strict=True)}
    for key, rows in (("check", check_sizes), ("bench", bench_sizes)):
        check_rows(table, key, rows, args=read, require=require)
    tolerance = _read_tolerance(top, args, sizes, returns_float=returns is not None and returns.is_float)
    return Task(
        id=_read_id(top),
        title=top.typed("title", str, default=top.text("id")),
        description=top.typed("description", str, default=""),
        entry=entry,
        reference=reference,
        args=with_exact_integers(args, tolerance.kind),
        check_sizes=check_sizes,
        bench_sizes=bench_sizes,
        require=require,
        hidden_sizes=table.typed("hidden", bool, default=True),
        tolerance=tolerance,
        work=_read_work(top, args, sizes, result_bytes=returns.size_bytes if returns else 0),
        contract=_read_contract(top),
        baselines=_read_baselines(top, reference, folder),
        returns=returns,
        family=top.typed("family", str),
        tier=top.word("tier", TIERS) if "tier" in top else None,
        licence=top.typed("licence", str),
        origin=top.typed("source", str),
        copies=top.typed("copies", bool, default=False),
        folder=str(folder.path),
        home=home,
    )


def _read_id(top: Table) -> str:
    text = top.text("id")
    if not re.fullmatch(r"[a-z0-9_-]{1,64}", text):
        top.fail("id", f"{text!r:.80} is no identifier", "use 1 to 64 of a-z, 0-9, _ and -")
    return text


def _read_entry(top: Table) -> str:
    entry = top.text("entry")
    if not re.fullmatch(r"[A-Za-z_]\w*", entry, re.ASCII):
        top.fail("entry", f"{entry!r:.80} is no name of a C++ function", "write the bare name, without namespace")
    return entry


def _read_reference(top: Table, folder: TaskFolder) -> Reference:
    top.value("reference")
    table = top.table("reference", ("file", "language", "include", "defines", "flags", "fast", "home"))
    include = []
    for name in table.texts("include"):
        found = (folder.path / name).resolve()
        if not found.is_dir():
            table.fail("include", f"there is no folder {name!r}", "give folders relative to task.toml")
        include.append(str(found))
    return Reference(
        source=_read_source(table, "file", folder, REFERENCE_SUFFIXES),
        language=table.word("language", LANGUAGES, default="c++17"),
        include=tuple(include),
        defines=table.texts("defines"),
        flags=table.texts("flags"),
        fast=_read_source(table, "fast", folder, REFERENCE_SUFFIXES) if "fast" in table else None,
    )


def _read_home(top: Table, folder: TaskFolder) -> Home | None:
    """Where the function stands in its project, as `regrapht init` wrote it down."""
    table = top.table("reference", ("file", "language", "include", "defines", "flags", "fast", "home"))
    if "home" not in table:
        return None
    name = table.text("home")
    try:
        return from_json(Home, folder.read(table, "home", name))
    except SchemaError as error:
        table.fail("home", f"{name} is damaged: {error}", "write it again with regrapht init, or leave the key out")


def _read_source(table: Table, key: str, folder: TaskFolder, suffixes: tuple[str, ...]) -> SourceFile:
    source = SourceFile(name=table.text(key), text="")
    if source.suffix not in suffixes:
        table.fail(key, f"{source.name!r} is in no known language", f"the name ends in {' '.join(suffixes)}")
    return SourceFile(name=source.name, text=folder.read(table, key, source.name))


def _read_tolerance(top: Table, args: tuple[Arg, ...], sizes: tuple[str, ...], *, returns_float: bool) -> Tolerance:
    table = top.table("tolerance", ("class", "reduction_length", "rtol", "atol", "deterministic", "allow"))
    inferred = default_compare(args, returns_float=returns_float)
    kind = Compare(table.word("class", ("exact", "float"), default=inferred.value))
    if kind is Compare.FLOAT and inferred is Compare.EXACT:
        table.fail("class", "no output has a float in it", 'write class = "exact"')
    widened = {key: table.typed(key, float) for key in ("rtol", "atol")}
    for key, number in widened.items():
        if number is not None and (number < 0 or kind is Compare.EXACT):
            table.fail(key, "needs class = 'float' and a number of at least 0", "remove it, or change the class")
    allow = table.texts("allow")
    for word in allow:
        if word not in PRECISIONS:
            table.fail("allow", f"unknown precision {word!r}", f"known: {', '.join(PRECISIONS)}")
    return Tolerance(
        kind=kind,
        reduction_length=table.expression("reduction_length", sizes) or default_reduction_length(sizes),
        rtol=widened["rtol"],
        atol=widened["atol"],
        deterministic=table.typed("deterministic", bool, default=True),
        allow=frozenset(allow),
    )


def _read_work(top: Table, args: tuple[Arg, ...], sizes: tuple[str, ...], *, result_bytes: int) -> Work:
    table = top.table("work", ("flops", "bytes"))
    moved = table.expression("bytes", sizes)
    if moved is None:
        try:
            moved = default_bytes(args, result_bytes=result_bytes)
        except ValueError:
            table.fail("bytes", "the shapes are too long to add up", 'write [work] bytes = "..."')
    return Work(bytes=moved, flops=table.expression("flops", sizes))


def _read_contract(top: Table) -> Contract:
    table = top.table("candidate", ("residency", "may_allocate", "allow_libraries", "rounding"))
    return Contract(
        residency=Residency(table.word("residency", [word.value for word in Residency], default="device")),
        may_allocate=table.typed("may_allocate", bool, default=True),
        allow_libraries=table.texts("allow_libraries"),
        rounding=Rounding(table.word("rounding", [word.value for word in Rounding], default="fused")),
    )


def _read_baselines(top: Table, reference: Reference, folder: TaskFolder) -> tuple[Baseline, ...]:
    names = tuple(top.typed("baselines", dict, default={}))
    table = top.table("baselines", names)
    for name in names:
        if not re.fullmatch(r"[a-z0-9_-]{1,64}", name) or name == "sequential":
            table.fail(name, f"{name!r} is no name for a baseline", "use a-z, 0-9, _ and -, and not 'sequential'")
    found = [Baseline(name=name, source=_read_source(table, name, folder, BASELINE_SUFFIXES)) for name in names]
    if reference.source.suffix == ".cu" and "naive" not in names:
        found.insert(0, Baseline(name="naive", source=reference.source))
    return tuple(found)
