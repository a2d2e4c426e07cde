"""sheaf model lint and sheaf lint-table."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/lint/models"
NOT_FEW = CORPUS / "not_few.sheaf"
UNPREFIXED = CORPUS / "unprefixed_sort_key.sheaf"


def sheaf(*arguments, text=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=120)


def lint(*arguments, text=None):
    return sheaf("model", "lint", *arguments, text=text)


def test_a_finding_is_told_with_place_rule_point_why_and_fix():
    told = lint(NOT_FEW)
    assert told.returncode == 1 and told.stderr == ""
    assert f"{NOT_FEW}:4:59: warning: 21 addresses are embedded in one item, and 20 are few [not-few G2]\n" in told.stdout
    assert "     : All of them are read and written for one" in told.stdout
    assert "     = store them via collection" in told.stdout
    assert told.stdout.endswith("1 model, 1 finding\n")


def test_a_model_without_findings_is_fine():
    told = lint(CORPUS / "not_few_not.sheaf")
    assert (told.returncode, told.stdout) == (0, "1 model, 0 findings\n")


def test_fail_on_says_what_is_too_much():
    note = CORPUS / "index_per_relation.sheaf"
    assert lint(note).returncode == 0
    assert lint(note, "--fail-on", "note").returncode == 1
    assert lint(NOT_FEW, "--fail-on", "error").returncode == 0
    assert lint(NOT_FEW, "--fail-on", "error", "--severity", "not-few=error").returncode == 1
    assert lint(NOT_FEW, "--fail-on", "never").returncode != 0


def test_severities_and_limits_can_be_set(tmp_path):
    assert lint(NOT_FEW, "--severity", "not-few=off").returncode == 0
    assert lint(NOT_FEW, "--limit", "few=21").returncode == 0
    rules = tmp_path / "rules.json"
    rules.write_text('{"severities": {"not-few": "note"}, "limits": {"few": 5}}')
    (finding,) = json.loads(lint(NOT_FEW, "--rules", rules, "--json").stdout)
    assert finding["severity"] == "note" and "and 5 are few" in finding["message"]
    # The command line has the last word.
    assert lint(NOT_FEW, "--rules", rules, "--limit", "few=21", "--fail-on", "note").returncode == 0


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--severity", "not-fw=off"], "there is not-few"),
        (["--severity", "not-few=loud"], "off, note, warning or error"),
        (["--limit", "few=0"], "a whole number from 1 on"),
        (["--layout", "nowhere"], "has no layout nowhere"),
        (["--rules", "/nowhere.json"], "/nowhere.json"),
    ],
)
def test_wrong_use_is_told(arguments, said):
    told = lint(NOT_FEW, *arguments)
    assert told.returncode == 2 and told.stdout == "" and said in told.stderr


def test_files_that_are_not_there_and_none_at_all():
    assert lint("/nowhere.sheaf").returncode == 2
    assert lint().returncode == 2 and "--list" in lint().stderr


def test_layouts_are_looked_at_one_by_one_or_all():
    purchases = ROOT / "models/purchases/model.sheaf"
    assert lint(purchases).stdout == "1 model, 0 findings\n"
    one = json.loads(lint(purchases, "--layout", "one_way", "--json").stdout)
    assert {each["id"] for each in one} == {"one-way-collection", "child-without-parent"}
    assert {each["layout"] for each in one} == {"one_way"}
    assert json.loads(lint(purchases, "--all-layouts", "--json").stdout) == one


def test_mistakes_are_told_as_check_tells_them_and_nothing_else():
    told = lint("-", "--json", text="model m { entity A { id id; x list<string> } rel A 1--* B as bs / a }")
    assert told.returncode == 1
    (mistake,) = json.loads(told.stdout)
    assert (mistake["id"], mistake["severity"], mistake["file"]) == ("unknown-entity", "error", "-")


def test_json_of_several_files_is_one_array():
    told = json.loads(lint(NOT_FEW, UNPREFIXED, "--json").stdout)
    assert [each["file"] for each in told] == [str(NOT_FEW), str(UNPREFIXED), str(UNPREFIXED)]
    assert {"line", "column", "end_line", "end_column", "severity", "id", "points", "message", "why", "fix"} <= set(told[0])
    assert told[1]["repair"] == "begin it with ORDER#" and told[1]["notes"]


def check_sarif(log):
    """What code scanning needs: a version, a tool with rules, results that name a rule and a place."""
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] and driver["version"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"]
        assert rule["help"]["text"] and rule["help"]["markdown"]
        assert rule["defaultConfiguration"]["level"] in {"note", "warning", "error"}
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"note", "warning", "error"} and result["message"]["text"]
        assert result["locations"]
        for location in result["locations"] + result.get("relatedLocations", []):
            physical = location["physicalLocation"]
            assert physical["artifactLocation"]["uri"] and ":" not in physical["artifactLocation"]["uri"]
            region = physical["region"]
            assert 1 <= region["startLine"] <= region["endLine"] and region["startColumn"] >= 1
            assert region["startLine"] < region["endLine"] or region["startColumn"] <= region["endColumn"]
    return run["results"]


def test_sarif_of_all_models_has_the_shape_that_code_scanning_takes(tmp_path):
    path = tmp_path / "lint.sarif"
    models = sorted(ROOT.glob("models/*/model.sheaf")) + sorted(CORPUS.glob("*.sheaf"))
    told = lint(*models, "--all-layouts", "--sarif", path)
    assert told.returncode == 1
    results = check_sarif(json.loads(path.read_text()))
    assert told.stdout == f"{len(models)} models, {len(results)} findings\n"
    assert len(results) > 50
    # Printed, it is the same.
    assert lint(*models, "--all-layouts", "--sarif", "-").stdout == path.read_text()


def test_junit_has_a_case_for_each_rule_and_file(tmp_path):
    path = tmp_path / "lint.xml"
    lint(NOT_FEW, CORPUS / "index_per_relation.sheaf", "--junit", path)
    suites = xml.etree.ElementTree.parse(path).getroot()
    assert suites.get("failures") == "1"
    (failure,) = suites.iter("failure")
    assert failure.get("type") == "warning" and "21 addresses" in failure.text
    (output,) = suites.iter("system-out")
    assert "index for each of 2 relations" in output.text
    assert len(list(suites.iter("testcase"))) == int(suites.get("tests"))


def test_a_report_that_cannot_be_written_is_told():
    assert lint(NOT_FEW, "--sarif", "/nowhere/x.sarif").returncode == 2


def test_fix_mends_the_file_and_keeps_comments(tmp_path):
    path = tmp_path / "model.sheaf"
    path.write_text(UNPREFIXED.read_text())
    told = lint(path, "--fix")
    assert told.returncode == 0 and told.stdout == "1 model, 0 findings\n"
    assert "fixed: begin it with ORDER# [unprefixed-sort-key]" in told.stderr
    assert "keys have changed" in told.stderr
    after = path.read_text()
    assert '/ "ORDER#<number:00000000>";  // by its number' in after
    assert sheaf("model", "check", path).returncode == 0
    # A second time there is nothing to do.
    assert lint(path, "--fix").stderr == "" and path.read_text() == after


def test_fix_leaves_alone_what_it_cannot_mend(tmp_path):
    path = tmp_path / "model.sheaf"
    path.write_text(NOT_FEW.read_text())
    assert lint(path, "--fix").returncode == 1
    assert path.read_text() == NOT_FEW.read_text()


def test_fix_needs_a_file_in_the_language(tmp_path):
    assert lint("-", "--fix", text=NOT_FEW.read_text()).returncode == 2
    path = tmp_path / "model.json"
    path.write_text(sheaf("model", "json", UNPREFIXED).stdout)
    before = path.read_text()
    told = lint(path, "--fix")
    assert told.returncode == 2 and "is JSON" in told.stderr and path.read_text() == before


def test_rules_are_listed_and_explained():
    listed = lint("--list").stdout
    pages = {path.stem for path in (ROOT / "doc/lint").glob("*.md")}
    rules = [line.split()[0] for line in listed.split("\n\n")[0].splitlines()]
    assert pages <= set(rules)
    for rule in rules:
        page = ROOT / "doc/lint" / f"{rule}.md"
        if not page.exists():
            page = ROOT / "doc/errors" / f"{rule}.md"
        assert lint("--explain", rule).stdout == page.read_text()
    # Those of tables, which no model trips, have no page of examples.
    for rule in re.findall(r"^[\w-]+", listed.partition("Rules of sheaf lint-table:\n")[2].partition("\n\n")[0], re.M):
        assert lint("--explain", rule).stdout.startswith(f"# {rule}\n\n"), rule
    told = lint("--explain", "uneven-partition")
    assert told.returncode == 2 and "there is uneven-partitions" in told.stderr
    told = lint("--explain", "not-fw")
    assert told.returncode == 2 and "there is not-few" in told.stderr


def test_rules_are_listed_in_json():
    listed = json.loads(lint("--list", "--json").stdout)
    ids = [line.split()[0] for line in lint("--list").stdout.splitlines() if line and not line.endswith(":")]
    assert [each["id"] for each in listed["rules"]] + [each["name"] for each in listed["limits"]] == ids
    assert {each["of"] for each in listed["rules"]} == {"model", "table"}
    assert {"name": "partition-values", "value": 100} == {name: each[name] for each in listed["limits"] if each["name"] == "partition-values" for name in ("name", "value")}


def test_the_document_names_every_rule_and_limit():
    text = (ROOT / "doc/lint.md").read_text()
    for line in lint("--list").stdout.splitlines():
        name = line.split(" ")[0]
        if name and not line.endswith(":"):
            assert f"`{name}`" in text, name


# --- Tables


def load(directory, model, data, layout="default"):
    told = sheaf("model", "load", model, data, "--layout", layout, "--data", directory)
    assert told.returncode == 0, told.stderr


def test_a_table_whose_items_have_one_partition_key_is_found(tmp_path):
    model = tmp_path / "model.sheaf"
    model.write_text(
        'model shop { table products { pk PK; sk SK; tag Type } entity Product { id id; name; key "PRODUCT" / "<id>" } }'
    )
    data = tmp_path / "data.json"
    data.write_text(json.dumps({"Product": [{"id": f"p{i}", "name": "x"} for i in range(150)]}))
    load(tmp_path / "data", model, data)
    told = sheaf("lint-table", "products", "--data", tmp_path / "data")
    assert told.returncode == 1
    assert "table products: 150 items read, 100 % of the table" in told.stderr
    assert "table products: warning: all 150 items have one partition key, PRODUCT [constant-partition H1 G10]" in told.stdout
    some = sheaf("lint-table", "products", "--data", tmp_path / "data", "--items", "120", "--json")
    assert "of the table" in some.stderr and " 100 % of the table" not in some.stderr
    (finding,) = json.loads(some.stdout)
    assert finding["subject"] == "table products" and finding["id"] == "constant-partition"
    sarif = json.loads(sheaf("lint-table", "products", "--data", tmp_path / "data", "--sarif", "-").stdout)
    assert sarif["runs"][0]["results"][0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "table products"


def test_items_and_indexes_of_a_table_are_looked_at(tmp_path):
    model, data = tmp_path / "model.sheaf", tmp_path / "data.json"
    model.write_text(
        "model log { table log { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK; gsi GSI2 GSI2PK / GSI2SK } "
        "entity Page { id id string max 900; text string max 390000; tags list<string> max 300; "
        'key "PAGE#<id>" / "PAGE#<id>"; index GSI1 "ALL" / "PAGE#<id>" } }'
    )
    pages = [{"id": f"p{i}", "text": "x", "tags": []} for i in range(120)]
    pages[7]["text"] = "x" * 340000
    pages[8]["tags"] = [str(i) for i in range(101)]
    pages[9]["id"] = "y" * 830
    data.write_text(json.dumps({"Page": pages}))
    load(tmp_path / "data", model, data)
    told = sheaf("lint-table", "log", "--data", tmp_path / "data", "--json")
    assert told.returncode == 1, told.stderr
    found = {each["id"]: each["message"] for each in json.loads(told.stdout)}
    assert found["large-item"] == "items come near 400 KB: PAGE#p7, PAGE#p7 has 332 KB"
    assert found["unbounded-field"] == "lists in items have more than 100 entries: tags of PAGE#p8, PAGE#p8 has 101"
    assert "835 bytes, and 1024 is the limit" in found["long-sort-key"]
    assert found["constant-partition"] == "all 120 items that were seen in the index GSI1 have one partition key, ALL"
    assert found["unused-index"].startswith("the index GSI2 holds nothing")
    assert len(found) == 5


# A17: names of tables and indexes may have dots.
def test_a_capacity_is_of_the_table_that_there_is(tmp_path):
    model = tmp_path / "model.sheaf"
    model.write_text(
        "model m { table `a.b` { pk PK; sk SK; gsi `x.y` GSI1PK / GSI1SK } "
        'entity A { id id; name; key "A#<id>" / "A"; index `x.y` "N#<name>" / "A" } '
        "pattern a(x: A) = $x rate 1/s  pattern b(n: string) = A where name = $n rate 1/s }"
    )
    told = sheaf("model", "cost", model, "--capacity", "a.b=5/6", "--capacity", "a.b.x.y=7/8", "--json")
    assert told.returncode == 0, told.stderr
    bill = next(each for each in json.loads(told.stdout)["layouts"][0]["bills"] if each["mode"] == "provisioned")
    given = {(each["table"], each.get("index")): (each["reads"], each["writes"]) for each in bill["capacity"]}
    assert given["a.b", None] == (5, 6) and given["a.b", "x.y"] == (7, 8)


# G11: one customer has 14 % of the items. A part of them hardly ever meets it, but its size is counted.
def test_a_large_collection_is_found_though_a_part_is_read(tmp_path):
    model, data = tmp_path / "model.sheaf", tmp_path / "data.json"
    model.write_text(
        'model shop { table orders { pk PK; sk SK; tag Type } entity Customer { id id; key "C#<id>" / "CUSTOMER" } '
        'entity Order within customer { number id int; key "C#<customer.id>" / "ORDER#<number:0000>" } '
        "rel Customer 1--* Order as orders / customer { via collection; size max 500; on delete cascade } }"
    )
    customers = [f"c{i:04}" for i in range(1500)]
    orders = [{"customer": "c0700", "number": i} for i in range(490)] + [{"customer": c, "number": 1000} for c in customers]
    data.write_text(json.dumps({"Customer": [{"id": c} for c in customers], "Order": orders}))
    load(tmp_path / "data", model, data)
    for items in ["100", "1000", "10000"]:
        arguments = ["orders", "--data", tmp_path / "data", "--items", items, "--limit", "collection-items=400", "--json"]
        told = sheaf("lint-table", *arguments)
        assert told.returncode == 1, told.stderr
        assert "  largest item collection: C#c0700, 492 items, " in told.stderr
        found = {each["id"]: each["message"] for each in json.loads(told.stdout)}
        assert set(found) == {"large-collection", "uneven-partitions"}
        assert "C#c0700 has 492 items" in found["large-collection"]
        assert found["uneven-partitions"] == "C#c0700 has 14 % of the bytes of 3490 items, with 1500 partition keys"


def test_a_table_that_is_well_is_told_so_too(tmp_path):
    load(tmp_path / "data", ROOT / "models/orgs/model.sheaf", ROOT / "models/orgs/data.json")
    told = sheaf("lint-table", "orgs", "--data", tmp_path / "data")
    assert told.returncode == 0 and told.stdout == "" and "too few to tell much" in told.stderr


def test_a_table_that_is_not_there_is_told(tmp_path):
    load(tmp_path / "data", ROOT / "models/orgs/model.sheaf", ROOT / "models/orgs/data.json")
    assert sheaf("lint-table", "nowhere", "--data", tmp_path / "data").returncode == 2
    assert sheaf("lint-table", "orgs", "--data", tmp_path / "data", "--items", "0").returncode != 0


def test_a_table_behind_an_endpoint_is_looked_at_too(tmp_path):
    os.environ.setdefault("SHEAF_TESTS_BINARY", PROGRAM)
    sys.path.insert(0, str(ROOT / "tests/server"))
    from server_process import ServerProcess

    server = ServerProcess(tmp_path).start()
    try:
        model, data = tmp_path / "model.sheaf", tmp_path / "data.json"
        model.write_text(
            'model log { table log { pk PK; sk SK; tag Type } entity Day { id id; key "DAY#<id>" / "DAY" } '
            'entity Entry within day { number id int; key "DAY#<day.id>" / "<number:000>" } '
            "rel Day 1--* Entry as entries / day { via collection; size max 500; on delete cascade } }"
        )
        days = [f"d{i}" for i in range(60)]
        data.write_text(
            json.dumps({"Day": [{"id": d} for d in days], "Entry": [{"day": d, "number": i} for d in days for i in range(2)]})
        )
        told = sheaf("model", "load", model, data, "--endpoint", server.url)
        assert told.returncode == 0, told.stderr
        told = sheaf("lint-table", "log", "--endpoint", server.url, "--json")
        assert told.returncode == 1, told.stderr
        (finding,) = json.loads(told.stdout)
        assert finding["id"] == "unprefixed-sort-key" and finding["points"] == "H7" and "Entry" in finding["message"]
        # Nobody counts item collections there: who was not met may be larger.
        assert "  largest item collection: " in told.stderr
        told = sheaf("lint-table", "log", "--endpoint", server.url, "--items", "100")
        assert "  largest item collection of those that were read: " in told.stderr
    finally:
        server.stop()
