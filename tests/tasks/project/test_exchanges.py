"""Vectors that are swapped or copied whole: what comes out is what the class does, and calls test that both are as long."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

RING = """\
#include <utility>
#include <vector>
class Kept {
public:
    explicit Kept(int n) : all_(n) {}
    std::vector<double>& all() { return all_; }
    const std::vector<double>& all() const { return all_; }
    double& at(int i) { return all_[i]; }
private:
    std::vector<double> all_;
};
class Ring {
public:
    explicit Ring(int n) : now(n), next(n), first(n), other(n) {}
    void step(double rate);
    void run(int steps, double rate);
    void odd(double rate);
    std::vector<double> now, next, first;
    Kept other;
};
void Ring::step(double rate) {
    const int n = (int)now.size();
    for (int i = 0; i < n; ++i) next[i] = now[i] + rate * (now[(i + 1) % n] - now[i]);
    @SWAP@
}
void Ring::run(int steps, double rate) {
    first = now;
    for (int k = 0; k < steps; ++k) step(rate);
}
void Ring::odd(double rate) {
    double* p = now.data();
    std::swap(now, next);
    for (int i = 0; i < (int)now.size(); ++i) p[i] *= rate;
}
"""
MAIN = """
#include <cstdio>
extern "C++" {{ {head}; }}
int main() {{
    Ring ring(7), flat(7);
    for (int i = 0; i < 7; ++i) ring.now[i] = flat.now[i] = i * i;
    const int steps = 5;
    const double rate = 0.25;
    ring.run(steps, rate);
    Ring& self = flat;
    {call}
    for (int i = 0; i < 7; ++i) std::printf("%d", ring.now[i] == flat.now[i] && ring.first[i] == flat.first[i]);
}}
"""


def read(folder: Path, swap: str, entry: str):
    (folder / "ring.cpp").write_text(RING.replace("@SWAP@", swap))
    return project_function(folder / "ring.cpp", entry=entry, flags=BuildFlags(standard="c++17"))


@pytest.mark.parametrize(
    "swap",
    [
        "std::swap(now, next);",
        "now.swap(next);",
        "now = next;",
        "std::swap(other.all(), next); std::swap(now, other.all());",
    ],
    ids=["free", "method", "copy", "accessor"],
)
def test_the_flat_function_does_what_the_class_does(tmp_path: Path, swap: str) -> None:
    found = read(tmp_path, swap, "Ring::run")
    assert found.home is not None and found.home.same, "no call tests that both are as long"
    spelled = [place.expression.replace("this->", "self.") for place in found.home.places]
    places = [re.sub(r"^other\b", "self.other", one) for one in spelled]
    head = found.text[found.text.rindex("void Ring_run(") :].partition("{")[0]
    main = MAIN.format(head=head, call=f"Ring_run({', '.join(places)});")
    (tmp_path / "main.cpp").write_text(f'#include "ring.cpp"\n{main}')
    (tmp_path / "flat.cpp").write_text(found.text)
    words = ["g++", "-std=c++17", "-o", tmp_path / "app", tmp_path / "main.cpp", tmp_path / "flat.cpp"]
    subprocess.run(words, check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * 7, found.text


def test_a_pointer_that_a_swap_would_leave_behind_is_refused_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"line \d+: swaps vectors where 'p' may point into one"):
        read(tmp_path, "", "Ring::odd")


FIELDS = """\
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>
template <typename T>
class Field {
public:
    Field(std::size_t rows, std::size_t cols, T value = T{}) : rows_(rows), cols_(cols), data_(rows * cols, value) {}
    T& operator()(std::size_t r, std::size_t c) { return data_[r * cols_ + c]; }
    const T& operator()(std::size_t r, std::size_t c) const { return data_[r * cols_ + c]; }
    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    const std::vector<T>& data() const { return data_; }
    std::vector<T>& data() { return data_; }
    @MEMBER@
private:
    std::size_t rows_, cols_;
    std::vector<T> data_;
};
class Plate {
public:
    Plate(std::size_t rows, std::size_t cols) : now(rows, cols, 1.0), next(rows, cols) {}
    void relax(double rate);
    Field<double> now, next;
};
void Plate::relax(double rate) {
    const std::size_t rows = now.rows(), cols = now.cols();
    for (std::size_t r = 1; r + 1 < rows; ++r)
        for (std::size_t c = 1; c + 1 < cols; ++c) next(r, c) = now(r, c) + rate * (now(r - 1, c) - now(r, c + 1));
    std::swap(now, next);
}
"""


EACH = "std::swap(rows_, other.rows_); std::swap(cols_, other.cols_); "
SWAPS = {
    "the library's": ("", "std::swap(now, next);"),
    "a member": (f"void swap(Field& other) noexcept {{ {EACH} data_.swap(other.data_); }}", "now.swap(next);"),
    "a member by its own function": (
        f"void swap(Field& other) {{ {EACH} std::swap(data_, other.data_); }}",
        "next.swap(now);",
    ),
    "a friend": (
        "friend void swap(Field& a, Field& b) { using std::swap; swap(a.rows_, b.rows_); swap(b.cols_, a.cols_); swap(a.data_, b.data_); }",
        "swap(now, next);",
    ),
}
"""How -> the member of the class, the statement."""


def plate(folder: Path, member: str = "", swap: str = "std::swap(now, next);"):
    text = FIELDS.replace("@MEMBER@", member).replace("std::swap(now, next);", swap)
    (folder / "plate.cpp").write_text(text)
    return project_function(folder / "plate.cpp", entry="Plate::relax", flags=BuildFlags(standard="c++17"))


@pytest.mark.parametrize("how", SWAPS)
def test_objects_that_hold_a_vector_are_swapped_and_calls_test_their_numbers(tmp_path: Path, how: str) -> None:
    found = plate(tmp_path, *SWAPS[how])
    assert found.home is not None
    tested = {frozenset(pair) for pair in found.home.same}
    for number in ("rows()", "cols()"):
        assert any(
            {one.removeprefix("this->") for one in pair} == {f"now.{number}", f"next.{number}"} for pair in tested
        )
    places = ", ".join(re.sub(r"^(this->)?(now|next)\b", r"flat.\2", place.expression) for place in found.home.places)
    head = found.text[found.text.rindex("void Plate_relax(") :].partition("{")[0]
    main = (
        f'#include "plate.cpp"\nextern "C++" {{ {head}; }}\nint main() {{\n'
        "    Plate plate(5, 7), flat(5, 7);\n    const double rate = 0.25;\n"
        "    for (int i = 0; i < 35; ++i) plate.now.data()[i] = flat.now.data()[i] = i * i;\n"
        f"    for (int k = 0; k < 3; ++k) {{ plate.relax(rate); Plate_relax({places}); }}\n"
        '    for (int i = 0; i < 35; ++i) std::printf("%d", plate.now.data()[i] == flat.now.data()[i]);\n'
        '    for (int i = 0; i < 35; ++i) std::printf("%d", plate.next.data()[i] == flat.next.data()[i]);\n}\n'
    )
    (tmp_path / "main.cpp").write_text(main)
    (tmp_path / "flat.cpp").write_text(found.text)
    words = ["g++", "-std=c++17", "-o", tmp_path / "app", tmp_path / "main.cpp", tmp_path / "flat.cpp"]
    subprocess.run(words, check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * 70, found.text


@pytest.mark.parametrize(
    "member",
    [
        "Field(Field&& o) : rows_(o.cols_), cols_(o.rows_), data_(std::move(o.data_)) {} Field& operator=(Field&&) = default;",
        "Field& operator=(const Field& other) { data_ = other.data_; return *this; }",
        '~Field() { std::puts("gone"); }',
        "const double* kept = nullptr;",
    ],
    ids=["a move of its own", "an assignment of its own", "a destructor", "a pointer"],
)
def test_objects_whose_swap_may_do_more_are_refused(tmp_path: Path, member: str) -> None:
    with pytest.raises(TaskError, match=r"line \d+: .*as a whole"):
        plate(tmp_path, member)


@pytest.mark.parametrize(
    "body",
    [
        "std::swap(rows_, other.cols_); std::swap(cols_, other.rows_); data_.swap(other.data_);",
        "std::swap(rows_, other.rows_); data_.swap(other.data_);",
        f"{EACH} data_.swap(other.data_); rows_ += 1;",
        f"{EACH} data_.swap(data_);",
    ],
    ids=["crosswise", "not all", "and more", "with itself"],
)
def test_a_swap_of_her_own_that_is_none_is_not_taken_for_one(tmp_path: Path, body: str) -> None:
    """Its numbers are not taken to be equal on both sides: they are parameters that change, or the function is refused."""
    try:
        home = plate(tmp_path, f"void swap(Field& other) {{ {body} }}", "now.swap(next);").home
    except TaskError:
        return
    assert home is not None and not any("size()" not in one for pair in home.same for one in pair)
    assert any(one.form == "pointer" and "rows" in one.name for one in home.places)
