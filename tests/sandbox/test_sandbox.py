"""What each sandbox contains: real programs that try to get out, use too much, or stay."""

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.sandbox.bubblewrap import BubblewrapSandbox
from regrapht.sandbox.choose import choose
from regrapht.sandbox.compiler_folder import compiler_folders, library_path
from regrapht.sandbox.giving_up import given_up_with
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox

LIMITS = Limits(wall_s=20, memory_bytes=2**29)


def shell(sandbox: Sandbox, script: str, limits: Limits = LIMITS) -> Completed:
    return sandbox.run(Command(argv=("sh", "-c", script)), limits)


def native(sandbox: Sandbox, binary: bytes, limits: Limits = LIMITS, *arguments: str) -> Completed:
    return sandbox.run(Command(argv=("./a.out", *arguments), files={"a.out": binary}), limits)


def test_files_in_and_out(sandbox: Sandbox) -> None:
    command = Command(argv=("sh", "-c", "cat given > made"), files={"given": b"content"}, collect=("made", "absent"))
    assert sandbox.run(command, LIMITS).files == {"made": b"content"}


def test_exit_code_and_streams(sandbox: Sandbox) -> None:
    done = shell(sandbox, "echo out; echo err >&2; exit 3")
    assert (done.exit_code, done.signal, done.stdout, done.stderr) == (3, None, "out\n", "err\n")


@pytest.mark.parametrize("number", [4, 6, 8, 11, 15])
def test_signals_are_named(sandbox: Sandbox, number: int) -> None:
    done = shell(sandbox, f"kill -{number} $$")
    assert (done.exit_code, done.signal) == (None, number)


def test_the_child_inherits_exactly_what_is_listed(sandbox: Sandbox, program) -> None:
    binary = program(
        """#include <stdio.h>
        #include <fcntl.h>
        int main() { for (int fd = 0; fd < 1024; fd++) if (fcntl(fd, F_GETFD) != -1) printf("%d ", fd); }"""
    )
    leaked = os.dup(0)
    os.set_inheritable(leaked, True)  # as a shell leaves descriptors open for us
    first, second = os.memfd_create("a"), os.memfd_create("b")
    try:
        command = Command(argv=("./a.out",), files={"a.out": binary}, descriptors={3: first, 4: second})
        assert sandbox.run(command, LIMITS).stdout.split() == ["0", "1", "2", "3", "4"]
    finally:
        for fd in (leaked, first, second):
            os.close(fd)


def test_environment_is_an_allow_list(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "do not show")
    names = {line.partition("=")[0] for line in shell(sandbox, "env").stdout.splitlines()}
    assert names <= {"PATH", "HOME", "LC_ALL", "PWD", "REGRAPHT_SANDBOX_TOKEN", "_", "SHLVL", "OLDPWD"}


def test_wall_limit_ends_a_spinner_that_ignores_signals(sandbox: Sandbox, program) -> None:
    binary = program("#include <signal.h>\nint main() { signal(SIGTERM, SIG_IGN); signal(SIGINT, SIG_IGN); for (;;); }")
    done = native(sandbox, binary, Limits(wall_s=0.5))
    assert done.stopped == "timeout" and done.exit_code is None


def test_a_kernel_without_descriptors_of_processes(sandbox: Sandbox, program, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> int:
        raise OSError("no such call")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    test_exit_code_and_streams(sandbox)
    test_wall_limit_ends_a_spinner_that_ignores_signals(sandbox, program)


def test_nothing_survives_a_double_fork(sandbox: Sandbox, program, running) -> None:
    marker = f"linger-{os.getpid()}-{sandbox.name}"
    binary = program(
        """#include <unistd.h>
        #include <signal.h>
        int main() { signal(SIGTERM, SIG_IGN); if (fork()) return 0; setsid(); if (fork()) return 0; for (;;) sleep(1); }"""
    )
    done = native(sandbox, binary, Limits(wall_s=5), marker)
    assert done.exit_code == 0
    deadline = time.monotonic() + 60
    while running(marker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert running(marker) == []


def test_memory_watchdog(sandbox: Sandbox, program) -> None:
    binary = program(
        """#include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        int main() { for (int i = 0; i < 4096; i++) { memset(malloc(1 << 20), 1, 1 << 20); usleep(200); } }"""
    )
    assert native(sandbox, binary, Limits(wall_s=120, memory_bytes=2**28)).stopped == "memory"


def test_a_large_reservation_is_not_memory(sandbox: Sandbox, program) -> None:
    binary = program(
        """#include <sys/mman.h>
        int main() { return mmap(0, 1l << 38, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED; }"""
    )
    assert native(sandbox, binary, Limits(wall_s=20, memory_bytes=2**28, data_bytes=2**28)).ok


def test_file_size_limit(sandbox: Sandbox) -> None:
    done = shell(sandbox, "head -c 4000000 /dev/zero > big", Limits(wall_s=10, file_bytes=2**20))
    assert not done.ok


def test_output_flood_is_capped_and_stopped(sandbox: Sandbox) -> None:
    done = shell(sandbox, "yes & yes >&2", Limits(wall_s=120, output_bytes=2**16))
    assert done.stopped == "output"
    assert len(done.stdout) <= 2**16 and len(done.stderr) <= 2**16


def test_output_is_escaped(sandbox: Sandbox) -> None:
    done = shell(sandbox, r"printf '\033[31mred\000 \377 ok\r'")
    assert done.stdout == r"\x1b[31mred\x00 \xff ok\x0d"


def test_strong_ones_side_by_side_do_not_share_the_limit_of_processes(strong: Sandbox) -> None:
    limits = Limits(wall_s=120, processes=40)
    done: list[Completed] = []
    script = "for i in $(seq 25); do sleep 1 & done; wait"
    threads = [threading.Thread(target=lambda: done.append(shell(strong, script, limits))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.ok for one in done] == [True] * 4, done


def test_hostile_scratch_folder_is_read_safely_and_removed(sandbox: Sandbox, scratch_place: Path) -> None:
    script = "ln -s /etc/passwd link; mkfifo pipe; mkdir -p deep -- '-rf'; cd deep; "
    script += "i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done"
    done = sandbox.run(Command(argv=("sh", "-c", script), collect=("link", "pipe", "deep")), LIMITS)
    assert done.ok and done.files == {}
    assert list(scratch_place.iterdir()) == []


def test_runs_side_by_side(sandbox: Sandbox) -> None:
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda i=i: results.append(shell(sandbox, f"echo {i}").stdout)) for i in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [f"{i}\n" for i in range(6)]


def test_no_root(sandbox: Sandbox, program) -> None:
    """Asked with access(2), never by writing."""
    binary = program(
        """#include <stdio.h>
        #include <unistd.h>
        int main() { printf("%d %d", access("/proc/sys/kernel/core_pattern", W_OK), access("/etc/shadow", R_OK)); }"""
    )
    assert native(sandbox, binary).stdout == "-1 -1"


def test_strong_hides_files_network_and_processes(strong: Sandbox, program) -> None:
    binary = program(
        """#include <arpa/inet.h>
        #include <stdio.h>
        #include <unistd.h>
        #include <signal.h>
        int main(int argc, char **argv) {
            int parent; sscanf(argv[1], "%d", &parent);
            struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr = {inet_addr("192.0.2.1")}};
            printf("%d %d %d", connect(socket(AF_INET, SOCK_DGRAM, 0), (void *)&a, sizeof a), kill(parent, 0), access(argv[2], F_OK));
        }"""
    )
    done = native(strong, binary, LIMITS, str(os.getpid()), str(Path(__file__).resolve()))
    assert done.stdout == "-1 -1 -1"


def test_strong_scratch_memory_folders_are_bounded(strong: Sandbox) -> None:
    done = shell(
        strong,
        "head -c 900000000 /dev/zero > /dev/shm/x || echo full",
        Limits(wall_s=20, memory_bytes=2**31, file_bytes=2**31),
    )
    assert "full" in done.stdout


def test_a_program_cannot_pose_as_a_broken_sandbox(strong: Sandbox) -> None:
    assert shell(strong, "echo 'bwrap: no such thing' >&2; exit 1").exit_code == 1


def test_a_missing_program_is_the_machines_fault(sandbox: Sandbox) -> None:
    with pytest.raises(EvaluatorUnavailable, match="no-such-program"):
        sandbox.run(Command(argv=("no-such-program",)), LIMITS)


def test_the_choice_says_why_it_is_weak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGRAPHT_BWRAP", "no-such-bwrap")
    choose.cache_clear()
    try:
        choice = choose()
        assert choice.sandbox.labels == ("weak_sandbox",)
        assert "no-such-bwrap" in choice.reason
    finally:
        choose.cache_clear()


@pytest.mark.usefixtures("strong")
def test_a_compiler_outside_the_system_folders_can_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "toolchain"
    (folder / "bin").mkdir(parents=True)
    compiler = folder / "bin" / "my-g++"
    compiler.write_text("#!/bin/sh\necho my compiler\n")
    compiler.chmod(0o755)
    for parent in (folder / "bin", folder, tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.geteuid() and Path("/tmp") in parent.parents:
            parent.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    made = BubblewrapSandbox()
    assert made.run(Command(argv=(str(compiler),)), LIMITS).stdout == "my compiler\n"


@pytest.mark.parametrize(
    ("place", "exposed"),
    [("home/bin/g++", "the home folder"), ("home/.local/bin/g++", "your programs' data"), ("bin/g++", "the home")],
)
def test_a_compiler_that_would_show_the_home_is_refused(place, exposed, tmp_path, monkeypatch) -> None:
    compiler = tmp_path / place
    compiler.parent.mkdir(parents=True)
    compiler.symlink_to("/usr/bin/g++")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path / "store"))
    for name in ("XDG_DATA_HOME", "CXX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{compiler.parent}:/usr/bin:/bin")
    with pytest.raises(ConfigError, match=f"holds {exposed}.*Set CXX"):
        BubblewrapSandbox()
    monkeypatch.setenv("CXX", "/usr/bin/g++")
    BubblewrapSandbox()


def test_a_compiler_beside_the_store_or_temporary_files_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path / "tool" / "store"))
    with pytest.raises(ConfigError, match="regrapht's store"):
        compiler_folders(str(tmp_path / "tool" / "bin" / "g++"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with pytest.raises(ConfigError, match="temporary files"):
        compiler_folders(str(tmp_path / "temporary" / "bin" / "g++"))
    assert compiler_folders("/usr/lib/ccache/g++") == compiler_folders("/bin/g++") == compiler_folders("g++") == ()


@pytest.mark.parametrize(
    ("said", "flags"),
    [
        ("/opt/gcc-15/lib64/libstdc++.so.6", ("-Wl,--disable-new-dtags,-rpath,/opt/gcc-15/lib64",)),
        ("/opt/gcc-15/bin/../lib64/libstdc++.so.6", ("-Wl,--disable-new-dtags,-rpath,/opt/gcc-15/lib64",)),
        ("/usr/lib/gcc/x86_64-linux-gnu/15/libstdc++.so.6", ()),
        ("/lib/x86_64-linux-gnu/libstdc++.so.6", ()),
        ("libstdc++.so.6", ()),  # what a compiler says that has none
        ("", ()),
    ],
)
def test_programs_find_the_library_of_a_compiler_outside_the_systems_folders(tmp_path, said, flags) -> None:
    compiler = tmp_path / "g++"
    compiler.write_text(f"#!/bin/sh\necho {said}\n")
    compiler.chmod(0o755)
    assert library_path(str(compiler)) == flags
    assert library_path(str(tmp_path / "absent")) == ()


@pytest.mark.usefixtures("strong")
@pytest.mark.skipif(not os.path.exists("/usr/bin/g++"), reason="the compiler lies elsewhere on this machine")
def test_of_a_compiler_in_no_bin_the_program_alone_is_shown(tmp_path, monkeypatch) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "my-g++").symlink_to("/usr/bin/g++")
    (tmp_path / "beside").write_text("not shown")
    (tmp_path / "beside").chmod(0o644)
    opened = [folder for folder in tmp_path.parents if folder.stat().st_uid == os.geteuid() and "pytest" in folder.name]
    for folder in opened:
        folder.chmod(0o755)
    monkeypatch.setenv("CXX", str(tmp_path / "my-g++"))
    script = f"{tmp_path}/my-g++ -dumpversion && test ! -e {tmp_path}/beside"
    assert shell(BubblewrapSandbox(), script).ok


def test_a_user_without_a_home_can_run_programs(strong, tmp_path, monkeypatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path))
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path))
    assert strong.run(Command(argv=("true",), read_only=(Path("/usr/include"),)), LIMITS).ok


@pytest.mark.usefixtures("strong")
def test_a_compiler_that_may_not_be_shown_is_no_reason_for_a_weaker_sandbox(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CXX", str(tmp_path / "bin" / "g++"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "g++").symlink_to("/usr/bin/g++")
    choose.cache_clear()
    try:
        with pytest.raises(ConfigError, match="Set CXX"):
            choose()
        monkeypatch.setenv("REGRAPHT_BWRAP", "no-such-bwrap")
        assert choose().sandbox.labels == ("weak_sandbox",), "it hides nothing, and says so"
    finally:
        choose.cache_clear()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's programs run as another user")
def test_a_compiler_that_the_other_user_cannot_read_is_named(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "closed").mkdir(mode=0o700)
    with pytest.raises(ConfigError, match=r"which only its owner may enter.*Set CXX"):
        compiler_folders(str(tmp_path / "closed" / "gcc" / "bin" / "g++"))


def test_no_folder_that_holds_the_home_is_shown(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(EvaluatorUnavailable, match="holds the home folder"):
        BubblewrapSandbox().run(Command(argv=("true",), read_only=(tmp_path,)), LIMITS)


def test_what_nobody_waits_for_is_ended_and_nothing_more_is_begun(sandbox: Sandbox, running) -> None:
    given_up = threading.Event()
    long = f"431.{os.getpid():07}{time.monotonic_ns() % 10**6:06}"  # which no other run of these tests waits
    with given_up_with(given_up):
        assert shell(sandbox, "echo on").stdout == "on\n"
        threading.Timer(0.3, given_up.set).start()
        with pytest.raises(EvaluatorUnavailable, match="nobody waits"):
            shell(sandbox, f"sleep {long}", Limits(wall_s=600))
        with pytest.raises(EvaluatorUnavailable, match="nobody waits"):
            shell(sandbox, "true")
    assert not running(f"sleep {long}") and not running(f"sleep\0{long}")
    assert shell(sandbox, "echo on").stdout == "on\n", "it is this work's affair alone"


def test_another_threads_work_goes_on(sandbox: Sandbox) -> None:
    given_up = threading.Event()
    given_up.set()
    done = []
    with given_up_with(given_up):
        thread = threading.Thread(target=lambda: done.append(shell(sandbox, "echo on").stdout))
        thread.start()
        thread.join()
    assert done == ["on\n"]


def test_a_full_folder_for_temporary_files_is_the_machines_fault(sandbox, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(EvaluatorUnavailable, match="TMPDIR") as told:
        sandbox.run(Command(argv=("true",)), Limits(wall_s=10))
    assert "Errno" not in str(told.value)
