"""What a program is given of the runtime: what it uses and nothing else, and each part with all that it needs itself."""

import re
from importlib.resources import files

import pytest

from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.syntax import first_error_line, parse
from regrapht.transform.verbatim.runtime_parts import HEADERS, _includes, _parts, definitions_of, used_of

PARTS = [part for header in HEADERS for part in _parts(header)]
NAMES = sorted({name for part in PARTS for name in part.names})


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_is_read_without_a_fault(header):
    """Else a prompt shows a program that has it whole."""
    root = parse(files("regrapht.transform.verbatim").joinpath("runtime", header).read_text(), cuda=True)
    assert first_error_line(root) is None


@pytest.mark.parametrize("header", HEADERS)
def test_every_line_of_a_header_is_in_a_definition(header):
    whole = "\n".join(part.text for part in _parts(header))
    for part in _parts(header):
        assert part.names or "operator" in part.text
        assert part.text.count("{") == part.text.count("}")
    for name in re.findall(r"(?m)^(?:struct|#define) (\w+)", whole):
        assert name in NAMES


@pytest.mark.parametrize(
    ("program", "there", "not_there"),
    [
        ("void f() {}", (), ("verbatim",)),
        ("verbatim::sort(a, b);", ("sort", "sift", "insertion_sort", "swap", "Less"), ("nth_element", "vector", "bitset")),
        ("verbatim::vector<int> v(3);", ("vector", "sequence", "filled", "fill_kernel", "kBlock"), ("local_vector", "array")),
        ("verbatim::vector<int> v, w; swap(v, w);", ("void swap(vector<T>& a",), ("void swap(local_vector",)),
        ("verbatim::swap(a, b);", ("void swap(T& a",), ("void swap(vector", "struct vector")),
        ("verbatim::set(a, b);", ("set", "Same"), ("put",)),
        ("auto p = verbatim::make_pair(1, 2);", ("struct pair", "make_pair"), ("bitset",)),
        ("verbatim::bitset<9> a, b; c = a & b;", ("operator&", "operator|"), ("local_vector",)),
        ("auto z = verbatim::polar(1.0, t); x = std::abs(z);", ("struct complex", "namespace std", "abs"), ("struct vector",)),
        ("x = std::abs(y); std::memcpy(a, b, 4);", (), ("complex", "memcpy")),
        ("struct Part { int max; }; Part p; p.max = p.count(3);", (), ("Pool", "max", "count")),
        ("// verbatim::sort(a, b)\nputs(\"verbatim::sort(a, b)\");", (), ("sort",)),
        ("verbatim::ctz(v)", ("#ifdef __CUDA_ARCH__", "#endif", "ctz(unsigned"), ("clz", "ctzll")),
        ("verbatim::host::fill(a, b, 0);", ("namespace verbatim::host", "filled"), ("struct vector",)),
    ],
)  # fmt: skip
def test_a_program_has_what_it_uses(program, there, not_there):
    text = used_of(program)[1]
    for one in there:
        assert one in text
    for one in not_there:
        assert re.search(rf"\b{re.escape(one)}", text) is None, text


def test_each_definition_compiles_with_what_comes_with_it():
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no nvcc")
    lines = [*dict.fromkeys(line for header in HEADERS for line in _includes(header))]
    for number, name in enumerate(NAMES):
        text = definitions_of([name])
        if (
            "namespace std" not in text
        ):  # where our overloads of the standard library's names are is the file's own level
            lines.append(f"namespace alone_{number} {{\n{text}\n}}")
    built = compiles("\n".join(lines), choose_sandbox(), nvcc)
    assert built.content is not None, built.completed.stderr[-2000:]
