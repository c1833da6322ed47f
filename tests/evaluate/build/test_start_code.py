"""Objects made by a compiler here: what they run by themselves, and what lies among their code."""

import subprocess

import pytest

from regrapht.evaluate.build.start_code import refuse_start_code, refuse_strange_code, start_functions
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status

ORDINARY = 'static int counter = 3;\nextern "C" int run(int x) { static int calls; return counter + x + calls++; }\n'
OWN = {
    "a constructor": "__attribute__((constructor)) static void early() { counter = 4; }",
    "one with a priority": "__attribute__((constructor(200))) static void early() { counter = 4; }",
    "a destructor": "__attribute__((destructor)) static void late() { counter = 4; }",
    "a table's section": 'static void e() {}\n__attribute__((section(".init_array"), used)) static void (*p)() = e;',
    "a table with a number": 'static void e() {}\n__attribute__((section(".init_array.00099"), used)) static void (*p)() = e;',
    "a table of endings": 'static void e() {}\n__attribute__((section(".fini_array"), used)) static void (*p)() = e;',
    "a table of old": 'static void e() {}\n__attribute__((section(".ctors"), used)) static void (*p)() = e;',
    "a function of another": '__attribute__((section(".init_array"), used)) static int (*p)(int) = run;',
    "two at once": 'static void e() {}\n__attribute__((section(".init_array"), used)) static void (*p[2])() = {e, e};',
}
STATIC_OBJECTS = {
    "an object": "struct S { int x; S() { x = counter; } } s;",
    "an object with a destructor": "struct S { ~S() { counter = 1; } } s;",
    "a number that is computed": "int number = run(2);",
}
AMONG_CODE = {
    "data": '__attribute__((section(".text#"), used)) static const unsigned char code[] = {0x0f, 0x05, 0xc3};',
    "a label": 'asm(".text\\nhidden_way: ret\\n.data");',
}


def compiled(tmp_path, text, *options):
    (tmp_path / "x.cpp").write_text(ORDINARY + text)
    command = ["g++", "-O1", "-fPIC", "-w", *options, str(tmp_path / "x.cpp"), "-o", str(tmp_path / "x.out")]
    subprocess.run(command, check=True, capture_output=True)
    return (tmp_path / "x.out").read_bytes()


FORMS = [pytest.param(("-c",), id="relocatable"), pytest.param(("-shared", "-nostartfiles"), id="shared")]


@pytest.mark.parametrize("options", FORMS)
@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_functions_of_the_candidate_that_run_by_themselves_are_refused(tmp_path, text, options):
    if ".ctors" in text and "-shared" in options:
        pytest.skip("the loader reads no such table")
    with pytest.raises(Rejected) as refused:
        refuse_start_code(compiled(tmp_path, text, *options))
    assert refused.value.status is Status.POLICY_REJECTED and "runs when the object is" in refused.value.reason


@pytest.mark.parametrize("options", FORMS)
@pytest.mark.parametrize("text", STATIC_OBJECTS.values(), ids=STATIC_OBJECTS)
def test_static_objects_are_told_of(tmp_path, text, options):
    form = options if "-c" in options else ("-shared",)
    assert refuse_start_code(compiled(tmp_path, text, *form)) is True


@pytest.mark.parametrize("options", [*FORMS, pytest.param(("-shared",), id="with start-up files")])
def test_ordinary_objects_run_nothing(tmp_path, options):
    binary = compiled(tmp_path, "const int table[3] = {1, 2, 3};\n", *options)
    assert refuse_start_code(binary) is False
    assert set(start_functions(binary)) <= {"frame_dummy", "__do_global_dtors_aux", ".init", ".fini"}


@pytest.mark.parametrize("options", FORMS)
@pytest.mark.parametrize("text", AMONG_CODE.values(), ids=AMONG_CODE)
def test_what_no_compiler_puts_among_code_is_refused(tmp_path, text, options):
    with pytest.raises(Rejected, match="lies among the code"):
        refuse_strange_code(compiled(tmp_path, text, *options))


@pytest.mark.parametrize("options", FORMS)
def test_code_of_a_compiler_lies_where_it_may(tmp_path, options):
    text = """#include <vector>
    template <class T> T twice(T x) { return x + x; }
    static int cold(int x) { if (__builtin_expect(x > 3, 0)) throw 3; return x; }
    extern "C" float go(int n) { std::vector<float> v(n, 2.0f); return twice(v[0]) + cold(n); }
    """
    refuse_strange_code(compiled(tmp_path, text, *options))
