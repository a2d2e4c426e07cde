"""Models that are given to a running server, as the workbench does it: offered again after a start, and their jobs done."""

import json
import subprocess
import threading
import time

from model_http import MODELS, http
from server_process import BINARY, eventually

TEXT = (MODELS / "hr" / "model.sheaf").read_text()
EMPLOYEES = 2000


def give(server, text, layout):
    return http(server, "/workbench/api/models", {"text": text, "layout": layout})[0]


def load(server, directory):
    employees = [{"id": f"e-{i}", "name": f"n{i}", "department": "d-1"} for i in range(EMPLOYEES)]
    data = directory / "data.json"
    data.write_text(json.dumps({"Department": [{"id": "d-1", "name": "One"}], "Employee": employees}))
    model = [str(MODELS / "hr" / "model.sheaf"), str(data), "--layout", "method2", "--endpoint", server.url]
    subprocess.run([BINARY, "model", "load", *model], check=True, capture_output=True)


def audit(server):
    model = [str(MODELS / "hr" / "model.sheaf"), "--layout", "method2", "--endpoint", server.url]
    return subprocess.run([BINARY, "model", "audit", *model], capture_output=True, text=True).stdout


def test_copies_that_a_killed_server_was_at_are_brought_in_step(make_server):
    server = make_server().start()
    assert give(server, TEXT, "method2") == 200
    load(server, server.directory)

    def rename(name):
        try:
            http(server, "/models/hr/operations/rename", {"with": ["d-1", name]})
        except OSError:
            pass  # it was killed meanwhile

    for attempt in range(8):
        renaming = threading.Thread(target=rename, args=[f"Name{attempt}"])
        renaming.start()
        time.sleep(0.05 + 0.05 * attempt)
        server.kill()
        renaming.join()
        server.start()
        if "under way" in audit(server):
            break
    else:
        raise AssertionError("it was never killed while copies were made")
    assert http(server, "/models")[2]["models"][0]["name"] == "hr"
    eventually(lambda: "0 findings" in audit(server) and "under way" not in audit(server), 60)


def test_what_is_given_is_watched(make_server):
    server = make_server().start()
    assert give(server, TEXT, "default") == 200
    for number in range(3):
        department = {"id": f"d-{number}", "name": "Some"}
        assert http(server, "/models/hr/operations/put.Department", {"with": [department]})[0] == 200
    eventually(lambda: 'sheaf_limit_value{' in server.metrics_text(), 60)
