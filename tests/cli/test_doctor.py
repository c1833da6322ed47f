"""`regrapht doctor` as users call it."""

import json
import os
import shutil

import pytest


def rows_of(done):
    return {row["name"]: row for row in json.loads(done.stdout)["checks"]}


def test_without_bubblewrap_it_names_the_label_of_every_result(cli):
    done = cli("doctor", "--quick", "--json", REGRAPHT_BWRAP="/nonexistent/bwrap")
    sandbox = rows_of(done)["sandbox"]
    assert not sandbox["works"] and "bubblewrap" in sandbox["detail"] and "bubblewrap" in sandbox["fix"]
    assert "every verdict will carry the label weak_sandbox" in sandbox["detail"]
    assert done.returncode == 0, "a weak sandbox is a label, not a broken machine"
    text = cli("doctor", "--quick", REGRAPHT_BWRAP="/nonexistent/bwrap").stdout
    assert "absent  sandbox: bubblewrap does not work here" in text
    assert "absent  sandbox hides the home folder: no" in text


def test_with_bubblewrap_every_row_of_the_sandbox_holds(cli):
    if shutil.which(os.environ.get("REGRAPHT_BWRAP", "bwrap")) is None:
        pytest.skip("there is no bubblewrap")
    rows = {name: row for name, row in rows_of(cli("doctor", "--quick", "--json")).items() if "sandbox" in name}
    assert len(rows) == 7 and rows["sandbox"]["detail"] == "bubblewrap"
    assert all(row["works"] for row in rows.values()), rows


@pytest.mark.slow
def test_the_emulated_judge_keeps_its_promises(cli):
    done = cli("doctor")
    assert done.returncode == 0
    [line] = [line for line in done.stdout.splitlines() if "emulated judge examined" in line]
    assert line.startswith("ok") and "promises kept" in line and "not kept" not in line
    assert all(line.startswith("building ") for line in done.stderr.splitlines()), done.stderr


def test_doctor_names_what_is_here_and_what_is_not(cli):
    done = cli("doctor", "--quick", "--json")
    rows = {row["name"]: row for row in json.loads(done.stdout)["checks"]}
    assert rows["C++ compiler"]["works"] and rows["emulated judge"]["works"]
    assert all(row["fix"] or row["works"] for row in rows.values() if row["needed"])
