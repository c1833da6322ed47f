"""What a build made, without how it was written: two candidates with one code hash are one program.

Hashed are the sections that are executed or read, of the device code and of the host code, which holds the launches: a kernel that reads
its block size from `blockDim` is the same device code whatever the block size. Line tables, other debug information and the embedded copy
of the device code are left out, so that comments, layout and the names of variables do not count. The names of kernels do, as host data.
"""

import hashlib
import struct
from collections.abc import Iterator

_ELF64_LITTLE = b"\x7fELF\x02\x01"
_NO_BITS = 8
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


def _code(binary: bytes, wanted: tuple[str, ...]) -> Iterator[bytes]:
    """The contents of the wanted sections, in their order; of one that has only a size, that size."""
    if binary[:6] != _ELF64_LITTLE:
        raise ValueError("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", binary, 0x28)
    width, count, of_names = struct.unpack_from("<HHH", binary, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", binary, table + i * width) for i in range(count)]
    names_at = headers[of_names][4]
    for name_at, kind, _, _, offset, size in headers:
        end = binary.index(b"\0", names_at + name_at)
        name = binary[names_at + name_at : end].decode("utf-8", "replace")
        if name.startswith(wanted):
            yield size.to_bytes(8, "little") if kind == _NO_BITS else binary[offset : offset + size]
