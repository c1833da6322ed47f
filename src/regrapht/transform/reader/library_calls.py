"""What does not become CUDA by its nature, and what would help: well-known functions, types and statements of C++."""

from regrapht.errors import CannotTransform
from regrapht.transform.ir.scope import refuse
from regrapht.transform.reader.members import has_virtual_functions
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

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
_FUNCTIONS: dict[str, tuple[str, str]] = {}


def _family(names: str, what: str, remedy: str) -> None:
    _FUNCTIONS.update(dict.fromkeys(names.split(), (what, remedy)))


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

_STREAMS = {"cout": _OUTPUT, "cerr": _OUTPUT, "clog": _OUTPUT, "cin": _INPUT}
_STATEMENTS = {
    "throw_statement": "check before the call, or store a code in an output",
    "try_statement": "nothing that is taken throws: write the block without it",
    "goto_statement": "write it as a loop or a condition",
    "labeled_statement": "write it as a loop or a condition",
}
_PLAIN = "scalars and arrays of integers, float and double are taken"
_TYPES = {
    "pass the characters as an array of char, and their number": "string string_view",
    "draw the numbers before the call and pass them as an array, or compute each from its index": "mt19937 mt19937_64 minstd_rand "
    "default_random_engine random_device uniform_real_distribution uniform_int_distribution normal_distribution",
    "keep what it holds in arrays": "map unordered_map multimap set unordered_set multiset list deque queue priority_queue stack bitset",
    "keep the parts in variables or arrays of their own, or in a struct of this file": "complex pair tuple optional",
    _THREADS[1]: "thread jthread mutex atomic future condition_variable",
}
_BY_TYPE = {name: remedy for remedy, names in _TYPES.items() for name in names.split()}


def _plain_name(written: str) -> str:
    """A name without the namespace `std` and without what is given to a template."""
    return written.partition("<")[0].strip().removeprefix("::").removeprefix("std::")


def library_refusal(source: SourceText, call: SyntaxNode) -> CannotTransform | None:
    """Why the call of a well-known function is not taken; None for any other."""
    written = source.text(call.child_by_field_name("function")).partition("<")[0]
    name = _plain_name(written)
    known = _FUNCTIONS.get("clock" if name.startswith("chrono::") else name)
    return None if known is None else refuse(f"'{written}' {known[0]}", source.line(call), known[1])


def effect_refusal(source: SourceText, node: SyntaxNode) -> CannotTransform:
    """Why an expression that stands as a statement is not taken."""
    is_call = node.type == "call_expression"
    if is_call and (known := library_refusal(source, node)) is not None:
        return known
    first = node
    while first.type == "binary_expression":
        first = first.child_by_field_name("left")
    stream = _STREAMS.get(_plain_name(source.text(first))) if first is not node else None
    if stream is not None:
        return refuse(f"'{source.text(node)}' {stream[0]}", source.line(node), stream[1])
    what = f"'{source.text(node)}' has an effect that is not known"
    remedy = "define it in the same file" if is_call else "leave it out" if "asm" in node.type else "assign its value"
    return refuse(what, source.line(node), remedy)


def statement_refusal(source: SourceText, node: SyntaxNode) -> CannotTransform:
    """Why a statement of a kind that the engine does not know is not taken."""
    first = source.text(node).split("\n")[0]
    what = f"statement '{first}' ({node.type.replace('_', ' ')})"
    return refuse(what, source.line(node), _STATEMENTS.get(node.type))


def type_refusal(source: SourceText, written: str, line: int, what: str) -> CannotTransform:
    """Why a type is not taken for `what`."""
    remedy = _BY_TYPE.get(_plain_name(written.removeprefix("const ")), _PLAIN) if "std::" in written else _PLAIN
    if has_virtual_functions(source, written):
        remedy = "virtual functions are not taken: call the one that is meant, of a struct without a base"
    return refuse(f"type '{written}' of {what}", line, remedy)
