"""Where a running server is: a file that only its user can read, with address, token and process."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from regrapht import settings
from regrapht.evaluate.cached import judge_code
from regrapht.store.lease import process_exists


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One running server."""

    url: str
    token: str
    pid: int
    judge: str
    """The hash of its judge's code: another version's verdicts are not ours."""


def _file() -> Path:
    return settings.home() / "server.json"


def announce(*, port: int, token: str) -> Address:
    """Write the address down, readable by this user alone."""
    address = Address(url=f"http://127.0.0.1:{port}", token=token, pid=os.getpid(), judge=judge_code())
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(f".{os.getpid()}.new")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump({"url": address.url, "token": token, "pid": address.pid, "judge": address.judge}, out)
    beside.replace(file)
    return address


def withdraw() -> None:
    """Remove the file, if it is this process's."""
    if (found := find()) is not None and found.pid == os.getpid():
        _file().unlink(missing_ok=True)


def find() -> Address | None:
    """The server that runs here with this version's judge; None where there is none."""
    try:
        plain = json.loads(_file().read_text(encoding="utf-8"))
        address = Address(
            url=str(plain["url"]), token=str(plain["token"]), pid=int(plain["pid"]), judge=str(plain["judge"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return address if process_exists(address.pid) and address.judge == judge_code() else None
