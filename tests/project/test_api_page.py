"""docs/api.md is the list of what the api has."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_the_one_that_its_script_draws():
    script = runpy.run_path(str(DOCS / "list_api.py"))
    assert (DOCS / "api.md").read_text(encoding="utf-8") == script["page"](
        script["SOURCE"].read_text(encoding="utf-8")
    )
