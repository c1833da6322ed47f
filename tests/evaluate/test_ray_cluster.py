"""A cluster of three processes on this machine: judges, nodes and drivers are killed, and nothing is lost or doubled.

The judge and the proposer are made up and quick, from a module that stands in for a user's; all else is as `bench run --cluster` has it.
One experiment on a task of CUDAEval has the emulated judge, and loses a judge, a node and its driver.
`REGRAPHT_TEST_KILLS=20` kills at sixty points.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from regrapht.bench.experiment.results import read_results
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.verdict import Level
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_graph,
    synthetic_task,
)

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("REGRAPHT_TEST_KILLS", "5"))
WORLD = SyntheticWorld.draw(3)
TASK = synthetic_task()
MADE_UP = """
import time
from regrapht.evaluate.evaluator import Availability
from regrapht.records.run import Budget
from regrapht.testing.synthetic import SyntheticEvaluator, SyntheticProposer, SyntheticWorld, synthetic_context, synthetic_graph

WORLD = SyntheticWorld.draw(3)


class Judge:
    name, protocol = "made_up", "1"

    def __init__(self, sandbox):
        self._inner = SyntheticEvaluator(world=WORLD)

    def availability(self):
        return Availability(available=True)

    def environment(self):
        return self._inner.environment()

    def prepare(self, task, plain):
        return synthetic_context(WORLD, synthetic_graph(WORLD, seed=1), budget=Budget(candidates=1)).yardstick

    def evaluate(self, task, candidate, *, level):
        time.sleep(0.05)
        return self._inner.evaluate(task, candidate, level=level)


class Proposer:
    name = "made_up"

    def __init__(self, seed=0):
        self._inner = SyntheticProposer(world=WORLD, seed=seed, failure=0.2)

    def propose(self, task, proposal):
        return self._inner.propose(task, proposal)

    def applicable(self, task, candidate, transition):
        return None
"""
TOML = """schema = 1
id = "NAME"
title = "y = 2 x"
entry = "twice"
family = "layout"
[reference]
file = "twice.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "out"
[sizes]
check = [ { n = 203 } ]
bench = [ { n = 4000 } ]
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Three nodes of one core each, and a folder with the made-up parts that all of them import from."""
    from regrapht import settings

    settings.keep_ray_quiet()
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "made_up.py").write_text(MADE_UP)
    before = {name: os.environ.get(name) for name in ("PYTHONPATH", "REGRAPHT_NVCC")}
    os.environ |= {"PYTHONPATH": str(folder), "REGRAPHT_NVCC": "none"}
    sys.path.insert(0, str(folder))
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        made.add_node(num_cpus=1)
    yield made, folder
    made.shutdown()
    sys.path.remove(str(folder))
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})


def candidates(count):
    """Distinct ones, each with what the judge says of it."""
    judge = SyntheticEvaluator(world=WORLD)
    found = {}
    for seed in range(50 * count):
        proposer = SyntheticProposer(world=WORLD, seed=seed, failure=0.4)
        one = proposer.propose(TASK, Proposal(id=1, kind=ProposalKind.INITIAL, seed=seed, attempt=seed))
        if one.source is not None:
            found[one.id] = (one, judge.evaluate(TASK, one, level=Level.SCREEN))
        if len(found) == count:
            break
    return list(found.values())


def judged_while(evaluator, kill, *, kills=KILLS, seed=1):
    """Judge on all judges without end while `kill` is called at random points; every verdict is held against the right one."""
    chance, done, counted = random.Random(seed), threading.Event(), [0]
    asked = candidates(20)

    def work(number):
        picks = random.Random(number)
        while not done.is_set():
            one, right = picks.choice(asked)
            assert evaluator.evaluate(TASK, one, level=Level.SCREEN) == right
            counted[0] += 1

    with ThreadPoolExecutor(3) as pool:
        working = [pool.submit(work, number) for number in range(3)]
        try:
            for _ in range(kills):
                until = counted[0] + 1 + chance.randrange(6)
                waited = time.monotonic()
                while counted[0] < until:
                    assert time.monotonic() - waited < 300, "nothing is judged any more"
                    assert not any(one.done() for one in working), [one.exception() for one in working if one.done()]
                    time.sleep(0.01)
                time.sleep(chance.random() * 0.1)
                kill(chance)
        finally:
            done.set()
        for one in working:
            one.result()
    return counted[0]


@pytest.fixture
def evaluator(cluster):
    from regrapht.evaluate.ray_cluster import RayEvaluator

    made = RayEvaluator(cluster[0].address, "made_up:Judge")
    made.prepare(TASK, None)
    yield made
    made.close()


def test_judges_that_are_killed_lose_nothing(evaluator):
    import ray

    assert evaluator.judges == 3 and evaluator.name == "made_up"
    count = judged_while(evaluator, lambda chance: ray.kill(chance.choice(evaluator._actors), no_restart=False))
    assert count > KILLS


def test_nodes_that_are_killed_lose_nothing(cluster, evaluator):
    made, _ = cluster

    def kill(chance):
        gone = chance.choice(sorted(made.worker_nodes, key=str))
        made.remove_node(gone, allow_graceful=False)
        made.add_node(num_cpus=1)

    assert judged_while(evaluator, kill) > KILLS


def bench(folder, out, *more):
    (folder / "suite").mkdir(exist_ok=True)
    for name in ("one", "two"):
        place = folder / "suite" / name
        if not place.is_dir():
            place.mkdir()
            (place / "task.toml").write_text(TOML.replace("NAME", name))
            (place / "twice.cpp").write_text(
                "void twice(int n, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n"
            )
    (folder / "graph.json").write_text(synthetic_graph(WORLD, seed=1).to_json())
    words = "bench run suite --method mcgs --method random-walk --seeds 3 --budget 8 --workers 3 --graph graph.json"
    parts = ["--proposer", "made_up:Proposer", "--evaluator", "made_up:Judge", "--out", str(out)]
    return [sys.executable, "-m", "regrapht", *words.split(), *parts, *more]


def figures(out):
    experiment, cells = read_results(Path(out))
    assert len(cells) == experiment.cell_count
    return {cell.key: (cell.judged, cell.statuses, cell.techniques, cell.figure, cell.passed) for cell in cells}


def home(folder):
    """The environment of a driver with a store of its own, so that no verdict is known from another one's."""
    return {**os.environ, "REGRAPHT_HOME": str(folder), "REGRAPHT_NVCC": "none"}


def test_drivers_that_are_killed_go_on(cluster, tmp_path):
    made, folder = cluster
    whole = bench(folder, tmp_path / "whole")
    assert subprocess.run(whole, cwd=folder, env=home(tmp_path / "home"), capture_output=True).returncode == 0
    words = bench(folder, tmp_path / "killed", "--cluster", made.address)
    chance, kills, begun = random.Random(5), 0, 0
    results = tmp_path / "killed" / "results.jsonl"
    while kills < KILLS:
        environment = home(tmp_path / f"home{begun}")
        process = subprocess.Popen(
            words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said = ""
        for line in process.stdout:
            said += line
            if "cells" in line:
                break
        time.sleep(chance.random() * 3)
        process.send_signal(signal.SIGKILL)
        code = process.wait()
        process.stdout.close()
        if code != -signal.SIGKILL:
            assert code == 0 and kills > 0, said
            results.unlink()  # done before it could be killed: begin anew, for the points that are left
            begun += 1
        kills += 1
    last = subprocess.run(words, cwd=folder, env=home(tmp_path / f"home{begun}"), capture_output=True, text=True)
    assert last.returncode == 0, last.stderr
    assert figures(tmp_path / "killed") == figures(tmp_path / "whole")


def judges_of(node):
    """The processes of a node that judge."""
    raylet = node.all_processes["raylet"][0].process.pid
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == raylet:
                title = (stat.parent / "cmdline").read_bytes()
                found += [int(stat.parent.name)] if title.startswith(b"ray::_Actor") else []
    return found


def test_cudaeval_loses_nothing_to_a_judge_a_node_and_a_driver_that_are_killed(cluster, tmp_path):
    made, _ = cluster
    (tmp_path / "tasks.txt").write_text("beam_line\n")
    words = "bench run cudaeval --method random-walk --method mcgs --budget 3 --workers 3 --evaluator emulated"
    parts = ["--proposer", "transform", "--tasks", str(tmp_path / "tasks.txt")]
    words = [sys.executable, "-m", "regrapht", *words.split(), *parts]
    alone = subprocess.run(
        [*words, "--out", str(tmp_path / "alone")], env=home(tmp_path / "home"), capture_output=True, text=True
    )
    assert alone.returncode == 0, alone.stderr
    words += ["--out", str(tmp_path / "killed"), "--cluster", made.address]
    with subprocess.Popen(
        words, env=home(tmp_path / "other"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as driver:
        said = []
        for line in driver.stdout:
            said.append(line)
            if line.startswith("preparing"):
                judges = [pid for node in (made.head_node, *made.worker_nodes) for pid in judges_of(node)]
                assert judges, said
                os.kill(judges[0], signal.SIGKILL)
                made.remove_node(min(made.worker_nodes, key=str), allow_graceful=False)
                made.add_node(num_cpus=1)
            if line.startswith("[1/2]"):
                break
        else:
            pytest.fail("".join(said))
        driver.kill()
    last = subprocess.run(words, env=home(tmp_path / "other"), capture_output=True, text=True)
    assert last.returncode == 0, last.stderr
    assert figures(tmp_path / "killed") == figures(tmp_path / "alone")


def test_what_is_no_cluster(cluster):
    import ray

    from regrapht.evaluate.ray_cluster import RayEvaluator

    for address in ("local:none", "local:0"):
        with pytest.raises(ConfigError, match="local:N has a number of processes"):
            RayEvaluator(address, "made_up:Judge")
    for address in ("127.0.0.1:1", "127.0.0.1:port", "ray://127.0.0.1:1", "no-such-host.invalid:6379"):
        with pytest.raises(EvaluatorUnavailable, match="there is no cluster at"):
            RayEvaluator(address, "made_up:Judge")
    with pytest.raises(ConfigError, match="one kind of device"):
        RayEvaluator(cluster[0].address, "made_up:Judge", kind="H200")
    assert not ray.is_initialized()


def test_a_local_cluster_is_its_own_beside_one_that_runs_here(cluster):
    from regrapht.evaluate.ray_cluster import RayEvaluator

    made = RayEvaluator("local:2", "made_up:Judge")
    assert made.judges == 2
    made.close()
