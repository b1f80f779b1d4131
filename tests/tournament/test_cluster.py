"""Playing on the workers of a dask cluster: real processes, and the same rows as here."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import arbosim
from arbosim.cli.main import main
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.measures import METRICS
from arbosim.games.arboretum import api
from arbosim.tournament import cluster, run

GREEDY = "random,greedy"
SEAT = '''
import os, time
from pathlib import Path
from arbosim.core.measures import METRICS
from arbosim.games.arboretum import api


class {name}(api.Strategy):
    """Take the deck, lay the first card, and leave a trace of the process."""

    def draw(self, view):
        (Path(__file__).parent / f"played-{{os.getpid()}}").touch()
        time.sleep({pause})
        return "deck" if view.deck_count else next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[{discarded}]
'''

METRIC = '''
from arbosim.games.arboretum import measuring


@measuring.metric("steps", per="game")
def turns(event, seat, action, table, hidden, out):
    """Count what happens."""
    out[0, 0] += 1
'''


def write(path: Path, name: str = "Trace", pause: float = 0.0, discarded: int = -1) -> Path:
    path.write_text(SEAT.format(name=name, pause=pause, discarded=discarded))
    return path


class Cluster:
    """A scheduler and its workers, processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        where = folder / "scheduler.json"
        self._scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(where)
        )
        waited = time.monotonic() + 30
        while not where.is_file() or not where.read_text().endswith("}"):
            assert time.monotonic() < waited
            time.sleep(0.05)
        self.address = json.loads(where.read_text())["address"]
        self.given = {"backend": "dask", "scheduler": self.address}
        self._workers: list[subprocess.Popen] = []

    def _start(self, what: str, *words: str, **environment: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *words]
        with (self.folder / "log").open("a") as log:
            return subprocess.Popen(
                command, cwd=self.folder, env=os.environ | environment, stdout=log, stderr=log
            )

    def begin(self, name: str, **environment: str) -> subprocess.Popen:
        """Start a worker."""
        words = (self.address, "--host", "127.0.0.1", "--name", name, "--nthreads", "1", "--no-nanny")
        process = self._start("worker", *words, **environment)
        self._workers.append(process)
        return process

    def wait(self, count: int) -> None:
        """Wait until so many workers are there."""
        import distributed

        with distributed.Client(self.address, set_as_default=False) as client:
            waited = time.monotonic() + 60
            while len(client.ncores()) != count:
                assert time.monotonic() < waited, (self.folder / "log").read_text()
                time.sleep(0.05)

    def kill_scheduler(self) -> None:
        self._scheduler.kill()

    def end(self) -> None:
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Return a cluster of two workers with one thread each."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.begin("w1")
        made.begin("w2")
        made.wait(2)
        yield made
    finally:
        made.end()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def one_more(two: Cluster, name: str, **environment: str):
    """Let another worker join for a while."""
    process = two.begin(name, **environment)
    try:
        two.wait(3)
        yield process
    finally:
        process.kill()
        process.wait()
        two.wait(2)


def held():
    """Return a class that lives in memory only, as that of a notebook's cell."""

    class Held(api.Strategy):
        def draw(self, view):
            return "deck" if view.deck_count else next(iter(view.sources))

        def play(self, view):
            return view.hand[0], view.open_cells[0]

        def discard(self, view):
            return view.hand[-1]

    return Held


def processes(folder: Path) -> set[int]:
    return {int(path.name.removeprefix("played-")) for path in folder.glob("played-*")}


def test_the_workers_play_what_this_machine_would(two, here):
    write(here / "trace.py")
    given = {"strategies": ["random", "greedy", "trace.py", held()], "deals": 20, "players": 3, "seed": 5}
    alone = arbosim.run(**given, jobs=1)
    assert processes(here) == {os.getpid()}
    (here / f"played-{os.getpid()}").unlink()
    results = arbosim.run(**given, **two.given, output="run")
    assert results.digest == alone.digest
    assert len(results.games) == 4 * 20 * 3
    assert processes(here)
    assert os.getpid() not in processes(here)


def test_chunks_that_wait_to_be_written_hold_back_the_workers_and_change_nothing(two, here, monkeypatch):
    monkeypatch.setattr(run, "SPARE", -2)  # two cores, so two at a time
    monkeypatch.setattr(run, "MOST_GAMES", 40)
    results = arbosim.run(GREEDY, deals=200, **two.given, output="run")
    assert results.digest == arbosim.run(GREEDY, deals=200, jobs=1).digest
    assert max(int(path.stem.rpartition("n")[2]) for path in Path("run/parts").iterdir()) == 20


def test_a_worker_killed_in_mid_run_costs_no_game(two, here):
    write(here / "trace.py", pause=0.002)
    killed, told = [], []
    with one_more(two, "victim") as victim:

        def progress(games: int) -> None:
            told.append(games)
            if not killed and victim.pid in processes(here):
                os.kill(victim.pid, signal.SIGKILL)
                killed.append(sum(told))

        results = arbosim.run(["random", "trace.py"], deals=40, **two.given, progress=progress)
    assert killed
    assert killed[0] < 80 == sum(told)
    write(here / "trace.py")  # the same without a pause
    assert results.digest == arbosim.run(["random", "trace.py"], deals=40, jobs=1).digest


def test_a_comparison_ends_where_it_would_end_here(two, here):
    given = {"elo0": 0, "elo1": 100, "max_deals": 400, "seed": 3}
    there = arbosim.compare("greedy", "random", **given, **two.given, output="run")
    alone = arbosim.compare("greedy", "random", **given, jobs=1)
    assert (there.decision, there.results.digest) == (alone.decision, alone.results.digest)


def test_ctrl_c_keeps_what_is_finished_and_either_goes_on_with_what_the_other_began(two, here, capsys):
    write(here / "trace.py", pause=0.002)
    begun = ["run", "-s", "random,trace.py", "-n", "16", "-o", "run", "--quiet"]
    cluster_of = ["--backend", "dask", "--scheduler", two.address]
    code = "import sys; from arbosim.cli.main import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *begun, *cluster_of], stderr=subprocess.PIPE, text=True
    )
    waited = time.monotonic() + 60
    while not list(Path("run").glob("parts/m*")):
        assert time.monotonic() < waited
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - asked < 15  # on a busy machine
    assert process.returncode == 130
    assert "arbosim run --resume run" in errors
    kept = arbosim.load("run").manifest.games
    assert 0 < kept < 32
    assert main(["run", "--resume", "run", "--quiet"]) == 0
    digest = arbosim.load("run").digest
    arbosim.run(["random", "trace.py"], deals=4, jobs=1, output="other")
    assert main(["run", "--extend", "other", "-n", "16", "--quiet", *cluster_of]) == 0
    assert arbosim.load("other").digest == digest


def test_workers_that_lack_a_strategy_or_have_another_are_named(two, here, monkeypatch):
    for folder, discarded in (("mine", -1), ("theirs", 0)):
        (here / folder).mkdir()
        write(here / folder / "planted_far_away.py", "Far", discarded=discarded)
        (here / folder / "planted_far_metric.py").write_text(METRIC)
    monkeypatch.syspath_prepend(str(here / "mine"))
    far = "py=planted_far_away:Far", "py=planted_far_metric:turns"
    with one_more(two, "third", PYTHONPATH=str(here / "theirs")), pytest.raises(UserError) as caught:
        arbosim.run(["random", far[0]], metric=far[1], deals=2, **two.given, output="run")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(
        "scheduler: not all of the 3 workers would play the same; nothing has been played"
    )
    spec = "strategy 'py=planted_far_away:Far'"
    lacking = [line for line in lines if "No module named 'planted_far_away'" in line]
    assert sorted(line.partition(" (")[0] for line in lacking) == ["worker w1", "worker w2"]
    assert all(f"): {spec}: " in line for line in lacking)
    assert sum(f"): metric {far[1]!r}: " in line for line in lines) == 2
    [other] = [line for line in lines if line.startswith("worker third (")]
    assert other.endswith(f"{spec}: another source: its file differs")
    assert not Path("run").exists()


def test_what_workers_have_yet_to_compile_is_told(two, here):
    words = {"NUMBA_CACHE_DIR": str(here / "empty")}
    asked = two.address, "arboretum", [registry.resolve("greedy", "arboretum")], METRICS
    with one_more(two, "fresh", **words):
        told = cluster.check(*asked)
    assert told.startswith(
        "1 worker of 3 will compile the engine, greedy first, which takes up to a minute each"
    )
    assert cluster.check(*asked) == ""


def copy_of_arbosim(folder: Path) -> Path:
    """Return a folder with an arbosim of which one line is another."""
    root = Path(arbosim.__file__).parent
    shutil.copytree(root, folder / "arbosim", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "arbosim/core/seeds.py").open("a") as file:
        file.write("# edited\n")
    return folder


def test_workers_with_another_arbosim_are_named(two, here):
    other = copy_of_arbosim(here / "other")
    with one_more(two, "edited", PYTHONPATH=str(other)), pytest.raises(UserError) as caught:
        arbosim.run(GREEDY, deals=2, **two.given, output="run")
    [line] = str(caught.value).splitlines()[1:]
    assert line.startswith("worker edited (tcp://")
    assert f"another source of arbosim {arbosim.__version__}" in line
    (other / "arbosim-9.9.dist-info").mkdir()
    (other / "arbosim-9.9.dist-info/METADATA").write_text("Name: arbosim\nVersion: 9.9\n")
    with one_more(two, "newer", PYTHONPATH=str(other)), pytest.raises(UserError) as caught:
        arbosim.run(GREEDY, deals=2, **two.given, output="run")
    [line] = str(caught.value).splitlines()[1:]
    assert line.startswith("worker newer (tcp://")
    assert line.endswith(f"arbosim 9.9, not {arbosim.__version__} as here")
    assert not Path("run").exists()


def test_a_worker_that_joins_later_with_another_arbosim_ends_the_run_and_nothing_is_lost(two, here):
    write(here / "trace.py", pause=0.004)
    other = copy_of_arbosim(here / "other")
    late = []

    def progress(games: int) -> None:
        if not late:
            late.append(two.begin("late", PYTHONPATH=str(other)))
            two.wait(3)

    try:
        with pytest.raises(UserError, match=r"worker tcp://.*: it has another version of arbosim"):
            arbosim.run(["random", "trace.py"], deals=400, **two.given, progress=progress, output="run")
    finally:
        for process in late:
            process.kill()
            process.wait()
        two.wait(2)
    state = arbosim.load("run").manifest
    assert state.status == "interrupted"
    assert 0 < state.games == len(arbosim.load("run").games) < 800


def test_a_cluster_without_workers_with_one_alone_and_without_its_scheduler(
    here, tmp_path_factory, monkeypatch
):
    made = Cluster(tmp_path_factory.mktemp("small"))
    try:
        monkeypatch.setattr(cluster, "WAIT", 0.5)
        with pytest.raises(UserError, match=r"has no workers; `dask worker tcp://.*` starts some"):
            arbosim.run(GREEDY, deals=2, **made.given, output="run")
        assert not Path("run").exists()
        monkeypatch.setattr(cluster, "WAIT", 10)
        alone = made.begin("alone")
        made.wait(1)
        write(here / "trace.py", pause=0.002)

        def progress(games: int) -> None:
            made.kill_scheduler()

        with pytest.raises(UserError, match="the cluster gave up a chunk of games"):
            arbosim.run(["random", "trace.py"], deals=400, **made.given, progress=progress, output="run")
        assert processes(here) == {alone.pid}
        assert 0 < arbosim.load("run").manifest.games < 800
    finally:
        made.end()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"backend": "dask"}, "backend: dask needs scheduler"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "scheduler: belongs to backend dask"),
        ({"backend": "dusk"}, "backend: unknown value 'dusk'; did you mean 'dask'"),
        (
            {"backend": "dask", "scheduler": "http://127.0.0.1:1"},
            "scheduler: must be an address as in tcp://",
        ),
        ({"backend": "dask", "scheduler": "here"}, "scheduler: must be an address as in tcp://"),
        (
            {"backend": "dask", "scheduler": "tcp://127.0.0.1:1", "jobs": 2},
            "jobs: counts those of this machine",
        ),
        (
            {"backend": "dask", "scheduler": "tcp://127.0.0.1:1"},
            "scheduler: no scheduler answers at tcp://127",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(here, monkeypatch, given, message):
    monkeypatch.setattr(cluster, "WAIT", 0.5)
    with pytest.raises(UserError) as caught:
        arbosim.run(GREEDY, deals=2, **given, output="run")
    assert str(caught.value).startswith(message)
    assert not Path("run").exists()


def test_a_file_may_say_who_plays(here, capsys):
    Path("run.toml").write_text('strategies = ["random", "greedy"]\nbackend = "dask"\n')
    assert main(["run", "--config", "run.toml", "-o", "run"]) == 2
    assert "run.toml, backend: dask needs --scheduler, an address as in tcp://" in capsys.readouterr().err
    assert not Path("run").exists()


def test_without_the_package_it_says_what_to_install(here, monkeypatch, capsys):
    for name in ("distributed", "cloudpickle"):  # which comes with it
        monkeypatch.setitem(sys.modules, name, None)
    words = ["run", "-s", GREEDY, "-n", "2", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    assert main([*words, "-o", "run"]) == 2
    assert 'pip install "arbosim[dask]"' in capsys.readouterr().err
    assert not Path("run").exists()
