"""The vendor's libraries beside a program: which ones its text includes, where the toolkit has them, how they are linked and found.

A candidate gets those that its task allows (`allow_libraries`), a baseline of the task those that it includes. Libraries of headers alone,
such as CUB, have nothing to link.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from regrapht.evaluate.build.nvcc import Nvcc
from regrapht.evaluate.build.text_policy import LIBRARIES
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import Task
from regrapht.records.verdict import Status

SHARED = {
    "cublas": ("cublas", "cublasLt"),
    "cufft": ("cufft",),
    "curand": ("curand",),
    "cusparse": ("cusparse",),
    "cusolver": ("cusolver",),
    "cudnn": ("cudnn",),
    "nccl": ("nccl",),
}
"""Library, as a task names it -> its shared objects, without `lib`."""
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[>"]', re.MULTILINE)
_PLACES = ("lib64", "lib", "targets/*/lib")


def included(source: str) -> tuple[str, ...]:
    """The libraries of `SHARED` whose headers `source` includes."""
    return tuple(name for name in _including(source) if name in SHARED)


def allowing_own(task: Task, source: str) -> Task:
    """`task` as its baseline `source` is built for it: what the baseline includes is allowed to it, whatever candidates may use."""
    names = tuple(dict.fromkeys((*task.contract.allow_libraries, *_including(source))))
    return replace(task, contract=replace(task.contract, allow_libraries=names))


def needed(source: str, task: Task, nvcc: Nvcc) -> tuple[Path, ...]:
    """The shared objects to link `source` with: of the libraries that it includes, those that `task` allows.

    Raises:
        Rejected: UNSUPPORTED: the toolkit of this machine does not have one of them. That is nobody's fault but the machine's.
    """
    found: list[Path] = []
    for name in included(source):
        if name not in task.contract.allow_libraries:
            continue
        files = _files(nvcc, name)
        if len(files) < len(SHARED[name]):
            raise Rejected(
                Status.UNSUPPORTED,
                f"the CUDA toolkit of this machine has no {name}: install it beside nvcc "
                f"(pip install 'cuda-toolkit[{name}]', or the toolkit's own package)",
            )
        found += files
    return tuple(found)


def folders(task: Task, nvcc: Nvcc) -> tuple[Path, ...]:
    """Where programs for `task` may have to load libraries from; empty for most tasks."""
    return folders_of(file for name in task.contract.allow_libraries for file in _files(nvcc, name))


def folders_of(files: Iterable[Path]) -> tuple[Path, ...]:
    """The folders of `files`, each once."""
    return tuple(dict.fromkeys(file.parent for file in files))


def link_flags(files: Iterable[Path]) -> tuple[str, ...]:
    """What nvcc is told to link `files` by their exact names: a toolkit from a package index has no `libcublas.so` without a version."""
    files = tuple(files)
    return (*(f"-L{folder}" for folder in folders_of(files)), *(f"-l:{file.name}" for file in files))


def is_allowed(needed_name: str, task: Task) -> bool:
    """Whether an object for `task` may need the shared object of this name, such as `libcublas.so.13`."""
    names = [name for library in task.contract.allow_libraries for name in SHARED.get(library, ())]
    return any(re.fullmatch(rf"lib{re.escape(name)}\.so(\.\d+)*", needed_name) for name in names)


def _including(source: str) -> list[str]:
    """Every library whose headers `source` includes, those of headers alone too."""
    headers = _INCLUDE.findall(source)
    return [name for name, starts in LIBRARIES.items() if any(header.startswith(starts) for header in headers)]


def _files(nvcc: Nvcc, library: str) -> tuple[Path, ...]:
    """The shared objects of `library` that the toolkit has, each by the name that the loader asks for where there are several."""
    found = []
    for name in SHARED.get(library, ()):
        for folder in (folder for place in _PLACES for folder in sorted(nvcc.root.glob(place))):
            files = sorted(folder.glob(f"lib{name}.so*"), key=lambda file: len(file.name))
            if files:
                found.append(folder.resolve() / files[0].name)
                break
    return tuple(found)
