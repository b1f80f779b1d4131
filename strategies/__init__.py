"""The zoo: one idea per file, found by the entry point of the group ``arbosim.strategies``."""
