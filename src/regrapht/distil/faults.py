"""Faults planted in right programs: what small models get wrong, as edits of a text. Whether a planted fault is one, the judge says."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

_KERNEL = re.compile(r"__global__[^{;]*\{")


@dataclass(frozen=True, slots=True)
class Planted:
    """A program with one fault."""

    fault: str
    text: str


def plant(text: str, chance: random.Random, most: int) -> list[Planted]:
    """Up to `most` different faults of different kinds that change the program."""
    kinds = list(FAULTS)
    chance.shuffle(kinds)
    found: list[Planted] = []
    for kind in kinds:
        changed = FAULTS[kind](text, chance)
        if changed is not None and changed != text:
            found.append(Planted(kind, changed))
        if len(found) == most:
            break
    return found


def _replaced(pattern: str, put: str | Callable[[re.Match[str]], str]) -> Callable[[str, random.Random], str | None]:
    """One of the places of a pattern changed."""
    compiled = re.compile(pattern, re.MULTILINE)

    def change(text: str, chance: random.Random) -> str | None:
        places = list(compiled.finditer(text))
        if not places:
            return None
        one = chance.choice(places)
        new = one.expand(put) if isinstance(put, str) else put(one)
        return text[: one.start()] + new + text[one.end() :]

    return change


def _body_start(text: str) -> int:
    kernel = _KERNEL.search(text)
    return kernel.end() if kernel else len(text)


def _other_index(text: str, chance: random.Random) -> str | None:
    """Another of the kernel's names inside brackets: a row for a column."""
    start = _body_start(text)
    places = [one for one in re.finditer(r"\[[^\[\]]*\b([a-z]\w*)\b[^\[\]]*\]", text) if one.start() > start]
    names = sorted({one.group(1) for one in places})
    if len(names) < 2:
        return None
    place = chance.choice(places)
    other = chance.choice([name for name in names if name != place.group(1)])
    return text[: place.start(1)] + other + text[place.end(1) :]


def _no_helper(text: str, chance: random.Random) -> str | None:
    """A helper's definition taken out."""
    helper = re.search(
        r"^(?:__host__ |__device__ |static |inline )+[\w ]+\b\w+\([^)]*\) \{\n(?:.*\n)*?\}\n", text, re.MULTILINE
    )
    return None if helper is None or "__global__" in helper.group(0) else text[: helper.start()] + text[helper.end() :]


def _host_reads(text: str, chance: random.Random) -> str | None:
    """The launcher reads a device pointer."""
    entry = re.search(r'extern "C" void \w+\(([^)]*)\) \{\n', text)
    arrays = re.findall(r"(?:const )?(\w+)\s*\*\s*(\w+)", entry.group(1)) if entry else []
    if entry is None or not arrays:
        return None
    kind, name = chance.choice(arrays)
    line = f"    {kind} first = {name}[0];\n    if (first != first) return;\n"
    return text[: entry.end()] + line + text[entry.end() :]


def _undeclared(text: str, chance: random.Random) -> str | None:
    """A local that is used and not declared."""
    start = _body_start(text)
    places = [
        one
        for one in re.finditer(r"^( +)(?:const )?(?:int|float|double|unsigned int) (\w+) = .*;\n", text, re.MULTILINE)
        if one.start() > start
    ]
    if not places:
        return None
    one = chance.choice(places)
    return text[: one.start()] + text[one.end() :]


def _launch_arguments(text: str, chance: random.Random) -> str | None:
    """Two arguments of a launch in the other order, or one left out."""
    launch = re.search(r">>>\(([^()]*)\);", text)
    given = launch[1].split(", ") if launch else []
    if launch is None or len(given) < 2:
        return None
    at = chance.randrange(len(given) - 1)
    if chance.random() < 0.5:
        given[at], given[at + 1] = given[at + 1], given[at]
    else:
        del given[at]
    return text[: launch.start(1)] + ", ".join(given) + text[launch.end(1) :]


def _turns_are_left(text: str, chance: random.Random) -> str | None:
    """The whole loop in every thread: an index of the kernel counted from 0 again."""
    index = re.search(r"^( +)int (\w+) = blockIdx\.x [^\n]*\n +if \(\2 >= (\w+)[^\n]*\n", text, re.MULTILINE)
    if index is None:
        return None
    return f"{text[: index.end()]}{index[1]}for (int {index[2]} = 0; {index[2]} <= {index[3]}; ++{index[2]})\n{text[index.end() :]}"


FAULTS: dict[str, Callable[[str, random.Random], str | None]] = {
    "no guard": _replaced(r"^ *if \([^\n]*>=[^\n]*\) return;\n", ""),
    "guard one too far": _replaced(r"(if \([^\n]*?)>=([^\n]*\) return;)", r"\1>\2"),
    "loop one too far": _replaced(r"(for \([^;]*;[^;<]*)<( [^;=]*;)", r"\1<=\2"),
    "bound one too far": _replaced(r"(if \(\w+) < (\w+\) \{)", r"\1 <= \2"),
    "loop starts at 1": _replaced(r"(for \(int \w+ = )0;", r"\g<1>1;"),
    "no barrier": _replaced(r"^ *__syncthreads\(\);\n", ""),
    "no start of a sum": _replaced(r"^( +(?:float|double|int) \w+) = 0(?:\.0f?)?;", r"\1;"),
    "assigns and does not add": _replaced(r" \+= ", " = "),
    "threads of one block": _replaced(r"blockIdx\.(x|y) \* blockDim\.\1 \+ threadIdx\.\1", r"threadIdx.\1"),
    "grid rounded down": _replaced(
        r"\((threads_[xyz]|\w+) \+ (\d+)\) / (\d+)",
        lambda m: f"{m[1]} / {m[3]}" if int(m[2]) == int(m[3]) - 1 else m[0],
    ),
    "no atomic": _replaced(r"atomicAdd\(&?([^,;]+), ([^;]+)\);", r"\1 += \2;"),
    "no semicolon": _replaced(r";\n( +\w)", r"\n\1"),
    "other axis": _replaced(
        r"(blockIdx|threadIdx|blockDim)\.([xyz])", lambda m: f"{m[1]}.{'y' if m[2] == 'x' else 'x'}"
    ),
    "block too large": _replaced(r"(dim3 \w+\()(?:256|128|32, 8|32, 4, 2)\)", r"\g<1>64, 64)"),
    "narrow type": _replaced(r"^( +)(?:float|double|long long) (\w+) = ", r"\1int \2 = "),
    "comparison": _replaced(r" (<|>) ([^<>=;{}]*\) \w)", lambda m: f" {'>' if m[1] == '<' else '<'} {m[2]}"),
    "starts again": _turns_are_left,
    "launch arguments": _launch_arguments,
    "no kernel": _replaced(r"__global__ ", "__device__ "),
    "sign": _replaced(r" - ", " + "),
    "offset": _replaced(r" \+ 1\]", "]"),
    "other index": _other_index,
    "no helper": _no_helper,
    "host reads the device": _host_reads,
    "undeclared": _undeclared,
    "misspelt": _replaced(r"\b(threadIdx|blockDim)\.x", r"\1.X"),
}
"""What is wrong -> the edit that makes it so; None where a program has no place for it."""
