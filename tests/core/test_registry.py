import pickle
import sys
from importlib.metadata import EntryPoint

import pytest

from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.strategy import Parameter

IDEA = '''
from arbosim.core.strategy import Parameter

class {cls}:
    """{cls} has an idea."""

    __arbosim_game__ = "{game}"
    parameters = (Parameter("keep", 3, 0, 7),)
'''


def idea(cls="Walker", game="toy"):
    return IDEA.format(cls=cls, game=game)


@pytest.fixture
def zoo(tmp_path, monkeypatch, request):
    """A package of two strategies, named by an entry point, in a folder that is also the current one."""
    name = f"zoo_{request.node.name.partition('[')[0]}"
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "walker.py").write_text(idea("Walker"))
    (package / "runner.py").write_text(idea("Runner"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint("zoo", name, registry.STRATEGIES)]
    monkeypatch.setattr(
        registry, "entry_points", lambda group: points if group == registry.STRATEGIES else []
    )
    return package


def test_a_package_is_scanned(zoo):
    assert list(registry.strategies("toy")) == ["runner", "walker"]
    assert registry.strategies("another game") == {}


def test_a_new_file_is_found_at_once(zoo):
    registry.strategies("toy")
    (zoo / "swimmer.py").write_text(idea("Swimmer"))
    assert "swimmer" in registry.strategies("toy")


def test_a_file_that_begins_with_an_underscore_is_no_strategy(zoo):
    (zoo / "_shared.py").write_text(idea("Shared"))
    assert "shared" not in registry.strategies("toy")


def test_a_broken_file_is_left_out_with_a_warning(zoo):
    (zoo / "broken.py").write_text("def decide(:\n")
    with pytest.warns(UserWarning, match=r"broken cannot be imported: line 1"):
        assert list(registry.strategies("toy")) == ["runner", "walker"]


def test_the_source_hash_follows_the_files_that_a_strategy_uses(zoo):
    (zoo / "_shared.py").write_text("def far(): return 1\n")
    (zoo / "user.py").write_text(f"from {zoo.name}._shared import far\n" + idea("User"))
    known = registry.strategies("toy")
    before = [strategy.source_hash for strategy in known.values()]
    (zoo / "_shared.py").write_text("def far(): return 2\n")
    after = [strategy.source_hash for strategy in registry.strategies("toy").values()]
    assert [old == new for old, new in zip(before, after, strict=True)] == [name != "user" for name in known]


def test_one_name_twice_is_refused(zoo):
    (zoo / "other.py").write_text(idea("Walker"))
    with pytest.raises(UserError, match="two strategies are named 'walker'"):
        registry.strategies("toy")


def test_a_strategy_that_a_module_only_imports_is_not_its_own(zoo):
    (zoo / "other.py").write_text(f"from {zoo.name}.walker import Walker\n" + idea("Other"))
    assert list(registry.strategies("toy")) == ["other", "runner", "walker"]


def test_by_name(zoo):
    entrant = registry.resolve("walker:keep=5", "toy")
    assert (entrant.spec, entrant.location, entrant.values) == ("walker:keep=5", "walker", (5,))
    assert registry.resolve("walker:keep=3", "toy").spec == "walker"
    assert registry.resolve(entrant, "toy") is entrant


def test_an_unknown_name_tells_the_nearest(zoo):
    with pytest.raises(
        UserError, match=r"unknown strategy 'wlaker' in --strategies; did you mean 'walker'\?"
    ):
        registry.resolve("wlaker", "toy", where="--strategies")
    (zoo.parent / "swimmer.py").write_text(idea("Swimmer"))
    with pytest.raises(UserError, match=r"did you mean 'swimmer\.py'"):
        registry.resolve("swimmer", "toy")


def test_by_file(zoo):
    (zoo.parent / "mine.py").write_text(idea("Mine"))
    entrant = registry.resolve("./mine.py:keep=4", "toy")
    assert entrant.spec == "mine.py:keep=4"
    assert entrant.location == str(zoo.parent / "mine.py")
    assert registry.resolve("mine.py", "toy").strategy.entry is entrant.strategy.entry


def test_an_edited_file_is_read_again(zoo):
    path = zoo.parent / "mine.py"
    path.write_text(idea("Mine"))
    registry.resolve("mine.py", "toy")
    path.write_text(idea("Another"))
    assert registry.resolve("mine.py", "toy").strategy.name == "another"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no strategy"),
        (idea("One") + idea("Two"), r"holds 2 strategies \(one, two\)"),
        ("def decide(:", "line 1"),
        ("\nimport no_such_module", r"ModuleNotFoundError.*line 2"),
        ("raise SystemExit(3)", "SystemExit"),
        (idea(game="chess"), "plays chess, not toy"),
        (idea().replace("3, 0, 7", "9, 0, 7"), "parameter 'keep' takes a whole number from 0 to 7, not 9"),
    ],
)
def test_a_file_that_is_no_strategy_is_refused(zoo, text, message):
    (zoo.parent / "mine.py").write_text(text)
    with pytest.raises(UserError, match=message):
        registry.resolve("mine.py", "toy")


def test_a_missing_file_tells_the_nearest(zoo):
    (zoo.parent / "mine.py").write_text(idea("Mine"))
    with pytest.raises(UserError, match=r"no file 'mime\.py'; did you mean 'mine\.py'"):
        registry.resolve("mime.py", "toy")
    with pytest.raises(UserError, match=r"no file 'nowhere/mine\.py'$"):
        registry.resolve("nowhere/mine.py", "toy")
    (zoo.parent / "folder.py").mkdir()
    with pytest.raises(UserError, match="no file"):
        registry.resolve("folder.py", "toy")


def test_by_module_and_attribute(zoo):
    target = f"py={zoo.name}.walker:Walker"
    entrant = registry.resolve(f"{target}:keep=1", "toy")
    assert (entrant.spec, entrant.location) == (f"{target}:keep=1", target)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_such_module:Walker", "'no_such_module' cannot be imported"),
        ("{zoo}.walker:Wlaker", "did you mean 'Walker'"),
        ("{zoo}.walker:Parameter", "the class 'Parameter' is not a strategy"),
    ],
)
def test_a_wrong_module_or_attribute_is_refused(zoo, target, message):
    with pytest.raises(UserError, match=message):
        registry.resolve("py=" + target.format(zoo=zoo.name), "toy")


def test_an_object_that_is_registered_travels_by_name(zoo):
    registry.strategies("toy")
    walker = sys.modules[f"{zoo.name}.walker"].Walker
    assert registry.resolve(walker, "toy").location == "walker"


def test_an_object_of_a_module_travels_by_module_and_attribute(zoo):
    (zoo.parent / "my_ideas.py").write_text(idea("Mine"))
    module = pytest.importorskip("my_ideas")
    entrant = registry.resolve(module.Mine, "toy")
    assert (entrant.spec, entrant.location) == ("mine", "py=my_ideas:Mine")
    again = pickle.loads(pickle.dumps(entrant))
    assert again == entrant


def test_an_object_of_a_notebook_travels_by_value(zoo):
    space = {"__name__": "__main__"}
    exec(idea("Mine"), space)
    assert registry.resolve(space["Mine"], "toy").location == ""


def test_an_object_does_not_take_a_registered_name(zoo):
    space = {"__name__": "__main__"}
    exec(idea("Walker"), space)
    with pytest.raises(UserError, match="taken by a registered strategy"):
        registry.resolve(space["Walker"], "toy")


@pytest.mark.parametrize("spec", ["walker:keep=5", "mine.py:keep=5"])
def test_another_process_finds_the_same(zoo, spec):
    (zoo.parent / "mine.py").write_text(idea("Mine"))
    entrant = registry.resolve(spec, "toy")
    again = pickle.loads(pickle.dumps(entrant))
    assert (again.spec, again.values, again.location) == (entrant.spec, entrant.values, entrant.location)
    assert again.strategy.entry is entrant.strategy.entry


def test_what_is_no_strategy_is_refused(zoo):
    with pytest.raises(UserError, match="is not a strategy"):
        registry.resolve(Parameter, "toy")


def test_an_unknown_game_tells_the_known_ones():
    registry.games.cache_clear()
    with pytest.raises(UserError, match="did you mean 'arboretum'"):
        registry.game("arborteum")
    assert registry.game().name == registry.game("arboretum").name == "arboretum"


def test_an_object_in_place_of_its_class_is_refused(zoo):
    class Mine:
        __arbosim_game__ = "toy"

    with pytest.raises(UserError, match="an object of Mine; give the class Mine itself"):
        registry.resolve(Mine(), "toy")


def test_a_class_that_lacks_a_method_is_refused_before_anything_is_played(tmp_path):
    (tmp_path / "half.py").write_text(
        "from arbosim.games.arboretum import api\n\n\nclass Half(api.Strategy):\n"
        "    def draw(self, view):\n        return 'deck'\n"
    )
    with pytest.raises(UserError, match=r"Half defines no discard\(self, view\) and no play\(self, view\)"):
        registry.resolve(str(tmp_path / "half.py"), "arboretum")


def test_a_class_to_derive_from_is_no_strategy(tmp_path):
    (tmp_path / "both.py").write_text(
        "from arbosim.games.arboretum import api\n\n\nclass Base(api.Strategy):\n"
        "    def draw(self, view):\n        return 'deck'\n\n\nclass Whole(Base):\n"
        "    def play(self, view):\n        return view.hand[0], view.open_cells[0]\n\n"
        "    def discard(self, view):\n        return view.hand[0]\n"
    )
    assert registry.resolve(str(tmp_path / "both.py"), "arboretum").strategy.name == "whole"
