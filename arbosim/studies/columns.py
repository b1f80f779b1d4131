"""The columns of the frames of a study."""

from __future__ import annotations

from arbosim.core.columns import Column

VARIANTS = (
    Column("variant", "str", "", "its name; that of the base is base"),
    Column("changed", "str", "", "the rules in which it differs from the base"),
    Column("rules", "str", "", "the nearest named rule set and what differs from it"),
)
METRICS = (
    Column("players", "int64", "", "at a table"),
    Column("pool", "str", "", "given: the strategies as they are; retuned: tuned for each variant"),
    Column("variant", "str", "", "name of the variant"),
    Column("metric", "str", "", "name of the metric"),
    Column(
        "subject",
        "str",
        "",
        "the strategy, or strategy:ability, that the metric is about; empty for the game",
    ),
    Column("value", "float64", "", "in the unit of the row"),
    Column("low", "float64", "", "lower bound of its 95 % interval; missing where there are too few deals"),
    Column("high", "float64", "", "upper bound of it"),
    Column("unit", "str", "", "of value, low and high"),
    Column("deals", "int64", "deals", "the units of the interval"),
)
EFFECTS = (
    *METRICS[:5],
    Column("base", "float64", "", "value of the base"),
    Column("value", "float64", "", "value of the variant"),
    Column("difference", "float64", "", "value - base"),
    Column(
        "low",
        "float64",
        "",
        "lower bound of the 95 % interval of difference; missing where there are too few deals",
    ),
    Column("high", "float64", "", "upper bound of it"),
    Column("p_value", "float64", "0 to 1", "of a difference of 0, paired by deal"),
    Column(
        "p_holm", "float64", "0 to 1", "corrected for all effects of the same players and pool (Holm 1979)"
    ),
    Column("significant", "bool", "", "p_holm below 0.05"),
    Column("deals", "int64", "deals", "the units of the interval"),
)
STRATEGIES = (
    *METRICS[:3],
    Column("strategy", "str", "", "canonical spec in the study's pool"),
    Column("win_share", "float64", "0 to 1", "games won, a shared win divided among the winners"),
    Column("low", "float64", "0 to 1", "lower bound of its 95 % interval"),
    Column("high", "float64", "0 to 1", "upper bound of it"),
    Column("nash", "float64", "0 to 1", "its mass in the Nash mixture; missing where some pair never met"),
    Column("nash_low", "float64", "0 to 1", "lower bound of the 95 % interval of nash"),
    Column("nash_high", "float64", "0 to 1", "upper bound of it"),
)
DISAGREEMENTS = (
    Column("players", "int64", "", "at a table"),
    *METRICS[2:5],
    Column("given", "float64", "", "the effect with the players as they are"),
    Column("given_significant", "bool", "", "whether it is significant"),
    Column("retuned", "float64", "", "the effect with re-tuned players"),
    Column("retuned_significant", "bool", "", "whether it is significant"),
    Column("difference", "float64", "", "retuned - given"),
    Column("low", "float64", "", "lower bound of the 95 % interval of difference"),
    Column("high", "float64", "", "upper bound of it"),
    Column("p_holm", "float64", "0 to 1", "of a difference of 0, corrected for all that were compared"),
)
