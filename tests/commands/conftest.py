"""Databases that commands work on: a directory, and a server, or what is in their place (tests/commands/peer)."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
START_S = 60
PEER = os.environ.get("SHEAF_TESTS_PEER")


class Server:
    def __init__(self, directory):
        self.log = directory / "log"
        with open(self.log, "wb") as log:
            command = [PROGRAM, "serve", "--data", directory / "served", "--port", "0", "--admin-port", "0", "--log-format", "json"]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.url = self.wait_for_url()

    def wait_for_url(self):
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            for line in self.log.read_text().splitlines():
                event = json.loads(line) if line.startswith("{") else {}
                if event.get("event") == "serving":
                    return event["url"]
            time.sleep(0.02)
        raise AssertionError("the server did not start: " + self.log.read_text()[-2000:])

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture
def serving(tmp_path):
    """A server of a test's own."""
    server = Server(tmp_path)
    yield server
    server.stop()


@pytest.fixture(params=["peer"] if PEER else ["directory", "server"])
def database(request, tmp_path):
    """The options that choose it."""
    if request.param == "directory":
        yield ["--data", str(tmp_path / "data")]
    elif request.param == "server":
        server = Server(tmp_path)
        yield ["--endpoint", server.url]
        server.stop()
    else:
        options = ["--endpoint", os.environ["SHEAF_TESTS_ENDPOINT"]]
        yield options
        for table in subprocess.run([PROGRAM, "table", "list", *options], capture_output=True, text=True, check=True).stdout.splitlines():
            subprocess.run([PROGRAM, "table", "update", table, "--unprotect", *options], capture_output=True)
            subprocess.run([PROGRAM, "table", "delete", table, "--yes", *options], check=True, capture_output=True)


def pytest_collection_modifyitems(config, items):
    """Of a peer only what takes a database of any kind, and what the peer cannot do fails as it is known to."""
    if not PEER:
        return
    config.hook.pytest_deselected(items=[item for item in items if "database" not in item.fixturenames])
    items[:] = [item for item in items if "database" in item.fixturenames]
    known = (Path(__file__).parent / f"peers/{PEER}.txt").read_text().splitlines()
    reasons = dict(line.split("  ", 1) for line in known if line and not line.startswith("#"))
    unknown = reasons.keys() - {item.originalname for item in items}
    assert not unknown, f"there is no test {', '.join(unknown)}"
    for item in items:
        if reason := reasons.get(item.originalname):
            item.add_marker(pytest.mark.xfail(reason=reason.strip(), strict=True))
