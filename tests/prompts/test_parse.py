"""Shapes of replies that models give, and what is taken out of each."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.prompts.parse import MAX_CODE_CHARS, extract_code

KERNEL = "__global__ void scale_kernel(int n, float* x) { int i = threadIdx.x; if (i < n) x[i] *= 2; }"
HOST = 'extern "C" void scale(int n, float* x) {\n    scale_kernel<<<1, n>>>(n, x);\n}'
CODE = f"#include <cuda_runtime.h>\n{KERNEL}\n{HOST}\n"
DRAFT = CODE.replace("*= 2", "*= 3")
REFERENCE = "void scale(int n, float* x) {\n    for (int i = 0; i < n; ++i) x[i] *= 2;\n}\n"
CALL = "int main() {\n    scale(4, x);\n}\n"
INDENTED = "".join(f"    {line}\n" for line in CODE.splitlines())
QUOTED = "".join(f"> {line}\n" for line in CODE.splitlines())

ACCEPTED = {
    "what was asked for": f"I map threads.\n\n```cuda\n{CODE}```",
    "block only": f"```cuda\n{CODE}```",
    "trailing words": f"```cuda\n{CODE}```\nThis is fast.",
    "trailing blank lines": f"```cuda\n{CODE}```\n\n\n",
    "cpp": f"```cpp\n{CODE}```",
    "c++": f"```c++\n{CODE}```",
    "c": f"```c\n{CODE}```",
    "cu": f"```cu\n{CODE}```",
    "no info string": f"```\n{CODE}```",
    "capitals and words": f"```CUDA C++\n{CODE}```",
    "file name as info": f"```scale.cu\n{CODE}```",
    "attributes": f"```{{.cuda .numberLines}}\n{CODE}```",
    "text as info": f"```text\n{CODE}```",
    "space before info": f"``` cuda\n{CODE}```",
    "four backticks": f"````cuda\n{CODE}````",
    "longer closing fence": f"```cuda\n{CODE}`````",
    "tildes": f"~~~cuda\n{CODE}~~~",
    "tildes around backticks": f"~~~cuda\n// ```\n{CODE}~~~",
    "crlf": f"```cuda\n{CODE}```\n".replace("\n", "\r\n"),
    "lone carriage returns": f"```cuda\n{CODE}```\n".replace("\n", "\r"),
    "byte order mark": f"\ufeff```cuda\n{CODE}```",
    "indented in a list": f"1. The program:\n    ```cuda\n{INDENTED}    ```\n",
    "list item with a fence": f"- ```cuda\n{CODE}```\n",
    "quoted": f"> ```cuda\n{QUOTED}> ```\n",
    "closing fence at the end of the code": f"```cuda\n{CODE.rstrip()}```",
    "draft first": f"```cuda\n{DRAFT}```\nBetter:\n```cuda\n{CODE}```",
    "reference quoted first": f"Given\n```cpp\n{REFERENCE}```\nI write\n```cuda\n{CODE}```",
    "reference quoted last": f"```cuda\n{CODE}```\nIt replaces\n```cpp\n{REFERENCE}```",
    "example of use last": f"```cuda\n{CODE}```\nCall it so:\n```cpp\n{CALL}```",
    "build command last": f"```cuda\n{CODE}```\n```bash\nnvcc scale.cu -o scale # scale(1) {{\n```",
    "output last": f"```cuda\n{CODE}```\n```\nscale took 3 us\n```",
    "stray closing fence": f"```cuda\n{CODE}```\n```\n",
    "stray opening fence": f"```\n```cuda\n{CODE}```",
    "inside a markdown block": f"```markdown\n# Answer\n```cuda\n{CODE}```\n```",
    "inside a longer markdown block": f"````markdown\n# Answer\n```cuda\n{CODE}```\n````",
    "think tags": f"<think>maybe\n```cuda\n{DRAFT}```\n</think>\n```cuda\n{CODE}```",
    "closing think tag only": f"maybe\n```cuda\n{DRAFT}```\n</think>\n```cuda\n{CODE}```",
    "unclosed fence inside the thought": f"<think>say\n```cuda\n{DRAFT}\n</think>\n```cuda\n{CODE}```",
    "code only inside the thought": f"<think>\n```cuda\n{CODE}```\n</think>\nDone.",
    "other thinking tags": f"<thinking>{DRAFT}</thinking>\n```cuda\n{CODE}```",
    "no fence, whole reply is code": CODE,
    "no fence, comment first": f"// doubled\n/* it's fine */\n{CODE}",
    "no fence, pragma once and endif": f"#ifndef A\n#define A\n{CODE}#endif\n",
    "json object": json.dumps({"think": "easy", "code": CODE}),
    "json list of steps": json.dumps([{"method": "a", "code": DRAFT}, {"method": "b", "code": CODE}]),
    "json block": "Here:\n```json\n" + json.dumps({"code": CODE}) + "\n```",
    "json with a fenced code": json.dumps({"answer": f"I did\n```cuda\n{CODE}```\nso"}),
    "json string": json.dumps(CODE),
    "xml tag": f"Sure.\n<code>\n{CODE}</code>",
    "backticks in a comment": f"```cuda\n{CODE}// uses `n` and ``x``\n```",
}


@pytest.mark.parametrize("shape", ACCEPTED)
def test_code_is_found(shape):
    found = extract_code(ACCEPTED[shape], "scale")
    assert found.reason is None
    assert found.code is not None
    assert CODE.strip() in found.code.replace("\r", "\n")
    assert DRAFT.strip() not in found.code
    assert "```" not in found.code.replace("// ```", "")


REFUSED = {
    "nothing": ("", "empty"),
    "white space": (" \n\t", "empty"),
    "prose": ("I would use shared memory for this function, scale.", "no block"),
    "refusal": ("I'm sorry, I can't help with that.", "no block"),
    "cut off": (f"Here:\n```cuda\n{CODE[:120]}", "cut off"),
    "cut off after a draft": (f"```cuda\n{DRAFT}```\nBetter:\n```cuda\n{CODE[:120]}", "cut off"),
    "cut off before the code": ("Here:\n```cuda\n", "no block of the reply defines"),
    "cut off after thinking": (f"<think>\n```cuda\n{DRAFT}```\n</think>\n```cuda\n{CODE[:120]}", "cut off"),
    "diff block": (f"```diff\n--- a/x.cu\n+++ b/x.cu\n@@ -1 +1 @@\n-{HOST}\n+{HOST}\n```", "diff"),
    "bare diff": ("--- a/x.cu\n+++ b/x.cu\n@@ -1,2 +1,2 @@\n-a\n+b\n", "diff"),
    "another function": (f"```cuda\n{KERNEL}\n```", "defines the function scale"),
    "the entry is only called": (f"```cuda\n{CALL}```", "only named"),
    "the entry is only declared": ('```cuda\nextern "C" void scale(int n, float* x);\n```', "only named"),
    "the entry is in a comment": (f"```cuda\n// scale(int n) {{\n/* scale() {{ */\n{KERNEL}\n```", "only named"),
    "the entry is in a string": ('```cuda\nconst char* s = "scale() {";\n```', "only named"),
    "part of a longer name": ("```cuda\nvoid upscale(int n) {}\nvoid scale2() {}\n```", "only named"),
    "python": (f"```python\nsource = '''{CODE}'''\n```", "only named"),
    "words before unfenced code": (f"Here is the code:\n{CODE}", "no block"),
    "words after unfenced code": (f"{CODE}\nThis doubles every element.", "no block"),
    "unfenced code cut off": (CODE[: CODE.rindex("}")], "no block"),
    "json without code": ('{"code": "scale"}', "no block"),
    "json cut off": (json.dumps({"code": CODE})[:-30], "no block"),
    "one line": (f"```cuda {KERNEL} ```", "no block"),
    "too long": (f"```cuda\n{CODE}//{'a' * MAX_CODE_CHARS}\n```", "scale"),
}


@pytest.mark.parametrize("shape", REFUSED)
def test_there_is_no_code(shape):
    text, words = REFUSED[shape]
    found = extract_code(text, "scale")
    assert found.code is None
    assert words in (found.reason or "")


def test_there_are_enough_shapes():
    assert len(ACCEPTED) + len(REFUSED) >= 70


def test_prose_around_the_code_is_kept():
    found = extract_code(f"I map one thread to an element.\n\n```cuda\n{CODE}```\nIt is coalesced.", "scale")
    assert found.prose == "I map one thread to an element.\n\nIt is coalesced."


def test_margins_are_taken_off():
    found = extract_code(ACCEPTED["indented in a list"], "scale")
    assert found.code == CODE
    assert extract_code(ACCEPTED["quoted"], "scale").code == CODE


_MARKDOWN = ["```", "````", "~~~", "cuda", "\n", "\r", " ", ">", "- ", "<think>", "</think>", "<code>", "</code>"]
_CPP = [
    "{",
    "}",
    "(",
    ")",
    ";",
    '"',
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    'R"x(',
    "#",
    "void ",
    "scale",
    "scale(",
    "__global__",
]
_pieces = st.sampled_from([*_MARKDOWN, *_CPP, "[", "]", "\ud800", "\0", "é", CODE])


@settings(max_examples=400, deadline=None)
@given(st.lists(_pieces | st.text(max_size=4), max_size=40))
def test_no_text_breaks_the_parser(pieces):
    found = extract_code("".join(pieces), "scale")
    assert (found.code is None) != (found.reason is None)
    if found.code is not None:
        assert "scale" in found.code
        found.code.encode()


@pytest.mark.parametrize(
    "piece",
    [
        "`",
        "```\n",
        "```cuda\n",
        "~",
        "```cuda\nscale(\n```\n",
        "<code>",
        "</think>",
        "[",
        "scale(",
        '\\"',
        "/*",
        '"',
        "'",
        'R"a(',
        "> ",
        "- ",
    ],
)
def test_a_megabyte_of_anything_is_read_in_linear_time(piece):
    """A quadratic parser would take hours here."""
    text = piece * (1_000_000 // len(piece))
    assert extract_code(text, "scale").code is None
    assert extract_code(f"```cuda\n{text}\n```", "scale").code is None
