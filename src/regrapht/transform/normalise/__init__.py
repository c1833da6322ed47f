"""Other forms of a function, in which analysis finds more threads: loop normalisation, privatisation, distribution, sinking.

A file with a `Form` says where a function can have that form and what it must gain by it; `analyse.FORMS` has them in their order.
"""
