"""`regrapht init --json`: one object whether all was guessed or places were left open."""

import json


def test_json_names_what_was_guessed(cli, bare):
    done = cli("init", str(bare), "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert said["entry"] == "saxpy" and said["guesses"] and said["left_open"] == []


def test_json_names_what_is_left_open(cli):
    file = cli.folder / "mine.cpp"
    file.write_text(
        "void f(const float* t, const float* x, float* y, int n) { for (int i = 0; i < n; i++) { int k = x[i] * 2.5f; y[i] = t[k]; } }"
    )
    done = cli("init", str(file), "--json")
    assert done.returncode == 2 and "fill in each `?`" in done.stderr
    said = json.loads(done.stdout)
    (place,) = said["left_open"]
    assert (place["argument"], place["key"]) == ("t", "shape") and "line 1" in place["why"]
    assert said["file"] == str(cli.folder / "task.toml") and 'shape = ["?"]' in (cli.folder / "task.toml").read_text()
