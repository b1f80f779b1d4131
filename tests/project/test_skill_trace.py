"""What docs/search.md says of the skill trace is what its table holds."""

import runpy
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[2]


def test_the_page_says_what_the_table_holds():
    script = runpy.run_path(str(ROOT / "benchmarks" / "skill_trace.py"))
    table = pd.read_csv(script["TABLE"])
    assert table["rollouts"].tolist() == list(script["BUDGETS"][1:])
    assert set(table["games"]) == {2 * script["DEALS"]}
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    for line in table[table["rollouts"] > 128].itertuples():
        share, low, high = (f"{100 * number:.1f}" for number in (line.win_share, line.low, line.high))
        assert f"{share} % ({low} to {high}) for {line.rollouts} against {line.rollouts // 2}" in page
