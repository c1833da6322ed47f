"""One function in many spellings: the task inferred, the program written first and the text emulated are the same for all of them.

Functions are lists of words. What stands between two words, how lines end, and how a factor is bracketed is drawn.
"""

import random
import re
from pathlib import Path

import pytest

from regrapht.emulate.rewrite import rewrite
from regrapht.propose.transform_engine import TransformProposer
from regrapht.source.program_hash import program_hash
from regrapht.tasks.infer import InferredTask, infer_task

# Words with `'` before them may stand in brackets, behind a plus or a cast; `#3` is a constant, which may have a name.
FUNCTIONS = {
    "scale": (
        "void scale ( const float * x , float * y , int n ) { for ( int i = 0 ; i < 'n ; ++i ) y [ 'i ] = x [ 'i ] * 2.0f ; "
        "}"
    ),
    "grow": (
        "void grow ( const float * x , float * y , int n ) { for ( int i = 0 ; i < 'n * #3 ; ++i ) y [ 'i ] = x [ 'i / #3 ] "
        "; }"
    ),
    "transpose": (
        "void transpose ( const float * x , float * y , int h , int w ) { for ( int i = 0 ; i < 'h ; ++i ) for ( int j = 0 "
        "; j < 'w ; ++j ) y [ 'j * 'h + 'i ] = x [ 'i * 'w + 'j ] ; }"
    ),
    "inner": (
        "void inner ( const float * x , float * y , int h , int w ) { for ( int i = 1 ; i < 'h - 1 ; ++i ) for ( int j = 1 "
        "; j < 'w - 1 ; ++j ) y [ 'i * 'w + 'j ] = x [ ( 'i - 1 ) * 'w + 'j ] + x [ 'i * 'w + 'j - 1 ] ; }"
    ),
    "halves": (
        "void halves ( const float * x , float * y , int h , int w ) { for ( int i = 0 ; i < 'h - 'w * 2 ; ++i ) y [ 'i ] = "
        "x [ 'i + 'w * 2 ] - x [ 'i ] ; }"
    ),
    "edges": (
        "void edges ( const float * x , float * y , int h , int w ) { for ( int i = 0 ; i < 'h ; ++i ) for ( int j = 0 ; j "
        "< 'w ; ++j ) { float sum = 0.0f ; for ( int k = - #3 ; k <= #3 ; ++k ) { int at = 'j + 'k ; if ( 'at >= 0 && 'at < "
        "'w ) sum += x [ 'i * 'w + 'at ] ; } y [ 'i * 'w + 'j ] = sum ; } }"
    ),
    "product": (
        "void product ( const float * a , const float * b , float * c , int n , int m , int k ) { for ( int i = 0 ; i < 'n "
        "; ++i ) for ( int j = 0 ; j < 'm ; ++j ) { float sum = 0.0f ; for ( int p = 0 ; p < 'k ; ++p ) sum += a [ 'i * 'k "
        "+ 'p ] * b [ 'p * 'm + 'j ] ; c [ 'i * 'm + 'j ] = sum ; } }"
    ),
    "inside": (
        "void inside ( const float * x , float * y , int h , int w ) { for ( int i = 0 ; i < 'h * 'w ; ++i ) { int j = 'i % "
        "'w ; y [ 'i ] = 'j < 'w - 1 && 'j > ( 0 ) ? x [ 'i - 1 ] : 0.0f ; } }"
    ),
    "filled": (
        "void filled ( const float * x , float * y , int n ) { std :: fill ( y , y + 'n , 0.0f ) ; for ( int i = 0 ; i < 'n "
        "; ++i ) y [ 'i ] += x [ 'i ] ; }"
    ),
    "copied": "void copied ( const float * x , float * y , int n ) { memcpy ( y , x , 'n * sizeof ( float ) ) ; }",
    "heap": (
        "void heap ( const float * x , float * y , int n ) { float * t = ( float * ) malloc ( 'n * sizeof ( float ) ) ; for "
        "( int i = 0 ; i < 'n ; ++i ) t [ 'i ] = x [ 'i ] * 2.0f ; for ( int i = 0 ; i < 'n ; ++i ) y [ 'i ] = t [ 'n - 1 - "
        "'i ] ; free ( t ) ; }"
    ),
    "vector": (
        "void vector ( const float * x , float * y , int n ) { std :: vector < float > t ( 'n ) ; for ( int i = 0 ; i < 'n "
        "; ++i ) t [ 'i ] = x [ 'i ] ; for ( int i = 0 ; i < 'n ; ++i ) y [ 'i ] = t [ 'i ] ; }"
    ),
    "clamped": (
        "void clamped ( const float * x , float * y , int n ) { for ( int i = 0 ; i < 'n ; ++i ) { int a = 'i < 1 ? 0 : 'i "
        "- 1 ; int b = std :: min ( 'i + 1 , 'n - 1 ) ; y [ 'i ] = x [ a ] + x [ b ] ; } }"
    ),
    "steps": (
        "void steps ( const float * x , float * y , int n ) { int i = 0 ; while ( 'i < 'n ) { y [ 'i ] = x [ 'i ] ; i += 2 "
        "; } }"
    ),
    "walk": "void walk ( const float * x , float * y , int n ) { for ( int i = 0 ; i < 'n ; ++i ) * y ++ = * x ++ ; }",
    "helper": (
        "static int at ( int i , int j , int w ) { return 'i * 'w + 'j ; } void helper ( const float * x , float * y , int "
        "h , int w ) { for ( int i = 0 ; i < 'h ; ++i ) for ( int j = 0 ; j < 'w ; ++j ) y [ at ( 'i , 'j , 'w ) ] = x [ at "
        "( 'i , 'j , 'w ) ] ; }"
    ),
    "mapped": (
        "void mapped ( const float * x , float * y , int h , int w ) { for ( int i = 0 ; i < 'h ; ++i ) for ( int j = 0 ; j "
        "< 'w ; ++j ) y [ AT ( 'i , 'j ) ] = x [ AT ( 'i , 'j ) ] ; }"
    ),
    "gather": (
        "void gather ( const int * at , const float * x , float * y , int n , int m ) { for ( int i = 0 ; i < 'n ; ++i ) if "
        "( at [ 'i ] < 'm ) y [ 'i ] = x [ at [ 'i ] ] ; }"
    ),
    "counted": (
        "void counted ( const int * x , int * y , int n ) { int most = 0 ; for ( int i = 0 ; i < 'n ; ++i ) if ( x [ 'i ] > "
        "most ) most = x [ 'i ] ; y [ 0 ] = most ; }"
    ),
}
KERNEL = (
    "__global__ void twice ( const float * x , float * y , int n ) { __shared__ float tile [ 64 ] ; int i = 'blockIdx.x * "
    "'blockDim.x + 'threadIdx.x ; tile [ threadIdx.x ] = 'i < 'n ? x [ 'i ] : 0.0f ; __syncthreads() ; if ( 'i < 'n ) y [ "
    "'i ] = tile [ threadIdx.x ] * 2.0f ; } void run ( const float * x , float * y , int n ) { twice <<< ( 'n + 63 ) / 64 , "
    "64 >>> ( x , y , n ) ; } "
)
BETWEEN = (
    " ",
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\f",
    "/* x < y */",
    " // (h) - (w) * 2\n",
    " \\\n",
    "\\ \n",
    " /* a\nb */ ",
)
FACTORS = ("{}", "{}", "({})", "(({}))", "( {} )", "(/* w */ {})")
CONVERTED = ("+ {}", "+ ({})", "(int) {}", "(int) ({})", "static_cast<int> ({})")
HEADS = (
    "#include <cmath>",
    "#include <cmath> ",
    "# include\t<cmath>\t",
    "#include <cmath> // for fabs",
    "#include <cmath> /* m */ ",
    "#\n",
    "",
)
MACROS = (
    "#define AT(i, j) ((i) * (w) + (j))",
    "#define AT( i,j ) (i)*(w)+(j) // flat",
    "#  define AT(i, /* row */ j) \\\n  ((i) * w \\ \n   + (j))",
)
CONSTANTS = (
    "#define TAPS {}",
    "#  define\tTAPS   {}  // taps",
    "#define TAPS /* as\nmany */ {} ",
    "#define TAPS \\\n {}",
    "#if 1 // yes\n#define TAPS {}\n#else\n#endif ",
)


def spelled(words: str, draw: random.Random, *, constant: str = "3", factors: tuple[str, ...] = FACTORS) -> str:
    """The function in a spelling of its own."""
    out = [draw.choice(HEADS), "\n"]
    if constant == "TAPS":
        out += [draw.choice(CONSTANTS).format(3), "\n"]
    out += [draw.choice(MACROS), "\n"]
    for word in words.split():
        if word[0] == "'":
            word = draw.choice(factors).format(word[1:])
        between = draw.choice(BETWEEN)
        out += [constant if word == "#3" else word, " " if word == "/" else "", between]
    text = "".join(out) + draw.choice(("\n", "", "\n\n"))
    return text if draw.random() < 0.7 else text.replace("\n", "\r\n")


def plain(words: str, *, constant: str = "3") -> str:
    head = f"#define TAPS {3}\n" if constant == "TAPS" else ""
    return head + MACROS[0] + "\n" + words.replace("'", "").replace("#3", constant) + "\n"


def inferred(text: str, folder: Path) -> InferredTask:
    path = folder / "code.cpp"
    path.write_bytes(text.encode())
    return infer_task(path)


def said(task: InferredTask) -> tuple[str, tuple[str, ...]]:
    """The task and what was guessed, without what comments above the function say."""
    return re.sub(r"^description = .*\n", "", task.toml_text, flags=re.MULTILINE), task.guesses


def written(task: InferredTask) -> str:
    """The hash of the engine's first program, without its notes."""
    source = TransformProposer().plain(task.task).source
    assert source is not None
    return program_hash(source)


def require_alike(name: str, seed: int, folder: Path) -> None:
    draw = random.Random(seed)
    print(f"seed {seed}")
    for constant in ("3", "TAPS") if "#3" in FUNCTIONS[name] else ("3",):
        usual = inferred(plain(FUNCTIONS[name], constant=constant), folder)
        for factors in (FACTORS, FACTORS + CONVERTED):
            text = spelled(FUNCTIONS[name], draw, constant=constant, factors=factors)
            other = inferred(text, folder)
            assert said(other) == said(usual), text
            program = written(other)  # which keeps the casts and signs of its source
            assert program == written(usual) or factors != FACTORS, text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_function_is_one_task_and_one_program(name, tmp_path):
    for _ in range(3):
        require_alike(name, random.randrange(2**32), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_spellings(name, tmp_path):
    for _ in range(60):
        require_alike(name, random.randrange(2**32), tmp_path)


def emulated(text: str) -> tuple[list[str], str]:
    """What the emulator refuses, and the hash of what it compiles, without the places of barriers."""
    found = rewrite(text[text.index("__global__") :])
    return [one.feature for one in found.refusals], program_hash(
        re.sub(r"__syncthreads\(\d+, \d+\)", "__syncthreads()", found.text)
    )


def test_the_emulator_takes_layouts_alike():
    usual = emulated(plain(KERNEL))
    for _ in range(30):
        seed = random.randrange(2**32)
        print(f"seed {seed}")
        text = spelled(KERNEL, random.Random(seed), factors=("{}",))
        assert emulated(text) == usual, text


def test_the_emulator_takes_brackets_and_casts_alike():
    usual = rewrite(plain(KERNEL))
    for _ in range(30):
        seed = random.randrange(2**32)
        print(f"seed {seed}")
        found = rewrite(spelled(KERNEL, random.Random(seed), factors=FACTORS + CONVERTED))
        assert [one.feature for one in found.refusals] == [one.feature for one in usual.refusals] == []
        assert found.text.count("emulated::") == usual.text.count("emulated::") and "<<<" not in found.text


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_line_of_a_file(head, end, tmp_path):
    """A blank behind an `#include` is no mistake, nor is a file of one line."""
    code = "void scale(const float *p, float *q, int n) { for (int i = 0; i < n; ++i) q[i] = p[i] * 2.0f; }"
    usual, other = inferred(code + "\n", tmp_path), inferred(head + end + code + end, tmp_path)
    assert other.toml_text == usual.toml_text and written(other) == written(usual)


def test_a_parenthesised_product_is_no_cast(tmp_path):
    code = "void cut(const float *a, float *b, int h, int w) { for (int i = 0; i < %s; ++i) b[i] = a[i]; }"
    texts = {
        inferred(code % bound, tmp_path).toml_text
        for bound in ("h - w * 2", "(h) - (w)*2", "((h)) - (w * 2)", "+h - (2) * (w)")
    }
    assert len(texts) == 1


def test_a_name_in_brackets_before_a_sign_is_a_subscript(tmp_path):
    code = "void cut(const float* t, float* y, int n, int m) { for (int i = 0; i < n; i++) y[i] = t[%s]; }"
    assert (
        len({inferred(code % index, tmp_path).toml_text for index in ("i + m * n", "(i) + m * n", "((i)) + (m)*n")})
        == 1
    )
