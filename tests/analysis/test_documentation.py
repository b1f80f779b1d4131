"""Every column has its line in docs/tables.md."""

from pathlib import Path

import pytest

from arbosim.analysis import balance, frames, meta, pairs, ratings, standings, variance
from arbosim.core.columns import SCHEMA_VERSION
from arbosim.games.arboretum import GAME
from arbosim.games.arboretum.columns import COURSE, METRICS
from arbosim.studies import columns as study
from arbosim.studies.config import Settings as StudySettings
from arbosim.studies.folder import StudyManifest
from arbosim.tournament.config import Settings
from arbosim.tournament.manifest import Manifest

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "tables.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "columns", [frames.GAMES, frames.SEATS, frames.SPECIES, standings.COLUMNS, METRICS, COURSE]
)
def test_columns_are_documented(columns):
    assert [column.name for column in columns if f"`{column.name}`" not in TEXT] == []


@pytest.mark.parametrize(
    ("page", "columns"),
    [
        ("ratings.md", ratings.COLUMNS),
        ("ratings.md", pairs.COLUMNS),
        ("meta.md", meta.MASSES),
        ("meta.md", meta.CYCLES),
        ("meta.md", variance.COMPONENTS),
        ("meta.md", variance.DUPLICATES),
        ("study.md", study.VARIANTS),
        ("study.md", study.METRICS),
        ("study.md", study.EFFECTS),
        ("study.md", study.STRATEGIES),
        ("study.md", study.DISAGREEMENTS),
    ],
)
def test_columns_are_documented_on_their_page(page, columns):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert [column.name for column in columns if f"`{column.name}`" not in text] == []


def test_run_json_and_settings_are_documented():
    assert [name for name in Manifest.model_fields if f"`{name}`" not in TEXT] == []
    assert [
        name for name in Settings.model_fields if f"`{name}`" not in TEXT and f"\n{name} = " not in TEXT
    ] == []


def test_study_json_and_the_settings_of_studies_are_documented():
    text = (DOCS / "study.md").read_text(encoding="utf-8")
    names = [*StudyManifest.model_fields, *StudySettings.model_fields]
    assert [name for name in names if f"`{name}`" not in text and f"`[{name}]`" not in text] == []


def test_the_schema_version_is_the_documented_one():
    assert f"Schema version **{SCHEMA_VERSION}**" in TEXT


def test_metrics_of_balance_are_documented_as_they_are():
    text = (DOCS / "balance.md").read_text(encoding="utf-8")
    rows = [
        f"| `{each.name}` | {each.title} | {each.meaning} | {each.formula} | {each.unit} | "
        f"{each.needs or '-'} | {each.source} |"
        for each in balance.metrics(GAME).values()
    ]
    assert [line for line in text.splitlines() if line.startswith("| `")] == rows
    assert all(each.meaning and each.group in balance.GROUPS for each in balance.metrics(GAME).values())
