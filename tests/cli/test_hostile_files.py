"""Files and folders that are none: every command says so in one line, with exit code 2, and never waits for one.

All in this process: nothing here is built or run.
"""

import os
import signal
import socket
import sys

import pytest

from regrapht.cli.main import main

TASK = """schema = 1
id = "t"
entry = "scale"
[reference]
file = "reference.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "inout"
init = { kind = "normal" }
[sizes]
check = [ { n = 5 } ]
"""
REFERENCE = "void scale(int n, float* x) { for (int i = 0; i < n; i++) x[i] = 2.0f * x[i]; }\n"
COMMANDS = {
    "check": ("check", "TASK", "FILE.cu", "--no-server"),
    "check of several": ("check", "TASK", "good.cu", "FILE.h", "--no-server"),
    "check of a task": ("check", "FILE.cpp"),
    "check with a task": ("check", "FILE.cpp", "good.cu", "--no-server"),
    "optimize": ("optimize", "FILE.cpp", "--budget", "1"),
    "init": ("init", "FILE.cpp"),
    "transform": ("transform", "FILE.cpp"),
    "emulate": ("emulate", "FILE.cu"),
    "emulate of several": ("emulate", "good.cu", "FILE.cu"),
    "graph show": ("graph", "show", "--graph", "FILE.json"),
    "bench report": ("bench", "report", "FILE.json"),
    "tune": ("tune", "TASK", "FILE.cu"),
    "verdict replay": ("verdict", "replay", "FILE.json"),
    "verdict sign": ("verdict", "sign", "FILE.json", "--key", "good.cu"),
}
KINDS = ("pipe", "folder", "socket", "loop", "device", "missing", "below a file")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "good").mkdir()
    (folder / "good" / "task.toml").write_text(TASK)
    (folder / "good" / "reference.cpp").write_text(REFERENCE)
    (folder / "good.cu").write_text('extern "C" void scale(int n, float* x) {}\n')
    open_sockets = []
    for ending in ("cu", "cpp", "h", "json"):
        os.mkfifo(folder / f"pipe.{ending}")
        (folder / f"folder.{ending}").mkdir()
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(folder / f"socket.{ending}"))
        open_sockets.append(listening)
        (folder / f"loop.{ending}").symlink_to(folder / f"loop.{ending}")
        (folder / f"device.{ending}").symlink_to("/dev/zero")
    yield folder
    for one in open_sockets:
        one.close()


def told(arguments, folder, monkeypatch, capsys):
    """Exit code and stderr of a command in `folder`. One that waits for a file is ended."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("REGRAPHT_HOME", str(folder / "home"))
    monkeypatch.setattr(sys, "argv", ["regrapht", *arguments])

    def waits(*_):
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, waits)
    signal.alarm(60)
    try:
        main()
        code = 0
    except SystemExit as ended:
        code = ended.code or 0
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return code, capsys.readouterr().err.strip()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused_in_one_line(hostile, command, kind, monkeypatch, capsys):
    def named(word):
        path = "good.cu/" + word.replace("FILE", "x") if kind == "below a file" else word.replace("FILE", kind)
        return {"TASK": "good"}.get(word, path if "FILE" in word else word)

    code, said = told([named(word) for word in COMMANDS[command]], hostile, monkeypatch, capsys)
    assert code == 2, (code, said)
    assert said.count("\n") == 0 and said.startswith("regrapht: ") and "Errno" not in said, said


@pytest.mark.parametrize("name", ["folder.json", "socket.json", "loop.json", "nowhere/v.json", "good.cu/v.json"])
@pytest.mark.parametrize("option", ["--verdict", "--sarif"])
def test_what_cannot_be_written_is_said_before_anything_is_judged(hostile, option, name, monkeypatch, capsys):
    def judged(*_, **__):
        raise AssertionError("the program was judged first")

    monkeypatch.setattr("regrapht.session.check.check_files", judged)
    monkeypatch.setattr("regrapht.session.verdicts.judge_and_publish", judged)
    code, said = told(["check", "good", "good.cu", option, name, "--no-server"], hostile, monkeypatch, capsys)
    assert code == 2 and said.count("\n") == 0 and "Errno" not in said, (code, said)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("latin.cpp", b"// gr\xf6\xdfe\n" + REFERENCE.encode(), "not UTF-8"),
        ("utf16.cpp", REFERENCE.encode("utf-16"), "not UTF-8"),
        ("large.cpp", b"// x\n" * 2_500_000 + REFERENCE.encode(), "12500080 bytes"),
        ("deep.cpp", b"int a = " + b"(" * 100_000 + b";\n" + REFERENCE.encode(), "nested"),
        ("braces.cpp", b"{" * 100_000 + REFERENCE.encode(), "nested"),
        ("chain.cpp", b"void f(int n) { " + b"if (n) ; else " * 50_000 + b"; }\n" + REFERENCE.encode(), "else"),
        ("empty.cpp", b"", "no function"),
    ],
    ids=["latin", "utf16", "large", "deep", "braces", "chain", "empty"],
)
def test_texts_that_no_task_is_inferred_from(hostile, name, content, words, monkeypatch, capsys):
    (hostile / name).write_bytes(content)
    for command in ("init", "transform", "check"):
        code, said = told([command, name], hostile, monkeypatch, capsys)
        assert code == 2 and words in said and said.count("\n") == 0, (code, said)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((("check = [ { n = 5 } ]", "check = [" + ",".join("{ n = 5 }" for _ in range(4000)) + "]"),), "4000 rows"),
        ((('"reference.cpp"', '"pipe.cpp"'),), "there is no file"),
        ((('"reference.cpp"', '"../../etc/passwd.cpp"'),), "leads out"),
        ((('shape = ["n"]', 'shape = ["' + "(" * 5000 + 'n"]'),), "shape"),
        ((("schema = 1", "schema = " + "[" * 50_000),), "no TOML"),
        ((('"reference.cpp"', '"a\\u0000.cpp"'),), "no name of a file"),
        ((('"reference.cpp"', '"' + "y" * 5000 + '.cpp"'),), "no name of a file"),
        ((('"reference.cpp"', '"circle.cpp"'),), "no name of a file"),
        ((("n = 5", "n = 2147483647"),), "GiB"),
        ((('shape = ["n"]', 'shape = ["n * 1000000000000000000000"]'),), "GiB"),
        ((("[sizes]", "[sizes]\nbench = [ { n = 2147483647 } ]"), ('["n"]', '["n * 1000"]')), "GiB"),
    ],
    ids=[
        *("rows", "pipe", "outside", "expression", "toml", "nul in a name", "long name", "circle"),
        *("gigabytes", "more than addresses", "more than machines have"),
    ],
)
def test_descriptions_that_are_none(hostile, change, words, tmp_path, monkeypatch, capsys):
    text = TASK
    for old, new in change:
        text = text.replace(old, new)
    (tmp_path / "task.toml").write_text(text)
    (tmp_path / "reference.cpp").write_text(REFERENCE)
    os.mkfifo(tmp_path / "pipe.cpp")
    (tmp_path / "circle.cpp").symlink_to(tmp_path / "circle.cpp")
    code, said = told(["check", str(tmp_path)], hostile, monkeypatch, capsys)
    assert code == 2 and words in said and said.count("\n") == 0, (code, said)


@pytest.mark.parametrize(
    "command", [("bench", "report"), ("verdict", "replay"), ("graph", "show", "--graph")], ids=" ".join
)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[" * 200_000,
        b'{"a": NaN}',
        b'{"schema": ' + b"9" * 10_000 + b"}",
        b'{"a": "\xf6"}',
        b'{"a": "\0"}',
        b'{"a": "\\ud800"}',
    ],
    ids=["empty", "null", "deep", "no number", "digits", "latin", "nul", "half a character"],
)
def test_records_that_are_none(hostile, command, content, monkeypatch, capsys):
    (hostile / "record.json").write_bytes(content)
    code, said = told([*command, "record.json"], hostile, monkeypatch, capsys)
    assert code == 2 and said.startswith("regrapht: ") and said.count("\n") == 0, (code, said)


@pytest.mark.parametrize("variable", ["REGRAPHT_HOME", "REGRAPHT_CACHE"])
@pytest.mark.parametrize("kind", ["pipe.json", "good.cu", "loop.json"])
def test_a_home_that_is_no_folder(hostile, variable, kind, monkeypatch, capsys):
    monkeypatch.chdir(hostile)
    monkeypatch.setattr(sys, "argv", ["regrapht", "check", "good", "good.cu", "--no-server"])
    monkeypatch.setenv("REGRAPHT_HOME", str(hostile / "home"))
    monkeypatch.setenv(variable, str(hostile / kind))
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert ended.value.code == 3 and said.startswith("regrapht: ") and "Errno" not in said, said


def test_a_full_disk_is_told_in_one_line(hostile, monkeypatch, capsys):
    """A limit of file sizes stands for it: what is written fails in the middle."""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
    try:
        code, said = told(["init", "good/reference.cpp", "--out", "made"], hostile, monkeypatch, capsys)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert code in (2, 3) and "File too large" in said and said.count("\n") == 0, (code, said)
