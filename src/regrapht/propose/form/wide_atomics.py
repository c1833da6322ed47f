"""`atomicAdd` on a signed integer of 64 bits, which CUDA has for `unsigned long long` alone: the bits of the sum are the same."""

from regrapht.propose.form.pointers import pointee_of, pointers_of
from regrapht.propose.form.program import Edit, Program, calls_of
from regrapht.source.syntax import text_of

_SIGNED = ("long long", "int64_t", "long", "long long int")
_OTHER_UNSIGNED = ("uint64_t", "size_t", "unsigned long")


def with_atomics_on_unsigned(program: Program) -> str | None:
    """The text whose 64-bit `atomicAdd` goes through `unsigned long long`; None where none has another type."""
    edits = []
    for function in program.unit.functions if "atomicAdd" in program.text else ():
        own = pointers_of(function)
        for called, call, arguments in calls_of(function.body):
            given = pointee_of(arguments[0], own) if called == "atomicAdd" and len(arguments) == 2 else None
            if given is None or given.type_text not in (*_SIGNED, *_OTHER_UNSIGNED):
                continue
            place, value = map(text_of, arguments)
            added = (
                f"static_cast<{given.type_text}>(atomicAdd(reinterpret_cast<unsigned long long*>({place}), "
                f"static_cast<unsigned long long>({value})))"
            )
            edits.append(Edit(call.start_byte, call.end_byte, added))
    return program.edited(edits) if edits else None
