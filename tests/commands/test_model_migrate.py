"""sheaf model migrate on a data directory."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"


def sheaf(*arguments, status=0):
    done = subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout if status == 0 else done.stdout + done.stderr


def loaded(tmp_path, layout="method1"):
    database = tmp_path / "data"
    sheaf("load", HR, ROOT / "models/hr/data.json", "--layout", layout, "--data", database)
    return database


def move(database, source, target, *options, status=0):
    return sheaf("migrate", HR, "--from", source, "--to", target, "--data", database, *options, status=status)


def team(database, layout):
    return sorted(sheaf("run", HR, "team", "d-2", "--layout", layout, "--data", database).replace("\n}\n", "\n},\n").split("},\n"))


def test_a_model_goes_all_the_way_and_programs_follow(tmp_path):
    database = loaded(tmp_path)
    before = team(database, "method1")
    assert "was never moved" in move(database, "method1", "method3", "--status")
    assert "to copy and to compare" in move(database, "method1", "method3", "--plan")
    assert "both say the same" in move(database, "method1", "method3")
    assert "writing both, reading new, in step" in move(database, "method1", "method3", "--status")
    # Told of the old layout, they use what is stored.
    assert team(database, "method1") == before
    sheaf("run", HR, "move", "e-1", "d-2", "--layout", "method1", "--data", database)
    after = team(database, "method1")
    assert len(after) == len(before) + 1
    refused = sheaf("audit", HR, "--layout", "method1", "--data", database, status=2)
    assert "is being moved to another layout" in refused
    assert "is read again" in move(database, "method1", "method3", "--back")
    assert team(database, "method1") == after
    move(database, "method1", "method3")
    assert "what was left of the other is removed" in move(database, "method1", "method3", "--finish")
    assert team(database, "method3") == team(database, "method1") == after
    assert "0 findings" in sheaf("audit", HR, "--layout", "method1", "--data", database)
    assert "is stored in the layout method3" in move(database, "method1", "method3", "--status")
    refused = move(database, "method1", "method4", status=2)
    assert "is stored in the layout method3, not in method1" in refused
    move(database, "method3", "method1")
    move(database, "method3", "method1", "--finish", "--keep")
    assert team(database, "method1") == after


def test_a_move_that_is_taken_back_leaves_nothing(tmp_path):
    database = loaded(tmp_path)
    before = team(database, "method1")
    move(database, "method1", "method4")
    move(database, "method1", "method4", "--back")
    assert "what was left of the other is removed" in move(database, "method1", "method4", "--back")
    assert team(database, "method1") == before
    assert "0 findings" in sheaf("audit", HR, "--layout", "method1", "--data", database)
    assert "no model of hr-sheaf is being moved" in move(database, "method1", "method4", "--finish", status=2)


def test_it_goes_on_where_it_was_killed(tmp_path):
    database = tmp_path / "data"
    lines = tmp_path / "staff.jsonl"
    sheaf("generate", HR, "--seed", 7, "--count", "Employee=800", "--layout", "method2", "--out", lines)
    sheaf("load", HR, lines, "--layout", "method2", "--data", database)
    command = [PROGRAM, "model", "migrate", HR, "--from", "method2", "--to", "method3", "--data", database]
    killed = 0
    for seconds in (0.2, 0.4, 0.8):
        mover = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        killed += mover.poll() is None
        mover.send_signal(signal.SIGKILL)
        mover.wait()
    assert killed > 0
    assert "both say the same" in move(database, "method2", "method3")
    assert "is removed" in move(database, "method2", "method3", "--finish")
    audit = sheaf("audit", HR, "--layout", "method3", "--data", database)
    assert "0 findings" in audit, audit


def test_what_is_new_is_applied_where_it_is(tmp_path):
    old, new, database = tmp_path / "old.sheaf", tmp_path / "new.sheaf", tmp_path / "data"
    text = "model m { table app { pk PK; sk SK; tag T } entity A { id id; name } %s pattern a(a: A) = $a }"
    old.write_text(text % "")
    new.write_text(text % "entity B { id id }")
    sheaf("apply", old, "--data", database)
    sheaf("run", old, "put.A", '{"id":"1","name":"x"}', "--data", database)
    plan = json.loads(sheaf("migrate", old, new, "--data", database, "--plan", "--json"))
    assert plan["model"] == ["B is new"] and plan["moves"] is False
    assert "no item has to move" in sheaf("migrate", old, new, "--data", database)
    sheaf("run", new, "put.B", '{"id":"1"}', "--data", database)


def test_wrong_use_is_told(tmp_path):
    database = loaded(tmp_path)
    assert "--rename takes OLD=NEW, not x" in move(database, "method1", "method3", "--rename", "x", status=2)
    assert "has no layout none" in move(database, "method1", "none", status=2)
    other = ROOT / "models/shop/model.sheaf"
    refused = sheaf("migrate", HR, other, "--from", "method1", "--data", database, status=2)
    assert "a model that moves keeps its name" in refused
    assert "give the new one another name" in move(database, "method1", "method2", "--table", "employee=employee", status=2)
