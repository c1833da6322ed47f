"""The live table of a search: drawn anew while nothing happens, so that its clock goes on."""

import types

import rich.live

from regrapht.cli import progress
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.run import Budget


class Recorder:
    """Takes the place of rich's live display and keeps what draws it."""

    def __init__(self, *_, get_renderable, **__):
        type(self).drawn = staticmethod(get_renderable)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def test_the_clock_goes_on_without_events(monkeypatch):
    monkeypatch.setattr(rich.live, "Live", Recorder)
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    settings = types.SimpleNamespace(budget=Budget(candidates=3), options={})
    launched = types.SimpleNamespace(
        yardstick=Yardstick(scale=Scale.MODELLED, start=2.0, floor=1.0, start_name="plain"),
        run=types.SimpleNamespace(settings=settings),
        replayed=(),
    )

    def elapsed():
        names, texts = Recorder.drawn().columns
        return str(list(texts.cells)[list(names.cells).index("elapsed")])

    with progress._live(launched):
        assert elapsed() == "0 s"
        now[0] += 12
        assert elapsed() == "12 s"
