"""Element types as numpy arrays: storage layouts, and the way between raw elements and numbers.

Arrays travel as raw bytes. Here they become numpy arrays of their storage type: `float16` is numpy's own, `bfloat16` is raw `uint16`
(numpy has none), a struct is a structured type in C layout. For arithmetic every float field is widened: to float64, or to the 80-bit
long double where the storage is already float64.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regrapht.records.element import ElementType, ScalarType, StructType

Array = NDArray[Any]
_MANTISSA_BITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
_SMALLEST = {"float64": 2.0**-1074, "float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}


def sum_of_squares(numbers: Array) -> np.longdouble:
    """Of one chunk. Not `np.dot`: BLAS would start a thread a core for every chunk, and judges run side by side."""
    return np.longdouble(np.einsum("i,i->", numbers, numbers))


def storage_dtype(element: ElementType) -> np.dtype:
    """The numpy type whose bytes are the element's bytes in C."""
    if isinstance(element, StructType):
        return np.dtype(
            {
                "names": [name for name, _ in element.fields],
                "formats": [storage_dtype(scalar) for _, scalar in element.fields],
                "offsets": list(element.offsets_bytes),
                "itemsize": element.size_bytes,
            }
        )
    return np.dtype("uint16" if element.name == "bfloat16" else element.name)


def mantissa_bits(scalar: ScalarType) -> int:
    """Bits of precision, the hidden one included: 24 for float32."""
    return _MANTISSA_BITS[scalar.name]


def unit_roundoff(scalar: ScalarType) -> float:
    """Half the distance from 1 to the next number: 2^-24 for float32."""
    return 2.0 ** -mantissa_bits(scalar)


def smallest_subnormal(scalar: ScalarType) -> float:
    """The smallest positive number of the type."""
    return _SMALLEST[scalar.name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One scalar column of an array: the whole of a plain array, one member of an array of structs."""

    name: str
    """Empty for a plain array."""
    scalar: ScalarType


def fields_of(element: ElementType) -> Iterator[Field]:
    """The scalar columns of an element type, in order."""
    if isinstance(element, StructType):
        for name, scalar in element.fields:
            yield Field(name=name, scalar=scalar)
    else:
        yield Field(name="", scalar=element)


def column(array: Array, field: Field) -> Array:
    """The field's values of a flat array of elements, in storage type (a view)."""
    return array[field.name] if field.name else array


def numbers(raw: Array, scalar: ScalarType) -> Array:
    """Storage values as numbers: float64 (long double for float64) for floats, the integers themselves otherwise."""
    with np.errstate(invalid="ignore"):  # signalling NaN are data
        if scalar.name == "float64":
            return raw.astype(np.longdouble)
        if scalar.name == "bfloat16":
            return (raw.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        return raw.astype(np.float64) if scalar.is_float else raw


def stored(values: Array, scalar: ScalarType) -> Array:
    """Numbers rounded to the nearest value of the storage type, ties to even. Too large becomes infinity."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        if scalar.name == "bfloat16":
            return _to_bfloat16(values)
        return np.asarray(values).astype(storage_dtype(scalar))


def _to_bfloat16(values: Array) -> Array:
    """Through float32 with a sticky last bit, so that rounding twice equals rounding once."""
    wide = np.asarray(values, np.float64)
    single = wide.astype(np.float32)
    bits = single.view(np.uint32).copy()
    # Round to odd: where float32 was inexact, go to the neighbour towards zero and set the last bit.
    inexact = (single.astype(np.float64) != wide) & np.isfinite(single)
    away = inexact & (np.abs(single.astype(np.float64)) > np.abs(wide))
    bits[away] -= 1
    bits[inexact] |= 1
    rounded = bits + np.uint32(0x7FFF) + ((bits >> 16) & np.uint32(1))
    result = (rounded >> 16).astype(np.uint16)
    not_numbers = np.isnan(wide)
    result[not_numbers] = 0x7FC0
    return result


def rounded_to_bits(values: Array, bits: int) -> Array:
    """Numbers rounded to `bits` of mantissa without a limit of range; infinities and NaN stay."""
    mantissa, exponent = np.frexp(values)
    with np.errstate(invalid="ignore", under="ignore", over="ignore"):
        return np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits)


def is_nan(raw: Array, scalar: ScalarType) -> NDArray[np.bool_]:
    """Where storage values are NaN; nowhere for integers."""
    if not scalar.is_float:
        return np.zeros(raw.shape, bool)
    if scalar.name == "bfloat16":
        return (raw & np.uint16(0x7FFF)) > np.uint16(0x7F80)
    return np.isnan(raw)


def bits_of(raw: Array) -> Array:
    """Scalar storage values as unsigned integers of the same width, for bitwise comparison."""
    contiguous = np.ascontiguousarray(raw)
    return contiguous.view(f"u{contiguous.dtype.itemsize}")


def canonical_bits(raw: Array, scalar: ScalarType, *, copy: bool = False) -> Array:
    """As `bits_of`, with one pattern for every NaN. With `copy` the result never shares memory with `raw`."""
    bits = bits_of(raw).copy() if copy else bits_of(raw)
    if not scalar.is_float or not (nan := is_nan(raw, scalar)).any():
        return bits
    one_pattern = bits if copy else bits.copy()
    one_pattern[nan] = np.iinfo(bits.dtype).max
    return one_pattern


def chunks(count: int, chunk: int) -> Iterator[slice]:
    """Slices of at most `chunk` elements that cover `count`."""
    for start in range(0, count, chunk):
        yield slice(start, min(start + chunk, count))


def same_elements(element: ElementType, first: Array, second: Array, *, chunk: int) -> bool:
    """Whether two flat arrays hold the same bits; padding between the fields of a struct does not count."""
    if first.size != second.size:
        return False
    return all(
        column(first[part], member).tobytes() == column(second[part], member).tobytes()
        for part in chunks(first.size, chunk)
        for member in fields_of(element)
    )
