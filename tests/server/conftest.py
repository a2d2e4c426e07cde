"""Servers that end with their test, whatever becomes of it."""

import os
import random
import shutil
import tempfile

import pytest

pytest.register_assert_rewrite("raw_http", "server_process", "kill_workload", "model_http", "model_workload")

from server_process import ServerProcess

SEED = int(os.environ.get("SHEAF_TEST_SEED", "20260101"))


@pytest.fixture
def directory():
    path = tempfile.mkdtemp(prefix="sheaf-server-test-")
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def make_server(directory):
    """Makes servers on the test's directory, not started yet."""
    made = []

    def make(*options, within=None):
        made.append(ServerProcess(within or directory, *options))
        return made[-1]

    yield make
    for server in made:
        server.kill()


@pytest.fixture
def server(make_server):
    return make_server().start()


@pytest.fixture
def chance(request):
    """The same in every run; a failure prints the seed."""
    print(f"SHEAF_TEST_SEED={SEED}")
    return random.Random(f"{SEED} {request.node.name}")
