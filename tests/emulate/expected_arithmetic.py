"""What the programs on integers, bits, roundings and special functions must compute: numpy and plain Python over the inputs."""

import math

import numpy as np


def i32(values):
    """The low 32 bits, as signed numbers."""
    return np.asarray(values).astype("i8").astype("u8").astype("u4").view("i4")


def scrambled(x, factor, offset=0):
    return ((x.astype("u8") * factor + offset) & 0xFFFFFFFF).astype("u4")


def rows(*columns):
    """Columns side by side, as each thread writes its own row."""
    return np.stack([np.asarray(column) for column in columns], axis=1).ravel()


def intrinsics(x, y):
    a, b = scrambled(x, 2654435761), scrambled(y, 40503, 12345)
    return np.concatenate([[*integer_row(int(p), int(q))] for p, q in zip(a, b, strict=True)])


def signed(v, bits=32):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def nth_bit(mask, base, n):
    at, left = base, abs(n)
    while 0 <= at < 32:
        left -= mask >> at & 1
        if left == 0 and mask >> at & 1:
            return at
        at += 1 if n > 0 else -1
    return 2**32 - 1


def integer_row(a, b):
    sa, sb, wide = signed(a), signed(b), a << 32 | b
    swide = signed(wide, 64)
    reverse = lambda v, bits: int(f"{v:0{bits}b}"[::-1], 2)  # noqa: E731
    low24 = lambda v: signed(v & 0xFFFFFF, 24)  # noqa: E731
    first = lambda v: (v & -v).bit_length()  # noqa: E731
    return i32(
        [
            a.bit_count() + 100 * wide.bit_count(),
            32 - (a | 1).bit_length() + 100 * (64 - (wide | 1).bit_length()) + 320000,
            first(b) + 100 * first(b << 20 & (2**64 - 1)),
            signed(reverse(a, 32)),
            signed(reverse(wide, 64) >> 32),
            sa * sb >> 32,
            signed(a * b >> 32),
            signed(low24(a) * low24(b)),
            signed((a & 0xFFFFFF) * (b & 0xFFFFFF)),
            signed((wide * 0x123456789ABCDEF >> 64) >> 8),
            signed(swide * -3 >> 64),
            signed(abs(sa - sb) + 5),
            signed(abs(a - b) + 7),
            (sa + sb) >> 1,
            (sa + sb + 1) >> 1,
            signed((a + b) >> 1),
            signed((a + b + 1) >> 1),
            signed(min(sa, sb) ^ max(a, b)),
            signed(abs(sa >> 1) + (abs(sb) >> 1)),
            signed(nth_bit(b, 0, 3) + 64 * nth_bit(b, 31, -2)),
        ]
    )


def bytes_and_shifts(x, y):
    a, b = scrambled(x, 2654435761), scrambled(y, 40503, 12345)
    out = []
    for p, q, shift, selector in zip(*(v.astype("u8").tolist() for v in (a, b, x, y)), strict=True):
        both = q << 32 | p
        permuted = lambda s, both=both: sum((both >> 8 * (s >> 4 * k & 7) & 255) << 8 * k for k in range(4))  # noqa: E731
        out += [
            permuted(0x5140),
            permuted(0x0123),
            permuted(selector),
            (both << (shift & 31)) >> 32 & 0xFFFFFFFF,
            both >> (shift & 31) & 0xFFFFFFFF,
            (both << min(shift, 32)) >> 32 & 0xFFFFFFFF,
            both >> min(shift, 32) & 0xFFFFFFFF,
            p & 0x7F7FFFFF,
            p & 0x7FEFFFFF,
            q,
        ]
    return out


def lane_results(a, b, bits):
    """A function of one name and signedness over the lanes of two words."""
    top, mask = 1 << (bits - 1), (1 << bits) - 1

    def split(word, is_signed):
        parts = [word >> s & mask for s in range(0, 32, bits)]
        return [signed(p, bits) for p in parts] if is_signed else parts

    def lanes(is_signed, f):
        values = (f(p, q) for p, q in zip(split(a, is_signed), split(b, is_signed), strict=True))
        return sum((v & mask) << bits * k for k, v in enumerate(values))

    def clip(low, high, v):
        return max(low, min(high, v))

    sat = lambda v: clip(-top, top - 1, v)  # noqa: E731
    return {
        "add": lambda: lanes(False, lambda p, q: p + q),
        "addss": lambda: lanes(True, lambda p, q: sat(p + q)),
        "addus": lambda: lanes(False, lambda p, q: min(mask, p + q)),
        "sub": lambda: lanes(False, lambda p, q: p - q),
        "subss": lambda: lanes(True, lambda p, q: sat(p - q)),
        "subus": lambda: lanes(False, lambda p, q: max(0, p - q)),
        "avgs": lambda: lanes(True, lambda p, q: (p + q + (p + q >= 0)) >> 1),
        "avgu": lambda: lanes(False, lambda p, q: (p + q + 1) >> 1),
        "haddu": lambda: lanes(False, lambda p, q: (p + q) >> 1),
        "absdiffs": lambda: lanes(True, lambda p, q: abs(p - q)),
        "absdiffu": lambda: lanes(False, lambda p, q: abs(p - q)),
        "maxs": lambda: lanes(True, max),
        "maxu": lambda: lanes(False, max),
        "mins": lambda: lanes(True, min),
        "minu": lambda: lanes(False, min),
        "sads": lambda: sum(abs(p - q) for p, q in zip(split(a, True), split(b, True), strict=True)),
        "sadu": lambda: sum(abs(p - q) for p, q in zip(split(a, False), split(b, False), strict=True)),
        "cmpeq": lambda: lanes(False, lambda p, q: mask * (p == q)),
        "cmpne": lambda: lanes(False, lambda p, q: mask * (p != q)),
        "cmpgts": lambda: lanes(True, lambda p, q: mask * (p > q)),
        "cmples": lambda: lanes(True, lambda p, q: mask * (p <= q)),
        "cmpltu": lambda: lanes(False, lambda p, q: mask * (p < q)),
        "setges": lambda: lanes(True, lambda p, q: int(p >= q)),
        "setgtu": lambda: lanes(False, lambda p, q: int(p > q)),
        "abs": lambda: lanes(True, lambda p, q: abs(p)),
        "absss": lambda: lanes(True, lambda p, q: sat(abs(p))),
        "neg": lambda: lanes(True, lambda p, q: -p),
        "negss": lambda: lanes(True, lambda p, q: sat(-p)),
    }


BYTES = """add addss addus sub subss subus avgs avgu haddu absdiffs absdiffu maxs maxu mins minu sads sadu
    cmpeq cmpgts cmpltu setges abs absss neg negss""".split()  # noqa: SIM905
HALVES = """add addss subus avgs absdiffs maxs minu sads sadu cmpne cmples setgtu abs absss""".split()  # noqa: SIM905


def simd_in_a_word(x, y):
    a, b = scrambled(x, 2654435761), scrambled(y, 2246822519, 99)
    a[::16], b[::16] = 0x807F8080, 0x80FF017F
    out = []
    for p, q in zip(a.tolist(), b.tolist(), strict=True):
        four, two = lane_results(p, q, 8), lane_results(p, q, 16)
        out += [four[name]() for name in BYTES] + [two[name]() for name in HALVES]
        out.append(lane_results(q, 0, 16)["negss"]())
    return out


def dot_products(x, y):
    a, b = scrambled(x, 2654435761), scrambled(y, 2246822519, 99)
    out = []
    for i, (p, q) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        bs, bu = [signed(q >> 8 * k, 8) for k in range(4)], [q >> 8 * k & 255 for k in range(4)]
        as_, au = [signed(p >> 8 * k, 8) for k in range(4)], [p >> 8 * k & 255 for k in range(4)]
        hs, hu = [signed(p, 16), signed(p >> 16, 16)], [p & 0xFFFF, p >> 16]
        out += [
            sum(u * v for u, v in zip(as_, bs, strict=True)) + i,
            sum(u * v for u, v in zip(au, bu, strict=True)) + 1,
            hs[0] * bs[0] + hs[1] * bs[1] - i,
            hs[0] * bs[2] + hs[1] * bs[3] + 3,
            hu[0] * bu[2] + hu[1] * bu[3] + 5,
            4 - 10 - 18 + 7 * signed(int(x[i]), 8),
        ]
    return out


def fused_minmax(x, y):
    a, b, c = x.astype("i8") - 50, y.astype("i8") - 50, np.arange(x.size) - 75
    p, q = scrambled(x, 2654435761), scrambled(y, 2246822519)

    def pairs(f, is_signed):
        low, high = (v.astype("i8") & 0xFFFF for v in (p, q)), (v.astype("i8") >> 16 for v in (p, q))
        parts = []
        for pair in (low, high):
            u, v = ((w ^ 0x8000) - 0x8000 if is_signed else w for w in pair)
            parts.append(f(u, v) & 0xFFFF)
        return i32(parts[0] | parts[1] << 16)

    wrapped = lambda v: ((v & 0xFFFF) ^ 0x8000) - 0x8000  # noqa: E731
    return rows(
        np.maximum(np.maximum(a, b), c),
        np.maximum(np.minimum(np.minimum(a, b), c), 0),
        np.maximum(a + b, c),
        np.maximum(np.minimum(a + b, c), 0),
        np.maximum(a, b) + 1000 * (a >= b),
        pairs(lambda u, v: np.maximum(np.maximum(u, v), 1), True),
        pairs(lambda u, v: np.maximum(np.maximum(wrapped(u + v), 0), 0), True),
        pairs(lambda u, v: np.minimum(np.minimum(u, v), 0x7FFF), False),
    )


def fast_math(x):
    v = x.astype("f8")
    p = np.abs(v) + 0.5
    return rows(
        np.exp(v),
        np.log(p),
        2 * np.sin(v),
        2 * np.cos(v),
        p**1.5,
        v / p,
        10**v,
        np.log2(p) + np.log10(p),
        1 / np.sqrt(p),
        1 / p,
        np.sqrt(p),
        v * p + 2,
        np.clip(2 * v, 0, 1),
        np.tan(v) + 1 / np.sqrt(p),
    )


def inverse(f, target, low, high):
    """The argument where a rising `f` reaches `target`."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < target else (low, middle)
    return (low + high) / 2


def bessel_i(order, x):
    return sum((x / 2) ** (2 * k + order) / math.factorial(k) / math.factorial(k + order) for k in range(30))


def bessel_j0(x):
    return sum((-1) ** k * (x / 2) ** (2 * k) / math.factorial(k) ** 2 for k in range(30))


def bessel_y1(x):
    digamma = lambda n: -0.5772156649015329 + sum(1 / k for k in range(1, n))  # noqa: E731
    j1 = sum((-1) ** k * (x / 2) ** (2 * k + 1) / math.factorial(k) / math.factorial(k + 1) for k in range(30))
    series = sum(
        (-1) ** k
        * (digamma(k + 1) + digamma(k + 2))
        * (x / 2) ** (2 * k + 1)
        / math.factorial(k)
        / math.factorial(k + 1)
        for k in range(30)
    )
    return (2 * math.log(x / 2) * j1 - 2 / x - series) / math.pi


def special_functions(x):
    out = []
    for v in x.tolist():
        p, f = abs(v) + 0.25, float(np.float32(v))
        normal = lambda t: math.erfc(-t / math.sqrt(2)) / 2  # noqa: E731
        erfc_inverse = inverse(math.erf, 1 - p, -6, 6)
        out += [
            normal(v),
            inverse(normal, p, -9, 9),
            erfc_inverse,
            inverse(math.erf, v, -6, 6),
            math.exp(16 * v * v) * math.erfc(4 * v),
            math.sin(3 * math.pi * v) + math.sin(math.pi * v),
            math.cos(3 * math.pi * v) + math.cos(math.pi * v),
            1 / math.hypot(v, p),
            math.hypot(v, p, 2),
            1 / math.hypot(v, p, 2, 3),
            p ** (-1 / 3),
            bessel_i(0, v) + bessel_i(1, v),
            bessel_j0(p) + bessel_y1(p),
            math.gamma(p) + math.lgamma(p),
            p**-0.5,
            normal(f) + erfc_inverse,
            math.sin(math.pi * f) + math.cos(math.pi * f),
            math.sin(v) + 2 * math.cos(v) + 10**v,
        ]
    return out


def directed(exact, toward):
    """Numbers of a wider type as floats, rounded down, up or towards zero."""
    near = exact.astype("f4")
    back = near.astype(exact.dtype)
    down = np.where(back > exact, np.nextafter(near, np.float32(-np.inf)), near)
    up = np.where(back < exact, np.nextafter(near, np.float32(np.inf)), near)
    return {"down": down, "up": up, "zero": np.where(exact > 0, down, up)}[toward]


def rounding_modes(x, y):
    total, product = x.astype("f8") + y.astype("f8"), x.astype("f8") * y.astype("f8")
    scaled, bits = x.astype("f8") * 1.000000123, x.view("i4").astype("f8")
    three = ("down", "up", "zero")
    columns = [directed(value, way) for value in (total, product, scaled) for way in three]
    return rows(*columns, directed(bits, "down"), directed(bits, "up"), x * y + np.float32(1))


def number_conversions(x):
    v = x * np.float32(1000)
    large = v * np.float32(1e10)
    saturated = np.clip(np.trunc(large.astype("f8")), -(2**31), 2**31 - 1)
    wide = v.astype("f8")
    return rows(
        np.rint(wide),
        np.trunc(wide),
        np.floor(wide),
        np.ceil(wide),
        np.maximum(np.trunc(wide), 0),
        large.astype("f8"),
        np.rint(wide),
        np.floor(wide * 1e12),
        saturated,
        np.rint(np.abs(wide)),
    ).astype("i8")
