"""A verdict from a running server: what `regrapht check` uses where there is one."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.records.encoding import from_plain, to_json
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.serve.address import Address

WAIT_S = 600.0


def judge_at(address: Address, task: Task, source: str, level: Level) -> Verdict:
    """The server's verdict on a program.

    Raises:
        ConfigError: The server does not take this task or source; says why.
        EvaluatorUnavailable: It cannot judge now, or does not answer.
    """
    name = _post(address, "/v1/tasks", to_json(task).encode())["task"]
    asked = {"task": name, "source": source, "level": level.value, "wait_s": WAIT_S, "detail": True}
    answer = _post(address, "/v1/tools/judge", json.dumps(asked).encode())
    if "verdict" not in answer:
        raise EvaluatorUnavailable(f"the server at {address.url} had no verdict after {WAIT_S:g} s; use --no-server")
    verdict: Verdict = from_plain(Verdict, answer["verdict"])
    return replace(verdict, gain_over_plain=answer.get("gain") if answer.get("gain_over") == "plain" else None)


def _post(address: Address, path: str, body: bytes) -> Mapping[str, Any]:
    request = urllib.request.Request(
        address.url + path,
        data=body,
        headers={"Authorization": f"Bearer {address.token}", "Content-Type": "application/json", "X-Client": "check"},
    )
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S + 30) as reply:
            answer: Mapping[str, Any] = json.load(reply)
            return answer
    except urllib.error.HTTPError as error:
        try:
            told = json.load(error)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            told = f"HTTP {error.code}"
        if error.code == 503:
            raise EvaluatorUnavailable(told) from error
        raise ConfigError(f"the server at {address.url}: {told}") from error
    except OSError as error:
        raise EvaluatorUnavailable(
            f"the server at {address.url} does not answer: {error.strerror or error}; use --no-server"
        ) from error
