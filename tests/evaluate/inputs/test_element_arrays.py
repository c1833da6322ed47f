"""Storage types against what hardware and numpy do with them."""

import numpy as np
import pytest

from regrapht.evaluate.inputs.element_arrays import (
    bits_of,
    canonical_bits,
    fields_of,
    is_nan,
    numbers,
    rounded_to_bits,
    storage_dtype,
    stored,
)
from regrapht.records.element import SCALAR_TYPES, StructType

BFLOAT16 = SCALAR_TYPES["bfloat16"]


@pytest.mark.parametrize("name", sorted(SCALAR_TYPES))
def test_storage_has_the_size_that_c_gives_it(name):
    assert storage_dtype(SCALAR_TYPES[name]).itemsize == SCALAR_TYPES[name].size_bytes


def test_bfloat16_round_trips_every_finite_pattern():
    bits = np.arange(2**16, dtype=np.uint16)
    finite = (bits & 0x7F80) != 0x7F80
    assert (stored(numbers(bits, BFLOAT16), BFLOAT16)[finite] == bits[finite]).all()
    assert is_nan(bits, BFLOAT16).sum() == 2 * 127


def test_bfloat16_rounds_once_to_nearest_even():
    def nearest(value: float) -> int:
        patterns = np.arange(0x7F80, dtype=np.uint16)
        values = numbers(patterns, BFLOAT16)
        distance = np.abs(values - value)
        ties = patterns[distance == distance.min()]
        return int(next((p for p in ties if p % 2 == 0), ties[0]))

    rng = np.random.default_rng(7)
    # Ties, near ties that rounding through float32 would get wrong, subnormals, and numbers at random.
    half_way = 1 + 2.0**-8
    values = [
        half_way,
        half_way + 2.0**-40,
        half_way - 2.0**-40,
        1 + 3 * 2.0**-8,
        1e-40,
        3.0e38,
        *rng.uniform(0, 4, 50),
    ]
    assert [int(bits) for bits in stored(np.array(values), BFLOAT16)] == [nearest(v) for v in values]


def test_too_large_becomes_infinity():
    assert np.isinf(numbers(stored(np.array([1e39]), BFLOAT16), BFLOAT16)).all()
    assert np.isinf(stored(np.array([1e39]), SCALAR_TYPES["float32"])).all()
    assert np.isinf(stored(np.array([7e4]), SCALAR_TYPES["float16"])).all()


def test_rounding_to_bits_agrees_with_half():
    values = np.random.default_rng(3).standard_normal(1000)
    assert (rounded_to_bits(values, 11) == values.astype(np.float16).astype(np.float64)).all()


def test_structs_have_c_layout():
    point = StructType(c_name="P", fields=(("tag", SCALAR_TYPES["int8"]), ("x", SCALAR_TYPES["float64"])))
    dtype = storage_dtype(point)
    assert dtype.itemsize == 16 and dtype.fields["x"][1] == 8
    assert [field.name for field in fields_of(point)] == ["tag", "x"]


def test_bits_tell_zeros_apart():
    assert bits_of(np.array([0.0, -0.0], np.float32)).tolist() == [0, 0x80000000]


def test_canonical_bits_of_memory_that_is_read_only():
    """As arrays from a kept pool are."""
    kept = np.array([1.0, -0.0, 2.0], np.float32)
    kept.flags.writeable = False
    assert canonical_bits(kept, SCALAR_TYPES["float32"]).tolist() == bits_of(kept).tolist()
    with_nan = np.array([1.0, np.nan, -np.nan], np.float32)
    with_nan.flags.writeable = False
    first, *nans = canonical_bits(with_nan, SCALAR_TYPES["float32"]).tolist()
    assert first == bits_of(kept)[0] and nans[0] == nans[1]
    copied = canonical_bits(kept, SCALAR_TYPES["float32"], copy=True)
    assert copied.flags.writeable and not np.shares_memory(copied, kept)
