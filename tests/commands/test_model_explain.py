"""sheaf model explain: plans beside runs, and budgets that fail a build."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"
POSTS = ROOT / "models/posts/model.sheaf"
SHOP = """model shop {
  table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
  entity Customer { id id; name; key "CUSTOMER#<id>" / "A" }
  entity Order { id id; total int; key "ORDER#<id>" / "A"; index GSI1 "CUSTOMER#<customer.id>" / "ORDER#<id>" }
  rel Customer 1--* Order as orders / customer { required; size max 50; via index on GSI1 }
  pattern order(o: Order) = $o { *, customer } budget BUDGET requests
}
"""


def run(command, *arguments):
    return subprocess.run([PROGRAM, "model", command, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def sheaf(*arguments):
    return run("explain", *arguments)


@pytest.fixture
def shop(tmp_path):
    def made(budget):
        file = tmp_path / "shop.sheaf"
        file.write_text(SHOP.replace("BUDGET", str(budget)))
        return file

    return made


def test_a_budget_that_a_plan_keeps_passes_and_one_less_fails(shop):
    done = sheaf(shop(2))
    assert done.returncode == 0 and "over-budget" not in done.stdout, done.stdout
    done = sheaf(shop(1))
    assert done.returncode == 1 and done.stderr == ""
    assert "shop.sheaf:6:48: error: order takes 2 requests, and its budget is 1 [over-budget]" in done.stdout
    assert "= with rel Customer.orders via index on GSI1 copy customer(*) it takes 1 request" in done.stdout


def test_a_budget_that_a_run_exceeds_fails():
    assert sheaf(POSTS).returncode == 0
    done = sheaf(POSTS, "newest", "--run", "--scale", "0.1")
    assert done.returncode == 1
    assert re.search(r"error: newest takes \d+ requests in one of 20 runs, and its budget is 1 \[over-budget-run\]", done.stdout)


def test_requests_have_their_keys_units_and_consistency():
    done = sheaf(HR, "home", "--layout", "method1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "home(e): 2 requests, 2 rounds, about 1 unit, eventual; budget 2 requests\n"
        "  1. GetItem: Employee\n"
        '     employee, employee_id = "<id>": 1 call, 1 item, 0.5 units\n'
        "  2. GetItem: department\n"
        '     department, department_id = "<id>": 1 call, 1 item, 0.5 units\n'
        "  2 items read, 1 entity returned\n"
        "  the fewest in this layout; 1 request with: "
        "rel Department.staff via index on by_department copy department(*)\n"
        "    but then more requests for, or no way to do: hire, move\n"
    )


def test_a_change_that_is_proposed_does_what_it_says(tmp_path):
    fewer = json.loads(sheaf(HR, "home", "--layout", "method1", "--format", "json").stdout)["patterns"][0]["fewer"]
    text = HR.read_text().rstrip().removesuffix("}")
    file = tmp_path / "model.sheaf"
    file.write_text(text + f"  layout changed extends method1 {{ {fewer['change']} }}\n}}\n")
    plan = run("plan", file, "home", "--layout", "changed")
    assert plan.returncode == 0 and plan.stdout.startswith(f"home(e): {fewer['requests']} request,"), plan


def test_changes_that_save_a_request_only_together_are_proposed_together(tmp_path):
    text = """model two {
  entity Author { id id; name changes rarely }
  entity Shop { id id; city changes rarely }
  entity Book { id id; title }
  rel Author 1--* Book as books / author { required; size max 50 }
  rel Shop 1--* Book as stock / shop { required; size max 50 }
  pattern book(b: Book) = $b { *, author { name }, shop { city } } budget 1 request
  pattern books(a: Author) = $a.books
  pattern stock(s: Shop) = $s.stock
"""
    file = tmp_path / "two.sheaf"
    file.write_text(text + "}\n")
    told = sheaf(file, "book")
    assert told.returncode == 1 and "1 request with these together:\n    rel Author.books via " in told.stdout, told
    assert re.search(r"= with rel Author\.books .* and rel Shop\.stock .* it takes 1 request; or raise", told.stdout)
    fewer = json.loads(sheaf(file, "book", "--format", "json").stdout)["patterns"][0]["fewer"]
    assert len(fewer["changes"]) == 2 and fewer["change"] == " ".join(fewer["changes"])
    file.write_text(text + f"  layout changed {{ {fewer['change']} }}\n}}\n")
    assert "book(b): 1 request," in run("plan", file, "book", "--layout", "changed").stdout


# What is not known is not claimed.
def test_where_nothing_saves_a_request_it_is_told_what_was_tried():
    told = sheaf(ROOT / "models/catalogue/model.sheaf", "replace")
    assert "these are the fewest" not in told.stdout
    assert re.search(r"the fewest in this layout; (no fewer found with|there was no other way)", told.stdout), told.stdout


# A11: what comes from an index is eventual; what is strong never uses one.
def test_consistency_is_told():
    made = json.loads(sheaf(ROOT / "models/repo_ids/model.sheaf", "--format", "json").stdout)
    assert json.loads(sheaf(ROOT / "models/repo_ids/model.sheaf", "--json").stdout) == made
    strong = [each for each in made["patterns"] if each["consistency"] == "strong"]
    assert strong and all("." not in step["view"] for each in strong for step in each["requests"])
    made = json.loads(sheaf(HR, "team", "--layout", "method1", "--format", "json").stdout)["patterns"][0]
    assert made["consistency"] == "eventual" and made["requests"][0]["view"] == "employee.by_department"


def test_a_run_is_told_beside_its_plan():
    made = json.loads(sheaf(HR, "--layout", "method4", "--run", "--runs", "5", "--format", "json").stdout)
    home = next(each for each in made["patterns"] if each["name"] == "home")
    assert home["actual"]["runs"] == 5
    assert home["actual"]["mean"] == home["planned"] == {"requests": 2, "rounds": 2, "units": 1}
    assert home["actual"]["items_returned"] == 1 and home["actual"]["items_read"] == 2
    hire = next(each for each in made["operations"] if each["name"] == "hire")
    # A12: with what the index takes, in the plan, too.
    assert hire["actual"]["write_units"] == hire["planned"]["units"] == 7


def test_a_run_on_data_from_a_file():
    done = sheaf(HR, "team", "--run", "--data", ROOT / "models/hr/data.json")
    assert done.returncode == 0, done.stderr
    assert "run on: " in done.stdout and "models/hr/data.json" in done.stdout and "  3 runs\n" in done.stdout


def test_findings_as_sarif_and_junit(shop):
    sarif = sheaf(shop(1), "--format", "sarif")
    assert sarif.returncode == 1
    result = json.loads(sarif.stdout)["runs"][0]["results"][0]
    assert result["ruleId"] == "over-budget" and result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 6
    junit = sheaf(shop(1), "--format", "junit")
    assert junit.returncode == 1
    failed = xml.etree.ElementTree.fromstring(junit.stdout).find(".//testcase[failure]")
    assert failed.get("name") == "over-budget"
    assert failed.get("classname").endswith("shop.sheaf order"), "which of them broke"
    for form in ["sarif", "junit"]:
        assert sheaf(shop(2), "--format", form).returncode == 0


def test_a_list_that_is_cut_takes_what_its_plan_says(tmp_path):
    file = tmp_path / "cut.sheaf"
    file.write_text("""model pg {
  entity A { id id; n }
  entity B { id id; n }
  rel A *--* B as bs / as { size of bs avg 150 max 2000; size of as max 2000 }
  pattern page(a: A) = $a.bs page 100 { n } budget 2 requests
  pattern cut(a: A) = $a.bs limit 100 { n } budget 2 requests
  pattern nested(a: A) = $a { n, bs limit 100 { n } } budget 3 requests
}
""")
    assert run("check", file).returncode == 0
    done = sheaf(file, "--run", "--count", "A=5", "--count", "B=600")
    assert done.returncode == 0, done.stdout
    assert len(re.findall(r"requests +(\d+) +\1 +\1\n", done.stdout)) == 3, done.stdout


def test_children_in_an_item_count(tmp_path):
    file = tmp_path / "embedded.sheaf"
    file.write_text("""model m {
  entity P { id id; name }
  entity K within p { no id int; body }
  rel P 1--* K as ks / p { required; size avg 200 max 250; on delete cascade; via embed }
  pattern one(p: P) = $p + ks budget 1 units
}
""")
    done = run("check", file)
    assert done.returncode == 1 and "one takes 12.5 units" in done.stderr + done.stdout, done


def test_an_order_that_no_key_has_is_told_as_a_sort_key(tmp_path):
    file = tmp_path / "sorted.sheaf"
    text = """model shop {
  entity Customer { id id; name }
  entity Order { id id ulid; placed time immutable; total number }
  rel Customer 1--* Order as orders / customer { required; size max 3000; on delete cascade }
  pattern orders(c: Customer) = $c.orders order placed desc page 20
}
"""
    file.write_text(text)
    change = re.search("1 request with: (.*)\n", sheaf(file, "orders").stdout)[1]
    assert '/ "ORDER#<placed>#<id>"' in change
    file.write_text(text.replace("\n}\n", "\n  layout sorted { " + change + " }\n}\n"))
    assert "orders(c): 1 request, 1 round, about 1 unit," in sheaf(file, "orders", "--layout", "sorted").stdout


def test_what_a_layout_cannot_do_is_told_and_does_not_fail():
    for model in sorted((ROOT / "models").glob("*/model.sheaf")):
        layouts = re.findall(r"^  layout (\w+)", model.read_text(), re.M)
        for layout in ["default", *layouts]:
            done = sheaf(model, "--layout", layout, "--format", "json")
            made = json.loads(done.stdout)
            errors = [each for each in made["findings"] if each["severity"] == "error"]
            assert done.returncode == (1 if errors else 0), (model, layout, done.stdout)
            refused = [each for each in made["patterns"] + made["operations"] if "refusal" in each]
            notes = [each for each in made["findings"] if each["id"] == "unserved"]
            assert len(notes) == len(refused), (model, layout)


def test_what_makes_no_sense_is_refused(tmp_path):
    for wrong, why in [
        (["nothing"], "there is no pattern or operation nothing"),
        (["--layout", "nothing"], "has no layout nothing"),
        (["--format", "xml"], "--format"),
        (["--seed", "3"], "--seed requires --run"),
        (["--run", "--runs", "0"], "--runs"),
        (["--run", "--count", "Employee=5", "--data", "x"], "--data"),
        (["--run", "--data", "/nowhere"], "/nowhere"),
    ]:
        done = sheaf(HR, *wrong)
        assert done.returncode != 0 and why in done.stderr, (wrong, done.stderr)
        assert done.stdout == ""
    file = tmp_path / "wrong.sheaf"
    file.write_text("model m { pattern p(u: User) = $u }")
    told = sheaf(file, "--json")
    assert told.returncode == 1 and told.stdout == run("check", file, "--json").stdout and json.loads(told.stdout)
    unknown = tmp_path / "unknown.sheaf"
    unknown.write_text("model m { entity A { id id } rel B 1--* A as a / b }")
    assert run("advise", unknown, "--json").stdout == run("check", unknown, "--json").stdout
    done = sheaf(file)
    assert done.returncode == 1 and "there is no entity" in done.stderr
