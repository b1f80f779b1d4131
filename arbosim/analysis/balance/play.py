"""Metrics of how games go: seats, ties, scores, turns and tension."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arbosim.analysis.balance.draws import Draws, quotient
from arbosim.analysis.balance.metric import Metric, Values
from arbosim.analysis.deals import unit

COURSE = "the course of the games (`course = true`)"


def _seat_shares(draws: Draws) -> np.ndarray:
    """Return win shares by seat, float64[1 + replicates, seats]; forfeited games count, as in standings."""
    won = draws.weighted(draws.sums.seat_share) / unit(draws.sums.players)
    return quotient(won, draws.total("games")[:, None])


def _first_seat(draws: Draws) -> Values:
    return {"": _seat_shares(draws)[:, 0] - 1 / draws.sums.players}


def _seat_balance(draws: Draws) -> Values:
    shares = _seat_shares(draws)
    # in replicates the same two seats: the largest gap has a kink at 0, about which they would spread too little
    return {"": 1 - (shares[:, shares[0].argmax()] - shares[:, shares[0].argmin()])}


def _per_game(name: str) -> Callable[[Draws], Values]:
    return lambda draws: {"": quotient(draws.total(name), draws.total("whole"))}


def _score(draws: Draws) -> Values:
    return {"": quotient(draws.total("score"), draws.total("whole") * draws.sums.players)}


def _score_sd(draws: Draws) -> Values:
    scores = draws.total("whole") * draws.sums.players
    mean, squares = quotient(draws.total("score"), scores), quotient(draws.total("score_squares"), scores)
    return {"": np.sqrt(np.maximum(squares - mean**2, 0))}


def _drama(draws: Draws) -> Values:
    return {"": quotient(draws.total("behind"), draws.total("turns"))}


def _decisiveness(draws: Draws) -> Values:
    return {"": 1 - quotient(draws.total("settled"), draws.total("turns"))}


def _win_share(draws: Draws) -> Values:
    won = draws.weighted(draws.sums.share) / unit(draws.sums.players)
    shares = quotient(won, draws.weighted(draws.sums.games))
    # among copies of itself it is exactly 1 / players, which says nothing
    met = [bool(games.any()) for games in draws.sums.met]
    return {
        spec: share for spec, share, others in zip(draws.sums.specs, shares.T, met, strict=True) if others
    }


METRICS = (
    Metric(
        "first_seat",
        "first-seat advantage",
        "win share of seat 0 - 1 / players",
        "fairness of starting conditions: Jaffe et al. 2012; AdvantageP1 of Ludii",
        "win share",
        low=-1.0,
        high=1.0,
        group="fairness",
        meaning="How much more often the first seat wins than is its share: at 7 % with two players, the first wins 57 "
        "% of the games; at 0 % it has no advantage.",
        of=_first_seat,
    ),
    Metric(
        "seat_balance",
        "balance of seats",
        "1 - (largest win share of a seat - smallest)",
        "Balance of Ludii",
        "0 to 1",
        low=0.0,
        high=1.0,
        group="fairness",
        meaning="How equal the seats are: at 100 % all win equally often; at 90 %, the best seat wins 10 percentage "
        "points more of the games than the worst.",
        of=_seat_balance,
    ),
    Metric(
        "ties",
        "share of tied games",
        "games won by several / games",
        "Drawishness of Ludii",
        "0 to 1",
        low=0.0,
        high=1.0,
        group="tension",
        meaning="How often several win together, because not even the tie-break decides.",
        of=_per_game("ties"),
    ),
    Metric(
        "tie_breaks",
        "share of games decided by a tie-break",
        "games in which more seats have the best score than win / games",
        "own",
        "0 to 1",
        low=0.0,
        high=1.0,
        group="tension",
        meaning="How often several have the best score, and the tie-break picks the winner.",
        of=_per_game("tie_breaks"),
    ),
    Metric(
        "score",
        "mean score",
        "sum of score / (games x seats)",
        "own",
        "points",
        columns=("score",),
        group="scores",
        meaning="How many points a player has at the end.",
        of=_score,
    ),
    Metric(
        "score_sd",
        "spread of scores",
        "standard deviation of score over games and seats",
        "own",
        "points",
        columns=("score",),
        low=0.0,
        group="scores",
        meaning="How far scores lie from their mean: about two thirds of them are closer than this.",
        of=_score_sd,
    ),
    Metric(
        "margin",
        "margin of the winner",
        "mean of the best score - the second best of the game",
        "own",
        "points",
        low=0.0,
        group="scores",
        meaning="How many points the winner is ahead of the second: the smaller, the closer the games.",
        of=_per_game("margin"),
    ),
    Metric(
        "turns",
        "length of games",
        "sum of turns / games, the turns of all seats together",
        "DurationTurns of Ludii",
        "turns",
        columns=("turns",),
        low=0.0,
        group="length",
        meaning="How many turns a game lasts, those of all players together.",
        of=_per_game("turns"),
    ),
    Metric(
        "unequal_turns",
        "share of games with unequal turns",
        "games in which some seats have a turn more than others / games",
        "own",
        "0 to 1",
        low=0.0,
        high=1.0,
        group="length",
        meaning="How often the game ends after some players had a turn more than others.",
        of=_per_game("unequal_turns"),
    ),
    Metric(
        "lead_changes",
        "number of lead changes",
        "sum of lead_changes / games",
        "Browne and Maire 2010; LeadChange of Ludii",
        "changes per game",
        needs=COURSE,
        columns=("lead_changes",),
        low=0.0,
        group="tension",
        meaning="How often in a game somebody else takes the lead, by points on the table.",
        of=_per_game("lead_changes"),
    ),
    Metric(
        "drama",
        "drama",
        "sum of behind / sum of turns",
        "Browne and Maire 2010; Drama of Ludii, in points on the table",
        "points",
        needs=COURSE,
        columns=("behind", "turns"),
        low=0.0,
        group="tension",
        meaning="How many points the later winner is behind the leader, on average over all turns: 0 where winners "
        "lead all the way.",
        of=_drama,
    ),
    Metric(
        "decisiveness",
        "decisiveness",
        "1 - sum of settled / sum of turns: the share of turns after the game is settled",
        "after DecisivenessThreshold of Ludii",
        "0 to 1",
        needs=COURSE,
        columns=("settled", "turns"),
        low=0.0,
        high=1.0,
        group="tension",
        meaning="How much of a game is left once its winner leads, to the end, by more than anybody else ever does: at "
        "20 %, the last fifth decides nothing any more.",
        of=_decisiveness,
    ),
    Metric(
        "win_share",
        "win share of a strategy",
        "games won / games, a win shared by n being 1/n",
        "as in the standings",
        "0 to 1",
        needs="a strategy that met others",
        per="strategy",
        low=0.0,
        high=1.0,
        group="strategies",
        meaning="How often a strategy wins, a win shared by two counting half for each.",
        of=_win_share,
    ),
)
