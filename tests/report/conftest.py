"""A run with names that no page likes, its report, and a browser to open it in."""

import shutil
from pathlib import Path

import pytest

import arbosim
from arbosim.cli.main import main
from tests.report.nasty import NASTY, SOURCE

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "no Chromium: apt-get install chromium, or python -m playwright install chromium"


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """The folder in which the nasty strategy has its name, and the run its folder."""
    folder = tmp_path_factory.mktemp("report")
    file = folder / NASTY
    file.parent.mkdir()
    file.write_text(SOURCE, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def run(place):
    """A run folder with forfeited games, and one game that is asked for in its report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        names = f"random,greedy,{NASTY},{NASTY}:keep=3"
        assert main(["run", "-s", names, "-n", "12", "--seed", "3", "-j", "1", "--quiet", "-o", "run"]) == 1
        assert main(["report", "run", "--game", "0-1-0"]) == 0
    return place / "run"


@pytest.fixture
def results(run, place, monkeypatch):
    monkeypatch.chdir(place)
    return arbosim.load(run)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with playwright.sync_playwright() as started:
        paths = [*filter(None, map(shutil.which, BROWSERS)), started.chromium.executable_path]
        path = next((path for path in paths if Path(path).is_file()), None)
        if path is None:
            pytest.skip(NO_BROWSER)
        opened = started.chromium.launch(executable_path=path)
        yield opened
        opened.close()


@pytest.fixture
def watched(browser):
    """Open a page; afterwards nothing must have gone wrong, been asked for or popped up."""
    seen, contexts = [], []

    def opened(path, **settings):
        address = path.as_uri()
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (seen.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url in (address, "data:,") or seen.append(request.url))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert seen == []


@pytest.fixture
def open_page(watched, run):
    """Open the report of the run."""
    return lambda **settings: watched(run / "report.html", **settings)


@pytest.fixture
def contrasts():
    """Measure how texts stand out from what is behind them, as WCAG 2.2 does."""
    contrast = """element => {
        const numbers = text => text.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const layers = [];
        for (let at = element; at; at = at.parentElement)
            layers.unshift(numbers(getComputedStyle(at).backgroundColor));
        const ground = layers.reduce((under, [r, g, b, a = 1]) =>
            [r, g, b].map((v, i) => a * v + (1 - a) * under[i]), [255, 255, 255]);
        const [one, other] = [light(numbers(getComputedStyle(element).color)), light(ground)];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    }"""

    def measured(located, ink="color"):
        return located.evaluate_all(f"elements => elements.map({contrast.replace('.color)', f'.{ink})')})")

    return measured
