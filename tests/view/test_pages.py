"""Every page in a real browser: what it shows, that nothing a program or a model wrote is run, at a wide and a narrow width."""

import os
import re
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from regrapht.store.runs import RunStore
from tests.view.browser import CHROMIUM, Browser
from tests.view.conftest import filled, judged_events, serve, settings

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")]
SHOTS = os.environ.get("REGRAPHT_SCREENSHOTS")
"""A folder to leave screenshots in, for somebody to look at."""


@pytest.fixture(scope="module")
def browser(viewed):
    window = Browser()
    served, *_ = viewed
    window.open(f"{served.url}/?token={served.token}")
    window.wait("document.body.innerText.includes('running')")
    yield window
    window.close()


@pytest.fixture(autouse=True)
def _clean(request, browser):
    yield
    assert browser.errors == [] and browser.run("document.title") != "broken"
    for width, height in ((1280, 900), (390, 844)):
        browser.resize(width, height)
        time.sleep(0.5)
        assert browser.run("document.documentElement.scrollWidth") <= width, "nothing is wider than the window"
        if SHOTS:
            name = re.sub(r"[^\w-]+", "_", request.node.name)[:100]
            browser.screenshot(Path(SHOTS) / f"{name}-{width}.png")
    browser.resize(1280, 900)


def test_runs(browser, viewed):
    served, run, _ = viewed
    browser.open(served.url)
    browser.wait(f"document.body.innerText.includes('{run[:12]}')")
    assert "1 run, 1 running" in browser.text() and browser.run("location.search") == "", "the token left the address"


def test_a_run_of_the_list_opens(browser, viewed):
    served, run, _ = viewed
    browser.open(served.url)
    browser.wait(f"document.body.innerText.includes('{run[:12]}')")
    browser.run("document.querySelector('.ag-row .ag-cell').click()")
    browser.wait(f"location.pathname === '/run/0/{run}'")


def test_a_run_opens_on_its_best_and_shows_any_candidate(browser, viewed):
    served, run, _ = viewed
    browser.open(f"{served.url}/run/0/{run}")
    browser.wait("document.querySelector('canvas') && document.body.innerText.includes('60 candidates')")
    assert "#59 technique-11: PASSED" in browser.text()
    browser.run(
        "[...document.querySelectorAll('.ag-row')].find(row => row.getAttribute('row-index') === '2').querySelector('.ag-cell').click()"
    )
    browser.wait("document.body.innerText.includes('#3 technique-03: RACE')")
    for tab, words in (
        ("Changes", "+__global__ void k3()"),
        ("Evidence", "a race in line 2"),
        ("Prompt", "prompt 3"),
        ("Reply", "reply 3 <script>"),
    ):
        browser.run(
            f"[...document.querySelectorAll('.q-tab')].find(tab => tab.innerText.toLowerCase() === '{tab.lower()}').click()"
        )
        browser.wait(f"document.body.innerText.includes({words!r})")


def test_the_reasoning_graph(browser, viewed):
    served, *_ = viewed
    browser.open(f"{served.url}/graph?technique=shared_memory_tiling")
    browser.wait("document.querySelector('canvas') && document.body.innerText.includes('Followed by')")
    assert re.search(r"\d+ techniques, \d+ transitions", browser.text())
    assert re.search(r"\d+ verified applications in \d+ tasks; .* % right; [\d.]+ x as fast", browser.text())
    browser.run("document.querySelector('.q-expansion-item .q-item').click()")
    browser.wait("document.querySelector('pre.diff')")


def test_an_experiment(browser, viewed):
    served, *_ = viewed
    browser.open(f"{served.url}/experiment/0")
    browser.wait("document.body.innerText.includes('mcgs is better than direct') && document.querySelector('.ag-row')")
    assert browser.run("document.querySelectorAll('svg polyline').length") >= 3


def test_what_is_not_there_is_one_line(browser, viewed):
    served, *_ = viewed
    for path, words in (
        ("/run/0/none", "there is no run"),
        ("/run/9/none", "there is no store"),
        ("/run/0/..%2F..%2Fetc", "404"),
    ):
        browser.open(served.url + path)
        browser.wait(f"document.body.innerText.includes({words!r})")


def test_a_running_run_is_followed(browser, viewed):
    served, _, home = viewed
    with RunStore(home) as store:
        run = store.create(settings(), None)
        browser.open(f"{served.url}/run/0/{run.id}")
        browser.wait("document.body.innerText.includes('0 candidates')")
        for event in judged_events(3):
            store.append(run.id, event)
        browser.wait("document.body.innerText.includes('3 candidates')")
        store.set_state(run.id, run.state.FINISHED, reason="finished")
        browser.wait("document.body.innerText.includes('finished')")


def test_the_list_of_runs_is_followed(browser, viewed):
    served, _, home = viewed
    browser.open(served.url)
    browser.wait("document.querySelectorAll('.ag-row').length > 0")
    before = browser.run("document.querySelectorAll('.ag-center-cols-container .ag-row').length")
    with RunStore(home) as store:
        run = store.create(settings(), None)
        browser.wait(
            f"document.body.innerText.includes('{run.id}') && document.body.innerText.includes('{before + 1} runs')"
        )
        store.set_state(run.id, run.state.INTERRUPTED, reason="interrupted")
        row = f"[...document.querySelectorAll('.ag-row')].find(row => row.innerText.includes('{run.id}'))"
        browser.wait(f"{row}?.innerText.includes('interrupted')")


def test_nothing_is_shown_without_the_token(viewed):
    served, run, _ = viewed
    for path in (
        "/",
        f"/run/0/{run}",
        "/_nicegui/3.18.0/static/nicegui.js",
        "/_nicegui_ws/socket.io/?EIO=4&transport=polling",
        "/?token=wrong",
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(served.url + path, timeout=30)
        assert refused.value.code == 401 and run not in refused.value.read().decode()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/run/9/nothing", "there is no store"),
        ("/run/..%2f..%2fetc/passwd", None),
        ("/run/0/..%2f..%2f..%2fetc%2fpasswd", None),
        ("/run/0/nothing", "there is no run"),
        ("/run/0/%00", "there is no run"),
        ("/run/0/" + "x" * 5000, "there is no run"),
        ("/experiment/9", "there is no experiment 9"),
        ("/experiment/-1", "there is no experiment -1"),
        ("/experiment/passwd", None),
        ("/graph?technique=../../etc/passwd", "no technique"),
        ("/%2e%2e/%2e%2e/%2e%2e/etc/passwd", None),
        ("/_nicegui/3.18.0/static/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", None),
    ],
)
def test_what_is_not_there_and_paths_that_leave_show_nothing(viewed, path, said):
    """A sentence on the page, or no page; never a fault, and never a file of the machine's."""
    served, _, _ = viewed
    asked = urllib.request.Request(served.url + path, headers={"Cookie": f"regrapht_view_{served.port}={served.token}"})
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            code, text = answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        code, text = refused.code, refused.read().decode()
    assert code in (200, 404, 422) and "root:" not in text and "Traceback" not in text, (code, text[:300])
    assert said is None or said in text, text[:2000]


def test_ten_thousand_candidates(tmp_path):
    """How long it takes is printed, and not asserted: the machine may be busy."""
    home = tmp_path / "home"
    run = filled(home, 10_000)
    served, window = serve(home), Browser()
    try:
        window.open(f"{served.url}/?token={served.token}")
        begun, before = time.monotonic(), _cpu(served.process.pid)
        window.open(f"{served.url}/run/0/{run}")
        window.wait("document.querySelector('canvas') && document.body.innerText.includes('10000 candidates')")
        print(
            f"shown after {time.monotonic() - begun:.1f} s, {_cpu(served.process.pid) - before:.2f} s of the server's CPU"
        )
        assert "#10000" in window.text() and window.errors == []
    finally:
        window.close()
        served.process.send_signal(2)
        assert served.process.wait(30) == 0


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
