"""Passes from IR to IR: loops and scalars in the forms of which analysis and rules know most.

`normal_form` goes first, through passes that always help. A file with a `Form` or a `Search` says where a function can have another form,
and what it must gain by it; `analyse.FORMS` has those in the order in which they are tried.
"""
