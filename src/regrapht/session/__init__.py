"""One command from its options to its result: `launch` opens all that a run needs, `finish` carries it to the end; the others are
commands of their own.
"""
