"""What the programs with groups and warp functions must compute: numpy over the inputs."""

import numpy as np

from .expected_arithmetic import i32


def group_tiles(x):
    out = np.zeros((x.size, 6), "i8")
    for i in range(x.size):
        first8, first4, lane = i - i % 8, i - i % 4, i % 32
        eight, four = x[first8 : first8 + 8].astype("i8"), x[first4 : first4 + 4].astype("i8")
        r8, r4 = i % 8, i % 4
        down = eight[r8 + 2] if r8 + 2 < 8 else eight[r8]
        up = eight[r8 - 1] if r8 else eight[r8]
        out[i, 0] = down + up
        out[i, 1] = four[r4 ^ 3] + four[1]
        out[i, 2] = lane // 8 + 10 * 4 + 100 * (i % 64 // 4)
        ballot = sum(1 << k for k in range(8) if eight[k] > 50)
        out[i, 3] = ballot + 1000 * (four > 90).any() + 2000 * (four > 10).all()
        out[i, 4] = (eight % 3 == x[i] % 3).sum() + 100 * lane
        out[i, 5] = x[i - lane + 31 - lane]
    return out.ravel()


def group_dynamic_tiles(x):
    out = -(np.arange(x.size) % 16)
    for first in range(0, x.size, 16):
        out[first] = x[first : first + 16].sum()
    for first in range(0, x.size, 128):
        out[first] = x[first : first + 128].sum()
    return out


def group_partitions(x):
    out = np.zeros((x.size, 4), "i8")
    for first in range(0, x.size, 32):
        v = x[first : first + 32].astype("i8")
        for i in range(32):
            same, side = v[v % 4 == v[i] % 4], (v > 50) == (v[i] > 50)
            out[first + i] = same.size, same.sum(), side[:i].sum(), v[side].min()
    return out.ravel()


def group_reduce_scan(x):
    out = np.zeros((x.size, 7), "i8")
    for first in range(0, x.size, 16):
        v = x[first : first + 16].astype("i8")
        for i in range(16):
            before = v[: i + 1]
            xor = np.bitwise_xor.reduce(v)
            out[first + i] = v.sum(), v.max(), xor, 1, before.sum(), before.sum() - v[i], before.max()
    return out.ravel()


def mirrored_chunks(x):
    return x.reshape(-1, 128)[:, ::-1].ravel()


def warp_reduce_sync(x):
    out = np.zeros((x.size, 8), "i8")
    for first in range(0, x.size, 32):
        u = x[first : first + 32].astype("i8")
        v = u - 50
        for i in range(32):
            part = slice(0, 16) if i < 16 else slice(16, 32)
            out[first + i] = (
                v.sum(),
                v.min(),
                v[part].max(),
                np.bitwise_and.reduce(u | 64),
                np.bitwise_or.reduce(u[part]),
                np.bitwise_xor.reduce(u),
                u[part].min(),
                (v < 0).any(),
            )
    return out.ravel()


def lanes_where(flags, first=0):
    return i32(sum(1 << (first + int(k)) for k in np.flatnonzero(flags)))


def warp_match_vote(x):
    out = np.zeros((x.size, 6), "i8")
    for first in range(0, x.size, 32):
        v = x[first : first + 32].astype("i8")
        all_same = int((v % 2 == v[0] % 2).all())
        for i in range(32):
            group = slice(0, 8) if i < 8 else slice(8, 32)
            part = v[group]
            out[first + i] = (
                lanes_where(v % 5 == v[i] % 5),
                lanes_where(v % 2 == v[i] % 2),
                all_same,
                all_same,
                (part > 90).any() + 2 * (part > 5).all(),
                (part % 2).sum() + 100 * (1 if i < 8 else 9),
            )
    return out.ravel()


def shuffle_types(x):
    out = np.zeros((x.size, 5))
    for i in range(x.size):
        lane, first = i % 32, i - i % 32
        v = x.astype("i8")
        out[i, 0] = v[i - i % 8 + 5] * 1e10
        out[i, 1] = float(v[i - 3 if lane % 16 >= 3 else i] << 33)
        out[i, 2] = v[i + 7 if lane + 7 < 32 else i] / 4
        out[i, 3] = v[i ^ 9]
        source = first + (i + 1) % 32
        out[i, 4] = v[source] + 100 * source
    return out.ravel()
