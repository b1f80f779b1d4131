"""What scripts are asked for that makes no sense is refused in words, before anything is written."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
JOBS = "jobs: must be at least 1, or -1 for all cores, not 0"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("benchmarks/ladder.py --reduced -j 0", JOBS),
        ("benchmarks/skill_trace.py -j 0", JOBS),
        ("benchmarks/skill_trace.py --deals 0", "deals: "),
        ("benchmarks/skill_trace.py --deal 5", "unrecognized arguments: --deal 5"),
        ("benchmarks/skill_trace.py --draw --deals 5", "--draw plays no deals: give it or --deals"),
        ("experiments/run.py tempo -j 0", JOBS),
        ("experiments/run.py --ful", "unrecognized arguments: --ful"),
    ],
)
def test_what_makes_no_sense_is_refused(line, message, tmp_path):
    script, *given = line.split()
    done = subprocess.run(
        [sys.executable, ROOT / script, *given], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
