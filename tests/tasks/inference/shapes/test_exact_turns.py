"""Loops over blocks by hand, in many spellings: what they write whole is an output, what they leave out in part is not."""

import pytest

from regrapht.records.task import Role
from regrapht.tasks.infer import infer_task

SIGNATURE = "#include <algorithm>\n#include <cstddef>\nvoid f(int n, int m, int tile, const float* x, float* out)"
ROW = "for (int i = from; i < to; ++i) out[i] = 2 * x[i];"
BLOCKS = "for (int b = 0; b < {blocks}; ++b) {{ int from = b * 64; int to = {to}; {row} }}"
PAIR = "for (int r = 0; r < n; r += {step}) for (int i = r; i < {to}; ++i) out[i] = x[i] + 1;"
UNROLLED = "int i = 0; for (; i {first}; i += 4) {{ out[i] = x[i]; out[i + 1] = x[i + 1]; out[i + 2] = 1; out[i + 3] = 2; }} {rest}"
WHOLE = {
    "blocks counted up": BLOCKS.format(blocks="(n + 63) / 64", to="from + 64 > n ? n : from + 64", row=ROW),
    "a function for the minimum": BLOCKS.format(blocks="(n + 63) / 64", to="std::min(n, from + 64)", row=ROW),
    "a list for the minimum": BLOCKS.format(blocks="(n - 1) / 64 + 1", to="std::min({from + 64, n})", row=ROW),
    "a block too many": BLOCKS.format(blocks="n / 64 + 1", to="from + 64 < n ? from + 64 : n", row=ROW),
    "up to an end": BLOCKS.format(
        blocks="(n + 63) / 64", to="std::min(n, from + 64)", row="for (int i = from; i != to; ++i) out[i] = x[i];"
    ),
    "by the length of a block": PAIR.format(step="64", to="std::min(r + 64, n)"),
    "a constant with a name": "const int T = 32; " + PAIR.format(step="T", to="std::min(n, r + T)"),
    "a length that is an argument": PAIR.format(step="tile", to="std::min(n, r + tile)"),
    "and the end in a local": "for (int r = 0; r < n; r += tile) { const int to = r + tile < n ? r + tile : n;"
    " for (int i = r; i < to; ++i) out[i] = x[i]; }",
    "squares": "for (int r = 0; r < n; r += 16) for (int c = 0; c < m; c += tile) for (int i = r; i < std::min(n, r + 16); ++i)"
    " for (int j = c; j < std::min(m, c + tile); ++j) out[i * m + j] = x[i * m + j];",
    "unrolled by hand": UNROLLED.format(first="+ 4 <= n", rest="for (; i < n; ++i) out[i] = 3;"),
    "unrolled below the end": UNROLLED.format(first="< n - 3", rest="for (; i < n; ++i) out[i] = 3;"),
}
IN_PART = {
    "without the last block": BLOCKS.format(blocks="n / 64", to="std::min(n, from + 64)", row=ROW),
    "without the last place": BLOCKS.format(blocks="(n + 63) / 64", to="std::min(n - 1, from + 64)", row=ROW),
    "half of each block": BLOCKS.format(blocks="(n + 63) / 64", to="std::min(n, from + 32)", row=ROW),
    "an end that is set again": BLOCKS.format(
        blocks="(n + 63) / 64", to="std::min(n, from + 64)", row="to = from + 1; " + ROW
    ),
    "what it holds is read": BLOCKS.format(
        blocks="(n + 63) / 64",
        to="std::min(n, from + 64)",
        row="for (int i = from; i < to; ++i) out[i] = out[i] + x[i];",
    ),
    "under a condition": BLOCKS.format(
        blocks="(n + 63) / 64",
        to="std::min(n, from + 64)",
        row="for (int i = from; i < to; ++i) if (x[i] > 0) out[i] = x[i];",
    ),
    "steps wider than a block": PAIR.format(step="64", to="std::min(r + 32, n)"),
    "steps of another length": PAIR.format(step="m", to="std::min(r + tile, n)"),
    "a tile that does not reach the end": PAIR.format(step="tile", to="std::min(r + tile, n - 1)"),
    "a tile that is read": "for (int r = 0; r < n; r += tile) for (int i = r; i < std::min(n, r + tile); ++i) out[i] = out[i] + x[i];",
    "nothing for the rest": UNROLLED.format(first="+ 4 <= n", rest=""),
    "too little for the rest": UNROLLED.format(first="+ 4 <= n", rest="for (; i < n - 1; ++i) out[i] = 3;"),
    "a rest that skips": UNROLLED.format(first="+ 4 <= n", rest="for (; i < n; i += 2) out[i] = 3;"),
}


def role(body, tmp_path) -> Role:
    path = tmp_path / "f.cpp"
    # A first loop says how long the array is, whatever the other one leaves out.
    path.write_text(f"{SIGNATURE} {{ float s = 0; for (int k = 0; k < n * m; ++k) s += x[k];\n{body} }}\n")
    return next(arg.role for arg in infer_task(path).task.args if arg.name == "out")


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_written_whole(name, tmp_path):
    assert role(WHOLE[name], tmp_path) is Role.OUT


@pytest.mark.parametrize("name", IN_PART)
def test_what_is_left_out_in_part_or_read(name, tmp_path):
    body = f"{IN_PART[name]}\nif (x[0] > 5) out[n - 1] = 1;"
    assert role(body, tmp_path) is Role.INOUT
