"""A matrix product as one call of cuBLAS, and the handle that all calls of a program share.

Sizes go through the library's 32-bit interface, or through its 64-bit one (CUDA 12 and later) where the source counts in 64 bits. The
handle keeps its default stream, and its default arithmetic unless the task allows TF32: cuBLAS then repeats its results bit by bit on one
GPU (its documentation, "Results Reproducibility").
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, add, constant, multiply, names_in
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.linear import write_linear
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import Binary, Cast, Expression, Number, Unary, Variable
from regrapht.transform.ir.scalar_types import is_unsigned, size_bytes
from regrapht.transform.plan.products.matrices import ONE, Operand, Product, product_of
from regrapht.transform.plan.products.terms import Term
from regrapht.transform.plan.schedule import Layout
from regrapht.transform.polyhedral.isl_library import isl

_CHECK = """// Says what the library refused; its result is untouched then.
static void {check}(cublasStatus_t status) {{
    if (status != CUBLAS_STATUS_SUCCESS) fprintf(stderr, "cuBLAS: %s\\n", cublasGetStatusString(status));
}}"""
_HANDLE = """// The library's state, made once: that takes far longer than a product. Scalars are the host's.
static cublasHandle_t {handle}() {{
    static cublasHandle_t handle = nullptr;
    if (handle == nullptr) {{
        {check}(cublasCreate(&handle));
        {check}(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
        {mode}
    }}
    return handle;
}}"""
_TF32 = """// The task allows factors that are rounded to TF32.
{check}(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));"""


def write_product(nest: NestWriter) -> list[str]:
    """Lines that call the library; where the sum may have no term at all, the plain kernel stands in for it.

    Raises:
        CannotTransform: The nest is no matrix product.
    """
    product = product_of(nest.nest, nest.writer.scop)
    if isinstance(product, str):
        raise CannotTransform(product, line=nest.nest.line)
    call = _Call(nest, product)
    condition = nest.geometry.guard(call.inside, nest.geometry.universe)
    lines = [f"if ({condition}) {{" if condition else "{", *call.lines()]
    if call.always():
        return [*lines, "}"]
    plain = NestWriter(nest.writer, nest.nest, replace(nest.schedule, layout=Layout.LINEAR))
    return [
        *lines,
        "} else {",
        "// No term to sum: a library may leave the result as it was.",
        *write_linear(plain),
        "}",
    ]


class _Call:
    """The text of one call."""

    def __init__(self, nest: NestWriter, product: Product) -> None:
        self.nest, self.product, self.writer = nest, product, nest.writer
        self.leaf, self.type = product.sum.leaf, product.sum.type
        self.inside = self.leaf.domain.params()
        """The parameters for which the sum has a term."""
        self.wide = self._is_wide()

    def always(self) -> bool:
        """Whether the sum has a term wherever the nest has anything to do."""
        geometry, scop = self.nest.geometry, self.writer.scop
        given = isl().Set(f"[{geometry.parameters()}] -> {{ : {' and '.join(scop.assumptions) or 'true'} }}")
        return bool(geometry.nonempty.intersect(given).is_subset(self.inside))

    def lines(self) -> list[str]:
        """Declarations of the scaling factors, and the call."""
        product, writer = self.product, self.writer
        writer.headers |= {"cublas_v2.h", "cstdio"}
        check, handle = writer.fresh("check"), writer.fresh("blas_handle")
        writer.functions[check] = _CHECK.format(check=check)
        mode = _TF32.format(check=check) if self.nest.schedule.tf32 and self.type == "float" else ""
        known = writer.functions.get(handle, "")
        if "SetMathMode" not in known:
            writer.functions[handle] = _HANDLE.format(check=check, handle=handle, mode=mode)
        alpha, declared = self._scale("alpha", product.sum.alpha)
        beta, more = self._scale("beta", product.sum.beta)
        arguments = [
            f"{handle}()",
            *self._shape(),
            alpha,
            *self._array(product.first),
            *self._array(product.second),
            beta,
        ]
        arguments += self._array(product.result)
        if product.batch is not None:
            arguments.append(self._count(product.batch))
        return [self._comment(), *declared, *more, f"{check}({self._function()}({', '.join(arguments)}));"]

    def _function(self) -> str:
        letter, name = "S" if self.type == "float" else "D", "gemv" if self.product.columns is None else "gemm"
        batched = "StridedBatched" if self.product.batch is not None else ""
        return f"cublas{letter}{name}{batched}{'_64' if self.wide else ''}"

    def _shape(self) -> list[str]:
        """Transposes and sizes: of a matrix and a vector, those of the matrix as it is stored."""
        product = self.product
        first = "CUBLAS_OP_T" if product.transposed_first else "CUBLAS_OP_N"
        if product.columns is None:
            return [first, self._count(product.first.along), self._count(product.first.across)]
        second = "CUBLAS_OP_T" if product.transposed_second else "CUBLAS_OP_N"
        sizes = (product.rows, product.columns, product.sum.summed)
        return [first, second, *map(self._count, sizes)]

    def _comment(self) -> str:
        product, summed = self.product, self.product.sum.summed
        left, right, result = product.sum.left.array, product.sum.right.array, product.result.array
        each = f" for each {product.batch}" if product.batch is not None else ""
        text = f"// {result}: the product of {left} and {right}, summed over {summed}{each}."
        if product.columns is None:
            how = f"{product.first.array} has a column, as BLAS stores matrices, for each {product.first.across}"
        else:
            how = f"BLAS stores matrices by columns: {result} has one for each {product.result.across}"
        return f"{text} {how}."

    # ---- arguments

    def _array(self, array: Operand) -> list[str]:
        """Pointer, leading dimension or increment, and what lies between two products of a batch."""
        texts = [self._pointer(array), self._polynomial(array.step)]
        if self.product.batch is not None:
            texts.append(self._polynomial(array.strides.get(self.product.batch, {}), wide=True))
        return texts

    def _pointer(self, array: Operand) -> str:
        """The first element that the call touches."""
        start, moved = array.start, []
        for variable, stride in array.strides.items():
            low = self.nest.geometry.text(self._values(variable).dim_min(0), self.inside)
            if low.isdigit():
                start = add(start, multiply(stride, constant(int(low))))
            else:
                moved.append(low if stride == ONE else f"{operand(low)} * {operand(self._polynomial(stride))}")
        return " + ".join([array.array, *([self._polynomial(start)] if start else []), *moved]).replace("+ -", "- ")

    def _values(self, variable: str) -> Any:
        return self.nest.geometry.values(variable, [self.leaf])

    def _count(self, variable: str) -> str:
        """How many turns a loop has, where the sum has any term."""
        values = self._values(variable)
        count = values.dim_max(0).sub(values.dim_min(0)).add_constant_val(isl().Val(1))
        return self.nest.geometry.text(count.gist_params(self.inside), self.inside)

    def _polynomial(self, polynomial: Terms, *, wide: bool = False) -> str:
        """A polynomial of sizes as C; products of them in 64 bits where the source counts in those or `wide` is asked."""
        text = ""
        for atoms, value in sorted(polynomial.items(), key=lambda item: (item[1] < 0, item[0] == (), item[0])):
            size = abs(value)
            factors = [*([str(size)] if size != 1 or not atoms else []), *atoms]
            cast = "(long long)" if len(factors) > 1 and (wide or self.wide or self.writer.wide) else ""
            text += (" - " if value < 0 else " + ") + cast + " * ".join(factors)
        return f"-{text[3:]}" if text.startswith(" - ") else text[3:] or "0"

    def _is_wide(self) -> bool:
        """Whether sizes may need 64 bits: a loop of the sum, or a scalar in a stride, has them."""
        types: Mapping[str, str] = self.writer.scop.symbols.types
        inside = [loop for loop in self.leaf.loops if loop.variable in self.leaf.dims]
        operands = (self.product.first, self.product.second, self.product.result)
        names = {name for array in operands for stride in array.strides.values() for name in names_in(stride)}
        found = [loop.type for loop in inside] + [types[name] for name in names]
        return any(size_bytes(name) == 8 or is_unsigned(name) for name in found)

    # ---- scaling factors

    def _scale(self, name: str, term: Term | None) -> tuple[str, list[str]]:
        """The argument for `alpha` or `beta`, and its declaration; a scalar of the right type is passed as it is."""
        if term is not None and not term.negative and len(term.scalars) == 1:
            (only,) = term.scalars
            if isinstance(only, Variable) and self.writer.scop.symbols.types.get(only.name) == self.type:
                return f"&{only.name}", []
        chosen = self.writer.fresh(name)
        value = Printer(scop=self.writer.scop, resigned=self.writer.resigned).expression(self._factor(term))
        return f"&{chosen}", [f"const {self.type} {chosen} = {value};"]

    def _factor(self, term: Term | None) -> Expression:
        """The value of a scaling factor, computed in the sum's type."""
        suffix = "f" if self.type == "float" else ""
        if term is None:
            return Number(f"0.0{suffix}")
        value: Expression | None = None
        for scalar in term.scalars:
            own = self._typed(scalar)
            value = own if value is None else Binary("*", value, own)
        value = Number(f"1.0{suffix}") if value is None else value
        return Unary("-", value) if term.negative else value

    def _typed(self, scalar: Expression) -> Expression:
        if isinstance(scalar, Number) and scalar.text.isdigit():
            return Number(f"{scalar.text}.0{'f' if self.type == 'float' else ''}")
        return scalar if type_of(scalar, self.writer.scop.symbols.types) == self.type else Cast(self.type, scalar)
