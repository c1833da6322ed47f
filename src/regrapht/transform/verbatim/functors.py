"""Lambdas that the launcher hands to functions with loops, as objects: nvcc hands no lambda of a host's function to a kernel."""

from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.rendering import Rendering, device_text
from regrapht.transform.verbatim.scopes import Scopes, walk


@dataclass(frozen=True, slots=True)
class Functors:
    """Makes them; their types go to `texts`."""

    scopes: Scopes
    rendering: Rendering
    texts: list[str]

    def of(self, call: SyntaxNode) -> dict[int, str]:
        """Objects with an operator in the place of the lambdas that a call of what launches is given: nvcc hands no lambda to a kernel.

        Raises:
            CannotTransform: One captures something.
        """
        swaps = {}
        for node in call.child_by_field_name("arguments").named_children:
            if node.type != "lambda_expression":
                continue
            if self.scopes.text(node.child_by_field_name("captures")).strip("[] \n"):
                why = "a lambda that captures something is handed to a function with loops"
                raise CannotTransform(why, line=self.scopes.line(node))
            name = f"vb_function_{node.start_byte}"
            self.texts.append(self._functor(node, name))
            swaps[node.id] = f"{name}{{}}"
        return swaps

    def _functor(self, closure: SyntaxNode, name: str) -> str:
        head: SyntaxNode = closure.child_by_field_name("declarator")
        types: list[str] = []
        parameters = head.child_by_field_name("parameters").named_children if head is not None else []
        written = []
        for parameter in parameters:
            text, kind = self.scopes.text(parameter), parameter.child_by_field_name("type")
            if kind is not None and self.scopes.text(kind) == "auto":
                types.append(f"class P{len(types)}")
                text = text.replace("auto", f"P{len(types) - 1}", 1)
            written.append(text)
        returned = next(
            (self.scopes.text(n)[2:].strip() for n in walk(head or closure) if n.type == "trailing_return_type"), "auto"
        )
        template = f"template <{', '.join(types)}> " if types else ""
        body = self.rendering.piece(closure.child_by_field_name("body"))
        operator = f"{template}__host__ __device__ {returned} operator()({', '.join(written)}) const {body}"
        return f"struct {name} {{\n{device_text(operator)}\n}};"
