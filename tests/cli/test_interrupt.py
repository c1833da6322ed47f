"""The first Ctrl-C asks for an end, the second one makes it, and afterwards Ctrl-C is what it was."""

import os
import signal
import time

import pytest

from regrapht.cli.interrupt import stop_on_interrupt


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_once_asks_and_twice_stops(capsys, first, second):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt("step") as stop:
        assert not stop.is_set()
        signal.raise_signal(first)
        assert stop.is_set() and "finishing the step in hand" in capsys.readouterr().err
        signal.raise_signal(second)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_forked_child_ends_as_it_would():
    with stop_on_interrupt("step") as stop:
        ready, says = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(says, b"r")
            time.sleep(60)
            os._exit(0)
        os.read(ready, 1)
        os.kill(child, signal.SIGTERM)
        _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGTERM and not stop.is_set()
