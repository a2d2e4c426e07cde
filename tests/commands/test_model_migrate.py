"""sheaf model migrate on a data directory."""

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


def test_a_plan_needs_no_database_and_makes_none(tmp_path):
    planned = ("migrate", HR, "--from", "method1", "--to", "method2", "--plan")
    assert "to copy and to compare" in sheaf(*planned)
    assert f"there is no database in {tmp_path}/none" in sheaf(*planned, "--data", tmp_path / "none", status=2)
    assert "where is the data?" in sheaf(*planned[:-1], status=2)
    assert not list(tmp_path.iterdir())


def test_nothing_is_locked_where_nobody_keeps_the_lock(tmp_path):
    database = loaded(tmp_path)
    assert "--lock is kept by a server" in move(database, "method1", "method2", "--lock", status=2)
    assert "was never moved" in move(database, "method1", "method2", "--status")


def test_who_asks_for_another_layout_is_told_which_there_is(tmp_path):
    refused = sheaf("run", HR, "team", "d-1", "--layout", "method2", "--data", loaded(tmp_path), status=2)
    assert "the layout method2 of hr is not applied here; the layout method1 is: ask with that one, or sheaf model migrate moves it" in refused


def test_a_model_goes_all_the_way_and_programs_follow(tmp_path):
    database = loaded(tmp_path)
    before = team(database, "method1")
    assert "was never moved" in move(database, "method1", "method3", "--status")
    assert json.loads(move(database, "method1", "method3", "--status", "--json")) == {"model": "hr", "moved": False}
    assert "to copy and to compare" in move(database, "method1", "method3", "--plan")
    assert "both say the same" in move(database, "method1", "method3")
    assert "writing both, reading new, in step" in move(database, "method1", "method3", "--status")
    moving = json.loads(move(database, "method1", "method3", "--status", "--json"))
    assert (moving["phase"], moving["stage"], moving["next"]["layout"]) == ("writing both, reading new", "in step", "method3")
    assert moving["seen"] > 0 and moving["differing"] == moving["programs_behind"] == 0 and moving["locked"] is False
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
    assert json.loads(move(database, "method1", "method3", "--status", "--json"))["current"]["layout"] == "method3"
    refused = move(database, "method1", "method4", status=2)
    assert "is stored in the layout method3, not in method1" in refused
    move(database, "method3", "method1")
    move(database, "method3", "method1", "--finish", "--keep")
    assert team(database, "method1") == after


def item(database, *arguments):
    done = subprocess.run([PROGRAM, "item", *arguments, "--data", str(database)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def write_beside(database):
    """Somebody who does not know that the model moves writes to the old tables."""
    item(database, "put", "employee", '{"employee_id":"e-9","name":"Zed","department_id":"d-2"}')
    item(database, "update", "employee", "e-3", "--set", "name = 'Kate'")


def test_what_is_written_beside_the_model_is_told_before_it_would_be_lost(tmp_path):
    database = loaded(tmp_path)
    move(database, "method1", "method3")
    write_beside(database)
    item(database, "put", "department", '{"department_id":"nobody knows"}')
    assert "is looked for by --finish" in move(database, "method1", "method3", "--status")
    for _ in range(2):
        told = move(database, "method1", "method3", "--finish", status=1)
        assert "Employee e-3 has other fields in the old layout: name\n" in told
        assert "Employee e-9 is only in the old layout\n" in told
        assert "  department nobody knows\n" in told
    # Nothing was done: the way back is open, and what was written there is taken over.
    move(database, "method1", "method3", "--back")
    told = move(database, "method1", "method3")
    assert "2 differences were found after copying" in told
    assert "Employee e-3 has other fields in the new layout: name\n" in told
    assert "Employee e-9 is missing in the new layout\n" in told
    told = move(database, "method1", "method3", "--finish", status=1)
    assert "1 item of the old tables that the model does not explain" in told and "Employee" not in told
    assert "what is left of the other is nobody's now" in move(database, "method1", "method3", "--finish", "--keep")
    assert any("Zed" in each for each in team(database, "method3")) and any("Kate" in each for each in team(database, "method3"))


def test_what_is_written_beside_the_model_is_discarded_if_told_so(tmp_path):
    database = loaded(tmp_path)
    move(database, "method1", "method3")
    before = team(database, "method3")
    write_beside(database)
    assert "2 differences" in move(database, "method1", "method3", "--finish", "--keep", status=1)
    told = move(database, "method1", "method3", "--finish", "--discard")
    assert "Employee e-9 is only in the old layout\n" in told and "is removed" in told
    assert team(database, "method3") == before


def test_programs_are_told_what_was_done(tmp_path):
    database = loaded(tmp_path)

    def told(*options, status=0):
        done = subprocess.run(
            [PROGRAM, "model", "migrate", HR, "--from", "method1", "--to", "method3", "--data", database, "--json", *options],
            capture_output=True, text=True, timeout=300,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return json.loads(done.stdout)

    moved = told()
    assert (moved["done"], moved["phase"], moved["stage"], moved["next"]["layout"]) == (True, "writing both, reading new", "in step", "method3")
    assert moved["seen"] == 48 and moved["changed"] == 6 and moved["differing"] == 0 and "compared" not in moved
    assert {**told("--status"), "done": True} == moved
    back = told("--back")
    assert back["done"] is True and back["phase"] == "writing both, reading old" and back["stage"] == "comparing old with new"
    assert back["compared"]["seen"] > 20 and back["compared"]["differing"] == 0 and "left_over" not in back
    told()
    write_beside(database)
    item(database, "put", "department", '{"department_id":"nobody knows"}')
    refused = told("--finish", status=1)
    assert refused["done"] is False and refused["phase"] == "writing both, reading new"
    assert refused["compared"]["differing"] == 2 and "Employee e-9 is only in the old layout" in refused["compared"]["differences"]
    assert refused["compared"]["unexplained"] == 1 and refused["compared"]["unexplained_items"] == ["department nobody knows"]
    finished = told("--finish", "--discard", "--keep")
    assert (finished["done"], finished["phase"], finished["left_over"]) == (True, "one", "kept")
    assert finished["compared"]["differing"] == 2 and finished["current"]["layout"] == "method3" and "next" not in finished
    # Taken back to the end, and applied where it is.
    back = ("migrate", HR, "--from", "method3", "--to", "method4", "--data", database, "--json")
    assert json.loads(sheaf(*back))["done"] is True
    assert json.loads(sheaf(*back, "--back", "--discard")).keys().isdisjoint({"compared", "left_over"})
    ended = json.loads(sheaf(*back, "--back"))
    assert (ended["left_over"], ended["current"]["layout"], ended["compared"]["differing"]) == ("removed", "method3", 0)
    assert told("--status")["phase"] == "one"
    applied = json.loads(sheaf("migrate", HR, "--from", "method3", "--to", "method3", "--data", database, "--json"))
    assert (applied["done"], applied["applied"], applied["current"]["layout"]) == (True, True, "method3")
    # Mistakes are told as they are otherwise.
    assert subprocess.run([PROGRAM, "model", *map(str, back), "--finish"], capture_output=True, text=True, timeout=60).stdout == ""


def test_the_way_back_tells_what_it_leaves_behind(tmp_path):
    database = loaded(tmp_path)
    before = team(database, "method1")
    move(database, "method1", "method3")
    item(database, "put", "entity", '{"pk":"nobody","sk":"knows"}')
    told = move(database, "method1", "method3", "--back")
    assert "1 item of the new tables that the model does not explain; what is there is no longer read:\n  entity nobody / knows\n" in told
    assert "is read again" in told and "difference" not in told
    move(database, "method1", "method3")
    item(database, "update", "entity", "e-3", "__root__", "--set", "name = 'Kate'")
    told = move(database, "method1", "method3", "--back")
    assert "1 difference between the layouts; what the new one says otherwise is no longer read:\n  Employee e-3 has other fields in the new layout: name\n" in told
    assert "what is there is lost:\n  entity nobody / knows\n" in move(database, "method1", "method3", "--back")
    assert team(database, "method1") == before
    # Who is in need does not look.
    move(database, "method1", "method3")
    item(database, "put", "entity", '{"pk":"nobody","sk":"knows"}')
    for _ in range(2):
        assert "what is there" not in move(database, "method1", "method3", "--back", "--discard")


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


CHANGED = """model chg {
  entity T { id id; name; n int; st enum(A, B, C); tags list<string> max 10 }
  entity P { id id; email; t string? }
  rel T 1--* P as ps / tt { size avg 5 max 50 }
  pattern t(t: T) = $t { *, ps }
}"""
CHANGED_DATA = {
    "T": [{"id": "1", "name": "x", "n": 5, "st": "C", "tags": ["a"]}, {"id": "2", "name": "5", "n": 6, "st": "A", "tags": []}],
    "P": [{"id": "p1", "email": "same@x", "tt": "1"}, {"id": "p2", "email": "same@x", "tt": "1"}, {"id": "p3", "email": "o@x"}],
}


class Changed:
    """A model of which one thing is to be another, on data."""

    def __init__(self, directory, was, becomes):
        self.old, self.new, self.database = directory / "old.sheaf", directory / "new.sheaf", directory / "db"
        assert was in CHANGED
        self.old.write_text(CHANGED)
        self.new.write_text(CHANGED.replace(was, becomes))
        data = directory / "data.json"
        data.write_text(json.dumps(CHANGED_DATA))
        sheaf("load", self.old, data, "--data", self.database)

    def migrate(self, *options, status=0):
        return sheaf("migrate", self.old, self.new, "--data", self.database, *options, status=status)

    def run(self, *call, model=None, status=0):
        return sheaf("run", model or self.old, *call, "--data", self.database, status=status)


@pytest.mark.parametrize(
    "was, becomes, told",
    [
        ("n int", "n string", "T.n has another type: int becomes string"),
        ("n int;", "n int; extra string;", "T.extra is new and must be there"),
        ("name;", "", "there is no way back"),
        ("enum(A, B, C)", "enum(A, B)", "T.st can be C, and cannot in the new model"),
        ("list<string>", "list<int>", "T.tags has another type"),
        ("email;", "email unique;", "P p1 and P p2 both have the email same@x"),
        ("email;", "email max 3;", "P p1: the field email has 6 bytes, more than its max 3"),
        ("{ size", "{ required; size", "P.tt can be missing, and must be there in the new model"),
    ],
)
def test_what_the_plan_refuses_is_refused(tmp_path, was, becomes, told):
    changed = Changed(tmp_path, was, becomes)
    assert told in changed.migrate("--plan", status=1)
    assert told in changed.migrate(status=2)
    # Nothing was begun, and nobody is kept from writing.
    assert "was never moved" in changed.migrate("--status")
    changed.run("put.P", '{"id":"p4","email":"same@x"}')
    assert "0 findings" in sheaf("audit", changed.old, "--data", changed.database)


@pytest.mark.parametrize("was, becomes", [("enum(A, B, C)", "enum(A, B, C, D)"), ("name;", "name string?;")])
def test_what_takes_more_is_applied_where_it_is(tmp_path, was, becomes):
    changed = Changed(tmp_path, was, becomes)
    assert "no item has to move" in changed.migrate("--plan")
    assert "no item has to move" in changed.migrate()
    assert "0 findings" in sheaf("audit", changed.new, "--data", changed.database)


def test_what_becomes_unique_or_counted_is_moved(tmp_path):
    changed = Changed(tmp_path, "n int;", "n int; c int = count(ps);")
    changed.new.write_text(changed.new.read_text().replace("email;", "email unique;"))
    changed.run("set.P", "p2", '{"email":"mine@x"}')
    plan = json.loads(changed.migrate("--plan", "--json"))
    assert plan["moves"] is True and plan["model"] == ["T.c is new, and is counted", "P.email becomes unique"]
    changed.migrate()
    changed.migrate("--finish")
    assert "0 findings" in sheaf("audit", changed.new, "--data", changed.database)
    assert json.loads(changed.run("t", "1", model=changed.new))["c"] == 2
    refused = changed.run("put.P", '{"id":"p4","email":"same@x"}', model=changed.new, status=2)
    assert "there is already a P with the email same@x" in refused


def test_a_name_that_is_mistyped_loses_nothing(tmp_path):
    changed = Changed(tmp_path, "t string?", "u string?")
    told = "the old model has no P.tz; perhaps P.t is meant"
    for options in (["--plan"], []):
        assert told in changed.migrate("--rename", "P.tz=u", *options, status=2)
    assert "the new model has no P.x" in changed.migrate("--rename", "P.t=x", status=2)
    changed.run("set.P", "p1", '{"t":"kept"}')
    changed.migrate("--rename", "P.t=u")
    changed.migrate("--finish")
    assert '"kept"' in changed.run("t", "1", model=changed.new)


def test_wrong_use_is_told(tmp_path):
    database = loaded(tmp_path)
    assert "--rename takes OLD=NEW, not x" in move(database, "method1", "method3", "--rename", "x", status=2)
    assert "has no layout none" in move(database, "method1", "none", status=2)
    assert "--discard goes with --finish or --back" in move(database, "method1", "method3", "--discard", status=2)
    assert "--keep goes with --finish or --back" in move(database, "method1", "method3", "--keep", status=2)
    other = ROOT / "models/shop/model.sheaf"
    refused = sheaf("migrate", HR, other, "--from", "method1", "--data", database, status=2)
    assert "a model that moves keeps its name" in refused
    assert "give the new one another name" in move(database, "method1", "method2", "--table", "employee=employee", status=2)
