"""How arguments travel to a judged child and raw outputs back: two memory files that the parent creates. The twin of `wire.h`.

The child inherits the first as descriptor 3 (read-only) and the second as descriptor 4 (fixed size). One that is started before its object
is built gets a third, which its harness closes before it loads the object; one that makes calls before it is timed gets the two files of
those as descriptors 6 and 7. The parent reads outputs with `pread`, so nothing that the child does to its mapping can fault the parent.
What the child writes besides raw outputs is a claim.
"""

import errno
import fcntl
import os
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from regrapht.records.task import Arg, ArgKind, Role

INPUT_FD, OUTPUT_FD, OBJECT_FD = 3, 4, 5
CHECK_INPUT_FD, CHECK_OUTPUT_FD = 6, 7
_MAGIC = 0x3154504152474552
_COMPLETED = 0x600D600D
_HEADER = struct.Struct("<QIIQQ")
_PARAMETER = struct.Struct("<IIIIII")
_CALL = struct.Struct("<IIIIQ")
_SLOT = struct.Struct("<QQQQ")
_RESULT_HEADER = struct.Struct("<QIIIIIIIIIIII")
_PROGRESS = struct.Struct("<QII")
_READY_AT, _COMMAND_AT, _KIND_AT, _ANSWERED_AT, _THREADS_AT, _OBJECT_AT = 16, 20, 24, 36, 40, 48
_REPORT = struct.Struct("<IIII")
_SAMPLE = struct.Struct("<dd")
_ALIGNMENT = 256
_ROLES = {Role.IN: 0, Role.OUT: 1, Role.INOUT: 2}
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
_BUSY_WAITS_S = (0.01, 0.1, 0.5, 1.0, 2.0)

GUARD_BROKEN, LATE_WRITE, DEVICE_ERROR, REPEAT_DIFFERS, INPUT_CHANGED = 1, 2, 4, 8, 16


class CommandKind(IntEnum):
    """What a timed child is told to do next; `wire.h` says what each means."""

    SAMPLE = 0
    QUEUED = 1
    TRANSFER = 2
    KEEP = 3
    FINISH = 4
    CHECK = 5
    STORE = 6
    AROUND = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class CallInput:
    """One call of the entry: values of sizes and scalars as raw bytes, contents of `in` and `inout` arrays, lengths of all arrays."""

    values: Mapping[str, bytes]
    arrays: Mapping[str, bytes | memoryview]
    array_bytes: Mapping[str, int]
    wanted: frozenset[str]
    """Arrays to hand back after the call: all outputs, and inputs too where the parent is to see that they did not change."""
    poison: int = 0xFF
    samples: int = 0
    shape: int = 0
    """Which of a timed child's shapes, counted from 0, it is a set of data of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutput:
    """What the child left for one call. `done` and the flags are its claims."""

    done: bool
    flags: int
    parameter: int
    error_code: int
    samples_us: tuple[tuple[float, float], ...] = ()
    """(event, host) microseconds of each timed repetition."""
    offsets: Mapping[str, int] = field(default_factory=dict)


class Exchange:
    """The two memory files of one child. Use as a context manager, or `close` it.

    Args:
        inputs_of: An exchange of the same calls whose sealed input file this one's child reads as well, so that large inputs are written
            once.
        awaits_object: The child is started without its object, which `deliver` hands over.
    """

    def __init__(
        self,
        parameters: Sequence[Arg],
        calls: Sequence[CallInput],
        *,
        inputs_of: "Exchange | None" = None,
        awaits_object: bool = False,
    ) -> None:
        self._parameters, self._calls = tuple(parameters), tuple(calls)
        self._output_offsets: list[dict[str, int]] = []
        self._sample_offsets: list[int] = []
        self._commands = 0
        self.output_fd = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        if inputs_of is None:
            self.input_fd = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        else:
            self.input_fd = os.dup(inputs_of.input_fd)
        self._object_fd = os.memfd_create("object", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING) if awaits_object else -1
        self._write(write_inputs=inputs_of is None)

    def __enter__(self) -> "Exchange":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free both files."""
        for fd in (self.input_fd, self.output_fd, self._object_fd):
            if fd >= 0:
                os.close(fd)
        self.input_fd = self.output_fd = self._object_fd = -1

    @property
    def descriptors(self) -> dict[int, int]:
        """Descriptor in the child -> descriptor here, as `Command.descriptors` takes it."""
        found = {INPUT_FD: self.input_fd, OUTPUT_FD: self.output_fd}
        return found if self._object_fd < 0 else {**found, OBJECT_FD: self._object_fd}

    @property
    def descriptors_of_checks(self) -> dict[int, int]:
        """As `descriptors`, for a child that makes these calls before the ones that it is timed with."""
        return {CHECK_INPUT_FD: self.input_fd, CHECK_OUTPUT_FD: self.output_fd}

    @property
    def completed(self) -> bool:
        """Whether the harness claims to have come to its end. Needed for a pass, never enough."""
        magic, done, mark = _PROGRESS.unpack(os.pread(self.output_fd, _PROGRESS.size, 0))
        return (magic, done, mark) == (_MAGIC, len(self._calls), _COMPLETED)

    @property
    def ready(self) -> int:
        """0 while a child gets ready, 1 when it waits for its object, 2 when a timed one waits for commands."""
        return self._word(_READY_AT)

    @property
    def answered(self) -> int:
        """Number of the newest command that the child says is done."""
        return self._word(_ANSWERED_AT)

    @property
    def threads(self) -> tuple[int, int]:
        """The child's threads before the candidate's first call and after its last, as the harness counted them; zeros when it did not."""
        return self._word(_THREADS_AT), self._word(_THREADS_AT + 4)

    def deliver(self, library: bytes) -> None:
        """Hand the object over to a child that waits for it."""
        _write_at(self._object_fd, library, 0)
        fcntl.fcntl(self._object_fd, fcntl.F_ADD_SEALS, _SEALS | fcntl.F_SEAL_WRITE)
        os.pwrite(self.output_fd, struct.pack("<I", len(library)), _OBJECT_AT)

    def command(self, kind: CommandKind, count: int, *, shape: int = 0) -> int:
        """Tell a timed child what to do next, and at which of its shapes; the number that it answers with when that is done."""
        self._commands += 1
        os.pwrite(self.output_fd, struct.pack("<III", kind, count, shape), _KIND_AT)
        os.pwrite(self.output_fd, struct.pack("<I", self._commands), _COMMAND_AT)
        return self._commands

    def output(self, call: int) -> CallOutput:
        """What the child reported of one call."""
        raw = os.pread(self.output_fd, _REPORT.size, _RESULT_HEADER.size + call * _REPORT.size)
        done, flags, parameter, error = _REPORT.unpack(raw)
        count = self._calls[call].samples
        times = os.pread(self.output_fd, count * _SAMPLE.size, self._sample_offsets[call]) if count else b""
        return CallOutput(
            done=done == 1,
            flags=flags,
            parameter=parameter,
            error_code=error,
            samples_us=tuple(_SAMPLE.iter_unpack(times)),
            offsets=self._output_offsets[call],
        )

    def array(self, call: int, name: str) -> bytearray:
        """The raw bytes of a wanted array after a call, copied out of the child's reach."""
        data = bytearray(self._calls[call].array_bytes[name])
        view, start, done = memoryview(data), self._output_offsets[call][name], 0
        while done < len(data):
            read = os.preadv(self.output_fd, [view[done : done + 2**30]], start + done)
            if read == 0:
                raise OSError(f"the output file ends inside {name}")
            done += read
        return data

    def _word(self, offset: int) -> int:
        return int.from_bytes(os.pread(self.output_fd, 4, offset), "little")

    def _write(self, *, write_inputs: bool) -> None:
        tables = _HEADER.size + len(self._parameters) * _PARAMETER.size
        tables += len(self._calls) * (_CALL.size + len(self._parameters) * _SLOT.size)
        input_end = _aligned(tables)
        output_end = _aligned(_RESULT_HEADER.size + len(self._calls) * _REPORT.size)
        calls, slots, blobs = bytearray(), bytearray(), []
        for call in self._calls:
            offsets: dict[str, int] = {}
            for parameter in self._parameters:
                if parameter.kind is not ArgKind.ARRAY:
                    raw = call.values[parameter.name]
                    slots += _SLOT.pack(len(raw), int.from_bytes(raw, "little"), 0, 0)
                    continue
                length, source, target = call.array_bytes[parameter.name], 0, 0
                if parameter.is_input:
                    source, input_end = input_end, _aligned(input_end + length)
                    blobs.append((source, call.arrays[parameter.name], length))
                if parameter.name in call.wanted:
                    target, output_end = output_end, _aligned(output_end + length)
                    offsets[parameter.name] = target
                slots += _SLOT.pack(length, 0, source, target)
            sample_offset = output_end if call.samples else 0
            output_end = _aligned(output_end + call.samples * _SAMPLE.size)
            calls += _CALL.pack(call.poison, call.samples, call.shape, 0, sample_offset)
            self._output_offsets.append(offsets)
            self._sample_offsets.append(sample_offset)
        head = _HEADER.pack(_MAGIC, len(self._parameters), len(self._calls), input_end, output_end)
        described = b"".join(_PARAMETER.pack(*_describe(parameter)) for parameter in self._parameters)
        os.ftruncate(self.output_fd, output_end)
        fcntl.fcntl(self.output_fd, fcntl.F_ADD_SEALS, _SEALS)
        if not write_inputs:
            if os.fstat(self.input_fd).st_size != input_end:
                raise ValueError("inputs can be shared between exchanges of the same calls only")
            return
        os.ftruncate(self.input_fd, input_end)
        _write_at(self.input_fd, head + described + calls + slots, 0)
        for offset, blob, length in blobs:
            if len(memoryview(blob).cast("B")) != length:
                raise ValueError(f"an array of {length} bytes was given {len(memoryview(blob).cast('B'))}")
            _write_at(self.input_fd, blob, offset)
        _seal_against_writing(self.input_fd)


def _seal_against_writing(fd: int) -> None:
    """Seal a memory file for good. The system answers EBUSY while it has a page in hand for its own purposes, which passes."""
    for wait_s in (*_BUSY_WAITS_S, None):
        try:
            fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS | fcntl.F_SEAL_WRITE)
            return
        except OSError as error:
            if error.errno != errno.EBUSY or wait_s is None:
                raise
            time.sleep(wait_s)


def _describe(parameter: Arg) -> tuple[int, int, int, int, int, int]:
    role = _ROLES[parameter.role] if parameter.role is not None else 0
    kind = 1 if parameter.kind is ArgKind.ARRAY else 0
    return (
        kind,
        role,
        parameter.dtype.size_bytes,
        parameter.dtype.alignment_bytes,
        int(parameter.exchangeable),
        int(parameter.ascending),
    )


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def _write_at(fd: int, data: bytes | bytearray | memoryview, offset: int) -> None:
    view = memoryview(data).cast("B")
    while view:
        written = os.pwrite(fd, view[: 2**30], offset)
        view, offset = view[written:], offset + written
