"""script/server: a new data directory begins with the examples."""

import json
import os
import re
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from server_process import BINARY, eventually

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.name for path in (ROOT / "models").iterdir())


@pytest.fixture
def script(directory):
    """Runs script/server on the test's directory until it serves; returns the process, what it said, and its address."""
    running = []

    def start(*options):
        log = Path(directory) / f"log {len(running)}"
        command = [ROOT / "script/server", "--data", f"{directory}/data", "--port", "0", "--admin-port", "0", *options]
        environment = {**os.environ, "SHEAF": BINARY}
        with open(log, "wb") as output:
            running.append(subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment))
        serving = eventually(lambda: re.search(r"serving.*?(http://127\.0\.0\.1:[1-9]\d*)", log.read_text()), 60)
        return running[-1], log.read_text(), serving[1]

    yield start
    for process in running:
        process.kill()
        process.wait()


def ask(url, example, *arguments):
    command = [BINARY, "model", "run", ROOT / "models" / example / "model.sheaf", *arguments, "--endpoint", url]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(answer.stdout)


def test_a_new_directory_begins_with_the_examples(script):
    _, said, url = script()
    for example in EXAMPLES:
        assert re.search(rf"models/{example}/model.sheaf: \d+ items loaded", said), said
    assert "sheaf model run models/orgs/model.sheaf orgAndUsers acme --endpoint" in said
    assert [user["name"] for user in ask(url, "orgs", "orgAndUsers", "acme")["users"]] == ["ann", "bob", "cid"]
    assert ask(url, "order", "total", "order_789") == {"count": 3, "id": "order_789", "total": 1076.47}
    assert "/models/orgs/patterns/orgAndUsers?o=acme" in said
    with urllib.request.urlopen(f"{url}/models", timeout=60) as answer:
        assert [model["name"] for model in json.load(answer)["models"]] == EXAMPLES
    with urllib.request.urlopen(f"{url}/models/order/patterns/total?o=order_789", timeout=60) as answer:
        assert json.load(answer) == {"documents": [{"count": 3, "id": "order_789", "total": 1076.47}]}
    # Behind the hints there is no room for much: what is told last is where the workbench is.
    lines = said.partition("cost=true'\n")[2].split("\n")
    assert len(lines) == 5 and lines[0] == lines[4] == "" and f" workbench={url}/workbench/ " in lines[3], lines
    assert f"count={len(EXAMPLES)} models={','.join(EXAMPLES)}" in lines[1], lines


def test_what_is_there_already_is_left_as_it_is(script):
    process, _, url = script()
    bob = '["acme","bob"]'
    command = [BINARY, "model", "run", ROOT / "models/orgs/model.sheaf", "promote", bob, "--endpoint", url]
    subprocess.run(command, check=True, timeout=60)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    _, said, url = script()
    assert "loaded" not in said
    assert ask(url, "orgs", "user", bob)["role"] == "ADMIN"
