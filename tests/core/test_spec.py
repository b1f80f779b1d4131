import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.core.spec import Spec, format_spec, parse, parse_list

identifiers = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
dotted = st.lists(identifiers, min_size=1, max_size=3).map(".".join)
names = st.from_regex(r"[a-z][a-z0-9_-]{0,10}", fullmatch=True)
files = st.from_regex(r"(\.\./|/|\./)?([a-zA-Z0-9_ =-]{1,6}/){0,2}[a-zA-Z0-9_-]{1,8}\.py", fullmatch=True)
modules = st.builds("py={}:{}".format, dotted, dotted)
values = st.from_regex(r"[^\s:,]{1,8}", fullmatch=True)
sets = st.one_of(
    st.just(""), names, st.from_regex(r"([a-z0-9 ]{1,5}/){0,2}[a-z0-9-]{1,6}\.toml", fullmatch=True)
)
specs = st.builds(
    lambda target, settings, chosen: Spec(target, tuple(settings.items()), chosen),
    st.one_of(names, modules, files.filter(lambda path: not path.startswith("py="))),
    st.dictionaries(identifiers, values, max_size=4),
    sets,
)


@given(specs)
def test_what_is_formatted_parses_to_the_same(spec):
    assert parse(format_spec(spec)) == spec


@given(st.text(max_size=20))
def test_any_text_is_a_spec_or_a_pointed_error(text):
    try:
        assert format_spec(parse(text)) == text
    except UserError as error:
        assert str(error).splitlines()[-1].strip() == "^"


@given(st.lists(specs, min_size=1, max_size=4))
def test_a_list_splits_into_its_items(items):
    texts = [format_spec(spec) for spec in items]
    assert [parse(text) for text in parse_list(", ".join(texts))] == [parse(text.strip()) for text in texts]


@pytest.mark.parametrize(
    ("text", "kind", "target", "settings"),
    [
        ("greedy", "name", "greedy", ()),
        ("hoarder:keep=3:deny=off", "name", "hoarder", (("keep", "3"), ("deny", "off"))),
        ("py=mine.ideas:MyIdea", "module", "py=mine.ideas:MyIdea", ()),
        ("py=mine:Outer.Inner:keep=3", "module", "py=mine:Outer.Inner", (("keep", "3"),)),
        ("ideas/my_idea.py", "file", "ideas/my_idea.py", ()),
        ("../my idea.py:keep=0.5", "file", "../my idea.py", (("keep", "0.5"),)),
        ("greedy:file=x.py", "name", "greedy", (("file", "x.py"),)),
    ],
)
def test_the_three_forms(text, kind, target, settings):
    spec = parse(text)
    assert (spec.kind, spec.target, spec.settings) == (kind, target, settings)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 0, "a strategy is expected"),
        (":keep=3", 0, "a strategy is expected"),
        ("3greedy", 0, "a strategy is expected"),
        ("greedy ", 6, "unexpected ' '"),
        ("ideas/mine", 5, "a file ends in .py"),
        ("greedy:", 7, "a setting key=value"),
        ("greedy:keep", 11, "after 'keep'"),
        ("greedy:keep:deny=on", 11, "after 'keep'"),
        ("greedy:keep=", 12, "a value is expected for 'keep'"),
        ("greedy:keep=3:keep=4", 14, "'keep' is set twice"),
        ("greedy:keep=3,random", 13, "unexpected ','"),
        ("py=", 3, "the name of a module"),
        ("py=mine", 7, "an attribute"),
        ("py=mine:", 8, "an attribute"),
        ("py=mine:Idea:", 13, "a setting key=value"),
    ],
)
def test_an_error_points_at_the_first_wrong_character(text, column, message):
    with pytest.raises(UserError) as caught:
        parse(text, where="--strategies")
    first, shown, caret = str(caught.value).splitlines()
    assert first.startswith("--strategies: ")
    assert message in first
    assert shown == f"  {text}"
    assert caret == "  " + " " * column + "^"


def test_a_list_with_a_hole_is_refused():
    with pytest.raises(UserError) as caught:
        parse_list("random,,greedy")
    assert str(caught.value).splitlines()[-1] == "  " + " " * 7 + "^"
