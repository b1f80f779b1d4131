"""When given and re-tuned players disagree about an effect, on estimates that are made up."""

import numpy as np
import pandas as pd
import pytest

from arbosim.analysis import balance, effects
from arbosim.studies.estimates import disagreements

KEY = ("score", "")


def estimate(value, noise, seed):
    """Return estimates of one metric with so much noise of its own."""
    drawn = value + noise * np.random.default_rng(seed).standard_normal(500)
    return balance.Estimates({KEY: np.array([value, *drawn])}, {}, ((1, 0, 1000),), 1000, 1000)


def found(given, retuned, noise=0.1):
    """Return the disagreements about a variant that changes the score by so much."""
    pools = [
        {"base": estimate(10, noise, 2 * pool), "v": estimate(10 + change, noise, 2 * pool + 1)}
        for pool, change in enumerate((given, retuned))
    ]
    frames = []
    for by_variant in pools:
        [effect] = effects.compare(by_variant, balance.METRICS)
        row = {"variant": "v", "metric": KEY[0], "subject": KEY[1], "difference": effect.difference}
        frames.append(pd.DataFrame([{**row, "significant": effect.significant}]))
    return disagreements(*pools, *frames, balance.METRICS)


@pytest.mark.parametrize(
    ("given", "retuned", "disagree"),
    [
        (1.0, -1.0, True),  # both sure, of opposite signs
        (1.0, 1.0, False),
        (1.0, 3.0, False),  # both sure of the same sign, however large
        (2.0, 0.0, True),  # one sure, and the two differ
        (0.0, -2.0, True),
        (0.32, 0.2, False),  # one sure, but the two do not differ
        (0.0, 0.0, False),
    ],
)
def test_players_disagree_where_signs_or_certainty_differ(given, retuned, disagree):
    rows = found(given, retuned)
    assert bool(rows) == disagree
    for row in rows:
        assert row["difference"] == pytest.approx(retuned - given)
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["variant"], row["metric"], row["subject"]) == ("v", *KEY)


def test_one_that_is_sure_is_no_disagreement_by_itself():
    rows = found(0.32, 0.2)
    assert rows == []
    [sure] = effects.compare({"base": estimate(10, 0.1, 0), "v": estimate(10.32, 0.1, 1)}, balance.METRICS)
    [unsure] = effects.compare({"base": estimate(10, 0.1, 2), "v": estimate(10.2, 0.1, 3)}, balance.METRICS)
    assert (sure.significant, unsure.significant) == (True, False)
