"""KernelBench's problems as tasks: PyTorch modules translated to sequential C++, without torch and without running anything of theirs.

Facts about the files and the defects: KernelBench at commit 423217d (MIT). Figures from tasks made here are of KernelBench's problems under
our protocol, never KernelBench scores: inputs, sizes, tolerances, baselines and timing differ.
"""

import re
from collections.abc import Sequence
from pathlib import Path

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
from regrapht.bench.importers.model_reader import ModelFile, Translated
from regrapht.bench.importers.row_choice import Demands, bench_row, check_rows, excess, total
from regrapht.bench.importers.symbolic import Drawn, Untranslatable, text_of
from regrapht.errors import ConfigError
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init, Reference, Role, Sizes, SourceFile, Task, Tolerance, Work
from regrapht.tasks.defaults import default_bytes, default_compare
from regrapht.tasks.write import task_toml

FOLDER, LEVELS = "KernelBench", (1, 2, 3, 4)
_OURS = "under our protocol: inputs, sizes, tolerances, baselines and timing are not KernelBench's, and no figure is a KernelBench score"
_REMARKS = (
    _OURS,
    "reference and candidate share a name space: a candidate that sets N = 16 shrinks the inputs of both",
    "inputs are the same in every timed trial, and the candidate runs in the judge's process",
    "issue 108: some problems can be solved by a constant or with an operation left out; issue 165: zeros pass on 4 of level 1 at a "
    "tolerance of 1e-2; which ones, the judge's own examination says (`regrapht bench admit`)",
)
_UNIFORM = "inputs are uniform in [0, 1), never negative"
_IDENTITY_PASSES = ("19_ReLU", "20_LeakyReLU", "31_ELU", "32_HardTanh")
"""Of level 1: what leaves every number from 0 to 1 as it is."""
_ZEROS_PASS = {
    "23_Softmax": "outputs are about 1/393216: zeros pass at the absolute tolerance of 1e-4",
    "37_FrobeniusNorm_": "outputs are about 4e-5: zeros pass at the absolute tolerance of 1e-4",
}


def read_kernelbench(checkout: Path, *, levels: Sequence[int] = (1,), full_sizes: bool = False) -> Found:
    """Every problem of some levels of a KernelBench checkout, as a task or as a named refusal. Needs no torch.

    Args:
        full_sizes: Time at the source's own sizes, however large; the judge then does not verify what is timed where that is too slow.

    Raises:
        ConfigError: It is no KernelBench checkout, or there is no such level.
    """
    root = checkout / FOLDER if (checkout / FOLDER).is_dir() else checkout
    tasks: list[ImportedTask] = []
    refused: list[NotImported] = []
    read: list[Path] = []
    if missing := [level for level in levels if level not in LEVELS or not (root / f"level{level}").is_dir()]:
        folders = ", ".join(f"{FOLDER}/level{level}" for level in missing)
        raise ConfigError(
            f"{checkout} is not a KernelBench checkout with level {', '.join(map(str, missing))}: there is no {folders}"
        )
    for level in levels:
        folder = root / f"level{level}"
        files = sorted(folder.glob("*.py"), key=lambda path: (_number(path.stem), path.stem))
        if not files:
            raise ConfigError(f"{folder} holds no problem: a problem is a file such as 19_ReLU.py")
        for path in files:
            read.append(path)
            defects = _zeros_pass(path.stem, level)
            try:
                tasks.append(_translated(path, level, defects, full_sizes=full_sizes))
            except Untranslatable as error:
                name = f"level{level}/{path.stem}"
                refused.append(NotImported(problem=name, reason=str(error), kind=error.kind, defects=defects))
    return Found(
        source="kernelbench",
        checkout=str(checkout),
        commit=checkout_commit(checkout, read),
        tasks=tuple(tasks),
        not_imported=tuple(refused),
        remarks=_REMARKS,
    )


def problem_file(checkout: Path, problem: str) -> Path:
    """The file of `level1/19_ReLU`."""
    root = checkout / FOLDER if (checkout / FOLDER).is_dir() else checkout
    return root / f"{problem}.py"


def _number(stem: str) -> int:
    """The problem's number: what stands before the first underscore."""
    first = stem.partition("_")[0]
    return int(first) if first.isdigit() else 0


def _zeros_pass(stem: str, level: int) -> tuple[Defect, ...]:
    if level != 1 or stem not in _ZEROS_PASS:
        return ()
    answer = "our bars are relative to the outputs' own size"
    return (Defect(finding=_ZEROS_PASS[stem], matter=Matter.GONE, answer=answer),)


def _never_negative(stem: str, level: int, translated: Translated) -> tuple[Defect, ...]:
    """Only of what was translated: before, nothing is known of how the inputs are drawn."""
    if not any(isinstance(one, Drawn) and one.uniform for one in translated.inputs):
        return ()
    finding = f"{_UNIFORM}: the identity passes" if level == 1 and stem in _IDENTITY_PASSES else _UNIFORM
    answer = "inputs are signed, and the judge tries other values too"
    return (Defect(finding=finding, matter=Matter.HANDLED, answer=answer),)


def _translated(path: Path, level: int, defects: tuple[Defect, ...], *, full_sizes: bool) -> ImportedTask:
    """As `_import`; a file that breaks an assumption of the interpreter is refused like one that it does not know."""
    try:
        return _import(path, level, defects, full_sizes=full_sizes)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Untranslatable(f"it cannot be followed: {type(error).__name__}: {error}"[:200], kind="form") from error


def _import(path: Path, level: int, defects: tuple[Defect, ...], *, full_sizes: bool) -> ImportedTask:
    text = read_source(path)
    translated = ModelFile(text).translate()
    defects = (*_never_negative(path.stem, level, translated), *defects)
    slug = task_id(path.stem.partition("_")[2]) or "problem"
    entry = "forward_" + re.sub(r"\W", "_", slug)[:50].strip("_")
    args = _args(translated)
    code = _code(translated, entry, args)  # fills in what the loops need, so it comes before the sizes
    demands = _demands(translated, args)
    rows = check_rows(demands)
    if not rows:
        raise Untranslatable(
            f"no sizes of {', '.join(demands.names) or 'none'} are small enough to check; its other extents are fixed",
            kind="sizes",
        )
    bench = dict(translated.sizes) if full_sizes else dict(bench_row(demands, translated.sizes))
    large = excess(demands, translated.sizes) if bench != translated.sizes else ()
    problem = f"level{level}/{path.stem}"
    notes = _notes(translated, large=large, source=hash_of(text))
    task = Task(
        id=f"level{level}_{_number(path.stem):03d}_{slug}"[:64].strip("_"),
        title=slug.replace("_", " "),
        description=_description(slug, translated),
        entry=entry,
        reference=Reference(source=SourceFile(name="reference.cpp", text=code)),
        args=args,
        check_sizes=rows,
        bench_sizes=(bench,),
        require=demands.require,
        tolerance=Tolerance(
            kind=default_compare(args, returns_float=False),
            reduction_length=Expression(_longest(translated, translated.sizes)),
        ),
        work=Work(bytes=default_bytes(args)),
        family="deep_learning",
        licence="MIT",
        origin=f"kernelbench {problem}",
    )
    told = (f"KernelBench (MIT) problem {problem}", _OURS, notes, defects)
    labels = ["imported", "kernelbench", "translated_from_torch", *(["bench_scaled"] if large else [])]
    return ImportedTask(
        id=task.id,
        problem=problem,
        files={
            "reference.cpp": code,
            "README.md": readme_text(*told),
            "task.toml": head_comments(*told) + task_toml(task),
        },
        labels=(*labels, *(f"source_defect_{one.matter}" for one in dict.fromkeys(defects))),
        notes=notes,
        defects=defects,
    )


def _args(translated: Translated) -> tuple[Arg, ...]:
    args = [Arg(name=name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]) for name in translated.sizes]
    for one in translated.inputs:
        args.append(_array(one, translated) if isinstance(one, Drawn) else _scalar(one))
    args += [_array(one, translated) for one in translated.program.drawn if one.parameter is not None]
    output = translated.output
    dtype = SCALAR_TYPES["int64" if output.c_type == "long long" else "float32"]
    shape = tuple(Expression(text_of(size)) for size in output.shape) or (Expression("1"),)
    args.append(Arg(name="out", kind=ArgKind.ARRAY, dtype=dtype, shape=shape, role=Role.OUT))
    names = [arg.name for arg in args]
    if len(set(names)) < len(names):
        raise Untranslatable("a size and an array of it have one name", kind="interface")
    return tuple(args)


def _scalar(name: str) -> Arg:
    init = Init(kind="normal", parameters={"mean": 0.0, "std": 1.0})
    return Arg(name=name, kind=ArgKind.SCALAR, dtype=SCALAR_TYPES["float32"], init=init)


def _array(drawn: Drawn, translated: Translated) -> Arg:
    if drawn.kind == "normal" and translated.program.near_one:
        init = Init(kind="uniform", parameters={"low": 0.9, "high": 1.1})
    elif drawn.kind == "normal":
        init = Init(kind="normal", parameters={"mean": 0.0, "std": 1.0})
    elif drawn.kind == "choice":
        init = Init(kind="choice", parameters={"values": drawn.values})
    else:
        low, high = (Expression(one) if isinstance(one, str) else one for one in drawn.values)
        init = Init(kind="integers", parameters={"low": low, "high": high})
    return Arg(
        name=drawn.name,
        kind=ArgKind.ARRAY,
        dtype=SCALAR_TYPES[drawn.dtype],
        shape=tuple(Expression(text_of(size)) for size in drawn.shape),
        role=Role.IN,
        init=init,
    )


def _code(translated: Translated, entry: str, args: tuple[Arg, ...]) -> str:
    program = translated.program
    program.store(translated.output, "out")
    parameters = []
    for arg in args:
        const = "const " if arg.role is Role.IN else ""
        parameters.append(
            f"{const}{arg.dtype.c_name}* {arg.name}" if arg.kind is ArgKind.ARRAY else f"{arg.dtype.c_name} {arg.name}"
        )
    body = "\n".join(f"    {line}" for line in program.lines)
    headers = "#include <cmath>\n#include <cstddef>\n#include <vector>"
    return f"{headers}\n\nvoid {entry}({', '.join(parameters)}) {{\n{body}\n}}\n"


def _demands(translated: Translated, args: tuple[Arg, ...]) -> Demands:
    shapes = [[extent.text for extent in arg.shape] for arg in args if arg.kind is ArgKind.ARRAY]
    try:
        return Demands(
            names=tuple(translated.sizes),
            require=tuple(translated.program.require),
            elements=total(shapes),
            work=tuple(Expression(text) for text in translated.program.iterations),
        )
    except ValueError as error:
        raise Untranslatable(f"its extents cannot be written down: {error}", kind="sizes") from error


def _longest(translated: Translated, sizes: Sizes) -> str:
    """The length of the longest sum, as an expression: the longest at the source's sizes."""
    lengths = list(dict.fromkeys(translated.program.longest_sum)) or ["1"]
    return max(lengths, key=lambda text: Expression(text).evaluate(sizes))


def _description(slug: str, translated: Translated) -> str:
    """What is computed, in words of ours; the model's own text stays in the checkout."""
    names = [one.name if isinstance(one, Drawn) else one for one in translated.inputs]
    weights = [one for one in translated.program.drawn if one.parameter is not None]
    shape = ", ".join(text_of(size) for size in translated.output.shape) or "1"
    parts = [f"PyTorch module `{slug}`: out = forward({', '.join(names)}), row-major, with shape [{shape}]."]
    if weights:
        parts.append(f"Its parameters are inputs: {', '.join(one.name for one in weights)}.")
    for one in translated.inputs:
        if isinstance(one, Drawn) and one.half is not None:
            where = "below" if one.half == "triu" else "above"
            parts.append(f"What is {where} the diagonal of {one.name} counts as zero, whatever the array holds there.")
    return " ".join(parts)


def _notes(translated: Translated, *, large: Sequence[str], source: str) -> tuple[str, ...]:
    notes = ["the reference is a translation to C++, made without torch; `--verify` compares it with the module itself"]
    if any(one.parameter is not None for one in translated.program.drawn):
        notes.append("parameters of layers are drawn anew in each case; layers are in training mode, as in the source")
    if large:
        own = ", ".join(f"{name} = {value}" for name, value in translated.sizes.items())
        notes.append(
            f"timed at smaller sizes than the source's ({own}): those have {' and '.join(large)}, more than the judge verifies"
        )
    notes.append(f"sha256 of its file: {source}")
    return tuple(notes)
