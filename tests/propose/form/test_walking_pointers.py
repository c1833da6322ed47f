"""References whose pointers walk through their loop: where a thread's turn begins, and programs made of such turns."""

import dataclasses

import pytest

from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.propose.form.walking_pointers import walk_of
from regrapht.records.task import Task
from regrapht.records.verdict import Status
from regrapht.source.syntax import text_of

HEAD = "#include <algorithm>\nvoid brighten(int rows, int cols, float gain, const float* image, float* out) {\n"
EACH = "for (int c = 0; c < cols; ++c) *to++ = std::min(gain * *from++, 255.0f);"
LOCALS = "const float* from = image; float* to = out;"
ROW = ("const float* from = image + (long long)r * cols;", "float* to = out + (long long)r * cols;")
CELL = ("const float* from = image + (long long)r * cols + c;", "float* to = out + (long long)r * cols + c;")


def with_body(task: Task, body: str) -> Task:
    source = dataclasses.replace(task.reference.source, text=f"{HEAD}{body}\n}}\n")
    return dataclasses.replace(task, reference=dataclasses.replace(task.reference, source=source))


WALKS = {
    "an element of a row a turn": (f"{LOCALS} for (int r = 0; r < rows; ++r) {{ {EACH} }}", CELL),
    "a row a turn": (
        f"{LOCALS} for (int r = 0; r < rows; ++r) {{ const float most = 255.0f;"
        " for (int c = 0; c < cols; ++c) *to++ = std::min(gain * *from++, most); }",
        ROW,
    ),
    "moved in the head of a loop": (
        f"{LOCALS} for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c, ++from, ++to) {{ *to = std::min(gain * *from, 255.0f); }}",
        CELL,
    ),
    "in the head and in the turn": (
        f"{LOCALS} for (int r = 0; r < rows; ++r) {{ for (int c = 0; c < cols; ++c, ++from) *to++ = std::min(gain * *from, 255.0f); }}",
        CELL,
    ),
    "a switch and a loop that are left, and move nothing": (
        f"{LOCALS} for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) {{ float least = 255.0f; for (int k = 0; k < 3; ++k)"
        " if (k * gain > 300.0f) break; switch (r % 2) { case 0: break; default: least = 255.0f; }"
        " *to++ = std::min(gain * *from++, least); }",
        CELL,
    ),
    "an element a turn": (
        f"{LOCALS} for (int i = 0; i < rows * cols; ++i) *to++ = std::min(gain * *from++, 255.0f);",
        ("const float* from = image + (long long)i;", "float* to = out + (long long)i;"),
    ),
    "by a whole row at once": (
        f"{LOCALS} for (int r = 0; r < rows; ++r) {{ for (int c = 0; c < cols; ++c) to[c] = std::min(gain * from[c], 255.0f);"
        " from += cols; to = to + cols; }",
        ROW,
    ),
    "the parameters themselves": (
        "for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) *out++ = std::min(gain * *image++, 255.0f);",
        ("image += (long long)r * cols + c;", "out += (long long)r * cols + c;"),
    ),
    "what is counted beside": (f"int n = 0; {LOCALS} for (int r = 0; r < rows; ++r) {{ {EACH} ++n; }}", ROW),
    "a row a turn, whose elements look at the one before": (
        f"{LOCALS} for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c)"
        " { *to = std::min(c > 0 ? to[-1] : 255.0f, gain * *from++); ++to; }",
        ROW,
    ),
}
OTHERWISE = {
    "some turns walk further": f"{LOCALS} for (int r = 0; r < rows; ++r) {{ if (r % 2) ++from; {EACH} }}",
    "a turn may end early": f"{LOCALS} for (int r = 0; r < rows; ++r) {{ if (gain > 9) continue; {EACH} }}",
    "an end that data decide": f"{LOCALS} for (int r = 0; r < rows; ++r) while (*from++ > 0) *to++ = 1;",
    "back to the start": f"{LOCALS} for (int r = 0; r < rows; ++r) {{ {EACH} from = image; }}",
    "backwards": f"{LOCALS} for (int r = 0; r < rows; ++r) {{ {EACH} to--; }}",
    "left before its end, moving": f"{LOCALS} for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) "
    "{ if (c > 3) break; *to++ = *from++; }",
    "backwards in the head": f"{LOCALS} for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c, --to) *to = *from++;",
    "only a part of the output": f"{LOCALS} for (int r = 0; r < rows; ++r) *to++ = *from++;",
    "two loops": f"{LOCALS} for (int r = 0; r < rows; ++r) {{ {EACH} }} for (int r = 0; r < rows; ++r) {{ }}",
    "from another turn than the first": f"{LOCALS} for (int r = 1; r < rows; ++r) {{ {EACH} }}",
    "no pointer walks": "for (int i = 0; i < rows * cols; ++i) out[i] = gain * image[i];",
}


@pytest.mark.parametrize("kind", WALKS)
def test_where_a_turn_begins(kind, brighten):
    body, lines = WALKS[kind]
    found = walk_of(with_body(brighten, body))
    assert found is not None and found.lines == lines


@pytest.mark.parametrize("kind", OTHERWISE)
def test_what_has_no_such_place(kind, brighten):
    assert walk_of(with_body(brighten, OTHERWISE[kind])) is None


@pytest.mark.parametrize(
    "kind",
    [
        "a row a turn",
        "the parameters themselves",
        "moved in the head of a loop",
        "a switch and a loop that are left, and move nothing",
    ],
)
def test_the_references_own_turn_fills_the_hole(kind, brighten, judged):
    task = with_body(brighten, WALKS[kind][0])
    file, found = skeleton(task), walk_of(task)
    assert file is not None and found is not None and all(line in file for line in WALKS[kind][1])
    body = found.loops[-1].node.child_by_field_name("body")
    turn = text_of(body).removeprefix("{").removesuffix("}")
    verdict = judged(task, file.replace(HOLE, turn.replace("std::min", "fminf")))
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{file}"
