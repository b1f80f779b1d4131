"""A rule set in words: the nearest preset, and what differs from it."""

import arbosim
from arbosim.core.game import rules_in_words


def words(preset=None, **changes):
    game = arbosim.game()
    return rules_in_words(game, game.rules(preset, changes).model_dump(mode="json"))


def test_the_nearest_preset_and_what_differs_from_it():
    assert words() == "standard"
    assert words("renegade2018") == words(start_discard="none") == "renegade2018"
    assert words(hand_size=6) == "standard with hand_size=6"
    assert (
        words("renegade2018", species=4, mono_bonus="false")
        == "renegade2018 with species=4, mono_bonus=false"
    )


def test_a_field_of_another_version_is_told():
    game = arbosim.game()
    rules = {**game.rules().model_dump(mode="json"), "new_field": None}
    assert rules_in_words(game, rules) == "standard with new_field=none"
