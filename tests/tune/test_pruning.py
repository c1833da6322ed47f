"""What is not worth a judgement, and what is."""

from dataclasses import replace

from regrapht.records.verdict import KernelResources, Status
from regrapht.testing.synthetic import synthetic_verdict
from regrapht.tune.opening import OpenParameter
from regrapht.tune.pruning import blind_parameters, known_registers, launch_problem, same_to_the_model

BLOCK = OpenParameter(name="block", values=("64", "128", "256", "512"), start="64", shapes_launch=True)
UNROLL = OpenParameter(name="unroll", values=("1", "2", "4"), start="1")


def program(threads: int, shared: int = 0) -> str:
    room = f"__shared__ char room[{shared}];" if shared else ""
    return f"__global__ void k(int n) {{ {room} }}\nvoid entry(int n) {{ k<<<n, {threads}>>>(n); }}"


def test_launches_that_cannot_work():
    assert "more than 1024" in launch_problem(program(2048), {})
    assert "49152 is the most" in launch_problem(program(128, 49153), {})
    assert "do not fit" in launch_problem(program(1024), {"k": 80})


def test_launches_that_may_work():
    for threads in (32, 64, 256, 1024):
        assert launch_problem(program(threads), {"k": 32}) is None
    assert launch_problem(program(256), {"k": 255}) is None, "few warps with much work each are often the fastest"
    assert launch_problem("void entry(int n) { k<<<n, m>>>(n); }", {}) is None


def test_few_resident_warps():
    assert launch_problem(program(64, 48 * 1024), {}) is None
    assert "leave 4 resident warps" in launch_problem(program(32, 48 * 1024), {})


def test_registers_are_taken_over_only_where_the_threads_do_the_same():
    said = replace(
        synthetic_verdict(Status.PASSED),
        resources=(KernelResources(name="k", registers_per_thread=80, static_shared_bytes=0, spill_bytes=0),),
    )
    judged = [({"block": "64", "unroll": "1"}, said)]
    assert known_registers({"block": "512", "unroll": "1"}, (BLOCK, UNROLL), judged) == {"k": 80}
    assert known_registers({"block": "64", "unroll": "2"}, (BLOCK, UNROLL), judged) == {}
    assert (
        known_registers(
            {"block": "64", "unroll": "1"}, (BLOCK, UNROLL), [(judged[0][0], synthetic_verdict(Status.PASSED))]
        )
        == {}
    )


def test_a_parameter_that_the_model_does_not_see():
    costs = [({"block": block, "unroll": "1"}, 10.0) for block in ("64", "128")]
    assert blind_parameters((BLOCK, UNROLL), costs) == frozenset(), "two values are no evidence"
    costs.append(({"block": "256", "unroll": "1"}, 10.001))
    assert blind_parameters((BLOCK, UNROLL), costs) == {"block"}
    assert same_to_the_model({"block": "512", "unroll": "1"}, frozenset({"block"}), costs) == 10.0
    assert same_to_the_model({"block": "512", "unroll": "2"}, frozenset({"block"}), costs) is None
    assert same_to_the_model({"block": "64", "unroll": "1"}, frozenset(), costs) is None


def test_a_parameter_that_the_model_sees():
    costs = [({"block": block, "unroll": "1"}, cost) for block, cost in (("64", 10.0), ("128", 10.0), ("256", 11.0))]
    assert blind_parameters((BLOCK, UNROLL), costs) == frozenset()
