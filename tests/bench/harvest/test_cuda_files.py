"""The rule filter: which files are read, why others are not, and the headers that come along."""

import pytest

from regrapht.bench.harvest.cuda_files import MAX_FILE_BYTES, cuda_files, filter_file
from regrapht.bench.harvest.outcomes import Dropped


def test_a_file_comes_with_the_headers_of_its_collection(collection):
    file = filter_file(collection / "a_scale.cu", collection)
    assert (file.name, file.licence, file.missing) == ("a_scale.cu", "MIT", ())
    assert file.headers == ("#define FACTOR 2.5f\n",)


def test_headers_come_before_what_includes_them_and_only_once(tmp_path):
    (tmp_path / "a.h").write_text('#include "b.h"\n#include "a.h"\n#define A B\n')
    (tmp_path / "b.h").write_text('#include "a.h"\n#define B 1\n')
    (tmp_path / "k.cu").write_text(
        '#include "a.h"\n#include "b.h"\n#include "gone.h"\n#include <math.h>\n__global__ void k() {}'
    )
    file = filter_file(tmp_path / "k.cu", tmp_path)
    assert [text.splitlines()[-1] for text in file.headers] == ["#define B 1", "#define A B"]
    assert file.missing == ("gone.h",)


def test_no_header_outside_the_folder_is_read(tmp_path):
    (tmp_path / "secret.h").write_text("#define SECRET 1\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "k.cu").write_text('#include "../secret.h"\n__global__ void k() {}')
    file = filter_file(tmp_path / "in" / "k.cu", tmp_path / "in")
    assert file.headers == () and file.missing == ("../secret.h",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"int main() {}", "no_kernel"),
        (b"__global__ void k() {} // \xff\xfe", "not_text"),
        (b"__global__\0", "not_text"),
        (b"__global__ " + b" " * MAX_FILE_BYTES, "too_large"),
    ],
)
def test_what_is_dropped(tmp_path, content, reason):
    (tmp_path / "k.cu").write_bytes(content)
    with pytest.raises(Dropped) as dropped:
        filter_file(tmp_path / "k.cu", tmp_path)
    assert dropped.value.reason == reason


def test_what_is_looked_at(tmp_path):
    for name in ("b.cu", "a.cuh", "with.h", "without.h", "notes.txt", ".hidden.cu"):
        (tmp_path / name).write_text("__global__ void k() {}" if name != "without.h" else "#define X 1")
    (tmp_path / "link.cu").symlink_to(tmp_path / "b.cu")
    assert [path.name for path in cuda_files(tmp_path)] == ["a.cuh", "b.cu", "with.h"]


def test_a_header_with_kernels_comes_with_what_surrounds_it(tmp_path):
    (tmp_path / "size.h").write_text("#define SIZE 4\n")
    (tmp_path / "kernels.h").write_text("__global__ void k(int* x) { x[0] = SIZE + MORE; }\n")
    (tmp_path / "main.cu").write_text(
        '#include "size.h"\n#define MORE 2\n#include "kernels.h"\nint main() { return 0; }\n'
    )
    file = filter_file(tmp_path / "kernels.h", tmp_path)
    assert [text.splitlines()[0] for text in file.headers] == ["#define SIZE 4", '#include "size.h"']
