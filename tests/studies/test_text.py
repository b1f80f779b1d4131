"""A study in words: as text, and as a notebook shows it."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest

import arbosim
from arbosim.studies.text import MOST
from tests.report.made_study import HOSTILE, MadeStudy


def rows(html):
    """Return the cells of all rows of all tables."""
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


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
    assert f"<p>and {more} more</p>" in study._repr_html_()
    assert f"\n  and {more} more\n" in str(study)


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
    study = MadeStudy(players=(2,))
    state = study.manifest
    study.manifest = state.model_copy(
        update={
            "runs": [*state.runs, state.runs[0].model_copy(update={"pool": "retuned"})],
            "tunings": [tuned.model_copy(update={"helped": helped}) for tuned in state.tunings],
        }
    )
    assert said in study._repr_html_()
    assert said in str(study)
