"""The verbatim mapping: a loop's body stays as it is written and becomes the body of a kernel; only its turns are understood.

It takes what the reader refuses. Whether turns are independent is observed on runs of the reference, or promised by a pragma; the program
says which.
"""
