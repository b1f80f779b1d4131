"""Dialects: ways in which programs are told about a game of Arboretum, and in which they answer."""

from __future__ import annotations

from arbosim.games.arboretum.dialects import hackaranda, own
from arbosim.games.arboretum.dialects.hackaranda import Hackaranda
from arbosim.games.arboretum.dialects.own import Own

DIALECTS: dict[str, Own | Hackaranda] = {
    dialect.name: dialect for dialect in (own.DIALECT, hackaranda.DIALECT)
}
