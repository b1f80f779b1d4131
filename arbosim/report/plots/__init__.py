"""Figures: one function each, results (or a study) or the frame that it draws in, matplotlib Axes out.

All of them take ``ax``; without it they make a figure that fits the number of strategies, and the Axes that come
back show it in a notebook (``ax.figure.savefig("x.png")`` elsewhere). Nothing of matplotlib's global state is
touched, pyplot is not needed. Colours are those of Okabe and Ito, and no fact is told by colour alone.
docs/plots.md shows them.
"""

from arbosim.report.plots.distributions import margins, scores, turns
from arbosim.report.plots.effects import effects
from arbosim.report.plots.forest import ratings
from arbosim.report.plots.graph import meta_graph
from arbosim.report.plots.pairwise import heatmap
from arbosim.report.plots.paths import paths_and_rights
from arbosim.report.plots.progress import win_share
from arbosim.report.plots.seating import seats

__all__ = [
    "effects",
    "heatmap",
    "margins",
    "meta_graph",
    "paths_and_rights",
    "ratings",
    "scores",
    "seats",
    "turns",
    "win_share",
]
