"""What a model is told of the device that its code will run on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareBlock:
    """Facts of one GPU; None where unknown, and then not mentioned."""

    name: str
    """Such as `NVIDIA H200`."""
    architecture: str
    """Such as `sm_90`."""
    multiprocessors: int | None = None
    max_threads_per_block: int | None = 1024
    registers_per_multiprocessor: int | None = None
    shared_memory_per_block_bytes: int | None = None
    """Without asking for more by `cudaFuncSetAttribute`."""
    shared_memory_per_multiprocessor_bytes: int | None = None
    l2_bytes: int | None = None
    memory_bytes: int | None = None
    bandwidth_gb_per_s: float | None = None
    """Of global memory, in 10^9 bytes a second."""
    fp32_tflop_per_s: float | None = None

    def lines(self) -> tuple[str, ...]:
        """The known facts, one a line, as Markdown items."""
        facts = (
            (f"{self.name}, architecture {self.architecture}, warps of 32 threads", True),
            (f"{self.multiprocessors} multiprocessors", self.multiprocessors),
            (f"at most {self.max_threads_per_block} threads in a block", self.max_threads_per_block),
            (f"{self.registers_per_multiprocessor} registers a multiprocessor", self.registers_per_multiprocessor),
            (f"{_kib(self.shared_memory_per_block_bytes)} shared memory a block", self.shared_memory_per_block_bytes),
            (
                f"{_kib(self.shared_memory_per_multiprocessor_bytes)} shared memory a multiprocessor",
                self.shared_memory_per_multiprocessor_bytes,
            ),
            (f"{_kib(self.l2_bytes)} L2 cache", self.l2_bytes),
            (f"{_kib(self.memory_bytes)} global memory", self.memory_bytes),
            (f"{self.bandwidth_gb_per_s or 0:.0f} GB/s from global memory", self.bandwidth_gb_per_s),
            (f"{self.fp32_tflop_per_s or 0:.1f} TFLOP/s in single precision", self.fp32_tflop_per_s),
        )
        return tuple(f"- {text}" for text, known in facts if known)


def _kib(size_bytes: int | None) -> str:
    size = float(size_bytes or 0)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"
