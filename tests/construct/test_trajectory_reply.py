import json

import pytest

from regrapht.construct.trajectory_reply import MAX_STEPS, UNNAMED, parse_trajectory


def program(number):
    return (
        f"__global__ void k(float* y) {{ y[0] = {number}; }}\n"
        'extern "C" void scale(int n, const float* x, float* y) { k<<<1, 1>>>(y); }\n'
    )


def step(number, **changes):
    fields = {"think": f"why {number}", "method": f"method {number}", "detail": f"what {number}"}
    return {**fields, "code": program(number), **changes}


LIST = json.dumps([step(1), step(2)])


@pytest.mark.parametrize(
    "text",
    [
        LIST,
        f"Here it is:\n```json\n{LIST}\n```\nDone.",
        f"<think>[{{}}]</think>\n{LIST}",
        json.dumps({"steps": [step(1), step(2)]}),
        LIST[:-1] + ",]",
        LIST[:-1] + ', {"think": "cut o',
        LIST.replace('"method"', '"Technique"').replace('"think"', '"reasoning"').replace('"code"', '"program"'),
        LIST.replace("\\n", "\n"),
        json.dumps([step(n, code=f"```cuda\n{program(n)}```") for n in (1, 2)]),
    ],
)
def test_a_list_is_read_however_it_is_wrapped(text):
    parsed = parse_trajectory(text, "scale")
    assert [s.method for s in parsed.steps] == ["method 1", "method 2"]
    assert [s.think for s in parsed.steps] == ["why 1", "why 2"]
    assert parsed.steps[1].code == program(2)
    assert parsed.notes == ()


@pytest.mark.parametrize(
    "head",
    [
        "Think: why {n}\nMethod: method {n}\nDetail: what {n}\n",
        "**Think:** why {n}\n**Method:** method {n}\n**Detail:** what {n}\n",
        "### Step {n}: method {n}\nwhy {n}\n",
        "{n}. method {n}\n\nThink: why {n}\nDetails: what {n}\n",
    ],
)
def test_blocks_are_read_with_their_labels_or_headings(head):
    text = "".join(f"{head.format(n=n)}\n```cuda\n{program(n)}```\n\n" for n in (1, 2))
    parsed = parse_trajectory(f"Let me begin.\n\n{text}", "scale")
    assert [s.method for s in parsed.steps] == ["method 1", "method 2"]
    assert "why 2" in parsed.steps[1].think
    assert parsed.steps[0].code == program(1)


def test_a_step_without_a_program_ends_the_trajectory():
    parsed = parse_trajectory(json.dumps([step(1), step(2, code="y[0] = 2; // as before"), step(3)]), "scale")
    assert [s.method for s in parsed.steps] == ["method 1"]
    assert parsed.notes == ("step_without_program",)


def test_a_step_that_changes_nothing_is_left_out():
    same = step(2, code="// the same\n" + program(1))
    parsed = parse_trajectory(json.dumps([step(1), same, step(3)]), "scale")
    assert [s.method for s in parsed.steps] == ["method 1", "method 3"]
    assert parsed.notes == ("unchanged_program",)


def test_words_may_be_missing_and_are_capped():
    (only,) = parse_trajectory(json.dumps([{"code": program(1), "method": "x" * 999}]), "scale").steps
    assert len(only.method) == 200 and only.think and only.detail
    (bare,) = parse_trajectory(f"```cuda\n{program(1)}```", "scale").steps
    assert bare.method == UNNAMED


def test_there_is_a_limit_of_steps():
    parsed = parse_trajectory(json.dumps([step(n) for n in range(MAX_STEPS + 5)]), "scale")
    assert len(parsed.steps) == MAX_STEPS
    assert parsed.notes == ("too_many_steps",)


@pytest.mark.parametrize(
    "text", ["", "I cannot do that.", "[]", "[{}]", "[" * 10_000, "{}", "[1, 2]", '[{"code": 1}]', "\ud800"]
)
def test_what_is_no_trajectory_has_no_steps(text):
    assert parse_trajectory(text, "scale").steps == ()
    assert parse_trajectory(text, "scale").notes in (("no_steps",), ("step_without_program",))


def test_a_huge_reply_is_not_read():
    assert parse_trajectory("[" * 5_000_000, "scale").notes == ("reply_too_long",)
