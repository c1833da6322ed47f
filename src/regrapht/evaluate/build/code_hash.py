"""What a build made, without how it was written: two candidates with one code hash are one program.

Hashed are all sections that are loaded, of the device code and of the host code, which holds the launches: a kernel that reads its block
size from `blockDim` is the same device code whatever the block size. Tables for unwinding, line tables, other debug information and the
embedded copy of the device code are left out, so that comments, layout and the names of variables do not count. The names of kernels do,
as host data.
"""

import hashlib
import struct
from collections.abc import Iterator

from regrapht.evaluate.build.elf import Section, sections, symbol, text_at

_NO_BITS = 8
_WITH_ADDENDS, _WITHOUT = 4, 9
_DEVICE = (".text", ".nv.constant", ".nv.shared", ".nv.local", ".nv.global", ".nv.info.")
_NOT_THE_CODE = (".eh_frame", ".note", ".nv_fatbin", ".nvFatBinSegment", "__nv_module_id")
"""Loaded sections that follow from others, or hold the device code, or are new in every build."""


def code_hash(host_object: bytes, device_object: bytes) -> str | None:
    """SHA-256 over the code of both; None where one is no 64-bit little-endian ELF file.

    Args:
        host_object: The object that the host's compiler made of the candidate, before it was linked.
        device_object: The cubin.
    """
    try:
        parts = [*_code(device_object, _DEVICE), b"host", *_code(host_object, None)]
    except (struct.error, IndexError, OverflowError, ValueError):
        return None
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def _code(binary: bytes, wanted: tuple[str, ...] | None) -> Iterator[bytes]:
    """The contents of the wanted sections (None: of all that are loaded), in their order, each with its name where any name may be there;
    of one that has only a size, that size. Then what they refer to."""
    found = sections(binary)

    def is_wanted(one: Section) -> bool:
        if wanted is None:
            return one.is_loaded and not one.name.startswith(_NOT_THE_CODE)
        return one.name.startswith(wanted)

    for one in found:
        if is_wanted(one):
            if wanted is None:
                yield one.name.encode()
            yield one.size.to_bytes(8, "little") if one.kind == _NO_BITS else binary[one.offset : one.offset + one.size]
    for one in found:
        if one.kind in (_WITH_ADDENDS, _WITHOUT) and is_wanted(found[one.info]):
            yield from _relocations(binary, found, one)


def _relocations(binary: bytes, found: list[Section], table: Section) -> Iterator[bytes]:
    """Where a section's code refers to something, and to what: by its place where it is defined here, by its name where it is not.

    The code itself has zeros there: without these, a call of another function of the runtime is the same program.
    """
    symbols = found[table.link]
    names = found[symbols.link].offset
    for at in range(table.offset, table.offset + table.size, table.entry_size):
        place, info = struct.unpack_from("<QQ", binary, at)
        addend = binary[at + 16 : at + 24] if table.kind == _WITH_ADDENDS else b""
        name, home, value = symbol(binary, symbols, info >> 32)
        what = struct.pack("<HQ", home, value) if home else text_at(binary, names + name).encode()
        yield struct.pack("<QI", place, info & 0xFFFFFFFF) + addend + what
