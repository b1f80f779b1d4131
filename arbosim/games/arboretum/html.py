"""A table and how it scores as HTML for notebooks and pages: boards with their paths, hands, piles, rights."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arbosim.core.numbers import counted
from arbosim.games.arboretum.cards import LETTERS, SPECIES
from arbosim.games.arboretum.explanation import Score, SeatScore
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.render import forfeit_in_words, right_in_words, winners_in_words
from arbosim.games.arboretum.svg import board_svg, cards_svg, path_lines

LEFT = 'style="text-align:left;vertical-align:top"'
LEGEND = "Full line with a full head: the path scores. Dashed line with an open head: no right to score it."


def position_html(position: Position, names: Sequence[str] = ()) -> str:
    """Return a fragment of HTML that shows what lies where and what it scores as it stands.

    Parameters
    ----------
    names : sequence of str, optional
        The strategies by seat.
    """
    given = list(names) or [""] * position.players
    score = position.score()
    seats = "".join(_seat(position, score, seat, name) for seat, name in enumerate(given))
    return (
        f'<div class="arbosim-position"><p><strong>{escape(_state(position, score, given))}</strong></p>'
        f'<div style="display:flex;flex-wrap:wrap;gap:2em">{seats}</div>'
        f"{score_table(position, score, given)}</div>"
    )


def _state(position: Position, score: Score, names: Sequence[str]) -> str:
    if position.forfeited:
        return forfeit_in_words(position.forfeited, position.players, names)
    if not position.finished:
        deck = counted(position.deck_count, "card")
        return (
            f"Turn {position.turn + 1}: seat {position.current} is to {position.phase}; {deck} in the deck."
        )
    if position.dealt is None:
        return winners_in_words(score)
    return f"After {counted(position.turn, 'turn')}: {winners_in_words(score)}"


def _seat(position: Position, score: Score, seat: int, name: str) -> str:
    who = heading(seat, name)
    player = score.players[seat]
    board = [(str(card), *cell) for cell, card in position.arboretums[seat].items()]
    hand, pile = ([str(card) for card in cards[seat]] for cards in (position.hands, position.discards))
    return (
        f'<div><p style="max-width:32em;overflow-wrap:anywhere"><strong>{escape(who)}</strong><br/>'
        f"{_total(player)}, {player.kinds} species in the arboretum</p>"
        f"{board_svg(board, path_lines(player), title=f'Arboretum of {who}')}"
        f"<p>hand<br/>{cards_svg(hand, f'Hand of {who}')}</p>"
        f"<p>discard pile, the top last<br/>{cards_svg(pile, f'Discard pile of {who}')}</p></div>"
    )


def score_table(position: Position, score: Score, names: Sequence[str]) -> str:
    """Return a table of species: who may score each and why, and what each seat has of it in hand and on the table."""
    heads = "".join(f"<th {LEFT}>{escape(heading(seat, name))}</th>" for seat, name in enumerate(names))
    rows = "".join(_species(position, score, letter) for letter in score.players[0].species)
    totals = "".join(
        f"<td {LEFT}><strong>{_total(player)}</strong>, {player.kinds} species</td>"
        for player in score.players
    )
    return (
        f'<p class="legend"><small>{LEGEND}</small></p><table><thead><tr><th {LEFT}>species</th>'
        f"<th {LEFT}>who may score it, and why</th>{heads}</tr></thead><tbody>{rows}</tbody>"
        f'<tfoot><tr><th {LEFT} scope="row" colspan="2">total</th>{totals}</tr></tfoot></table>'
    )


def _species(position: Position, score: Score, letter: str) -> str:
    name = SPECIES[LETTERS.index(letter)].name
    right = escape(right_in_words(position, score, letter))
    cells = "".join(
        f"<td {LEFT}>{_holding(position, score, seat, letter)}</td>" for seat in range(position.players)
    )
    return f'<tr><th {LEFT} scope="row">{name} ({letter})</th><td {LEFT}>{right}</td>{cells}</tr>'


def _holding(position: Position, score: Score, seat: int, letter: str) -> str:
    """Return what a seat has of a species: the cards in hand and their sum, the path and its points."""
    entry = score.players[seat].species[letter]
    held = " ".join(str(card) for card in position.hands[seat] if card.species == letter)
    hand = f"hand {held} = {entry.hand}" if held else "none in hand"
    if not entry.path:
        return f"{hand}<br/>no path"
    board = position.arboretums[seat]
    path = f"path {' '.join(str(board[cell]) for cell in entry.path)} = {entry.points}"
    return f"{hand}<br/>{path}<br/>" + (
        f"<strong>scores {entry.scored}</strong>" if entry.right else "no right"
    )


def heading(seat: int, name: str) -> str:
    """Return who sits there; the name may be empty."""
    return f"Seat {seat} {name}" if name else f"Seat {seat}"


def _total(player: SeatScore) -> str:
    return "no score" if player.total is None else counted(player.total, "point")
