"""sheaf watch and sheaf top as they are called: what is wrong, lists, and a database without a server."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from terminal import AtTerminal

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"
MODEL = f"{HR}:method2"


def sheaf(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def data(tmp_path):
    loaded = sheaf("model", "load", HR, HR.parent / "data.json", "--layout", "method2", "--data", tmp_path / "data")
    assert loaded.returncode == 0, loaded.stderr
    return tmp_path / "data"


def test_limits_are_listed_with_their_points():
    told = sheaf("watch", "--list", "--limit", "few=7")
    assert told.returncode == 0
    rows = {line.split()[0]: line.split() for line in told.stdout.splitlines()}
    assert rows["few"][1:4] == ["G2", "7", "8"]
    limits = {each["limit"]: each for each in map(json.loads, sheaf("watch", "--list", "--json", "--limit", "few=7").stdout.splitlines())}
    assert set(limits) == set(rows) - {"limit"} and limits["few"] == {"limit": "few", "point": "G2", "line": 7, "warns_from": 8, "meaning": "children in one item"}
    assert limits["collection-bytes-max"]["line"] == 10 << 30 and "line" not in limits["throttled"]
    assert rows["collection-bytes-max"][1:6] == ["G3", "10", "GB", "8", "GB"]
    assert {row[1] for row in rows.values()} == {"point", "G1", "G2", "G3", "G4", "G7", "G10", "G11", "G12"}


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--data", "x"], "--model FILE"),
        (["--model", MODEL], "--endpoint URL"),
        (["--model", "/nowhere.sheaf", "--data", "x"], "/nowhere.sheaf"),
        (["--model", f"{HR}:nowhere", "--data", "x"], "has no layout nowhere"),
        (["--model", MODEL, "--data", "x", "--for", "soon"], "--for is a time such as 30s"),
        (["--model", MODEL, "--data", "x", "--every", "0.5s"], "--every is 1 second at least"),
        (["--model", MODEL, "--data", "x", "--limit", "collection-itms=3"], "there is collection-items"),
        (["--model", MODEL, "--endpoint", "http://127.0.0.1:9", "--for", "0s"], "127.0.0.1:9"),
    ],
)
def test_wrong_use_of_watch_is_told(arguments, said, tmp_path):
    assert sheaf("table", "create", "ids", "--key", "id", "--data", tmp_path / "x").returncode == 0
    told = subprocess.run([PROGRAM, "watch", *arguments], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert told.returncode == 2 and told.stdout == "" and said in told.stderr


def test_a_directory_can_be_watched(data):
    told = sheaf("watch", "--model", MODEL, "--data", data, "--for", "0s", "--json")
    assert told.returncode == 0, told.stderr
    *figures, end = map(json.loads, told.stdout.splitlines())
    assert end["event"] == "end" and end["items"] >= 7 and not end["heat"] and not end["failed"]
    assert {"Department", "Employee"} <= {each["kind"] for each in figures if each["limit"] == "item-bytes"}


def test_what_is_too_much_is_a_matter_of_limits_and_severity(data):
    watch = ["watch", "--model", MODEL, "--data", data, "--for", "0s", "--limit", "item-bytes=100", "--limit", "near-percent=10"]
    told = sheaf(*watch)
    assert told.returncode == 1 and "warning begins: " in told.stdout and "[item-bytes G1]\n  = move what grows" in told.stdout
    assert sheaf(*watch, "--fail-on", "error").returncode == 0


# A13: what lies in an index nobody counts but by Query.
def test_a_collection_in_an_index_is_told_of(tmp_path):
    model, data = tmp_path / "chat.sheaf", tmp_path / "data.json"
    model.write_text(
        "model chat { table chat { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK } "
        'entity Room { id id; key "ROOM#<id>" / "ROOM#<id>" } '
        'entity Message { id id; text; key "MSG#<id>" / "MSG#<id>"; index GSI1 "ROOM#<room.id>" / "MSG#<id>" } '
        "rel Room 1--* Message as messages / room { required; size avg 50 unbounded; on delete cascade; via index on GSI1 } }"
    )
    messages = [{"id": f"m{i:04}", "text": "x", "room": "r1" if i < 400 else f"r{i % 9 + 2}"} for i in range(500)]
    rooms = [{"id": f"r{i}"} for i in range(1, 11)]
    data.write_text(json.dumps({"Room": rooms, "Message": messages}))
    loaded = sheaf("model", "load", model, data, "--data", tmp_path / "data")
    assert loaded.returncode == 0, loaded.stderr
    told = sheaf(
        "watch", "--model", model, "--data", tmp_path / "data", "--limit", "collection-items=300", "--for", "0s",
        "--requests", "600", "--json",
    )
    assert told.returncode == 1, told.stdout + told.stderr
    (event,) = [each for each in map(json.loads, told.stdout.splitlines()) if each["event"] == "begins"]
    assert (event["limit"], event["index"], event["name"], event["value"]) == ("collection-items", "GSI1", "Room r1", 400)


# A14: of a list the model says how long it may be.
def test_lists_are_held_against_their_declared_max(tmp_path):
    model, data = tmp_path / "friends.sheaf", tmp_path / "data.json"

    def describe(most):
        model.write_text(
            'model friends { table friends { pk PK; sk SK; tag Type } entity User { id id; name; key "USER#<id>" / "USER#<id>" } '
            f"rel User *--* User as friends {{ size avg 20 max {most}; via lists }} }}"
        )

    def watched(most):
        describe(most)
        return sheaf("watch", "--model", model, "--data", tmp_path / "data", "--for", "0s", "--json")

    users = [{"id": f"u{i}", "name": "n"} for i in range(31)]
    pairs = [[one["id"], other["id"]] for one in users for other in users if one["id"] < other["id"]]
    data.write_text(json.dumps({"User": users, "links": {"User.friends": pairs}}))
    describe(90)
    loaded = sheaf("model", "load", model, data, "--data", tmp_path / "data")
    assert loaded.returncode == 0, loaded.stderr
    told = watched(90)
    assert told.returncode == 0, told.stdout
    told = watched(25)
    assert told.returncode == 1
    (event,) = [each for each in map(json.loads, told.stdout.splitlines()) if each["event"] == "begins"]
    assert (event["limit"], event["kind"], event["keys"], event["value"]) == ("declared-max", "User.friends", 31, 120)


def test_top_needs_a_server():
    told = sheaf("top", "--endpoint", "http://127.0.0.1:9", "--once")
    assert told.returncode == 2 and "is a server running there?" in told.stderr
    assert sheaf("top", "--endpoint", "aws").returncode == 2
    assert "is a time such as" in sheaf("top", "--every", "x").stderr


def test_top_of_an_idle_server_has_its_tables_and_latencies(serving):
    def run(*words, **variables):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, env={**os.environ, **variables})

    assert run("table", "create", "quiet", "--key", "id", "--endpoint", serving.url).returncode == 0
    assert run("item", "put", "quiet", '{"id": "a"}', "--endpoint", serving.url).returncode == 0
    admin = next(json.loads(line)["admin"] for line in serving.log.read_text().splitlines() if '"serving"' in line)
    told = run("top", "--admin", admin, "--once", "--every", "0.2s").stdout
    assert "without --endpoint there are no keys" in told and "\nquiet " in told and "PutItem" in told, told
    # An endpoint of the environment is one.
    told = run("top", "--admin", admin, "--once", SHEAF_ENDPOINT=serving.url).stdout
    assert serving.url in told and "HOTTEST KEYS" in told and "LATENCIES" in told, told


def test_top_fits_a_usual_screen(serving):
    where = ["--endpoint", serving.url]
    for number in range(12):
        assert sheaf("table", "create", f"busy{number}", "--key", "id", *where).returncode == 0
        assert sheaf("item", "put", f"busy{number}", '{"id":"a"}', *where).returncode == 0
    with AtTerminal([PROGRAM, "top", *where], rows=24, NO_COLOR=None) as program:
        shown = program.wait_for("q: leave")
        assert "TABLES AND INDEXES (" in shown and "HOTTEST KEYS" in shown and "COLLECTIONS" not in shown.split("q: leave")[1]
        assert "\x1b[1;36mHOTTEST KEYS\x1b[0m" in program.shown
        program.type("q")
        assert program.finish() == 0


def test_a_model_that_was_moved_is_watched_where_it_is_now(data):
    def tables():
        told = sheaf("watch", "--model", MODEL, "--data", data, "--for", "0s", "--json")
        assert told.returncode == 0, told.stderr
        seen = [json.loads(line) for line in told.stdout.splitlines()]
        return {each["table"] for each in seen if each.get("kind") == "Employee" and each["limit"] == "item-bytes"}

    def migrate(*options):
        moved = sheaf("model", "migrate", HR, "--from", "method2", "--to", "method4", "--data", data, *options)
        assert moved.returncode == 0, moved.stderr

    assert tables() == {"employee"}
    migrate()
    assert tables() == {"employee", "entity"}
    migrate("--finish")
    assert tables() == {"entity"}
