"""From anyone's own CUDA files to admitted tasks: filter, extract, complete, make sequential, describe, compare, admit."""
