"""Lengths of arrays that are subscripted by unsigned numbers that wrap, by casts that cut, and by bits."""

import pytest

from regrapht.tasks.infer import infer_task

CASES = {
    "hash": ("(i * 2654435761u) >> 20", "4096"),
    "hash of 64 bits": ("((unsigned long)i * 0x9E3779B97F4A7C15ull) >> 54", "1024"),
    "hash of data": ("(key[i] * 2654435769u) >> 22", "1024"),
    "below zero": ("((unsigned)i - 5u) >> 22", "1024"),
    "negated": ("(-(unsigned)i) % 100u", "100"),
    "shifted out": ("((unsigned)i << 24) >> 24", "256"),
    "two hashes": ("((i * 2654435761u) ^ (key[i] * 2246822519u)) >> 28", "16"),
    "cut to 8 bits": ("(unsigned char)(i * 7)", "256"),
    "cut to 16 bits": ("static_cast<unsigned short>(i * 40503u)", "65536"),
    "partner": ("i ^ 1", "2 * ((n - 1) // 2) + 2"),
    "last of four": ("i | 3", "4 * ((n - 1) // 4) + 4"),
    "stride": ("(unsigned)i * 3u", "3 * n - 2"),
}


@pytest.mark.parametrize("index, length", CASES.values(), ids=CASES)
def test_lengths_are_those_of_the_machine(tmp_path, index, length):
    file = tmp_path / "f.cpp"
    file.write_text(
        f"void f(int n, const unsigned* key, int* y) {{ for (int i = 0; i < n; ++i) y[{index}] += key[i] & 7; }}\n"
    )
    task = infer_task(file).task
    shape = next(arg.shape for arg in task.args if arg.name == "y")
    assert [extent.text for extent in shape] in ([length], ["n", "3"])
