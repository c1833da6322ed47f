"""What is said of a call while it goes on, from streams as servers send them and from what no server should send."""

import json

import pytest

from regrapht.llm.hearing import Hearing, Speed


def event(**said) -> bytes:
    return b"data: " + json.dumps(said).encode() + b"\n\n"


def read(processed, total=900) -> bytes:
    return event(choices=[{"delta": {"content": None}}], prompt_progress={"processed": processed, "total": total})


def wrote(text) -> bytes:
    return event(choices=[{"delta": {"content": text}}])


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        ([], ""),
        ([event(choices=[{"delta": {"role": "assistant"}}])], ""),
        ([read(0), read(256)], "the model has read 256 of 900 tokens"),
        ([read(900), wrote("a"), wrote("b")], "the model has written 2 tokens"),
        ([json.dumps({"message": {"content": "a"}, "done": False}).encode() + b"\n"], "the model has written 1 tokens"),
        ([b"data: {no JSON\n", wrote("a"), b"data: [DONE]\n"], "the model has written 1 tokens"),
        ([b"data: " + b"[" * 100_000 + b"\n", read(1)], "the model has read 1 of 900 tokens"),
        ([event(prompt_progress={"processed": "x"}), event(choices="x"), event(choices=[None]), b"data: 3\n"], ""),
        ([b"x" * 1_000_000], ""),
    ],
)
@pytest.mark.parametrize("pieces", [1, 7, 300])
def test_what_is_said(stream, words, pieces):
    hearing, whole = Hearing(), b"".join(stream)
    piece = max(1, len(whole) // pieces)
    for start in range(0, len(whole), piece):
        hearing.take(whole[start : start + piece])
    assert hearing.words() == words


@pytest.mark.parametrize(
    ("timings", "speed"),
    [
        ({"prompt_n": 500, "prompt_ms": 10_000, "predicted_n": 40, "predicted_ms": 4000.0}, Speed(50.0, 10.0)),
        ({"prompt_n": 1, "prompt_ms": 1, "predicted_n": 40, "predicted_ms": 4000}, Speed(None, 10.0)),
        ({"prompt_n": 500, "prompt_ms": 0, "predicted_n": 40}, Speed(None, None)),
        ({"prompt_n": 500, "prompt_ms": "fast", "predicted_n": 2, "predicted_ms": 1}, Speed(None, None)),
        ({"prompt_n": 500}, None),
        ("fast", None),
    ],
)
def test_speeds_are_those_of_enough_tokens(timings, speed):
    hearing = Hearing()
    hearing.take(event(choices=[], timings=timings))
    assert hearing.speed == speed


def test_what_one_answer_does_not_tell_is_known_from_an_earlier_one():
    assert Speed(None, 10.0).before(Speed(50.0, 8.0)) == Speed(50.0, 10.0)
    assert Speed(None, None).before(None) == Speed(None, None)
