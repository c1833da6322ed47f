"""The first Ctrl-C asks for an end, the second one makes it, and afterwards Ctrl-C is what it was."""

import signal

import pytest

from regrapht.cli.interrupt import stop_on_interrupt


def test_once_asks_and_twice_stops(capsys):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt("step") as stop:
        assert not stop.is_set()
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set() and "finishing the step in hand" in capsys.readouterr().err
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
