"""The table of attacks, row by row, in each sandbox that promises to hold it. Nothing here writes to a system's own files."""

import math
import os
import signal
import socket
import time
from pathlib import Path

import pytest

from regrapht.evaluate.judgement.endings import ending_of
from regrapht.sandbox import bubblewrap, rlimits
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.sandbox.supervise import tasks_of_user

LIMITS = Limits(wall_s=20, memory_bytes=2**29)
FATAL = ("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM")
FATAL += ("TERM", "XCPU", "XFSZ", "SYS")


def native(sandbox: Sandbox, binary: bytes, *arguments: str, limits: Limits = LIMITS, **more: object) -> Completed:
    return sandbox.run(Command(argv=("./a.out", *arguments), files={"a.out": binary}, **more), limits)


def wait_gone(running, marker: str) -> list[str]:
    deadline = time.monotonic() + 60
    while running(marker) and time.monotonic() < deadline:
        time.sleep(0.02)
    return running(marker)


# Processes


DAEMONS = r"""
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv) {
    signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN);
    if (argc > 2 && !strcmp(argv[2], "stay")) for (;;) sleep(1);
    for (int i = 0; i < 20; i++)
        if (!fork()) {
            setsid();
            if (fork()) _exit(0);
            char *bare[] = {0}, *again[] = {argv[0], argv[1], "stay", 0};
            execve(argv[0], again, argv[2] && !strcmp(argv[2], "bare") ? bare : environ);
            _exit(1);
        }
    usleep(300000);
    return 0;
}"""


def test_twenty_children_left_behind_are_gone(sandbox: Sandbox, program, running) -> None:
    marker = f"left-behind-{os.getpid()}-{sandbox.name}"
    done = native(sandbox, program(DAEMONS), marker)
    assert done.exit_code == 0 and done.stopped is None
    assert wait_gone(running, marker) == []


def test_daemons_that_hide_their_origin_are_gone(strong: Sandbox, program, running) -> None:
    """The weak sandbox finds daemons by their environment; these have none."""
    marker = f"hidden-{os.getpid()}"
    assert native(strong, program(DAEMONS), marker, "bare").exit_code == 0
    assert wait_gone(running, marker) == []


@pytest.mark.parametrize("how", ["raise(SIGSTOP);", "if (!fork()) { raise(SIGSTOP); } wait(0);"])
def test_a_stopped_child_meets_the_wall_limit(sandbox: Sandbox, program, running, how: str) -> None:
    marker = f"stopped-{os.getpid()}-{sandbox.name}"
    binary = program(f"#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint main() {{ {how} }}")
    done = native(sandbox, binary, marker, limits=Limits(wall_s=0.5))
    assert done.stopped == "timeout"
    assert wait_gone(running, marker) == []


FORKS = """#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int main() {
    struct rlimit most;
    getrlimit(RLIMIT_NPROC, &most);
    for (long n = 0; n <= (long)most.rlim_cur; n++) {
        int p = fork();
        if (!p) { sleep(60); _exit(0); }
        if (p < 0) { printf("%ld %ld", (long)most.rlim_cur, n); fflush(stdout); _exit(0); }
    }
    _exit(1);
}"""


def test_the_limit_of_processes_stops_a_program_that_forks(sandbox: Sandbox, program, monkeypatch) -> None:
    others = []
    monkeypatch.setattr(rlimits, "tasks_of_user", lambda user: others.append(tasks_of_user(user)) or others[-1])
    done = native(sandbox, program(FORKS), limits=Limits(wall_s=120, processes=32))
    assert done.exit_code == 0, "it was refused none"
    limit, made = (int(number) for number in done.stdout.split())
    assert limit == 32 + sum(others)
    # The kernel counts by user: without a namespace of users, what others of that user start and end meanwhile takes and makes room here.
    assert made <= limit if others else 0 < made <= limit


def test_cpu_time_is_limited_and_says_so(sandbox: Sandbox, program) -> None:
    done = native(sandbox, program("int main() { for (;;); }"), limits=Limits(wall_s=120, cpu_s=1))
    assert done.signal == signal.SIGXCPU and "SIGXCPU" in ending_of(done, 120)


def test_cpu_time_is_limited_for_those_who_ignore_the_signal(sandbox: Sandbox, program) -> None:
    binary = program("#include <signal.h>\nint main() { signal(SIGXCPU, SIG_IGN); for (;;); }")
    assert native(sandbox, binary, limits=Limits(wall_s=120, cpu_s=1)).signal == signal.SIGKILL


@pytest.mark.parametrize("name", FATAL)
def test_every_fatal_signal_is_named(sandbox: Sandbox, program, name: str) -> None:
    number = signal.Signals[f"SIG{name}"]
    binary = program(
        "#include <signal.h>\n#include <stdlib.h>\nint main(int c, char **v) { raise(atoi(v[1])); return 0; }"
    )
    done = native(sandbox, binary, str(int(number)))
    assert (done.exit_code, done.signal, done.stopped) == (None, number, None)
    assert ending_of(done, 20) == f"crashed with SIG{name}"


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("*(volatile int *)8 = 1;", "SIGSEGV"),
        ("__builtin_trap();", "SIGILL"),
        ("abort();", "SIGABRT"),
        ("volatile int zero = 0; return 7 / zero;", "SIGFPE"),
    ],
)
def test_real_faults_are_named(sandbox: Sandbox, program, fault: str, name: str) -> None:
    done = native(sandbox, program(f"#include <stdlib.h>\nint main() {{ {fault} }}"))
    assert ending_of(done, 20) == f"crashed with {name}"


# Memory and space


TOUCH = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(int argc, char **argv) {
    if (mmap(0, 1l << 38, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED) return 9;
    for (int i = 0; i < atoi(argv[1]); i++) {
        char *block = malloc(1 << 20);
        if (!block) { printf("%d", i); return 0; }
        for (long at = 0; at < 1 << 20; at += 4096) ((volatile char *)block)[at] = i;
        if (argc > 2) { printf("%d\n", i + 1); fflush(stdout); }
    }
    if (argc > 3) sleep(600);
    printf("all");
    return 0;
}"""


def test_twice_the_limit_is_ended_and_the_limit_is_not(sandbox: Sandbox, program) -> None:
    done = native(sandbox, program(TOUCH), "1024", "tell", "stay", limits=Limits(wall_s=120, memory_bytes=2**29))
    assert done.stopped == "memory" and int(done.stdout.split()[-1]) > 400


@pytest.mark.slow  # how soon is a matter of the machine's speed
def test_four_gigabytes_are_ended_soon_after_the_limit(sandbox: Sandbox, program) -> None:
    done = native(sandbox, program(TOUCH), "4096", "tell", limits=Limits(wall_s=20, memory_bytes=2**29))
    touched = int(done.stdout.split()[-1])
    print(f"ended at {touched} MiB after {done.wall_s:.2f} s")
    assert done.stopped == "memory" and 400 < touched < 2048


def test_memory_is_limited_by_the_kernel_beside_a_large_reservation(sandbox: Sandbox, program) -> None:
    limits = Limits(wall_s=20, memory_bytes=2**30, data_bytes=2**27)
    done = native(sandbox, program(TOUCH), "512", limits=limits)
    assert done.ok and 64 <= int(done.stdout) < 128


def test_memory_is_summed_over_the_children(sandbox: Sandbox, program) -> None:
    binary = program(
        """#include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int main() { for (int i = 0; i < 8; i++) if (!fork()) {
            volatile char *block = malloc(96 << 20);
            for (long at = 0; at < 96 << 20; at += 4096) block[at] = i;
            sleep(60); _exit(0);
        }
        while (wait(0) > 0); }"""
    )
    assert native(sandbox, binary, limits=Limits(wall_s=120, memory_bytes=2**29)).stopped == "memory"


@pytest.mark.parametrize(
    "make", ['memfd_create("m", 0)', '(unlink(strcpy(name, "f")), open("f", O_CREAT | O_RDWR, 0600))']
)
def test_files_without_a_name_are_memory_too(sandbox: Sandbox, program, make: str) -> None:
    """Written and never mapped, they are in no process's pages and in no folder."""
    binary = program(
        f"""#define _GNU_SOURCE
        #include <fcntl.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <unistd.h>
        static char block[1 << 20], name[8];
        int main() {{ for (int i = 0; i < 16; i++) {{
            int fd = {make};
            unlink("f");
            for (int k = 0; k < 32; k++) write(fd, block, sizeof block);
        }} sleep(60); }}"""
    )
    assert native(sandbox, binary, limits=Limits(wall_s=120, memory_bytes=2**28)).stopped == "memory"


def test_what_was_given_is_not_the_programs_memory(sandbox: Sandbox, program) -> None:
    given = os.memfd_create("outputs")
    try:
        os.posix_fallocate(given, 0, 2**28)
        command = Command(argv=("sleep", "0.3"), descriptors={3: given})
        assert sandbox.run(command, Limits(wall_s=20, memory_bytes=2**27)).ok
    finally:
        os.close(given)


SOON = pytest.mark.parametrize("within_s", [math.inf, pytest.param(10.0, marks=pytest.mark.slow)])
"""That it ends is promised anywhere; how soon is a matter of the machine's speed, and of the long tests."""


@SOON
def test_a_folder_without_end_holds_up_no_limit(sandbox: Sandbox, program, within_s: float) -> None:
    binary = program(
        """#include <stdio.h>
        #include <sys/stat.h>
        #include <unistd.h>
        int main() { for (;;) for (int k = 0; k < 900; k++) {
            char n[20]; sprintf(n, "%d", k); mkdir(n, 0700); if (k == 0) chdir("0");
        } }"""
    )
    done = native(sandbox, binary, limits=Limits(wall_s=2, scratch_bytes=2**40))
    assert done.stopped == "timeout" and done.wall_s < within_s


def test_many_files_together_fill_no_disk(sandbox: Sandbox) -> None:
    script = "mkdir d; for i in $(seq 40); do head -c 4000000 /dev/zero > d/$i; done; sleep 60"
    done = sandbox.run(Command(argv=("sh", "-c", script)), Limits(wall_s=120, scratch_bytes=2**26))
    assert done.stopped == "output"


def test_a_file_that_grows_too_large_is_named(sandbox: Sandbox, program) -> None:
    binary = program(
        """#include <fcntl.h>
        #include <unistd.h>
        static char block[65536];
        int main() { int fd = open("big", O_CREAT | O_WRONLY, 0600); for (int i = 0; i < 1024; i++) write(fd, block, sizeof block); }"""
    )
    done = native(sandbox, binary, limits=Limits(wall_s=20, file_bytes=2**20), collect=("big",))
    assert done.signal == signal.SIGXFSZ and "SIGXFSZ" in ending_of(done, 20)
    assert len(done.files["big"]) == 2**20


FILL = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
static char block[1 << 20];
int main(int argc, char **argv) {
    struct statvfs room;
    statvfs(argv[1], &room);
    char name[200];
    snprintf(name, sizeof name, "%s/filler", argv[1]);
    int fd = open(name, O_CREAT | O_WRONLY, 0600), written = 0;
    while (fd >= 0 && written < 64 && write(fd, block, sizeof block) == sizeof block) written++;
    printf("%llu %d %s", (unsigned long long)room.f_blocks * room.f_frsize, written, strerror(errno));
}"""


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_memory_folders_are_bounded(strong: Sandbox, program, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    assert native(strong, program(FILL), folder).stdout == f"{512 * 2**20} 64 Success"
    monkeypatch.setattr(bubblewrap, "_TEMPORARY_BYTES", str(2**24))
    assert native(strong, program(FILL), folder).stdout == f"{2**24} 16 No space left on device"


@pytest.mark.parametrize("folder", ["/", "/etc", "/dev"])
def test_nothing_can_be_put_beside_what_is_mounted(strong: Sandbox, program, folder: str) -> None:
    """These folders are the sandbox's own memory, made by bubblewrap, and none of the host's."""
    _, written, why = native(strong, program(FILL), folder).stdout.split(" ", 2)
    assert (written, why) == ("0", "Read-only file system")


def test_only_the_programs_own_folders_are_writable(strong: Sandbox) -> None:
    rows = strong.run(Command(argv=("cat", "/proc/self/mountinfo")), LIMITS).stdout.splitlines()
    writable = {row.split()[4] for row in rows if "rw" in row.split()[5].split(",")}
    devices = {path for path in writable if path.startswith("/dev/") and path != "/dev/shm"}
    assert writable - devices == {"/scratch", "/tmp", "/dev/shm", "/proc"}
    assert devices <= {
        f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "console", "pts")
    }
    hidden = {
        row.split()[4] for row in rows if "ro" in row.split()[5].split(",") and row.split()[4].startswith("/proc/")
    }
    assert {f"/proc/{name}" for name in ("sys", "irq", "bus", "fs") if os.path.isdir(f"/proc/{name}")} <= hidden


@SOON
def test_a_flood_on_both_pipes_without_a_line_end(sandbox: Sandbox, program, within_s: float) -> None:
    binary = program(
        """#include <unistd.h>
        static char block[1 << 20];
        int main() { int pipe = fork() ? 1 : 2; for (int i = 0; i < 10240; i++) write(pipe, block, sizeof block); }"""
    )
    done = native(sandbox, binary, limits=Limits(wall_s=120, output_bytes=4096))
    assert done.stopped == "output" and done.wall_s < within_s
    assert done.stdout + done.stderr
    for text in (done.stdout, done.stderr):
        assert "\0" not in text and len(text) <= 4 * 4096


# What can be seen


def test_the_environment_is_exactly_the_list(sandbox: Sandbox, program, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "REGRAPHT_API_KEY", "SSH_AUTH_SOCK", "LD_PRELOAD_", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "do-not-show")
    binary = program(
        "#include <stdio.h>\nextern char **environ;\nint main() { for (char **e = environ; *e; e++) puts(*e); }"
    )
    done = native(sandbox, binary, environment={"GIVEN": "1"})
    found = dict(line.split("=", 1) for line in done.stdout.splitlines())
    own = {"PWD": "/scratch", "HOME": "/scratch"} if sandbox.name == "bubblewrap" else {}
    if not own:
        own = {"HOME": found["HOME"], "REGRAPHT_SANDBOX_TOKEN": found["REGRAPHT_SANDBOX_TOKEN"]}
        assert Path(found["HOME"]).name.startswith("regrapht-")
    assert found == {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "GIVEN": "1", **own}


def test_exactly_five_descriptors(sandbox: Sandbox, program) -> None:
    """Read from /proc, whose own descriptor is the sixth."""
    binary = program(
        """#include <dirent.h>
        #include <stdio.h>
        #include <stdlib.h>
        int main() { DIR *d = opendir("/proc/self/fd"); struct dirent *e;
        while ((e = readdir(d))) if (e->d_name[0] != '.' && atoi(e->d_name) != dirfd(d)) puts(e->d_name); }"""
    )
    leaked, given = os.dup(0), [os.memfd_create("a"), os.memfd_create("b")]
    os.set_inheritable(leaked, True)
    try:
        done = native(sandbox, binary, descriptors={3: given[0], 4: given[1]})
    finally:
        for fd in (leaked, *given):
            os.close(fd)
    assert sorted(done.stdout.split()) == ["0", "1", "2", "3", "4"]


ACCESS = r"""
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int how = argv[i][0] == 'w' ? W_OK : argv[i][0] == 'r' ? R_OK : F_OK;
        puts(access(argv[i] + 1, how) ? strerror(errno) : "yes");
    }
}"""


def test_kernel_settings_cannot_be_written(sandbox: Sandbox, program) -> None:
    names = ("kernel/core_pattern", "kernel/modprobe", "vm/overcommit_memory", "fs/suid_dumpable")
    paths = [f"/proc/sys/{name}" for name in names if os.path.exists(f"/proc/sys/{name}")] + ["/proc/sysrq-trigger"]
    answers = native(sandbox, program(ACCESS), *(f"w{path}" for path in paths)).stdout.splitlines()
    assert len(answers) == len(paths) and "yes" not in answers, dict(zip(paths, answers, strict=True))


def test_system_folders_cannot_be_written(sandbox: Sandbox, program) -> None:
    paths = ("/etc", "/usr", "/usr/bin", "/usr/lib", "/bin", "/lib", "/var", "/root", "/home")
    answers = native(sandbox, program(ACCESS), *(f"w{path}" for path in paths)).stdout.splitlines()
    assert len(answers) == len(paths) and "yes" not in answers, dict(zip(paths, answers, strict=True))


def test_home_reference_and_store_are_not_there(strong: Sandbox, program, tmp_path: Path) -> None:
    reference = tmp_path / "reference.cpp"
    reference.write_text("the answer")
    reference.chmod(0o644)
    hidden = (
        "/etc/passwd",
        "/etc/shadow",
        "/root",
        "/home",
        "/var",
        "/sys",
        str(Path.home()),
        str(reference),
        __file__,
    )
    answers = native(strong, program(ACCESS), *(f"e{path}" for path in hidden)).stdout.splitlines()
    assert answers == ["No such file or directory"] * len(hidden)


def test_system_secrets_cannot_be_read(sandbox: Sandbox, program) -> None:
    paths = ("/etc/shadow", "/etc/gshadow", "/root/.ssh", "/proc/kcore")
    answers = native(sandbox, program(ACCESS), *(f"r{path}" for path in paths)).stdout.splitlines()
    assert len(answers) == 4 and "yes" not in answers


CONNECT = r"""
#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
static void say(int failed) { puts(failed ? strerror(errno) : "connected"); }
int main(int argc, char **argv) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr = {inet_addr("127.0.0.1")}};
    say(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a));
    a.sin_addr.s_addr = inet_addr("192.0.2.1");
    say(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a));
    struct sockaddr_un u = {.sun_family = AF_UNIX};
    strcpy(u.sun_path + 1, argv[2]);
    say(connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&u, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[2])));
}"""


def test_no_network_not_even_the_hosts_own(strong: Sandbox, program) -> None:
    name = f"regrapht-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        done = native(strong, program(CONNECT), str(server.getsockname()[1]), name)
    assert done.stdout.splitlines() == ["Connection refused", "Network is unreachable", "Connection refused"]


PARENT = r"""
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>
static void say(const char *what, int failed) { printf("%s: %s\n", what, failed ? strerror(errno) : "yes"); }
int main(int argc, char **argv) {
    int parent = atoi(argv[1]);
    char path[100];
    say("kill", kill(parent, 0));
    say("ptrace", ptrace(PTRACE_ATTACH, parent, 0, 0));
    snprintf(path, sizeof path, "/proc/%d/environ", parent);
    say("environ", open(path, O_RDONLY) < 0);
    snprintf(path, sizeof path, "/proc/%d/mem", parent);
    say("mem", open(path, O_RDONLY) < 0);
}"""


@pytest.mark.skipif(os.getpid() < 100, reason="the number of this process may exist inside too")
def test_the_parent_cannot_be_reached(strong: Sandbox, program) -> None:
    done = native(strong, program(PARENT), str(os.getpid()))
    gone = "No such process", "No such file or directory"
    assert done.stdout.splitlines() == [
        f"kill: {gone[0]}",
        f"ptrace: {gone[0]}",
        f"environ: {gone[1]}",
        f"mem: {gone[1]}",
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="a program of the same user may signal this process, in the weak sandbox")
def test_another_user_cannot_reach_the_parent(sandbox: Sandbox, program) -> None:
    answers = native(sandbox, program(PARENT), str(os.getpid())).stdout.splitlines()
    assert len(answers) == 4 and not any(answer.endswith("yes") for answer in answers)


def test_the_first_process_inside_tells_nothing(strong: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "do-not-show")
    done = strong.run(
        Command(argv=("sh", "-c", "ls /proc | grep -c '^[0-9]'; cat /proc/*/environ | tr '\\0' '\\n'")), LIMITS
    )
    assert int(done.stdout.splitlines()[0]) <= 4
    assert "do-not-show" not in done.stdout + done.stderr


# Compiling is running


SOURCES = {
    "incbin": 'asm(".incbin \\"/etc/passwd\\"");',
    "include": '#include "/etc/passwd"',
    "shadow": '#include "/etc/shadow"',
    "store": '#include "SECRET"',
    "embed": '__asm__(".incbin \\"SECRET\\"");',
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_build_reads_no_file_of_the_hosts(strong: Sandbox, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "expected.txt"
    secret.write_text("root:the-expected-answer\n")
    secret.chmod(0o644)
    source = SOURCES[name].replace("SECRET", str(secret)).encode()
    command = Command(argv=("g++", "-c", "-o", "a.o", "a.cpp"), files={"a.cpp": source}, collect=("a.o",))
    done = strong.run(command, LIMITS)
    assert done.exit_code not in (0, None) and done.files == {}
    assert "No such file" in done.stderr or "file not found" in done.stderr
    assert "root:" not in done.stdout + done.stderr


BOMBS = {
    "endless file": '#include "/dev/zero"',
    "huge object": 'asm(".fill 2000000000, 1, 7");',
    "constant expression": "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nconstexpr long g = f(60);",
    "templates": "template <int n> struct T { T<n + 1> a; T<n + 2> b; };\ntemplate <int n> struct U : U<2 * n>, U<2 * n + 1> {};\nU<1> u;",
    "macros": "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\nint a[] = { B(B(1,)) };",
}


@SOON
@pytest.mark.parametrize("name", BOMBS)
def test_a_build_that_explodes_is_ended(sandbox: Sandbox, name: str, within_s: float) -> None:
    command = Command(argv=("g++", "-c", "-o", "a.o", "a.cpp"), files={"a.cpp": BOMBS[name].encode()}, collect=("a.o",))
    done = sandbox.run(command, Limits(wall_s=2, memory_bytes=2**29, file_bytes=2**26, output_bytes=2**16))
    assert not done.ok and done.wall_s < within_s


# What is left behind


def test_planted_outputs_are_left_out(sandbox: Sandbox, program, tmp_path: Path) -> None:
    binary = program(
        """#include <fcntl.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/un.h>
        #include <unistd.h>
        int main() {
            symlink("/etc/shadow", "link"); symlink("a.out", "inner"); symlink(".", "folder");
            mkfifo("pipe", 0666); mkdir("directory", 0777);
            link("good", "missing"); close(open("good", O_CREAT | O_WRONLY, 0000)); close(open("one", O_CREAT | O_WRONLY, 0666));
            link("one", "two"); truncate("one", 1);
            close(open("large", O_CREAT | O_WRONLY, 0666)); truncate("large", 100001);
            close(open("-rf", O_CREAT | O_WRONLY, 0666)); close(open("new\\nline", O_CREAT | O_WRONLY, 0666));
            struct sockaddr_un u = {.sun_family = AF_UNIX, .sun_path = "socket"};
            bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&u, sizeof u);
        }"""
    )
    names = ("link", "inner", "folder", "pipe", "directory", "one", "two", "large", "socket", "-rf", "absent")
    done = native(sandbox, binary, collect=names, collect_limit_bytes=100_000)
    assert done.ok and done.files == {"-rf": b""}


@pytest.mark.parametrize("name", ["folder/inner", "../x", "/etc/passwd", "..", "", "a\0b"])
def test_only_plain_names_are_collected(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(ValueError, match="plain file name"):
        sandbox.run(Command(argv=("true",), collect=(name,)), LIMITS)


LITTER = {
    "files": 'char name[20]; for (int i = 0; i < COUNT; i++) { sprintf(name, "f%d", i); close(open(name, O_CREAT, 0600)); }',
    "a deep tree": 'for (int i = 0; i < 4096; i++) { mkdir("d", 0700); chdir("d"); }',
    "locked folders": 'mkdir("a", 0700); mkdir("a/b", 0700); close(open("a/b/c", O_CREAT, 0600)); chmod("a/b", 0); chmod("a", 0);',
    "a way out": 'symlink("/", "root"); mkdir("a", 0700); symlink("../..", "a/up"); close(open("-rf", O_CREAT, 0600)); mkdir("--", 0700);',
}


@pytest.mark.parametrize("name", [*LITTER, pytest.param("100000 files", marks=pytest.mark.slow)])
def test_litter_is_removed(sandbox: Sandbox, program, name: str, scratch_place: Path) -> None:
    beside = scratch_place / "beside"
    beside.write_text("stays")
    many = "100000" if name == "100000 files" else "2000"
    source = (
        f"#include <fcntl.h>\n#include <stdio.h>\n#include <sys/stat.h>\n#include <unistd.h>\n#define COUNT {many}\n"
    )
    source += f'int main() {{ {LITTER[name.removeprefix("100000 ")]} puts("littered"); }}'
    done = native(sandbox, program(source), limits=Limits(wall_s=120))
    assert done.stdout == "littered\n", done
    assert list(scratch_place.iterdir()) == [beside]
