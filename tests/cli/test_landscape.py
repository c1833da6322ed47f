"""`regrapht landscape`: recording in slices, looking into a file, and what is refused."""

import json


def test_a_landscape_is_recorded_in_slices_and_shown(cli, saxpy):
    record = ["landscape", "record", "saxpy", "--out", "out/one.json.gz", "--evaluator", "emulated"]
    record += ["--limit", "3", "--depth", "1", "--attempts", "1", "--full", "1"]
    stopped = cli(*record, "--stop-after", "0")
    assert stopped.returncode == 1 and "run this again" in stopped.stdout, stopped.stderr
    assert not (cli.folder / "out" / "one.json.gz").exists()
    assert (cli.folder / "out" / "one.json.gz.part").exists()
    done = cli(*record, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["complete"] and said["programs"] == 3 and said["values"] == "modelled costs"
    assert said["statuses"] == {"PASSED": 3} and said["judged_in_full"] == said["passed_in_full"] == 1
    assert not (cli.folder / "out" / "one.json.gz.part").exists()
    shown = cli("landscape", "show", "out/one.json.gz")
    assert shown.returncode == 0 and "modelled costs" in shown.stdout and "emulator (" in shown.stdout
    again = cli("landscape", "show", "out/one.json.gz", "--json")
    assert json.loads(again.stdout) == {key: said[key] for key in said if key not in ("file", "complete")}
    refused = cli(*record)
    assert refused.returncode == 2 and "exists" in refused.stderr and "Traceback" not in refused.stderr


def test_what_is_no_landscape_or_no_task_is_said_so(cli, bare):
    (cli.folder / "task.json").write_text("{}")
    for arguments, reason in (
        (("show", "none.json"), "there is no landscape"),
        (("show", "task.json"), "is not a landscape"),
        (("show", "saxpy.cpp"), "is not a landscape"),
        (("record", "none", "--out", "x.json"), "there is no none"),
        (("record", "saxpy.cpp", "--out", "x.json", "--limit", "99999"), "at most 5000"),
    ):
        done = cli("landscape", *arguments)
        assert done.returncode == 2 and reason in done.stderr and "Traceback" not in done.stderr, done.stderr
