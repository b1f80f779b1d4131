"""Studies: the same deals under many rule sets, and what each rule does to the game."""
