"""The launcher's test that offsets in device memory rise: it waits for what was launched before, and for a kernel that looks at them."""

from typing import Any

from regrapht.errors import CannotTransform
from regrapht.transform.codegen.isl_text import expression_text
from regrapht.transform.codegen.writer import Writer
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.rising_offsets import is_bounded, segments_of
from regrapht.transform.polyhedral.scop import Scop

NO_FAILURE = "cudaPeekAtLastError() == cudaSuccess"
"""What the launcher tests as well before it takes offsets to fall: a test that failed says so, too."""
_THREADS = 256


def rising_condition(scop: Scop, offsets: str, writer: Writer) -> str:
    """The launcher's condition that no offset that bounds a segment of the function is greater than the next one, as C.

    Raises:
        CannotTransform: The launcher does not know which offsets these are.
    """
    numbers, required = segments_of(scop, offsets), scop.required()
    if not is_bounded(numbers):
        raise CannotTransform(f"the range of the offsets in '{offsets}' is not known when the function begins")
    low, high = numbers.dim_min(0), numbers.dim_max(0).add(_one(numbers))
    build = isl().AstBuild.from_context(isl().Set("{ : }"))
    known = numbers.params().intersect(required)
    names, wide = writer.names, writer.wide_names
    first, last = (expression_text(build.expr_from_pw_aff(end.gist(known)), names, wide=wide) for end in (low, high))
    test = f"{_rise(scop.element_type(offsets), writer)}({offsets}, {first}, {last})"
    missing = required.subtract(numbers.params()).coalesce()
    if missing.is_empty() or _is_empty_range(low, high, missing):
        return test
    return f"({expression_text(build.expr_from_set(missing.gist(required)), names, 1, wide=wide)} || {test})"


def _one(numbers: Any) -> Any:
    return isl().PwAff.from_aff(
        isl().Aff.zero_on_domain(isl().LocalSpace.from_space(numbers.params().get_space())).set_constant_val(1)
    )


def _is_empty_range(low: Any, high: Any, where: Any) -> bool:
    """Whether the bounds' texts, read for parameters without any segment, have nothing between them."""
    pieces: list[Any] = []
    for bound in (low, high):
        found: list[Any] = []
        bound.foreach_piece(lambda _, affine, found=found: found.append(affine))
        if len(found) != 1:
            return False
        pieces += found
    return bool(pieces[0].lt_set(pieces[1]).params().intersect(where).is_empty())


def _rise(type_name: str, writer: Writer) -> str:
    """The name of a function that tests offsets of a type."""
    short = type_name.replace("unsigned ", "u").replace(" ", "_")
    name, kernel = writer.fresh(f"rise_{short}"), writer.fresh(f"find_fall_{short}")
    writer.functions[name] = "\n".join(
        [
            "// Sets a flag where an offset is greater than the next one.",
            f"__global__ void {kernel}(const {type_name}* offsets, long long low, long long high, int* fall) {{",
            "const long long i = low + (long long)blockIdx.x * blockDim.x + threadIdx.x;",
            "if (i < high && offsets[i] > offsets[i + 1]) atomicMax(fall, 1);",
            "}",
            "",
            "// Whether no offset from `low` on below `high` is greater than the next one; false as well where a call has failed.",
            f"static bool {name}(const {type_name}* offsets, long long low, long long high) {{",
            "if (low >= high) return true;",
            "int* fall = nullptr;",
            "int value = 0;",
            "if (cudaMallocAsync(&fall, sizeof(int), nullptr) != cudaSuccess) return false;",
            "bool known = cudaMemcpy(fall, &value, sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess;",
            f"const unsigned int blocks = (unsigned int)((high - low - 1) / {_THREADS} + 1);",
            f"if (known) {kernel}<<<blocks, {_THREADS}>>>(offsets, low, high, fall);",
            "known = known && cudaMemcpy(&value, fall, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;",
            "cudaFreeAsync(fall, nullptr);",
            f"return known && {NO_FAILURE} && value == 0;",
            "}",
        ]
    )
    return name
