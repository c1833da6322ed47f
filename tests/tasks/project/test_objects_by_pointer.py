# ruff: noqa: E501 -- a row is one function
"""Objects that C hands over by pointers, with arrays of their own inside: each function as it stands and flat, side by side."""

import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function
from regrapht.tasks.infer import infer_function

pytest.importorskip("clang.cindex")

HEAD = """\
#include <stddef.h>
#define AT(im, x, y) ((im)->pix[(size_t)(y) * (im)->stride + (x)])
typedef struct { int width, height, stride; float *pix; } img;
struct plane { int width, height, stride; float *pix; };
typedef struct { img grey; float gain; } frame;
struct rgb { float r, g, b; };
typedef struct { int width, height, stride; float *pix; rgb *colours; } coloured;
class Image {
public:
    explicit Image(img *of) : im_(of) {}
    img *get() { return im_; }
    const img *get() const { return im_; }
private:
    img *im_;
};
static void row(const img *src, img *dst, int y) { for (int x = 0; x < src->width; x++) AT(dst, x, y) = 2 * AT(src, x, y); }
static float sum_of(const img *src, int y) { float s = 0; for (int x = 0; x < src->width; x++) s += AT(src, x, y); return s; }
"""
LOOPS = "for (int y = 0; y < {0}->height; y++) for (int x = 0; x < {0}->width; x++) "
ROWS = {
    "an unnamed struct": ("const img *a, img *b", LOOPS.format("a") + "b->pix[y * b->stride + x] = a->pix[y * a->stride + x] + 1;"),
    "a macro with brackets": ("const img *a, img *b", LOOPS.format("a") + "AT(b, x, y) = AT(a, x, y) * 3;"),
    "followed by a star": ("const img *a, img *b", LOOPS.format("a") + "(*b).pix[y * (*b).stride + x] = (*a).pix[y * (*a).stride + x] - 1;"),
    "changed in place": ("img *b", LOOPS.format("b") + "AT(b, x, y) *= 0.5f;"),
    "a struct with a name": ("const plane *a, plane *b", LOOPS.format("a") + "AT(b, x, y) = AT(a, x, y) + 7;"),
    "references": ("const img &a, img &b", "for (int y = 0; y < a.height; y++) for (int x = 0; x < a.width; x++) AT(&b, x, y) = AT(&a, x, y) + 2;"),
    "local names": ("const img *a, img *b", "const img *s = a; img *const d = b; " + LOOPS.format("s") + "AT(d, x, y) = AT(s, x, y) + 4;"),
    "local names of pixels": ("const img *a, img *b", "const float *s = a->pix; float *d = b->pix; for (int i = 0; i < a->width; i++) d[i] = s[i] + 5;"),
    "handed on": ("const img *a, img *b", "for (int y = 0; y < a->height; y++) row(a, b, y);"),
    "handed on from references": ("const img &a, img &b", "for (int y = 0; y < a.height; y++) row(&a, &b, y);"),
    "a function's number": ("const img *a, img *b", "for (int y = 0; y < a->height; y++) b->pix[y] = sum_of(a, y);"),
    "an object in an object": ("const frame *f, img *b", LOOPS.format("b") + "AT(b, x, y) = AT(&f->grey, x, y) * f->gain;"),
    "a local name of that": ("const frame *f, img *b", "const img *a = &f->grey; " + LOOPS.format("b") + "AT(b, x, y) = AT(a, x, y) * f->gain;"),
    "that handed on": ("const frame *f, img *b", "for (int y = 0; y < b->height; y++) row(&f->grey, b, y);"),
    "structs inside": ("const coloured *c, img *b", LOOPS.format("b") + "{ const rgb p = c->colours[y * c->width + x]; AT(b, x, y) = p.r + 2 * p.g - p.b; }"),
    "behind a wrapper": ("const Image &in, Image &out", "const img *s = in.get(); img *d = out.get(); " + LOOPS.format("s") + "AT(d, x, y) = AT(s, x, y) + 6;"),
    "a wrapper's without a name": ("const Image &in, Image &out", LOOPS.format("in.get()") + "AT(out.get(), x, y) = AT(in.get(), x, y) + 6;"),
}  # fmt: skip
GIVEN = {"const img *a": "&a", "img *b": "&b", "const img &a": "a", "img &b": "b", "const plane *a": "(plane*)&a", "plane *b": "(plane*)&b",
         "const frame *f": "&f", "const coloured *c": "&c", "const Image &in": "in", "Image &out": "out"}  # fmt: skip
MAIN = """
int main() {{
    for (int n = 0; n < {count}; ++n) {{
        float one[48], two[48], from[48];
        rgb colours[48];
        for (int k = 0; k < 48; ++k) {{
            one[k] = two[k] = 100.0f + k; from[k] = 3.0f * k - 5;
            colours[k].r = k; colours[k].g = 2.0f * k; colours[k].b = 1;
        }}
        for (int round = 0; round < 2; ++round) {{
            img a = {{6, 5, 8, from}}, b = {{6, 5, 8, round ? two : one}};
            frame f = {{a, 0.25f}};
            coloured c = {{6, 5, 8, from, colours}};
            const Image in(&a);
            Image out(&b);
            switch (2 * n + round) {{
{cases}
            }}
        }}
        bool changed = false, equal = true;
        for (int k = 0; k < 48; ++k) {{ changed = changed || one[k] != 100.0f + k; equal = equal && one[k] == two[k]; }}
        if (!changed || !equal) std::printf("%d ", n);
    }}
}}
"""


def test_they_come_to_the_same(tmp_path: Path) -> None:
    file = tmp_path / "images.cpp"
    functions = [f"void made{n}({head}) {{ {body} }}" for n, (head, body) in enumerate(ROWS.values())]
    file.write_text(HEAD + "\n".join(functions) + "\n")
    text, cases = f'#include <cstdio>\n#include <cstddef>\n#include "{file.name}"\n', ""
    for n, (head, _) in enumerate(ROWS.values()):
        found = project_function(file, entry=f"made{n}", flags=BuildFlags(standard="c++17"))
        assert found.home is not None
        flat = "\n".join(line for line in found.text.splitlines() if not line.startswith("#include"))
        given = ", ".join(one.expression for one in found.home.places)
        given = given.replace("in.get()->colours", "in").replace(
            "c->colours", "reinterpret_cast<const flat{n}::rgb*>(c->colours)"
        )
        text += f"namespace flat{n} {{\n{flat}\n}}\nvoid called{n}({head}) {{ flat{n}::made{n}({given.replace('{n}', str(n))}); }}\n"
        arguments = ", ".join(GIVEN[one.strip()] for one in head.split(","))
        cases += f"            case {2 * n}: made{n}({arguments}); break;\n            case {2 * n + 1}: called{n}({arguments}); break;\n"
    (tmp_path / "main.cpp").write_text(text + MAIN.format(count=len(ROWS), cases=cases))
    subprocess.run(["g++", "-std=c++17", "-w", "-o", tmp_path / "app", tmp_path / "main.cpp"], check=True)
    wrong = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout.split()
    assert [list(ROWS)[int(one)] for one in wrong] == []


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("const img *a, img *b", "for (int i = 0; i < b->width; i++) b->pix[i] = a[1].pix[i];"),
        (
            "const img *a, img *b",
            "const img *s = b->width > 3 ? a : b; for (int i = 0; i < b->width; i++) b->pix[i] = s->pix[i];",
        ),
        ("const img **a, img *b", "for (int i = 0; i < b->width; i++) b->pix[i] = a[0]->pix[i];"),
    ],
    ids=["an array of them", "one of two", "an array of pointers"],
)
def test_several_are_refused_with_the_line(tmp_path: Path, head: str, body: str) -> None:
    file = tmp_path / "images.cpp"
    file.write_text(f"{HEAD}void made({head}) {{\n    {body}\n}}\n")
    with pytest.raises(
        TaskError, match=rf"images\.cpp: line {HEAD.count(chr(10)) + 1}\b|line {HEAD.count(chr(10)) + 2}: "
    ) as refused:
        infer_function(project_function(file, entry="made", flags=BuildFlags(standard="c++17")))
    assert refused.value.remedy
