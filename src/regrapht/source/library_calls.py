"""Tables of the functions and types of C's and C++'s libraries: what they touch, how much memory they make, what helps where one has no
parallel form."""

import re

MEMORY_CALLS = {"malloc": 1, "calloc": 2, "aligned_alloc": 2}
"""Functions that make memory by its bytes, with how many arguments they take."""
MAKES_ARRAY = re.compile(r"(?:std\s*::\s*)?make_(?:unique|shared)(_for_overwrite)?\s*<\s*(.+?)\s*\[\s*\]\s*>", re.S)
"""`std::make_unique<T[]>` and its like: whether it leaves the memory as it is, and T."""


def _modes(read: str, written: str, updated: str) -> dict[str, str]:
    """Name -> `r`, `w` or `u`."""
    return {name: mode for mode, names in (("r", read), ("w", written), ("u", updated)) for name in names.split()}


FROM_TO = _modes(
    "copy accumulate inner_product max_element min_element partial_sum inclusive_scan exclusive_scan count count_if "
    "any_of all_of none_of find find_if find_if_not transform reduce transform_reduce minmax_element",
    "fill iota generate",
    "swap_ranges sort reverse for_each stable_sort nth_element replace_if",
)
"""Functions of a begin and an end, and what they do in between: read, write or update."""
SO_MANY = _modes("copy_n", "fill_n memset memcpy memmove", "")
"""Functions of a begin and a number, of elements or bytes."""
RANGE_CALLS = {*FROM_TO, *SO_MANY} - {"memset", "memcpy", "memmove"}
"""The library's loops, by the names of its functions."""
SUMS = ("accumulate", "inner_product", "reduce", "transform_reduce")
SECOND_ARRAY = _modes(
    "inner_product transform_reduce memcpy memmove",
    "copy copy_n partial_sum inclusive_scan exclusive_scan",
    "swap_ranges",
)
"""What they do to as many elements of a second array."""

_OUTPUT = (
    "writes output",
    "take the output out of the function: store the values in an array, and print them after the call",
)
_INPUT = ("reads input", "read it before the call, and pass it as a parameter")
_THREADS = ("is about threads", "leave threads out: the engine takes the sequential function")
_SHIFTS = (
    "moves elements to places that data choose",
    "do it outside of the function, or write it out as loops over indices",
)
REFUSED_FUNCTIONS: dict[str, tuple[str, str]] = {}


def _family(names: str, what: str, remedy: str) -> None:
    REFUSED_FUNCTIONS.update(dict.fromkeys(names.split(), (what, remedy)))


_family("printf fprintf vprintf vfprintf puts fputs putchar putc fputc fwrite fflush perror", *_OUTPUT)
_family("scanf fscanf getchar getc fgetc gets fgets fread fopen fclose fseek getline getenv", *_INPUT)
_family(
    "sort stable_sort partial_sort nth_element qsort make_heap sort_heap push_heap pop_heap is_sorted next_permutation prev_permutation",
    "sorts, and that has no parallel form here",
    "sort outside of the function",
)
_family(
    "rand srand random srandom rand_r drand48 erand48 lrand48 srand48",
    "draws numbers, each from the one before",
    "draw them before the call and pass them as an array, or compute each from its index",
)
_family(
    "exit _Exit quick_exit abort terminate longjmp setjmp raise",
    "ends the program",
    "check before the call, or store a code in an output",
)
_family("clock time gettimeofday clock_gettime omp_get_wtime", "reads a clock", "measure around the call")
_family(
    "lower_bound upper_bound equal_range binary_search bsearch",
    "searches",
    "write the search out as a loop over two bounds",
)
_family(
    "unique unique_copy remove remove_if remove_copy remove_copy_if copy_if partition stable_partition partition_copy rotate shuffle "
    "random_shuffle merge inplace_merge set_union set_intersection set_difference",
    *_SHIFTS,
)
_family(
    "strlen strcmp strncmp strcpy strncpy strcat strchr strstr strtol strtod strtof atoi atol atof sprintf snprintf sscanf to_string stoi "
    "stof stod",
    "works on text",
    "do it before the call, and pass numbers",
)
_family("memcmp", "compares bytes", "compare the elements in a loop")
_family(
    "adjacent_difference search find_end mismatch equal",
    "is none of the algorithms that are taken",
    "write it out as a loop",
)
_family(
    "realloc alloca",
    "makes memory of another length",
    "give it its whole length where it is declared, by malloc or a std::vector",
)
_family(
    "reinterpret_cast dynamic_cast const_cast",
    "reads a value as another type",
    "pass an array of the type that is meant",
)
_family("omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_set_num_threads async", *_THREADS)

STREAMS = {"cout": _OUTPUT, "cerr": _OUTPUT, "clog": _OUTPUT, "cin": _INPUT}
REFUSED_STATEMENTS = {
    "throw_statement": "check before the call, or store a code in an output",
    "try_statement": "nothing that is taken throws: write the block without it",
    "goto_statement": "write it as a loop or a condition",
    "labeled_statement": "write it as a loop or a condition",
}
TAKEN_TYPES = "scalars and arrays of integers, float and double are taken"
_TYPES = {
    "pass the characters as an array of char, and their number": "string string_view",
    "draw the numbers before the call and pass them as an array, or compute each from its index": "mt19937 mt19937_64 minstd_rand "
    "default_random_engine random_device uniform_real_distribution uniform_int_distribution normal_distribution",
    "keep what it holds in arrays": "map unordered_map multimap set unordered_set multiset list deque queue priority_queue stack bitset",
    "keep the parts in variables or arrays of their own, or in a struct of this file": "complex pair tuple optional",
    _THREADS[1]: "thread jthread mutex atomic future condition_variable",
}
REFUSED_TYPES = {name: remedy for remedy, names in _TYPES.items() for name in names.split()}


def plain_name(written: str) -> str:
    """A name without the namespace `std` and without what is given to a template."""
    return written.partition("<")[0].strip().removeprefix("::").removeprefix("std::")
