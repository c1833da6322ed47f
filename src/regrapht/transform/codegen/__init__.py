"""A plan with its schedules to CUDA C++.

`program` writes the whole text, `plan_writer` the launches, the others one kind of kernel, or one thing that kernels share, each.
"""
