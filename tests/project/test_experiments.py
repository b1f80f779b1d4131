"""Every experiment can be played as it stands, and its folder holds what it found."""

import importlib.util
import re
from pathlib import Path

import pandas as pd
import pytest

from arbosim.studies.lab import prepare

ROOT = Path(__file__).parents[2] / "experiments"
FOLDERS = sorted(path.parent for path in ROOT.glob("*/config.toml"))
HEADINGS = ["Question", "Method", "Finding", "What would change it"]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("experiments_run", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_knows_every_experiment(script):
    assert sorted(script.FIGURES) == [folder.name for folder in FOLDERS]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
class TestExperiment:
    def test_its_study_can_be_played(self, folder):
        assert prepare(folder / "config.toml", {}).plan.pieces

    def test_its_tables_are_those_of_its_study(self, folder):
        plan = prepare(folder / "config.toml", {}).plan
        effects = pd.read_csv(folder / "effects.csv", keep_default_na=False)
        assert set(effects["variant"]) == {each.name for each in plan.variants[1:]}
        assert set(effects["players"]) == set(plan.players)
        assert set(effects["deals"]) == {plan.settings.deals}
        assert set(pd.read_csv(folder / "metrics.csv")["players"]) == set(plan.players)

    def test_its_figure_shows_what_was_measured(self, folder, script):
        effects = pd.read_csv(folder / "effects.csv", keep_default_na=False)
        measured = set((effects["metric"] + " " + effects["subject"]).str.strip())
        assert set(script.FIGURES[folder.name]) <= measured
        assert (folder / "figure.svg").stat().st_size > 1000

    def test_its_text_says_what_was_asked_found_and_by_whom(self, folder):
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
        assert "](figure.svg)" in text
        for entrant in prepare(folder / "config.toml", {}).plan.pool:
            assert f"`{entrant.spec}`" in text

    def test_the_log_names_it(self, folder):
        assert f"]({folder.name}/README.md)" in (ROOT / "LOG.md").read_text(encoding="utf-8")
