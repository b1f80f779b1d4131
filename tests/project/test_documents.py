"""The examples of README, docs and experiments are run as they stand, each document in a folder of its own.

In a ``console`` block every line that begins with "$ " is a command. A ``python`` or ``toml`` block whose
first line is "# name.py" becomes that file; any other Python block is run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("experiments/*/README.md")),
]
BLOCK = re.compile(r"^```(console|python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\S+\.(py|toml))\n")
BIN = Path(sys.executable).parent


def run(command, folder):
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_run(document, tmp_path):
    for folder in ("docs", "experiments"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for language, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        named = FILE.match(text)
        if named:
            (tmp_path / named[1]).write_text(text)
        elif language == "python":
            run([sys.executable, "-c", text], tmp_path)
        elif language == "console":
            for line in text.splitlines():
                if line.startswith("$ "):
                    run(["bash", "-c", line.removeprefix("$ ")], tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
