"""Games in which every seat is a program, within one process: what is said goes through JSON text."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from arbosim.core import registry
from arbosim.core.outside import Dialect, Listener, Message
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum.dialects import DIALECTS
from arbosim.games.arboretum.dialects.speaker import RANDOM, Done, Speaker
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.seating import Seating
from arbosim.games.arboretum.state import DECK

Hear = Callable[[Message], Message]


def entrant(name: Any) -> Entrant:
    return registry.resolve(name, "arboretum")


def through_json(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(message))
    return found


class Talk:
    """A game of programs, told in a dialect and led as the engine leads it.

    Attributes
    ----------
    said : list of (seat, message)
        Everything that was said to programs, ids included.
    answers : list of (seat, answer)
    """

    def __init__(
        self, dialect: Dialect | str, rules: Rules, hearers: Sequence[Hear | Listener], seating: Seating
    ) -> None:
        self.dialect: Any = DIALECTS[dialect] if isinstance(dialect, str) else dialect
        players = len(hearers)
        self.dialect.check(rules, players)
        self.speakers: list[Speaker] = [self.dialect.speaker(rules, players) for _ in hearers]
        self.hearers = [getattr(hearer, "hear", hearer) for hearer in hearers]
        self.position: Position = seating.position
        self.buffers = seating.position._buffers
        self.done: Done | None = None
        self.said: list[tuple[int, dict[str, Any]]] = []
        self.answers: list[tuple[int, dict[str, Any]]] = []
        self._ids = 0
        for seat, record in enumerate(self.buffers.seats):
            if self.dialect.grammar.greeting:
                answer = self.tell(seat, self.dialect.grammar.greeting)
                assert self.dialect.grammar.expected.items() <= answer.items()
            self.tell(seat, self.speakers[seat].begin(seat, 1, record["rng"].tobytes()))

    def tell(self, seat: int, message: Message) -> dict[str, Any]:
        self._ids += 1
        key = self.dialect.grammar.id_key
        sent = through_json({**message, key: self._ids})
        self.said.append((seat, sent))
        answer = through_json(self.hearers[seat](sent))
        assert answer[key] == self._ids
        self.answers.append((seat, answer))
        return answer

    def decide(self) -> int:
        """Ask for one decision, tell the others, and return the action that the current seat answers."""
        table, current = self.buffers.tables[0], self.position.current
        code = None
        for seat, speaker in enumerate(self.speakers):
            record, done = self.buffers.seats[seat], self.known_to(seat)
            if seat == current:
                record["phase"] = table["phase"]
                code = speaker.read(self.tell(seat, speaker.decision(table, record, done)), table, record)
            else:
                message = speaker.idle(table, record, done)
                if message is not None:
                    self.tell(seat, message)
        assert code is not None
        return code

    def known_to(self, seat: int) -> Done | None:
        done = self.done
        if done is None or done.seat == seat or done.code != DECK:
            return done
        return Done(done.seat, done.code, 0)

    def carry_out(self, code: int) -> None:
        current = self.position.current
        held = int(self.buffers.seats[current]["hand_count"])
        self.position.play_code(code)
        drawn = int(self.buffers.seats[current]["hand"][held]) if code <= DECK else 0
        self.done = Done(current, code, drawn)
        self.speakers[current].done(code)

    def play(self) -> Position:
        """Play to the end and tell the result."""
        while not self.position.finished:
            code = self.decide()
            if code == RANDOM:
                code = self.position.code_of(self.position.legal_actions[0])
            self.carry_out(code)
        winners = sum(1 << seat for seat in self.position.score().winners)
        for seat, speaker in enumerate(self.speakers):
            self.tell(seat, speaker.end(self.buffers.tables[0], self.buffers.hiddens[0], winners, None))
        return self.position


def talk(dialect: str, rules: Rules, entrants: Sequence[Entrant], seed: int = 1, deal: int = 0) -> Talk:
    """Return a talk between listeners, in which every seat has the random stream that the engine gives it."""
    seating = Seating(rules, entrants, range(len(entrants)), seed, deal)
    listeners = [DIALECTS[dialect].listener(entrant, seed) for entrant in entrants]
    return Talk(dialect, rules, listeners, seating)


def engine_game(rules: Rules, entrants: Sequence[Entrant], seed: int = 1, deal: int = 0) -> Position:
    """Return the game that the strategies play without any words."""
    seating = Seating(rules, entrants, range(len(entrants)), seed, deal)
    while not seating.position.finished:
        seating.advance()
    return seating.position
