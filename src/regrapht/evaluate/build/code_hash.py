"""What a build made, without how it was written: two candidates with one code hash are one program.

Hashed are the sections that are executed or read, of the device code and of the host code, which holds the launches: a kernel that reads
its block size from `blockDim` is the same device code whatever the block size. Line tables, other debug information and the embedded copy
of the device code are left out, so that comments, layout and the names of variables do not count. The names of kernels do, as host data.
"""

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_ELF64_LITTLE = b"\x7fELF\x02\x01"
_NO_BITS = 8
_WITH_ADDENDS, _WITHOUT = 4, 9
_SYMBOL_BYTES = 24
_DEVICE = (".text", ".nv.constant", ".nv.shared", ".nv.local", ".nv.global", ".nv.info.")
_HOST = (".text", ".rodata", ".data", ".bss", ".init_array", ".tdata", ".tbss")


def code_hash(host_object: bytes, device_object: bytes) -> str | None:
    """SHA-256 over the code of both; None where one is no 64-bit little-endian ELF file.

    Args:
        host_object: The object that the host's compiler made of the candidate, before it was linked.
        device_object: The cubin.
    """
    try:
        parts = [*_code(device_object, _DEVICE), b"host", *_code(host_object, _HOST)]
    except (struct.error, IndexError, OverflowError, ValueError):
        return None
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class _Section:
    """One section header; `link`, `info` and `entry_size` mean what the section's kind makes of them."""

    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int
    entry_size: int


def _sections(binary: bytes) -> list[_Section]:
    if binary[:6] != _ELF64_LITTLE:
        raise ValueError("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", binary, 0x28)
    width, count, of_names = struct.unpack_from("<HHH", binary, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", binary, table + i * width) for i in range(count)]
    names = headers[of_names][4]
    return [
        _Section(_text(binary, names + name), kind, offset, size, link, info, entry_size)
        for name, kind, _, _, offset, size, link, info, _, entry_size in headers
    ]


def _text(binary: bytes, start: int) -> str:
    return binary[start : binary.index(b"\0", start)].decode("utf-8", "replace")


def _code(binary: bytes, wanted: tuple[str, ...]) -> Iterator[bytes]:
    """The contents of the wanted sections, in their order; of one that has only a size, that size. Then what they refer to."""
    sections = _sections(binary)
    for one in sections:
        if one.name.startswith(wanted):
            yield one.size.to_bytes(8, "little") if one.kind == _NO_BITS else binary[one.offset : one.offset + one.size]
    for one in sections:
        if one.kind in (_WITH_ADDENDS, _WITHOUT) and sections[one.info].name.startswith(wanted):
            yield from _relocations(binary, sections, one)


def _relocations(binary: bytes, sections: list[_Section], table: _Section) -> Iterator[bytes]:
    """Where a section's code refers to something, and to what: by its place where it is defined here, by its name where it is not.

    The code itself has zeros there: without these, a call of another function of the runtime is the same program.
    """
    symbols = sections[table.link]
    names = sections[symbols.link].offset
    for at in range(table.offset, table.offset + table.size, table.entry_size):
        place, info = struct.unpack_from("<QQ", binary, at)
        addend = binary[at + 16 : at + 24] if table.kind == _WITH_ADDENDS else b""
        name, _, _, home, value, _ = struct.unpack_from(
            "<IBBHQQ", binary, symbols.offset + (info >> 32) * _SYMBOL_BYTES
        )
        what = struct.pack("<HQ", home, value) if home else _text(binary, names + name).encode()
        yield struct.pack("<QI", place, info & 0xFFFFFFFF) + addend + what
