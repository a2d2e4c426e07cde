"""sheaf model archive and sheaf model restore."""

import json
import os
import random
import signal
import subprocess
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
POSTS = ROOT / "models/posts/model.sheaf"
MANY = 3000


def sheaf(*arguments):
    return subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def posts_of(database, user, pattern="oldest"):
    found, cursor = [], []
    while True:
        answer = sheaf("run", POSTS, pattern, user, "--data", database, *cursor)
        assert answer.returncode == 0, answer.stderr
        decoder, rest = json.JSONDecoder(), answer.stdout.strip()
        while rest:
            document, end = decoder.raw_decode(rest)
            found.append(document)
            rest = rest[end:].strip()
        more = [line for line in answer.stderr.splitlines() if line.startswith("more: ")]
        if not more:
            return found
        cursor = more[0].split()[1:]


def loaded(tmp_path):
    database = tmp_path / "data"
    done = sheaf("load", POSTS, ROOT / "models/posts/data.json", "--data", database)
    assert done.returncode == 0, done.stderr
    return database


def test_old_posts_go_into_a_file_and_come_back(tmp_path):
    database, file = loaded(tmp_path), tmp_path / "old.jsonl"
    before = posts_of(database, "ann")
    old = [each for each in before if each["at"] < "2026-03-01"]
    assert old
    done = sheaf("archive", POSTS, "Post", "--before", "2026-03-01", "--to", file, "--data", database)
    assert done.returncode == 0, done.stderr
    assert "no longer in the table" in done.stdout
    assert posts_of(database, "ann") == before[len(old) :]
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [post for line in lines for post in line["Post"] if post["author"] == "ann"]
    assert sheaf("audit", POSTS, "--data", database).returncode == 0
    again = sheaf("archive", POSTS, "Post", "--before", "2026-03-01", "--to", file, "--data", database)
    assert again.stdout.startswith("0 of Post")
    restored = sheaf("restore", POSTS, file, "--data", database)
    assert restored.returncode == 0, restored.stderr
    assert posts_of(database, "ann") == before


def test_what_makes_no_sense_is_refused(tmp_path):
    database, file = loaded(tmp_path), tmp_path / "old.jsonl"
    for wrong, why in [
        (["Psot", "--before", "2026-03-01"], "there is no entity Psot"),
        (["Post", "--before", "March"], "--before takes a date"),
        (["Post", "--before", "2026-03-01", "--by", "text"], "Post has no time or date named text"),
        (["User", "--before", "2026-03-01"], "User has no time or date"),
    ]:
        done = sheaf("archive", POSTS, *wrong, "--to", file, "--data", database)
        assert done.returncode != 0 and why in done.stderr, done.stderr
    assert not file.exists()
    done = sheaf("archive", POSTS, "Post", "--before", "2026-03-01", "--to", tmp_path, "--data", database)
    assert done.returncode != 0 and "cannot open" in done.stderr
    file.write_text('{"Post": [{"id": "x"}]}\n')
    done = sheaf("restore", POSTS, file, "--data", database)
    assert done.returncode != 0 and "old.jsonl:1: " in done.stderr


def test_a_kill_loses_nothing(tmp_path):
    chance = random.Random(16)
    database, data, file = tmp_path / "data", tmp_path / "many.json", tmp_path / "old.jsonl"
    posts = [
        {"id": f"p{i}", "author": "ann", "at": f"2026-0{i % 6 + 1}-01T00:00:00.{i % 1000:03}Z", "topic": "t", "text": "x" * 1000}
        for i in range(MANY)
    ]
    data.write_text(json.dumps({"User": [{"id": "ann", "name": "Ann"}], "Post": posts}))
    assert sheaf("load", POSTS, data, "--data", database).returncode == 0
    command = ["archive", POSTS, "Post", "--before", "2026-06-01", "--to", file, "--data", database]
    kills = 0
    for _ in range(20):
        process = subprocess.Popen(
            [PROGRAM, "model", *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(timeout=chance.uniform(0.05, 0.5))
            if process.returncode == 0:
                break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
    assert kills > 0
    done = sheaf(*command)
    assert done.returncode == 0, done.stderr
    archived = {post["id"] for line in file.read_text().splitlines() for post in json.loads(line)["Post"]}
    assert archived == {post["id"] for post in posts if post["at"] < "2026-06-01"}
    assert sheaf("audit", POSTS, "--data", database).returncode == 0
    restored = sheaf("restore", POSTS, file, "--data", database)
    assert restored.returncode == 0, restored.stderr
    audit = sheaf("audit", POSTS, "--data", database)
    assert audit.returncode == 0 and f"{MANY + 1} entities" in audit.stdout, audit.stdout
    audit = json.loads(sheaf("audit", POSTS, "--json", "--data", database).stdout)
    assert audit["entities"] == MANY + 1 and audit["findings"] == []
