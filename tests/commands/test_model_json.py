"""What the commands on a model's data say to programs."""

import json
import os
import subprocess
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
POSTS = Path(__file__).resolve().parents[2] / "models/posts"


def told(*arguments, status=0):
    words = [PROGRAM, "model", arguments[0], str(POSTS / "model.sheaf"), *map(str, arguments[1:]), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == status, done.stderr
    assert done.stdout.count("\n") == 1
    return json.loads(done.stdout)


def test_every_command_says_what_it_did(tmp_path):
    data, archive = ("--data", tmp_path / "data"), tmp_path / "old.jsonl"
    assert [each["indexes"] >= 0 for each in told("apply", *data)]
    items = told("load", POSTS / "data.json", *data)["items"]
    assert items > 0
    assert told("work", *data) == {"done": 0, "left": 0, "copies": 0, "deleted": 0}
    assert told("audit", *data)["items"] == items
    archived = told("archive", "Post", "--before", "2026-03-01", "--to", archive, *data)
    assert archived["archived"] > 0 and archived["changed"] == 0
    assert told("restore", archive, *data) == {"restored": archived["archived"], "there": 0}
    assert told("restore", archive, *data) == {"restored": 0, "there": archived["archived"]}


def test_tests_that_fail_are_listed(tmp_path):
    passed = told("test")
    assert passed["passed"] > 0 and passed["failed"] == []
    wrong = tmp_path / "answers.json"
    answers = json.loads((POSTS / "answers.json").read_text())
    answers[0]["answer"] = [{"nobody": True}]
    wrong.write_text(json.dumps(answers))
    failed = told("test", "--answers", wrong, status=1)["failed"]
    assert failed and all(each["layout"] and each["message"] for each in failed)


def test_plans_are_told_in_json():
    def plan(*arguments):
        words = [PROGRAM, "model", "plan", str(POSTS.parent / "orgs/model.sheaf"), "--json", *arguments]
        return subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout

    planned = json.loads(plan())
    assert planned["layout"] == "default" and [each["name"] for each in planned["operations"]] == ["join", "promote"]
    (users,) = json.loads(plan("users", "--layout", "default"))["patterns"]
    assert users in planned["patterns"] and users["requests"][0]["key_condition"].startswith('PK = "ORG#')
    (request,) = [json.loads(line) for line in plan("users", "--params", "-5").splitlines()]
    assert request["operation"] == "Query" and request["request"]["ExpressionAttributeValues"][":p"] == {"S": "ORG#-5"}
    wrong = [
        (["join", "--params", "1"], "join is an operation: its requests depend on what is stored"), (["--params"], "--params are of one pattern: name it"), (["nothing", "--params"], "there is no pattern or operation nothing"),
    ]  # fmt: skip
    for arguments, said in wrong:
        done = subprocess.run([PROGRAM, "model", "plan", str(POSTS.parent / "orgs/model.sheaf"), *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 2 and said in done.stderr, done
    assert '{"S":"ORG#--json"}' in plan("users", "--params", "--", "--json")
