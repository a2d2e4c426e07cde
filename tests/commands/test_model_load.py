"""sheaf model load, model run --load and generate --load: what they take, what they write over, how they end."""

import gzip
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"
HR_DATA = ROOT / "models/hr/data.json"
POSTS = ROOT / "models/posts/model.sheaf"
MANY = 200_000
# Emails and posts have guards beside their items.
GUARDED = """model g {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
  entity User { id id; email unique; key "USER#<id>" / "USER#<id>" }
  entity Post { id id; at time immutable; key "USER#<author.id>" / "POST#<at>#<id>"; index GSI1 "POST#<id>" / "POST#<id>" }
  rel User 1--* Post as posts / author { required; size avg 20 unbounded; on delete cascade; via collection }
  pattern post(p: Post) = $p
}
"""


def sheaf(*arguments, stdin=None, status=0, **environment):
    done = subprocess.run(
        [PROGRAM, "model", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=120,
        env={**os.environ, **environment},
    )
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == status, (done.stdout, done.stderr)
    return done


def users(*numbers):
    return "".join(json.dumps({"User": [{"id": f"u{i}", "name": f"n{i}"}]}) + "\n" for i in numbers)


def posts(author, *numbers):
    made = [{"id": f"p{i}", "author": author, "at": "2026-06-15T00:00:00.000Z", "topic": "t", "text": "x"} for i in numbers]
    return "".join(json.dumps({"Post": [post]}) + "\n" for post in made)


def findings(model, database, status):
    return json.loads(sheaf("audit", model, "--json", "--data", database, status=status).stdout)["findings"]


def test_run_loads_into_no_database_that_only_the_environment_names(tmp_path):
    kept = tmp_path / "kept"
    sheaf("load", HR, HR_DATA, "--data", kept)
    sheaf("run", HR, "rename", "d-1", "Renamed", "--data", kept)
    done = sheaf("run", HR, "home", "e-1", "--load", HR_DATA, SHEAF_DATA=str(kept))
    assert "Renamed" not in done.stdout
    assert "Renamed" in sheaf("run", HR, "home", "e-1", "--data", kept).stdout
    # Without --load it is asked as it is, as the help says.
    assert "Renamed" in sheaf("run", HR, "home", "e-1", SHEAF_DATA=str(kept)).stdout
    told = sheaf("run", "--help").stdout
    assert "made if it is not there)" not in told and "SHEAF_DATA" in told
    # Neither is what is named written over.
    done = sheaf("run", HR, "home", "e-1", "--load", HR_DATA, "--data", kept, status=2)
    assert "there is already a Department d-1" in done.stderr and "load --replace" in done.stderr
    assert "Renamed" in sheaf("run", HR, "home", "e-1", "--data", kept).stdout
    none = tmp_path / "none"
    sheaf("run", HR, "home", "e-1", "--load", HR_DATA, SHEAF_DATA=str(none), SHEAF_ENDPOINT="http://127.0.0.1:1")
    sheaf("run", HR, "home", "e-1", "--data", none, status=2)
    assert not none.exists()
    sheaf("run", HR, "home", "e-1", "--load", HR_DATA, "--data", none)
    assert none.exists()


def test_a_database_that_is_thrown_away_is_told(tmp_path):
    done = sheaf("run", HR, "put.Department", '{"id": "d-9", "name": "Nine"}')
    assert "database that is thrown away: name one with --data or --endpoint" in done.stderr
    assert "thrown away" not in sheaf("run", HR, "home", "e-1", "--load", HR_DATA).stderr


def test_what_is_there_and_differs_is_written_over_only_if_told(database):
    assert sheaf("load", HR, HR_DATA, *database).stdout == "7 items loaded\n"
    assert sheaf("load", HR, HR_DATA, *database).stdout == "0 items loaded, 7 were there already\n"
    sheaf("run", HR, "rename", "d-1", "Renamed", *database)
    done = sheaf("load", HR, HR_DATA, *database, status=2)
    assert "there is already a Department d-1, and it differs" in done.stderr and "--replace" in done.stderr
    assert "Renamed" in sheaf("run", HR, "home", "e-1", *database).stdout
    done = sheaf("load", HR, HR_DATA, "--replace", "--json", *database)
    told = json.loads(done.stdout)
    assert told["replaced"] > 0 and told["items"] == told["replaced"] and told["there"] == 7 - told["items"]
    assert "Renamed" not in sheaf("run", HR, "home", "e-1", *database).stdout
    # What was not there comes beside it.
    more = json.dumps({"Department": [{"id": "d-8", "name": "Eight"}]}).encode()
    assert sheaf("load", HR, "-", *database, stdin=more).stdout == "1 item loaded\n"


def test_what_somebody_else_has_is_not_taken(tmp_path):
    model, database = tmp_path / "g.sheaf", ["--data", tmp_path / "data"]
    model.write_text(GUARDED)
    user = {"id": "u1", "email": "a@b"}
    sheaf("load", model, "-", *database, stdin=json.dumps({"User": [user]}).encode())
    other = json.dumps({"User": [{**user, "id": "u2"}]}).encode()
    done = sheaf("load", model, "-", "--replace", *database, stdin=other, status=2)
    assert "already a User with the email a@b" in done.stderr
    post = {"id": "p1", "author": "u1", "at": "2026-06-15T00:00:00.000Z"}
    sheaf("load", model, "-", *database, stdin=json.dumps({"Post": [post]}).encode())
    # With another time it would lie beside itself.
    moved = json.dumps({"Post": [{**post, "at": "2026-06-16T00:00:00.000Z"}]}).encode()
    done = sheaf("load", model, "-", "--replace", *database, stdin=moved, status=2)
    assert "there is already a Post p1, with another key" in done.stderr
    assert findings(model, tmp_path / "data", 0) == []


@pytest.mark.parametrize("options", [[], ["--replace"]])
def test_a_line_far_behind_takes_nothing_of_an_earlier_one(tmp_path, options):
    model, file, database = tmp_path / "g.sheaf", tmp_path / "data.jsonl", ["--data", tmp_path / "data"]
    model.write_text(GUARDED)
    lines = [json.dumps({"User": [{"id": f"u{i}", "email": f"e{i}"}]}) for i in range(600)]
    file.write_text("\n".join([*lines, json.dumps({"User": [{"id": "x", "email": "e0"}]})]))
    done = sheaf("load", model, file, *options, *database, status=2)
    assert "there is already a User with the email e0" in done.stderr
    assert findings(model, tmp_path / "data", 0) == []


def test_links_to_nobody_are_told(tmp_path):
    database = ["--data", tmp_path / "data"]
    done = sheaf("load", POSTS, "-", *database, stdin=(posts("nobody", 1) + posts("u1", 2) + users(1)).encode())
    assert done.stdout == "3 items loaded\n"
    assert "the Post p1 leads by its author to the User nobody" in done.stderr and "p2" not in done.stderr
    assert "sheaf model audit" in done.stderr
    # Who was there before is somebody.
    done = sheaf("load", POSTS, "-", "--json", *database, stdin=posts("u1", 3).encode())
    assert json.loads(done.stdout)["dangling"] == 0 and done.stderr == ""
    data = json.dumps({"Post": [json.loads(posts("nobody", 4))["Post"][0]]}, indent=2).encode()
    assert json.loads(sheaf("load", POSTS, "-", "--json", *database, stdin=data).stdout)["dangling"] == 1
    assert {each["kind"] for each in findings(POSTS, tmp_path / "data", 1)} == {"dangling"}


def test_a_load_that_fails_says_how_much_is_there(tmp_path):
    file, database = tmp_path / "data.jsonl", ["--data", tmp_path / "data"]
    file.write_text(users(*range(5000)) + '{"User":[{"id":"x"}]}\n' + users(6000))
    done = sheaf("load", POSTS, file, *database, status=2)
    assert "data.jsonl:5001: User[0]: a User lacks its field name" in done.stderr
    assert "5000 items are loaded; " in done.stderr
    file.write_text(users(*range(5000)) + users(6000))
    assert sheaf("load", POSTS, file, *database).stdout == "1 item loaded, 5000 were there already\n"


@pytest.mark.parametrize("wrong", [["none.json"], ["."]])
def test_what_cannot_be_read_makes_no_database(tmp_path, wrong):
    done = sheaf("load", POSTS, tmp_path / wrong[0], "--data", tmp_path / "data", status=2)
    assert str(tmp_path) in done.stderr and not (tmp_path / "data").exists()
    done = sheaf("run", POSTS, "oldest", "u1", "--load", tmp_path / wrong[0], "--data", tmp_path / "data", status=2)
    assert not (tmp_path / "data").exists()


def test_lines_and_documents_are_told_by_what_they_are(tmp_path):
    lines = users(1, 2) + posts("u1", 1)
    document = json.dumps({"User": [{"id": "u1", "name": "a"}]}, indent=1)
    (tmp_path / "lines.txt").write_text(lines)
    (tmp_path / "lines.json").write_text("\n" + lines)
    (tmp_path / "lines.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "document.txt").write_text(document)
    (tmp_path / "document.gz").write_bytes(gzip.compress(document.encode()))
    for number, (name, items) in enumerate(
        [("lines.txt", 3), ("lines.json", 3), ("lines.jsonl.gz", 3), ("document.txt", 1), ("document.gz", 1)]
    ):
        done = sheaf("load", POSTS, tmp_path / name, "--json", "--data", tmp_path / str(number))
        assert json.loads(done.stdout)["items"] == items, name
    made = sheaf("generate", POSTS, "--scale", "0.05", "--seed", "3").stdout.encode()
    for number, stdin in enumerate([made, gzip.compress(made), document.encode(), b"\xef\xbb\xbf" + document.encode()]):
        done = sheaf("load", POSTS, "-", "--data", tmp_path / f"in{number}", stdin=stdin)
        assert (" items loaded" if number < 2 else "1 item loaded") in done.stdout


def test_what_is_no_json_is_called_so(tmp_path):
    def refused(text, name="data.json"):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = sheaf("load", POSTS, file, "--data", tmp_path / "data", status=2)
        assert "numeric" not in done.stderr
        return done.stderr

    assert "data.json:1: this is no JSON" in refused("hello, there\n")
    assert not (tmp_path / "data").exists()
    assert "data.json: there is nothing in it" in refused("\n")
    assert "data.json: this is no JSON, line 3" in refused('{"User": [\n{"id": "u1",\n "name": nothing}\n]}\n')
    assert "data.jsonl:2: this is no JSON" in refused(users(1) + "hello\n", "data.jsonl")
    assert "data.jsonl:1: this is no JSON" in refused("hello\n" + users(1), "data.jsonl")
    assert "data.gz: the compressed data is cut off" in refused(gzip.compress(users(1).encode())[:-9], "data.gz")
    archive = tmp_path / "old.jsonl"
    archive.write_text("hello\n")
    done = sheaf("restore", POSTS, archive, "--data", tmp_path / "data", status=2)
    assert "old.jsonl:1: this is no JSON" in done.stderr


def interrupted(command, database, stdin=None):
    """What it said when it was told to end in the midst of loading."""
    started = subprocess.Popen(
        [PROGRAM, "model", *map(str, command), "--data", str(database)],
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SHEAF_PROGRESS": "lines"},
    )
    if stdin:
        started.stdin.write(stdin)
        started.stdin.flush()
    told = started.stderr.readline()
    while told and "progress: " not in told:
        told = started.stderr.readline()
    assert "progress: " in told
    time.sleep(0.3)
    started.send_signal(signal.SIGINT)
    # The pipe stays open: nobody waits for its end.
    started.wait(60)
    out, err = started.stdout.read(), started.stderr.read()
    if stdin:
        started.stdin.close()
    assert started.returncode == 2, (out, err)
    assert " loaded\n" in out and "interrupted; " in err
    return int(out.split()[0])


def test_what_is_interrupted_leaves_nothing_in_halves(tmp_path):
    model, file, database = tmp_path / "g.sheaf", tmp_path / "data.jsonl", tmp_path / "data"
    model.write_text(GUARDED)
    with open(file, "w") as out:
        for i in range(MANY):
            out.write(json.dumps({"User": [{"id": f"u{i}", "email": f"e{i}@x"}]}) + "\n")
    items = interrupted(["load", model, file], database)
    assert 0 < items < MANY
    assert findings(model, database, 0) == []
    assert f"{items} entities" in sheaf("audit", model, "--data", database).stdout
    # A pipe that gives nothing for now.
    with open(file) as lines:
        some = "".join(next(lines) for _ in range(3000))
    piped = tmp_path / "piped"
    assert 0 < interrupted(["load", model, "-"], piped, stdin=some) <= 3000
    assert findings(model, piped, 0) == []


def test_generating_that_is_interrupted_leaves_nothing_in_halves(tmp_path):
    model, database = tmp_path / "g.sheaf", tmp_path / "data"
    model.write_text(GUARDED)
    items = interrupted(["generate", model, "--count", "User=100", "--count", f"Post={MANY}", "--load"], database)
    assert 0 < items < MANY
    assert {each["kind"] for each in findings(model, database, 0)} == set()
