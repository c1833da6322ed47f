"""Inputs are sealed even where the system is busy with a page of theirs for a moment."""

import errno
import fcntl
import mmap
import os

import pytest

from regrapht.sandbox import wire


@pytest.fixture
def file():
    descriptor = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, 8192)
    yield descriptor
    os.close(descriptor)


def test_a_file_that_is_busy_for_a_moment_is_sealed_later(file, monkeypatch):
    mapped = mmap.mmap(
        file, 8192, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE
    )  # as busy as a page in the system's hand
    with pytest.raises(OSError) as refused:
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
    assert refused.value.errno == errno.EBUSY
    monkeypatch.setattr(wire.time, "sleep", lambda s: mapped.close())
    wire._seal_against_writing(file)
    assert fcntl.fcntl(file, fcntl.F_GET_SEALS) & fcntl.F_SEAL_WRITE
    with pytest.raises(PermissionError):
        os.pwrite(file, b"x", 0)


def test_one_that_stays_busy_is_an_error(file, monkeypatch):
    monkeypatch.setattr(wire, "_BUSY_WAITS_S", (0.01, 0.02))
    waits = []
    monkeypatch.setattr(wire.time, "sleep", waits.append)
    with mmap.mmap(file, 8192, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE), pytest.raises(OSError) as refused:
        wire._seal_against_writing(file)
    assert refused.value.errno == errno.EBUSY and waits == [0.01, 0.02]


def test_another_error_is_not_waited_for(file):
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SEAL)
    with pytest.raises(PermissionError):
        wire._seal_against_writing(file)
