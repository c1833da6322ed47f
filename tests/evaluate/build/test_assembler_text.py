"""Inline PTX in device code stays; whatever else of a text reaches an assembler is refused."""

import pytest

from regrapht.evaluate.build.assembler_text import assembler_fault
from regrapht.source.tokens import tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('asm("nop");\n', "outside of device code"),
        ('void f() { asm volatile("cpuid"); }\n', "outside of device code"),
        ('__host__ void f() { __asm__ __volatile__("rdtsc" ::: "eax"); }\n', "outside of device code"),
        ('extern "C" void f() { if (1) { __asm("nop"); } }\n', "outside of device code"),
        ('namespace n { struct S { void g() { asm(""); } }; }\n', "outside of device code"),
        ('template <class T> T f(T x) { auto g = [&] { asm(""); }; return x; }\n', "outside of device code"),
        ('extern "C" int other() asm("fork");\n', "outside of device code"),
        ('extern int other __asm__("environ");\n', "outside of device code"),
        ('__device__ void d() {}\nvoid h() { asm(""); }\n', "outside of device code"),
        ('__attribute__((section(".data,\\"aw\\"\\n.text\\nf: ret\\n.data#"))) int x;\n', "section"),
        ('__attribute__((used, section(".init_array.00099"))) int x;\n', "section"),
        ('[[gnu::section(".text")]] const char code[] = "x";\n', "section"),
        ('int f() __attribute__((alias("g")));\n', "alias"),
        ('static int f() __attribute__((__weakref__("fork")));\n', "weakref"),
        ('#define S(x) __attribute__((x))\nS(section(".text")) int x;\n', "section"),
        ('const char* s = "x\\n.globl f\\nf:\\nret";\n', "assembler in a string"),
        ('const char* s = ".data; .text; nop";\n', "assembler in a string"),
        ('const char* s = "a\\012\\t.text\\012nop";\n', "assembler in a string"),
    ],
)
def test_assembler_of_the_host_is_refused(text, words):
    found = assembler_fault(list(tokens(text)))
    assert found is not None and words in found[1], found


@pytest.mark.parametrize(
    "text",
    [
        '__device__ int lane() { int x; asm("mov.u32 %0, %laneid;" : "=r"(x)); return x; }\n',
        '__global__ void k() { asm volatile("bar.sync 0;\\n\\t" ::: "memory"); }\n',
        '#define DEV __device__ __forceinline__\nDEV void f() { asm volatile(""); }\n',
        '#define DEV __device__\n#define FN DEV inline\ntemplate <int N> FN void f() { for (;;) { asm(""); } }\n',
        '#define WAIT() asm volatile("cp.async.wait_all;" ::)\n__global__ void k() { WAIT(); }\nvoid h() {}\n',
        'struct S { int x; __device__ void f() const { asm("{.reg .b32 t;\\n mov.b32 t, 1;}"); } };\n',
        'void h() { auto f = [=] __device__(int i) { asm(""); return i; }; }\n',
        '__host__ __device__ inline int f() {\n#ifdef __CUDA_ARCH__\n  asm("");\n#endif\n return 0; }\n',
        'extern "C" __global__ void __launch_bounds__(256) k() { if (threadIdx.x == 0) { asm("trap;"); } }\n',
        'void h() { printf("one\\ntwo; three\\n"); printf("size: %d\\n", 3); }\n',
        "int section(int x) { return x; }\nint y = max(section(3), section(K));\n",
        "struct Part { int alias; };\nvoid h(int section) { f(section, alias(3)); }\n",
        '__attribute__((device)) int f() { asm("mov"); return 0; }\n',
        'const char* usage = "usage:\\n  run FILE\\n";\n',
    ],
)
def test_ptx_and_ordinary_text_stay(text):
    assert assembler_fault(list(tokens(text))) is None


def test_where_code_of_the_device_is_not_told_apart_sections_are_refused_still():
    told = list(tokens('void k() { asm("bar.sync 0;"); }\n'))
    assert assembler_fault(told) is not None and assembler_fault(told, told_apart=False) is None
    section = list(tokens('__attribute__((section(".text"))) int x;\n'))
    assert assembler_fault(section, told_apart=False) is not None
