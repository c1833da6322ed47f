"""How models of other families write a reply: each kind becomes a program that the judge passes, or is refused for a reason."""

import html
import json

import pytest

from regrapht.propose.form import MENDS
from regrapht.propose.form.launcher import extents_of_indices
from regrapht.propose.form.line_numbers import without_line_numbers
from regrapht.propose.form.program import Program
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.spelling import SPELLING, spelled
from regrapht.records.verdict import Status
from regrapht.source.program_hash import program_hash
from tests.propose.form.test_reply import ENTRY, KERNEL, WHOLE, fenced

TEXT = f"#include <cuda_runtime.h>\n\n{WHOLE}"
LINES = TEXT.splitlines()
ENDED = "out);\n}\n"
LAUNCH = "brighten_kernel<<<grid, block>>>(rows, cols, gain, image, out);"
TENSORS = """
namespace py = pybind11;

torch::Tensor brighten_tensor(torch::Tensor image, double gain) {
    auto out = torch::empty_like(image);
    brighten(image.size(0), image.size(1), gain, image.data_ptr<float>(), out.data_ptr<float>());
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("brighten", &brighten_tensor, "Brighten");
}
"""


def numbered(form: str) -> str:
    return fenced("\n".join(form.format(number, line) for number, line in enumerate(LINES, 1)) + "\n")


def entry(head: str, end: str = ENDED) -> str:
    return fenced(KERNEL + ENTRY.replace('extern "C" void', head).replace(ENDED, end))


WRITTEN = {
    "no-break spaces": (fenced(TEXT.replace("    ", "\u00a0\u00a0\u00a0\u00a0")), "plain_characters"),
    "thin and ideographic spaces": (fenced(TEXT.replace(" = ", "\u2009=\u3000")), "plain_characters"),
    "typographic quotes": (fenced(TEXT.replace('"C"', "\u201cC\u201d")), "plain_characters"),
    "invisible characters": (
        fenced(TEXT.replace("brighten(", "brighten\u200b(").replace("int x", "\ufeffint x")),
        "plain_characters",
    ),
    "full-width punctuation": (
        fenced(TEXT.replace(";", "\uff1b").replace("(cols + 31)", "\uff08cols + 31\uff09")),
        "plain_characters",
    ),
    "a true minus": (fenced(TEXT.replace("+ 2.0f", "\u2212 \u22122.0f")), "plain_characters"),
    "escapes of Markdown": (fenced(TEXT.replace("*", "\\*").replace("_", "\\_")), "plain_characters"),
    "numbers and bars": (numbered("{:3d} | {}"), "line_numbers"),
    "numbers and colons": (numbered("{}: {}"), "line_numbers"),
    "numbers and dots": (numbered("{}. {}"), "line_numbers"),
    "numbers and blanks": (numbered("{:>4}  {}"), "line_numbers"),
    "numbers and tabs": (numbered("{}\t{}"), "line_numbers"),
    "entities": (fenced(html.escape(TEXT)), "escaped_text"),
    "entities in an element": (f'<pre><code class="cuda">{html.escape(TEXT)}</code></pre>', "escaped_text"),
    "entities in a launch alone": (
        fenced(TEXT.replace("<<<", "&lt;&lt;&lt;").replace(">>>", "&gt;&gt;&gt;")),
        "escaped_text",
    ),
    "breaks of lines": (fenced(TEXT.replace("\n", "<br>\n")), "escaped_text"),
    "ends of lines as text": (fenced(TEXT.replace("\n", "\\n") + "\n"), "escaped_text"),
    "Windows' ends of lines": (fenced(TEXT).replace("\n", "\r\n"), None),
    "brackets apart": (fenced(TEXT.replace("<<<", "<< <").replace(">>>", ">> >")), "launch_brackets"),
    "brackets far apart": (fenced(TEXT.replace("<<<", " < < < ").replace(">>>", " > > > ")), "launch_brackets"),
    "a comment without end": (fenced(TEXT + "\n/* Each pixel has a thread.\n"), "open_comments"),
    "a comment without end on its line": (
        fenced(TEXT.replace("    float value", "    /* one pixel\n    float value")),
        "open_comments",
    ),
    "a sentence before the program": (fenced("Here is the code:\n\n" + TEXT), "stray_lines"),
    "a sentence behind the program": (fenced(TEXT + "\nThis kernel uses a thread for each pixel.\n"), "stray_lines"),
    "dots alone": (fenced(TEXT.replace("\n\n", "\n...\n\n", 1)), "stray_lines"),
    "a heading": (fenced("# CUDA program\n" + TEXT), "stray_lines"),
    "a box around lines with numbers": (numbered("\u2502 {:3d} \u2502 {}"), "line_numbers"),
    "colours of a terminal": (
        fenced(TEXT.replace("__global__", "\x1b[1;32m__global__\x1b[0m")),
        "plain_characters",
    ),
    "a cell that writes a file": (fenced("%%writefile brighten.cu\n" + TEXT), "magic_lines"),
    "a cell of CUDA": (fenced("\n%%cu --name brighten.cu\n" + TEXT), "magic_lines"),
    "a notebook": (
        json.dumps({"cells": [{"cell_type": "code", "source": [f"{line}\n" for line in ("%%cuda", *LINES)]}]}),
        None,
    ),
    "a notebook's lines without ends": (json.dumps({"cells": [{"source": LINES}]}), None),
    "an extension of PyTorch": (fenced("#include <torch/extension.h>\n" + TEXT + TENSORS), "torch_wrappers"),
    "a kernel that launches itself": (
        fenced(TEXT.replace("255.0f);\n}", f"255.0f);\n    {LAUNCH}\n}}", 1)),
        "self_launches",
    ),
    "locals with the names of CUDA's": (
        fenced(
            TEXT.replace("    float value", "    int threadIdx = threadIdx.x, blockDim = blockDim.y;\n    float value")
        ),
        "built_in_names",
    ),
    "headers of a project": (fenced('#include "brighten.cuh"\n#include "helper_cuda.h"\n' + TEXT), "own_headers"),
    "a header of the samples": (fenced("#include <helper_cuda.h>\n" + TEXT), "own_headers"),
    "bold words": (fenced(TEXT.replace("__global__", "**global**")), "spelled_marks"),
    "single underscores": (fenced(TEXT.replace("__global__", "_global_")), "spelled_marks"),
    "capitals": (fenced(TEXT.replace("__global__", "__Global__")), "spelled_marks"),
    "an error returned": (
        entry(
            "cudaError_t", "out);\n    if (rows < 0) return cudaErrorInvalidValue;\n    return cudaGetLastError();\n}\n"
        ),
        "returned_values",
    ),
    "zero returned": (entry("int", "out);\n    return 0;\n}\n"), "returned_values"),
    "a call returned": (
        entry("cudaError_t", "out);\n    return cudaStreamSynchronize(0);\n}\n"),
        "returned_values",
    ),
    "an export": (entry('extern "C" __declspec(dllexport) void'), "export_marks"),
    "an export by a macro": (entry('extern "C" MY_API void'), "export_marks"),
    "a stream": (
        fenced(
            TEXT.replace("float* out) {\n    dim3", "float* out, cudaStream_t s) {\n    dim3").replace(
                "block>>>", "block, 0, s>>>"
            )
        ),
        "extra_parameters",
    ),
    "a parameter of its own": (
        fenced(
            TEXT.replace("float* out) {\n    dim3", "float* out, int high = 8) {\n    dim3").replace(
                "(32, 8)", "(32, high)"
            )
        ),
        "extra_parameters",
    ),
    "defaults in the middle": (
        fenced(TEXT.replace("int cols, float gain, const", "int cols = 1, float gain = 1.0f, const", 1)),
        "default_arguments",
    ),
    "checks that nobody defines": (
        fenced(
            TEXT.replace(
                ENDED, "out);\n    CUDA_CHECK(cudaGetLastError());\n    checkCudaErrors(cudaGetLastError());\n}\n"
            )
        ),
        "error_checks",
    ),
    "an element with attributes": (f'<answer>\n<code language="cuda">\n{TEXT}</code>\n</answer>', None),
    "character data": (f"<code><![CDATA[\n{TEXT}]]></code>", None),
    "a listing of code": (f"\\begin{{code}}\n{TEXT}\\end{{code}}\n", None),
    "a listing": (f"\\begin{{lstlisting}}[language=C++]\n{TEXT}\\end{{lstlisting}}\n", None),
    "a string of Python": (
        f'```python\ncuda_source = """\n{TEXT}"""\nmodule = load_inline(cuda_source)\n```\n',
        "python_string",
    ),
    "JSON with a comma too many": ('```json\n{\n "code": ' + json.dumps(TEXT) + ",\n}\n```\n", None),
    "JSON with words around": (f"Sure!\n\n{json.dumps({'code': TEXT})}\n\nAsk me for more.", None),
    "a tool's arguments": (
        json.dumps({"name": "write", "arguments": json.dumps({"path": "a.cu", "content": TEXT})}),
        None,
    ),
    "a tool's element": (
        f"<tool_call>\n{json.dumps({'name': 'write', 'arguments': {'content': TEXT}})}\n</tool_call>",
        None,
    ),
    "a diff of everything": ("```diff\n" + "\n".join(f"+{line}" for line in LINES) + "\n```\n", "diff"),
}


@pytest.mark.parametrize("what", WRITTEN)
def test_a_spelling(what, brighten, judged):
    text, mend = WRITTEN[what]
    read = read_reply(text, brighten, parent=None, may_refuse=False, mends=True)
    assert read.code is not None, read.reason
    assert mend is None or mend in read.mends
    if program_hash(read.code) != program_hash(TEXT):
        verdict = judged(brighten, read.code)
        assert verdict.status is Status.PASSED, f"{verdict.reason}\n{read.code}"


@pytest.mark.parametrize("what", [what for what, (_, mend) in WRITTEN.items() if mend in MENDS or mend in SPELLING])
def test_as_the_papers_do_nothing_of_it_is_mended(what, brighten):
    read = read_reply(WRITTEN[what][0], brighten, parent=None, may_refuse=False, mends=False)
    assert read.mends == ()


def test_every_mend_of_spelling_has_an_example():
    assert set(SPELLING) - {"language_words"} <= {mend for _, mend in WRITTEN.values()}


CHANGED = TEXT.replace("    float value", "    // one pixel\n    float value")
SEARCH = "<<<<<<< SEARCH\n    float value = gain\n=======\n    float value = 1.0f * gain\n>>>>>>> REPLACE\n"
HUNK = "--- a/b.cu\n+++ b/b.cu\n@@ -7,3 +7,3 @@\n     if (x >= cols || y >= rows) return;\n+    float one = 1.0f;\n"
EDITS = {
    "search and replace": (SEARCH.replace("gain\n", "gain * image[y * cols + x] + 2.0f;\n"), "search_replace"),
    "search and replace in a block": (
        f"```\n{SEARCH}```\n".replace("gain\n", "gain * image[y * cols + x] + 2.0f;\n"),
        "search_replace",
    ),
    "a diff without a fence": (HUNK, "diff"),
    "a file with marks that are not true": (
        "```diff\n"
        + "\n".join(("+" if "float value" in line else " ") + line for line in CHANGED.splitlines())
        + "\n```\n",
        "diff",
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_of_what_was_shown(what, brighten, judged):
    text, mend = EDITS[what]
    read = read_reply(text, brighten, parent=TEXT, may_refuse=True, mends=True)
    assert read.code is not None and read.mends[0] == mend, read.reason
    verdict = judged(brighten, read.code)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{read.code}"


def test_lines_that_are_not_found_are_no_edit(brighten):
    read = read_reply(SEARCH.replace("gain", "nothing"), brighten, parent=TEXT, may_refuse=True, mends=True)
    assert read.code is None


@pytest.mark.parametrize(
    "reply",
    [
        "NOT APPLICABLE: there is no loop.",
        "\u4e0d\u9002\u7528\uff1a\u6ca1\u6709\u5faa\u73af\u3002",
        "NICHT ANWENDBAR: Das Programm hat keine Schleife.",
        "NON APPLICABLE : pas de boucle.",
        "NO APLICABLE: no tiene bucles.",
        "This technique is not suitable for this program because there is no reduction.",
        "The program cannot use this technique.",
    ],
)
def test_a_refusal_in_other_words(reply, brighten):
    read = read_reply(reply, brighten, parent=TEXT, may_refuse=True, mends=True)
    assert read.code is None and read.not_applicable


def test_code_that_is_left_out_is_no_program(brighten):
    head = KERNEL.partition("{")[0]
    read = read_reply(
        fenced(f"{head}{{\n    // ... existing code ...\n}}\n{ENTRY}"),
        brighten,
        parent=None,
        may_refuse=False,
        mends=True,
    )
    assert read.code is None and read.reason == "the reply leaves out code, where it says '// ... existing code ...'"


def test_a_function_that_is_left_out_stays_as_it_was(brighten):
    left = KERNEL.partition("{")[0] + "{\n    // ... existing code ...\n}\n"
    changed = ENTRY.replace("(32, 8)", "(16, 16)").replace("31) / 32", "15) / 16").replace("7) / 8", "15) / 16")
    read = read_reply(fenced(changed), brighten, parent=TEXT, may_refuse=True, mends=True)
    both = read_reply(
        fenced(left + changed.replace("brighten(", "brighten(", 1)), brighten, parent=TEXT, may_refuse=True, mends=True
    )
    assert read.code is not None and "dim3 block(16, 16)" in read.code
    assert both.code is None and "leaves out code" in both.reason


@pytest.mark.parametrize(
    "code",
    [
        'const char* s = "a\\_b \u201cc\u201d"; // caf\u00e9 \u2013 \u201cquoted\u201d\n#define M(a) \\\n    a\n',
        "int table[] = {\n1, 2,\n3, 4,\n};\n",
        "unsigned* p = &lt;\nint lt2 = a &lt;\n",
        "int a = 1;\n// 1: one\n",
    ],
)
def test_what_is_right_stays(code):
    assert spelled(f"```cuda\n{code}```\n") == (f"```cuda\n{code}```\n", ())


def test_numbers_that_do_not_count_are_no_line_numbers():
    assert without_line_numbers("1 a\n2 b\n7 c\n8 d") == "1 a\n2 b\n7 c\n8 d"
    assert without_line_numbers("1 a\n2 b\nc\n3 d\n4 e") == "1 a\n2 b\nc\n3 d\n4 e"


@pytest.mark.parametrize(
    ("guard", "extent"),
    [
        ("if (x >= 1 && x < cols - 1) out[x] = 0;", "cols - 1"),
        ("if (x < 1 || x >= cols - 1) return;", "cols - 1"),
        ("if (x >= r && x < cols - r) out[x] = 0;", "cols - r"),
        ("if (x < r || x >= cols - r) return;", "cols - r"),
        ("if (x >= cols || y >= rows) return;", "cols"),
        ("if (x < cols && y < rows) out[x] = 0;", "cols"),
        ("if (x < 5) out[x] = 0;", "5"),
        ("if (!(x < cols)) return;", "cols"),
        ("if (x >= 1 && x + 1 < cols) out[x] = 0;", "cols - 1"),
        ("if (x + 1 < cols) out[x] = out[x + 1];", None),
    ],
)
def test_the_end_of_an_index_is_its_upper_one(guard, extent, brighten):
    head = "__global__ void k(int rows, int cols, int r, int y, float* out) {\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    (kernel,) = Program(f"{head}    {guard}\n}}\n", brighten).kernels
    assert extents_of_indices(kernel) == {"x": extent}


@pytest.mark.parametrize("piece", ["/* a ", "<<<<<<< SEARCH\n", "\\begin{verbatim}", '"""', "   "])
def test_an_endless_reply_is_read_to_its_end(piece, brighten):
    """Some of these took minutes: a parser that looks for code in each, or a search that begins at each anew."""
    read = read_reply(f"```cuda\n{piece * 20000}```\n", brighten, parent=TEXT, may_refuse=True, mends=True)
    assert read.code is None
