"""The whole build on miniature files, with the real emulated judge: what is admitted, why the rest is not, and how it goes on."""

import json
import threading
from pathlib import Path

import pytest

from regrapht.assemble import open_evaluator
from regrapht.bench.harvest.build import SuiteBuild
from regrapht.bench.harvest.outcomes import RESULTS, Stage
from regrapht.bench.suite import open_suite
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.llm.scripted import ScriptedModel
from regrapht.records.task import Role
from regrapht.sandbox.choose import choose

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
JUDGED = {
    "some.cu": f"__global__ void positive(const float* a, float* b, int n) {{ {INDEX} if (i < n && a[i] > 0) b[i] = a[i] * 3 + i; }}",
    "racy.cu": f"__global__ void last(const int* where, int* to, int n) {{ {INDEX} if (i >= n) return; to[where[i] / 2] = 5 * i + 1; }}",
    "unused.cu": f"__global__ void drop(const float* a, const float* c, float* b, int n) {{ {INDEX}"
    " if (i < n) b[i] = 2 * a[i] + 0 * c[i]; }",
    "totals.cu": "__global__ void part(const float* a, float* b, int n) { float s = 0; int t = blockIdx.x * blockDim.x + threadIdx.x;"
    " for (int k = t; k < n; k += blockDim.x * gridDim.x) { s += a[k]; b[k] = s; } }",
}
MODEL_REPLY = """
```cpp
void block_sums_all(const float* x, float* out, int n) {
  for (int b = 0; b < (n + 63) / 64; ++b) {
    float s = 0;
    for (int k = 0; k < 64; ++k)
      if (b * 64 + k < n) s += x[b * 64 + k];
    out[b] = s;
  }
}
```
```cuda
void launch(const float* x, float* out, int n) { block_sums<<<(n + 63) / 64, 64>>>(x, out, n); }
```
"""


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    return open_evaluator("emulated", cache_folder=tmp_path_factory.mktemp("verdicts"))


@pytest.fixture
def build(judge, tmp_path):
    def make(root: Path, out: Path | None = None, **more):
        given = {"evaluator": judge, "sandbox": choose().sandbox, **more}
        return SuiteBuild(root, out or tmp_path / "out", **given)

    return make


class Counted:
    """The judge, counting; broken after so many verdicts."""

    def __init__(self, judge, until=1000):
        self._judge, self.calls, self._until = judge, 0, until
        self.name, self.protocol = judge.name, judge.protocol

    def __getattr__(self, name):
        return getattr(self._judge, name)

    def evaluate(self, task, candidate, *, level):
        if self.calls >= self._until:
            raise EvaluatorUnavailable("the machine went away")
        self.calls += 1
        return self._judge.evaluate(task, candidate, level=level)


def dropped(report):
    return {stage.stage: dict(stage.dropped) for stage in report.stages if stage.dropped}


def test_files_become_tasks_and_every_loss_has_a_reason(build, collection, judge, tmp_path):
    seen = []
    report = build(collection).run(observer=lambda outcome, done, of: seen.append((outcome.unit, done, of)))
    assert report.complete and (report.files, report.kernels) == (3, 2)
    assert dropped(report) == {Stage.FILTER: {"no_kernel": 1}, Stage.SEQUENTIAL: {"shared_memory": 1}}
    assert sorted(seen) == sorted([("a_scale.cu:scale_kernel", 1, 2), ("b_reduce.cu:block_sums", 2, 2)])
    suite = open_suite(str(tmp_path / "out"))
    (task,) = [one.task for one in suite.tasks]
    assert report.admitted == (task.id,) and task.entry == "scale" and task.licence == "MIT"
    assert task.origin == "a_scale.cu: scale_kernel" and [arg.role for arg in task.args] == [Role.IN, Role.OUT, None]
    program = tmp_path / "out" / "solutions" / task.id / "01_map_to_threads.cu"
    assert program.read_text() == task.baselines[0].source.text and "if (i < n) { out[i]" in program.read_text()

    counted = Counted(judge)
    again = build(collection, evaluator=counted).run()
    assert (again.admitted, again.stages, counted.calls) == (report.admitted, report.stages, 0)
    (collection / "a_scale.cu").rename(collection / "z_moved.cu")
    assert build(collection, evaluator=counted).run().admitted == report.admitted and counted.calls == 0
    (collection / "include" / "factor.h").write_text("#define OTHER 0.0f\n")
    changed = build(collection, evaluator=counted).run()
    assert dropped(changed)[Stage.COMPLETE] == {"not_self_contained": 1}, "another header is another program"


@pytest.mark.slow
def test_what_running_tells(build, tmp_path):
    root = tmp_path / "judged"
    root.mkdir()
    for name, text in JUDGED.items():
        (root / name).write_text(text)
    report = build(root, workers=2).run()
    lost = dropped(report)
    assert lost[Stage.COMPARE] == {"race": 1, "wrong_value": 1} and lost[Stage.ADMIT] == {"ignored_input": 1}
    (task,) = [one.task for one in open_suite(str(tmp_path / "out" / "tasks")).tasks]
    assert task.entry == "positive_all" and task.args[1].role is Role.INOUT, "it leaves elements alone"


def test_a_machine_that_goes_away_loses_nothing(build, collection, judge, tmp_path):
    with pytest.raises(EvaluatorUnavailable):
        build(collection, evaluator=Counted(judge, until=0)).run()
    lines = (tmp_path / "out" / RESULTS).read_text().splitlines()
    assert {"describe"} <= {json.loads(line).get("stage") for line in lines}
    assert not (tmp_path / "out" / "tasks").exists()
    (tmp_path / "out" / RESULTS).write_text("\n".join(lines) + "\n" + lines[-1][:30])
    resumed = build(collection).run()
    assert len(resumed.admitted) == 1
    kept = (tmp_path / "out" / RESULTS).read_text().splitlines()
    assert kept[: len(lines)] == lines and len(set(kept)) == len(kept)


def test_stopping_ends_after_the_kernels_in_hand(build, collection):
    stop = threading.Event()
    stop.set()
    assert not build(collection).run(stop=stop).complete


@pytest.mark.slow
def test_a_model_does_what_rules_cannot(build, collection, tmp_path):
    (collection / "a_scale.cu").unlink()
    (collection / "d_lonely.cu").write_text(
        f"__global__ void grow(const float* a, float* b, int n) {{ {INDEX} if (i < n) b[i] = RATE * a[i] + bonus(a[i]); }}"
    )
    definitions = "```cuda\n#define RATE 1.5f\n__device__ float bonus(float v) { return v > 0 ? 1.0f : -1.0f; }\n```"
    model = ScriptedModel((MODEL_REPLY, definitions))
    report = build(collection, model=model).run()
    assert Stage.SEQUENTIAL not in dropped(report) and Stage.COMPLETE not in dropped(report)
    assert {task.rsplit("_", 1)[0] for task in report.admitted} == {"block_sums_all", "grow_all"}
    assert {stage.stage: stage.by_model for stage in report.stages if stage.by_model} == {
        Stage.COMPLETE: 1,
        Stage.SEQUENTIAL: 1,
    }
    again = build(collection, model=model).run()
    assert again.admitted == report.admitted, "the model is not asked again: it has no further reply"
    with pytest.raises(ConfigError, match="another model"):
        build(collection)


def test_a_wrong_model_is_found_out(build, collection, tmp_path):
    wrong = ScriptedModel((MODEL_REPLY.replace("float s = 0;", "float s = 1;"),))
    (collection / "a_scale.cu").unlink()
    report = build(collection, model=wrong).run()
    assert report.admitted == () and dropped(report)[Stage.COMPARE] == {"wrong_value": 1}


def test_what_the_user_can_mend(build, tmp_path):
    with pytest.raises(ConfigError, match="no folder"):
        build(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"no \.cu file"):
        build(tmp_path / "empty").run()


def test_the_build_never_reads_what_it_writes(build, collection, tmp_path):
    inside, link = collection / "suite", tmp_path / "link"
    link.symlink_to(collection, target_is_directory=True)
    for root, out in ((collection, collection), (collection, inside), (link, inside), (collection, link / "suite")):
        with pytest.raises(ConfigError, match="name a folder elsewhere"):
            build(root, out)
    for kept in ("tasks", "solutions/scale", ".work"):
        (tmp_path / "out" / kept).mkdir(parents=True)
        with pytest.raises(ConfigError, match="name a folder elsewhere"):
            build(tmp_path / "out" / kept, tmp_path / "out")
    assert not inside.exists() and not (tmp_path / "out" / RESULTS).exists()
    build(collection, tmp_path)
    assert (tmp_path / RESULTS).is_file(), "files beside what is written are only read"
