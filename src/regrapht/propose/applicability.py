"""What a program's text says against a technique, where no compiler knows the program.

Only what is sure: the step is done already, or what it works on is not there. All else only who writes can tell. What is sure was tried on
every step of the trajectories, of which it refuses none (a test) but for mappings, which are asked for once, two that come to atomics, and
two that compute once what threads have in common, where no thread has a loop.
"""

import re
from functools import lru_cache

from regrapht.records.candidate import Candidate
from regrapht.source.functions import read_unit
from regrapht.source.tokens import without_comments

_MAPPED = re.compile(r"\b(?:threadIdx|blockIdx)\b")
_SHARED = re.compile(r"\b__shared__\b")
_ATOMIC = re.compile(r"\batomic\w+\b")
_LOOP = re.compile(r"\b(?:for|while|do)\b")
_COMBINED = re.compile(f"{_LOOP.pattern}|{_ATOMIC.pattern}|{_SHARED.pattern}")
"""Where values of several turns or threads come together."""
_REAL = re.compile(r"\bfloat\w*|\bdouble\w*")
_LAUNCH = re.compile(r"<<<|\bcuda(?:Launch|Mem|Malloc|Free)")
_NEEDED = {
    "shared_memory_padding": _SHARED,
    "asynchronous_copy": _SHARED,
    "warp_specialisation": _SHARED,
    "warp_aggregated_atomics": _ATOMIC,
    "fast_math_intrinsics": _REAL,
    **dict.fromkeys(
        (
            "loop_unrolling",
            "loop_invariant_hoisting",
            "load_balancing",
            "loop_interchange",
            "multiple_accumulators",
            "register_tiling",
            "prefetch_to_registers",
            "double_buffering",
            "warp_per_row",
            "time_tiling",
            "wavefront",
        ),
        _LOOP,
    ),
    **dict.fromkeys(
        (
            "block_reduction",
            "warp_shuffle_reduction",
            "two_stage_reduction",
            "atomic_reduction",
            "block_scan",
            "stream_compaction",
            "shared_memory_histogram",
        ),
        _COMBINED,
    ),
}
"""Technique -> what it changes."""
_TAKEN_AGAIN = ("kernel_fusion", "register_tiling")
"""What experts take a second time in one step of ten; anything else in one of fifty to a hundred, of 1 925 steps."""
_OF_SEVERAL_LAUNCHES = ("launch_reduction", "cuda_graph")


def cannot_apply(candidate: Candidate, technique: str) -> bool:
    """Whether the technique is sure not to apply; False says nothing."""
    if candidate.source is None:
        return True
    code = _code(candidate.source)
    if technique.startswith("map_"):
        return _MAPPED.search(code) is not None
    if technique in _OF_SEVERAL_LAUNCHES:
        return _starts_one_thing(code)
    needed = _NEEDED.get(technique)
    return needed is not None and needed.search(code) is None


def is_taken_again(candidate: Candidate, technique: str) -> bool:
    """Whether the program has the technique already, and it is none that is often taken twice: a model gives the program back then."""
    return technique in candidate.techniques and technique not in _TAKEN_AGAIN


@lru_cache(maxsize=256)
def _code(source: str) -> str:
    return without_comments(source)


@lru_cache(maxsize=256)
def _starts_one_thing(code: str) -> bool:
    """Whether the host starts one kernel, once: no other call of the runtime, and no loop around it."""
    if len(_LAUNCH.findall(code)) != 1:
        return False
    host = (one for one in read_unit(code, cuda=True).functions if not {"__global__", "__device__"} & one.qualifiers)
    return not any(_LOOP.search((one.body.text or b"").decode()) for one in host)
