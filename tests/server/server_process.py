"""A server of a test's own, on a free port of loopback."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from raw_http import Connection, call

BINARY = os.environ["SHEAF_TESTS_BINARY"]
START_S = 60
STOP_S = 30


class ServerProcess:
    def __init__(self, directory, *options):
        """`options` are those of `sheaf serve`; data, port, admin port and log format are chosen here."""
        self.directory = Path(directory)
        self.data = self.directory / "data"
        self.log_path = self.directory / "log"
        self.options = list(options)
        self.wanted_port = 0
        self.process = None

    def command(self):
        return [BINARY, "serve", "--data", str(self.data), *self.usual_options()]

    def usual_options(self):
        return ["--port", str(self.wanted_port), "--admin-port", "0", "--log-format", "json"]

    def start(self):
        with open(self.log_path, "ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(self.command() + self.options, stderr=log, stdout=log, stdin=subprocess.DEVNULL)
        serving = self._wait_for_serving(begin)
        self.url = serving["url"]
        self.port = int(self.url.rpartition(":")[2])
        self.admin_port = int(serving["admin"].rpartition(":")[2])
        return self

    def _wait_for_serving(self, begin):
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            for event in self.events(begin):
                if event.get("event") == "serving":
                    return event
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.kill()
        raise AssertionError("the server did not start: " + self.log_path.read_text()[-4000:])

    def events(self, begin=0):
        """The lines of the log that are whole."""
        lines = self.log_path.read_bytes()[begin:].split(b"\n")[:-1]
        return [json.loads(line) for line in lines if line.startswith(b"{")]

    def wait_for_event(self, name, seconds=10):
        return eventually(lambda: [event for event in self.events() if event["event"] == name], seconds)

    @property
    def pid(self):
        return self.process.pid

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        """As the system would for want of memory: no word to it."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
        if self.process is not None:
            self.process.wait(STOP_S)

    def stop(self):
        """Asks it to end, and expects it to, cleanly."""
        self.signal(signal.SIGTERM)
        status = self.process.wait(STOP_S)
        assert status == 0, f"ended with {status}: {self.log_path.read_text()[-4000:]}"

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def connect(self, **options):
        return Connection(self.port, **options)

    def call(self, target, body, **headers):
        return call(self.port, target, body, **headers)

    def check_health(self):
        assert self.is_running(), f"the server ended with {self.process.returncode}: {self.log_path.read_text()[-4000:]}"
        with self.connect() as connection:
            answer = connection.get("/healthz")
        assert (answer.status, answer.body[:7]) == (200, b"healthy")

    def memory_bytes(self, figure="VmRSS"):
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"^{figure}:\s+(\d+) kB", status, re.M)[1]) * 1024

    def metrics_text(self):
        with Connection(self.admin_port) as connection:
            return connection.get("/metrics").body.decode()

    def metric(self, name):
        """A figure without labels."""
        return float(re.search(rf"^{name} (\S+)$", self.metrics_text(), re.M)[1])


def eventually(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)


def make_table(server, name="things", **more):
    """A table with a string for its key, or what `more` says."""
    declaration = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    }
    answer = server.call("CreateTable", {**declaration, **more})
    assert answer.status == 200, answer
    description = answer.value["TableDescription"]

    def active():
        return server.call("DescribeTable", {"TableName": name}).value["Table"]["TableStatus"] == "ACTIVE"

    eventually(active)
    return description


def scan(server, table, **more):
    """All items, page by page."""
    items, start = [], None
    with server.connect() as connection:
        while True:
            page = {"TableName": table, **more, **({"ExclusiveStartKey": start} if start else {})}
            answer = connection.call("Scan", page)
            assert answer.status == 200, answer
            items += answer.value["Items"]
            start = answer.value.get("LastEvaluatedKey")
            if not start:
                return items
