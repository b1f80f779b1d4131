"""Measure the engine beside a yardstick in C that plays the same games, in turn and in one run.

    python benchmarks/yardstick.py limit.c

The yardstick is called as `limit GAMES PLAYERS MODE` (mode 0 random, 1 greedy) and prints its games a second of
processor time and its mean scores. The script fails if mean scores differ by more than chance allows, so that a
fast wrong engine does not pass. Both keep the results of a game alone: the engine plays lean, without metrics.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from arbosim.core import registry
from arbosim.core.measures import RESULTS_ALONE
from arbosim.tournament.speed import measure

# Many short rounds in turn, and the best of each side: what a neighbour on a shared machine leaves undisturbed.
ROUNDS = 21
SECONDS = 0.5
GAMES = {"random": 120_000, "greedy": 16_000}
# Two means of so many games each differ by more than this with probability below 1e-6: scores have a standard
# deviation below 7 points, and 5 standard errors of a difference are 5 * 7 * sqrt(2 / games).
DEVIATIONS = 5
LARGEST_DEVIATION = 7.0


def main() -> int:
    """Print a line for each strategy and number of players; return 1 if a mean score differs."""
    source = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "limit"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", binary, source], check=True)
        return max(compare(binary, name, players) for name in GAMES for players in (2, 4))


def compare(binary: Path, name: str, players: int) -> int:
    """Measure one strategy and number of players in turn with the yardstick."""
    game = registry.game()
    entrant = registry.resolve(name, game.name)
    games = GAMES[name] // players
    rates, yardstick = [], []
    for seed in range(ROUNDS):
        ours = measure(
            game, game.rules(), players, entrant, seed=seed, seconds=SECONDS, measures=RESULTS_ALONE
        )
        command = [binary, str(games), str(players), "1" if name == "greedy" else "0"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        rates.append(ours.games_per_second)
        yardstick.append(float(re.search(r"([\d.]+) games/s", text)[1]))
        theirs = [float(number) for number in text.split("mean scores")[1].split()]
    allowed = DEVIATIONS * LARGEST_DEVIATION * (1 / games + 1 / ours.games) ** 0.5
    differ = any(abs(a - b) > allowed for a, b in zip(ours.mean_scores, theirs, strict=True))
    means = " ".join(f"{mean:.3f}" for mean in ours.mean_scores)
    ratios = [rate / other for rate, other in zip(rates, yardstick, strict=True)]
    print(
        f"{name}, {players} players: {max(rates):,.0f} games/s, {max(yardstick):,.0f} in C; ratio "
        f"{max(rates) / max(yardstick):.2f}, by rounds {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); "
        f"mean scores {means}, in C {' '.join(f'{mean:.3f}' for mean in theirs)}{'  THEY DIFFER' if differ else ''}"
    )
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
