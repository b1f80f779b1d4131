"""Questions about two strategies that are asked while they play: which is stronger, and how many games will tell."""
