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


def test_a_changed_verdict_does_not_count(tmp_path, made):
    with VerdictCache(tmp_path) as cache:
        cache.put("key", made.judged(1).verdict)
    with sqlite3.connect(tmp_path / "verdicts.sqlite3") as connection:
        connection.execute("UPDATE verdicts SET body = replace(body, 'right', 'wrong')")
    with VerdictCache(tmp_path) as cache:
        assert cache.get("key") is None
        cache.put("key", made.judged(1).verdict)
        assert cache.get("key") == made.judged(1).verdict


@pytest.mark.parametrize("how", ["text", "cut", "zeros in the middle"])
def test_a_damaged_file_is_moved_aside_and_begun_anew(tmp_path, made, how, caplog):
    path = tmp_path / "verdicts.sqlite3"
    with VerdictCache(tmp_path) as cache:
        for number in range(40):
            cache.put(f"key {number}", made.judged(1).verdict)
    raw = path.read_bytes()
    cut = {
        "text": b"no database" * 999,
        "cut": raw[: len(raw) // 2],
        "zeros in the middle": raw[:3000] + bytes(40_000) + raw[43_000:],
    }
    path.write_bytes(cut[how])
    with VerdictCache(tmp_path) as cache:
        cache.get("key 1")
        cache.put("key", made.judged(1).verdict)
        assert cache.get("key") == made.judged(1).verdict
    assert "damaged" in caplog.text and (tmp_path / "verdicts.sqlite3.damaged").exists()


def test_a_newer_file_is_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / "verdicts.sqlite3") as connection:
        connection.execute("PRAGMA user_version=99")
    with pytest.raises(SchemaError, match="newer"):
        VerdictCache(tmp_path)
