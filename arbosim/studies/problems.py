"""Everything that is wrong with a study, collected so that it is told at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arbosim.core.errors import UserError


class Problems:
    """A list of what is wrong.

    Attributes
    ----------
    keys : set of str
        The settings that are wrong in themselves, so that what follows from them is not worth telling.
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self._texts: list[str] = []

    def add(self, problem: UserError | str, key: str = "") -> None:
        """Take note of one."""
        if key:
            self.keys.add(key)
        if str(problem) not in self._texts:
            self._texts.append(str(problem))

    @contextmanager
    def noted(self, key: str = "") -> Iterator[None]:
        """Take note of the UserError that ends the block, and go on after it."""
        try:
            yield
        except UserError as error:
            self.add(error, key)

    def tell(self) -> None:
        """Raise them all as one UserError, if there are any."""
        if self._texts:
            raise UserError("\n".join(self._texts))
