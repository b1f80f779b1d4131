"""What a result row says of each seat; docs/tables.md describes the same columns at length."""

from arbosim.core.columns import Column

RESULTS = (
    Column("points", "int16", "points", "sum over species of the best path, whatever the right"),
    Column("kinds", "uint8", "species", "species in the arboretum"),
)
"""They are part of every row, and of a run's digest."""

METRICS = (
    Column("rights", "uint8", "species", "whose right to score the seat has"),
    Column("denied", "uint8", "species", "in which it has a path that does not score, for want of the right"),
    Column("paths", "uint8", "paths", "species in which it has a path, whatever the right"),
    Column("path_cards", "uint8", "cards", "on the best paths of these species together"),
    Column("longest", "uint8", "cards", "on the longest of these best paths"),
    Column("mono", "uint8", "paths", "of these that are paid double for their single species"),
    Column("starts_one", "uint8", "paths", "of these that start on a 1"),
    Column("ends_top", "uint8", "paths", "of these that end on the highest value, the 8"),
    Column("scored_paths", "uint8", "paths", "`paths` of those that score"),
    Column("scored_path_cards", "uint8", "cards", "`path_cards` of those that score"),
    Column("scored_longest", "uint8", "cards", "`longest` of those that score"),
    Column("scored_mono", "uint8", "paths", "`mono` of those that score"),
    Column("scored_starts_one", "uint8", "paths", "`starts_one` of those that score"),
    Column("scored_ends_top", "uint8", "paths", "`ends_top` of those that score"),
    Column("tops_cancelled", "uint8", "cards", "its 8s in hand that count 0, as another hand has the 1"),
    Column("taken_own", "uint8", "cards", "drawn from the own discard pile"),
    Column("taken_others", "uint8", "cards", "drawn from the discard piles of others"),
    Column("taken_deep", "uint8", "cards", "of these that lay below a top when the turn began"),
    Column("hand_points", "uint8", "points", "sum of the values of the hand at the end"),
)
"""They are left out of a lean row. None can pass 255: 12 hand cards of 10, or 60 turns of 4 draws."""

COURSE = (
    Column(
        "lead_changes", "uint8", "", "how often another seat came to lead alone than the one that did before"
    ),
    Column(
        "behind",
        "uint16",
        "points",
        "by which the winner was behind the leader, summed over all turns",
    ),
    Column("settled", "uint16", "turns", "until the winner's lead stayed above any that another ever had"),
    Column("unscored", "uint8", "species", "that nobody scores"),
)
"""Of a game, not of a seat; only in the rows of runs that keep the course of their games.

Whoever has most points if the game ended with this turn leads; each number is explained in course.py.
"""
