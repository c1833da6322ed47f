"""The one sum of products in a nest: `c = alpha * (sum of a * b) + beta * c`, from its statements.

The nest is executed in symbols: locals stand for what they were set to. What is known then is which two elements are multiplied, where the
sum goes, and what it starts from. Where these elements are is the business of `matrices.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from regrapht.source.polynomial import names_in, words
from regrapht.transform.ir.expressions import Binary, Call, Cast, Element, Expression, Variable, place_name, rewrite
from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.ir.statements import Assign, Declare, For, If, Update, While, every
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.products.terms import NoProduct, Term, TermReader
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, Access, Leaf, Loop
from regrapht.transform.polyhedral.scop import Scop

Place = Variable | Element


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductSum:
    """`result = alpha * (sum over one loop of left * right) + beta * result`.

    `alpha` and `beta` are products of scalars with a sign. A `beta` of None is 0: what `result` held before plays no part.
    """

    leaf: Leaf
    """Where the sum grows."""
    type: str
    summed: str
    """The variable of the loop that it grows over."""
    left: Element
    right: Element
    result: Element
    alpha: Term
    beta: Term | None


@dataclass(frozen=True, slots=True)
class _Growth:
    """The update that makes the sum grow."""

    leaf: Leaf
    update: Update
    loop: Loop


def sum_of(nest: Nest, scop: Scop) -> ProductSum:
    """The sum of products that a nest is.

    Raises:
        NoProduct: It is none; says why.
    """
    _check_plain(nest)
    growth = _growth(nest, scop)
    target = growth.update.target
    type_name = scop.element_type(place_name(target))
    if growth.update.operator != "+":
        raise NoProduct(f"it combines by '{growth.update.operator}', not by a sum")
    if not is_float(type_name):
        raise NoProduct(f"its sum is {type_name}, and cuBLAS multiplies float and double")
    return _Reader(nest, scop, growth, type_name).read()


def _check_plain(nest: Nest) -> None:
    """Nothing but plain statements in loops that go one by one over a box.

    Raises:
        NoProduct: There is more.
    """
    inside = len(nest.host_loops)
    for leaf in nest.group:
        if leaf.conditions or any(isinstance(statement, If) for statement in every(leaf.statements)):
            raise NoProduct("it has a condition inside")
        if any(isinstance(statement, For | While) for statement in every(leaf.statements)):
            raise NoProduct("it has loops that are not affine inside")
        for loop in leaf.loops[inside:]:
            if abs(loop.step) != 1:
                raise NoProduct(f"the loop over '{loop.variable}' goes by steps of {abs(loop.step)}")
            others = {other.variable for other in leaf.loops[inside:]} - {loop.variable}
            names = {name for text in loop.constraints for name in words(text)}
            if moving := sorted(names & others):
                raise NoProduct(f"the bounds of '{loop.variable}' depend on '{moving[0]}'")


def _growth(nest: Nest, scop: Scop) -> _Growth:
    """The only update whose place stays while a loop goes on."""
    found: list[tuple[Leaf, Update, list[Loop]]] = []
    for leaf in nest.group:
        for statement in leaf.statements:
            if isinstance(statement, Update) and (loops := _growing(leaf, statement.target, nest, scop)):
                found.append((leaf, statement, loops))
    if not found:
        raise NoProduct("it sums nothing over a loop")
    if len(found) > 1:
        raise NoProduct(f"it has {len(found)} sums; kernel_fission may part them")
    leaf, update, loops = found[0]
    if len(loops) > 1:
        raise NoProduct(f"it sums over several loops: {', '.join(loop.variable for loop in loops)}")
    return _Growth(leaf, update, loops[0])


def _growing(leaf: Leaf, target: Place, nest: Nest, scop: Scop) -> list[Loop]:
    """The loops around an update that do not move its place."""
    if isinstance(target, Variable):
        local = scop.locals.get(target.name)
        return [] if local is None else leaf.loops[max(len(local.loops), len(nest.host_loops)) :]
    own = next(access for access in leaf.accesses if access.expression == target and access.kind != READ)
    if None in own.subscripts:
        raise NoProduct(f"the place of '{target.array}' is not linear in the loops")
    moving = {name for polynomial in own.subscripts if polynomial is not None for name in names_in(polynomial)}
    return [loop for loop in leaf.loops[len(nest.host_loops) :] if loop.variable not in moving]


class _Reader:
    """Executes a nest in symbols, in three parts: before its sum, the turn of the sum, after it."""

    def __init__(self, nest: Nest, scop: Scop, growth: _Growth, type_name: str) -> None:
        self.nest, self.scop, self.growth, self.type = nest, scop, growth, type_name
        self.reader = TermReader(scop, type_name, nest.host_loops)
        self.values: dict[Expression, Expression] = {}
        """What locals stand for."""
        self.turn: Expression | None = None
        """What one turn adds to the sum, once that turn has been executed."""

    def read(self) -> ProductSum:
        group, target = self.nest.group, self.growth.update.target
        place = group.index(self.growth.leaf)
        before, after = group[:place], group[place + 1 :]
        if isinstance(target, Variable):
            return self._in_local(target, before, after)
        if after:
            raise NoProduct(f"it does something after the sum into '{target.array}'")
        beta: Term | None = Term(False, (), (target,))
        cleared = [earlier for earlier in before if self._writes(earlier)]
        for earlier in before:
            if earlier not in cleared:
                self._check_around(earlier)
                self._run(earlier)
        if len(cleared) > 1:
            raise NoProduct("it writes in several places before it sums")
        if cleared:
            beta = self._start_in_memory(cleared[0], target)
        grown = self._grown()
        return self._found(grown, target, grown, beta)

    def _found(self, grown: Term, result: Element, alpha: Term, beta: Term | None) -> ProductSum:
        left, right = grown.parts
        assert isinstance(left, Element) and isinstance(right, Element)
        if (own := self.scop.element_type(result.array)) != self.type:
            raise NoProduct(f"'{result.array}' is {own}, and its sum is {self.type}")
        return ProductSum(
            leaf=self.growth.leaf,
            type=self.type,
            summed=self.growth.loop.variable,
            left=left,
            right=right,
            result=result,
            alpha=alpha,
            beta=beta,
        )

    # ---- a sum in a local

    def _in_local(self, target: Variable, before: Sequence[Leaf], after: Sequence[Leaf]) -> ProductSum:
        for leaf in before:
            self._check_around(leaf)
            if self._run(leaf):
                raise NoProduct("it writes an array before the sum is there")
        start = self.values.pop(target, None)
        if start is None:
            raise NoProduct(f"nothing says where the sum '{target.name}' starts")
        grown = self._grown()
        stores: list[Assign | Update] = []
        for leaf in after:
            self._check_around(leaf)
            if leaf.loops != self.scop.locals[target.name].loops:
                raise NoProduct(f"the sum '{target.name}' is used in another loop")
            stores += self._run(leaf)
        if len(stores) != 1:
            raise NoProduct(f"its sum goes to {len(stores) or 'no'} elements, not to one")
        (store,) = stores
        assert isinstance(store.target, Element)
        scale, added = self._kept(target, store)
        begun = self._begun(start, store.target)
        if begun is not None and added is not None:
            raise NoProduct(f"what '{store.target.array}' held is added twice")
        if begun is not None:
            added = _times(scale, begun)
        return self._found(grown, store.target, _times(scale, grown), added)

    def _kept(self, target: Variable, store: Assign | Update) -> tuple[Term, Term | None]:
        """What the sum is multiplied with where it is stored, and what is added: a multiple of the element's old value, or nothing."""
        result = store.target
        terms = self.reader.terms(store.value, "the sum")
        if isinstance(store, Update):
            if store.operator != "+":
                raise NoProduct(f"its sum is combined by '{store.operator}' with what was there")
            assert isinstance(result, Element)
            terms.append(Term(False, (), (result,)))
        sums = [term for term in terms if term.parts == (target,)]
        others = [term for term in terms if term.parts != (target,)]
        if len(sums) != 1:
            raise NoProduct(_on_device(terms, target) or "what it stores is no multiple of the sum")
        if not others:
            return sums[0], None
        for term in others:
            if len(term.parts) != 1 or not self._same(term.parts[0], result):
                named = next((part.array for part in term.parts if isinstance(part, Element)), None)
                raise NoProduct(f"it adds {f'elements of {named!r}' if named else 'something else'} to the sum")
        if len(others) > 1:
            raise NoProduct("what the result held is added twice")
        return sums[0], others[0]

    def _begun(self, start: Expression, result: Element) -> Term | None:
        """The multiple of the result's old value that a local sum starts from; None for 0."""
        if self.reader.is_zero(start):
            return None
        terms = self.reader.terms(start, "what the sum starts from")
        if len(terms) != 1 or len(terms[0].parts) != 1 or not self._same(terms[0].parts[0], result):
            raise NoProduct("its sum starts neither from 0 nor from what the result holds")
        return terms[0]

    def _same(self, one: Place, other: Place) -> bool:
        """Whether two elements are one."""
        if not isinstance(one, Element) or not isinstance(other, Element) or one.array != other.array:
            return False
        affine = self.growth.leaf.affine
        assert affine is not None
        places = [[affine.polynomial(subscript) for subscript in e.subscripts] for e in (one, other)]
        return None not in places[0] and places[0] == places[1]

    # ---- a sum in memory

    def _start_in_memory(self, leaf: Leaf, target: Element) -> Term | None:
        """What happens to the result before it is summed into: it is set to 0, or multiplied.

        Raises:
            NoProduct: It is something else, or happens to other elements, or more than once.
        """
        (store, *more) = self._run(leaf)
        if more or not isinstance(store.target, Element) or store.target.array != target.array:
            raise NoProduct("it writes something else before it sums")
        common = [loop.variable for loop, own in zip(leaf.loops, self.growth.leaf.loops, strict=False) if loop is own]
        around = common[len(self.nest.host_loops) :]
        if late := [variable for variable in around if variable not in self.nest.parallel]:
            raise NoProduct(f"it starts again in each turn of '{late[0]}'")
        here = next(a for a in leaf.accesses if a.array == target.array and a.kind != READ)
        there = next(a for a in self.growth.leaf.accesses if a.expression == target and a.kind != READ)
        if not self._same_elements(here, there):
            raise NoProduct(f"it starts with other elements of '{target.array}' than it sums into")
        if isinstance(store, Assign) and self.reader.is_zero(store.value):
            return None
        if isinstance(store, Update) and store.operator == "*" and here.map.is_injective():
            (term, *others) = self.reader.terms(store.value, "what the sum starts from")
            if not term.parts and not others:
                return Term(term.negative, term.scalars, (target,))
        raise NoProduct(f"'{target.array}' starts neither from 0 nor from a multiple of what it holds")

    def _same_elements(self, here: Access, there: Access) -> bool:
        """Whether two accesses reach the same elements, wherever the sum has any term."""
        leaf = self.growth.leaf
        names = f"[{leaf.parameters}] -> "
        given = isl().Set(f"{names}{{ : {' and '.join(self.scop.assumptions) or 'true'} }}")
        given = given.intersect(leaf.domain.params())
        first, second = (access.map.range().intersect_params(given) for access in (here, there))
        return bool(first.is_equal(second))

    # ---- statements in symbols

    @staticmethod
    def _writes(leaf: Leaf) -> bool:
        return any(isinstance(s, Assign | Update) and isinstance(s.target, Element) for s in leaf.statements)

    def _check_around(self, leaf: Leaf) -> None:
        """Statements beside the sum run in loops around it, not in loops of their own."""
        if leaf.loops != self.growth.leaf.loops[: len(leaf.loops)]:
            raise NoProduct("it has another loop beside that of the sum")

    def _grown(self) -> Term:
        """What one turn adds to the sum: two elements and scalars."""
        if self._run(self.growth.leaf):
            raise NoProduct("it writes something else while it sums")
        assert self.turn is not None
        terms = self.reader.terms(self.turn, "what it sums")
        if len(terms) != 1:
            raise NoProduct("each turn adds several terms to the sum")
        (term,) = terms
        if found := _on_device(terms):
            raise NoProduct(found)
        if len(term.parts) < 2:
            raise NoProduct("what each turn adds is no product of two elements")
        if len(term.parts) > 2:
            raise NoProduct(f"what each turn adds is a product of {len(term.parts)} elements, not of two")
        return term

    def _run(self, leaf: Leaf) -> list[Assign | Update]:
        """Execute a leaf's statements; what it writes to arrays, but for the sum, is returned, with values in symbols."""
        stores: list[Assign | Update] = []
        for statement in leaf.statements:
            match statement:
                case Declare(lengths=(_, *_)):
                    raise NoProduct("it keeps an array of its own")
                case Declare(name=name, value=value):
                    if value is not None:
                        self._set(leaf, Variable(name), value)
                case Update() if statement is self.growth.update:
                    self.turn = self._in_symbols(statement.value)
                case Assign(target=Element(), value=value) | Update(target=Element(), value=value):
                    stores.append(replace(statement, value=self._in_symbols(value)))
                case Assign(target=Variable() as target, value=value):
                    self._set(leaf, target, value)
                case Update(target=Variable() as target, operator=operator, value=value) if operator not in (
                    "max",
                    "min",
                ):
                    self._set(leaf, target, Binary(operator, target, value))
                case Update(target=Variable() as target, operator=operator, value=value):
                    self._set(leaf, target, Call(operator, (target, value)))
                case _:
                    raise NoProduct("its body has more than plain statements")
        return stores

    def _set(self, leaf: Leaf, target: Variable, value: Expression) -> None:
        """A local is set in the very loops that it is declared in: elsewhere its value would come from another turn."""
        local = self.scop.locals.get(target.name)
        if local is None or local.loops != leaf.loops:
            raise NoProduct(f"'{target.name}' is handed from one turn of a loop to the next")
        value = self._in_symbols(value)
        own = self.reader.type_of(value)
        self.values[target] = value if own == local.type else Cast(local.type, value)

    def _in_symbols(self, expression: Expression) -> Expression:
        return rewrite(expression, self.values.get)


def _on_device(terms: Sequence[Term], *known: Variable) -> str | None:
    """That a scalar in products is not known to the launcher, which has to hand it over; None where all are."""
    names = [part.name for term in terms for part in term.parts if isinstance(part, Variable) and part not in known]
    return f"'{names[0]}' is computed on the device, and a scaling factor has to be known before" if names else None


def _times(one: Term, other: Term) -> Term:
    """The product of two scaling factors; the parts are those of the second."""
    return Term(one.negative != other.negative, one.scalars + other.scalars, other.parts)
