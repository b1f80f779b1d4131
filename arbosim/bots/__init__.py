"""Programs that play: their processes, deadlines and lines. What is said to them is the matter of a game's dialects."""
