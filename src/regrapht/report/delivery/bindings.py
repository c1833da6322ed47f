"""The delivered function in Python: `NAME.py` for arrays of NumPy, CuPy and torch, a custom operator of torch, and what pip needs."""

from collections.abc import Sequence

from regrapht.records.element import ScalarType, StructType
from regrapht.records.task import Arg, ArgKind, Role
from regrapht.report.delivery.interface import Interface

_CTYPES = {"float64": "c_double", "float32": "c_float"}
_HINTS = {True: "float", False: "int"}

_LOADING = '''\
def _library():
    here = Path(__file__).resolve().parent
    names = ("lib{name}.so", "{name}.dll", "lib{name}.dylib")
    for folder in (here, here / "build", here / "build" / "Release"):
        for name in names:
            if (folder / name).is_file():
                return ctypes.CDLL(str(folder / name))
    raise ImportError(f"{{names[0]}} is not built: cmake -S {{here}} -B {{here / 'build'}} && cmake --build {{here / 'build'}}")


def _pointer(name, array, dtype, size, count, writes):
    """Where an array's elements are: host memory of NumPy, or device memory of CuPy and torch, which is not copied."""
    if hasattr(array, "data_ptr"):  # torch
        kind, held = str(array.dtype).removeprefix("torch."), array.numel()
        contiguous, where = array.is_contiguous(), array.data_ptr()
        if array.is_cuda:
            import torch

            torch.cuda.current_stream(array.device).synchronize()  # what fills it has to be done
    else:
        told = getattr(array, "__cuda_array_interface__", None) or getattr(array, "__array_interface__", None)
        if told is None:
            raise TypeError(f"{{name}} is not an array of NumPy, CuPy or torch")
        kind, held, contiguous = str(array.dtype), int(array.size), bool(array.flags["C_CONTIGUOUS"])
        where, read_only = told["data"]
        if writes and read_only:
            raise ValueError(f"{{name}} is written to, and may not be")
    if dtype is not None and kind != dtype:
        raise TypeError(f"{{name}} holds {{kind}}, not {{dtype}}")
    if dtype is None and array.dtype.itemsize != size:
        raise TypeError(f"an element of {{name}} has {{array.dtype.itemsize}} bytes, not {{size}}")
    if not contiguous:
        raise ValueError(f"{{name}} is not contiguous")
    if held < count:
        raise ValueError(f"{{name}} has {{held}} elements, and {{count}} are used")
    return ctypes.c_void_p(where)
'''


def python(interface: Interface) -> str:
    """`NAME.py`: needs NumPy alone; arrays on the device are taken as they are where the program takes device memory."""
    task, name = interface.task, interface.name
    given = ", ".join(arg.name for arg in task.args)
    kinds = ", ".join(_ctype(arg) for arg in task.parameters)
    lines = [
        f'"""{task.title}: arrays of NumPy, or of CuPy or torch on the device, are changed in place. Made by regrapht."""',
        "",
        "import ctypes",
        "from math import ceil, log2  # lengths of arrays are written with them",
        "from pathlib import Path",
        "",
        f'__all__ = ["{name}", "has_device", "release"]',
        "",
        "",
        _LOADING.format(name=name),
        "",
        "_loaded = _library()",
        f"_call, _message = _loaded.{name}_host, _loaded.{name}_message",
        f"_call.argtypes, _call.restype = [{kinds}], ctypes.c_int",
        "_message.argtypes, _message.restype = [ctypes.c_int], ctypes.c_char_p",
        "",
        "",
        f"def {name}({given}):",
        f'    """{_said(interface)}"""',
    ]
    passed = []
    for arg in task.args:
        if arg.kind is not ArgKind.ARRAY:
            passed.append(arg.name)
            continue
        dtype = "None" if isinstance(arg.dtype, StructType) else f'"{arg.dtype.name}"'
        count = " * ".join(f"({extent.text})" for extent in arg.shape)
        writes = arg.role is not Role.IN
        call = f'_pointer("{arg.name}", {arg.name}, {dtype}, {arg.dtype.size_bytes}, int({count}), {writes})'
        lines.append(f"    {arg.name}_at = {call}")
        passed.append(f"{arg.name}_at")
    if task.returns is not None:
        lines.append(f"    result = {_scalar(task.returns)}()")
        passed.append("ctypes.byref(result)")
    lines += [
        f"    code = _call({', '.join(passed)})",
        "    if code:",
        f'        raise RuntimeError("{name}: " + _message(code).decode())',
        *(["    return result.value"] if task.returns is not None else []),
        "",
        "",
        "def has_device():",
        '    """Whether a CUDA device is used; without one the sequential function runs."""',
        f"    return bool(_loaded.{name}_has_device())",
        "",
        "",
        "def release():",
        '    """Give back what is kept on the device between calls."""',
        f"    _loaded.{name}_release()",
        "",
    ]
    return "\n".join(lines)


def torch(interface: Interface) -> str:
    """`NAME_torch.py`: `torch.ops.regrapht.NAME`, which compiled graphs can hold."""
    task, name = interface.task, interface.name
    written = [arg.name for arg in task.args if arg.kind is ArgKind.ARRAY and arg.role is not Role.IN]
    hints = ", ".join(f"{arg.name}: {_hint(arg)}" for arg in task.args)
    given = ", ".join(arg.name for arg in task.args)
    returned = _HINTS[task.returns.is_float] if task.returns is not None else "None"
    result = "torch.Tensor" if task.returns is not None else "None"
    kind = "float64" if returned == "float" else "int64"
    body = f"_{name}({given})"
    first = next((arg.name for arg in task.args if arg.kind is ArgKind.ARRAY), None)
    where = f", device={first}.device" if first else ""
    return "\n".join(
        [
            f'"""{task.title} as a custom operator of torch: torch.ops.regrapht.{name}. Tensors are changed in place. Made by regrapht."""',
            "",
            "import torch",
            "",
            f"from {name} import {name} as _{name}",
            "",
            "",
            f'@torch.library.custom_op("regrapht::{name}", mutates_args={tuple(written)!r})',
            f"def {name}({hints}) -> {result}:",
            f"    return torch.tensor({body}, dtype=torch.{kind}{where})"
            if task.returns is not None
            else f"    {body}",
            "",
            "",
            f"@{name}.register_fake",
            f"def _({given}):",
            f"    return torch.empty((), dtype=torch.{kind}{where})" if task.returns is not None else "    return None",
            "",
        ]
    )


def package(interface: Interface) -> str:
    """`pyproject.toml`: `pip install .` builds the library by the same CMake, and puts it beside `NAME.py` where Python finds both."""
    name = interface.name
    return f"""\
[build-system]
requires = ["scikit-build-core>=0.10"]
build-backend = "scikit_build_core.build"

[project]
name = "regrapht-{name.strip("_")}"
version = "1.0"
requires-python = ">=3.9"
dependencies = ["numpy"]

[tool.scikit-build]
minimum-version = "build-system.requires"
build.targets = ["regrapht_{name}_shared"]
wheel.packages = []
wheel.py-api = "py3"
"""


def shared_library(interface: Interface, modules: Sequence[str]) -> str:
    """Lines for `CMakeLists.txt`: the library that the Python modules load, beside the static one, and for pip where all of them go."""
    name, target = interface.name, f"regrapht_{interface.name}"
    return f"""\

add_library({target}_shared SHARED $<TARGET_OBJECTS:{target}>)
set_target_properties({target}_shared PROPERTIES OUTPUT_NAME {name} LINKER_LANGUAGE CXX)
target_link_libraries({target}_shared PRIVATE {target})
if(SKBUILD)  # pip
  install(TARGETS {target}_shared DESTINATION .)
  install(FILES {" ".join(modules)} DESTINATION .)
endif()
"""


def _ctype(arg: Arg) -> str:
    if arg.kind is ArgKind.ARRAY:
        return "ctypes.c_void_p"
    assert isinstance(arg.dtype, ScalarType), "sizes and scalars have scalar types"
    return _scalar(arg.dtype)


def _scalar(kind: ScalarType) -> str:
    return f"ctypes.{_CTYPES.get(kind.name, f'c_{kind.name}')}"


def _hint(arg: Arg) -> str:
    return "torch.Tensor" if arg.kind is ArgKind.ARRAY else _HINTS[arg.dtype.is_float]


def _said(interface: Interface) -> str:
    outputs = ", ".join(arg.name for arg in interface.task.args if arg.is_output)
    home = interface.task.home
    of = f" Made of {home.name}." if home is not None else ""
    return f"Changes {outputs}.{of}" if outputs else f"Returns a number.{of}"
