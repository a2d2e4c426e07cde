"""sheaf serve --model: patterns and operations by name, over HTTP."""

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from model_http import EXAMPLES, MODELS, as_query, curl, http, in_any_order, layouts_of, load
from server_process import BINARY

SECRET = "a-secret-of-many-characters"
CREDENTIALS = f"""
[boss]
aws_access_key_id = BOSS
aws_secret_access_key = {SECRET}
[reader]
aws_access_key_id = READER
aws_secret_access_key = {SECRET}
sheaf_role = readonly
[meter]
aws_access_key_id = METER
aws_secret_access_key = {SECRET}
sheaf_role = metrics
"""


@pytest.fixture
def credentials(directory):
    path = Path(directory) / "credentials"
    path.write_text(CREDENTIALS)
    path.chmod(0o600)
    return path


@pytest.fixture
def serve(make_server, directory):
    """A server of models, each NAME or NAME:LAYOUT of the examples, with their data."""

    def start(*names, options=()):
        models = []
        for name in names:
            example, _, layout = name.partition(":")
            models += ["--model", f"{MODELS / example / 'model.sheaf'}{':' + layout if layout else ''}"]
        within = Path(directory) / "-".join(names).replace(":", "_")
        within.mkdir()
        server = make_server(*models, *options, within=within).start()
        if "--credentials" not in options:
            for name in names:
                example, _, layout = name.partition(":")
                load(server, example, layout or "default")
        return server

    return start


def schema_of(api, path, method, part):
    """The schema of a request or of an answer, with what it refers to."""
    operation = api["paths"][path][method]
    holder = operation["requestBody"] if part == "request" else operation["responses"]["200"]
    return {**holder["content"]["application/json"]["schema"], "components": api["components"]}


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_layout_of_every_example_answers_as_it_should_and_as_it_is_described(serve, example):
    steps = json.loads((MODELS / example / "answers.json").read_text())
    for layout in layouts_of(example):
        server = serve(f"{example}:{layout}")
        status, _, api = http(server, f"/models/{example}/openapi.json")
        assert status == 200
        summary = http(server, f"/models/{example}")[2]
        assert summary["layout"] == layout
        asked = 0
        for step in steps:
            if layout not in step.get("layouts", [layout]):
                continue
            kind = "patterns" if "ask" in step else "operations"
            name = step.get("ask") or step["do"]
            path = f"/models/{example}/{kind}/{name}"
            body = {"with": step.get("with", []), "cost": True}
            status, _, answer = http(server, path, body)
            if "error" in step:
                assert 400 <= status < 500 and step["error"] in answer["error"]["message"], (layout, step, answer)
                continue
            if status == 400 and answer["error"]["code"] == "unserved":
                continue  # this layout has no key for it
            assert status == 200, (layout, step, answer)
            # What the description says is what was sent, and what came.
            jsonschema.Draft202012Validator(schema_of(api, path, "post", "request")).validate(body)
            jsonschema.Draft202012Validator(schema_of(api, path, "post", "answer")).validate(answer)
            if kind == "operations":
                continue
            asked += 1
            if "answer" in step:
                assert in_any_order(answer["documents"]) == in_any_order(step["answer"]), (layout, step)
            names = [each["name"] for each in next(p for p in summary["patterns"] if p["name"] == name)["parameters"]]
            by_name = dict(zip(names, step.get("with", [])))
            given = {name: value for name, value in by_name.items() if value is not None}
            for body in {"with": by_name}, {"with": given}:
                jsonschema.Draft202012Validator(schema_of(api, path, "post", "request")).validate(body)
                assert http(server, path, body)[2]["documents"] == answer["documents"]
            assert http(server, f"{path}?{as_query(given)}")[2]["documents"] == answer["documents"]
        assert asked > 0
        server.stop()


def test_a_directory_of_models_is_served_by_name(make_server):
    server = make_server("--model", str(MODELS)).start()
    status, headers, answer = http(server, "/models")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert [model["name"] for model in answer["models"]] == EXAMPLES
    # The tables are there, as for any client.
    assert "hr-sheaf" in server.call("ListTables", {}).value["TableNames"]
    server.stop()


def test_without_models_there_are_none(server):
    assert http(server, "/models")[2] == {"models": []}
    assert http(server, "/models/hr")[0] == 404


def test_what_was_written_is_there_after_a_restart(serve, make_server):
    server = serve("hr")
    hired = {"with": {"e": {"id": "e-9", "name": "Zoe"}, "d": "d-1"}}
    assert http(server, "/models/hr/operations/hire", hired)[2]["put"] == ["e-9"]
    server.kill()
    server.start()
    names = [document["name"] for document in http(server, "/models/hr/patterns/team?d=d-1")[2]["documents"]]
    assert sorted(names) == ["Alice", "Bob", "Zoe"]
    assert http(server, "/models/hr/operations/hire", hired)[0] == 409


def test_pages_follow_each_other_and_cursors_survive_a_restart(serve):
    server = serve("shop")
    for number in range(100, 130):
        order = {"customer": "ann", "number": number, "placed_on": "2026-01-02"}
        assert http(server, "/models/shop/operations/put.Order", {"with": [order]})[0] == 200
    first = http(server, "/models/shop/patterns/orders", {"with": {"c": "ann"}})[2]
    assert len(first["documents"]) == 20
    server.stop()
    server.start()
    second = http(server, f"/models/shop/patterns/orders?{as_query({'c': 'ann', 'cursor': first['cursor']})}")[2]
    numbers = [document["number"] for document in first["documents"] + second["documents"]]
    assert numbers == sorted(numbers, reverse=True) and len(set(numbers)) == 32
    assert "cursor" not in second
    status, _, answer = http(server, "/models/shop/patterns/orders", {"with": {"c": "bob"}, "cursor": first["cursor"]})
    assert (status, answer["error"]["code"]) == (400, "invalid")


def test_plan_and_cost_come_on_request(serve):
    server = serve("support")
    answer = http(server, "/models/support/patterns/orgAndUsers", {"with": ["acme"], "plan": True, "cost": True})[2]
    assert answer["cost"] == {"requests": 1, "rounds": 1, "units": 0.5, "items_read": 4}
    assert answer["plan"].startswith("orgAndUsers(o): 1 request, 1 round")
    assert set(http(server, "/models/support/patterns/orgAndUsers?o=acme")[2]) == {"documents"}


@pytest.mark.parametrize(
    "text, reason",
    [
        ("model x {\n  entity A { id id }\n  rel B 1--* A as a / b\n}\n", ":3:7: error: there is no entity named B"),
        ("model x {\n", "error:"),
        (
            'model x {\n  table tab { pk PK }\n  entity A { id id; n; key "<id>" }\n  pattern p(n: string) = A where n = $n\n}\n',
            ":4:34: error: p cannot be answered",
        ),
    ],
)
def test_a_model_with_mistakes_stops_the_start_in_the_checkers_words(directory, text, reason):
    path = Path(directory) / "x.sheaf"
    path.write_text(text)
    command = [BINARY, "serve", "--in-memory", "--port", "0", "--admin-port", "-1", "--model", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and reason in done.stderr, done.stderr


def test_models_that_are_not_there_stop_the_start(directory):
    for model, reason in [
        (f"{directory}/none.sheaf", "cannot read"),
        (f"{MODELS}/hr/model.sheaf:method9", "has no layout method9"),
        (directory, "there is no .sheaf file"),
    ]:
        command = [BINARY, "serve", "--in-memory", "--port", "0", "--admin-port", "-1", "--model", model]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and reason in done.stderr, done.stderr


def test_curl_signs_requests_and_roles_are_kept(serve, credentials):
    server = serve("hr", options=("--credentials", str(credentials)))
    boss, reader, meter = (f"{name}:{SECRET}" for name in ("BOSS", "READER", "METER"))
    post = ("--header", "content-type: application/json", "--data")
    hire = "/models/hr/operations/put.Department"
    department = json.dumps({"with": [{"id": "d-1", "name": "Sales"}]})
    status, answer = curl(server, hire, *post, department, key=boss)
    assert (status, answer["put"]) == (200, ["d-1"]), answer
    assert curl(server, "/models/hr/patterns/team?d=d-1", key=reader) == (200, {"documents": []})
    assert curl(server, "/models/hr/patterns/team", *post, '{"with":["d-1"]}', key=reader) == (200, {"documents": []})
    assert curl(server, "/models", key=reader)[0] == 200
    status, answer = curl(server, hire, *post, department, key=reader)
    assert (status, answer["error"]["code"]) == (403, "forbidden")
    assert curl(server, "/models/hr/patterns/team?d=d-1", key=meter)[0] == 403
    for key in (f"BOSS:{SECRET}x", f"NOBODY:{SECRET}", None):
        status, answer = curl(server, "/models/hr/patterns/team?d=d-1", key=key)
        assert (status, answer["error"]["code"]) == (403, "unauthenticated"), key
    denials = [json.loads(event["entry"]) for event in server.events() if event["event"] == "audit"]
    assert ["hr/operations/put.Department", "READER"] in [
        [denial.get("operation"), denial.get("access_key_id")] for denial in denials if denial["event"] == "denial"
    ]
    assert {"operation": "ApplyModel", "table": "hr"}.items() <= denials[0].items()


def test_methods_and_bodies_are_checked(serve):
    server = serve("hr")
    team = "/models/hr/patterns/team"
    for method in ("PUT", "DELETE", "PATCH"):
        status, headers, answer = http(server, team, {"with": ["d-1"]}, method)
        assert (status, headers["Allow"], answer["error"]["code"]) == (405, "GET, HEAD, POST", "method_not_allowed")
    assert http(server, "/models/hr/operations/move", method="GET")[0] == 405
    status, headers, answer = http(server, f"{team}?d=d-1", method="HEAD")
    assert (status, answer) == (200, None) and int(headers["Content-Length"]) > 50
    assert http(server, team, b'{"with":["d-1"]}', Content_Type="text/plain")[0] == 415
    assert http(server, team, b"{" * 1000)[2]["error"]["code"] == "malformed"
    assert http(server, team, b" " * (17 << 20))[0] == 413
    assert http(server, "/models/hr/nothing")[0] == 404
    server.check_health()


def test_requests_are_counted(serve):
    server = serve("hr")
    http(server, "/models/hr/patterns/team?d=d-1")
    http(server, "/models/hr/operations/move", {"with": ["e-1", "d-9"]})
    text = server.metrics_text()
    assert 'sheaf_model_request_seconds_count{model="hr",kind="pattern",name="team"} 1' in text
    assert 'sheaf_model_errors_total{model="hr",kind="operation",name="move",code="not_found"} 1' in text
    assert 'sheaf_model_units_total{model="hr",kind="pattern",name="team"} 0.5' in text


def test_pages_of_other_sites_are_kept_out(serve):
    server = serve("hr", options=("--allow-origin", "https://console.example"))
    team = "/models/hr/patterns/team?d=d-1"
    assert http(server, team, Origin="https://evil.example")[0] == 403
    assert http(server, team, Host="rebound.example")[0] == 403
    status, headers, _ = http(server, team, Origin="https://console.example")
    assert (status, headers["Access-Control-Allow-Origin"]) == (200, "https://console.example")
    status, headers, _ = http(
        server, team, method="OPTIONS", Origin="https://console.example", Access_Control_Request_Method="POST"
    )
    assert (status, headers["Access-Control-Allow-Methods"]) == (200, "POST, GET, OPTIONS")
