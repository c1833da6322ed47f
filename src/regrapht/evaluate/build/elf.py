"""Section headers and undefined symbols of 64-bit little-endian ELF files. Broken files raise struct.error, IndexError or ValueError."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_ELF64_LITTLE = b"\x7fELF\x02\x01"
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLES = (2, 11)
"""SHT_SYMTAB and SHT_DYNSYM."""
_UNDEFINED = 0
_LOADED = 2
"""SHF_ALLOC."""
_EXECUTED = 4
"""SHF_EXECINSTR."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section header; `link`, `info` and `entry_size` mean what the section's kind makes of them."""

    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int
    entry_size: int
    address: int = 0
    """Where it lies when it is loaded."""
    is_loaded: bool = False
    """Whether it is part of the program in memory."""
    is_code: bool = False


def sections(binary: bytes) -> list[Section]:
    """All section headers, in order."""
    if binary[:6] != _ELF64_LITTLE:
        raise ValueError("no ELF file")
    (table,) = struct.unpack_from("<Q", binary, 0x28)
    width, count, of_names = struct.unpack_from("<HHH", binary, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", binary, table + i * width) for i in range(count)]
    if not headers:
        raise ValueError("no section")
    names = headers[of_names][4]
    return [
        Section(
            text_at(binary, names + name),
            kind,
            offset,
            size,
            link,
            info,
            entry_size,
            address=address,
            is_loaded=bool(flags & _LOADED),
            is_code=bool(flags & _EXECUTED),
        )
        for name, kind, flags, address, offset, size, link, info, _, entry_size in headers
    ]


def symbol(binary: bytes, table: Section, index: int) -> tuple[int, int, int]:
    """Of one symbol: where its name starts among the names, the number of its section (0: undefined), and its value."""
    name, _, _, home, value, _ = _SYMBOL.unpack_from(binary, table.offset + index * _SYMBOL.size)
    return name, home, value


def undefined_names(binary: bytes) -> Iterator[str]:
    """The names that a file uses without defining them."""
    return (name for name, home in _names(binary) if home == _UNDEFINED)


def defined_names(binary: bytes) -> Iterator[str]:
    """The names that a file defines, whoever may see them."""
    return (name for name, home in _names(binary) if home != _UNDEFINED)


def _names(binary: bytes) -> Iterator[tuple[str, int]]:
    """Every symbol that has a name, and the number of its section."""
    found = sections(binary)
    tables = [one for one in found if one.kind in _SYMBOL_TABLES]
    if not tables or sum(table.size for table in tables) > len(binary):
        raise ValueError("no symbol table")
    for table in tables:
        names = found[table.link].offset
        for index in range(-(-table.size // _SYMBOL.size)):
            name, home, _ = symbol(binary, table, index)
            if name:
                yield binary[names + name : binary.index(b"\0", names + name)].decode("ascii"), home


def text_at(binary: bytes, start: int) -> str:
    """The text from `start` to the next zero byte."""
    return binary[start : binary.index(b"\0", start)].decode("utf-8", "replace")
