import os
import re

import pytest

from regrapht.construct.corpus import read_corpus
from regrapht.construct.relabel import Match, relabel
from regrapht.errors import TaskError
from regrapht.graph.vocabulary import load_vocabulary


def test_a_corpus_is_read_in_order(corpus):
    found = read_corpus(corpus)
    assert [(item.task.id, item.name) for item in found] == [
        ("scale_a", "fast"),
        ("scale_a", "slow"),
        ("scale_b", "own_words"),
    ]
    first = found[0]
    assert first.trajectory.family == "dense_la"
    assert first.files == ("01_step.cu", "02_step.cu", "03_step.cu")
    assert [step.method for step in first.trajectory.steps] == ["map_to_threads", "Loop Unrolling", "vectorised_access"]
    assert first.trajectory.steps[0].think == "because"
    assert first.trajectory.steps[2].code == (first.folder / "03_step.cu").read_text()


def test_labels_match_by_slug_or_alias_or_not_at_all(corpus):
    words = load_vocabulary()
    found = [relabel(item.trajectory, words) for item in read_corpus(corpus)]
    assert list(found[0].matches) == [Match.EXACT, Match.ALIAS, Match.EXACT]
    assert [step.technique for step in found[2].trajectory.steps] == ["map_to_threads", None, "grid_stride_loop"]
    assert [step.method for step in found[2].trajectory.steps] == [
        "map_to_threads",
        "sprinkle magic",
        "grid_stride_loop",
    ]


def edit(name, old, new):
    def change(folder):
        path = folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return change


BROKEN = {
    "missing key": (edit("trajectory.toml", 'licence = "Apache-2.0"\n', ""), "licence: is missing"),
    "unknown key": (edit("trajectory.toml", "title =", "colour = 1\ntitle ="), "colour: is unknown"),
    "unknown step key": (edit("trajectory.toml", "detail =", "speed = 1\ndetail ="), "steps[1].speed: is unknown"),
    "empty text": (edit("trajectory.toml", 'detail = "done"', 'detail = " "'), "steps[1].detail: must be a text"),
    "no steps": (
        lambda folder: (folder / "trajectory.toml").write_text("title='a'\nsource='b'\nlicence='c'\nsteps=[]"),
        "steps: must be",
    ),
    "no toml": (edit("trajectory.toml", "title =", "title"), "is not TOML"),
    "path out of the folder": (edit("trajectory.toml", "01_step.cu", "../01_step.cu"), "is not a file of this step"),
    "wrong number": (edit("trajectory.toml", "01_step.cu", "02_step.cu"), "is not a file of this step"),
    "absent file": (lambda folder: (folder / "02_step.cu").unlink(), "there is no such file"),
    "stray file": (lambda folder: (folder / "09_more.cu").write_text("x"), "09_more.cu belongs to no step"),
    "binary file": (lambda folder: (folder / "02_step.cu").write_bytes(b"\xff\xfe"), "is not UTF-8"),
    "huge file": (lambda folder: (folder / "02_step.cu").write_text("/" * 1_100_000), "is larger than"),
    "no trajectory file": (
        lambda folder: (folder / "trajectory.toml").unlink(),
        "trajectory.toml: there is no such file",
    ),
    "task of another name": (edit("../task.toml", 'id = "scale_a"', 'id = "other"'), "is not the folder's name"),
    "task of another family": (
        edit("../task.toml", 'family = "dense_la"', 'family = "scan"'),
        "is not the folder above",
    ),
    "odd folder": (lambda folder: (folder.parent / "Fast One").mkdir(), "is not a folder name"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_corpus_is_refused_by_file_and_key(corpus, name):
    change, words = BROKEN[name]
    change(corpus / "dense_la" / "scale_a" / "fast")
    with pytest.raises(TaskError, match=re.escape(words)) as caught:
        read_corpus(corpus)
    assert caught.value.remedy
    assert str(corpus) in caught.value.file


def test_links_are_not_followed(corpus, tmp_path):
    secret = tmp_path / "secret.cu"
    secret.write_text("secret")
    step = corpus / "dense_la" / "scale_a" / "fast" / "02_step.cu"
    step.unlink()
    os.symlink(secret, step)
    with pytest.raises(TaskError, match="no such file"):
        read_corpus(corpus)


def test_one_task_id_in_two_families_is_refused(corpus, writing):
    folder = writing.task(corpus, "scan", "scale_a")
    writing.trajectory(folder, "again", ["map_to_threads"])
    with pytest.raises(TaskError, match="is also the task in"):
        read_corpus(corpus)


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir()])
def test_no_corpus_at_all(tmp_path, make):
    make(tmp_path / "corpus")
    with pytest.raises(TaskError):
        read_corpus(tmp_path / "corpus")
