"""A table and how it scores as HTML for notebooks and pages: boards with their paths, hands, piles, rights."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arbosim.core.numbers import counted
from arbosim.games.arboretum.cards import LETTERS, SPECIES
from arbosim.games.arboretum.explanation import Score
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.render import forfeit_in_words, right_in_words, winners_in_words
from arbosim.games.arboretum.svg import board_svg, cards_svg, path_lines

NUMBER = 'style="text-align:right;padding:0 .5em"'
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
        f"<p><small>{LEGEND}</small></p>{_rights(position, score)}</div>"
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
    heading = f"Seat {seat}" + (f" {name}" if name else "")
    player = score.players[seat]
    total = "no score" if player.total is None else counted(player.total, "point")
    board = [(str(card), *cell) for cell, card in position.arboretums[seat].items()]
    hand, pile = ([str(card) for card in cards[seat]] for cards in (position.hands, position.discards))
    return (
        f'<div><p style="max-width:32em;overflow-wrap:anywhere"><strong>{escape(heading)}</strong><br/>'
        f"{total}, {player.kinds} species in the arboretum</p>"
        f"{board_svg(board, path_lines(player), title=f'Arboretum of {heading}')}"
        f"<p>hand<br/>{cards_svg(hand, f'Hand of {heading}')}</p>"
        f"<p>discard pile, the top last<br/>{cards_svg(pile, f'Discard pile of {heading}')}</p></div>"
    )


def _rights(position: Position, score: Score) -> str:
    """Return the table of species: who may score and why, and what each seat has of them."""
    seats = range(position.players)
    heads = "".join(f'<th colspan="3" scope="colgroup">seat {seat}</th>' for seat in seats)
    rows = "".join(_species(position, score, letter) for letter in score.players[0].species)
    return (
        f'<table><thead><tr><th rowspan="2">species</th><th rowspan="2">right</th>{heads}</tr>'
        f"<tr>{'<th>hand</th><th>path</th><th>scored</th>' * position.players}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _species(position: Position, score: Score, letter: str) -> str:
    name = SPECIES[LETTERS.index(letter)].name
    cells = []
    for player in score.players:
        entry = player.species[letter]
        scored = f"<strong>{entry.scored}</strong>" if entry.scored else "0"
        cells += [f"<td {NUMBER}>{text}</td>" for text in (entry.hand, entry.points, scored)]
    right = escape(right_in_words(position, score, letter))
    return (
        f'<tr><th scope="row" style="text-align:left">{name} ({letter})</th>'
        f'<td style="text-align:left">{right}</td>{"".join(cells)}</tr>'
    )
