"""Every test that asks for a judge is asked of each implementation of the rules."""

from collections.abc import Callable

import pytest

from tests.arboretum.judges import Judge, PositionJudge, ReferenceJudge

JUDGES: dict[str, Callable[[], Judge]] = {"reference": ReferenceJudge, "kernels": PositionJudge}


@pytest.fixture(params=sorted(JUDGES), scope="session")
def judge(request: pytest.FixtureRequest) -> Judge:
    return JUDGES[request.param]()
