"""Rows on disk: what is complete counts, what is not never does."""

import contextlib
import json
import multiprocessing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arbosim.core.errors import UserError
from arbosim.storage.lock import Lock
from arbosim.storage.parts import DamagedError, Part, Parts

DTYPE = np.dtype(
    [("deal", "i8"), ("rotation", "u1"), ("winners", "u1"), ("score_0", "i2"), ("score_1", "i2")]
)


def rows(first: int, deals: int) -> np.ndarray:
    made = np.zeros(deals * 2, DTYPE)
    made["deal"] = first + np.arange(deals * 2) // 2
    made["rotation"] = np.arange(deals * 2) % 2
    made["winners"] = 1 + made["deal"] % 3
    made["score_0"] = made["deal"] * 7 % 50 - 1
    return made


def error(match: int, deal: int, rotation: int = 0, number: int = 1) -> dict:
    return {
        "game": f"{match}-{deal}-{rotation}",
        "match": match,
        "strategy": "lazy",
        "deal": deal,
        "rotation": rotation,
        "turn": 3,
        "seat": 0,
        "kind": "raised",
        "message": "é \u2028 \udcff",
        "penalty": "forfeit",
        "number": number,
    }


@pytest.fixture
def parts(tmp_path):
    return made_in(tmp_path / "run")


def made_in(folder) -> Parts:
    folder.mkdir()
    made = Parts(folder, DTYPE, 2, 4, range(20))
    made.create()
    return made


def test_rows_come_back_as_they_were(parts):
    parts.write(3, rows(0, 5))
    parts.write(3, rows(5, 2))
    parts.write(0, rows(10, 1))
    found = list(parts.batches())
    assert [match for match, _ in found] == [0, 3, 3]
    assert np.array_equal(np.concatenate([some for match, some in found if match == 3]), rows(0, 7))
    assert found[0][1].dtype == DTYPE
    assert parts.done() == {0: [(10, 1)], 3: [(0, 5), (5, 2)]}


def test_a_part_can_be_read_by_anything_that_reads_parquet(parts):
    parts.write(3, rows(0, 2))
    table = pq.read_table(parts.folder / "parts" / "m00003-d0000000000-n2.parquet", partitioning=None)
    assert table.column_names == ["match", *DTYPE.names]
    assert table["match"].to_pylist() == [3, 3, 3, 3]
    assert table["deal"].to_pylist() == [0, 0, 1, 1]
    assert table.schema.metadata[b"arbosim.schema_version"] == b"5"


def test_an_empty_chunk_leaves_no_part(parts):
    parts.write(0, rows(0, 0))
    assert parts.all() == []


@pytest.mark.parametrize("part", [Part(0, 0, 1), Part(123456, 10**12, 77)])
def test_names_round_trip(part):
    assert Part.of_file(part.file) == part


@pytest.mark.parametrize(
    "name", ["x.parquet", "m00000-d0000000000-n1.parquet.tmp", ".tmp-9-m00000-d0000000000-n1.parquet"]
)
def test_other_files_are_no_parts(name):
    assert Part.of_file(name) is None


def test_mending_removes_what_a_killed_process_left(parts):
    parts.write(0, rows(0, 4), [error(0, 1), error(0, 3, 1)])
    parts.write(0, rows(4, 4), [error(0, 5)])
    folder = parts.folder / "parts"
    torn = folder / Part(0, 4, 4).file
    torn.write_bytes(torn.read_bytes()[:100])
    (folder / ".tmp-1-m00000-d0000000008-n4.parquet").write_bytes(b"half")
    (folder / Part(0, 8, 4).file).touch()
    with (parts.folder / "errors.jsonl").open("a") as file:
        file.write(json.dumps(error(0, 3, 1)) + "\n" + json.dumps(error(0, 9)) + "\n" + '{"match": 0, "de')
    with pytest.warns(UserWarning, match="is damaged .* its deals are played again"):
        parts.mend()
    assert [path.name for path in folder.iterdir()] == [Part(0, 0, 4).file]
    lines = (parts.folder / "errors.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [error(0, 1), error(0, 3, 1)]
    assert list(parts.errors()) == [error(0, 1), error(0, 3, 1)]


def test_a_game_may_have_several_mistakes_and_old_files_say_less_of_one(parts):
    some = [error(0, 1), error(0, 1, number=2), error(0, 3)]
    parts.write(0, rows(0, 4), some)
    assert list(parts.errors()) == some
    path = parts.folder / "errors.jsonl"
    old = [{key: value for key, value in each.items() if key not in ("penalty", "number")} for each in some]
    path.write_text("".join(json.dumps(each) + "\n" for each in (old[0], old[2])))
    assert list(parts.errors()) == [some[0], some[2]]


def test_mending_a_whole_run_changes_nothing(parts):
    parts.write(0, rows(0, 4), [error(0, 1)])
    before = (parts.folder / "errors.jsonl").read_bytes()
    parts.mend()
    assert (parts.folder / "errors.jsonl").read_bytes() == before
    assert parts.all() == [Part(0, 0, 4)]


def test_a_damaged_part_is_named_when_it_is_read(parts):
    parts.write(0, rows(0, 4))
    path = parts.folder / "parts" / Part(0, 0, 4).file
    path.write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(UserError, match=r"n4.parquet is damaged.*--resume"):
        list(parts.batches())


def test_a_part_that_holds_other_rows_than_its_name_says_is_damaged(parts):
    parts.write(0, rows(0, 4))
    path = parts.folder / "parts" / Part(0, 0, 4).file
    path.rename(path.with_name(Part(0, 0, 5).file))
    with pytest.raises(UserError, match="does not hold what its name says"):
        list(parts.batches())


def test_two_parts_with_the_same_deal_are_refused(parts):
    parts.write(0, rows(0, 4))
    parts.write(0, rows(3, 4))
    with pytest.raises(UserError, match="holds deals that"):
        parts.done()


@pytest.mark.parametrize("name", ["a:b", "s3:", "gs:x", "file:", "mock:", "~", "ü", "o\udcff", "a b%20?#"])
def test_a_folder_is_a_folder_whatever_its_name_looks_like(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    parts = made_in(Path(name))
    parts.write(3, rows(0, 2))
    parts.mend()
    assert np.array_equal(next(parts.batches())[1], rows(0, 2))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def other_table(kind: str, path: Path) -> None:
    table = pq.read_table(path, partitioning=None)
    changed = {
        "columns": table.rename_columns(["other", *table.column_names[1:]]),
        "types": table.set_column(1, "deal", table["deal"].cast("int32")),
        "deals": table.set_column(1, "deal", pa.array([7] * len(table), "int64")),
        "match": table.set_column(0, "match", pa.array([1] * len(table), "int32")),
        "missing": table.set_column(4, "score_0", pa.array([None] * len(table), "int16")),
    }
    pq.write_table(changed[kind], path)


@pytest.mark.parametrize("kind", ["columns", "types", "deals", "match", "missing"])
def test_a_part_with_another_table_is_damaged_and_played_again(parts, kind):
    parts.write(0, rows(0, 4))
    parts.write(0, rows(4, 1))
    other_table(kind, parts.folder / "parts" / Part(0, 0, 4).file)
    with pytest.raises(UserError, match=r"n4.parquet is damaged: it does not hold what its name says"):
        list(parts.batches())
    with pytest.warns(UserWarning, match=r"n4.parquet is damaged"):
        parts.mend()
    assert parts.all() == [Part(0, 4, 1)]


@pytest.mark.parametrize("part", [Part(4, 0, 4), Part(0, 18, 4), Part(0, 0, 0)])
def test_a_part_that_the_run_does_not_have_is_refused(parts, part):
    (parts.folder / "parts" / part.file).touch()
    with pytest.raises(UserError, match=rf"{part.file} does not belong to the run"):
        parts.mend()
    assert (parts.folder / "parts" / part.file).exists()


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b"\xff\x00",
        b'{"match": "0"}',
        json.dumps({**error(0, 1), "deal": True}).encode(),
        b"[" * 10**6,
    ],
)
def test_a_line_that_is_no_error_is_named(parts, line):
    parts.write(0, rows(0, 4), [error(0, 1)])
    path = parts.folder / "errors.jsonl"
    path.write_bytes(path.read_bytes() + line + b"\n")
    before = path.read_bytes()
    for read in (parts.mend, lambda: list(parts.errors())):
        with pytest.raises(UserError, match=r"errors.jsonl, line 2 is no record of a mistake"):
            read()
    assert path.read_bytes() == before


def test_a_disk_that_takes_no_more_is_an_error_that_names_the_run(parts):
    parts.write(0, rows(0, 4))
    (parts.folder / "parts" / f".tmp-{Part(0, 4, 4).file}").symlink_to("/dev/full")
    with pytest.raises(
        UserError, match=r"run' cannot be written: No space left on device; what it has is kept"
    ):
        parts.write(0, rows(4, 4))
    assert parts.all() == [Part(0, 0, 4)]


def _try_to_lock(folder, answers):
    try:
        Lock(folder)
        answers.put("locked")
    except UserError as error:
        answers.put(str(error))


def test_only_one_process_plays_a_run(tmp_path):
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    lock = Lock(tmp_path)
    other = context.Process(target=_try_to_lock, args=(tmp_path, answers))
    other.start()
    assert "another process is playing" in answers.get(timeout=30)
    other.join()
    with pytest.raises(UserError, match="another process is playing"):
        Lock(tmp_path)
    lock.release()
    forgotten = Lock(tmp_path)
    del forgotten
    Lock(tmp_path).release()


@pytest.mark.parametrize("end", [0, 1, 5, 7, 12])
def test_what_is_cut_off_is_gone_with_its_errors(parts, end):
    parts.write(0, rows(0, 5), [error(0, 4)])
    parts.write(0, rows(5, 7), [error(0, 6), error(0, 7)])
    parts.write(2, rows(5, 3), [error(2, 5)])
    parts.cut(end)
    found = {(match, int(deal)) for match, batch in parts.batches() for deal in batch["deal"]}
    wanted = {(0, deal) for deal in range(min(end, 12))} | {(2, deal) for deal in range(5, min(end, 8))}
    assert found == wanted
    kept = {(line["match"], line["deal"]) for line in parts.errors()}
    assert kept == {at for at in ((0, 4), (0, 6), (0, 7), (2, 5)) if at in wanted}
    assert parts.deals == range(end)
    assert all((batch == rows(int(batch["deal"][0]), len(batch) // 2)).all() for _, batch in parts.batches())


def test_a_part_with_any_byte_wrong_is_damaged_or_read(parts):
    parts.write(0, rows(0, 4))
    part = parts.all()[0]
    path = parts.folder / "parts" / part.file
    whole = path.read_bytes()
    for at in range(0, len(whole), 13):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with contextlib.suppress(DamagedError):
            parts.read(part)


@pytest.mark.parametrize("lengths", [[3, 0, 1, 2, 0, 5], [0] * 6])
def test_actions_come_back_as_they_were_and_are_cut_with_their_games(tmp_path, lengths):
    folder = tmp_path / "run"
    folder.mkdir()
    parts = Parts(folder, DTYPE, 2, 4, range(20), with_actions={1})
    parts.create()
    actions = [np.arange(length, dtype=np.int32) + 7 for length in lengths]
    parts.write(1, rows(5, 3), actions=actions)
    parts.write(2, rows(5, 3))
    parts.mend()

    def kept(games):
        return [parts.actions(1, 5 + game // 2, game % 2).tolist() for game in range(games)]

    assert kept(6) == [some.tolist() for some in actions]
    assert parts.actions(2, 5, 0) is None
    assert parts.actions(1, 9, 0) is None
    parts.cut(7)
    assert kept(4) == [some.tolist() for some in actions[:4]]
    assert len(parts.read(Part(1, 5, 2))) == 4


def test_a_part_without_the_actions_that_it_should_have_is_damaged(tmp_path):
    parts = made_in(tmp_path / "run")
    parts.write(1, rows(5, 3))
    asking = Parts(parts.folder, DTYPE, 2, 4, range(20), with_actions={1})
    with pytest.raises(DamagedError, match="does not hold what its name says"):
        asking.read(Part(1, 5, 3))
