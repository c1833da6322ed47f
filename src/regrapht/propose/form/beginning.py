"""How a reply begins, where a model's server goes on with begun ones: the fence, and of a first program the skeleton up to its hole."""

from regrapht.propose.form.skeleton import HOLE

FENCE = "```cuda\n"


def beginning(skeleton: str) -> str:
    """The reply's first lines; what the model writes then is the kernel's body."""
    return FENCE + skeleton.partition(HOLE)[0].rstrip(" ")
