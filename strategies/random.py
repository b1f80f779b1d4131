"""Blind chance: the floor that every idea must leave behind."""

from arbosim.games.arboretum import api


@api.strategy(
    name="random",
    source="the yardstick of the project (shared/bench)",
    weakness="Everything; it also draws so many discards that its games last almost twice as long as people's.",
    status="verified",
)
def decide(table, seat):
    """Every choice by chance: source, card, cell and discard each uniformly from what is allowed."""
    phase = api.phase(seat)
    if phase == api.DRAW:
        return api.draw(api.source(table, api.below(seat, api.source_count(table))))
    card = api.hand_card(seat, api.below(seat, api.hand_count(seat)))
    if phase == api.PLAY:
        me = api.me(seat)
        return api.play(card, api.open_cell(table, me, api.below(seat, api.open_count(table, me))))
    return api.discard(card)
