"""What objdump says of a checked build: the candidate's line for each code address, and what each basic block does."""

import bisect
import re
from dataclasses import dataclass
from functools import cached_property

_INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)")
_FLOP = re.compile(r"v?(add|sub|mul|div|sqrt|max|min)s[sd]$")
_FUSED = re.compile(r"vfn?m(add|sub)\d+s[sd]$")
_PACKED = re.compile(r"v?(add|sub|mul|div|sqrt)p[sd]$")
_OWN_CALL = re.compile(r"<(__tsan_|emulated_|__wrap_)")
_NO_ARITHMETIC = re.compile(r"<(v?printf|puts|putchar|mem\w+|str\w+)@plt")
_PLACE = re.compile(r"\S.*:\d+( \(discriminator \d+\))?$")
# A class's copy or move, by its mangled name: the implicit ones have the line of the class, and what matters is the line that copies.
_COPIES = re.compile(r"(aS|C\d)E(RK|O)S[0-9A-Z]*_\W*$")
_TARGET = re.compile(r"([0-9a-f]+) <")
_CHECK_INSTRUCTIONS = 2
_LIBRARY_FLOPS, _LIBRARY_INSTRUCTIONS = 10, 20
"""Charged for a call of a mathematical function such as expf."""


@dataclass(frozen=True, slots=True)
class BlockWeight:
    """One execution of a basic block by one thread."""

    instructions: int
    flops: int
    lines: tuple[tuple[int, int, int], ...] = ()
    """(line of the candidate, instructions, flops) of which it is made; line 0 for what comes from elsewhere."""


class Disassembly:
    """Parsed on first use. Everything in it derives from hostile source and is only ever shown or counted."""

    def __init__(self, listing: str, source_name: str) -> None:
        self._listing, self._source_name = listing, source_name

    def line(self, return_address: int) -> int | None:
        """The candidate's line of the call that returns to `return_address` (or of the instruction just before it)."""
        starts, lines = self._lines
        place = bisect.bisect_right(starts, return_address - 1) - 1
        return (lines[place] or None) if place >= 0 else None

    def block(self, address: int) -> BlockWeight:
        """The basic block that begins at `address`."""
        return self._blocks.get(address, BlockWeight(1, 0))

    @cached_property
    def _parsed(self) -> tuple[list[int], list[int], dict[int, BlockWeight]]:
        starts: list[int] = []
        lines: list[int] = []
        blocks = _BlockReader()
        places = _PlaceReader(self._source_name)
        for text in self._listing.splitlines():
            found = _INSTRUCTION.match(text)
            if found is None:
                places.read(text)
                continue
            address, operation, operands = int(found[1], 16), found[2], found[3]
            line = places.line()
            if not lines or lines[-1] != line:
                starts.append(address)
                lines.append(line)
            blocks.read(address, operation, operands, line)
        blocks.close()
        return starts, lines, blocks.weights

    @property
    def _lines(self) -> tuple[list[int], list[int]]:
        return self._parsed[0], self._parsed[1]

    @property
    def _blocks(self) -> dict[int, BlockWeight]:
        return self._parsed[2]


class _PlaceReader:
    """objdump's lines between instructions. It prints the innermost place only when that changes, and the places that it was inlined
    into, outwards, before every instruction that has them."""

    def __init__(self, source_name: str) -> None:
        self._marker = re.compile(rf"{re.escape(source_name)}:(\d+)")
        self._function, self._innermost, self._line = "", "", 0
        self._outer: list[str] = []
        self._fresh = False

    def read(self, text: str) -> None:
        if text.startswith("inlined by "):
            self._outer.append(text)
        elif _PLACE.match(text):
            self._innermost = text
        elif text.endswith("():"):
            self._function = text
        elif not text.endswith(">:"):
            return
        self._fresh = True

    def line(self) -> int:
        """The candidate's line of the instruction that follows; 0 when it comes from nowhere in the candidate's source."""
        if self._fresh:
            copies = _COPIES.search(self._function) is not None
            callers = [place for place in self._outer if not _COPIES.search(place)]
            places = callers if copies and callers else (self._innermost, *callers)
            found = (self._marker.search(place) for place in places)
            self._line = next((int(match.group(1)) for match in found if match), 0)
            self._outer.clear()
            self._fresh = False
        return self._line


class _BlockReader:
    """Sums instructions from one call of the coverage hook to the next, or to the jump that ends the block, less those that only check an
    address: a test and a conditional jump to where the sanitizer's handler is called, which lies behind other jumps."""

    def __init__(self) -> None:
        self._counts: dict[int, dict[int, list[int]]] = {}  # block -> line -> instructions, flops
        self._begun: int | None = None
        self._opens = False
        self._branches: list[tuple[list[int], int]] = []  # the counts of the line, where to
        self._handlers: set[int] = set()
        self._apart: int | None = None  # where the code behind the last jump begins
        self._jumped = False

    def read(self, address: int, operation: str, operands: str, line: int) -> None:
        if self._opens:
            self._begun, self._opens = address, False
            self._counts[address] = {}
        if self._jumped:
            self._apart, self._jumped = address, False
        if operation == "call" and "cov_trace_pc" in operands:
            self.close()
            self._opens = True
        elif operation == "call" and "__ubsan_handle" in operands and self._apart is not None:
            self._handlers.add(self._apart)
        elif operation.startswith(("jmp", "ret")):
            self.close()
            self._jumped = True
        elif self._begun is not None:
            instructions, flops = _weight(operation, operands)
            counts = self._counts[self._begun].setdefault(line, [0, 0])
            counts[0] += instructions
            counts[1] += flops
            target = _TARGET.match(operands)
            if operation.startswith("j") and target is not None:
                self._branches.append((counts, int(target[1], 16)))

    def close(self) -> None:
        self._begun = None

    @property
    def weights(self) -> dict[int, BlockWeight]:
        """Of each block that has been read, by its address."""
        for counts, target in self._branches:
            if target in self._handlers:
                counts[0] = max(0, counts[0] - _CHECK_INSTRUCTIONS)
        self._branches.clear()
        return {begun: _block_weight(lines) for begun, lines in self._counts.items()}


def _block_weight(counts: dict[int, list[int]]) -> BlockWeight:
    lines = tuple((line, instructions, flops) for line, (instructions, flops) in counts.items() if instructions)
    instructions, flops = sum(each[1] for each in lines), sum(each[2] for each in lines)
    return BlockWeight(max(1, instructions), flops, lines)


def _weight(operation: str, operands: str) -> tuple[int, int]:
    """Instructions and floating-point operations of one instruction; our own hooks weigh nothing."""
    if operation == "call":
        if "@plt" not in operands or _OWN_CALL.search(operands):
            return 0, 0
        return _LIBRARY_INSTRUCTIONS, 0 if _NO_ARITHMETIC.search(operands) else _LIBRARY_FLOPS
    if _FUSED.match(operation):
        return 1, 2
    if _FLOP.match(operation):
        return 1, 1
    return 1, 4 if _PACKED.match(operation) else 0
