import threading

from regrapht.store.database import Database

SCHEMA = "CREATE TABLE things (name TEXT)"


def test_two_who_open_a_new_store_at_once_both_can(tmp_path):
    """SQLite refuses one of some thirty such pairs at once, without waiting, while the other turns the file into one with a log."""
    failures = []

    def opens(path, start):
        start.wait()
        try:
            Database(path, schema=SCHEMA, version=1).close()
        except Exception as error:
            failures.append(error)

    for attempt in range(250):
        start, path = threading.Barrier(2), tmp_path / str(attempt) / "things.sqlite3"
        threads = [threading.Thread(target=opens, args=(path, start)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
