"""What each valid program must compute: numpy over the inputs, in the order of its header."""

import math
from collections.abc import Callable

import numpy as np

from .expected_arithmetic import (
    bytes_and_shifts,
    dot_products,
    fast_math,
    fused_minmax,
    i32,
    intrinsics,
    number_conversions,
    rounding_modes,
    rows,
    scrambled,
    simd_in_a_word,
    special_functions,
)
from .expected_groups import (
    group_dynamic_tiles,
    group_partitions,
    group_reduce_scan,
    group_tiles,
    mirrored_chunks,
    shuffle_types,
    warp_match_vote,
    warp_reduce_sync,
)

# Warnings that a correct program may carry, because it really uses such a protocol or such a clock.
REMARKS = {
    "atomic_flag": {"race_unverified_fence", "atomic_and_plain"},
    "clocks": {"clock_read"},
    "last_block_barrier": {"atomic_and_plain", "race_unverified_fence"},
    "last_block_fence": {"atomic_and_plain", "race_unverified_fence"},
    "spin_lock": {"race_unverified_fence", "atomic_and_plain"},
    "streams_of_every_kind": {"leak"},
    "streams_that_never_meet": {"leak"},
}
# Outputs in 16 bits are compared to within their own precision.
TOLERANCE = {"half2_arithmetic": 2e-3, "half_functions": 4e-3, "bfloat162_arithmetic": 1e-6, "special_functions": 2e-6}


def bfloat16(x):
    """bfloat16 bits as floats."""
    return (x.astype("u4") << 16).view("f4")


def to_bfloat16(x):
    """Floats rounded to bfloat16, as floats."""
    bits = x.astype("f4").view("u4")
    return (((bits.astype("u8") + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype("u4")).view("f4")


def transposed(x):
    n = math.isqrt(x.size)
    return x.reshape(n, n).T.ravel()


def matmul(a, b):
    n = math.isqrt(a.size)
    return (a.reshape(n, n).astype("f8") @ b.reshape(n, n).astype("f8")).ravel()


def stencil(x):
    n = math.isqrt(x.size)
    padded = np.pad(x.reshape(n, n).astype("f8"), 2, mode="edge")
    total = sum(padded[2 + d : 2 + d + n, 2 : 2 + n] + padded[2 : 2 + n, 2 + d : 2 + d + n] for d in range(-2, 3))
    return (total / 10).ravel()


def block_totals(x):
    return [x[start : start + 512].sum() for start in range(0, x.size, 512)]


def jacobi(x):
    x = x.astype("f8")
    for _ in range(6):
        x = np.concatenate([x[:1], 0.5 * (x[:-2] + x[2:]), x[-1:]])
    return x


def softmax(x):
    values = np.exp(x.reshape(-1, 64).astype("f8"))
    return (values / values.sum(axis=1, keepdims=True)).ravel()


def rotated(x):
    for k in range(2050):
        if k % 1024 == 0:
            x = np.roll(x, -1)
    return x


def bfloat16_scaled(x):
    return (to_bfloat16(bfloat16(x) * np.float32(1.5)).view("u4") >> 16).astype("u2")


def warp_functions(x):
    result = np.zeros((6, x.size), "i8")
    for first in range(0, x.size, 32):
        v = x[first : first + 32].astype("i8")
        part = result[:, first : first + 32]
        part[0], part[1] = v.sum(), v.max()
        part[2] = [np.int64(sum(1 << j for j in range(32) if v[j] % 4 == v[i] % 4)).astype("i4") for i in range(32)]
        part[3] = 1
        part[4] = np.concatenate([v[:1], v[:-1]])
        part[5] = [
            (int(a) << 24) - (2**32 if a > 127 else 0) + a + 3 + a.bit_count() + 32 - (int(a) | 1).bit_length()
            for a in map(int, v)
        ]
    return result.ravel()


def classes_by_value(x):
    there = x[::-1].astype("i8")
    corner = there.astype("i2").astype("i8")
    return 2 * corner + (there + 1).astype("i2") + (there & 3) + 76


def swapped_pairs(x):
    return x.reshape(-1, 2)[:, ::-1].ravel()


def half2_arithmetic(x, y):
    a, b = x.reshape(-1, 2).astype("f8"), y.reshape(-1, 2).astype("f8")
    columns = (
        a * b + 0.25,
        np.abs(a - b),
        np.clip(2 * a + b, 0, 1),
        np.stack([a[:, 1], b[:, 0]], axis=1) * -np.abs(b),
    )
    return np.concatenate(columns, axis=1).ravel()


def bfloat162_arithmetic(x, y):
    a, b = bfloat16(x).reshape(-1, 2), bfloat16(y).reshape(-1, 2)
    fused = (a.astype("f8") * b + [1, -1]).astype("f4")
    return np.concatenate([to_bfloat16(a + b), to_bfloat16(a * b), to_bfloat16(fused)], axis=1).ravel()


def half_conversions(x):
    h = (x / 8).astype("f2").astype("f8")
    bits = h.astype("f2").view("u2")
    return rows(np.rint(h), np.trunc(-h), np.floor(-h), np.ceil(h), bits, 2 * np.rint(h)).astype("i8")


def half_comparisons(x, y):
    a, b = x.astype("f4"), y.astype("f4")
    one = np.ones(x.size)
    return rows(
        (a > b) + 2 * (a <= b) + 4 * (a < b),
        14 * one,
        np.rint((a * 1024).astype("f2").astype("f4")),
        (a > b) + 2 * (b > a),
        a >= b,
        one,
    ).astype("i8")


def half_functions(x):
    v = x.astype("f8")
    p = (np.abs(x) + np.float16(0.5)).astype("f8")
    return rows(np.exp(v), np.log(p), np.sqrt(p), 1 / np.sqrt(p), np.sin(v), np.floor(v), 2**v, 1 / p)


def symbols(x):
    k = (np.arange(x.size) >> 3) % 4
    return (1 + k) * x.astype("f8") + 0.5 * k + 1


def kinds_of_memory(x):
    turned = x.reshape(-1, 64)[:, ::-1].astype("f8")
    turned[-1] += 1
    return turned.ravel() + 6


def atomics_every_operation(x):
    n, v = x.size, x.astype("i8")
    down = 0
    for _ in range(n):
        down = 11 if down == 0 else down - 1
    values = [v.sum(), -v.sum(), v.min(), v.max(), np.bitwise_and.reduce(v | 0xF0), np.bitwise_or.reduce(v)]
    values += [np.bitwise_xor.reduce(v), n % 17, down, v[77], (v - 50).min(), (v * v).max()]
    return np.array(values, "i8").astype("u8").astype("u4")


def atomics_64_bit(x):
    v = x * 1000003 * np.where(np.arange(x.size) % 2, 1, -1)
    values = [v.sum(), min(0, v.min()), max(0, v.max()), np.bitwise_and.reduce(v | 0xFF00), np.bitwise_or.reduce(v)]
    return np.array([*values, np.bitwise_xor.reduce(v), x.max(), 1 << 60, 3 * x.sum()], "i8")


def large_dynamic_shared(x):
    return np.where(np.arange(x.size) % 7 == 0, -x, x)[::-1]


def lambdas(x):
    once = 0.5 * (x.astype("f8") + 2) + 1.5
    return 0.5 * once + 1.5 + np.arange(x.size) % 3


def functions_of_every_kind(x):
    def steps(n):
        made = 0
        while n != 1:
            n, made = (3 * n + 1 if n % 2 else n // 2), made + 1
        return made

    areas = [(v % 9) ** 2 if i % 2 else v % 4 * 5 for i, v in enumerate(x.tolist())]
    chosen = [-v if i % 3 == 0 else 2 * v for i, v in enumerate(x.tolist())]
    return [a + steps(v % 20 + 1) + c for a, v, c in zip(areas, x.tolist(), chosen, strict=True)]


def pipeline_of_threads(x):
    chunks = x.reshape(-1, 128).astype("f8")
    return (0.5 * chunks + 0.5 * np.roll(chunks, -1, axis=1)).ravel()


def launches_by_call(x):
    return (2 * x.astype("f8") + 0.25) ** 6


def three_dimensions(x):
    n = round(x.size ** (1 / 3))
    cube = np.pad(x.reshape(n, n, n).astype("f8"), 1)
    inner = slice(1, -1)
    around = sum(np.roll(cube, d, axis)[inner, inner, inner] for axis in range(3) for d in (-1, 1))
    return (cube[inner, inner, inner] + 0.5 * around).ravel()


def two_dimensional_blur(x):
    n = math.isqrt(x.size)
    padded = np.pad(x.reshape(n, n).astype("i8"), 1, mode="edge")
    return (sum(padded[j : j + n, i : i + n] for j in range(3) for i in range(3)) // 9).ravel()


def odd_block_sizes(x):
    return [(x[:size] > 30).sum() + neighbours(x[:size]) for size in (1, 2, 31, 32, 33, 63, 97, 300)]


def neighbours(x):
    return sum(np.roll(x[first : first + 32], -1).sum() for first in range(0, x.size, 32))


def small_types(a, b):
    padded = np.zeros((a.size + 127) // 128 * 128, "i8")
    padded[: a.size] = a
    crossed = padded.reshape(-1, 2)[:, ::-1].ravel()[: a.size]
    return rows((a.astype("i8") - b).astype("i2"), crossed * 2)


def layer_norm(x):
    v = x.reshape(-1, 96).astype("f8")
    centred = v - v.mean(axis=1, keepdims=True)
    return (centred / np.sqrt(v.var(axis=1, keepdims=True) + 1e-5)).ravel()


def game_of_life(x):
    n = math.isqrt(x.size)
    world = (x.reshape(n, n) % 3 == 0).astype("i8")
    for _ in range(4):
        alive = sum(np.roll(world, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        world = ((alive == 3) | ((world == 1) & (alive == 4))).astype("i8")
    return world.ravel()


def divergent_loops(x):
    out = []
    for re, im in (x.reshape(-1, 2) * np.array([3, 2.5], "f4")).astype("f8"):
        a = b = 0.0
        count = 0
        while a * a + b * b < 4 and count < 12:
            a, b = a * a - b * b + re, 2 * a * b + im
            count += 1
            if count > 10 and count % 5 and re > 0.4:
                break
        out.append(min(count, 6))
    return out


def variadic_templates(x):
    v = x.astype("f8")
    largest = np.max([np.roll(v, -k) for k in range(4)], axis=0)
    return sum(np.roll(v, -k) for k in range(3)) - largest + 3


def managed_variable(x):
    return np.array([5, 10, 20, 30])[x % 4]


def compressed_rows(x):
    row = np.arange(x.size)
    return sum(x[(row * 7 + k * k * 11) % x.size].astype("f8") / (k + 1) for k in range(5))


def warp_specialised(x):
    padded = np.zeros((x.size + 95) // 96 * 96)
    padded[: x.size] = x
    return (padded.reshape(-1, 96) * padded.reshape(-1, 96)[:, ::-1]).ravel()[: x.size]


def sync_count_and_or(x):
    return [f for part in x.reshape(-1, 64) for f in ((part > 60).sum(), (part < 100).all(), (part == 7).any())]


def endless_loops(a):
    taken = (
        np.array([next(k for k in range(7) if (v + k) % 7 == 0) for v in a.tolist()]) + 3
    )  # C's remainder is 0 for the same values
    return [t if t >= 4 else next(t << k for k in range(9) if t << k >= 4) for t in taken.tolist()]


def vector_types(x):
    n = x.size // 12
    particles, pairs = x[: 8 * n].reshape(-1, 4), x.reshape(-1, 4)[: 2 * n, 0]
    turned = np.stack([particles[:, 2] + pairs, particles[:, 0], particles[:, 1], 2 * particles[:, 3]], axis=1)
    return np.concatenate([turned.ravel(), x[8 * n :].reshape(-1, 4)[:, ::-1].ravel()])


def random_walks(x):
    bins = np.zeros(64, "i8")
    for state in scrambled(x, 747796405, 2891336453).tolist():
        place = 32
        for _ in range(20):
            state ^= state << 13 & 0xFFFFFFFF
            state ^= state >> 17
            state ^= state << 5 & 0xFFFFFFFF
            place += 1 if state & 1 else -1
        bins[place & 63] += 1
    return bins


def half_atomics(x):
    odd = (x % 2).sum()
    return [odd, x.size - odd, odd, min(100, x.size)]


def cached_accesses(x, k):
    out = np.stack([x + k, 2 * x, x - k, x]).astype("f8")
    fours = x.reshape(-1, 4).astype("f8")
    out[3] = np.stack([fours[:, 0] + 1, fours[:, 1], fours[:, 2], fours[:, 3] + fours[:, 0]], axis=1).ravel()
    return out.ravel()


def cuda_std_parts(x):
    z = x.reshape(-1, 2).astype("f8")
    square = (z[:, 0] + 1j * z[:, 1]) ** 2
    return rows(square.real, square.imag)


def cooperative_without_types(x):
    return np.roll(x, -1).astype("f8") + 1  # the last two launches begin anew


def last_block_barrier(x):
    threads = np.zeros((x.size + 1023) // 1024 * 1024)
    threads[: x.size] = x
    by_thread = threads.reshape(-1, 16, 64).sum(axis=0)
    return np.append(by_thread.sum(axis=0), by_thread[0, 63])


TAPS = 0.1 * np.arange(1, 10)


def chosen_arrays(x: np.ndarray) -> np.ndarray:
    blocks, t = x.reshape(-1, 128), np.arange(128)
    halves = np.concatenate((blocks[:, 0::2], blocks[:, 1::2]), axis=1)
    mine = np.where(blocks % 2 == 0, t, 3 * t) + t % 2
    return (halves + 2 * blocks + mine + blocks).ravel()


EXPECTED: dict[str, Callable] = {
    "kernels_from_tables": lambda x: 3 * x,
    "atomic_flag": lambda x: x + x[0] + 7,
    "atomic_ref": lambda x: [
        x.sum(),
        x.min(),
        np.bitwise_or.reduce(x),
        x.size,
        2 * x.sum(),
        sum(x.reshape(-1, 128).max(1)),
    ],
    "atomics_16_bit": lambda x: [(x % 2 == 0).sum(), (x % 2).sum()],
    "atomics_64_bit": atomics_64_bit,
    "atomics_every_operation": atomics_every_operation,
    "atomics_floating": lambda x: [x.sum() * 0.25, -x.size, x.sum() * 0.25],
    "atomics_scopes": lambda x: [x.sum(), x.max(), x.size, np.bitwise_or.reduce(x)],
    "ballot_compact": lambda x: {"count": [(x > 50).sum()]},
    "bfloat162_arithmetic": bfloat162_arithmetic,
    "bfloat16_scale": bfloat16_scaled,
    "bitonic_sort": lambda x: np.sort(x.reshape(-1, 256), axis=1).ravel(),
    "block_of_1024": lambda x: [(x * x).sum()],
    "bytes_and_shifts": bytes_and_shifts,
    "bytes_in_place": lambda x: 255 - x,
    "cached_accesses": cached_accesses,
    "captured_graph": lambda x: 3 * (2 * x.astype("f8") + 1.5),
    "chosen_arrays": chosen_arrays,
    "classes_by_value": classes_by_value,
    "clocks": lambda x: 3 * x,
    "compressed_rows": compressed_rows,
    "constant_convolution": lambda x: np.correlate(np.pad(x.astype("f8"), 4), TAPS, "valid"),
    "cooperative_of_the_query": lambda x: [x.sum(), 8 * 132],
    "cooperative_tiles": lambda x: [x.sum()],
    "cooperative_without_types": cooperative_without_types,
    "copy_float4": lambda x: 2 * x,
    "cuda_std_parts": cuda_std_parts,
    "device_queries": lambda x: 2 * x,
    "differing_alignments": lambda x: 3 * x[::-1].astype("i8") + 7,
    "divergent_loops": divergent_loops,
    "dot_products": lambda x, y: i32(dot_products(x, y)),
    "endless_loops": endless_loops,
    "fast_math": fast_math,
    "functions_of_every_kind": functions_of_every_kind,
    "fused_minmax": fused_minmax,
    "game_of_life": game_of_life,
    "grid_sum": lambda x: [x.sum(dtype="f8")],
    "grid_sync_jacobi": jacobi,
    "group_coalesced": lambda x: [(x % 3 == 0).sum(), x[x % 3 == 0].sum()],
    "group_dynamic_tiles": group_dynamic_tiles,
    "group_memcpy_async": mirrored_chunks,
    "group_partitions": group_partitions,
    "group_reduce_scan": group_reduce_scan,
    "group_tiles": group_tiles,
    "half2_arithmetic": half2_arithmetic,
    "half_atomics": half_atomics,
    "half_comparisons": half_comparisons,
    "half_conversions": half_conversions,
    "half_functions": half_functions,
    "histogram": lambda x: np.bincount(x, minlength=256),
    "host_function_in_stream": lambda x: x[::-1] + 1,
    "host_round_trip": swapped_pairs,
    "host_side_cpp": lambda x: x + 1,
    "integer_intrinsics": intrinsics,
    "kinds_of_memory": kinds_of_memory,
    "lambdas": lambdas,
    "large_dynamic_shared": large_dynamic_shared,
    "last_block_barrier": last_block_barrier,
    "last_block_fence": lambda x: [x.sum(dtype="f8")],
    "launches_by_call": launches_by_call,
    "layer_norm": layer_norm,
    "managed_variable": managed_variable,
    "many_barriers": rotated,
    "many_launches": lambda x: np.roll(x, -1500),
    "matmul_registers": matmul,
    "matmul_tiled_template": matmul,
    "memset_and_copies": lambda x: x + np.where(np.arange(x.size) < x.size // 2, 7, 9),
    "number_conversions": number_conversions,
    "odd_block_sizes": odd_block_sizes,
    "one_thread": lambda x: x,
    "padded_structs": lambda x: [x.sum(), x.size, 5 + 7 + 9],
    "pipeline_of_threads": pipeline_of_threads,
    "pipeline_primitives": lambda x: x.reshape(-1, 128)[:, ::-1].ravel(),
    "pipeline_zero_fill": lambda x: np.pad(x, (0, -x.size % 256)).reshape(-1, 256)[:, ::-1].ravel()[: x.size],
    "printf_assert": lambda x: x // 2,
    "random_walks": random_walks,
    "reduce_dynamic_shared": block_totals,
    "reduce_shuffle": lambda x: [x.sum(dtype="f8")],
    "rounding_modes": rounding_modes,
    "scan_blelloch": lambda x: np.concatenate([[0], np.cumsum(x, dtype="f8")[:-1]]),
    "shuffle_types": shuffle_types,
    "simd_in_a_word": simd_in_a_word,
    "small_types": small_types,
    "softmax_half": softmax,
    "special_functions": special_functions,
    "spin_lock": lambda x: [64 * 4],
    "stencil_halo": stencil,
    "streams_events": lambda x: 5 * x.astype("f8"),
    "streams_of_every_kind": lambda x: np.repeat([2, 3, 4, 5], x.size // 4) * x.astype("f8"),
    "streams_that_never_meet": lambda x: 7 * np.bincount(x & 7, minlength=8),
    "symbols": symbols,
    "sync_count_and_or": sync_count_and_or,
    "syntax_mix": lambda x: x + 1,
    "template_functor": lambda x: x * x,
    "three_dimensions": three_dimensions,
    "transpose_naive": transposed,
    "transpose_tiled_pad0": transposed,
    "transpose_tiled_pad1": transposed,
    "two_dimensional_blur": two_dimensional_blur,
    "variadic_templates": variadic_templates,
    "vector_add": lambda a, b: a + b,
    "vector_types": vector_types,
    "warp_functions": warp_functions,
    "warp_match_vote": warp_match_vote,
    "warp_reduce_sync": warp_reduce_sync,
    "warp_specialised": warp_specialised,
    "wide_indices": lambda x: x.astype("i8") * 3000000000 + x.size,
    "words_of_features": lambda x: 2 * x.astype("i8") + x.size // 2 + 15,
}


def compare(name: str, got: dict[str, np.ndarray], inputs: dict[str, np.ndarray], what: str) -> None:
    """Fail unless the outputs are what the program `name` must compute from `inputs`."""
    expected = EXPECTED[name](*inputs.values())
    if not isinstance(expected, dict):
        expected = {list(got)[-1]: expected}
    for array, wanted in expected.items():
        wanted = np.asarray(wanted)
        if got[array].dtype.kind == "f":
            tolerance = TOLERANCE.get(name, 2e-3 if got[array].dtype.itemsize < 8 else 1e-9)
            np.testing.assert_allclose(got[array], wanted, rtol=tolerance, atol=tolerance / 10, err_msg=what)
        else:
            bits = got[array].dtype.itemsize * 8
            np.testing.assert_array_equal(
                got[array].astype("i8") & (2**bits - 1 if bits < 64 else -1),
                wanted.astype("i8") & (2**bits - 1 if bits < 64 else -1),
                err_msg=what,
            )
