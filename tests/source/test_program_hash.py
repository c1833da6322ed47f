"""The hash ignores comments and layout, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.source.program_hash import program_hash

PROGRAM = """\
#include <cmath>
#define SQUARE(x) ((x) * (x))
/* a kernel */
__global__ void scale(int n, float* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // one element
    if (i < n) a[i] = SQUARE(a[i]) * 1.5e-3f;
}
extern "C" void entry(int n, float* a) { scale<<<(n + 255) / 256, 256>>>(n, a); }
"""
ALIKE = [
    ("int a ; // x\n", "int a;"),
    ("int a;/* */int b;", "int a;\nint b;"),
    ("a /* one\ntwo */ b", "a b"),
    ("f <<<1, 2>>> (x);", "f<<<1,2>>>(x);"),
    ("#define F  1 // why\nint a;", "#define F 1\nint a;"),
    ("#define F \\\n 1\n", "#define F 1\n"),
    ("a\r\nb", "a\nb"),
    ("// it's\nint a;", "int a;"),
    ("x = 1'000;", "x=1'000;"),
]
DIFFERENT = [
    ("a + +b", "a ++b"),
    ("a b", "ab"),
    ('"a /* b */ c"', '"a  c"'),
    ('"a  b"', '"a b"'),
    ('R"(// x\n)"', 'R"()"'),
    ('R"(a\r\n)"', 'R"(a\n)"'),
    ("'/*' + a /* */", "'/*' + /* */"),
    ("#define F (x)\n", "#define F(x)\n"),
    ("#pragma unroll\nfor (;;);", "#pragma unroll for (;;);"),
    ("#define S(x) #x\nS(a+b)", "#define S(x) #x\nS(a + b)"),
    ("int a = __LINE__;", "\nint a = __LINE__;"),
    ("a // \\\nb\nc", "a // \nb\nc"),
    ("x<y>>z", "x<y> >z"),
    ("f<<<1>>>(x)", "f<< <1>> >(x)"),
    ('L"x"', 'L "x"'),
    ("a /", "a // b"),
    ("a ??/\nb", "a\nb"),
]


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_layout_does_not_count(first, second):
    assert program_hash(first) == program_hash(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_meaning_counts(first, second):
    assert program_hash(first) != program_hash(second)


def test_a_whole_program_without_comments_and_line_breaks_is_the_same():
    bare = "#include <cmath>\n#define SQUARE(x) ((x) * (x))\n__global__ void scale(int n,float*a){int i=blockIdx.x*blockDim.x+threadIdx.x;"
    bare += 'if(i<n)a[i]=SQUARE(a[i])*1.5e-3f;}extern "C" void entry(int n,float*a){scale<<<(n+255)/256,256>>>(n,a);}'
    assert program_hash(bare) == program_hash(PROGRAM)
    assert program_hash(bare.replace("256>>>", "128>>>")) != program_hash(PROGRAM)


@given(st.text(alphabet=st.characters(), max_size=60) | st.text(alphabet="/*\"'R()\\\n# a1.<>u8L??", max_size=60))
@settings(max_examples=400, deadline=None)
def test_any_text_has_a_hash(text):
    assert len(program_hash(text)) == 64


@given(
    st.lists(
        st.sampled_from(["int", "a", "+", "+=", "1.5f", "(", ")", ";", '"s  t"', "'x'", "<<", "<", "/", "*"]),
        max_size=20,
    )
)
@settings(max_examples=200, deadline=None)
def test_extra_blanks_between_tokens_never_count(parts):
    """Tokens parted by one blank are the same program parted by comments and line ends."""
    assert program_hash(" ".join(parts)) == program_hash(" /* c */\n".join(parts))


@pytest.mark.parametrize(
    "text", ["/*" * 200_000, '"' * 300_000, 'R"(' * 100_000, "'\\" * 100_000, "\\\n" * 100_000, "#" * 300_000]
)
def test_hostile_text_ends_soon(text):
    assert len(program_hash(text)) == 64
