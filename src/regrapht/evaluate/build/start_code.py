"""Code that no compiler made of functions: what an object runs by itself when it is loaded or unloaded, and what lies among its code.

A compiler makes functions of its own for static objects and for what the toolkit registers. Whatever else stands in these tables was put
there by a candidate: an attribute, or the name of a section.
"""

import re
import struct

from regrapht.evaluate.build.elf import Section, sections, symbol, text_at
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status

_TABLES = (14, 15, 16)
"""SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY."""
_NAMES = re.compile(r"\.(preinit_array|init_array|fini_array|ctors|dtors)(\..*)?")
_CODE = re.compile(r"\.(init|fini)(\..*)?")
_COMPILERS = re.compile(
    r"_GLOBAL__(sub_)?[ID]_[\w.]+|_sub_[ID]_\d+_\d+|(_ZL\d+)?__sti____cudaRegisterAll\w*|__cudaRegister\w*|frame_dummy|__do_global_dtors_aux(_fini_array_entry)?"
    r"|(tsan|sancov|asan)\.module_(c|d)tor\w*|__cuda_module_(ctor|dtor)\w*"
)
_STATIC_OBJECTS = re.compile(r"_GLOBAL__(sub_)?[ID]_[\w.]+")
_FUNCTION, _RELATIVE = 2, 8
_MARKERS = (3, 4, 10)
"""STT_SECTION, STT_FILE; STT_GNU_IFUNC, which the loader's listing tells of."""
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")


def start_functions(binary: bytes) -> list[str]:
    """The names of the functions that an ELF object, relocatable or shared, runs by itself; "?" for one without a name.

    Raises:
        ValueError, struct.error, IndexError: It is no such file.
    """
    found = sections(binary)
    names: list[str] = []
    for number, section in enumerate(found):
        if section.kind in _TABLES or _NAMES.fullmatch(section.name):
            told = _entries(binary, found, number)
            names += told + ["?"] * max(0, section.size // 8 - len(told))
        elif _CODE.fullmatch(section.name) and _is_relocatable(binary) and section.size:
            names.append(section.name)  # only the linker's own files put code there
    return names


def refuse_start_code(binary: bytes) -> bool:
    """Whether static objects of the candidate run code when they are loaded.

    Raises:
        Rejected: A function of the candidate's own does.
    """
    try:
        functions = start_functions(binary)
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise Rejected(Status.POLICY_REJECTED, f"the compiled code is not what a compiler writes: {error}") from error
    own = next((name for name in functions if not _COMPILERS.fullmatch(name)), None)
    if own is not None:
        what = "a function of the candidate's" if own == "?" else own
        message = f"{what} runs when the object is loaded or unloaded"
        raise Rejected(
            Status.POLICY_REJECTED, message, feedback=f"{message}: a candidate does its work when it is called."
        )
    return any(_STATIC_OBJECTS.fullmatch(name) for name in functions)


def refuse_strange_code(binary: bytes) -> None:
    """Raise `Rejected` where something lies among the code that a compiler does not put there: data, or what an assembler was told."""
    found = sections(binary)
    for table in (each for each in found if each.kind == 2):
        for index in range(table.size // _SYMBOL.size):
            name, information, _, home, _, _ = _SYMBOL.unpack_from(binary, table.offset + index * _SYMBOL.size)
            kind = information & 15
            if home >= len(found) or not found[home].is_code or kind in (_FUNCTION, *_MARKERS) or not name:
                continue
            said = text_at(binary, found[table.link].offset + name)
            raise Rejected(
                Status.POLICY_REJECTED,
                f"{said:.60} lies among the code and is no function of a compiler's",
                feedback="Assembler and data among the code are not allowed.",
            )


def _is_relocatable(binary: bytes) -> bool:
    return bool(struct.unpack_from("<H", binary, 0x10)[0] == 1)


def _entries(binary: bytes, found: list[Section], number: int) -> list[str]:
    """The functions that relocations put into one table."""
    section = found[number]
    names = []
    for table in found:
        if table.kind != 4 or (_is_relocatable(binary) and table.info != number):
            continue
        for at in range(table.offset, table.offset + table.size, table.entry_size or _RELOCATION.size):
            place, info, addend = _RELOCATION.unpack_from(binary, at)
            if not _is_relocatable(binary) and not section.address <= place < section.address + section.size:
                continue
            names.append(_target(binary, found, found[table.link], info, addend))
    return names


def _target(binary: bytes, found: list[Section], symbols: Section, info: int, addend: int) -> str:
    if info & 0xFFFFFFFF == _RELATIVE:
        return _function_at(binary, found, None, addend)
    name, home, value = symbol(binary, symbols, info >> 32)
    kind = binary[symbols.offset + (info >> 32) * _SYMBOL.size + 4] & 15
    if kind == _FUNCTION or not home:
        return text_at(binary, found[symbols.link].offset + name)
    return _function_at(binary, found, home, value + addend)


def _function_at(binary: bytes, found: list[Section], home: int | None, address: int) -> str:
    """The name of a function that begins at an address, of the file or of one section."""
    names = []
    for table in (each for each in found if each.kind == 2):
        for index in range(table.size // _SYMBOL.size):
            name, information, _, section, value, _ = _SYMBOL.unpack_from(binary, table.offset + index * _SYMBOL.size)
            if information & 15 == _FUNCTION and value == address and (home is None or section == home):
                names.append(text_at(binary, found[table.link].offset + name))
    ours = [name for name in names if not _COMPILERS.fullmatch(name)]
    return (ours or names or ["?"])[0]
