"""What the engine notes while it plays, so that Python knows what happened when it leaves."""

GAME, EVENT, ACTION = 0, 1, 2
"""Fields of the progress array: the game in the call, why the engine left, and the action that it refused."""
FINE, ILLEGAL, WROTE, MEASURING, MEASURED_WRONG = range(5)
"""Events: an action was refused, a strategy wrote on the table, a hook is being called, or has changed a record."""
