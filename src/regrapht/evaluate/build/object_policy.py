"""What a compiled candidate may take from its surroundings, export, need and run when it is loaded: its one entry and no more.

Its imports are read from the symbol table, which cannot be spelt around: a pointer to a function, an assembler label or a pasted name hide
a call from `text_policy.py`, and the linker needs its real name all the same. The rest is read from the listings of binutils. The harness
loads an object late and privately, so a symbol of its own replaces none of ours: this is the second lock on that door, and the one that
says what a candidate tried.
"""

import re
import struct
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from regrapht.evaluate.build.elf import defined_names, undefined_names
from regrapht.evaluate.build.imports import forbidden_imports
from regrapht.evaluate.build.libraries import is_allowed
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import Task
from regrapht.records.verdict import Status

ENTRY = "regrapht_call"
LISTINGS = ("symbols", "dynamic", "relocations", "sections")
"""Files that `listing_script` writes, to be collected."""
RUNS_CODE_AT_LOAD = "runs_code_at_load"
_LINKER_SYMBOLS = frozenset({"_init", "_fini", "_edata", "_end", "__bss_start"})
_LIBRARIES = re.compile(r"(lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt|cudart)\.so(\.\d+)*|ld-linux-[\w-]+\.so\.\d+)")
_REFUSED_TAGS = {
    "RPATH": "a search path for libraries",
    "RUNPATH": "a search path for libraries",
    "AUDIT": "an auditor of the loader",
    "DEPAUDIT": "an auditor of the loader",
    "FILTER": "a stand-in for another library",
    "AUXILIARY": "a stand-in for another library",
    "CONFIG": "a configuration of the loader",
    "TEXTREL": "writable code",
    "PREINIT_ARRAY": "code that runs before all other",
}


def refuse_imports(compiled: bytes, task: Task) -> None:
    """Check the symbols that an ELF object or shared object leaves to others to define.

    Raises:
        Rejected: It uses a function for processes, threads, files, signals or anything else that a candidate has no use for.
    """
    forbidden = forbidden_imports(undefined_symbols(compiled), task)
    if forbidden:
        raise Rejected(
            Status.POLICY_REJECTED,
            f"the compiled code uses {', '.join(forbidden[:4])}",
            feedback=f"{forbidden[0]} is not allowed: a candidate only computes its outputs.",
        )


def refuse_definitions(compiled: bytes, library: Collection[str]) -> None:
    """Check that an object defines no function of a library that it is linked with later: its own would stand in the library's place.

    Args:
        compiled: The object, before anything is linked to it.
        library: The names that are the library's.

    Raises:
        Rejected: It defines one of them, weak or hidden as it may be.
    """
    taken = sorted(_read(defined_names, compiled) & frozenset(library))
    if taken:
        reason = f"the candidate defines {taken[0]}, which is the CUDA library's own"
        raise Rejected(Status.POLICY_REJECTED, reason, feedback=f"{reason}. Leave it out, or give yours another name.")


def undefined_symbols(compiled: bytes) -> frozenset[str]:
    """The names that a 64-bit little-endian ELF file uses without defining them.

    Raises:
        Rejected: It is no such file; a compiler wrote it, so the candidate has put another in its place.
    """
    return _read(undefined_names, compiled)


def _read(names: Callable[[bytes], Iterator[str]], compiled: bytes) -> frozenset[str]:
    try:
        return frozenset(names(compiled))
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise Rejected(Status.POLICY_REJECTED, f"the compiled code is not what a compiler writes: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCode:
    """What runs when an object is loaded: entries of its table of initialisers, and bytes of its `.init` section."""

    entries: int
    init_bytes: int


def listing_script(name: str) -> str:
    """Shell commands that list the object `name` into the files of `LISTINGS`; they fail together."""
    return (
        f"nm -D --defined-only {name} >symbols && readelf -dW {name} >dynamic && readelf -rW {name} >relocations && "
        f"readelf -SW {name} >sections"
    )


def listings_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """The listings among collected files, as text."""
    return {name: files.get(name, b"").decode(errors="replace") for name in LISTINGS}


def load_code(listings: Mapping[str, str]) -> LoadCode:
    """What runs when the listed object is loaded."""
    size = re.search(r"\(INIT_ARRAYSZ\)\s+(\d+)", listings["dynamic"])
    init = re.search(r"\]\s+\.init\s+PROGBITS\s+\w+\s+\w+\s+([0-9a-f]+)", listings["sections"])
    pointer = 4 if "ELF32" in listings["sections"] else 8
    return LoadCode(entries=int(size[1]) // pointer if size else 0, init_bytes=int(init[1], 16) if init else 0)


def audit(listings: Mapping[str, str], task: Task, *, ordinary: LoadCode) -> tuple[str, ...]:
    """Labels for the verdict: `runs_code_at_load` when more runs then than in an `ordinary` object of the same compiler.

    Raises:
        Rejected: It exports anything but its entry (weak template instances aside), has its code chosen by a function at load time, needs a
            library that the task does not allow, or asks something unusual of the loader.
    """
    _check_symbols(listings["symbols"])
    if "IRELATIV" in listings["relocations"]:
        raise _refused("has a function chosen by code when it is loaded (ifunc)")
    _check_dynamic(listings["dynamic"], task)
    found = load_code(listings)
    more = found.entries > ordinary.entries or found.init_bytes > ordinary.init_bytes
    return (RUNS_CODE_AT_LOAD,) if more else ()


def _check_symbols(listed: str) -> None:
    entries = 0
    for line in listed.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        kind, name = fields[-2], fields[-1]
        if name == ENTRY and kind == "T":
            entries += 1
        elif kind in "WVvu" and name.startswith("_Z") and not name.startswith(("_Zn", "_Zd")):
            continue  # an instance of a template or an inline function; operators new and delete are nobody's to replace
        elif name not in _LINKER_SYMBOLS:
            raise _refused(f"exports {name}, which is not its own to define")
    if entries != 1:
        raise _refused("does not export the call stub that was appended to it")


def _check_dynamic(listed: str, task: Task) -> None:
    if not re.search(r"\(STRTAB\)", listed):
        raise _refused("has no table for the loader")
    for tag, what in _REFUSED_TAGS.items():
        if re.search(rf"\({tag}\)", listed) or (tag == "TEXTREL" and re.search(r"\(FLAGS\).*\bTEXTREL\b", listed)):
            raise _refused(f"has {what} ({tag})")
    for line in listed.splitlines():
        if "(NEEDED)" not in line:
            continue
        match = re.search(r"\[([^\[\]/]+)\]$", line.strip())
        needed = match[1] if match else line.strip()
        if not is_allowed(needed, task) and not _LIBRARIES.fullmatch(needed):
            raise _refused(f"needs {needed}, which this task does not allow")


def _refused(what: str) -> Rejected:
    return Rejected(Status.POLICY_REJECTED, f"the candidate {what}")
