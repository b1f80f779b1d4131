"""A run that is there: its folder, its rows, and the sums over them."""

from __future__ import annotations

from pathlib import Path

from arbosim.analysis.deals import Blocks
from arbosim.analysis.standings import Totals
from arbosim.core import digest, registry
from arbosim.core.arguments import shown
from arbosim.core.errors import UserError
from arbosim.core.game import Game
from arbosim.core.hook import extended, fields
from arbosim.core.measures import RESULTS_ALONE, Measures
from arbosim.rows import Rows
from arbosim.storage.parts import Parts
from arbosim.tournament import manifest
from arbosim.tournament.bots import RANDOM_MOVE
from arbosim.tournament.manifest import Manifest


def blocks(state: Manifest) -> Blocks:
    """Return the blocks of deals that are the units of a run's intervals."""
    return Blocks([(state.seed, state.deals_from, state.deals)])


def opened(folder: Path) -> tuple[Manifest, Game]:
    """Read run.json of a run folder, and find its game."""
    state = manifest.load(folder)
    where = str(folder / manifest.FILE)
    try:
        game = registry.game(state.game)
        check_players(game, state.players)
        if game.rules_version == state.rules_version:
            game.rules(None, state.rules)
    except UserError as error:
        raise UserError(str(error), where=where) from None
    return state, game


def parts_of(folder: Path, state: Manifest, game: Game) -> Parts:
    """Return the rows in a run folder."""
    deals = range(state.deals_from, state.deals_from + state.deals)
    dtype = game.row_dtype(state.players, measured(state))
    if state.metric is not None:
        dtype = extended(dtype, fields(state.metric.names, state.metric.per, state.players))
    return Parts(folder, dtype, state.players, len(state.line_ups), deals, state.keeps_actions)


def measured(state: Manifest) -> Measures:
    """Return what the rows of a run hold, a metric of one's own apart."""
    return Measures(not state.lean, state.course)


def check_digest(state: Manifest, totals: Totals, folder: Path) -> None:
    """Refuse rows that are as many as run.json says, but others."""
    found = digest.to_text(totals.digest)
    if state.status != "running" and totals.games == state.games and found != state.digest:
        raise UserError(
            f"the rows in {str(folder)!r} are not those of {manifest.FILE}: it has the digest "
            f"{state.digest}, they have {found}"
        )


def digested(state: Manifest) -> tuple[str, ...]:
    """Return the columns that a run's digest covers: those of its lean rows, so that lean and full runs agree."""
    return registry.game(state.game).row_dtype(state.players, RESULTS_ALONE).names or ()


def no_sums(state: Manifest) -> Totals:
    """Return the sums over no rows of a run, to which rows can be added."""
    return Totals(state.specs, state.players, blocks(state), digested(state))


def sums(state: Manifest, rows: Rows) -> Totals:
    """Return the sums over the rows of a run."""
    totals = no_sums(state)
    for match, some in rows.batches():
        totals.add(state.seed, state.line_ups[match], some)
    add_random_moves(totals, state, rows)
    return totals


def add_random_moves(totals: Totals, state: Manifest, rows: Rows) -> None:
    """Add the mistakes of a run that cost no more than a move; those that cost a game are in its rows."""
    if state.on_error == RANDOM_MOVE:
        totals.add_errors(rows.errors())


def check_players(game: Game, players: int) -> None:
    """Refuse a number of players that a game is not for."""
    if not game.min_players <= players <= game.max_players:
        raise UserError(
            f"{game.title} is for {game.min_players} to {game.max_players} players, not {shown(players)}"
        )
