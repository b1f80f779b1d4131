"""Many games: which ones are played, and their playing."""
