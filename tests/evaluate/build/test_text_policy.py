"""What a candidate's text may not say."""

from dataclasses import replace

import pytest

from regrapht.evaluate.build.text_policy import LONGEST_SOURCE, check_text
from regrapht.records.task import Contract
from regrapht.records.verdict import Status

ENTRY = 'extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C) {}\n'


@pytest.mark.parametrize(
    "text",
    [
        "#include <cuda_runtime.h>\n#include <cstdio>\n#include <cmath>\n",
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <mma.h>\n",
        '#include "cuda_fp16.h"\n',
        "// #include <thread>\n/* system(1) */\n",
        'const char* s = "fork()";\n',
        "struct S { int connect(int); }; int g(S s) { return s.connect(1); }\n",
        "#pragma unroll\n#define N 4\n#ifdef X\n#endif\n",
        "int f(int a, int b) { return a ? b % 2 : b; }\n",
        "struct R { int* _end; int end; float _rdist, _xscale; };\n",
        "extern __shared__ float tile[]; __device__ int* f(int* _end) { return _end; }\n",
        # Harmless where it stands: in comments and literals, or read alike by everyone.
        "// drawn: /\\ \n//         \\/\nint a;\n",
        '// R" and R"( are words here\nint a = 1;\n',
        "#define STEP(i) \\\n    a[i] += \\\n    b[i];\n#define NEXT 1\n",
        "#define STEP(i) \\ \n    a[i] += b[i];\n",
        'const char* a = "what??!"; // ??=\n/* c:\\users\\u1 */ const char* b = "\\u00e9";\n',
        'const char* text = R"(one\ntwo \\\nthree)";\n#include <cmath>\n',
        "#include <cmath>\r\n\r\nint a;\r\n#define B \\\r\n  3\r\n",
        "\ufeff#include <cmath>\nint größe; // naïve\n",
        "\f\nint million = 1'000'000;\n",
        "#ifdef __has_include\n#if defined(__has_include) && __has_include(<cuda_fp16.h>)\n#include <cuda_fp16.h>\n#endif\n#endif\n",
        '#pragma once\n#pragma GCC diagnostic ignored "-Wall"\n#pragma nv_diag_suppress 177\n',
    ],
)
def test_ordinary_text_passes(gemm, text):
    assert check_text(text + ENTRY, gemm) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#include <thread>\n", "<thread> is not allowed"),
        ("#include <cub/cub.cuh>\n", "belongs to cub"),
        ("#include <cublas_v2.h>\n", "belongs to cublas"),
        ("#include <sys/mman.h>\n", "not a header"),
        ('#include "reference.cpp"\n', "not a header"),
        ('#include "/etc/shadow"\n', "not a header"),
        ("#define H <thread>\n#include H\n", "of a macro"),
        ("#include_next <cmath>\n", "not allowed"),
        ("#  include  <fstream>\n", "<fstream> is not allowed"),
        ("#include \\\n<thread>\n", "<thread>"),
        ("%:include <thread>\n", "begin with #"),
        ('void f() { system("x"); }\n', "system is not allowed"),
        ("void f() { std::atexit(nullptr); }\n", "atexit is not allowed"),
        ("long f() { return __builtin_ia32_rdtsc(); }\n", "asks the host's processor"),
        ("unsigned f() { return __rdtsc(); }\n", "asks the host's processor"),
        ("unsigned f() { unsigned r; _rdrand32_step(&r); return r; }\n", "asks the host's processor"),
        ("void f() { __builtin_ia32_ldmxcsr(0x8040); }\n", "asks the host's processor"),
        ('bool f() { return __builtin_cpu_is("intel"); }\n', "asks the host's processor"),
        ("long f() { return __builtin_readcyclecounter(); }\n", "asks the host's processor"),
        ('extern "C" const char __ehdr_start;\n', "where the program lies"),
        ("extern char _end, __bss_start;\n", "where the program lies"),
        ("void f() { std::set_terminate(nullptr); }\n", "set_terminate is not allowed"),
        ("void f() { std::set_new_handler(nullptr); }\n", "set_new_handler is not allowed"),
        ("__attribute__((constructor)) void f() {}\n", "when the object is loaded"),
        ("[[gnu::constructor]] void f() {}\n", "when the object is loaded"),
        ("__attribute__((cold, __destructor__)) void f() {}\n", "when the object is loaded"),
        ('int f() __attribute__((ifunc("g")));\n', "when the object is loaded"),
        ('__attribute__((no_sanitize("thread"))) void f() {}\n', "has to be checked"),
        ('asm(".incbin \\"x\\"");\n', ".incbin"),
        ("void f() { cublasSgemm(); }\n", "belongs to cublas"),
        # Where lexers part: a word of a comment, a splice, a mark, a name that leads elsewhere.
        ('// R"\n#\\\ninclude <thread>\n', "<thread> is not allowed"),
        ('/* LR"x( */\n#inc\\\nlude <thread>\n', "<thread> is not allowed"),
        ("#inc\\ \t\nlude <thread>\n", "<thread> is not allowed"),
        ('const char* a = R"(x)"; int b;\n#inc\\\nlude <thread>\n', "<thread> is not allowed"),
        ('const char* a = R"(\\\n)"\n;\n#\\\ninclude <thread>\n', "<thread> is not allowed"),
        ("\ufeff\n#include <thread>\n", "<thread> is not allowed"),
        ("#define A 1$'a '/*'\n#include <thread>\n// */\n", "<thread> is not allowed"),
        ("/* x */ # /* y\n */ include /**/ <thread>\n", "<thread> is not allowed"),
        ("#include <cuda/../thread>\n", "a path"),
        ("#include <cub/../../../../etc/passwd>\n", "a path"),
        ("#include <cmath/../thread>\n", "a path"),
        ("#include <./thread>\n", "a path"),
        ("#include <cub//../thread>\n", "name the header"),
        ("#include <cooperative_groups/../thread>\n", "a path"),
        ('#include "cublas_v2/..\\thread"\n', "a path"),
        ('#include R"(cmath)"\n', "name the header"),
        ("#include <cmath\n", "name the header"),
        ("#embed </etc/passwd>\n", "#embed is not allowed"),
        ("#import <cmath>\n", "#import is not allowed"),
        ('#line 7 "own.h"\n', "#line is not allowed"),
        ('# 1 "/usr/include/own.h" 1 3\n', "rename the lines"),
        ('#ident "x"\n', "#ident is not allowed"),
        ('#if __has_include("/etc/passwd")\n#endif\n', "a path"),
        ("#if __has_include(<thread>)\n#endif\n", "<thread> is not allowed"),
        ("#define H <cmath>\n#if __has_include(H)\n#endif\n", "of a macro"),
        ("#if __has_include_next(<cmath>)\n#endif\n", "of a macro"),
        ("#pragma redefine_extname quiet fork\n", "redefine_extname"),
        ("#pragma  GCC  system_header\n", "system_header"),
        ('#define A R"(\n)"\n', "raw string of several lines"),
        ('const char* a = R"(\n# 1 "/usr/include/x.h" 1\n)";\n', "begins with #"),
        ('const char* a = R"(never\n', "never ends"),
        ("#\0include <thread>\n", "control character 0x00"),
        ("int a; // x\r#include <thread>\n", "carriage return"),
        ("// what??/\n#include <thread>\n", "trigraph"),
        ("??=include <thread>\n", "trigraph"),
        ("int fo\\u0072k();\n", "\\u in it"),
        ('asm(".inc" "bin \\"x\\"");\n', ".incbin"),
    ],
)
def test_breaches_are_named_with_their_line(gemm, text, words):
    breach = check_text(ENTRY + text, gemm)
    assert breach is not None and breach.status is Status.POLICY_REJECTED
    assert words in breach.message and breach.line is not None and breach.line >= 2


def test_allowed_libraries_are_allowed(gemm):
    task = replace(gemm, contract=Contract(allow_libraries=("cub",)))
    assert check_text("#include <cub/block/block_reduce.cuh>\n" + ENTRY, task) is None
    assert check_text("#include <thrust/sort.h>\n" + ENTRY, task) is not None


def test_the_entry_has_to_be_there(gemm):
    breach = check_text("int x; // gemm\n", gemm)
    assert breach is not None and breach.status is Status.UNPARSABLE and gemm.signature in breach.message


def test_a_text_too_long_to_read_is_refused_at_once(gemm):
    breach = check_text(ENTRY + "{" * LONGEST_SOURCE, gemm)
    assert breach is not None and breach.status is Status.POLICY_REJECTED and str(LONGEST_SOURCE) in breach.message
