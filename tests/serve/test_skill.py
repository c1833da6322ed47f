"""The page for agents says what there is."""

import re
import subprocess
import sys

from regrapht.serve.desk import Desk
from regrapht.serve.skill import PLACES, skill_text


def test_the_page_names_only_tools_that_there_are():
    text = skill_text()
    named = set(re.findall(r"`([a-z]+_[a-z]+)`", text)) - {"not_checked", "machine_unavailable", "not_enforced"}
    assert named <= set(Desk.TOOLS) and {"describe_task", "apply_rule"} <= named
    assert text.startswith("---\nname: regrapht\ndescription: ")


def test_it_is_put_where_agents_look_and_kept_if_changed(tmp_path):
    def run(*options: str):
        command = [sys.executable, "-m", "regrapht", "skill", "install", *options]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run("--claude", "--codex", "--gemini", "--dir", "mine").returncode == 0
    written = [tmp_path / place / "regrapht" / "SKILL.md" for place in (*PLACES.values(), "mine")]
    assert all(file.read_text() == skill_text() for file in written)
    written[0].write_text("my own words")
    refused = run("--claude")
    assert refused.returncode == 2 and "--force" in refused.stderr and written[0].read_text() == "my own words"
    assert run("--claude", "--force").returncode == 0 and written[0].read_text() == skill_text()
    assert run().returncode == 2
