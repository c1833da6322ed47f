"""Prompts and replies for a model that is slow, and only for one that says so."""

import logging
from types import SimpleNamespace

import pytest

from regrapht.llm.hearing import Speed
from regrapht.propose.pace import LEAST_REPLY, Pace


@pytest.mark.parametrize(
    ("speed", "options", "page", "reply"),
    [
        (None, {}, None, 2048),
        (Speed(34.0, 10.0), {}, 2040, 1500),
        (Speed(34.0, 1.0), {}, 2040, LEAST_REPLY),
        (Speed(34.0, 100.0), {}, 2040, 2048),
        (Speed(None, 10.0), {}, None, 1500),
        (Speed(34.0, None), {}, 2040, 2048),
        (Speed(34.0, 10.0), {"page": False}, None, 1500),
        (Speed(34.0, 10.0), {"reply": False}, 2040, 2048),
    ],
)
def test_limits_follow_the_speed(speed, options, page, reply):
    pace = Pace(SimpleNamespace(speed=speed), **options)
    assert (pace.page_tokens(), pace.reply_tokens(2048)) == (page, reply)
    assert Pace(SimpleNamespace()).page_tokens() is None, "most models tell no speed"


def test_a_reply_that_is_short_anyway_is_not_lengthened():
    assert Pace(SimpleNamespace(speed=Speed(1.0, 1.0))).reply_tokens(200) == 200


def test_it_is_said_once_and_only_where_something_gets_shorter(caplog):
    caplog.set_level(logging.INFO)
    Pace(SimpleNamespace(speed=Speed(1000.0, 100.0))).tell(2048, 16384)
    Pace(SimpleNamespace(speed=None)).tell(2048, 16384)
    assert not caplog.messages
    pace = Pace(SimpleNamespace(speed=Speed(34.0, 10.0)))
    pace.tell(2048, 16384)
    pace.tell(2048, 16384)
    assert len(caplog.messages) == 1
    for part in ("reads 34 and writes 10 tokens a second", "prompts to about 2040 tokens and replies to 1500"):
        assert part in caplog.messages[0]
