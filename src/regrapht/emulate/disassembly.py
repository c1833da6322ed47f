"""What objdump says of a checked build: the candidate's line for each code address, and what each basic block does."""

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from regrapht.emulate.instruction_weights import Weight, weight

_INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)")
_PLACE = re.compile(r"\S.*:\d+( \(discriminator \d+\))?$")
# A class's copy or move, by its mangled name: the implicit ones have the line of the class, and what matters is the line that copies.
_COPIES = re.compile(r"(aS|C\d)E(RK|O)S[0-9A-Z]*_\W*$")
_TARGET = re.compile(r"([0-9a-f]+) <")
_CHECK_INSTRUCTIONS = 2
_COMPARED = re.compile(r"cmp(?P<suffix>[bwlq]?) \$0x(?P<number>[0-9a-f]+),(?:%(?P<register>\w+)|.*)")
_ASKS_EQUAL = re.compile(r"(j|set|cmov)(e|ne|z|nz)$")
_ASKS_FLOATS_EQUAL = re.compile(r"(j|set|cmov)n?p$")
_ASKS = re.compile(r"(j(?!mp)|set|cmov)\w+$")
_ASKS_SIGNED = re.compile(r"(j|set|cmov)(l|ge|le|g|s|ns)$")
_TELLS = re.compile("cov_trace_(const_)?cmp")
_MOST_BEFORE_BLOCK = 64
_BITS = {"b": 8, "w": 16, "l": 32, "q": 64}
_REGISTERS = {8: r"\w+[lhb]", 32: r"e\w+|r\d+d", 64: r"r[a-z]+|r\d+", 16: r"\w*"}
_SETS_FLAGS = re.compile(r"cmp[bwlq]?|test[bwlq]?|sub[bwlq]?|add[bwlq]?|and[bwlq]?|or[bwlq]?|u?comis[sd]|call")
WEIGHED_HEADERS = (
    "arithmetic",
    "fast_functions",
    "rounding",
    "integer_intrinsics",
    "simd_intrinsics",
    "half",
    "half_operations",
    "bfloat16",
)
"""Headers whose functions carry the weight that they have on a GPU: nothing else that is made of them counts."""
_WEIGHED = re.compile(rf"/emulated/({'|'.join(WEIGHED_HEADERS)})\.h:\d+")


@dataclass(frozen=True, slots=True)
class BlockWeight:
    """One execution of a basic block by one thread."""

    instructions: int
    flops: int
    lines: tuple[tuple[int, int, int], ...] = ()
    """(line of the candidate, instructions, flops) of which it is made; line 0 for what comes from elsewhere."""


@dataclass(frozen=True, slots=True)
class Question:
    """What compiled code asks of two sides once it has told of them."""

    line: int
    """The candidate's; 0 of what stands in a header."""
    known: bool = False
    """Whether the code shows what is asked, which it does where the question follows at once."""
    equal: bool = False
    """Whether they are equal, and not which one is larger."""
    signed: bool = False
    """Of whole numbers: whether they have signs."""
    splits: bool = False
    """Basic blocks of their own begin on either way."""


class Disassembly:
    """Parsed on first use. Everything in it derives from hostile source and is only ever shown or counted."""

    def __init__(self, listing: str, *source_names: str) -> None:
        self._listing, self._source_names = listing, source_names

    def line(self, return_address: int) -> int | None:
        """The candidate's line of the call that returns to `return_address` (or of the instruction just before it)."""
        starts, lines = self._lines
        place = bisect.bisect_right(starts, return_address - 1) - 1
        return (lines[place] or None) if place >= 0 else None

    def block(self, address: int) -> BlockWeight:
        """The basic block that begins at `address`."""
        return self._blocks.get(address, BlockWeight(1, 0))

    @cached_property
    def equalities(self) -> frozenset[tuple[int, int]]:
        """The candidate's lines with the numbers that the compiled code asks there whether something is equal to them, however the text
        spells it: constants that the compiler computed are among them, and `n > 6 && n < 8` is such a question."""
        found: set[tuple[int, int]] = set()
        number: int | None = None
        loaded: dict[str, int] = {}  # numbers of 64 bits are compared from a register
        places = _PlaceReader(self._source_names)
        for text in self._listing.splitlines():
            instruction = _INSTRUCTION.match(text)
            if instruction is None:
                places.read(text)
                continue
            operation, operands, line = instruction[2], instruction[3], places.line()
            if operation == "movabs":
                given, _, register = operands.rpartition(",")
                loaded[register] = int(given.removeprefix("$"), 16)
            elif _SETS_FLAGS.fullmatch(operation):
                number = _number_of(operation, operands, loaded)
            elif _ASKS.match(operation):
                if number is not None and line and _ASKS_EQUAL.match(operation):
                    found.add((line, number))
                number = None
        return frozenset(found)

    @cached_property
    def questions(self) -> Mapping[int, Question]:
        """What is asked behind each call that tells of a comparison, by where that call returns."""
        reader = _QuestionReader()
        places = _PlaceReader(self._source_names)
        for text in self._listing.splitlines():
            instruction = _INSTRUCTION.match(text)
            if instruction is None:
                places.read(text)
                continue
            line = places.line()
            reader.read(int(instruction[1], 16), instruction[2], instruction[3], line if places.own else 0)
        return reader.questions()

    @cached_property
    def _parsed(self) -> tuple[list[int], list[int], dict[int, BlockWeight]]:
        starts: list[int] = []
        lines: list[int] = []
        blocks = _BlockReader()
        places = _PlaceReader(self._source_names)
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
            blocks.read(address, operation, operands, line, places.weighed)
        blocks.close()
        return starts, lines, blocks.weights

    @property
    def _lines(self) -> tuple[list[int], list[int]]:
        return self._parsed[0], self._parsed[1]

    @property
    def _blocks(self) -> dict[int, BlockWeight]:
        return self._parsed[2]


def _number_of(operation: str, operands: str, loaded: Mapping[str, int]) -> int | None:
    """The number of a comparison with one, with its sign; None for other instructions."""
    if operation == "cmp":
        number = next((loaded[name] for name in operands.split(",") if name in loaded), None)
        if number is not None:
            return number - 2**64 if number >= 2**63 else number
    compared = _COMPARED.fullmatch(f"{operation} {operands}")
    if compared is None:
        return None
    number, bits = int(compared["number"], 16), _BITS.get(compared["suffix"], 0)
    bits = bits or next(size for size, names in _REGISTERS.items() if re.fullmatch(names, compared["register"] or ""))
    return number - 2**bits if number >= 2 ** (bits - 1) else number


class _PlaceReader:
    """objdump's lines between instructions. It prints the innermost place only when that changes, and the places that it was inlined
    into, outwards, before every instruction that has them."""

    def __init__(self, source_names: Sequence[str]) -> None:
        self._marker = re.compile(rf"\b(?:{'|'.join(map(re.escape, source_names))}):(\d+)")
        self._function, self._innermost, self._line = "", "", 0
        self._outer: list[str] = []
        self._fresh = False
        self.weighed = False
        """Whether the instruction that follows is made of a function that carries its own weight; known once `line` was asked."""
        self.own = False
        """Whether it stands in the candidate's text itself, and not in a header's function; known once `line` was asked."""

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
            self.weighed = any(_WEIGHED.search(place) for place in (self._innermost, *self._outer))
            self.own = self._marker.search(self._innermost) is not None
            self._outer.clear()
            self._fresh = False
        return self._line


class _QuestionReader:
    """Calls that tell of comparisons, and the jump or the value that each one becomes."""

    def __init__(self) -> None:
        self._instructions: list[tuple[int, str, str]] = []
        self._calls: list[tuple[int, int]] = []
        self._asked: list[tuple[int, int, int]] = []  # where the call returns, the line, which instruction asks
        self._told = False
        self._pending: tuple[int, int] | None = None

    def read(self, address: int, operation: str, operands: str, line: int) -> None:
        if self._told:
            self._pending = (address, line)
            self._calls.append(self._pending)
        self._told = operation == "call" and _TELLS.search(operands) is not None
        if operation in ("call", "jmp", "ret"):
            self._pending = None
        elif self._pending is not None and _ASKS.match(operation):
            self._asked.append((*self._pending, len(self._instructions)))
            self._pending = None
        self._instructions.append((address, operation, operands))

    def questions(self) -> dict[int, Question]:
        index = {address: i for i, (address, _, _) in enumerate(self._instructions)}
        found = {returned_to: Question(line) for returned_to, line in self._calls}
        for returned_to, line, asks in self._asked:
            _, operation, operands = self._instructions[asks]
            equal = _ASKS_EQUAL.match(operation) or _ASKS_FLOATS_EQUAL.match(operation)
            target = _TARGET.match(operands) if operation.startswith("j") else None
            splits = False
            if target is not None:
                there = self._first_block(index.get(int(target[1], 16)), index)
                here = self._first_block(asks + 1, index)
                splits = None not in (here, there) and here != there
            signed = _ASKS_SIGNED.match(operation) is not None
            found[returned_to] = Question(line, True, equal is not None, signed, splits)
        return found

    def _first_block(self, at: int | None, index: Mapping[int, int]) -> int | None:
        """The first basic block that is told of from an instruction on; None where there is none before other ways part."""
        for _ in range(_MOST_BEFORE_BLOCK):
            if at is None or at >= len(self._instructions):
                return None
            address, operation, operands = self._instructions[at]
            if operation == "call" and "cov_trace_pc" in operands:
                return address
            target = _TARGET.match(operands)
            if operation == "jmp" and target is not None:
                at = index.get(int(target[1], 16))
            elif operation.startswith(("j", "ret")):
                return None
            else:
                at += 1
        return None


@dataclass(slots=True)
class _LineCounts:
    """What one block has of one line."""

    instructions: int = 0
    flops: int = 0
    accesses: int = 0
    addresses: int = 0

    def add(self, each: Weight) -> None:
        self.instructions += each.instructions
        self.flops += each.flops
        self.accesses += each.accesses
        self.addresses += each.addresses

    @property
    def total(self) -> int:
        """Instructions. A GPU's load and store take a register and a constant: one sum for each access is theirs."""
        return self.instructions + max(0, self.addresses - self.accesses)


class _BlockReader:
    """Sums instructions from one call of the coverage hook to the next, or to the jump that ends the block, less those that only check an
    address: a test and a conditional jump to where the sanitizer's handler is called, which lies behind other jumps."""

    def __init__(self) -> None:
        self._counts: dict[int, dict[int, _LineCounts]] = {}  # block -> line
        self._begun: int | None = None
        self._opens = False
        self._branches: list[tuple[_LineCounts, int]] = []  # the counts of the line, where to
        self._handlers: set[int] = set()
        self._apart: int | None = None  # where the code behind the last jump begins
        self._jumped = False

    def read(self, address: int, operation: str, operands: str, line: int, weighed: bool) -> None:
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
            counts = self._counts[self._begun].setdefault(line, _LineCounts())
            counts.add(weight(operation, operands, weighed=weighed))
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
                counts.instructions = max(0, counts.instructions - _CHECK_INSTRUCTIONS)
        self._branches.clear()
        return {begun: _block_weight(lines) for begun, lines in self._counts.items()}


def _block_weight(counts: dict[int, _LineCounts]) -> BlockWeight:
    lines = tuple((line, each.total, each.flops) for line, each in counts.items() if each.total)
    instructions, flops = sum(each[1] for each in lines), sum(each[2] for each in lines)
    return BlockWeight(instructions, flops, lines)
