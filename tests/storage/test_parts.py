"""Rows on disk: what is complete counts, what is not never does."""

import json
import multiprocessing

import numpy as np
import pyarrow.parquet as pq
import pytest

from arbosim.core.errors import UserError
from arbosim.storage.parts import Part, Parts, locked

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


def error(match: int, deal: int, rotation: int = 0) -> dict:
    return {"match": match, "deal": deal, "rotation": rotation, "message": "é"}


@pytest.fixture
def parts(tmp_path):
    made = Parts(tmp_path / "run", DTYPE, 2)
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
    assert table.schema.metadata[b"arbosim.schema_version"] == b"1"


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
    parts.mend()
    assert [path.name for path in folder.iterdir()] == [Part(0, 0, 4).file]
    lines = (parts.folder / "errors.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [error(0, 1), error(0, 3, 1)]
    assert list(parts.errors()) == [error(0, 1), error(0, 3, 1)]


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


def _try_to_lock(folder, answers):
    try:
        with locked(folder):
            answers.put("locked")
    except UserError as error:
        answers.put(str(error))


def test_only_one_process_plays_a_run(tmp_path):
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    with locked(tmp_path):
        other = context.Process(target=_try_to_lock, args=(tmp_path, answers))
        other.start()
        assert "another process is playing" in answers.get(timeout=30)
        other.join()
    with locked(tmp_path):
        pass
