"""All delivered files of one result."""

from regrapht.errors import ConfigError
from regrapht.records.encoding import to_json
from regrapht.records.task import Task
from regrapht.records.verdict import Verdict
from regrapht.report.delivery.bindings import package, python, shared_library, torch
from regrapht.report.delivery.building import cmake, readme, test
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.patch import patch
from regrapht.report.delivery.sources import header, host, program, sequential

_LANGUAGES = (".cpp", ".cc", ".c")


def delivered(
    task: Task,
    source: str,
    verdict: Verdict,
    *,
    headline: str,
    architecture: str,
    residency: str | None,
    bindings: tuple[str, ...] = (),
) -> dict[str, str]:
    """Name -> text of what a pull request can hold; empty for a task whose reference is no C or C++.

    Args:
        residency: `host`, `device` or `managed`; None is as the task says.
        bindings: `python` and `torch`: what else can call it.
    """
    if task.reference.source.suffix not in _LANGUAGES:
        return {}
    interface = Interface(task, residency or task.contract.residency.value)
    name = interface.name
    try:
        files = {
            f"{name}.cu": program(interface, source),
            f"{name}.h": header(interface),
            f"{name}_host.cu": host(interface),
            f"{name}_cpu.cpp": sequential(interface),
            "CMakeLists.txt": cmake(interface, source, architecture=architecture),
            f"test_{name}.cpp": test(interface),
            f"{name}.verdict.json": to_json(verdict) + "\n",
        }
    except ValueError as error:
        raise ConfigError(f"{task.id}: {error}; --residency host needs no lengths") from error
    if bindings:
        modules = {f"{name}.py": python(interface)}
        if "torch" in bindings:
            modules[f"{name}_torch.py"] = torch(interface)
        files["CMakeLists.txt"] += shared_library(interface, list(modules))
        files |= {**modules, "pyproject.toml": package(interface)}
    text, said = patch(interface)
    if text is not None:
        files[f"{name}.patch"] = text
    kinds = {file: "test" if file.startswith("test_") else file.replace(name, "NAME", 1) for file in files}
    what = {file: _WHAT[kind].replace("NAME", name) for file, kind in kinds.items()}
    return {**files, "README.md": readme(interface, headline=headline, patch=said, files=what)}


_WHAT = {
    "NAME.cu": "the program, as it was judged; its entry is called `NAME_on_device` here",
    "NAME.h": "what is declared, for C and C++",
    "NAME_host.cu": "from host memory to the program and back",
    "NAME_cpu.cpp": "the sequential function",
    "CMakeLists.txt": "the target `regrapht::NAME`",
    "test": "the program beside the sequential function, on drawn inputs",
    "NAME.verdict.json": "what the judge said",
    "NAME.patch": "has your function call it",
    "NAME.py": "the function in Python, over ctypes, for arrays of NumPy, CuPy and torch",
    "NAME_torch.py": "a custom operator of torch, `torch.ops.regrapht.NAME`",
    "pyproject.toml": "for `pip install .`: the library and its Python modules, by the same CMake",
}
