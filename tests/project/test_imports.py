"""What must stay cheap to import, asked of fresh processes."""

import json
import subprocess
import sys

import pytest

import arbosim

HEAVY = ("numba", "pandas", "scipy", "matplotlib", "pyarrow", "joblib")


def modules_after(code):
    program = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import arbosim",
        "from arbosim.cli.main import main\nassert main(['--help']) == 0",
        "from arbosim.cli.main import main\nassert main(['run', '--help']) == 0",
        "import arbosim\narbosim.game().rules()",
    ],
)
def test_nothing_heavy_is_loaded(code):
    assert not modules_after(code) & set(HEAVY)


def test_the_facade_keeps_what_it_promises():
    for name in arbosim.__all__:
        assert getattr(arbosim, name) is not None
    assert set(dir(arbosim)) == set(arbosim.__all__)
    with pytest.raises(AttributeError, match="no attribute 'rnu'"):
        arbosim.rnu  # noqa: B018
