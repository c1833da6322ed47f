"""Comments, blanks and brackets that mean nothing are gone; those that mean something stay, and so do lines."""

import pytest

from regrapht.source.spelling import evenly_spelled, without_inner_comments
from regrapht.source.syntax import SourceText, bare, plain_text, walk
from regrapht.source.tokens import even_layout, pieces, without_comments


@pytest.mark.parametrize(
    ("written", "even"),
    [
        ("y = ((h)) ;", "y = h ;"),
        ("a[(i)] = (3) - x;", "a[i] = 3 - x;"),
        ("std :: fill(p, q)", "std::fill(p, q)"),
        ("v . begin ( )", "v.begin()"),
        ("return (x);", "return  x;"),
    ],
)
def test_what_means_nothing_goes(written, even):
    assert evenly_spelled(written) == even


@pytest.mark.parametrize(
    "text",
    [
        "x = (real) - h;",  # a cast, or not
        "x = (float) y;",
        "f(x); if (x) y; sizeof(x);",
        "[](int) { }",
        "p = (float4){1, 2};",
        "return ::free (p);",
        "#define N (3)\n",
    ],
)
def test_what_may_mean_something_stays(text):
    assert evenly_spelled(text) == text


def test_comments_above_declarations_stay():
    text = "// what it does\nvoid f(int n /* size */) { // begins\n  g(); /* a\nb */ }\n"
    kept = without_inner_comments(text)
    assert kept.startswith("// what it does\n") and "size" not in kept and "begins" not in kept
    assert kept.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("written", "even"),
    [
        ("#include <x> \n", "#include  <x>\n"),
        ("#include <x>\r\n", "#include  <x>\n"),
        ("a \\ \nb", "a  \\\nb"),
        ("# \nint x;", "  \nint x;"),
    ],
)
def test_layout_is_even_and_every_place_stays(written, even):
    assert even_layout(written) == even and len(even) == len(written)


def test_pieces_leave_nothing_out():
    text = "f(\"a // b\", 'c') // d \\\n e\n#define A /* x */ 1'000\n\"open"
    assert "".join(pieces(text)) == text
    assert (
        without_comments(text).count("\n") == text.count("\n") and "d" not in without_comments(text).split("#")[0][16:]
    )


def test_the_text_of_a_mended_node_is_that_of_the_file():
    text = SourceText("int f(int h, int w) { return h < w && w > (0); }")
    compared = [plain_text(node) for node in walk(text.root) if node.type == "binary_expression"]
    assert compared == ["h < w && w > ( 0 )", "h < w", "w > ( 0 )"]


def test_what_is_under_brackets_and_casts():
    root = SourceText("int x = +(int)((y));").root
    value = next(node for node in walk(root) if node.type == "init_declarator").child_by_field_name("value")
    assert plain_text(bare(value)) == "y"
