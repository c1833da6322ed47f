"""Replies of 100 KB that nobody means: each is read in a time that grows with its length, whatever it repeats.

What is looked at is processor time of this process, with much to spare: what grows with the square of the length takes far longer.
"""

import time

import pytest

from regrapht.propose.form.not_meant import LONGEST_CODE
from regrapht.propose.form.reply import read_reply
from tests.propose.form.test_reply import ENTRY, KERNEL, WHOLE

LONG = 100_000
MENDED = LONGEST_CODE - 2 * len(WHOLE)
"""About as much as is mended still, with a program around it."""
MOST_S = 2.0
BLOCK = f"```cuda\n{WHOLE}```\n"


def times(piece: str) -> str:
    return (piece * (LONG // len(piece) + 1))[:LONG]


def numbered(piece: str) -> str:
    """The piece again and again, with a number for each `@`."""
    parts, length = [], 0
    while length < LONG:
        parts.append(piece.replace("@", str(len(parts))))
        length += len(parts[-1])
    return "".join(parts)


INSIDE = {
    "objects that are never closed": times('{"a":'),
    "lists that are never closed": times("["),
    "objects in lists": times('[{"a":['),
    "braces": times("{"),
    "closing braces": times("}"),
    "parentheses": times("("),
    "closing parentheses": times(")"),
    "angle brackets": times("<"),
    "launch brackets": times("<<<"),
    "launches that have no end": times("k<<<a,"),
    "launches": times("brighten_kernel<<<1, 1>>>(rows);\n"),
    "quotes": times('"'),
    "quotes in turn": times("\"'"),
    "backslashes": times("\\"),
    "continued lines": times("\\\n"),
    "comments that are opened": times("/*"),
    "comments": times("/**/"),
    "slashes": times("/"),
    "directives": times("#if 1\n"),
    "defines": numbered("#define A@ A@\n"),
    "includes": numbered("#include <a@.h>\n"),
    "raw strings": times('R"('),
    "templates": times("template <typename T> "),
    "template arguments": times("A<"),
    "casts": times("(int)"),
    "calls in calls": times("f("),
    "subscripts": times("a["),
    "operators": times("+ - "),
    "minus signs": times("-"),
    "stars": times("*"),
    "semicolons": times(";"),
    "commas": times(","),
    "names": times("x "),
    "one name": times("x"),
    "digits": times("1"),
    "digits with marks": times("1'"),
    "spaces": times(" "),
    "line ends": times("\n"),
    "indentation": times("    \n"),
    "tabs and a word": times("\t\t\t\tx\n"),
    "kernels": numbered("__global__ void k@(int n, float* x) { x[0] = n; }\n"),
    "the same kernel": times(KERNEL),
    "the same entry": times(ENTRY),
    "the same program": times(WHOLE),
    "kernels without an end": numbered("__global__ void k@(int n) {\n"),
    "objects of their own": numbered('{"a@":'),
    "heads alone": numbered("void f@(int a,"),
    "functions in functions": numbered("void f@() {"),
    "device functions that call each other": numbered("__device__ int f@(int a) { return f@(a); }\n"),
    "structs in structs": numbered("struct S@ {"),
    "namespaces": numbered("namespace n@ {"),
    "linkage": times('extern "C" {'),
    "lines of a sum": times("    s += image[i] * gain;\n"),
    "loops in loops": numbered("for (int i@ = 0; i@ < n; i@++) "),
    "conditions in conditions": times("if (a) "),
    "else after else": times("if (a) b; else "),
    "numbered lines": numbered("@: int a;\n"),
    "numbered code lines": numbered("  @ | x = 1;\n"),
    "escapes": times("&lt;"),
    "escapes of escapes": times("&amp;"),
    "marks that are starred": times("**global** "),
    "underscores": times("_"),
    "language words": times("cuda,\n"),
    "declarations": numbered("int a@ = 0;\n"),
    "long expressions": numbered("a@ + "),
    "ternaries": times("a ? b : "),
    "lambdas": times("[&]{"),
    "attributes": times("[[a]]"),
    "pragmas": times("#pragma unroll\n"),
    "no-break spaces": times("\u00a0"),
    "letters beyond ASCII": times("\u00e9"),
    "hunks": times("@@ -1 +1 @@\n-a\n+b\n"),
    "searches": times("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"),
    "rests": times("// ...\n"),
    "left out": times("// rest of the code unchanged\n"),
    "checks": times("CUDA_CHECK("),
    "copies": times("cudaMemcpy(a, b, 1, cudaMemcpyHostToDevice);\n"),
    "old names": times("cudaThreadSynchronize();\n"),
    "main functions": times("int main() { return 0; }\n"),
    "default arguments": numbered("__global__ void k@(int a = 1, int b) {}\n"),
}
"""By what a block repeats, behind a whole program, in its place, and in the middle of one."""

AROUND = {
    "fences": times("```\n"),
    "fences of a language": times("```cuda\n"),
    "a fence of backticks": times("`"),
    "tildes": times("~~~\n"),
    "quoted fences": times("> ```\n"),
    "listed fences": times("1. ```\n"),
    "marks of quotes": times("> "),
    "small blocks": times("```cuda\nint a;\n```\n"),
    "blocks of the whole program": times(BLOCK),
    "blocks of kernels": numbered("```cuda\n__global__ void k@() {}\n```\n"),
    "blocks that launch": numbered("```cuda\nvoid f@() { k@<<<1, 1>>>(); }\n```\n"),
    "thoughts": times("<think>"),
    "thoughts that end": times("</think>"),
    "elements": times("<code>"),
    "elements that end": times("<code></code>"),
    "elements with data": times("<code><![CDATA["),
    "listings": times("\\begin{lstlisting}"),
    "python strings": times('"""'),
    "objects": times('{"code": "'),
    "objects in texts": times('{"code": "{\\"a\\": \\"'),
    "refusals": times("not applicable "),
    "almost refusals": times("not - "),
    "words": times("I cannot do that. "),
    "one line of words": times("word"),
    "JSON with commas": "[" + times('{"a": 1,},') + "]",
    "diff": "--- a\n+++ b\n" + times("@@ -1,2 +1,2 @@\n-a\n+b\n"),
}
"""Replies without a block around all of it."""


def require_quick(task, text: str) -> None:
    for parent, cut_off in ((WHOLE, ""), (None, "the reply was cut off")):
        started = time.process_time()
        read_reply(text, task, parent=parent, may_refuse=not cut_off, mends=True, cut_off=cut_off)
        assert time.process_time() - started < MOST_S


QUICK = {
    "functions in functions": "nested deeper than any program",
    "long expressions": "nested deeper than any program",
    "declarations": None,
    "stars": "the same again and again",
    "digits": "the same again and again",
}
"""One of each way to be no program, with what is said of it."""


@pytest.mark.parametrize("kind", QUICK)
def test_why_there_is_no_program(kind, brighten):
    read = read_reply(f"```cuda\n{INSIDE[kind][:MENDED]}\n```\n", brighten, parent=None, may_refuse=False, mends=True)
    assert read.code is None and (QUICK[kind] or "defines the function brighten") in read.reason


@pytest.mark.parametrize(
    "kind", ["closing braces", "stars", "objects that are never closed", "comments that are opened"]
)
def test_a_program_before_what_has_no_end_counts(kind, brighten):
    text = f"```cuda\n{WHOLE}{INSIDE[kind]}"[:MENDED]
    read = read_reply(text, brighten, parent=None, may_refuse=False, mends=True, cut_off="the reply was cut off")
    assert read.code is not None and read.code.strip() == WHOLE.strip() and "cut_off" in read.mends


def test_what_is_too_long_is_taken_as_it_is(brighten):
    code = WHOLE + numbered("int a@ = 0;\n")
    read = read_reply(f"```cuda\n{code}```\n", brighten, parent=None, may_refuse=False, mends=True)
    assert read.code == code and read.mends == ()


@pytest.mark.slow
@pytest.mark.parametrize("length", [LONG, MENDED])
@pytest.mark.parametrize("kind", INSIDE)
def test_what_a_block_repeats(kind, length, brighten):
    head, _, tail = WHOLE.partition("    dim3 block")
    repeated = INSIDE[kind][:length]
    for code in (repeated, WHOLE + repeated, f"{head}{repeated}\n    dim3 block{tail}"):
        require_quick(brighten, f"```cuda\n{code}\n```\n")
    require_quick(brighten, f"```cuda\n{repeated}")


@pytest.mark.slow
@pytest.mark.parametrize("length", [LONG, MENDED])
@pytest.mark.parametrize("kind", AROUND)
def test_what_a_reply_repeats(kind, length, brighten):
    require_quick(brighten, AROUND[kind][:length])
