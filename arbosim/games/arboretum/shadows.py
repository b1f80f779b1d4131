"""Copies beside the records, to see whether strange code has changed them."""

from arbosim.core.jit import kernel
from arbosim.games.arboretum.state import TABLE, WIDTH

GRID_OFFSET = TABLE.fields["grid"][1]  # type: ignore[index]
GRID_BYTES = WIDTH * WIDTH


@kernel
def _near(count):
    """First and last byte of the rows of a grid that an arboretum of so many cards can touch."""
    middle = WIDTH // 2
    return max(middle - count - 1, 0) * WIDTH, min(middle + count + 2, WIDTH) * WIDTH


@kernel
def keep_table(table, table_bytes, shadow):
    """Copy the table to its shadow, as far as the arboretums reach (modified in place)."""
    for i in range(GRID_OFFSET):
        shadow[i] = table_bytes[i]
    for p in range(table["players"]):
        first, last = _near(table["board_count"][p])
        for i in range(GRID_OFFSET + p * GRID_BYTES + first, GRID_OFFSET + p * GRID_BYTES + last):
            shadow[i] = table_bytes[i]


@kernel
def table_changed(table, table_bytes, shadow):
    """Whether the table differs from its shadow."""
    differs = 0
    for i in range(GRID_OFFSET):
        differs |= table_bytes[i] ^ shadow[i]
    if differs:
        return True
    for p in range(table["players"]):
        first, last = _near(table["board_count"][p])
        for i in range(GRID_OFFSET + p * GRID_BYTES + first, GRID_OFFSET + p * GRID_BYTES + last):
            differs |= table_bytes[i] ^ shadow[i]
    return differs != 0


@kernel
def keep_bytes(record_bytes, shadow):
    """Copy a record to its shadow (modified in place)."""
    for i in range(len(shadow)):
        shadow[i] = record_bytes[i]


@kernel
def bytes_changed(record_bytes, shadow):
    """Whether a record differs from its shadow."""
    differs = 0
    for i in range(len(shadow)):
        differs |= record_bytes[i] ^ shadow[i]
    return differs != 0
