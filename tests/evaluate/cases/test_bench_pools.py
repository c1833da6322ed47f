"""Pools of bench shapes on the disk: made once, secret, whole or not there, and never in the way."""

import errno
import os
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from regrapht import settings
from regrapht.errors import ConfigError, EvaluatorUnavailable, InvalidTask
from regrapht.evaluate.cases import bench_pools as pools
from regrapht.evaluate.cases import pool_files as pool_set
from regrapht.evaluate.cases.bench_pools import (
    IN_MEMORY,
    REBUILT,
    Pools,
    forget_pools,
    hidden_from,
    pool_key,
    set_bytes,
)
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.records.task import SourceFile
from regrapht.sandbox import bubblewrap
from regrapht.sandbox.sandbox import Command, Limits

N = {"n": 5000}


def filled(oracle, sizes):
    """The pool after as many judgements as it takes."""
    for _ in range(4):
        oracle.bench.grow(sizes)
    return oracle.bench.trials(sizes)


class Counting:
    """A reference that counts how often it is asked what is right."""

    def __init__(self, program, *, fails=False):
        self._program, self.asked, self.fails = program, [], fails

    def __getattr__(self, name):
        return getattr(self._program, name)

    def expected(self, inputs, *, wall_s=None, magnitudes=True):
        self.asked.append(wall_s)
        if self.fails:
            raise ReferenceFailed("too slow", call=0)
        return self._program.expected(inputs, wall_s=wall_s, magnitudes=magnitudes)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "pools"


@pytest.fixture
def reference(saxpy, sandbox):
    return Counting(CompiledReference(saxpy, sandbox))


@pytest.fixture
def open_oracle(saxpy, reference, folder):
    def make(*, task=saxpy, size=2, cap=2**30, **more):
        return Oracle(task, reference, pool=size, pools=Pools(folder, cap), **more)

    return make


def files(folder, pattern="*.npy"):
    return sorted(folder.rglob(pattern))


def same(first, second):
    return all(
        a.inputs.values == b.inputs.values
        and a.inputs.poison == b.inputs.poison
        and all(np.array_equal(a.inputs.arrays[n], b.inputs.arrays[n]) for n in a.inputs.arrays)
        and all(np.array_equal(a.expected.as_written[n], b.expected.as_written[n]) for n in a.expected.as_written)
        and all(np.array_equal(a.expected.wide[k].values, b.expected.wide[k].values) for k in a.expected.wide)
        for a, b in zip(first, second, strict=True)
    )


def test_made_once_and_found_again(open_oracle, reference, saxpy):
    first = filled(open_oracle(), N)
    assert len(first) == 2 and len(reference.asked) == 2
    assert not np.array_equal(first[0].inputs.arrays["x"], first[1].inputs.arrays["x"])
    other = open_oracle()
    again = filled(other, N)
    assert same(first, again) and len(reference.asked) == 2 and other.bench.labels(N) == ()
    assert again[0].inputs.case.sizes == N
    scales = [trial.expected.wide["y", ""].scale for trial in (first[0], again[0])]
    assert scales[0] is not None and np.array_equal(*scales), "magnitudes are carried where that is quick, and kept"
    assert isinstance(again[0].inputs.arrays["x"], np.memmap) and not again[0].inputs.arrays["x"].flags.writeable
    more = filled(open_oracle(size=4), N)
    assert len(more) == 4 and same(first, more[:2]) and len(reference.asked) == 4, "only what is missing is made"
    assert open_oracle().bench.trials({"n": 4999})[0].inputs.arrays["x"].size == 4999, "another shape, another pool"


def test_a_fixed_secret_stays_in_memory(open_oracle, folder):
    one, two = (filled(open_oracle(secret=7), N) for _ in range(2))
    assert same(one, two) and not folder.exists()


def test_nobody_else_may_read_it(open_oracle, folder):
    filled(open_oracle(), N)
    assert folder.stat().st_mode & 0o077 == 0
    for path in files(folder, "*"):
        assert path.stat().st_uid == os.geteuid()
        if path.is_file():
            assert path.stat().st_mode & 0o077 == 0, path


def test_an_open_folder_is_closed_and_anothers_is_not_used(open_oracle, folder, tmp_path):
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    filled(open_oracle(), N)
    assert folder.stat().st_mode & 0o077 == 0
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(PermissionError), Pools(link, 2**30).open(pool_key_of("x")):
        pass


def pool_key_of(name):
    return pools.PoolKey(task=name, pool=name)


def test_a_folder_that_cannot_be_made_is_said(open_oracle, folder, reference):
    folder.write_text("a file is in the way")
    judged = open_oracle()
    assert len(filled(judged, N)) == 2 and judged.bench.labels(N) == (IN_MEMORY,)


@pytest.mark.parametrize("damage", ["cut", "flipped", "gone", "manifest", "half"])
def test_damage_is_found_and_mended(open_oracle, folder, reference, damage):
    first = filled(open_oracle(), N)
    path = files(folder)[0]
    if damage == "cut":
        os.truncate(path, path.stat().st_size - 4)
    elif damage == "flipped":
        raw = bytearray(path.read_bytes())
        raw[-1] ^= 1
        path.unlink()  # what is mapped above stays as it was
        path.write_bytes(raw)
    elif damage == "gone":
        path.unlink()
    elif damage == "manifest":
        manifest = path.parent / "manifest.json"
        manifest.write_bytes(manifest.read_bytes().replace(b"1", b"2", 1))
    else:
        (path.parent / "manifest.json").unlink()
    judged = open_oracle()
    again = filled(judged, N)
    assert judged.bench.labels(N) == (REBUILT,) and len(reference.asked) == 3, "the damaged set alone is made anew"
    assert not same(first[:1], again[:1]) and same(first[1:], again[1:])
    assert open_oracle().bench.labels(N) == ()


def test_what_a_crash_left_is_swept_away(open_oracle, folder):
    filled(open_oracle(), N)
    pool = files(folder)[0].parents[1]
    (pool / "building-0").mkdir()
    (pool / "building-0" / "0.npy").write_bytes(b"half")
    assert open_oracle().bench.labels(N) == () and not (pool / "building-0").exists()


@pytest.mark.parametrize(("days", "kept"), [(6, True), (8, False), (-8, False)])
def test_redrawn_weekly(open_oracle, monkeypatch, reference, days, kept):
    first = filled(open_oracle(), N)
    now = pools.time.time()
    monkeypatch.setattr(pools.time, "time", lambda: now + days * 86400)
    judged = open_oracle()
    assert same(first, filled(judged, N)) is kept and judged.bench.labels(N) == ()


def test_redrawn_on_request(open_oracle, folder, saxpy, gemm):
    first = filled(open_oracle(), N)
    open_oracle().bench.trials({"n": 10})
    assert forget_pools(gemm, folder=folder) == 0
    assert forget_pools(saxpy, folder=folder) == 2 and not files(folder)
    assert np.isfinite(first[0].inputs.arrays["x"]).all(), "what is open stays readable"
    assert not same(first, filled(open_oracle(), N))
    assert forget_pools(folder=folder) == 1


def test_least_recently_used_goes_first(open_oracle, folder, saxpy):
    each = set_bytes(saxpy, N)
    written = sum(path.stat().st_size for path in files(folder, "*") if path.is_file())
    assert written == 0
    room = int(3.5 * each)
    for n in (5000, 4999, 4998):
        open_oracle(size=1, cap=room).bench.trials({"n": n})
        os.utime(files(folder, "0")[0].parent)  # in order, even on a coarse clock
    kept = {path.parent.parent.name for path in files(folder, "manifest.json")}
    oldest = open_oracle(size=1, cap=room)
    oldest.bench.trials({"n": 4997})
    left = {path.parent.parent.name for path in files(folder, "manifest.json")}
    assert len(kept - left) >= 1 and len(left) <= 3
    assert sum(path.stat().st_size for path in files(folder, "*") if path.is_file()) <= room


def test_what_does_not_fit_is_kept_in_memory_and_said(open_oracle, folder):
    judged = open_oracle(cap=1000)
    assert len(filled(judged, N)) == 2 and judged.bench.labels(N) == (IN_MEMORY,) and not files(folder)


def test_a_full_disk_is_said(open_oracle, monkeypatch, folder):
    write = pool_set.create

    def full(path):
        if path.name == "2.npy":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path)

    monkeypatch.setattr(pool_set, "create", full)
    judged = open_oracle()
    assert len(filled(judged, N)) == 2 and judged.bench.labels(N) == (IN_MEMORY,)
    assert not files(folder), "nothing half made is left"


def test_a_reference_that_takes_too_long_leaves_nothing(open_oracle, reference, folder):
    reference.fails = True
    assert filled(open_oracle(), N) == [] and not files(folder)
    reference.fails = False
    assert len(filled(open_oracle(), N)) == 2, "and is tried again"


def test_threads_make_it_once(open_oracle, reference):
    found = []
    workers = [threading.Thread(target=lambda: found.append(filled(open_oracle(), N))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(reference.asked) == 2 and all(same(found[0], other) for other in found[1:])


HOLDER = """
import sys
from pathlib import Path
from regrapht.evaluate.cases.bench_pools import PoolKey, Pools
with Pools(Path(sys.argv[1]), 2**30).open(PoolKey(task="a", pool="a")):
    print("holds it", flush=True)
    sys.stdin.read()
"""


def test_processes_wait_for_each_other(folder):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    entered = threading.Event()

    def enter():
        with Pools(folder, 2**30).open(pool_key_of("a")):
            entered.set()

    thread = threading.Thread(target=enter)
    try:
        assert holder.stdout.readline() == "holds it\n"
        assert not Pools(folder, 0).make_room(1, folder / "a" / "b") and (folder / "a" / "a").exists(), "not evicted"
        thread.start()
        assert not entered.wait(0.3), "the other process holds it"
    finally:
        holder.kill()  # a crash frees it too
        holder.wait()
    thread.join(60)
    assert entered.is_set()


def test_a_changed_header_or_file_is_another_pool(build, sandbox, tmp_path):
    (tmp_path / "scale.h").write_text("#define SCALE 2.0f\n")
    source = '#include "scale.h"\nvoid f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = SCALE * x[i]; }'
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = build.task("f", source, args, (N,))
    task = replace(task, reference=replace(task.reference, include=(str(tmp_path),)))
    if os.geteuid() == 0:
        for parent in (tmp_path, *tmp_path.parents[:-2]):
            parent.chmod(parent.stat().st_mode | 0o055)

    def key():
        return pool_key(task, N, fingerprints=(CompiledReference(task, sandbox).fingerprint,))

    before = key()
    assert key() == before, "the same twice"
    (tmp_path / "scale.h").write_text("#define SCALE 3.0f\n")
    assert key() != before and key().task == before.task


SLOW = "void saxpy(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i]; }"
WRONG_AT_BENCH = SLOW.replace("i < n", "i < (n > 2000 ? n - 1 : n)")


class TestFast:
    """A fast reference is held against the slow one at each bench shape, once a machine."""

    @pytest.fixture
    def fast_oracle(self, saxpy, sandbox, folder, reference):
        def make(text=SLOW):
            task = replace(saxpy, reference=replace(saxpy.reference, fast=SourceFile(name="fast.cpp", text=text)))
            own = replace(task, reference=replace(task.reference, source=task.reference.fast, fast=None))
            fast = CompiledReference(own, sandbox)
            return Oracle(task, reference, fast=fast, pool=2, pools=Pools(folder, 2**30))

        return make

    def test_proven_once(self, fast_oracle, reference, monkeypatch):
        judged = fast_oracle()
        assert len(filled(judged, N)) == 2 and judged.bench.labels(N) == ()
        assert reference.asked == [10.0]
        assert fast_oracle().bench.labels(N) == () and reference.asked == [10.0]
        now = pools.time.time()
        monkeypatch.setattr(pools.time, "time", lambda: now + 8 * 86400)
        filled(fast_oracle(), N)
        assert reference.asked == [10.0], "a new draw of the week needs no new proof"

    def test_a_difference_at_a_bench_shape_alone_is_found(self, fast_oracle):
        judged = fast_oracle(WRONG_AT_BENCH)
        judged.prepare()
        with pytest.raises(InvalidTask, match="disagrees with the reference at n=5000"):
            filled(judged, N)

    def test_a_proof_that_does_not_end_is_a_label(self, fast_oracle, reference):
        reference.fails = True
        judged = fast_oracle()
        assert len(filled(judged, N)) == 2
        assert judged.bench.labels(N) == ("fast_unproven_at_bench n=5000",)
        reference.fails = False
        assert fast_oracle().bench.labels(N) == ("fast_unproven_at_bench n=5000",), "it is not tried every time"
        assert reference.asked == [10.0, 600.0], "with magnitudes, which may take less long, and without"


def test_no_sandbox_shows_it(sandbox, tmp_path, monkeypatch):
    """Also where a folder above it is bound, as a toolchain in the home folder would be."""
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path / "bound" / "cache"))
    secret = settings.pools()
    secret.mkdir(parents=True)
    secret.chmod(0o700)
    (secret / "seed").write_text("hidden")
    (tmp_path / "bound" / "seen").write_text("public")
    for path in (*secret.parents[:-2], tmp_path / "bound" / "seen"):
        path.chmod(path.stat().st_mode | 0o055)
    assert hidden_from(sandbox) or "weak_sandbox" in sandbox.labels
    if not hidden_from(sandbox):
        pytest.skip("the weak sandbox of an ordinary user: nothing is kept on the disk")
    bound = (tmp_path / "bound",)
    limits = Limits(wall_s=10, memory_bytes=2**28, output_bytes=4096)
    seen = sandbox.run(Command(argv=("cat", str(tmp_path / "bound" / "seen")), read_only=bound), limits)
    assert seen.stdout == "public", seen.stderr
    tried = sandbox.run(Command(argv=("cat", str(secret / "seed")), read_only=bound), limits)
    assert "hidden" not in tried.stdout and tried.exit_code != 0
    if sandbox.name == "bubblewrap":
        with pytest.raises(EvaluatorUnavailable, match=r"secrets|not readable"):
            sandbox.run(Command(argv=("true",), read_only=(secret,)), limits)


def test_an_ordinary_users_programs_see_an_empty_folder_there(tmp_path, monkeypatch):
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path / "home" / "cache"))
    monkeypatch.setattr(bubblewrap.os, "geteuid", lambda: 1000)
    assert bubblewrap._secrets_covered((tmp_path,)) == [], "there is nothing to cover yet"
    settings.pools().mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "home")
    argv = bubblewrap._secrets_covered((tmp_path / "link", tmp_path / "elsewhere", tmp_path / "home" / "cache"))
    covered = [argv[i + 1] for i, word in enumerate(argv) if word == "--tmpfs"]
    assert covered == [str(tmp_path / "link" / "cache" / "pools"), str(settings.pools())]
    with pytest.raises(EvaluatorUnavailable, match="secrets"):
        bubblewrap._secrets_covered((settings.pools() / "task",))


def test_without_a_place_to_hide_nothing_is_written(monkeypatch):
    class Weak:
        labels = ("weak_sandbox", "runs_as_root")

    assert pools.open_pools(Weak()) is None


def test_the_cap_is_a_setting(monkeypatch):
    monkeypatch.delenv("REGRAPHT_POOL_GIB", raising=False)
    assert settings.pool_bytes() == 20 * 2**30
    monkeypatch.setenv("REGRAPHT_POOL_GIB", "0.5")
    assert settings.pool_bytes() == 2**29
    monkeypatch.setenv("REGRAPHT_POOL_GIB", "much")
    with pytest.raises(ConfigError, match="REGRAPHT_POOL_GIB"):
        settings.pool_bytes()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int8"])
def test_every_type_survives(build, sandbox, folder, dtype):
    types = {"float16": "__half", "bfloat16": "__nv_bfloat16", "float64": "double", "int8": "signed char"}
    text = f"void f(int n, const {types[dtype]}* x, {types[dtype]}* y) {{ for (int i = 0; i < n; ++i) y[i] = x[i]; }}"
    include = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" if "16" in dtype else ""
    args = (build.size("n"), build.array("x", "n", "in", dtype=dtype), build.array("y", "n", "out", dtype=dtype))
    task = build.task("f", include + text, args, ({"n": 7},), exact=dtype == "int8")
    made, found = (
        Oracle(task, CompiledReference(task, sandbox), pools=Pools(folder, 2**30)).bench.trials({"n": 100})
        for _ in range(2)
    )
    assert same(made, found) if made[0].expected.wide else True
    assert (found[0].expected.as_written["y"] == made[0].expected.as_written["y"]).all()
    assert found[0].inputs.arrays["x"].dtype == made[0].inputs.arrays["x"].dtype
    assert (
        compare_case(
            task,
            found[0].inputs,
            found[0].expected,
            {"y": made[0].expected.as_written["y"]},
            tolerances=uncalibrated(task, {"n": 100}),
        ).status
        is None
    )
