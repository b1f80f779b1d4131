"""Playing chunks: no job count, chunk size or restart may change what is played."""

from dataclasses import replace
from threading import get_ident

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core.game import Chunk, GameError
from arbosim.core.strategy import Parameter, Strategy
from arbosim.tournament import run
from arbosim.tournament.run import Plan, gaps, play

DTYPE = np.dtype([("deal", "i8"), ("rotation", "u1"), ("winners", "u1")])


class Toy:
    """A game that only counts, and obeys the stop flag after each deal."""

    def __init__(self, wrong_deal: int = -1) -> None:
        self.threads: set[int] = set()
        self.checked: set[int] = set()
        self.wrong_deal = wrong_deal

    def play_chunk(
        self, rules, players, entrants, seed, first, count, *, checked_deals, strict, measures, stop
    ) -> Chunk:
        self.threads.add(get_ident())
        self.checked.add(checked_deals)
        done = 0
        while done < count and not (stop is not None and stop[0]):
            done += 1
        rows = np.zeros(done * players, DTYPE)
        rows["deal"] = first + np.arange(len(rows)) // players
        rows["rotation"] = np.arange(len(rows)) % players
        errors = []
        if first <= self.wrong_deal < first + done:
            errors = [GameError(entrants[0].spec, self.wrong_deal, 0, 1, 0, "raised", "oh")]
        return Chunk(rows, errors, done)


class Keep:
    """A sink that knows which deals of which match it was given."""

    def __init__(self) -> None:
        self.deals: list[tuple[int, int]] = []

    def write(self, match, chunk) -> None:
        self.deals += [(match, int(deal)) for deal in chunk.rows["deal"][::2]]


def plan(game: Toy, deals: int = 3000, stop: bool = False) -> Plan:
    entrants = [
        Strategy(name=name, game="toy", kind="compiled", entry=plan).entrant(location=name) for name in "abc"
    ]
    a, b, c = entrants
    return Plan(game, None, 2, ((a, b), (a, c), (b, c)), 1, 100, deals, stop_on_error=stop)


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_every_deal_is_played_once_whatever_the_jobs(jobs):
    game, sink, told = Toy(), Keep(), []
    outcome = play(plan(game), sink, jobs=jobs, progress=told.append)
    assert sorted(sink.deals) == [(match, deal) for match in range(3) for deal in range(100, 3100)]
    assert outcome.games == sum(told) == 3 * 3000 * 2
    assert game.checked == {108}


def test_one_job_plays_in_the_calling_thread():
    game = Toy()
    play(plan(game), Keep(), jobs=1)
    assert game.threads == {get_ident()}


def test_what_is_done_is_not_played_again():
    sink = Keep()
    done = {0: [(100, 3000)], 1: [(200, 50), (3000, 100)], 2: []}
    play(plan(Toy()), sink, jobs=1, done=done)
    kept = {(1, deal) for start, length in done[1] for deal in range(start, start + length)}
    assert sorted(sink.deals) == sorted(
        {(match, deal) for match in (1, 2) for deal in range(100, 3100)} - kept
    )


def test_a_run_that_stops_on_errors_stops_after_the_chunk():
    sink = Keep()
    outcome = play(plan(Toy(wrong_deal=150), stop=True), sink, jobs=1)
    assert outcome.stopped
    assert outcome.errors == 1
    assert 50 < len(sink.deals) < 3000
    assert play(plan(Toy(wrong_deal=150)), Keep(), jobs=1).games == 3 * 3000 * 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_reads_meanwhile_may_stop_it_and_gets_all_line_ups_side_by_side(jobs):
    sink = Keep()

    def enough() -> bool:
        played = [{deal for match, deal in sink.deals if match == each} for each in range(3)]
        return len(set.intersection(*played)) >= 100

    deals = 100_000  # so many chunks that some are left, however late the reader is asked
    outcome = play(plan(Toy(), deals), sink, jobs=jobs, stop=enough)
    assert set(range(100, 164)) <= {deal for match, deal in sink.deals if match == 2}
    assert 300 <= len(sink.deals) < 3 * deals
    assert not outcome.stopped
    assert play(plan(Toy()), Keep(), jobs=jobs, stop=lambda: True).games == 0


def test_early_deals_come_first():
    made = plan(Toy(), 1000)
    missing = {0: [(100, 200), (500, 10)], 1: [(150, 300)], 2: []}
    chunks = run._Chunks([0, 1, 2], made, missing, 64, np.zeros(1, np.int64))
    firsts = [task.first for task in chunks]
    assert firsts == sorted(firsts)
    assert firsts[0] == 100
    assert firsts[-1] == 500


def test_chunks_grow_to_the_wanted_time_but_not_at_once():
    sizes = chunk_sizes(10**7, 1e-5)
    assert sizes[:3] == [64, 512, 4096]
    assert sizes[-1] == int(run.CHUNK_SECONDS / 1e-5)


def chunk_sizes(deals: int, seconds: float) -> list[int]:
    """Return how long the first chunks are where a deal takes so long."""
    chunks = run._Chunks([0], plan(Toy(), deals), {0: [(0, deals)]}, 64, np.zeros(1, np.int64))
    sizes = []
    for _ in range(8):
        task = next(chunks)
        sizes.append(task.deals)
        chunks.learn(0, task.deals, task.deals * seconds)
    return sizes


@pytest.mark.parametrize(
    ("deals", "seconds", "expected"),
    [
        (10**7, 1e-3, 1000),  # ten thousand chunks of one second
        (10**9, 1e-3, 10_000),  # of ten seconds at the longest
        (10**9, 1e-5, 50_000),  # of a hundred thousand games at the largest
        (10**7, 1e-6, 50_000),
        (10**3, 1.0, 1),
    ],
)
def test_a_long_run_has_larger_chunks_because_each_becomes_a_file(deals, seconds, expected):
    assert chunk_sizes(deals, seconds)[-1] == expected


def test_a_line_up_of_known_strategies_starts_at_the_pace_of_the_slowest():
    made = plan(Toy(), 10**9)
    chunks = run._Chunks([0, 1, 2], made, made.missing({}), 64, np.zeros(1, np.int64))
    for match, seconds in ((0, 1e-6), (1, 1e-3)):
        chunks.learn(match, 1, seconds)
    assert chunks._seconds(2) == 1e-3
    assert chunks.seconds_left() == pytest.approx(10**9 * (1e-6 + 1e-3 + 1e-3))


ranges = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6)


@given(first=st.integers(0, 30), count=st.integers(1, 40), done=ranges)
def test_gaps_are_exactly_what_is_not_done(first, count, done):
    played = {deal for start, length in done for deal in range(start, start + length)}
    left = [deal for start, length in gaps(first, count, done) for deal in range(start, start + length)]
    assert left == [deal for deal in range(first, first + count) if deal not in played]
    assert all(length > 0 for _, length in gaps(first, count, done))


def test_an_engine_that_fails_is_not_hidden():
    class Broken(Toy):
        def play_chunk(self, *arguments, **named):
            raise RuntimeError("broken engine")

    for jobs in (1, 2):
        with pytest.raises(RuntimeError, match="broken engine"):
            play(replace(plan(Broken()), strict=True), Keep(), jobs=jobs)


@pytest.mark.parametrize(("marks", "first"), [({}, 64), ({"clock": True}, 1), ({"budget": True}, 1)])
def test_the_first_chunk_is_small_where_a_strategy_is_told_how_long_to_think(marks, first):
    told = []
    asked = plan(Toy(), deals=100)
    thinker = replace(asked.line_ups[0][0].strategy, parameters=(Parameter("effort", 5, 0, 9, **marks),))
    asked = replace(asked, line_ups=((thinker.entrant(location="a"), asked.line_ups[0][1]),))
    play(asked, Keep(), jobs=1, progress=told.append)
    assert told[0] == 2 * first
    assert sum(told) == 200
