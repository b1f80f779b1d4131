from arbosim.core.errors import UserError, nearest, unknown


def test_the_place_stands_before_the_message():
    error = UserError("0 is too few", where="--deals")
    assert str(error) == "--deals: 0 is too few"
    assert (error.message, error.where) == ("0 is too few", "--deals")


def test_an_unknown_name_is_answered_by_the_nearest():
    text = str(unknown("strategy", "greddy", ["random", "hoarder", "greedy"], where="--strategies"))
    assert text.startswith("unknown strategy 'greddy' in --strategies; did you mean 'greedy'?")
    assert "accepted: greedy, hoarder, random" in text


def test_without_a_near_name_all_are_told():
    text = str(unknown("rule", "xyzzy", ["values", "species"]))
    assert text == "unknown rule 'xyzzy' (accepted: species, values)"


def test_case_does_not_hide_the_nearest_name():
    assert nearest("GREEDY", ["greedy", "random"]) == ["greedy"]
