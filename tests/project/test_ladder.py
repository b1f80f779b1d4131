"""The committed ladder: its reduced form is played again to the last digit, and the full one agrees with it."""

import importlib.util
import io
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

import arbosim
from arbosim.core import registry
from arbosim.tournament.design import schedule

ROOT = Path(__file__).parents[2]
THINKER = str(Path(__file__).parents[1] / "studies" / "planted" / "thinker.py")
ERROR_RATE = 1e-3
"""How often chance alone makes the full table disagree with the reduced one."""


@pytest.fixture(scope="module")
def ladder():
    spec = importlib.util.spec_from_file_location("benchmarks_ladder", ROOT / "benchmarks" / "ladder.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def zoo():
    return registry.strategies("arboretum")


@pytest.fixture
def full(ladder):
    return ladder.read(ladder.TABLE)


@pytest.fixture
def reduced(ladder):
    return ladder.read(ladder.REDUCED_TABLE)


def text_of(table):
    text = io.StringIO()
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def test_the_reduced_form_is_the_committed_one(ladder, zoo):
    played = ladder.play(list(zoo), ladder.REDUCED, jobs=1)
    assert text_of(played) == ladder.REDUCED_TABLE.read_text(encoding="utf-8")


def test_every_strategy_is_listed_at_every_number_of_players(ladder, zoo, full, reduced):
    entrants = [registry.resolve(name, "arboretum") for name in zoo]
    assert {players: sorted(rows["strategy"]) for players, rows in full.groupby("players")} == {
        players: sorted(zoo) for players in (2, 3, 4)
    }
    smallest = sorted(ladder.smallest(each).spec for each in entrants)
    assert {players: sorted(rows["strategy"]) for players, rows in reduced.groupby("players")} == (
        dict.fromkeys(ladder.REDUCED.deals, smallest)
    )


def test_the_full_table_agrees_with_the_reduced_one(full, reduced):
    """The difference of two means, one over some of the other's deals, has the variance 1/few - 1/many of a deal's."""
    both = full.merge(reduced, on=["players", "strategy", "against"], suffixes=("_full", "_reduced"))
    both = both[both["against"] == "all"]
    assert len(both) == (reduced["against"] == "all").sum() > 0
    error = (both["high_full"] - both["low_full"]) / 2 / ndtri(0.975)
    ratio = both["deals_full"] / both["deals_reduced"] - 1
    assert (ratio > 0).all()
    reach = -ndtri(ERROR_RATE / 2 / len(both)) * error * np.sqrt(ratio)
    far = both[(both["win_share_full"] - both["win_share_reduced"]).abs() > reach]
    assert far.empty, far[["players", "strategy", "win_share_full", "win_share_reduced"]]


def test_the_page_shows_the_full_table(ladder, full):
    page = ladder.PAGE.read_text(encoding="utf-8")
    assert ladder.drawn(page, full) == page
    tables = page.split(ladder.BEGIN)[1].split(ladder.END)[0]
    for players, rows in full.groupby("players"):
        section = tables.split(f"### {players} players\n")[1].split("###")[0]
        assert section.count("\n| ") - 1 == len(rows)  # the heading is one more


def test_the_page_names_the_seed(ladder):
    head = ladder.PAGE.read_text(encoding="utf-8").split(ladder.BEGIN)[0]
    assert f"of the full size, from seed {ladder.SEED}." in head


class TestCommand:
    """What the script is told, with a ladder of three strategies and few deals."""

    @pytest.fixture(autouse=True)
    def _place(self, ladder, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(ladder, "TABLE", ladder.ROOT / "benchmarks" / "no such table.csv")
        monkeypatch.setattr(ladder, "PAGE", ladder.ROOT / "docs" / "no such page.md")
        monkeypatch.setattr(ladder, "REDUCED_TABLE", ladder.ROOT / "benchmarks" / "no such reduced table.csv")

    def asked(self, ladder, monkeypatch, line):
        monkeypatch.setattr(sys, "argv", ["ladder.py", *line.split()])
        return ladder.main()

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("--reduced -j 0", "jobs: must be at least 1, or -1 for all cores, not 0"),
            ("-j 0", "jobs: must be at least 1, or -1 for all cores, not 0"),
            ("--size 0.1 -j 0", "jobs: must be at least 1, or -1 for all cores, not 0"),
            ("--siz 3", "unrecognized arguments: --siz 3"),
            ("--reduced --size 3", "--reduced has a size of its own: give it or --size"),
            ("--reduced --size 1", "--reduced has a size of its own: give it or --size"),
            ("--size 0", "--size is above 0 and at most 1000, not 0"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, ladder, monkeypatch, capsys, line, message):
        with pytest.raises(SystemExit) as ended:
            self.asked(ladder, monkeypatch, line)
        assert ended.value.code == 2
        assert capsys.readouterr().err.endswith(f"error: {message}\n")
        assert not list(Path().iterdir())

    def test_another_size_is_shown_and_renews_nothing(self, ladder, zoo, monkeypatch, capsys):
        monkeypatch.setattr(ladder, "FULL", ladder.Size({2: 40}, {2: 2}, {2: 2}, 2))
        few = {name: zoo[name] for name in ("random", "gardener", "spite")}
        monkeypatch.setattr(ladder.registry, "strategies", lambda _game: few)
        assert self.asked(ladder, monkeypatch, "--size 0.1 -j 1") == 0
        shown = capsys.readouterr().out
        assert "### 2 players\n" in shown
        assert "Round robin on deals 0 to 3." in shown
        assert "only the full size, --size 1, renews them" in shown
        assert not ladder.TABLE.exists()
        assert not ladder.PAGE.exists()
        assert [path.as_posix() for path in Path().glob("runs/*")] == ["runs/ladder-0.1"]
        monkeypatch.setattr(ladder, "FULL", ladder.Size({2: 30}, {2: 2}, {2: 2}, 2))
        with pytest.raises(SystemExit):
            self.asked(ladder, monkeypatch, "--size 0.1 -j 1")
        assert "what began otherwise lies in runs/ladder-0.1: remove it" in capsys.readouterr().err


@pytest.fixture(scope="module")
def small(ladder, tmp_path_factory):
    """A ladder of five, one of which has a budget, with times."""
    size = ladder.Size({2: 6, 3: 4, 4: 4}, {2: 4, 3: 3, 4: 2}, {2: 2, 3: 3, 4: 3}, 2)
    folder = tmp_path_factory.mktemp("ladder")
    specs = ["random", "greedy", "gardener", "spite", f"{THINKER}:looks=4"]
    return specs, ladder.play(specs, size, 1, folder), folder, size


class TestBudget:
    def test_who_has_one_meets_a_pool_on_the_first_deals(self, small, ladder):
        specs, table, folder, size = small
        slow = table[table["strategy"] == specs[-1]].set_index("players")
        assert dict(slow["deals"]) == size.budget_deals
        assert slow["against"][2] == "gardener spite"
        assert set(slow["against"][3].split()) > {"gardener", "spite"}
        for players in size.deals:
            pool = slow["against"][players].split()
            run = arbosim.load(folder / f"{players}p-thinker")
            plan = schedule(sorted([*pool, specs[-1]]), players, "gauntlet", [specs[-1]])
            assert len(run.manifest.line_ups) == plan.possible
            assert run.manifest.deals_from == arbosim.load(folder / f"{players}p").manifest.deals_from == 0
            assert slow["games"][players] == len(run.games)

    def test_the_others_play_a_round_robin_without_it(self, small, ladder):
        specs, table, folder, size = small
        for players in size.deals:
            run = arbosim.load(folder / f"{players}p")
            assert sorted(run.manifest.specs) == sorted(specs[:-1])
            shown = table[(table["players"] == players) & (table["against"] == "all")].set_index("strategy")
            for row in run.summary.rows:
                assert shown["win_share"][row.strategy] == round(row.win_share, 4)
                assert shown["games"][row.strategy] == row.games

    def test_ratings_are_of_all_games_together(self, small, ladder):
        from arbosim.results import together

        _, table, folder, size = small
        for players in size.deals:
            joint = together([arbosim.load(folder / name) for name in (f"{players}p", f"{players}p-thinker")])
            shown = table[table["players"] == players].set_index("strategy")["rating"]
            assert shown.sum() == pytest.approx(0, abs=0.3)
            for row in joint.rows:
                assert shown[row.strategy] == round(row.rating, 1)

    def test_time_is_that_of_its_own_budget_and_the_rest_repeats(self, small, ladder):
        specs, table, folder, size = small
        assert (table["microseconds"] > 0).all()
        again = ladder.play(specs[::-1], size, 1, folder)
        columns = table.columns.drop("microseconds")
        assert text_of(again[columns]) == text_of(table[columns])

    def test_the_smallest_is_what_the_reduced_form_plays(self, ladder):
        assert ladder.smallest(registry.resolve(f"{THINKER}:looks=4", "arboretum")).spec == THINKER
        greedy = registry.resolve("greedy", "arboretum")
        assert ladder.smallest(greedy).spec == "greedy"

    def test_the_page_says_whom_it_met(self, small, ladder):
        _, table, _, _ = small
        page = ladder.drawn(f"before\n{ladder.BEGIN}old\n{ladder.END}after\n", table)
        assert page.startswith("before\n")
        assert page.endswith("after\n")
        assert "old" not in page
        assert "met `gardener`, `spite` on deals 0 to 3." in page


def test_the_pool_is_the_partners_and_the_highest_rated(ladder):
    table = arbosim.run(["random", "greedy", "gardener", "spite"], deals=20, jobs=1).summary
    assert ladder.pool_of(table, 2) == ["gardener", "spite"]
    assert ladder.pool_of(table, 3) == ["gardener", "greedy", "spite"]
