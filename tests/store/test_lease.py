import os
import subprocess
import sys
from dataclasses import replace

import pytest

from regrapht.errors import ConfigError
from regrapht.store.lease import Lease

LINUX = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")


@pytest.fixture
def mine():
    return Lease.of_this_process()


def test_a_living_holder_is_not_stale(mine):
    assert not mine.is_stale
    with pytest.raises(ConfigError, match=f"process {os.getpid()}"):
        mine.refuse_if_live("run", force=False)
    with pytest.raises(ConfigError):
        mine.refuse_if_live("run", force=True)


def test_two_stores_of_one_process_hold_different_leases(mine):
    assert Lease.of_this_process() != mine


@LINUX
def test_a_number_used_again_is_another_process(mine):
    assert mine.started
    assert replace(mine, started=str(int(mine.started) + 1)).is_stale


@LINUX
def test_another_boot_ends_every_lease(mine):
    assert replace(mine, boot_id="00000000-0000-0000-0000-000000000000").is_stale


def test_a_process_that_ended_is_stale_even_before_it_is_collected(mine):
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    lease = replace(mine, pid=child.pid, started="")
    assert not lease.is_stale
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    if os.path.exists("/proc/self/stat"):
        assert lease.is_stale
    child.wait()
    assert lease.is_stale
    child.stdin.close()


@LINUX
def test_a_holder_in_another_container_is_taken_from_only_by_force(mine):
    foreign = replace(mine, namespace="pid:[1]", pid=4194999)
    assert not foreign.is_stale
    with pytest.raises(ConfigError, match="--force"):
        foreign.refuse_if_live("run", force=False)
    foreign.refuse_if_live("run", force=True)
