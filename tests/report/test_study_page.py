"""The page about a study in a browser, as people use it, from frames made by hand."""

import json

import pytest

from arbosim.report.study import findings
from arbosim.studies.lacking import Lack
from tests.report import made_study
from tests.report.made_study import HOSTILE, STRATEGIES, VARIANTS, MadeStudy

SECTIONS = [
    "Question and answer in brief",
    "What was varied",
    "Effects",
    "Metrics by variants",
    "Meta-game",
    "Restricted play",
    "Skill trace",
    "Re-tuned players",
    "Metrics explained",
    "To play it again",
]


@pytest.fixture(scope="module")
def study():
    return MadeStudy()


@pytest.fixture(scope="module")
def report(study, tmp_path_factory):
    return study.report(tmp_path_factory.mktemp("study") / "report.html")


@pytest.fixture
def page(watched, report):
    return lambda **settings: watched(report, **settings)


def narrowed(study, *metrics):
    """Leave only some metrics in the frames of a study."""
    for name in ("metrics", "effects"):
        frame = getattr(study, name)
        setattr(study, name, frame[frame["metric"].isin(metrics)])
    return study


def test_it_has_a_section_for_all_that_the_study_looked_into(page):
    shown = page()
    assert shown.locator("h1").inner_text() == f"Arboretum: Eights {HOSTILE}"
    assert shown.locator("h2").all_inner_texts() == SECTIONS
    assert shown.locator("nav a").all_inner_texts() == SECTIONS
    assert "Unfinished (running): 1 of 1 run" in shown.locator("header").inner_text()
    shown.get_by_role("link", name="Restricted play").click()
    assert shown.locator("#restricted h2").is_visible()


def test_sections_about_what_was_not_looked_into_are_left_out(watched, tmp_path):
    study = narrowed(MadeStudy(players=(2,), pools=("given",)), "score", "win_share")
    shown = watched(study.report(tmp_path / "few.html"))
    left = [name for name in SECTIONS if name not in ("Restricted play", "Skill trace", "Re-tuned players")]
    assert shown.locator("h2").all_inner_texts() == left


def test_names_and_titles_are_text(page):
    shown = page()
    assert shown.locator("main script, main img, header script").count() == 0
    assert HOSTILE in shown.locator("#answer").inner_text()
    assert HOSTILE in shown.locator("#varied").inner_text()
    assert STRATEGIES[2] in shown.locator("#meta").inner_text()


def test_every_sentence_about_a_change_is_one_of_the_significant_effects(page, study):
    shown = page()
    shown.locator("#answer details").evaluate_all("all => all.forEach(one => one.open = true)")
    numbers = shown.locator("#answer [data-difference]")
    found = numbers.evaluate_all("all => all.map(one => ({...one.dataset}))")
    frame = study.effects[study.effects["significant"]]
    keys = ["players", "pool", "variant", "metric", "subject"]
    known = {
        tuple(map(str, row[:5])): row[5:]
        for row in frame[[*keys, "difference", "low", "high", "p_holm"]].values
    }
    told = {tuple(one[name] for name in keys): one for one in found}
    assert len(told) == len(found) == len(frame)  # none is told twice, and here there is room for all
    for key, one in told.items():
        assert [json.loads(one[name]) for name in ("difference", "low", "high", "pHolm")] == list(known[key])
    for item in shown.locator("#answer li:has(> [data-difference])").all():
        text = item.inner_text()
        signs = item.locator("> [data-difference]").evaluate_all(
            "all => all.map(one => Number(one.dataset.difference) > 0)")  # fmt: skip
        for sign, way in ((True, (" higher: ", " more: ")), (False, (" lower: ", " less: "))):
            assert (sign in signs) == any(word in text for word in way), text
    first = shown.locator("#answer [data-metric=first_seat][data-difference]").first.inner_text()
    assert first == "-1.2 percentage points of win share (-1.9 to -0.5), p = 0.0021, from 3.1 %"


def test_what_did_not_change_is_told_with_its_bounds_and_what_is_open_too(page, study):
    told = page().locator("#answer").inner_text()
    assert "relabelled changes nothing: 48 differences from the base, each exactly 0." in told
    assert (
        "share of tied games: nothing significant in 12 comparisons; -0.08 to +0.13 percentage points."
        in told
    )
    assert "length of games: nothing significant in 12 comparisons; no difference at all." in told
    assert "First-seat advantage: 4 of 12 differences significant." in told
    assert "8 others not significant: -1.1 to +1.1 percentage points of win share." in told
    assert "Too few deals to tell: 12 differences of 152, in cyclic share. There are 1,000 deals." in told
    total, sure = len(study.effects), int(study.effects["significant"].sum())
    assert "10 metrics compared under 3 variants" in told
    assert f"{total} differences from the base, of which {sure} are significant" in told


def test_the_table_says_by_mark_word_and_number_what_it_says_by_colour(page, study):
    shown = page()
    shown.locator("#table details").evaluate_all("all => all.forEach(one => one.open = true)")
    cells = shown.locator("#table td[data-difference]").all()
    frame = study.effects
    assert len(cells) == len(frame)
    sure = frame.set_index(["players", "pool", "metric", "subject", "variant"]).sort_index()
    marked = shown.locator("#table td[data-significant]")
    assert marked.count() == int(frame["significant"].sum())
    for cell in marked.all():
        text, way = cell.text_content(), cell.get_attribute("data-significant")
        assert text.startswith(("▲", "▼")[way == "lower"])
        assert f"significantly {way}: " in text
        assert cell.evaluate("cell => getComputedStyle(cell).backgroundColor") != "rgba(0, 0, 0, 0)"
    row = sure.loc[(2, "given", "score", "", VARIANTS[0])]
    cell = shown.locator("#table tr[data-metric=score] td[data-variant='without 8/1']").first
    assert json.loads(cell.get_attribute("data-difference")) == row["difference"]
    plain = shown.locator("#table td[data-difference]:not([data-significant])")
    assert not any(mark in text for text in plain.all_text_contents() for mark in "▲▼")
    assert "not significant" in shown.locator("#table .quiet").first.inner_text()


def test_figures_of_metrics_that_something_changes_come_first_and_the_others_open(page, study):
    shown = page()
    frame = study.effects
    telling = set(zip(*(frame[frame["significant"]][name] for name in ("metric", "subject")), strict=True))
    every = set(zip(frame["metric"], frame["subject"], strict=True))
    keys = "all => all.map(one => [one.dataset.metric, one.dataset.subject])"
    single, rest = shown.locator("#effects > details").all()
    for place, expected in (
        (shown.locator("#effects > .figures > div[data-metric]"), {key for key in telling if not key[1]}),
        (single.locator("div[data-metric]"), {key for key in telling if key[1]}),
        (rest.locator("div[data-metric]"), {key for key in every - telling if not key[1]}),
    ):
        assert sorted(map(tuple, place.evaluate_all(keys))) == sorted(expected) != []
    for folded in (single, rest):
        assert not folded.locator("h3").first.is_visible()
        folded.locator("summary").focus()
        shown.keyboard.press("Enter")
        assert folded.locator("h3").first.is_visible()
    texts = shown.locator("#effects svg").first.locator("text").all_text_contents()
    assert set(VARIANTS) <= set(texts)
    ids = shown.locator("[id]").evaluate_all("elements => elements.map(element => element.id)")
    assert len(ids) == len(set(ids))


def test_given_and_retuned_players_stand_side_by_side_and_where_they_disagree(page):
    section = page().locator("#retuned")
    assert "balanced\twithout 8/1\t2\tyes\tkeep=2.5" in section.inner_text()
    assert "greedy\twithout 8/1\t2\tno, played as given\tkeep=2.5" in section.inner_text()
    assert "Given and re-tuned players disagree in 2 effects" in section.inner_text()
    told = section.locator("li[data-variant='without 8/1']").first.inner_text()
    assert "-1.2 percentage points of win share (-1.9 to -0.5), significant, with given players" in told
    assert "+1.2 percentage points of win share (0.5 to 1.9), significant, with re-tuned ones" in told
    assert "+2.4 percentage points of win share (1.4 to 3.4)" in told


def test_the_metrics_have_formula_and_source(page, study):
    rows = page().locator("#metrics tbody tr")
    assert rows.count() == study.metrics["metric"].nunique()
    assert "Jaffe et al. 2012" in rows.first.inner_text()


def test_the_pool_stands_under_each_variant(page):
    shown = page()
    cell = shown.locator("#meta tr[data-strategy=balanced] td[data-variant=base]").first
    assert cell.inner_text() == "50.0 % (49.0 to 51.0)\nNash 1.00 (0.40 to 1.00)"
    assert shown.locator("#meta tr[data-metric=cyclic_share]").count() == 4


@pytest.mark.parametrize("width", [400, 1280])
def test_it_never_scrolls_sideways_folded_or_open(page, width):
    shown = page(viewport={"width": width, "height": 800})
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    shown.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    assert shown.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(page, scheme, contrasts):
    shown = page(color_scheme=scheme)
    shown.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    for kind in ("p", "li", "td", "th", ".quiet", "dt", "a", "pre code", "summary"):
        assert min(contrasts(shown.locator(f"body {kind}"))) >= 4.5, kind  # WCAG 2.2, 1.4.3
    assert min(contrasts(shown.locator("figure text"), "fill")) >= 4.5


def test_it_prints_and_reads_without_scripts(page):
    shown = page(java_script_enabled=False)
    assert shown.locator("#answer .findings").first.is_visible()
    shown.emulate_media(media="print")
    shown.set_viewport_size({"width": 680, "height": 1000})  # A4 with margins of 15 mm
    assert not shown.locator("nav").is_visible()
    assert shown.locator("#table table").first.is_visible()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 680


def test_too_few_deals_are_said_plainly(watched, tmp_path):
    study = narrowed(MadeStudy(players=(2,), pools=("given",), deals=1), "score", "cyclic_share", "win_share")
    text = watched(study.report(tmp_path / "few.html")).locator("body").inner_text()
    assert "No difference is significant." in text
    assert "Too few deals to tell" in text
    assert "nan" not in text.lower().split()
    assert "None" not in text


def test_a_study_of_which_nothing_was_played_has_a_page(watched, tmp_path):
    study = MadeStudy()
    for name in ("metrics", "effects", "strategies", "disagreements"):
        setattr(study, name, getattr(study, name).iloc[:0])
    text = watched(study.report(tmp_path / "none.html")).locator("body").inner_text()
    assert "No variant was compared to the base" in text


def test_of_many_changes_of_a_metric_the_clearest_are_open(watched, tmp_path):
    study = MadeStudy(players=(2,), pools=("given",))
    study.effects = made_study.effects(60)
    study.variants = study.variants.iloc[:1]
    sure = study.effects[study.effects["significant"]]
    shown = watched(study.report(tmp_path / "many.html"))
    visible = shown.locator("#answer [data-difference]:visible")
    assert visible.count() == findings.MOST_CHANGES
    clear = (sure["difference"] / (sure["high"] - sure["low"])).abs().nlargest(findings.MOST_CHANGES)
    assert {one.get_attribute("data-variant") for one in visible.all()} <= set(sure["variant"])
    assert len(clear) == visible.count()
    shown.locator("#answer summary").first.click()
    assert shown.locator("#answer [data-difference]:visible").count() == len(sure)


METRICS_IN_ORDER = ["first_seat", "lead_deals", "score", "win_share"]


@pytest.mark.parametrize(
    ("asked", "order"),
    [(None, METRICS_IN_ORDER), (["score", "win_share", "lead_deals", "first_seat"], None)],
)
def test_every_significant_metric_is_told_once_in_the_order_of_weight_or_of_the_study(
    asked, order, watched, tmp_path
):
    study = narrowed(MadeStudy(players=(2,), pools=("given",)), *METRICS_IN_ORDER)
    study.manifest.metrics = asked
    shown = watched(study.report(tmp_path / "order.html"))
    changed = shown.locator("#answer h3:has-text('What changed') + p + .findings > li")
    told = [item.locator("[data-difference]").first.get_attribute("data-metric") for item in changed.all()]
    assert told == (order or asked)
    assert "57 % of the games" in shown.locator("#answer").inner_text()  # what first-seat advantage means
    rows = shown.locator("#table table").first.locator("tbody tr")
    keys = rows.evaluate_all("all => all.map(one => one.dataset.metric)")
    assert [key for key in keys if key in told] == [key for key in told if key != "win_share"]


def test_a_base_value_is_written_alike_everywhere(page):
    shown = page()
    base = shown.locator("#table tr[data-metric=score] td[data-value]").first.inner_text().split(" (")[0]
    assert (
        f"from {base} points"
        in shown.locator("#answer [data-metric=score][data-difference]").first.inner_text()
    )
    drawn = shown.locator("#effects div[data-metric=score] svg").first.locator("text").all_text_contents()
    assert any(f"base: {base} points" in text for text in drawn)


def test_the_summary_says_what_a_ban_costs_and_where_that_changes(page):
    told = page().locator("#answer h3:has-text('What a ban costs') ~ .findings").first.inner_text()
    assert "With 2 players, balanced without discards loses 11.0 % (9.0 to 13.0) of win share" in told
    assert (
        "Under without 8/1 less: -6.0 percentage points of win share (-8.0 to -4.0), p = 0.0040, from 11.0 %."
        in told
    )


def test_bans_that_change_nowhere_are_told_too(watched, tmp_path):
    study = narrowed(MadeStudy(players=(2,), pools=("given",)), "ban_cost", "score")
    study.effects = study.effects[~study.effects["significant"]]
    told = watched(study.report(tmp_path / "bans.html")).locator("#answer").inner_text()
    assert "balanced without denies loses 11.0 % (9.0 to 13.0) of win share under the base rules." in told
    assert "Under no variant does that differ significantly." in told


def test_an_unfinished_study_says_at_its_top_what_is_left_out(watched, tmp_path):
    study = narrowed(MadeStudy(players=(2,), pools=("given",)), "score", "turns")
    study.manifest.status = "interrupted"
    study.incomplete = {"2p-base": Lack(12, 6000)}
    header = watched(study.report(tmp_path / "part.html")).locator("header").inner_text()
    assert (
        "Unfinished (interrupted): 0 of 1 run are whole. Metrics and effects come from whole runs alone."
        in header
    )
    assert "of which the whole ones have 1,000 deals for each line-up." in header
    assert "Left out, because games are missing: 2p-base (12 of 6,000 games)." in header
    study.manifest.status = "finished"
    study.incomplete = {}
    whole = watched(study.report(tmp_path / "whole.html")).locator("header").inner_text()
    assert "Unfinished" not in whole
    assert "1,000 deals for each line-up." in whole


def test_of_runs_that_were_forfeited_nothing_is_told(watched, tmp_path):
    study = narrowed(MadeStudy(players=(2,), pools=("given",)), "score", "turns")
    study.manifest.runs[0].errors = study.manifest.runs[0].games  # of the base
    told = watched(study.report(tmp_path / "lost.html")).locator("#answer").inner_text()
    assert "All games were forfeited by a mistake, so nothing is known of the rules: 2p-base." in told
    assert "changes nothing" not in told
    assert "no difference at all" not in told


def test_names_break_between_their_words_and_the_base_stays_in_sight(watched, tmp_path):
    study = narrowed(MadeStudy(players=(2,), pools=("given",)), "score", "win_share")
    name = "extra_card=first equal_turns=false"
    for frame in ("effects", "metrics", "strategies"):
        setattr(study, frame, getattr(study, frame).replace({"variant": {VARIANTS[1]: name}}))
    study.manifest.variants[2].name = name
    path = study.report(tmp_path / "names.html")
    lines = """head => { const range = document.createRange(), lines = [];
        const walk = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
        for (let node; (node = walk.nextNode());) for (let at = 0; at < node.length; at++) {
            range.setStart(node, at); range.setEnd(node, at + 1);
            const top = Math.round(range.getBoundingClientRect().top);
            if (!lines.length || lines[lines.length - 1][0] !== top) lines.push([top, ""]);
            lines[lines.length - 1][1] += node.data[at];
        } return lines.map(line => line[1].trim()); }"""
    for width in (400, 1280):
        shown = watched(path, viewport={"width": width, "height": 800})
        head = shown.locator("#table th.variant", has_text="extra_card").first
        found = head.evaluate(lines)
        assert "".join(found).replace(" ", "") == name.replace(" ", "")
        assert all(line.endswith(("=", "_", "first", "false")) for line in found), found
        row = shown.locator("#table tr[data-metric=score]").first
        assert row.locator("td[data-value]").is_visible() == (width == 1280)
        assert ("base 23.4" in row.locator("th").inner_text()) == (width == 400)
    shown = watched(path, viewport={"width": 400, "height": 800})
    scroll = shown.locator("#table .scroll").first
    scroll.evaluate("box => { box.scrollIntoView(); box.scrollLeft = 120; }")
    assert scroll.locator("tr[data-metric=score] th").evaluate("""head => {
        const box = head.getBoundingClientRect();
        return document.elementFromPoint(box.right - 4, box.top + 8).closest("th") === head;
    }""")  # names cover what scrolls below them


def test_figures_stand_in_two_columns_where_there_is_room(watched, report):
    for width, columns in ((1280, 2), (800, 1), (400, 1)):
        shown = watched(report, viewport={"width": width, "height": 800})
        figures = shown.locator("#effects > .figures > div")
        assert len({round(figure.bounding_box()["x"]) for figure in figures.all()}) == columns
        assert shown.locator("#effects > .figures svg:visible").count() == figures.count()
