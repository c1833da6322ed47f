"""A whole application ported: profiled, its hot functions made tasks with captured arguments, optimised, put back, compared.

`porting` is the whole way; the other files are its steps.
"""
