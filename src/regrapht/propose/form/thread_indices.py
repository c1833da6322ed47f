"""What a kernel's head says of its thread's number on each axis, and when a thread has nothing to do."""

from dataclasses import dataclass

from regrapht.propose.form.scratch import operand


@dataclass(frozen=True, slots=True)
class Index:
    """What a thread has on one axis: its number from `first` to below `bound`, or every `step`th one."""

    name: str
    bound: str
    first: int = 0
    step: int = 1

    @property
    def count(self) -> str:
        """How many numbers the threads of the axis have, which a launch must reach."""
        if self.step == 1:
            return self.bound
        span = f"{operand(self.bound)} - {self.first}" if self.first else operand(self.bound)
        return f"({span} + {self.step - 1}) / {self.step}"


def of_the_thread(indices: list[Index], taken: set[str]) -> tuple[list[str], list[str]]:
    """The lines that name a thread's indices, and when it has nothing to do: first by their ends, which say how many threads there are."""
    lines, ends, starts = [], [], []
    for one, axis in zip(indices, "xyz", strict=False):
        number = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"
        end = operand(one.bound)
        if one.step == 1:
            lines.append(f"    int {one.name} = {number};")
            ends.append(f"{one.name} >= {one.bound if one.first else end}")
            starts += [f"{one.name} < {one.first}"] if one.first else []
            continue
        turn = free_name("turn", {*taken, *(index.name for index in indices)})
        turn = turn if axis == "x" else f"{turn}_{axis}"
        begin = f"{one.first} + " if one.first else ""
        lines += [f"    int {turn} = {number};", f"    int {one.name} = {begin}{one.step} * {turn};"]
        ends.append(f"{turn} >= {one.count}")
    return lines, [*ends, *starts]


def free_name(name: str, taken: set[str]) -> str:
    """The name, longer where it is taken."""
    while name in taken:
        name += "_index"
    return name
