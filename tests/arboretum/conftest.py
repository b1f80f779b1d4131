"""Every test that asks for a judge is asked of each implementation of the rules."""

import pytest

from tests.arboretum.judges import Judge, ReferenceJudge

JUDGES = {"reference": ReferenceJudge}


@pytest.fixture(params=sorted(JUDGES), scope="session")
def judge(request: pytest.FixtureRequest) -> Judge:
    return JUDGES[request.param]()
