"""A browser, a server and a page for the tests that need them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browsers import chromium
from studio.driven import Page, Server


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with chromium() as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    pytest.importorskip("uvicorn", reason="needs the extra studio")
    made = Server(tmp_path_factory.mktemp("studio") / "work")
    yield made
    made.kill()


@pytest.fixture
def page(browser, server: Server) -> Iterator[Page]:
    made = Page(browser, server.address)
    yield made
    made.close()
    assert made.faults == []
    assert [url for url in made.asked if not url.startswith(("http://127.0.0.1:", "blob:", "data:"))] == []
