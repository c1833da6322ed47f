"""Where the factors of a sum of products stand in memory, and what BLAS calls them: matrices, transposes, leading dimensions.

BLAS stores a matrix by columns: element (r, c) is `a[r + c * ld]`, with `ld` at least the number of rows. So the loop that walks along an
array element by element numbers the rows of what BLAS sees, and a matrix stored by rows is its transpose there. All of this is read off the
flat place of an element as a polynomial, `start + stride_i * i + stride_k * k`; no name and no declared shape is trusted.

What has to hold for the call to be right is proven: the loops make a box; a leading dimension is at least the extent of the loop that walks
along the array, so that no two elements of a matrix are one; steps of vectors are positive. One difference is BLAS's own: what is
multiplied by an `alpha` or a `beta` of 0 is not read, so that a NaN there is not seen.
"""

from dataclasses import dataclass
from typing import Any

from regrapht.source.polynomial import Terms, add, constant, multiply, names_in
from regrapht.transform.ir.expressions import Element
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.products.sums import ProductSum, sum_of
from regrapht.transform.plan.products.terms import NoProduct
from regrapht.transform.polyhedral.delinearise import with_products
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.scop import Scop

ONE: Terms = {(): 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """One array of a call: `array[start + sum of stride * loop variable]`."""

    array: str
    start: Terms
    """The flat place where all loop variables are 0."""
    strides: dict[str, Terms]
    """By loop variable; those that do not move it are absent."""
    along: str = ""
    """The loop that walks along it: element by element in a matrix."""
    across: str = ""
    """The loop that goes from one column, as BLAS sees them, to the next; empty for a vector."""

    @property
    def step(self) -> Terms:
        """The leading dimension of a matrix, the increment of a vector."""
        return self.strides[self.across or self.along]


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """One call of BLAS: `gemm` of two matrices where there are `columns`, otherwise `gemv` of a matrix and a vector.

    `result (rows, columns) = alpha * op(first) (rows, summed) * op(second) (summed, columns) + beta * result`, all as BLAS sees them. Rows,
    columns and summed are loop variables, and so is `batch`, whose turns are products of their own, evenly spaced in memory.
    """

    sum: ProductSum
    first: Operand
    second: Operand
    result: Operand
    rows: str
    columns: str | None
    batch: str | None

    @property
    def transposed_first(self) -> bool:
        return self.first.along != self.rows

    @property
    def transposed_second(self) -> bool:
        return self.second.along == self.columns


def product_of(nest: Nest, scop: Scop) -> Product | str:
    """The matrix product that a nest is; a text that says why it is none."""
    try:
        return _Arrangement(nest, scop, sum_of(nest, scop)).product()
    except NoProduct as reason:
        return str(reason)


@dataclass(frozen=True, slots=True)
class _Roles:
    """A factor with the outer loop that moves it alone, and the other factor with its own; without one that is a vector."""

    left: Operand
    row: str
    right: Operand
    column: str | None


class _Facts:
    """What isl can prove of sizes and strides where the sum has any term."""

    def __init__(self, scop: Scop, leaf: Leaf, arrays: set[str]) -> None:
        self.leaf = leaf
        sizes = {size for array in arrays for size in scop.factors.get(array, ()) if size in scop.symbols.parameters}
        given = [*scop.assumptions, *(f"{size} >= 1" for size in sorted(sizes))]
        self.names = with_products(leaf.parameters, leaf.accesses)
        known = isl().Set(f"[{self.names}] -> {{ : {' and '.join(given) or 'true'} }}")
        self.known = known.intersect(leaf.domain.params())

    def covers(self, stride: Terms, variable: str) -> bool:
        """Whether a stride is at least the number of values of a loop."""
        position, count = self.leaf.dims.index(variable), len(self.leaf.dims)
        kind = isl().dim_type.set
        values = self.leaf.domain.project_out(kind, position + 1, count - position - 1)
        values = values.project_out(kind, 0, position).reset_tuple_id()
        last = values.dim_max(0).sub(values.dim_min(0))
        value = self._value(stride)
        return value is not None and bool(value.le_set(last).params().intersect(self.known).is_empty())

    def is_positive(self, stride: Terms) -> bool:
        value = self._value(stride)
        zero = isl().PwAff("{ [(0)] }")
        return value is not None and bool(value.le_set(zero).params().intersect(self.known).is_empty())

    def _value(self, polynomial: Terms) -> Any:
        assert self.leaf.affine is not None
        text = self.leaf.affine.text(polynomial)
        if text is None:
            return None
        return isl().PwAff(f"[{with_products(self.names, self.leaf.accesses)}] -> {{ [({text})] }}")


class _Arrangement:
    """Gives the loops and arrays of a sum their places in a call."""

    def __init__(self, nest: Nest, scop: Scop, found: ProductSum) -> None:
        self.nest, self.scop, self.sum = nest, scop, found
        self.variables = found.leaf.dims
        self.result = self._operand(found.result)
        self.factors = self._operand(found.left), self._operand(found.right)
        self.facts = _Facts(scop, found.leaf, {found.left.array, found.right.array, found.result.array})

    def product(self) -> Product:
        """The call.

        Raises:
            NoProduct: There is none; says why.
        """
        self._check_roles()
        refused: list[str] = []
        for batch in (None, *self.variables):
            if batch == self.sum.summed or (batch is not None and batch not in self.nest.parallel):
                continue
            roles = self._roles(batch)
            if roles is None:
                continue
            try:
                return self._call(roles, batch)
            except NoProduct as reason:
                refused.append(str(reason))
        raise NoProduct(refused[0] if refused else self._without_roles())

    def _without_roles(self) -> str:
        """Why the outer loops are no rows and columns."""
        left, right = self.factors
        outer = [variable for variable in self.variables if variable != self.sum.summed]
        if all(variable in left.strides and variable in right.strides for variable in outer):
            return f"both factors move along '{outer[-1]}': each result is a sum of its own"
        return f"its loops {', '.join(outer)} are not the rows of one factor, the columns of the other and a batch"

    def _check_roles(self) -> None:
        """What holds whatever is rows and columns: nothing is in place, and each loop moves what it has to.

        Raises:
            NoProduct: It does not hold.
        """
        summed = self.sum.summed
        for factor in self.factors:
            if factor.array == self.result.array:
                raise NoProduct(f"it reads '{factor.array}' as a factor and writes it")
            if summed not in factor.strides:
                raise NoProduct(f"'{factor.array}' stays the same along '{summed}'")
        for variable in self.variables:
            if variable != summed and variable not in self.result.strides:
                raise NoProduct(f"'{self.result.array}' stays the same along '{variable}'")

    def _roles(self, batch: str | None) -> _Roles | None:
        """What the outer loops besides `batch` are; None where they are no rows and columns."""
        left, right = self.factors
        outer = [variable for variable in self.variables if variable not in (self.sum.summed, batch)]
        only_left = [v for v in outer if v in left.strides and v not in right.strides]
        only_right = [v for v in outer if v in right.strides and v not in left.strides]
        if len(only_left) + len(only_right) != len(outer):
            return None
        if len(only_left) == len(only_right) == 1:
            return _Roles(left, only_left[0], right, only_right[0])
        if len(outer) == 1:
            matrix, vector = (left, right) if only_left else (right, left)
            if batch is None or batch in matrix.strides:  # one matrix with many vectors is a product of matrices
                return _Roles(matrix, outer[0], vector, None)
        return None

    # ---- calls

    def _call(self, roles: _Roles, batch: str | None) -> Product:
        """The call for these roles.

        Raises:
            NoProduct: An array is stored in a way that BLAS has no arguments for.
        """
        left, row, right, column, summed = roles.left, roles.row, roles.right, roles.column, self.sum.summed
        if column is None:
            result, second = self._vector(self.result, row), self._vector(right, summed)
        else:
            result = self._matrix(self.result, row, column)
            if result.along == column:  # stored by rows: BLAS sees the transposes, in the other order
                left, row, right, column = right, column, left, row
            second = self._matrix(right, summed, column)
        first = self._matrix(left, row, summed)
        return Product(sum=self.sum, first=first, second=second, result=result, rows=row, columns=column, batch=batch)

    def _matrix(self, operand: Operand, one: str, other: str) -> Operand:
        """The operand as a matrix over two loops."""
        overlapping = ""
        for along, across in ((one, other), (other, one)):
            if operand.strides[along] != ONE:
                continue
            if self.facts.covers(operand.strides[across], along):
                return Operand(
                    array=operand.array, start=operand.start, strides=operand.strides, along=along, across=across
                )
            overlapping = along
        if overlapping:
            raise NoProduct(
                f"neither the loops nor what the task requires of its sizes prove that the lines of '{operand.array}' "
                f"along '{overlapping}' do not overlap"
            )
        raise NoProduct(f"neither '{one}' nor '{other}' walks along '{operand.array}' element by element")

    def _vector(self, operand: Operand, along: str) -> Operand:
        """The operand as a vector over one loop."""
        if not self.facts.is_positive(operand.strides[along]):
            raise NoProduct(f"'{operand.array}' is not walked forwards along '{along}'")
        return Operand(array=operand.array, start=operand.start, strides=operand.strides, along=along)

    # ---- places

    def _operand(self, element: Element) -> Operand:
        flat = self._flat(element)
        start: Terms = {}
        strides: dict[str, Terms] = {}
        for atoms, value in flat.items():
            moving = [atom for atom in atoms if names_in({(atom,): 1}) & set(self.variables)]
            rest = tuple(atom for atom in atoms if atom not in moving)
            if len(moving) > 1 or any(not atom.isidentifier() for atom in atoms):
                raise NoProduct(f"the place of '{element.array}' is not linear in the loops")
            if moving:
                strides[moving[0]] = add(strides.get(moving[0], {}), {rest: value})
            else:
                start = add(start, {rest: value})
        return Operand(array=element.array, start=start, strides={v: s for v, s in strides.items() if s})

    def _flat(self, element: Element) -> Terms:
        """The place of an element, counted from the first one of its array."""
        parameters = {p.name for p in self.scop.function.parameters if p.is_pointer}
        if element.array not in parameters:
            raise NoProduct(f"'{element.array}' is no array of numbers that the function is given")
        affine, lengths = self.sum.leaf.affine, self.scop.inner_lengths[element.array]
        assert affine is not None
        flat: Terms = {}
        for length, subscript in zip((1, *lengths), element.subscripts, strict=True):
            here = affine.polynomial(subscript)
            if here is None:
                raise NoProduct(f"the place of '{element.array}' is not linear in the loops")
            flat = add(multiply(flat, constant(length)), here)
        return flat
