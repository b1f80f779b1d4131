"""Figures: they draw any names and numbers without a warning, say what the frames say, and leave the rest alone."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, StepPatch

import arbosim
from arbosim import UserError
from arbosim.report import plots
from tests.report import made

FIGURES = {
    "heatmap": (plots.heatmap, made.pairs),
    "ratings": (plots.ratings, made.ratings),
    "scores": (plots.scores, made.seats),
    "margins": (plots.margins, made.seats),
    "turns": (plots.turns, made.seats),
    "paths_and_rights": (plots.paths_and_rights, made.standings),
    "seats": (plots.seats, made.seats),
    "meta_graph": (plots.meta_graph, made.pairs),
    "win_share": (plots.win_share, made.progress),
}
ONE_ROW_EACH = [name for name in FIGURES if name != "win_share"]
every_figure = pytest.mark.parametrize("name", FIGURES)


def drawn(ax):
    """Lay everything out as for a file; a missing glyph or a bad layout warns, and a warning is an error here."""
    ax.get_figure(root=True).draw_without_rendering()
    return ax


def texts(ax):
    return [text.get_text() for text in ax.texts]


def row_names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


@pytest.mark.parametrize("name", ONE_ROW_EACH)
@pytest.mark.parametrize("count", [2, 4, 40])
def test_a_figure_shows_every_strategy_by_a_name_of_its_own(name, count):
    plot, make = FIGURES[name]
    ax = drawn(plot(make(count)))
    shown = [label for label in row_names(ax) if label != "(all together)"]
    assert len(shown) == len(set(shown)) == count
    assert not any(label.get_parse_math() for label in ax.get_yticklabels())


@pytest.mark.parametrize("name", ["scores", "margins", "turns", "seats"])
@pytest.mark.parametrize("players", [3, 4])
def test_more_players_and_a_single_deal_draw_as_well(name, players):
    drawn(FIGURES[name][0](made.seats(5, players, deals=1)))


@every_figure
def test_no_games_are_said_to_be_none(name):
    plot, make = FIGURES[name]
    assert texts(drawn(plot(make(4).iloc[:0])))[0].startswith("no ")


@every_figure
def test_a_figure_draws_on_the_axes_that_it_is_given(name):
    plot, make = FIGURES[name]
    ax = Figure(figsize=(3, 2)).subplots()
    assert plot(make(4), ax=ax) is ax
    drawn(ax)


@every_figure
def test_a_notebook_shows_a_figure(name):
    plot, make = FIGURES[name]
    assert plot(make(2))._repr_png_().startswith(b"\x89PNG")


@every_figure
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"deals": 1},
        {"players": 3},
        {"schedule": "self-play"},
        {"schedule": "gauntlet", "focus": "random"},
    ],
)
def test_a_figure_takes_results_of_any_run(name, settings):
    results = arbosim.run(["random", "greedy", "hoarder"], **{"deals": 2, "jobs": 1, **settings})
    drawn(FIGURES[name][0](results))


def test_nothing_global_is_touched():
    program = """
import sys, matplotlib
before, backend = matplotlib.rcParams.copy(), matplotlib.get_backend(auto_select=False)
from tests.report.test_plots import FIGURES
for plot, make in FIGURES.values():
    plot(make(3)).figure.draw_without_rendering()
assert matplotlib.rcParams.copy() == before
assert matplotlib.get_backend(auto_select=False) == backend
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("count", [4, 40])
def test_the_heat_map_has_the_numbers_of_the_pairs(count):
    frame = made.pairs(count)
    ax = plots.heatmap(frame)
    above = {(row["first"], row["second"]): row["above"] for _, row in frame.iterrows()}
    above |= {(second, first): 1 - share for (first, second), share in above.items()}
    shares = [f"{100 * share:.0f}" for share in above.values()]
    assert sorted(text for text in texts(ax) if "-" not in text) == sorted(shares)
    image = ax.images[0].get_array()
    means = np.ma.mean(image, axis=1)
    assert (np.diff(means) <= 1e-12).all()
    undecided = ((frame["low"] <= 0.5) & (frame["high"] >= 0.5)).sum()
    assert sum(line.get_fillstyle() == "none" for line in ax.lines) == 2 * undecided


def test_the_heat_map_has_intervals_where_there_is_room():
    frame = made.pairs(4)
    low, high = 100 * frame["low"], 100 * frame["high"]
    assert {f"{a:.0f}-{b:.0f}" for a, b in zip(low, high, strict=True)} <= set(texts(plots.heatmap(frame)))
    assert not any("-" in text for text in texts(plots.heatmap(made.pairs(40))))


def test_the_heat_map_leaves_out_pairs_that_never_met():
    frame = made.pairs(3)
    frame.loc[0, ["above", "low", "high", "above_p_holm"]] = np.nan
    assert np.ma.count(plots.heatmap(frame).images[0].get_array()) == 4


def test_the_heat_map_keeps_its_order_in_grey():
    colours = plots.heatmap(made.pairs(4)).images[0].get_cmap()(np.linspace(0, 1, 50))
    grey = colours[:, :3] @ [0.299, 0.587, 0.114]
    assert (np.diff(grey) > 0).all()


def test_ratings_are_written_with_their_intervals():
    ax = plots.ratings(made.ratings(4).sample(frac=1, random_state=1))
    assert texts(ax)[1:] == [
        "+150 (130 to 170)",
        "+50 (30 to 70)",
        "-50 (-70 to -30)",
        "-150 (too few deals)",
    ]
    assert [float(line.get_xdata()[0]) for line in ax.lines if line.get_marker() == "o"] == [
        150,
        50,
        -50,
        -150,
    ]


def test_scores_have_the_means_of_the_frame():
    frame = made.seats(4)
    means = frame.groupby("strategy", observed=True)["score"].mean().sort_values(ascending=False)
    ax = plots.scores(frame)
    assert [text.split(" ")[0] for text in texts(ax)[1:]] == [f"{mean:.1f}" for mean in means]
    for patch, name in zip(ax.patches[-len(means) :], means.index, strict=True):
        values, edges, foot = patch.get_data()
        heights = foot - values
        counts = frame.loc[frame["strategy"] == name, "score"].value_counts(normalize=True)
        assert heights / heights.sum() == pytest.approx(
            [counts.get(int(edge + 0.5), 0.0) for edge in edges[:-1]]
        )


def test_margins_are_measured_against_the_best_of_the_others():
    frame = made.seats(3, 3)
    keys = ["match", "deal", "rotation"]
    margins = {}
    for _, game in frame.groupby(keys):
        for _, row in game.iterrows():
            others = game.loc[game["seat"] != row["seat"], "score"].max()
            margins.setdefault(row["strategy"], []).append(row["score"] - others)
    means = sorted((float(np.mean(values)) for values in margins.values()), reverse=True)
    assert [text.split(" ")[0] for text in texts(plots.margins(frame))[1:]] == [
        f"{mean:.1f}" for mean in means
    ]


def test_forfeited_games_have_no_score_to_draw():
    frame = made.seats(3)
    whole = frame.copy()
    whole["score"] = whole["score"].mask(whole["match"] == 0)
    assert texts(plots.margins(whole)) == texts(plots.margins(frame[frame["match"] != 0]))
    assert texts(plots.scores(whole)) == texts(plots.scores(frame[frame["match"] != 0]))


def test_paths_show_what_was_built_and_what_scored():
    frame = made.standings(3)
    ax = plots.paths_and_rights(frame)
    scored, lost = ax.containers
    assert [bar.get_width() for bar in scored] == pytest.approx(frame["mean_score"].tolist())
    ends = [bar.get_x() + bar.get_width() for bar in lost]
    assert ends == pytest.approx(frame["points"].tolist())
    assert all(bar.get_hatch() for bar in lost)
    assert texts(ax)[1] == "27.0 of 30.0 = 90 %"


def test_seats_show_the_win_share_on_each_of_them():
    frame = made.seats(4, 3, deals=6)
    ax = plots.seats(frame)
    everyone = frame.groupby("seat")["win"].mean()
    marks = [
        line for line in ax.lines if line.get_marker() not in ("None", None) and len(line.get_xdata()) == 1
    ]
    assert [float(line.get_xdata()[0]) for line in marks[:: len(marks) // 3]] == pytest.approx(
        everyone.tolist()
    )
    assert len({line.get_marker() for line in marks}) == 3


@pytest.mark.parametrize("count", [4, 40])
def test_the_meta_game_has_an_arc_for_every_edge_that_the_order_does_not_tell(count):
    frame = made.pairs(count)
    means = {name: [] for name in made.names(count)}
    for _, row in frame.iterrows():
        means[row["first"]].append(row["above"])
        means[row["second"]].append(1 - row["above"])
    means = {name: np.mean(shares) for name, shares in means.items()}
    turned = np.array(
        [means[first] < means[second] for first, second in zip(frame["first"], frame["second"], strict=True)]
    )
    low, high = (
        np.where(turned, 1 - frame["high"], frame["low"]),
        np.where(turned, 1 - frame["low"], frame["high"]),
    )
    arcs = [patch for patch in plots.meta_graph(frame).patches if isinstance(patch, FancyArrowPatch)]
    assert sum(arc.get_linestyle() == "--" for arc in arcs) == ((low <= 0.5) & (high >= 0.5)).sum()
    assert sum(arc.get_linestyle() == "-" for arc in arcs) == (high < 0.5).sum()


@pytest.mark.parametrize(
    ("above", "p_holm", "entries"),
    [
        ((0.9, 0.9, 0.8), 0.01, []),
        ((0.9, 0.9, 0.8), 0.5, ["undecided"]),
        ((0.9, 0.4, 0.8), 0.01, ["finishes above the upper one"]),
    ],
)
def test_the_legend_of_the_graph_tells_what_is_drawn(above, p_holm, entries):
    frame = made.pairs(3).assign(above=above, low=above, high=above, above_p_holm=p_holm)
    legend = plots.meta_graph(frame).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == entries if entries else legend is None


def test_the_meta_game_writes_weights():
    weights = dict(zip(made.names(3), [0.5, 0.25, 0.25], strict=True))
    for given in (weights, pd.Series(weights)):
        ax = plots.meta_graph(made.pairs(3), weights=given)
        assert sorted(texts(ax)) == ["25 %", "25 %", "50 %", "weight"]


@pytest.mark.parametrize("count", [2, 4, 40])
@pytest.mark.parametrize("deals", [1, 2, 150])
def test_win_shares_are_written_at_the_end_of_the_six_best(count, deals):
    frame = made.progress(count, deals)
    ends = frame.groupby("strategy").last().sort_values("win_share", ascending=False).head(6)
    ax = drawn(plots.win_share(frame))
    written = [text for text in ax.texts if text.get_fontsize() > 8]
    assert [text.get_text().split("  ")[1] for text in written] == [
        f"{end.win_share:.3f} ({end.low:.3f} to {end.high:.3f})" for end in ends.itertuples()
    ]
    heights = [text.get_position()[1] for text in written]
    assert (np.diff(heights) <= -0.05).all()
    assert len(ax.collections) == len(ends)


def test_bands_begin_where_they_say_something_and_deals_are_whole_numbers():
    frame = made.progress(2, 2000)
    ax = drawn(plots.win_share(frame))
    for band, (_, part) in zip(ax.collections, frame.groupby("strategy"), strict=True):
        first = part.loc[part["high"] - part["low"] < 0.5, "deals"].min()
        assert first > 1
        assert band.get_paths()[0].vertices[:, 0].min() == first
    ticks = {label.get_text() for label in ax.get_xticklabels()}
    assert {"100", "200", "500", "1,000", "2,000"} <= ticks


def test_thin_lines_have_names_where_there_is_room():
    last = [*np.linspace(0.9, 0.8, 6), 0.5, 0.499, 0.3]
    frame = pd.DataFrame(
        {"strategy": list("abcdefghi"), "deals": 200, "win_share": last, "low": last, "high": last}
    )
    ax = drawn(plots.win_share(frame))
    assert [text.get_text() for text in ax.texts if text.get_fontsize() < 8] == ["g", "i"]
    assert "3 further strategies, 1 of them without room for a name" in ax.get_xlabel()


def test_every_row_of_a_distribution_has_its_own_height():
    frame = pd.DataFrame({"strategy": ["a"] * 4 + ["b"] * 4, "score": [0, 0, 0, 0, 1, 2, 3, 4]})
    ax = drawn(plots.scores(frame))
    tops = [stairs.get_data().values.min() for stairs in ax.patches if isinstance(stairs, StepPatch)]
    assert np.diff(tops) == pytest.approx([1.0])
    assert "each row to its own tallest" in ax.get_xlabel()


def test_chosen_strategies_stand_out():
    frame = made.progress(10)
    ax = drawn(plots.win_share(frame, strategies=["$", "_hidden"]))
    assert {text.split("  ")[0] for text in texts(ax)} == {"$", "_hidden"}
    with pytest.raises(UserError, match="unknown strategy 'hidden'; did you mean '_hidden'"):
        plots.win_share(frame, strategies=["hidden"])
