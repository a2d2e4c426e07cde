"""One server that asks for credentials, and one that does not."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

import pytest

from server import Server


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(Path(tmp_path_factory.mktemp("open")), with_credentials=False)
    yield server.url
    server.stop()


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(Path(tmp_path_factory.mktemp("guarded")), with_credentials=True)
    yield server.url
    server.stop()
