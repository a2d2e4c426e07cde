"""Databases that commands work on: a directory, and a server."""

import json
import os
import subprocess
import time

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
START_S = 60


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


@pytest.fixture(params=["directory", "server"])
def database(request, tmp_path):
    """The options that choose it."""
    if request.param == "directory":
        yield ["--data", str(tmp_path / "data")]
        return
    server = Server(tmp_path)
    yield ["--endpoint", server.url]
    server.stop()
