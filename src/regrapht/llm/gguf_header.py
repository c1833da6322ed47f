"""What a GGUF file says of itself: read before anything is loaded, so that a wrong file is one line and never a crash.

The layout is that of ggml's description of GGUF, versions 2 and 3, little-endian. Only the head is read, never a weight.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from regrapht.errors import ConfigError

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_LONGEST_STRING = 64 * 1024 * 1024
_MOST_ENTRIES = 2**24
_KEPT_ITEMS = 1024
"""Longer lists, such as a vocabulary, are read over."""
_QUANTISATIONS = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
}
_QUANTISATIONS |= {
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    30: "IQ4_XS",
    32: "BF16",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufHeader:
    """A model's file, as its head describes it."""

    architecture: str
    name: str
    quantisation: str | None
    """None where the file does not say, or in a way that is not known here."""
    context_tokens: int
    """What the model was trained for."""
    context_bytes: int
    """Of keys and values, for each token of context, in 16-bit floats."""
    file_bytes: int
    """Of all files, where the model is split over several."""


def read_header(path: Path) -> GgufHeader:
    """The head of a model that can write text.

    Raises:
        ConfigError: There is no such file, it is no GGUF, cut off, or no model that writes text; the message says what to do.
    """
    try:
        with path.open("rb") as file:
            fields, first_data, last_tensor = _read(file, path)
        size = path.stat().st_size
    except (struct.error, EOFError, UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise ConfigError(f"{path} is cut off or damaged within its head: get the file again") from error
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror or error}") from error
    if size <= first_data + last_tensor:
        missing = f"{size} bytes, and its last tensor begins at {first_data + last_tensor}"
        raise ConfigError(f"{path} is cut off ({missing}): get the file again")
    architecture = str(fields.get("general.architecture", ""))
    _refuse_others(path, fields, architecture)
    return GgufHeader(
        architecture=architecture,
        name=str(fields.get("general.name") or path.stem),
        quantisation=_QUANTISATIONS.get(fields.get("general.file_type", -1)),
        context_tokens=_whole(fields.get(f"{architecture}.context_length"), 4096),
        context_bytes=_context_bytes(fields, architecture),
        file_bytes=size + _other_parts(path, fields),
    )


def _read(file: BinaryIO, path: Path) -> tuple[dict[str, Any], int, int]:
    """The fields; where the data begin; the offset of the last tensor in them."""
    if file.read(4) != b"GGUF":
        raise ConfigError(f"{path} is no GGUF file: give a model in that format, such as NAME-Q4_K_M.gguf")
    version, tensors, entries = struct.unpack("<IQQ", _exactly(file, 20))
    if version not in (2, 3):
        raise ConfigError(f"{path} is GGUF of version {version}, and versions 2 and 3 are read: get it in version 3")
    if max(tensors, entries) > _MOST_ENTRIES:
        raise EOFError("more entries than a file can have")
    fields = {}
    for _ in range(entries):
        name = _string(file)
        fields[name] = _value(file, *struct.unpack("<I", _exactly(file, 4)))
    last = 0
    for _ in range(tensors):
        _string(file)
        (dimensions,) = struct.unpack("<I", _exactly(file, 4))
        if dimensions > 8:
            raise EOFError("more dimensions than a tensor can have")
        *_, offset = struct.unpack(f"<{dimensions}QIQ", _exactly(file, 8 * dimensions + 12))
        last = max(last, offset)
    alignment = _whole(fields.get("general.alignment"), 32) or 32
    return fields, -(-file.tell() // alignment) * alignment, last


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind != _ARRAY:
        if kind not in _NUMBERS:
            raise EOFError(f"no kind of value has the number {kind}")
        letter = _NUMBERS[kind]
        return struct.unpack(f"<{letter}", _exactly(file, struct.calcsize(f"<{letter}")))[0]
    inner, count = struct.unpack("<IQ", _exactly(file, 12))
    if count > _MOST_ENTRIES:
        raise EOFError("a list longer than a file can have")
    if inner in _NUMBERS:
        values = struct.unpack(
            f"<{count}{_NUMBERS[inner]}", _exactly(file, count * struct.calcsize(f"<{_NUMBERS[inner]}"))
        )
        return list(values[:_KEPT_ITEMS])
    kept = []
    for number in range(count):
        item = _value(file, inner)
        if number < _KEPT_ITEMS:
            kept.append(item)
    return kept


def _string(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", _exactly(file, 8))
    if length > _LONGEST_STRING:
        raise EOFError("a text longer than a file can have")
    return _exactly(file, length).decode("utf-8", "replace")


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) != count:
        raise EOFError("the file ends within its head")
    return data


def _refuse_others(path: Path, fields: dict[str, Any], architecture: str) -> None:
    """Files that are GGUF and hold no model that writes text.

    Raises:
        ConfigError: It is such a file.
    """
    kind = fields.get("general.type", "model")
    if kind != "model":
        raise ConfigError(f"{path} holds no whole model but a part for one ({kind}): give the model's own file")
    if not architecture:
        raise ConfigError(f"{path} does not say of which architecture its model is: get the file again")
    if fields.get(f"{architecture}.pooling_type") or fields.get(f"{architecture}.attention.causal") is False:
        raise ConfigError(f"{path} is a model for embeddings ({architecture}), which writes no text: give a chat model")


def _other_parts(path: Path, fields: dict[str, Any]) -> int:
    """Bytes of the other files of a model that is split.

    Raises:
        ConfigError: One is missing, or this is not the first.
    """
    count = _whole(fields.get("split.count"), 1)
    if count < 2:
        return 0
    first = f"-00001-of-{count:05}.gguf"
    if not path.name.endswith(first):
        raise ConfigError(f"{path} is a part of a model of {count} files: give the first one, ...{first}")
    total = 0
    for number in range(2, count + 1):
        part = path.with_name(path.name.removesuffix(first) + f"-{number:05}-of-{count:05}.gguf")
        if not part.is_file():
            raise ConfigError(f"the model {path} has {count} files, and {part.name} is missing beside it")
        total += part.stat().st_size
    return total


def _context_bytes(fields: dict[str, Any], architecture: str) -> int:
    def number(name: str, default: int = 0) -> int:
        value = fields.get(f"{architecture}.{name}")
        return (
            max((_whole(one, default) for one in value), default=default)
            if isinstance(value, list)
            else _whole(value, default)
        )

    heads = number("attention.head_count", 1) or 1
    of_head = number("embedding_length") // heads
    keys, values = number("attention.key_length", of_head), number("attention.value_length", of_head)
    return 2 * number("block_count") * number("attention.head_count_kv", heads) * (keys + values)


def _whole(value: object, default: int) -> int:
    return value if type(value) is int and value >= 0 else default
