# ruff: noqa: E501 -- a line is a Makefile
"""Makefiles in the manners of different people take programs, with real make, or say before any search what to do."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.session.port.applying import FOLDER, _make_rules, check_takes
from regrapht.session.port.compile_log import CompileLog
from regrapht.session.port.makefiles import into_make

SOURCES = {
    "main.cpp": """\
#ifdef REGRAPHT_TWICE
#include "twice.h"
#else
int twice_cpu(int x) { return x; }
#endif
int other();
int main() { return twice_cpu(other()) - 42; }
""",
    "other.cpp": "int other() { return 21; }\n",
    "old.c": "int old(void) { return 1; }\n",
}
PROGRAM = {
    "twice.h": "int twice_cpu(int);\n",
    "twice_cpu.cpp": "int twice_cpu(int x) { if (x < 0) throw x; return 2 * x; }\n",
}
OBJECTS = "OBJ = main.o other.o\n"
RULE = "%.o: %.cpp\n\t$(CXX) $(CXXFLAGS) -c $< -o $@\n"
LINK = "app: $(OBJ)\n\t$(CXX) -o $@ $^ $(LDLIBS)\n"
STYLES = {
    "both variables": "CXXFLAGS = -O1\n" + OBJECTS + LINK + RULE,
    "both variables, LIBS in braces": OBJECTS + "app: $(OBJ)\n\t$(CXX) -o $@ $^ ${LIBS}\n" + RULE,
    "C names and a suffix rule": (
        'CC = g++\nCFLAGS = -O1 -DV=\\"1.0\\"\n'
        + OBJECTS
        + "app: $(OBJ)\n\t$(CC) -o app $(OBJ) -lm\n.SUFFIXES: .cpp\n.cpp.o:\n\t$(CC) $(CFLAGS) -c $<\nclean:\n\trm -f app *.o\n"
    ),
    "CPPFLAGS alone": OBJECTS + LINK + "%.o: %.cpp\n\t$(CXX) $(CPPFLAGS) -c $< -o $@\n",
    "a fixed link line": OBJECTS + "app: $(OBJ)\n\tg++ -o $@ $^ -lm\n" + RULE,
    "a C compiler that links": OBJECTS + "app: $(OBJ)\n\tgcc -Wl,--as-needed -o $@ $^ -lstdc++ -lm\n" + RULE,
    "libraries before the objects": OBJECTS + "app: $(OBJ)\n\t$(CXX) $(LDFLAGS) -o $@ $^\n" + RULE,
    "no variable at all": (
        "app: main.o other.o\n\tg++ main.o other.o -o app\n"
        "main.o: main.cpp\n\tg++ -O1 -c main.cpp\nother.o: other.cpp\n\t@g++ -c other.cpp\n"
    ),
    "all in one call": "app: main.cpp other.cpp\n\tg++ -O1 main.cpp other.cpp -o app -lm\n",
    "all in one call, by names": "SRC = main.cpp other.cpp\nNAME = app\n"
    + "$(NAME): $(SRC)\n\t$(CXX) $(CXXFLAGS) $(SRC) -o $(NAME) $(LDLIBS)\n",
    "make's own rules": "CC = g++\napp: app.o other.o\napp.o: main.cpp\n\t$(CXX) $(CXXFLAGS) -c main.cpp -o app.o\n",
    "make's own rules, none written": "LINK.o = $(CXX) $(LDFLAGS)\nOBJ = main.o other.o\nmain: $(OBJ)\nall: main\n",
    "names of names": "COMPILE = $(CXX) $(FLAGS)\nFLAGS = -O1 -c\n"
    + OBJECTS
    + LINK
    + "%.o: %.cpp\n\t$(COMPILE) $< -o $@\n",
    "a shell's words behind": OBJECTS + "app: $(OBJ)\n\t@g++ -o app $(OBJ) -lm && echo linked > said.txt\n" + RULE,
    "a line that goes on": OBJECTS + "app: $(OBJ)\n\t$(CXX) -o $@ \\\n\t\t$(OBJ) \\\n\t\t-lm\n" + RULE,
    "another Makefile included": OBJECTS + "include rules.mk\n" + LINK,
    "C beside C++": ("CC = gcc\nOBJ = main.o other.o old.o\n" + LINK + RULE + "%.o: %.c\n\t$(CC) -c $< -o $@\n"),
    "a name with folder": "B = bin\nall: $(B)/app\n"
    + OBJECTS
    + "$(B)/app: $(OBJ)\n\tmkdir -p $(B)\n\t$(CXX) $(OBJ) -o $(B)/app\n"
    + RULE,
    "what is made is given to make": OBJECTS + LINK + RULE,
}
BUILDS = {"what is made is given to make": "make CXXFLAGS=-O0 LDLIBS=-lm"}


def project(folder: Path, makefile: str) -> Path:
    folder.mkdir()
    for name, text in {**SOURCES, "Makefile": makefile, "rules.mk": RULE}.items():
        (folder / name).write_text(text)
    return folder


def made(folder: Path, build: str, more: dict[str, str]) -> str:
    words = {**os.environ, "REGRAPHT_NVCC": "none", **more}
    done = subprocess.run(build, shell=True, cwd=folder, env=words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def ending(folder: Path) -> int:
    found = [
        one
        for one in (folder / "app", folder / "bin" / "app", folder / "bin" / "main", folder / "main")
        if one.is_file()
    ]
    assert len(found) == 1
    return subprocess.run([found[0]], check=False).returncode


@pytest.mark.parametrize("style", STYLES)
def test_a_makefile_takes_programs_by_few_changes(tmp_path: Path, style: str) -> None:
    build = BUILDS.get(style, "make")
    before = project(tmp_path / "before", STYLES[style])
    after = shutil.copytree(before, tmp_path / "after")
    log = CompileLog(tmp_path / "log")
    made(before, build, log.open())
    assert ending(before) == (21 - 42) % 256, "the application is not as it was"
    compiled = log.compiled(before)
    (after / FOLDER / "twice").mkdir(parents=True)
    for name, text in PROGRAM.items():
        (after / FOLDER / "twice" / name).write_text(text)
    (after / FOLDER / "regrapht.mk").write_text(_make_rules(["twice"], ["REGRAPHT_TWICE"], shares=True))
    for path, text in into_make(after / "Makefile", compiled, build=build, rules=f"{FOLDER}/regrapht.mk").items():
        path.write_text(text)
    made(after, build, {})
    assert ending(after) == 0, (after / "Makefile").read_text()
    old, new = (STYLES[style].splitlines(), (after / "Makefile").read_text().splitlines())
    taken_out = [line for line in old if line not in new]
    assert len(taken_out) <= 3 and len(new) - len(old) <= 5
    assert "is up to date" in made(after, build, {}) or "Nothing to be done" in made(after, build, {}), (
        "made again each time"
    )


SUB = "CXXFLAGS = -O1\n"
LIBRARY_RULE = "libother.a: other.o\n\t$(AR) rcs $@ $^\n"
APP_RULE = "app: main.o ../lib/libother.a\n\t$(CXX) -o $@ main.o {0}\n"
TREES = {
    "two folders": {
        "Makefile": "all:\n\t$(MAKE) -C lib\n\t$(MAKE) -C bin\n",
        "lib/Makefile": SUB + LIBRARY_RULE + RULE,
        "bin/Makefile": SUB + "LDLIBS = ../lib/libother.a -lm\n" + APP_RULE.format("$(LDLIBS)") + RULE,
    },
    "one folder": {
        "Makefile": "all:\n\t$(MAKE) -C bin app\n",
        "bin/Makefile": "app: main.o ../lib/other.o\n\tg++ main.o ../lib/other.o -o app\n" + RULE,
    },
    "a list of folders": {
        "Makefile": "SUBDIRS = lib bin\nall: $(SUBDIRS)\n$(SUBDIRS):\n\t$(MAKE) -C $@\nbin: lib\n.PHONY: all $(SUBDIRS)\n",
        "lib/Makefile": LIBRARY_RULE + RULE,
        "bin/Makefile": APP_RULE.format("../lib/libother.a") + RULE,
    },
    "a loop of the shell": {
        "Makefile": "all:\n\tfor d in lib bin; do ${MAKE} -C $$d || exit 1; done\n",
        "lib/Makefile": LIBRARY_RULE + RULE,
        "bin/Makefile": "OBJ = main.o ../lib/libother.a\n" + LINK + RULE,
    },
    "cd and make": {
        "Makefile": "all:\n\tcd lib && make\n\tcd bin && $(MAKE) app\n",
        "lib/Makefile": LIBRARY_RULE + RULE,
        "bin/Makefile": APP_RULE.format("-L../lib -lother $(LIBS)") + RULE,
    },
    "flags handed down": {
        "Makefile": "CXXFLAGS = -O1 -g\nall:\n\t$(MAKE) -C lib CXXFLAGS='$(CXXFLAGS)'\n\t$(MAKE) -C bin CXXFLAGS='$(CXXFLAGS)' LDLIBS=-lm\n",
        "lib/Makefile": LIBRARY_RULE + RULE,
        "bin/Makefile": APP_RULE.format("../lib/libother.a $(LDLIBS)") + RULE,
    },
    "flags exported": {
        "Makefile": "export CXXFLAGS = -O1\nall:\n\t$(MAKE) -C lib\n\t$(MAKE) -C bin\n",
        "lib/Makefile": LIBRARY_RULE + RULE,
        "bin/Makefile": APP_RULE.format("../lib/libother.a") + RULE,
    },
    "the program at the top": {
        "Makefile": "app: bin/main.o libs\n\t$(CXX) -o app bin/main.o lib/libother.a\nlibs:\n\t$(MAKE) -C lib\n.PHONY: libs\n" + RULE,
        "lib/Makefile": LIBRARY_RULE + RULE,
    },
    "two deep": {
        "Makefile": "all:\n\t$(MAKE) -C code\n",
        "code/Makefile": "all:\n\t$(MAKE) --directory=../lib\n\t$(MAKE) -C ../bin\n",
        "lib/makefile": LIBRARY_RULE + RULE,
        "bin/GNUmakefile": APP_RULE.format("../lib/libother.a") + RULE,
    },
    "names by a wildcard": {
        "Makefile": "DIRS = $(sort $(wildcard */Makefile))\nall:\n\t$(MAKE) -C lib\n\tfor d in $(DIRS); do make -C $$(dirname $$d); done\n",
        "lib/Makefile": LIBRARY_RULE + RULE,
        "bin/Makefile": APP_RULE.format("../lib/libother.a") + RULE,
    },
    "make's own rules": {
        "Makefile": "all:\n\t$(MAKE) -C lib\n\t$(MAKE) -C bin\n",
        "lib/Makefile": "libother.a: other.o\n\t$(AR) rcs $@ $^\n",
        "bin/Makefile": "LINK.o = $(CXX) $(LDFLAGS)\nmain: main.o ../lib/libother.a\n",
    },
    "shared settings above": {
        "Makefile": "all:\n\t$(MAKE) -C lib\n\t$(MAKE) -C bin\n",
        "common.mk": "CXX = g++\nCXXFLAGS = -O1\n" + RULE,
        "lib/Makefile": "include ../common.mk\n" + LIBRARY_RULE,
        "bin/Makefile": "all: app\ninclude ../common.mk\n" + APP_RULE.format("../lib/libother.a"),
    },
}  # fmt: skip


def tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {**files, "bin/main.cpp": SOURCES["main.cpp"], "lib/other.cpp": SOURCES["other.cpp"]}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("style", TREES)
@pytest.mark.parametrize("build", ["make", "make -j2"])
def test_makefiles_that_leave_work_to_others(tmp_path: Path, style: str, build: str) -> None:
    before = tree(tmp_path / "before", TREES[style])
    after = shutil.copytree(before, tmp_path / "after")
    log = CompileLog(tmp_path / "log")
    made(before, "make", log.open())
    assert ending(before) == (21 - 42) % 256, "the application is not as it was"
    compiled = log.compiled(before)
    assert {one.source.as_posix() for one in compiled} == {"bin/main.cpp", "lib/other.cpp"}
    (after / FOLDER / "twice").mkdir(parents=True)
    for name, text in PROGRAM.items():
        (after / FOLDER / "twice" / name).write_text(text)
    (after / FOLDER / "regrapht.mk").write_text(_make_rules(["twice"], ["REGRAPHT_TWICE"], shares=True))
    for path, text in into_make(after / "Makefile", compiled, build=build, rules=f"{FOLDER}/regrapht.mk").items():
        path.write_text(text)
    made(after, build, {})
    assert ending(after) == 0, "".join(one.read_text() for one in after.rglob("*akefile"))


@pytest.mark.parametrize(
    ("link", "variable"),
    [("$(LDLIBS)", "LDLIBS"), ("$(LIBS)", "LIBS"), ("${LDFLAGS}", "LDFLAGS"), ("$(LDFLAGS) $(LDLIBS)", "LDLIBS")],
)
def test_a_variable_behind_the_objects_is_added_to(tmp_path: Path, link: str, variable: str) -> None:
    text = f"all: app\napp: a.o b.o\n\t$(CXX) $(CXXFLAGS) -o $@ $^ {link}\n{RULE}"
    (tmp_path / "Makefile").write_text(text)
    (changed,) = into_make(tmp_path / "Makefile", [], build="make", rules="r.mk").values()
    assert changed == (
        f"{text}\ninclude r.mk  # made by regrapht\nCXXFLAGS += $(REGRAPHT_FLAGS)\n"
        f"{variable} += $(REGRAPHT_LIBRARY) $(REGRAPHT_LIBRARIES)\napp: $(REGRAPHT_LIBRARY)\n"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("app:\n\t$(MAKE) -C src\n", "give the folder of the one that compiles and links as DIR"),
        ("app:\n\t$(MAKE) -f other.mk\n", "give the folder of the one that compiles and links as DIR"),
        ("all: app\n%: %.o\n\tg++ -o $@ $^\n", "give the program a rule of its own"),
    ],
)
def test_what_cannot_take_programs_is_told_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "Makefile").write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        check_takes(tmp_path, [], build="make -j2")
    assert "\n" not in str(caught.value) and (tmp_path / "Makefile").read_text() == text
