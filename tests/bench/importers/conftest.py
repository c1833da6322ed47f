"""Miniature checkouts of our own writing, with the layout of the real ones. Code and prompts are made up here; names and signatures are
what the importers look for."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

POINT = "struct Point { double x, y; };\n"
ENTRY = "struct COOElement { size_t row, column; double value; };\n"
SPARSE = "struct Element { size_t index; double value; };\n"
VECTOR, OUT = "std::vector<double> const& ", "std::vector<double> &"
Problem = tuple[str, str, str, str]
"""Above the signature, the signature without its brace, the body, the name of the sequential function."""


def _loop(statement: str, size: str = "x.size()") -> str:
    return f"for (size_t q = 0; q < {size}; ++q) {{ {statement} }}"


_ELIMINATE = (
    "for (size_t p = 0; p < N; ++p) for (size_t r = p + 1; r < N; ++r) { double f = A[r * N + p] /= A[p * N + p];"
    " for (size_t c = p + 1; c < N; ++c) A[r * N + c] -= f * A[p * N + c]; }"
)
_DENSE = "std::vector<double> W(N * N); for (auto const& e : A) W[e.row * N + e.column] = e.value;"
_SPLIT = (
    "for (size_t p = 0; p < N; ++p) { for (size_t r = p + 1; r < N; ++r) { double f = W[r * N + p] /= W[p * N + p];"
    " for (size_t c = p + 1; c < N; ++c) W[r * N + c] -= f * W[p * N + c]; } }"
    " for (size_t r = 0; r < N; ++r) for (size_t c = 0; c < N; ++c)"
    " { (c < r ? L : U)[r * N + c] = W[r * N + c]; if (r == c) L[r * N + c] = 1; }"
)
_GRID = "void {}(std::vector<{}> const& {}, std::vector<{}> &{}, size_t N)"
PROBLEMS: dict[str, Problem] = {
    "dense_la/00_dense_la_lu_decomp": (
        "",
        "void luFactorize(std::vector<double> &A, size_t N)",
        _ELIMINATE,
        "correctLu",
    ),
    "dense_la/03_dense_la_axpy": (
        "",
        f"void axpy(double alpha, {VECTOR}x, {VECTOR}y, {OUT}z)",
        _loop("z[q] = y[q] + alpha * x[q];"),
        "correctAxpy",
    ),
    "fft/08_fft_split_fft": (
        "",
        f"void fft(std::vector<std::complex<double>> const& x, {OUT}r, {OUT}i)",
        "for (size_t f = 0; f < x.size(); ++f) for (size_t q = 0; q < x.size(); ++q)"
        " { auto t = x[q] * std::polar(1.0, -2 * M_PI * f * q / x.size()); r[f] += t.real(); i[f] += t.imag(); }",
        "correctFft",
    ),
    "geometry/10_geometry_convex_hull": (
        POINT,
        "void convexHull(std::vector<Point> const& points, std::vector<Point> &hull)",
        "hull = points;",
        "correctConvexHull",
    ),
    "geometry/12_geometry_smallest_triangle": (
        POINT,
        "double smallestArea(std::vector<Point> const& points)",
        "double best = 1e300; for (auto& a : points) for (auto& b : points) for (auto& c : points) if (&a < &b && &b < &c)"
        " best = std::min(best, std::abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2); return best;",
        "correctSmallestArea",
    ),
    "geometry/13_geometry_closest_pair_2d": (
        POINT,
        "double closestPair(std::vector<Point> const& points)",
        "double best = 1e300; for (auto& a : points) for (auto& b : points) if (&a < &b)"
        " best = std::min(best, std::hypot(a.x - b.x, a.y - b.y)); return best;",
        "correctClosestPair",
    ),
    "geometry/14_geometry_closest_pair_1d": (
        "",
        f"double closestPair({VECTOR}x)",
        "double best = 1e300; for (auto& a : x) for (auto& b : x) if (&a < &b) best = std::min(best, std::abs(a - b));"
        " return best;",
        "correctClosestPair",
    ),
    "histogram/22_histogram_count_quadrants": (
        POINT,
        "void countQuadrants(std::vector<Point> const& points, std::array<size_t, 4> &bins)",
        "for (auto& p : points) ++bins[p.y < 0 ? (p.x < 0 ? 2 : 3) : (p.x < 0 ? 1 : 0)];",
        "correctCountQuadrants",
    ),
    "histogram/23_histogram_first_letter_counts": (
        "",
        "void firstLetterCounts(std::vector<std::string> const& s, std::array<size_t, 26> &bins)",
        "for (auto& word : s) ++bins[word.front() - 'a'];",
        "correctFirstLetterCounts",
    ),
    "reduce/25_reduce_xor": (
        "",
        "bool reduceLogicalXOR(std::vector<bool> const& x)",
        "bool odd = false; for (bool b : x) odd ^= b; return odd;",
        "correctXor",
    ),
    "reduce/26_reduce_product_of_inverses": (
        "",
        f"double productWithInverses({VECTOR}x)",
        "double p = 1; " + _loop("p = q % 2 ? p / x[q] : p * x[q];") + " return p;",
        "correctProduct",
    ),
    "reduce/28_reduce_smallest_odd_number": (
        "",
        "int smallestOdd(std::vector<int> const& x)",
        "int best = 2147483647; for (int v : x) if (v % 2 != 0 && v < best) best = v; return best;",
        "correctSmallestOdd",
    ),
    "reduce/29_reduce_sum_of_min_of_pairs": (
        "",
        f"double sumOfMinimumElements({VECTOR}x, {VECTOR}y)",
        "double s = 0; " + _loop("s += std::min(x[q], y[q]);") + " return s;",
        "correctSum",
    ),
    "scan/32_scan_sum_of_prefix_sum_array": (
        "",
        f"double sumOfPrefixSum({VECTOR}x)",
        "double run = 0, s = 0; " + _loop("s += run += x[q];") + " return s;",
        "correctSum",
    ),
    "search/35_search_search_for_last_struct_by_key": (
        "struct Book {\n  std::string title;\n  int pages;\n};\n",
        "size_t findLastShortBook(std::vector<Book> const& books)",
        "size_t last = books.size(); for (size_t q = 0; q < books.size(); ++q) if (books[q].pages < 100) last = q; return last;",
        "correctFindLast",
    ),
    "search/36_search_check_if_array_contains_value": (
        "",
        "bool contains(std::vector<int> const& x, int target)",
        "for (int v : x) if (v == target) return true; return false;",
        "correctContains",
    ),
    "search/37_search_find_the_closest_number_to_pi": (
        "",
        f"size_t findClosestToPi({VECTOR}x)",
        "size_t best = 0; "
        + _loop("if (std::abs(x[q] - M_PI) < std::abs(x[best] - M_PI)) best = q;")
        + " return best;",
        "correctClosest",
    ),
    "search/38_search_find_the_first_even_number": (
        "",
        "size_t findFirstEven(std::vector<int> const& x)",
        _loop("if (x[q] % 2 == 0) return q;") + " return x.size();",
        "correctFindFirst",
    ),
    "search/39_search_xor_contains": (
        "",
        "bool xorContains(std::vector<int> const& x, std::vector<int> const& y, int val)",
        "bool a = false, b = false; for (int v : x) a |= v == val; for (int v : y) b |= v == val; return a != b;",
        "correctXorContains",
    ),
    "sparse_la/46_sparse_la_spmm": (
        ENTRY,
        f"void spmm(std::vector<COOElement> const& A, std::vector<COOElement> const& X, {OUT}Y, size_t M, size_t K, size_t N)",
        "for (auto& a : A) for (auto& b : X) if (b.row == a.column) Y[a.row * N + b.column] += a.value * b.value;",
        "correctSpmm",
    ),
    "sparse_la/48_sparse_la_sparse_axpy": (
        SPARSE,
        f"void sparseAxpy(double alpha, std::vector<Element> const& x, std::vector<Element> const& y, {OUT}z)",
        "for (auto& e : x) z[e.index] += alpha * e.value; for (auto& e : y) z[e.index] += e.value;",
        "correctSparseAxpy",
    ),
    "sparse_la/49_sparse_la_sparse_lu_decomp": (
        ENTRY,
        f"void luFactorize(std::vector<COOElement> const& A, {OUT}L, {OUT}U, size_t N)",
        f"{_DENSE} {_SPLIT}",
        "correctLu",
    ),
    "stencil/50_stencil_xor_kernel": (
        "",
        _GRID.format("cellsXOR", "int", "input", "int", "output"),
        "output = input;",
        "correctA",
    ),
    "stencil/51_stencil_edge_kernel": (
        "",
        _GRID.format("convolveKernel", "int", "imageIn", "int", "imageOut"),
        "imageOut = imageIn;",
        "correctB",
    ),
    "stencil/52_stencil_1d_jacobi_3-point_stencil": (
        "",
        f"void jacobi1D({VECTOR}input, {OUT}output)",
        "output = input;",
        "correctC",
    ),
    "stencil/53_stencil_2d_jacobi_5-point_stencil": (
        "",
        _GRID.format("jacobi2D", "double", "input", "double", "output"),
        "output = input;",
        "correctD",
    ),
    "stencil/54_stencil_game_of_life": (
        "",
        _GRID.format("gameOfLife", "int", "input", "int", "output"),
        "output = input;",
        "correctE",
    ),
}


def _write_pareval(root: Path, problems: Mapping[str, Problem], sizes: Mapping[str, object] | None = None) -> Path:
    records = []
    for path, (above, signature, body, called) in problems.items():
        kind, _, name = path.partition("/")
        prompt = f"{above}\n/* What {name} computes,\n   in words of a test. */\n{signature} {{"
        for model in ("serial", "cuda"):
            records.append(
                {"problem_type": kind, "language": "cpp", "name": name, "parallelism_model": model, "prompt": prompt}
            )
        if body:
            folder = root / "drivers/cpp/benchmarks" / path
            folder.mkdir(parents=True)
            start = signature.index("(")
            returns = signature[:start].split()[0]
            (folder / "baseline.hpp").write_text(
                f"#pragma once\n#include <vector>\n{returns} NO_INLINE {called}{signature[start:]} {{ {body} }}\n"
                "#if defined(USE_CUDA)\n__device__ int not_for_hosts() { return 1; }\n#endif\n"
            )
    (root / "prompts").mkdir(parents=True)
    (root / "drivers/cpp/benchmarks").mkdir(parents=True, exist_ok=True)
    (root / "prompts/generation-prompts.json").write_text(json.dumps(records))
    given = (
        {path.partition("/")[2]: {"serial": "(1<<6)", "cuda": "(1<<12)"} for path in problems}
        if sizes is None
        else sizes
    )
    (root / "drivers/problem-sizes.json").write_text(json.dumps(given))
    return root


MODULE = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self{init}):
        super(Model, self).__init__()
{setup}
    def forward(self, {names}):
        {forward}


{constants}


def get_inputs():
    {inputs}


def get_init_inputs():
    return [{given}]
"""


def _module(
    forward: str,
    *,
    names: str = "x",
    constants: str = "rows = 32\ncolumns = 48",
    inputs: str = "return [torch.rand(rows, columns)]",
    init: str = "",
    setup: str = "",
    given: str = "",
) -> str:
    lines = "\n".join(f"        {line}" for line in setup.splitlines())
    return MODULE.format(
        forward="\n        ".join(forward.splitlines()),
        names=names,
        constants=constants,
        inputs="\n    ".join(inputs.splitlines()),
        init=f", {init}" if init else "",
        setup=lines,
        given=given,
    )


def _write_kernelbench(root: Path, modules: Mapping[str, str], level: int = 1) -> Path:
    folder = root / "KernelBench" / f"level{level}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    return root


SCALE_AND_CLIP = _module("return F.relu(scale * x)", names="x, scale", inputs="return [torch.rand(rows, columns), 0.5]")
"""A first problem: elementwise, with a number."""


@pytest.fixture(scope="session")
def pareval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A miniature ParEval checkout with every problem that has a known defect, and a few without. Read only."""
    return _write_pareval(tmp_path_factory.mktemp("checkout") / "pareval", PROBLEMS)


@pytest.fixture(scope="session")
def write_pareval() -> Callable[..., Path]:
    return _write_pareval


@pytest.fixture
def problems() -> dict[str, Problem]:
    return dict(PROBLEMS)


@pytest.fixture
def scale_and_clip() -> str:
    return SCALE_AND_CLIP


@pytest.fixture
def module() -> Callable[..., str]:
    """The text of one KernelBench problem."""
    return _module


@pytest.fixture
def write_kernelbench() -> Callable[..., Path]:
    return _write_kernelbench
