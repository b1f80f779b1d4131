"""The file of a study as its page shows it."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from arbosim.report.study import toml
from arbosim.studies import config
from arbosim.studies.problems import Problems
from tests.report.made_study import MadeStudy

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXTS
ANY = VALUES | st.lists(VALUES) | st.dictionaries(TEXTS, VALUES | st.dictionaries(TEXTS, VALUES))


@given(st.dictionaries(TEXTS, ANY))
def test_what_is_written_is_read_back(settings):
    assert tomllib.loads(toml.written(settings)) == settings


def test_what_is_none_is_left_out_and_a_rule_that_is_none_is_called_so():
    assert tomllib.loads(toml.written({"metrics": None, "base": {"species": None}})) == {
        "base": {"species": "none"}
    }


def test_the_settings_of_a_study_ask_for_it_again():
    asked = MadeStudy().manifest.settings
    problems = Problems()
    made = config.settings({}, tomllib.loads(toml.written(asked)), problems)
    problems.tell()
    known = made.model_dump(mode="json")
    told = {key: value for key, value in asked.items() if value is not None}
    assert {key: known[key] for key in told if key != "retune"} == {
        k: v for k, v in told.items() if k != "retune"
    }
