"""sheaf serve --endpoint: models in front of another server, which may be any that speaks the DynamoDB API."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from model_http import EXAMPLES, MODELS, curl, http, in_any_order, load
from server_process import BINARY, ServerProcess

# The URL of another server, for the tests that do not need more of it.
ELSEWHERE = os.environ.get("SHEAF_TESTS_BACKEND")
# Not all servers have transactions.
IS_SHEAF = ELSEWHERE is None
needs_sheaf = pytest.mark.skipif(not IS_SHEAF, reason="the server behind it is not Sheaf")


class Front(ServerProcess):
    """A server without data of its own."""

    def __init__(self, directory, backend, *options):
        super().__init__(directory, "--endpoint", backend, *options)

    def command(self):
        return [BINARY, "serve", *self.usual_options()]


@pytest.fixture
def backend(make_server):
    class Named:
        url = ELSEWHERE

    return make_server().start() if IS_SHEAF else Named


@pytest.fixture
def front(directory, backend):
    made = []

    def start(*options, url=None):
        within = Path(directory) / f"front {len(made)}"
        within.mkdir()
        made.append(Front(within, url or backend.url, *options))
        return made[-1].start()

    yield start
    for server in made:
        server.kill()


def test_examples_answer_from_behind_it(front, backend):
    server = front("--model", str(MODELS))
    assert [model["name"] for model in http(server, "/models")[2]["models"]] == EXAMPLES
    asked = 0
    for example in EXAMPLES:
        load(backend, example)
        for step in json.loads((MODELS / example / "answers.json").read_text()):
            if "default" not in step.get("layouts", ["default"]):
                continue
            if "do" in step and not IS_SHEAF:
                break  # what follows rests on it
            kind, name = ("patterns", step["ask"]) if "ask" in step else ("operations", step["do"])
            status, _, answer = http(server, f"/models/{example}/{kind}/{name}", {"with": step.get("with", [])})
            if "error" in step:
                assert 400 <= status < 500 and step["error"] in answer["error"]["message"], (example, step, answer)
                continue
            assert status == 200, (example, step, answer)
            if "answer" in step:
                asked += 1
                assert in_any_order(answer["documents"]) == in_any_order(step["answer"]), (example, step)
    assert asked >= len(EXAMPLES)
    server.stop()


def test_what_one_writes_the_other_reads(front):
    model = ("--model", str(MODELS / "orgs/model.sheaf"))
    one, other = front(*model), front(*model)
    put = {"with": {"document": {"name": "globex", "plan": "PRO"}}}
    assert http(one, "/models/orgs/operations/put.Org", put)[2]["put"] == ["globex"]
    assert http(one, "/models/orgs/operations/put.Org", put)[0] == 409
    found = http(other, "/models/orgs/patterns/orgAndUsers?o=globex")[2]["documents"]
    assert found == [{"name": "globex", "plan": "PRO", "users": []}]


def test_the_dynamodb_api_is_not_served(front):
    server = front("--model", str(MODELS / "orgs/model.sheaf"))
    answer = server.call("ListTables", {})
    assert (answer.status, answer.exception) == (400, "UnknownOperationException")
    assert "This server offers models alone, in front of http://" in answer.value["message"]
    server.check_health()
    assert 'sheaf_model_request_seconds' in server.metrics_text()


def test_an_endpoint_that_does_not_answer_is_told(directory):
    command = [BINARY, "serve", "--endpoint", "http://127.0.0.1:1", "--port", "0", "--admin-port", "-1"]
    done = subprocess.run([*command, "--model", MODELS / "orgs/model.sheaf"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "127.0.0.1:1" in done.stderr, done.stderr


def test_wrong_options_give_a_message():
    model = ["--model", str(MODELS / "orgs/model.sheaf")]
    for options, reason in [
        (["--endpoint", "http://127.0.0.1:1"], "--endpoint needs --model"),
        (["--endpoint", "http://127.0.0.1:1", "--in-memory", *model], "exclude each other"),
        (["--endpoint", "nonsense", *model], "nonsense"),
    ]:
        done = subprocess.run([BINARY, "serve", *options], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and reason in done.stderr, done.stderr


@needs_sheaf
def test_an_endpoint_that_goes_away_is_unavailable_until_it_is_back(front, backend):
    server = front("--model", str(MODELS / "hr/model.sheaf"))
    load(backend, "hr")
    backend.kill()
    status, _, answer = http(server, "/models/hr/patterns/team?d=d-1")
    assert (status, answer["error"]["code"]) == (503, "unavailable")
    backend.wanted_port = backend.port
    backend.start()
    assert http(server, "/models/hr/patterns/team?d=d-1")[0] == 200


@needs_sheaf
def test_it_has_credentials_of_its_own(front, make_server, directory):
    keys = {"inner": "the-inner-secret-of-many-characters", "outer": "the-outer-secret-of-many-characters"}
    paths = {}
    for name, secret in keys.items():
        paths[name] = Path(directory) / f"{name}-credentials"
        paths[name].write_text(f"[{name}]\naws_access_key_id = {name.upper()}\naws_secret_access_key = {secret}\n")
        paths[name].chmod(0o600)
    within = Path(directory) / "guarded"
    within.mkdir()
    guarded = make_server("--credentials", str(paths["inner"]), within=within).start()
    model = ("--model", str(MODELS / "hr/model.sheaf"), "--credentials", str(paths["outer"]))
    inner = ("--endpoint-credentials", str(paths["inner"]), "--endpoint-profile", "inner")
    server = front(*model, *inner, url=guarded.url)
    team = "/models/hr/patterns/team?d=d-1"
    assert curl(server, team, key=f"OUTER:{keys['outer']}") == (200, {"documents": []})
    assert curl(server, team, key=f"INNER:{keys['inner']}")[0] == 403
    with pytest.raises(AssertionError, match="did not start"):
        front(*model, url=guarded.url)
