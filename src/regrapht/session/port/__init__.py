"""A whole application ported: profiled, its hot functions made tasks with captured arguments, optimised, put back, compared."""
