"""sheaf model generate, and sheaf model load of lines."""

import collections
import hashlib
import json
import os
import subprocess
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
FRIENDS = ROOT / "models/friends/model.sheaf"
ORGS = ROOT / "models/orgs/model.sheaf"


def sheaf(*arguments):
    return subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def lines(*arguments):
    done = sheaf("generate", *arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def audit(model, database, *arguments):
    done = sheaf("audit", model, "--data", database, *arguments)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


def test_lines_have_one_document_each_parents_first():
    made = lines(ORGS, "--count", "Org=3", "--count", "User=50")
    assert [list(line) for line in made] == [["Org"]] * 3 + [["User"]] * 50
    orgs = {line["Org"][0]["name"] for line in made[:3]}
    users = [line["User"][0] for line in made[3:]]
    assert len(orgs) == 3 and {user["org"] for user in users} <= orgs
    assert len({(user["org"], user["name"]) for user in users}) == 50
    many = collections.Counter(user["org"] for user in users).most_common()
    assert many[0][1] > many[-1][1]
    even = [line["User"][0]["org"] for line in lines(ORGS, "--count", "Org=5", "--count", "User=50", "--skew", "0")[5:]]
    assert set(collections.Counter(even).values()) == {10}


def test_the_same_seed_gives_the_same_bytes_in_every_layout(tmp_path):
    digests = set()
    for layout in ["default", "lists", "default"]:
        file = tmp_path / "data.jsonl"
        done = sheaf("generate", FRIENDS, "--layout", layout, "--scale", "0.5", "--out", file)
        assert done.returncode == 0 and done.stdout.startswith("50 documents and "), done.stderr
        digests.add(hashlib.sha256(file.read_bytes()).hexdigest())
    assert len(digests) == 1
    assert lines(FRIENDS, "--seed", "2") != lines(FRIENDS)


def test_loading_straight_away_or_from_a_file_or_from_lines_is_the_same(tmp_path):
    for layout in ["default", "lists"]:
        chosen = ["--layout", layout]
        straight = tmp_path / f"{layout}-straight"
        done = sheaf("generate", FRIENDS, *chosen, "--scale", "0.4", "--load", "--data", straight)
        assert done.returncode == 0 and " items loaded" in done.stdout, done.stderr
        wanted = audit(FRIENDS, straight, *chosen)
        for name in ["data.json", "data.jsonl"]:
            file, database = tmp_path / name, tmp_path / f"{layout}-{name}"
            assert sheaf("generate", FRIENDS, "--scale", "0.4", "--out", file).returncode == 0
            loaded = sheaf("load", FRIENDS, file, *chosen, "--data", database)
            assert loaded.returncode == 0 and loaded.stdout == done.stdout, loaded.stderr
            assert audit(FRIENDS, database, *chosen) == wanted


def test_a_plan_says_how_many_there_will_be():
    plan = json.loads(sheaf("generate", ORGS, "--plan", "--json").stdout)
    assert plan == {"entities": {"Org": 100, "User": 4000}, "links": {"Org.users": 4000}}
    assert sheaf("generate", ORGS, "--scale", "0.1", "--plan").stdout.startswith("Org: 10\nUser: 400\n")


def test_what_makes_no_sense_is_refused_and_changes_nothing(tmp_path):
    out, database = tmp_path / "data.jsonl", tmp_path / "data"
    for wrong, why in [
        (["--count", "Org"], "--count takes ENTITY=NUMBER"),
        (["--count", "Orgs=3"], "there is no entity Orgs"),
        (["--count", "Org=1", "--count", "User=501"], "make at most 500"),
        (["--skew", "3.1"], "--skew lies between"),
        (["--skew", "-1"], "--skew lies between"),
        (["--scale", "0"], "a scale is more than 0"),
        (["--until", "soon"], "--until takes a date"),
        (["--item-bytes", "Org=2000"], "Org has no text"),
        (["--load"], "--load needs --data"),
        (["--load", "--data", database], "--out or --load"),
        (["--data", database], "a database is for --load"),
    ]:
        to = [] if wrong == ["--load"] else ["--out", out]
        done = sheaf("generate", ORGS, *wrong, *to)
        assert done.returncode == 2 and why in done.stderr, (wrong, done.stderr)
        assert not out.exists() and not database.exists()
    assert sheaf("generate", ORGS, "--count", "Org=1", "--count", "User=500", "--skew", "3", "--out", out).returncode == 0


def test_times_that_may_not_lie_in_the_future_are_not_loaded(tmp_path):
    posts = ROOT / "models/posts/model.sheaf"
    done = sheaf("generate", posts, "--scale", "0.01", "--until", "2998-01-01", "--load", "--data", tmp_path / "data")
    assert done.returncode == 2 and "earlier --until" in done.stderr, done.stderr
    assert not (tmp_path / "data").exists()


def test_a_line_that_is_wrong_is_named(tmp_path):
    file = tmp_path / "data.jsonl"
    file.write_text('{"Org":[{"name":"a","plan":"PRO"}]}\n\n{"User":[{"org":"a","name":"b"}]}\n')
    done = sheaf("load", ORGS, file, "--data", tmp_path / "data")
    assert done.returncode == 2 and "data.jsonl:3: User[0]: a User lacks its field email" in done.stderr, done.stderr
    file.write_text('{"Org":[{"name":"a","plan":"PRO"}]}\n{"Org":\n')
    done = sheaf("load", ORGS, file, "--data", tmp_path / "data")
    assert done.returncode == 2 and "data.jsonl:2: " in done.stderr, done.stderr
