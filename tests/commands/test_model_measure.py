"""sheaf model measure, and sheaf model claims."""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"
ORDER = ROOT / "models/order/model.sheaf"
SMALL = ["--count", "Department=4", "--count", "Employee=40", "--runs", "4"]


def sheaf(*arguments):
    return subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def measured(*arguments):
    done = sheaf("measure", *arguments, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def subject(layout, name):
    return next(each for each in layout["subjects"] if each["name"] == name)


def test_what_the_model_compares_is_measured_and_answers_alike():
    told = measured(HR, *SMALL)
    assert [each["name"] for each in told["layouts"]][0] == "method1"
    assert {each["name"] for each in told["layouts"]} == {"method1", "method2", "method3", "method4"}
    assert told["differences"] == [] and told["answers_compared"] > 100
    by_name = {each["name"]: each for each in told["layouts"]}
    assert subject(by_name["method1"], "home")["requests"] == 2
    assert subject(by_name["method2"], "home")["requests"] == 1
    # What is planned stands beside what is.
    assert subject(by_name["method1"], "home")["planned"]["requests"] == 2
    assert min(each["ratio_to_best"]["units"] for each in told["layouts"]) == 1


def test_every_strategy_for_a_relation_or_the_reason_why_not():
    told = measured(HR, "--relation", "Department.staff", *SMALL)
    names = [each["name"] for each in told["layouts"]]
    assert "Department.staff via edges pk both" in names and "Department.staff via lists" in names
    reasons = {each["name"]: each["reason"] for each in told["not_measured"]}
    assert "does not say in which Department" in reasons["Department.staff via embed map"]
    # Who cannot do everything comes last, and it is said what.
    lacking = [bool(each["unserved"]) for each in told["layouts"]]
    assert lacking == sorted(lacking) and True in lacking
    # The text of each is a model that can be taken as it is.
    done = subprocess.run([PROGRAM, "model", "check", "-"], input=told["layouts"][0]["text"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_same_but_for_time_in_memory_and_on_disk():
    def without_time(told):
        del told["store"]
        for layout in told["layouts"]:
            del layout["mix"]["latency_us"], layout["ratio_to_best"]["latency"]
            for each in layout["subjects"]:
                del each["latency_us"]
        return told

    once = without_time(measured(HR, "--layouts", "method1,method4", *SMALL))
    assert without_time(measured(HR, "--layouts", "method1,method4", *SMALL)) == once
    on_disk = without_time(measured(HR, "--layouts", "method1,method4", "--store", "rocksdb", *SMALL))
    assert on_disk == once
    assert without_time(measured(HR, "--layouts", "method1,method4", "--seed", "2", *SMALL)) != once


def test_rates_decide_who_comes_first():
    layouts = ["--layouts", "method1,method2", *SMALL]
    often_read = measured(HR, *layouts, "--rate", "home=1000/s")
    assert often_read["layouts"][0]["name"] == "method2"
    often_renamed = measured(HR, *layouts, "--rate", "rename=1000/s", "--rate", "home=1/h")
    assert often_renamed["layouts"][0]["name"] == "method1"
    assert abs(sum(often_renamed["mix"].values()) - 1) < 1e-6


def test_on_the_users_data(tmp_path):
    told = measured(HR, "--data", ROOT / "models/hr/data.json", "--runs", "5")
    stored = {each["table"]: each["items"] for each in told["layouts"][0]["stored"]}
    assert stored["employee"] == 5 and stored["department"] == 2
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress((ROOT / "models/hr/data.json").read_bytes()))
    assert measured(HR, "--data", packed, "--runs", "5")["layouts"][0]["stored"] == told["layouts"][0]["stored"]
    assert all(subject(each, "team")["items_returned"] > 0 for each in told["layouts"])


def test_data_that_is_wrong_or_missing_is_told(tmp_path):
    wrong = tmp_path / "data.json"
    wrong.write_text('{"Department": [{"id": "d-1"')
    done = sheaf("measure", HR, "--data", wrong)
    assert done.returncode == 2 and str(wrong) in done.stderr
    done = sheaf("measure", HR, "--data", tmp_path / "none.json")
    assert done.returncode == 2 and "none.json" in done.stderr


def test_a_page_with_charts(tmp_path):
    page = tmp_path / "report.html"
    done = sheaf("measure", ORDER, "--scale", "0.1", "--runs", "2", "--html", page)
    assert done.returncode == 0 and done.stdout.startswith(f"{ORDER}: 2 layouts"), done.stderr
    text = page.read_text()
    assert text.count("<svg") == 5 and "<script" not in text and "http" not in text.replace(str(ORDER), "")
    done = sheaf("measure", ORDER, "--scale", "0.1", "--runs", "2", "--html", tmp_path / "no" / "report.html")
    assert done.returncode == 2 and "cannot write" in done.stderr


def test_what_is_refused_each_time_is_told_with_the_reason(tmp_path):
    model, page = tmp_path / "shop.sheaf", tmp_path / "report.html"
    model.write_text(
        """model shop {
  entity Customer { id id; name }
  entity Order { id id; note }
  rel Customer 1--* Order as orders / customer { required; size avg 5 max 20; on delete restrict }
  pattern orders(c: Customer) = $c.orders
  op close(c: Customer) = delete $c
}"""
    )
    done = sheaf("measure", model, "--scale", "0.1", "--skew", "0", "--runs", "3", "--html", page)
    assert done.returncode == 0, done.stderr
    told = re.search(r"Refused, and in no figure:\n  (close: 3 of 3 runs were refused: .*)\n", done.stdout)
    assert told and "still has others that depend on it" in told[1]
    assert f"<li>{told[1]}</li>" in page.read_text()


def test_without_operations_what_every_model_has_is_measured(tmp_path):
    model = tmp_path / "model.sheaf"
    model.write_text(
        """model small {
  entity Team { id id; name }
  entity Member within team { id id; name }
  rel Team 1--* Member as members / team { size avg 3 max 9; on delete cascade }
  pattern members(t: Team) = $t { *, members }
}"""
    )
    told = measured(model, "--scale", "0.1", "--runs", "3")
    names = {each["name"] for each in told["layouts"]}
    assert {"Team.members via collection", "Team.members via embed map", "Team.members via index"} <= names
    assert subject(told["layouts"][0], "put.Member")["kind"] == "basic"
    assert told["differences"] == []


def test_a_difference_is_exit_status_1(tmp_path):
    # With this note the team's item has 400 KB, all but a few bytes: nobody else fits into it.
    (tmp_path / "model.sheaf").write_text(
        """model small {
  entity Team { id id; name }
  entity Member within team { id id; note }
  rel Team 1--* Member as members / team { size avg 3 max 9; on delete cascade }
  pattern members(t: Team) = $t { *, members }
  op join(m: Member) = put $m
  compare Team.members [collection, embed map]
}"""
    )
    member = {"team": "t", "id": "m", "note": "x" * 409_500}
    data = {"Team": [{"id": "t", "name": "Team"}], "Member": [member]}
    (tmp_path / "data.json").write_text(json.dumps(data))
    arguments = ["measure", tmp_path / "model.sheaf", "--data", tmp_path / "data.json", "--runs", "2"]
    done = sheaf(*arguments)
    assert done.returncode == 1, done.stderr
    assert "THEY DIFFER" in done.stdout and "DIFFERENT: Team.members via embed map: join" in done.stdout
    assert "found: refused: Item size" in done.stdout
    member["note"] = "x" * 1000
    (tmp_path / "data.json").write_text(json.dumps(data))
    assert sheaf(*arguments).returncode == 0


def test_wrong_use_is_told_with_what_there_is():
    for arguments, message in [
        (["--relation", "Department.people"], "there are Department.staff"),
        (["--layouts", "method9"], "there are default, method1"),
        (["--layouts", "method1", "--relation", "Department.staff"], "not both"),
        (["--rate", "home=often"], "NAME=5/s"),
        (["--rate", "nobody=5/s"], "nobody is none"),
    ]:
        done = sheaf("measure", HR, *SMALL, *arguments)
        assert done.returncode == 2 and message in done.stderr, (arguments, done.stderr)
    for arguments in [["--runs", "0"], ["--by", "beauty"], ["--store", "paper"]]:
        assert sheaf("measure", HR, *arguments).returncode != 0


def test_claims_are_judged():
    done = sheaf("claims", "I1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told) == 17
    verdicts = {(each["about"][:8], each["statement"][:9]): each["verdict"] for each in told}
    assert verdicts["method 1", "fetch one"] == "holds"
    assert verdicts["method 4", "fetch one"] == "contradicted"
    assert all(each["figure"] for each in told)
    text = sheaf("claims", "K10")
    assert text.returncode == 0 and "5 hold, 0 hold in part, 0 are contradicted" in text.stdout
    grid = sheaf("claims", "I1").stdout.split("\n\n")[0].splitlines()
    assert grid[0] == "What S4 says of four methods, with requests / units of one run"
    assert [each.strip() for each in grid[1].split("  ") if each] == ["reassign", "list many", "fetch one", "many relations"]
    assert [each[:8] for each in grid[2:6]] == ["method 1", "method 2", "method 3", "method 4"]
    assert re.search(r"^method 1 +easy: 1 / [0-9.]+ +easy: 1 / [0-9.]+  +medium: 2 / 1  +bad: 3 indexes$", grid[2])
    assert re.search(r"  easy: 2 / 1 !  +best: 1 index$", grid[5]) and "! is contradicted" in grid[6]
    wrong = sheaf("claims", "Z1")
    assert wrong.returncode == 2 and "I1 to I6" in wrong.stderr
