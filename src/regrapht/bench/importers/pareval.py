"""ParEval's problems as tasks: the serial prompt says what to compute, `baseline.hpp` is the reference, `problem-sizes.json` what is timed.

What the files do not say stands in `pareval.toml`, a table of ours. Facts about the files and the defects: ParEval at commit 4c9877f (MIT).
Figures from tasks made here are of ParEval's problems under our protocol, never ParEval scores: the contract, the inputs, the tolerances
and the timing differ.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from regrapht.bench.importers.cpp_interface import Inexpressible, Value, read_signature
from regrapht.bench.importers.direct_body import direct_function
from regrapht.bench.importers.imported import (
    Defect,
    Found,
    ImportedTask,
    Matter,
    NotImported,
    checkout_commit,
    hash_of,
    head_comments,
    read_source,
    readme_text,
    task_id,
)
from regrapht.bench.importers.pareval_reference import (
    DTYPES,
    Flat,
    FlatArray,
    copying_function,
    flatten,
    reference_text,
    sequential_code,
)
from regrapht.errors import ConfigError, SchemaError
from regrapht.records.element import SCALAR_TYPES, ScalarType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init, Reference, Role, Sizes, SourceFile, Task, Tolerance, Work
from regrapht.tasks.defaults import default_bytes, default_compare, default_reduction_length, with_exact_integers
from regrapht.tasks.initial_values import default_init
from regrapht.tasks.write import task_toml

PROMPTS, SIZES, BENCHMARKS = (
    "prompts/generation-prompts.json",
    "drivers/problem-sizes.json",
    "drivers/cpp/benchmarks",
)
_FAMILIES = {"sparse_la": "sparse", "reduce": "reduction", "search": "sort_search", "sort": "sort_search"}
_DEFAULT_SIZE = "(1<<18)"
_KEYS = {
    *(
        "like",
        "refuse",
        "refuse_kind",
        "sizes",
        "extent",
        "letters",
        "out",
        "init",
        "domain",
        "scalar",
        "before",
        "says",
    ),
    *("check", "bench", "require", "reduction_length", "flops", "tolerance", "defect"),
}
_COPIES = "the sequential time includes copying pointers into containers and back"
_OURS = (
    "under our protocol: inputs, tolerances, launches and timing are not ParEval's, and no figure is a ParEval score"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """One problem of a checkout."""

    name: str
    type: str
    prompt: str
    sequential: str
    """The text of its baseline.hpp."""
    timed: int
    facts: Mapping[str, Any]
    examined: bool
    """Its baseline.hpp is the one that the table was written for."""


def read_pareval(checkout: Path) -> Found:
    """Every problem of a ParEval checkout, as a task or as a named refusal. Reads files alone; nothing of the checkout is run.

    Raises:
        ConfigError: It is no ParEval checkout; the message names what is missing.
        SchemaError: A file of it has another form than the one known.
    """
    prompts, sizes = checkout / PROMPTS, checkout / SIZES
    if missing := [name for name in (PROMPTS, SIZES, BENCHMARKS) if not (checkout / name).exists()]:
        raise ConfigError(f"{checkout} is not a ParEval checkout: there is no {', '.join(missing)}")
    table = _table()
    read = [prompts, sizes]
    tasks: list[ImportedTask] = []
    refused: list[NotImported] = []
    timed = _json(sizes)
    for record in _serial(prompts):
        name = record["name"]
        facts = _facts(table, name)
        defects = _defects(facts)
        folder = checkout / BENCHMARKS / record["problem_type"] / name
        try:
            if facts is None:
                raise _Refused(
                    "unknown_problem", "nothing is known of its extents and inputs: it is none of the 60 problems"
                )
            if "refuse" in facts:
                raise _Refused(facts.get("refuse_kind", "wrong_reference"), facts["refuse"])
            header = folder / "baseline.hpp"
            if not header.is_file():
                raise _Refused("no_reference", f"there is no {header.relative_to(checkout)}")
            read.append(header)
            sequential = read_source(header)
            problem = _Problem(
                name=name,
                type=record["problem_type"],
                prompt=record["prompt"],
                sequential=sequential,
                timed=_timed(timed, name),
                facts=facts,
                examined=hash_of(sequential).startswith(table["examined"].get(name, "unknown")),
            )
            tasks.append(_import(problem, defects))
        except _Refused as refusal:
            refused.append(NotImported(problem=name, reason=refusal.reason, kind=refusal.kind, defects=defects))
        except Inexpressible as error:
            refused.append(NotImported(problem=name, reason=str(error), kind="interface", defects=defects))
    return Found(
        source="pareval",
        checkout=str(checkout),
        commit=checkout_commit(checkout, read),
        tasks=tuple(sorted(tasks, key=lambda task: task.problem)),
        not_imported=tuple(sorted(refused, key=lambda one: one.problem)),
        remarks=(_OURS, *table["driver"]["remarks"]),
    )


class _Refused(Exception):
    def __init__(self, kind: str, reason: str) -> None:
        self.kind, self.reason = kind, reason
        super().__init__(reason)


def _table() -> dict[str, Any]:
    return tomllib.loads(files("regrapht.bench.importers").joinpath("pareval.toml").read_text(encoding="utf-8"))


def _facts(table: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """What the table says of a problem, with what it is `like`; None where it says nothing."""
    own = table.get(name)
    if own is None:
        return None
    if unknown := set(own) - _KEYS:
        raise SchemaError(f"pareval.toml: {name}: unknown key {sorted(unknown)[0]!r}")
    return {**table[own.get("like", "default")], **own}


def _defects(facts: Mapping[str, Any] | None) -> tuple[Defect, ...]:
    if facts is None or "defect" not in facts:
        return ()
    told = facts["defect"]
    return (Defect(finding=told["finding"], matter=Matter(told["matter"]), answer=told.get("answer", "")),)


def _serial(path: Path) -> list[dict[str, str]]:
    """The records of the serial model: there the signature is plain C++."""
    records = _json(path)
    keys = ("problem_type", "name", "parallelism_model", "prompt")
    if not isinstance(records, list) or not all(
        isinstance(one, dict) and all(isinstance(one.get(key), str) for key in keys) for one in records
    ):
        raise SchemaError(f"{path}: not a list of prompts, each with {', '.join(keys)}")
    serial = [one for one in records if one["parallelism_model"] == "serial"]
    if not serial:
        raise SchemaError(f"{path}: no prompt has the parallelism_model 'serial'")
    return serial


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SchemaError(f"{path} is not JSON: {error}") from error


def _timed(sizes: Any, name: str) -> int:
    """The size that the source times on CUDA, written `(1<<24)`."""
    entry = sizes.get(name, {}) if isinstance(sizes, dict) else {}
    text = str(entry.get("cuda", _DEFAULT_SIZE)) if isinstance(entry, dict) else _DEFAULT_SIZE
    found = re.fullmatch(r"\(?\s*(\d+)\s*(?:<<\s*(\d+))?\s*\)?", text)
    if found is None:
        raise SchemaError(f"{SIZES}: {name}: {text!r} is not a size such as (1<<24)")
    return int(found[1]) << int(found[2] or 0)


def _import(problem: _Problem, defects: tuple[Defect, ...]) -> ImportedTask:
    facts = problem.facts
    preamble, _, line = problem.prompt.strip().rpartition("\n")
    signature = read_signature(line, preamble)
    own = {p.name for p in signature.parameters if isinstance(p, Value) and p.type == "size_t"}
    needs_n = "like" not in facts or facts["like"] != "square"
    sizes = tuple(facts.get("sizes", ["n"] if needs_n and not own else []))
    flat = flatten(
        signature,
        sizes=sizes,
        extent=facts.get("extent", {}),
        letters=facts.get("letters"),
        out=facts.get("out", ()),
    )
    code, called = sequential_code(problem.sequential)
    before = facts.get("before", "")
    direct = None if before else direct_function(flat, code, called)
    functions = (code, copying_function(flat, called, before)) if direct is None else (direct,)
    text = reference_text(preamble, *functions)
    notes = _notes(facts, problem, copies=direct is None)
    task = _task(problem, flat, text, _description(preamble, facts))
    told = (f"ParEval (MIT) problem {problem.name}", _OURS, notes, defects)
    return ImportedTask(
        id=task.id,
        problem=problem.name,
        files={
            "reference.cpp": text,
            "README.md": readme_text(*told),
            "task.toml": head_comments(*told) + task_toml(task),
        },
        labels=(
            *("imported", "pareval"),
            *(["copying_reference"] if direct is None else []),
            *([] if problem.examined else ["unexamined_source"]),
            *(f"source_defect_{one.matter}" for one in defects),
        ),
        notes=notes,
        defects=defects,
    )


def _notes(facts: Mapping[str, Any], problem: _Problem, *, copies: bool) -> tuple[str, ...]:
    notes = [_COPIES] if copies else []
    notes += (
        [f"the source's own tolerance is {facts['tolerance']:g}, absolute; a task is judged by our bars"]
        if "tolerance" in facts
        else []
    )
    if not problem.examined:
        notes.append(
            "its baseline.hpp is not the one that was examined: extents, draws and defects given here may not fit it"
        )
    notes += [f"sha256 of its baseline.hpp: {hash_of(problem.sequential)}"]
    return tuple(notes)


def _description(preamble: str, facts: Mapping[str, Any]) -> str:
    """The last comment of the prompt, and what the import adds."""
    comments = re.findall(r"/\*(.*?)\*/", preamble, re.DOTALL)
    words = "\n".join(line.strip() for line in comments[-1].strip().splitlines()) if comments else ""
    words = words.replace("vector", "array")
    return "\n\n".join(part for part in (words, facts.get("says", "")) if part)


def _task(problem: _Problem, flat: Flat, text: str, description: str) -> Task:
    facts = problem.facts
    args = _args(flat, facts)
    sizes = tuple(arg.name for arg in args if arg.kind is ArgKind.SIZE)
    returns = None if flat.returns == "void" else SCALAR_TYPES[DTYPES[flat.returns]]
    kind = default_compare(args, returns_float=returns is not None and returns.is_float)
    length = Expression(facts["reduction_length"]) if "reduction_length" in facts else default_reduction_length(sizes)
    bench = {name: int(Expression(str(facts["bench"][name])).evaluate({"N": problem.timed})) for name in sizes}
    return Task(
        id=task_id(problem.name),
        title=problem.name.partition("_")[2].replace("_", " "),
        description=description,
        entry=flat.signature.name,
        reference=Reference(source=SourceFile(name="reference.cpp", text=text)),
        args=with_exact_integers(args, kind),
        check_sizes=tuple(_row(row, sizes) for row in facts["check"]),
        bench_sizes=(bench,),
        require=tuple(facts.get("require", ())),
        tolerance=Tolerance(kind=kind, reduction_length=length),
        work=Work(
            bytes=default_bytes(args, result_bytes=returns.size_bytes if returns else 0),
            flops=Expression(facts["flops"]) if "flops" in facts else None,
        ),
        returns=returns,
        family=_FAMILIES.get(problem.type, problem.type),
        licence="MIT",
        origin=f"pareval {problem.name}",
    )


def _row(row: Mapping[str, int], sizes: tuple[str, ...]) -> Sizes:
    return {name: row[name] for name in sizes}


def _args(flat: Flat, facts: Mapping[str, Any]) -> tuple[Arg, ...]:
    args = [Arg(name=name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]) for name in flat.sizes]
    whole = flat.written_whole
    for parameter in flat.signature.parameters:
        if not isinstance(parameter, Value):
            args += [_array(array, facts, whole=parameter.name in whole) for array in flat.of(parameter)]
        elif parameter.type == "size_t":
            args.append(Arg(name=parameter.name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]))
        else:
            drawn = facts.get("scalar", {}).get(parameter.name)
            if drawn is None:
                raise Inexpressible(f"nothing says how {parameter.name!r} is drawn")
            dtype = SCALAR_TYPES[DTYPES[parameter.type]]
            args.append(Arg(name=parameter.name, kind=ArgKind.SCALAR, dtype=dtype, init=_init(drawn)))
    return tuple(args)


def _array(array: FlatArray, facts: Mapping[str, Any], *, whole: bool) -> Arg:
    role = Role.IN if array.container.is_const else Role.OUT if whole else Role.INOUT
    dtype: ScalarType = SCALAR_TYPES[DTYPES[array.type]]
    drawn = facts.get("init", {}).get(array.name)
    domain = facts.get("domain", {}).get(array.name)
    init = None if role is Role.OUT else _init(drawn) if drawn else default_init(dtype)
    return Arg(
        name=array.name,
        kind=ArgKind.ARRAY,
        dtype=dtype,
        shape=tuple(Expression(part) for part in array.shape),
        role=role,
        init=init,
        domain=tuple(domain) if domain and role is not Role.OUT else None,
    )


def _init(drawn: Mapping[str, Any]) -> Init:
    kind = drawn["kind"]
    parameters = {
        k: Expression(v) if isinstance(v, str) else tuple(v) if isinstance(v, list) else v
        for k, v in drawn.items()
        if k != "kind"
    }
    if kind == "normal" and not parameters:
        parameters = {"mean": 0.0, "std": 1.0}
    return Init(kind=kind, parameters=parameters)
