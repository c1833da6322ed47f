"""Nothing that methods are evaluated on becomes training data: not the function, not in other names, not as one of several in a file."""

import re

import pytest

from regrapht.bench.suite import open_suite, shipped_suites
from regrapht.distil.families import draw
from regrapht.distil.kept_out import keep_out
from regrapht.errors import ConfigError

COUNT = 400


@pytest.fixture(scope="module")
def kept():
    return keep_out([shipped_suites()])


def renamed(text: str) -> str:
    """Every name of the file's own a new one, every number another."""
    words = set(re.findall(r"\b[a-z_]\w{2,}\b", text))
    kept = {"for", "int", "float", "double", "void", "const", "return", "while", "break", "continue"}
    kept |= {"unsigned", "char", "long", "short", "bool", "auto"}
    for word in sorted(words - kept):
        text = re.sub(rf"\b{word}\b", f"q_{word[::-1]}", text)
    return text


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["cuda-llm-20", "cudaeval"])
def test_a_task_of_a_suite_is_found_in_other_names(suite, kept):
    tasks = open_suite(suite).tasks
    for one in tasks[:: max(1, len(tasks) // 12)]:
        text = one.task.reference.source.text
        includes = "\n".join(re.findall(r"^#include.*$", text, re.M))
        body = re.sub(r"^#include.*$", "", text, flags=re.M)
        assert kept.near(text) is not None, one.task.id
        assert kept.near(includes + renamed(body)) is not None, one.task.id


@pytest.mark.slow
def test_what_is_drawn_and_not_left_out_is_none_of_the_suites(kept):
    """The test is run over the functions themselves, and not by the code that leaves them out."""
    from regrapht.source.shingles import shingles, similarity

    signs = [
        shingles(one.task.reference.source.text) for s in ("cuda-llm-20", "cudaeval") for one in open_suite(s).tasks
    ]
    left_out = 0
    for number in range(COUNT):
        text = draw(7, number).task.reference.source.text
        if kept.near(text) is not None:
            left_out += 1
            continue
        mine = shingles(text)
        assert max(similarity(mine, theirs) for theirs in signs) < 0.5, text
    assert 0 < left_out < COUNT / 4


def test_a_function_among_others_is_found(tmp_path):
    mine = "void fade(int n, float* a) { for (int i = 1; i < n; ++i) { a[i] = a[i - 1] * 0.5f + a[i] / (1.0f + a[i] * a[i]); } }\n"
    (tmp_path / "several.cpp").write_text("int three(int a) { return a + 3; }\n" + mine)
    kept = keep_out([tmp_path])
    assert kept.near(mine) is not None
    assert kept.near(renamed(mine)) is not None
    assert kept.near("int five(int b) { return b * 5; }\n" + mine + "\nint four(int b) { return b + 4; }\n") is not None
    assert kept.near("int three(int b) { return b + 3; }\n") is None  # too short to say anything


def test_a_program_of_a_folder_is_known_whatever_its_layout(tmp_path):
    (tmp_path / "kernel.cu").write_text("__global__ void k(int* a) { a[0] = 1; }  // set\n")
    assert keep_out([tmp_path]).has_program("__global__ void k(int* a)\n{\n    a[0] = 1;\n}\n")


def test_a_folder_without_sources_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="holds no source"):
        keep_out([tmp_path])
