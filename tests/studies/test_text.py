"""A study in words: as text, and as a notebook shows it."""

import re
from html import unescape
from xml.etree import ElementTree

import pandas as pd
import pytest

import arbosim
from arbosim.studies.text import MOST
from tests.report.made_study import HOSTILE, MadeStudy


def rows(html):
    """Return the cells of all rows of all tables."""
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


def retuned(study, helped):
    """Return a study with a run of re-tuned players, whom tuning has helped or not."""
    state = study.manifest
    study.manifest = state.model_copy(
        update={
            "runs": [*state.runs, state.runs[0].model_copy(update={"pool": "retuned"})],
            "tunings": [tuned.model_copy(update={"helped": helped}) for tuned in state.tunings],
        }
    )
    return study


def test_a_notebook_shows_what_is_significant_and_the_text_says_the_same():
    study = MadeStudy(players=(2,), pools=("given",))
    html, text = study._repr_html_(), str(study)
    names, *found = rows(html)
    assert names == ["variant", "metric", "base", "variant's", "difference", "95 % interval", "p"]
    sure = study.effects[study.effects["significant"]]
    metrics = [f"{row.metric} {row.subject}".strip() for row in sure.itertuples()]
    assert [row[:2] for row in found] == list(map(list, zip(sure["variant"], metrics, strict=True)))
    assert [float(row[4]) for row in found] == [float(f"{value:.4g}") for value in sure["difference"]]
    lines = [re.split(r" {2,}", line) for line in text.splitlines()]
    assert all(row in lines for row in [names, *found])
    heading = f"{len(sure)} of {len(study.effects)} effects significant"
    assert heading in html
    assert heading in text


def test_titles_and_questions_are_escaped():
    html = MadeStudy()._repr_html_()
    assert HOSTILE not in html
    assert HOSTILE in unescape(html)
    ElementTree.fromstring(f"<div>{html}</div>")


def test_tables_and_pools_have_a_heading_each():
    html = MadeStudy(players=(2, 3), pools=("given", "retuned"))._repr_html_()
    assert html.count("<table>") == 4
    assert "3 players, players tuned for each variant" in html


def test_a_long_list_says_what_it_leaves_out():
    study = MadeStudy(players=(2,), pools=("given",))
    sure = study.effects[study.effects["significant"]]
    times = MOST // len(sure) + 1
    study.effects = study.effects.loc[[*sure.index] * times]
    more = times * len(sure) - MOST
    assert len(rows(study._repr_html_())) == MOST + 1
    left_out = (
        f"and {more} more: the clearest of each variant are shown; arbosim report, --json and study.effects"
    )
    assert f"<p>{left_out}" in study._repr_html_()
    assert f"\n  {left_out}" in str(study)


def test_each_variant_is_shown_with_what_is_clearest():
    study = MadeStudy(players=(2,), pools=("given",))
    [row] = study.effects[study.effects["significant"]].head(1).to_dict("records")
    some = [
        {
            **row,
            "variant": name,
            "metric": f"m{number}",
            "low": row["difference"] - width,
            "high": row["difference"] + width,
        }
        for name, widths in (("many", range(60, 0, -1)), ("last", [70]))
        for number, width in enumerate(widths)
    ]
    study.effects = pd.DataFrame(some)
    found = rows(study._repr_html_())[1:]
    assert [row[:2] for row in found] == [
        *(["many", f"m{number}"] for number in range(21, 60)),
        ["last", "m0"],
    ]


def test_what_tuning_found_is_told_of_each_strategy():
    study = retuned(MadeStudy(players=(2,)), helped=True)
    study.manifest.tunings[1].helped = False
    study.manifest.tunings[1].strategy = "greedy"
    study.disagreements = study.disagreements.head(0)
    for text in (str(study), unescape(study._repr_html_())):
        assert "balanced: helped in without 8/1" in text
        assert "greedy: not in without 8/1" in text
        assert "between re-tuned and given players no disagreement is significant" in text
        assert "agree" not in text.replace("disagree", "")


def test_nothing_significant_and_too_few_deals_are_said():
    study = MadeStudy(players=(2,), pools=("given",))
    study.effects = study.effects[~study.effects["significant"]]
    assert "0 of" in study._repr_html_()
    assert "<table>" not in study._repr_html_()
    few = arbosim.study(
        strategies=["random", "greedy"],
        variants={"six": {"hand_size": 6}},
        deals=1,
        metrics=["turns"],
        jobs=1,
    )
    assert "too few deals to tell any of 1 effect" in few._repr_html_()


@pytest.mark.parametrize(
    ("helped", "said"),
    [(True, "re-tuned players disagree with the others:"), (False, "tuning helped no strategy")],
)
def test_what_retuned_players_say_depends_on_whether_tuning_helped(helped, said):
    study = retuned(MadeStudy(players=(2,)), helped)
    assert said in study._repr_html_()
    assert said in str(study)
