"""A repair as a small model is asked for it: the function with the fault, its line, the error in plain words, one instruction."""

from dataclasses import replace

import pytest

from regrapht.prompts.fault_places import fault_places
from regrapht.prompts.hardware import HardwareBlock
from regrapht.prompts.program_view import count_tokens
from regrapht.prompts.render import RenderSettings, Wording, estimate_tokens, render
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.verdict import Stage, StageName, StageOutcome, Status

OTHERS = "".join(
    f"__global__ void other_{i}(int n, float* y) {{\n    int i = threadIdx.x;\n    if (i < n) y[i] += {i}.0f;\n}}\n\n"
    for i in range(9)
)
PROGRAM = f"""{OTHERS}__device__ float helper(float x) {{
    return x * scale_of(x);
}}

__global__ void kernel(int n, const float* x, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = helper(x[i]);
}}

extern "C" void scale(int n, float a, const float* x, float* y) {{
    kernel<<<(n + 255) / 256, 256>>>(n, x, y);
}}
"""
LINES = PROGRAM.split("\n")
IN_HELPER = LINES.index("    return x * scale_of(x);") + 1
IN_KERNEL = LINES.index("    y[i] = helper(x[i]);") + 1
UNDEFINED = "`scale_of` is used, and nothing of that name is defined there."
FAULTS = {
    "g++, a name": (
        Status.BUILD_FAILED,
        f"candidate.cu:{IN_HELPER}:16: error: 'scale_of' was not declared in this scope\n   59 |  return x * scale_of(x);\n",
        ("helper",),
        UNDEFINED,
    ),
    "nvcc, a name": (
        Status.BUILD_FAILED,
        f'candidate.cu({IN_HELPER}): error: identifier "scale_of" is undefined\n      return x * scale_of(x);\n\n1 error detected.',
        ("helper",),
        UNDEFINED,
    ),
    "clang, a name": (
        Status.BUILD_FAILED,
        f"candidate.cu:{IN_HELPER}:16: error: use of undeclared identifier 'scale_of'",
        ("helper",),
        UNDEFINED,
    ),
    "two functions": (
        Status.BUILD_FAILED,
        f"candidate.cu:{IN_HELPER}:16: error: 'a' was not declared in this scope\n"
        f"candidate.cu:{IN_KERNEL}:9: error: expected ';' before 'y'",
        ("helper", "kernel"),
        "A semicolon is missing in this line or at the end of the one before.",
    ),
    "words that are ours to quote": (
        Status.BUILD_FAILED,
        f"candidate.cu({IN_KERNEL}): error: no instance of overloaded function matches",
        ("kernel",),
        "The compiler says: no instance of overloaded function matches.",
    ),
    "a memory fault": (
        Status.OUT_OF_BOUNDS,
        f"emulator: access outside every allocation: write of 4 bytes at line {IN_KERNEL} in kernel kernel. Check the index.",
        ("kernel",),
        "What stands there in `kernel`:",
    ),
    "a race of two lines": (
        Status.RACE,
        f"emulator: two threads write one element at line {IN_KERNEL - 1} and line {IN_KERNEL} in kernel kernel.",
        ("kernel",),
        "y[i] = helper(x[i]);",
    ),
    "a wrong value": (
        Status.WRONG_VALUE,
        "The output is wrong. y: wrong in every element; first at y[0]: 1 too large there.",
        (),
        "first at y[0]: 1 too large there",
    ),
    "a line that the file does not have": (
        Status.BUILD_FAILED,
        "candidate.cu:4000:1: error: expected '}' at end of input",
        (),
        "expected '}' at end of input",
    ),
}


BUILT = (Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=0.0),)


@pytest.fixture
def told(refused):
    """A judged program with this status and feedback."""

    def made(status, feedback, source=PROGRAM):
        judged = refused(1, source, feedback=feedback)
        stages = () if status is Status.BUILD_FAILED else BUILT
        return replace(judged, verdict=replace(judged.verdict, status=status, stages=stages))

    return made


@pytest.fixture
def asked(task, told):
    def made(status, feedback, **settings):
        proposal = Proposal(id=2, kind=ProposalKind.REPAIR, parent=told(status, feedback))
        return render(task, proposal, settings=RenderSettings(**{"code_alone": True, **settings}))

    return made


@pytest.mark.parametrize("kind", FAULTS)
def test_what_is_shown_of_a_program_with_a_fault(kind, asked, told):
    status, feedback, functions, words = FAULTS[kind]
    places = fault_places(PROGRAM, told(status, feedback).verdict)
    assert places.functions == functions
    text = asked(status, feedback).messages[1].text
    assert words in text and "Give each function that changes" in text
    assert text.count("# What to do now") == 1 and "Change nothing else." in text
    if functions:
        assert "The functions to look at:" in text and "y[i] += 3.0f" not in text
        assert all(f"`{name}`" in text.partition("# What to do now")[2] for name in functions)
        assert ("return x * scale_of(x);" in text) == ("helper" in functions), (
            "a helper is whole where the fault is in it"
        )
    else:
        assert "y[i] += 3.0f" in text, (
            "all kernels where nobody knows which it is, and a whole file where that is as short"
        )


def test_the_launch_is_shown_where_the_number_of_threads_may_be_to_blame(asked):
    launch = "kernel<<<(n + 255) / 256, 256>>>"
    assert launch in asked(*FAULTS["a memory fault"][:2]).messages[1].text
    assert launch not in asked(*FAULTS["two functions"][:2]).messages[1].text


@pytest.mark.parametrize("kind", FAULTS)
def test_a_repair_by_function_is_the_shorter_question(kind, asked):
    status, feedback, functions, _ = FAULTS[kind]
    new, before = asked(status, feedback), asked(status, feedback, code_alone=False)
    assert estimate_tokens(new) < estimate_tokens(before)
    if functions:
        assert estimate_tokens(before) - estimate_tokens(new) > count_tokens(PROGRAM) / 4


def test_a_short_program_is_asked_for_whole(task, refused):
    short = PROGRAM.removeprefix(OTHERS)
    parent = refused(
        1,
        short,
        status=Status.BUILD_FAILED,
        feedback="candidate.cu:2:16: error: 'scale_of' was not declared in this scope",
    )
    text = render(
        task, Proposal(id=2, kind=ProposalKind.REPAIR, parent=parent), settings=RenderSettings(code_alone=True)
    )
    assert (
        short in text.messages[1].text
        and "Give the whole file" in text.messages[1].text
        and UNDEFINED in text.messages[1].text
    )


@pytest.mark.parametrize("wording", [Wording.FSR, Wording.THOUGHT])
def test_the_papers_ways_to_repair_stay_as_they_are(asked, wording):
    text = asked(*FAULTS["g++, a name"][:2], wording=wording).messages[1].text
    assert PROGRAM in text and "Change nothing else." not in text
    assert PROGRAM in asked(*FAULTS["g++, a name"][:2], code_alone=False).messages[1].text


def test_a_repair_needs_no_hardware(asked):
    hardware = HardwareBlock(name="NVIDIA H200", architecture="sm_90")
    assert "H200" not in asked(*FAULTS["g++, a name"][:2], hardware=hardware).messages[1].text
