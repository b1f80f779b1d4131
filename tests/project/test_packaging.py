"""What is installed: every package of the tree, and the zoo in such a way that a new file is seen at once."""

import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import arbosim_strategies

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_package_is_installed():
    found = sorted(
        ".".join(file.parent.relative_to(ROOT).parts) for file in ROOT.glob("arbosim/**/__init__.py")
    )
    assert PROJECT["tool"]["setuptools"]["packages"] == [*found, "arbosim_strategies"]


def test_the_zoo_is_the_folder_itself():
    assert [Path(path) for path in arbosim_strategies.__path__] == [ROOT / "strategies"]


def test_entry_points_are_those_of_the_project():
    for group in ("arbosim.games", "arbosim.strategies"):
        installed = {point.name: point.value for point in entry_points(group=group)}
        assert PROJECT["project"]["entry-points"][group].items() <= installed.items()


def test_every_file_that_is_no_module_is_installed():
    package_data = PROJECT["tool"]["setuptools"]["package-data"]
    installed = {
        file
        for package, patterns in package_data.items()
        for pattern in patterns
        for file in ROOT.joinpath(*package.split(".")).glob(pattern)
    }
    others = {
        file
        for file in ROOT.glob("arbosim/**/*")
        if file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts
    }
    assert others <= installed


def test_there_is_a_changelog_entry_for_the_version():
    import arbosim

    assert f"## {arbosim.__version__}" in (ROOT / "CHANGELOG.md").read_text()
