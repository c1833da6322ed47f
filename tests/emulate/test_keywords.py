"""`__noinline__` is a keyword to nvcc, and a name of an attribute where g++ and its headers write it."""

import pytest

from regrapht.emulate.keywords import keywords_as_attributes

MEANT = "__attribute__((noinline))"


@pytest.mark.parametrize(
    "text",
    [
        "__noinline__ int f();",
        "__device__ __noinline__ int f();",
        "#define APART __device__ __noinline__",
        "struct S { public: __noinline__ int f(); };",
        "[[nodiscard]] __noinline__ int f(int a[4]);",
        "__attribute__((cold)) __noinline__ int f();",
        "int a = b[c[0]]; __noinline__ int f();",
    ],
)
def test_the_keyword(text):
    assert keywords_as_attributes(text) == text.replace("__noinline__", MEANT)


@pytest.mark.parametrize(
    "text",
    [
        "__attribute__((__noinline__, __cold__)) void f();",
        "__attribute__ ( ( __noclone__ , __noinline__ ) ) void f();",
        "[[gnu::__noinline__]] void f();",
        "[[gnu::cold, gnu::__noinline__]] void f();",
        "[[using gnu: __noinline__]] void f();",
        "// a __noinline__ one",
        'const char* words = "__noinline__";',
        "int x__noinline__;",
        "void f();",
    ],
)
def test_what_is_none(text):
    assert keywords_as_attributes(text) == text
