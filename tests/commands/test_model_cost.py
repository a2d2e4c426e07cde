"""sheaf model cost: monthly bills."""

import gzip
import json
import os
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"
SECONDS = 730 * 3600


def sheaf(*arguments):
    return subprocess.run(
        [PROGRAM, "model", "cost", *map(str, arguments)], capture_output=True, text=True, timeout=120
    )


def report(*arguments):
    done = sheaf(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def bill(layout, mode):
    return next(each for each in layout["bills"] if each["mode"] == mode)


def test_a_bill_is_units_times_rate_times_price():
    layout = report(HR, "--layout", "method1", "--rate", "home=100/s")["layouts"][0]
    home = next(each for each in layout["work"] if each["name"] == "home")
    # Two GetItems of small items, eventually consistent, whatever the data is.
    assert home["rate"] == "100/s" and home["runs"] == 20
    assert home["units_a_run"] == [
        {"table": "department", "reads": "0.5", "writes": "0"},
        {"table": "employee", "reads": "0.5", "writes": "0"},
    ]
    lines = [each for each in bill(layout, "on_demand")["lines"] if each.get("work") == "home"]
    assert sum(Decimal(each["amount"]) for each in lines) == Decimal(100 * SECONDS) * Decimal("0.125") / 1000000
    assert home["a_million_runs"] == "0.125000"


def test_every_total_is_the_sum_of_its_lines():
    for layout in report(HR, "--compare", "--rate", "team=7/min", "--rate", "hire=3/h", "--recovery", "--backups", 2,
                         "--stream-reads", "4/s", "--peak", "2.5")["layouts"]:
        for each in layout["bills"]:
            assert sum(Decimal(line["amount"]) for line in each["lines"]) == Decimal(each["total"])


def test_strategies_of_a_relation_are_priced_and_the_cheapest_is_the_first():
    told = report(HR, "--relation", "Department.staff", "--layout", "method1", "--count", "Employee=200", "--rate",
                  "team=100/s", "--rate", "home=50/s", "--rate", "hire=1/min")
    totals = [Decimal(bill(each, "on_demand")["total"]) for each in told["layouts"] if not each.get("unserved")]
    assert len(totals) > 5 and totals == sorted(totals) and totals[0] < totals[-1]
    names = [each["layout"] for each in told["layouts"]]
    assert len(set(names)) == len(names) and all(name.startswith("Department.staff via ") for name in names)
    # Each has the same patterns and operations, and so many runs of them as the others.
    asked = {tuple((each["name"], each["rate"]) for each in layout["work"] if "rate" in each) for layout in told["layouts"]}
    assert len(asked) == 1
    # The layout's own way costs what it costs where nothing is compared.
    own = report(HR, "--layout", "method1", "--count", "Employee=200", "--rate", "team=100/s", "--rate", "home=50/s",
                 "--rate", "hire=1/min")["layouts"][0]
    same = next(each for each in told["layouts"] if each["layout"] == "Department.staff via index")
    assert [line["amount"] for line in bill(same, "on_demand")["lines"] if line["what"] == "reads"] == [
        line["amount"] for line in bill(own, "on_demand")["lines"] if line["what"] == "reads"]


def test_there_is_no_price_of_a_relation_that_there_is_not():
    done = sheaf(HR, "--relation", "Department.stuff")
    assert done.returncode == 2 and "there is no relation Department.stuff; there are Department.staff" in done.stderr


def test_rates_of_the_model_count_and_others_are_named():
    done = sheaf(HR)
    assert done.returncode == 0, done.stderr
    assert "op       move     5/day" in done.stdout
    assert "no rate, so not in the bill: teamIds, team, home, hire (--rate NAME=5/s)" in done.stdout
    raised = report(HR, "--rate", "move=50/day")["layouts"][0]
    assert next(each for each in raised["work"] if each["name"] == "move")["rate"] == "50/day"


# A12: what an index costs is in the bill, by itself.
def test_an_index_has_its_own_lines():
    layout = report(HR, "--layout", "method1", "--rate", "hire=1/s")["layouts"][0]
    lines = bill(layout, "on_demand")["lines"]
    by_department = [each for each in lines if each.get("index") == "by_department"]
    assert {each["what"] for each in by_department} == {"writes", "storage"}
    # hire puts one entry of less than 1 KB: one unit a run.
    hire = next(each for each in by_department if each.get("work") == "hire")
    assert hire["quantity"] == str(SECONDS) and hire["amount"] == "1.642500"


def test_layouts_stand_side_by_side():
    done = sheaf(HR, "--compare", "--rate", "team=100/s")
    assert done.returncode == 0, done.stderr
    heading = next(line for line in done.stdout.splitlines() if line.startswith("USD a month"))
    assert heading.split()[3:] == ["default", "method1", "method2", "method3", "method4"]
    assert "total on demand" in done.stdout and "total provisioned" in done.stdout


def test_what_is_loaded_whole_is_measured_and_what_is_not_is_estimated():
    whole = report(HR, "--layout", "method1", "--count", "Employee=400")["layouts"][0]["stored"]
    assert {each["how"] for each in whole} == {"measured"}
    assert all(each["bytes"] == each["bytes_loaded"] for each in whole)
    made = report(HR, "--layout", "method1", "--count", "Employee=400000", "--sample", "2000")
    assert "a sample of" in made["measured_on"]
    employee = next(each for each in made["layouts"][0]["stored"] if each["table"] == "employee" and "index" not in each)
    assert employee["how"] == "estimated" and employee["items"] == 400000
    # What the model keeps for itself does not grow with the data, if that needs no guards.
    own = next(each for each in made["layouts"][0]["stored"] if each["table"] == "hr-sheaf")
    assert own["items"] == own["items_loaded"] < 10
    # By the bytes of an item, which are about the same in both.
    small = next(each for each in whole if each["table"] == "employee" and "index" not in each)
    assert small["items"] == 400
    assert abs(employee["bytes"] / 400000 - small["bytes"] / 400) < 0.1 * small["bytes"] / 400


def test_data_is_told_by_what_it_is_and_not_by_its_name(tmp_path):
    whole = json.loads((ROOT / "models/hr/data.json").read_text())
    lines = "".join(json.dumps({kind: [each]}) + "\n" for kind, all_of_it in whole.items() if kind != "links" for each in all_of_it)
    lines += json.dumps({"links": whole["links"]}) + "\n" if "links" in whole else ""
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(lines.encode()))
    answers = ROOT / "models/hr/answers.json"
    made = report(HR, "--layout", "method4", "--data", packed, "--answers", answers)
    known = report(HR, "--layout", "method4", "--data", ROOT / "models/hr/data.json")
    assert made["measured_on"] == str(packed)
    assert made["layouts"][0]["stored"] == known["layouts"][0]["stored"]


def test_data_from_a_file_is_asked_what_is_beside_it():
    made = report(HR, "--layout", "method4", "--data", ROOT / "models/hr/data.json")
    layout = made["layouts"][0]
    assert made["measured_on"].endswith("models/hr/data.json")
    items = {(each["table"], each.get("index")): each["items"] for each in layout["stored"]}
    assert items[("entity", None)] == 17 and items[("entity", "relationship")] == 10
    assert {"team", "hire", "link.Employee.manager"} <= {each["name"] for each in layout["work"]}


THINGS = """model things {
  entity Thing { id id; name }
  entity Part within thing { id id; name }
  rel Thing 1--* Part as parts / thing { size avg 3 max 9; on delete restrict }
  pattern parts(t: Thing) = $t + parts
  op add(t: Thing) = put $t
  op remove(t: Thing) = delete $t
}
"""


def test_what_is_refused_is_billed_as_what_it_takes_and_told(tmp_path):
    model, data, answers = tmp_path / "things.sheaf", tmp_path / "data.json", tmp_path / "answers.json"
    model.write_text(THINGS)
    data.write_text(json.dumps({"Thing": [{"id": "t1", "name": "x" * 2500}], "Part": [{"thing": "t1", "id": "p", "name": "n"}]}))
    calls = [("add", {"id": "t1", "name": "a"}), ("add", {"id": "t2", "name": "a"}), ("remove", "t1")]
    answers.write_text(json.dumps([{"do": name, "with": [argument]} for name, argument in calls]))
    arguments = [model, "--data", data, "--answers", answers, "--rate", "add=1/s", "--rate", "remove=1/s"]
    add, remove = report(*arguments)["layouts"][0]["work"]
    # A condition that fails costs what is there, 3 KB; what is put is 1 KB.
    assert add["units_a_run"] == [{"table": "things", "reads": "0", "writes": "2"}]
    assert (add["runs"], add["tried"], add["refused"], add["refusal"]) == (2, 2, 1, "there is already a Thing t1")
    assert remove["refused"] == remove["tried"] == 1 and remove["units_a_run"]
    told = sheaf(*arguments).stdout
    assert "\nadd: 1 of 2 runs were refused: there is already a Thing t1\n" in told
    assert "\nremove was refused each time, and only that is in the bill: " in told


def test_prices_can_be_replaced(tmp_path):
    prices = json.loads(sheaf("--example-prices").stdout)
    prices.update(region="mars-1", currency="MRK")
    prices["standard"]["read_per_million"] = 1000
    file = tmp_path / "prices.json"
    file.write_text(json.dumps(prices))
    made = report(HR, "--layout", "method1", "--rate", "home=100/s", "--prices", file)
    assert made["prices"]["region"] == "mars-1"
    lines = [each for each in bill(made["layouts"][0], "on_demand")["lines"] if each.get("work") == "home"]
    assert sum(Decimal(each["amount"]) for each in lines) == 100 * SECONDS // 1000
    assert "MRK a month" in sheaf(HR, "--prices", file).stdout


def test_the_infrequent_class_costs_more_to_read_and_less_to_store():
    standard, rare = (
        bill(report(HR, "--layout", "method1", "--rate", "home=100/s", "--class", each)["layouts"][0], "on_demand")
        for each in ["standard", "ia"]
    )

    def of(made, what):
        return sum(Decimal(line["amount"]) for line in made["lines"] if line["what"] == what)

    assert of(rare, "reads") == of(standard, "reads") / Decimal("0.125") * Decimal("0.155")
    assert of(rare, "storage") < of(standard, "storage")


def test_capacity_follows_the_peak_or_is_given():
    common = [HR, "--layout", "method1", "--rate", "home=100/s"]

    def capacity(*more):
        made = bill(report(*common, *more)["layouts"][0], "provisioned")
        return next(each for each in made["capacity"] if each["table"] == "employee" and "index" not in each), made

    assert capacity()[0]["reads"] == 72  # 50 a second at 70 %
    assert capacity("--utilisation", 100)[0]["reads"] == 50
    assert capacity("--peak", 3, "--utilisation", 100)[0]["reads"] == 150
    given, made = capacity("--capacity", "employee=49/5")
    assert (given["reads"], given["writes"]) == (49, 5)
    assert made["warnings"] == ["employee has 49 units for reads, and the peak takes 50 a second: it would be throttled"]


@pytest.mark.parametrize(
    "wrong, why",
    [
        (["--rate", "team"], "--rate takes NAME=RATE"),
        (["--rate", "teams=5/s"], "there is no pattern or operation teams"),
        (["--rate", "team=5"], "a rate is like 1000/s"),
        (["--peak", "0"], "--peak takes a number"),
        (["--peak", "-1"], "--peak takes a number"),
        (["--utilisation", "0"], "--utilisation"),
        (["--utilisation", "101"], "--utilisation"),
        (["--capacity", "employee=5"], "--capacity takes TABLE=READS/WRITES"),
        (["--capacity", "employee=0/5"], "--capacity takes TABLE=READS/WRITES"),
        (["--capacity", "nowhere=5/5"], "there is no table or index nowhere"),
        (["--prices", "/nowhere"], "/nowhere"),
        (["--data", "/nowhere"], "/nowhere"),
        (["--answers", "x.json"], "--answers requires --data"),
        (["--data", "x.json", "--seed", "2"], "--data"),
        (["--layout", "method9"], "has no layout method9"),
        (["--layout", "method1", "--compare"], "--layout"),
        (["--rate", "team=1e18/s"], "too large for a bill"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, why):
    done = sheaf(HR, *wrong)
    assert done.returncode != 0 and why in done.stderr, (done.returncode, done.stderr)
    assert done.stdout == ""


def test_prices_that_are_wrong_are_refused_with_their_place(tmp_path):
    file = tmp_path / "prices.json"
    prices = json.loads(sheaf("--example-prices").stdout)
    prices["standard"]["storage_gb_month"] = "cheap"
    file.write_text(json.dumps(prices))
    done = sheaf(HR, "--prices", file)
    assert done.returncode == 2
    assert "prices.json: $.standard.storage_gb_month: this must be a price" in done.stderr
    for text, said in [("cheap", "it begins with neither { nor ["), ('{"standard": 1,\n}', "it goes wrong at line 2, column 1"), ("", "it is empty")]:
        file.write_text(text)
        done = sheaf(HR, "--prices", file)
        assert done.returncode == 2 and done.stderr.endswith(f"prices.json: $: this is no JSON: {said}\n"), done.stderr


def test_every_example_has_a_bill_in_every_layout():
    for model in sorted((ROOT / "models").glob("*/model.sheaf")):
        made = report(model, "--compare", "--sample", "300", "--runs", "3")
        assert made["layouts"], model
        for layout in made["layouts"]:
            assert layout["stored"] and len(layout["bills"]) == 2, (model, layout["layout"])


# A20: bytes and items of item collections are known.
def test_the_largest_item_collection_is_told():
    stored = report(HR, "--layout", "method4", "--data", ROOT / "models/hr/data.json")["layouts"][0]["stored"]
    relationship = next(each for each in stored if each.get("index") == "relationship")
    # Three of the five employees are in one department.
    assert relationship["largest_collection"]["key"] == '"d-2_d-e-relationship"'
    assert relationship["largest_collection"]["items"] == 3
