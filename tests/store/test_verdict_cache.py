import sqlite3
import threading

import pytest

from regrapht.errors import SchemaError
from regrapht.store.verdict_cache import VerdictCache


def test_a_verdict_is_found_again(tmp_path, made):
    verdict = made.judged(1).verdict
    with VerdictCache(tmp_path) as cache:
        assert cache.get("key") is None
        cache.put("key", verdict)
        assert cache.get("key") == verdict
    with VerdictCache(tmp_path) as cache:
        assert cache.get("key") == verdict
        cache.put("key", made.judged(2).verdict)
        assert cache.get("key") == made.judged(2).verdict


def test_threads_share_a_cache(tmp_path, made):
    verdicts = {f"key {number}": made.judged(number).verdict for number in range(24)}
    failures = []
    with VerdictCache(tmp_path) as cache:

        def work(offset):
            try:
                for number in range(24):
                    key = f"key {(number + offset) % 24}"
                    cache.put(key, verdicts[key])
                    assert cache.get(key) == verdicts[key]
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(offset,)) for offset in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert {key: cache.get(key) for key in verdicts} == verdicts


def test_a_changed_verdict_is_refused(tmp_path, made):
    with VerdictCache(tmp_path) as cache:
        cache.put("key", made.judged(1).verdict)
    with sqlite3.connect(tmp_path / "verdicts.sqlite3") as connection:
        connection.execute("UPDATE verdicts SET body = replace(body, 'right', 'wrong')")
    with VerdictCache(tmp_path) as cache, pytest.raises(SchemaError, match="damaged"):
        cache.get("key")
