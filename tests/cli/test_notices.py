"""Notices: told on stderr to who works at a terminal, to nobody else, and never twice."""

import logging

from regrapht.cli.notices import show_notices


def test_a_notice_is_shown_once(capsys):
    logging.getLogger("regrapht.somewhere").info("before")
    show_notices()
    show_notices()
    logging.getLogger("regrapht.somewhere").info("building %s", "it")
    shown = capsys.readouterr()
    assert shown.err == "building it\n" and shown.out == ""


def test_json_has_no_notices(cli, saxpy):
    plain = ("optimize", saxpy, "--budget", "1", "--evaluator", "emulated", "--out", "result")
    assert "preparing saxpy:" in cli(*plain).stderr
    quiet = cli(*plain, "--json")
    assert quiet.returncode == 0 and quiet.stderr == ""
