"""sheaf table, item, query, scan and sql, on a directory and on a server."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import PEER
from terminal import AtTerminal, plain, run_at_terminal

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
HR = str(Path(__file__).resolve().parents[2] / "models/hr/model.sheaf")
MODEL = HR + ":method2"


class Sheaf:
    """Commands on one database."""

    def __init__(self, options):
        self.options = options

    def try_to(self, *words, text=None, behind=()):
        command = [PROGRAM, *map(str, words), *self.options, *behind]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)

    def do(self, *words, **more):
        done = self.try_to(*words, **more)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def items(self, *words, **more):
        return [json.loads(line) for line in self.do(*words, **more).splitlines()]

    def refusal(self, *words, status=2, text=None):
        done = self.try_to(*words, text=text)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        assert done.stdout == "" and done.stderr.startswith("sheaf: "), done
        return done.stderr


@pytest.fixture
def sheaf(database):
    return Sheaf(database)


@pytest.fixture
def shop(sheaf):
    """A table with an index, and three orders of two customers."""
    sheaf.do("table", "create", "shop", "--key", "PK", "--sort", "SK", "--gsi", "byStatus=status/total:N")
    orders = [
        {"PK": "C#1", "SK": "ORDER#1", "status": "OPEN", "total": 10},
        {"PK": "C#1", "SK": "ORDER#2", "status": "SENT", "total": 25.5},
        {"PK": "C#2", "SK": "ORDER#3", "status": "OPEN", "total": 7},
        {"PK": "C#1", "SK": "PROFILE", "name": "Ada"},
    ]
    sheaf.do("item", "put", "shop", "-", text="\n".join(map(json.dumps, orders)))
    return sheaf


def test_tables_are_created_shown_changed_and_deleted(sheaf):
    sheaf.do(
        "table", "create", "app", "--key", "PK", "--sort", "at:N", "--gsi", "GSI1=GSI1PK/GSI1SK", "--gsi", "byDate=at keys",
        "--gsi", "byPlace=country,city/at include title", "--lsi", "byTitle=title", "--stream", "both", "--ttl", "gone", "--tag", "team=a b",
    )  # fmt: skip
    assert sheaf.do("table", "list") == "app\n"
    [told] = [json.loads(line) for line in sheaf.do("table", "list", "--json").splitlines()]
    assert told == json.loads(sheaf.do("table", "show", "app", "--json"))
    assert told["TableName"] == "app" and {"AttributeName": "at", "AttributeType": "N"} in told["AttributeDefinitions"]
    page = sheaf.do("table", "show", "app")
    assert "key           PK/at:N\n" in page and "time to live  gone\n" in page and "stream        both\n" in page
    assert "country,city/at:N" in page and "include title" in page
    command = sheaf.do("table", "show", "app", "--command").split(" ", 4)
    assert command[:4] == ["sheaf", "table", "create", "app"]
    subprocess.run(["bash", "-c", f'"$0" table create copy {command[4].strip()} "$@"', PROGRAM, *sheaf.options], check=True)
    again = sheaf.do("table", "show", "copy", "--command").split(" ", 4)
    assert again[4] == command[4] and "team=a b" in again[4]

    sheaf.do("table", "update", "app", "--gsi", "later=kind/at", "--remove-gsi", "GSI1", "--ttl", "off", "--stream", "off", "--protect")
    changed = json.loads(sheaf.do("table", "show", "app", "--json"))
    assert {index["IndexName"]: index["IndexStatus"] for index in changed["GlobalSecondaryIndexes"]} == {
        "byDate": "ACTIVE", "byPlace": "ACTIVE", "later": "ACTIVE",
    }  # fmt: skip
    page = sheaf.do("table", "show", "app")
    assert "time to live" not in page and "stream " not in page and "protected" in page
    assert "protect" in sheaf.refusal("table", "delete", "app", "--yes")
    sheaf.do("table", "update", "app", "--unprotect", "--untag", "team", "--tag", "x=1")
    assert "tag      x=1\n" in sheaf.do("table", "show", "app")
    assert "--yes" in sheaf.refusal("table", "delete", "app")
    sheaf.do("table", "delete", "app", "--yes")
    assert sheaf.do("table", "list") == "copy\n"
    assert "app" not in sheaf.do("table", "list", "--long")


def test_tables_that_are_there_can_be_left(sheaf):
    create = ["table", "create", "ids", "--key", "id:N"]
    sheaf.do(*create)
    sheaf.do(*create, "--if-missing")
    told = sheaf.refusal(*create)
    assert "exists" in told or "in use" in told.lower() or PEER and "ResourceInUse" in told
    assert "another key: id:N" in sheaf.refusal("table", "create", "ids", "--key", "id", "--if-missing")
    sheaf.do("table", "create", "paid", "--key", "id", "--gsi", "byX=x", "--provisioned", "3/4")
    assert "3/4 units" in sheaf.do("table", "show", "paid")
    sheaf.do("table", "update", "paid", "--on-demand")
    assert "on demand" in sheaf.do("table", "show", "paid")


def test_what_is_done_to_a_table_is_told_in_json(sheaf):
    create = ["table", "create", "app", "--key", "PK", "--ttl", "gone", "--json"]
    made = json.loads(sheaf.do(*create))
    assert made == json.loads(sheaf.do("table", "show", "app", "--json")) == json.loads(sheaf.do(*create, "--if-missing"))
    changed = json.loads(sheaf.do("table", "update", "app", "--gsi", "byKind=kind", "--json"))
    assert changed == json.loads(sheaf.do("table", "show", "app", "--json"))
    assert [index["IndexName"] for index in changed["GlobalSecondaryIndexes"]] == ["byKind"]
    assert json.loads(sheaf.do("table", "delete", "app", "--yes", "--json"))["TableArn"] == made["TableArn"]
    assert sheaf.do("table", "list") == ""


def test_items_are_put_got_updated_and_deleted(sheaf):
    sheaf.do("table", "create", "app", "--key", "PK", "--sort", "SK")
    number = "12345678901234567890123456789012345678"
    sheaf.do("item", "put", "app", '{"PK":"a","SK":"b","n":1,"big":%s,"deep":{"list":[1,null,true]}}' % number)
    assert sheaf.do("item", "get", "app", "a", "b") == (
        '{"PK":"a","SK":"b","big":%s,"deep":{"list":[1,null,true]},"n":1}\n' % number
    )
    typed = sheaf.do("item", "get", "app", "a", "b", "--dynamodb-json", "--attributes", "n,big,deep.list[0]")
    assert json.loads(typed) == {"n": {"N": "1"}, "big": {"N": number}, "deep": {"M": {"list": {"L": [{"N": "1"}]}}}}
    new = sheaf.items(
        "item", "update", "app", "a", "b", "--set", "n = n + 1, status = 'it''s'", "--set", 'tags = ["x"]', "--remove", "deep.list[1]",
        "--add", "seen <<'a','b'>>", "--if", "attribute_exists(PK) and n < :max", "--value", ":max=5", "--new",
    )  # fmt: skip
    assert new == [
        {"PK": "a", "SK": "b", "big": int(number), "deep": {"list": [1, True]}, "n": 2, "seen": ["a", "b"], "status": "it's", "tags": ["x"]}
    ]
    assert sheaf.items("item", "update", "app", "a", "b", "--delete", "seen <<'a'>>", "--old")[0]["seen"] == ["a", "b"]
    assert "condition does not hold" in sheaf.refusal("item", "update", "app", "a", "b", "--set", "n = 9", "--if", "n > 100", status=1)
    assert sheaf.items("item", "get", "app", "a", "b", "--attributes", "n") == [{"n": 2}]
    assert sheaf.items("item", "delete", "app", "a", "b", "--old")[0]["n"] == 2
    assert sheaf.do("item", "delete", "app", "a", "b") == ""
    assert "no such item" in sheaf.refusal("item", "get", "app", "a", "b", status=1)


def test_keys_are_of_the_type_of_the_table(sheaf):
    sheaf.do("table", "create", "numbers", "--key", "n:N", "--sort", "b:B")
    sheaf.do("item", "put", "numbers", "--dynamodb-json", '{"n":{"N":"-5"},"b":{"B":"AP8="}}')
    # A key that begins with - comes behind all options.
    assert sheaf.items("item", "get", "numbers", behind=["--", "-5.0", "AP8="]) == [{"n": -5, "b": "AP8="}]
    assert sheaf.items("query", "numbers", "--from", "AA==", behind=["--", "-5"]) == [{"n": -5, "b": "AP8="}]
    assert "n is a number, and not x" in sheaf.refusal("item", "get", "numbers", "x", "AP8=")
    assert "base64" in sheaf.refusal("item", "get", "numbers", "1", "?")
    assert "the key of numbers is n and b: two values, and not 1" in sheaf.refusal("item", "get", "numbers", "1")


def test_words_in_brackets_are_values_like_others(sheaf):
    sheaf.do("table", "create", "bra", "--key", "id")
    keys = ["a", "[a]", "x", "y", "[x,y]", "[]", "{}"]
    sheaf.do("item", "put", "bra", *(json.dumps({"id": key}) for key in keys))
    for key in ["[a]", "[x,y]", "[]", "{}"]:
        assert sheaf.items("item", "get", "bra", key) == [{"id": key}]
        assert sheaf.items("query", "bra", key) == [{"id": key}]
        sheaf.do("item", "update", "bra", key, "--set", "n = 1")
    assert sheaf.items("sql", "SELECT id FROM bra WHERE id = 'a' AND id <> ?", "[1, 2]") == [{"id": "a"}]
    sheaf.do("item", "delete", "bra", "[a]")
    sheaf.do("item", "delete", "bra", "[x,y]")
    assert sorted(item["id"] for item in sheaf.items("scan", "bra")) == ["[]", "a", "x", "y", "{}"]
    told = sheaf.try_to("item", "put", "bra", '[{"id":"never"}]')
    assert told.returncode == 2 and "an item is a JSON object" in told.stderr
    # Neither do files become others.
    told = subprocess.run([PROGRAM, "model", "check", "[/etc/passwd]"], capture_output=True, text=True, timeout=60)
    assert told.returncode == 2 and "[/etc/passwd]" in told.stderr and "root" not in told.stdout + told.stderr, told


def test_marks_of_plain_json_are_read_and_typed_json_is_recognised(sheaf):
    sheaf.do("table", "create", "ids", "--key", "id")
    marked = {"id": "a", "tags": {"$SS": ["x", "y"]}, "deep": [{"n": {"$NS": [1]}}], "b": {"$B": "AP8="}, "m": {"$M": {"$SS": ["z"]}}}
    sheaf.do("item", "put", "ids", json.dumps(marked))
    sheaf.do("item", "put", "ids", "-", text=json.dumps({**marked, "id": "b"}))
    for key in "ab":
        [typed] = sheaf.items("item", "get", "ids", key, "--dynamodb-json")
        assert typed == {
            "id": {"S": key}, "tags": {"SS": ["x", "y"]}, "deep": {"L": [{"M": {"n": {"NS": ["1"]}}}]}, "b": {"B": "AP8="},
            "m": {"M": {"$SS": {"L": [{"S": "z"}]}}},
        }  # fmt: skip
    assert "$SS marks" in sheaf.refusal("item", "put", "ids", '{"id":"c","tags":{"$SS":[1]}}')
    assert "line 1: " in sheaf.refusal("item", "put", "ids", "-", text='{"id":"c","tags":{"$SS":[1]}}')
    assert "add --dynamodb-json" in sheaf.refusal("item", "put", "ids", '{"id":{"S":"a"}}')


def test_many_items_are_put_or_none_if_one_is_wrong(sheaf):
    sheaf.do("table", "create", "ids", "--key", "id:N")
    lines = [json.dumps({"id": i % 60, "turn": i}) for i in range(100)]
    assert "line 101: the item has no id" in sheaf.refusal("item", "put", "ids", "-", text="\n".join([*lines, '{"x":1}']))
    assert "line 3: " in sheaf.refusal("item", "put", "ids", "-", text='{"id":1}\n\n{"id":}\n')
    assert "id is of the table's key and of type N, and not S" in sheaf.refusal("item", "put", "ids", '{"id":"1"}')
    assert sheaf.do("scan", "ids", "--count") == "0\n"
    sheaf.do("item", "put", "ids", "-", text="\n".join(lines))
    assert sorted((item["id"], item["turn"]) for item in sheaf.items("scan", "ids")) == [(i, i + 60 if i < 40 else i) for i in range(60)]
    sheaf.do("item", "put", "ids", "-", text=json.dumps([{"id": 100}, {"id": 101}], indent=2))
    sheaf.do("item", "put", "ids", '{"id":102}', '{"id":103}')
    assert "condition does not hold" in sheaf.refusal("item", "put", "ids", '{"id":103,"x":1}', "--new", status=1)
    assert sheaf.items("item", "put", "ids", '{"id":103,"x":1}', "--old", "--if", "attribute_not_exists(x)") == [{"id": 103}]
    assert sheaf.do("scan", "ids", "--count", "--filter", "id >= 100") == "4\n"


def test_what_is_no_item_is_told_in_plain_words(sheaf):
    sheaf.do("table", "create", "ids", "--key", "id")
    for words, text, said in [
        (["not json"], None, "an item is a JSON object"),
        (["-"], "not json", "line 1: an item is a JSON object"),
        (["-"], "", "the standard input has no items"),
        (["-"], "\n\n", "the standard input has no items"),
        (["--dynamodb-json", "nope"], None, "this is no JSON"),
    ]:
        told = sheaf.refusal("item", "put", "ids", *words, text=text)
        assert said in told and "cannot be converted" not in told, (words, told)
    assert sheaf.do("scan", "ids", "--count") == "0\n"


def test_a_count_has_a_limit(sheaf):
    sheaf.do("table", "create", "nine", "--key", "PK", "--sort", "SK:N")
    sheaf.do("item", "put", "nine", "-", text="\n".join(json.dumps({"PK": "a", "SK": i}) for i in range(9)))
    for words in [["query", "nine", "a"], ["scan", "nine"], ["scan", "nine", "--segments", "3"], ["scan", "nine", "--filter", "SK >= 0"]]:
        told = sheaf.try_to(*words, "--count", "--limit", "5")
        assert told.stdout == "5\n" and told.stderr.startswith("more: "), (words, told)
        assert sheaf.try_to(*words, "--count", "--limit", "9").stdout == sheaf.do(*words, "--count") == "9\n", words
    told = sheaf.try_to("query", "nine", "a", "--count", "--limit", "5")
    key = told.stderr.split("--start-key ")[1].strip().strip("'")
    assert sheaf.do("query", "nine", "a", "--count", "--start-key", key) == "4\n"


def test_items_are_drawn_or_json(shop):
    assert "--json excludes --form" in shop.refusal("scan", "shop", "--form", "table", "--json")


def test_of_many_items_with_the_same_key_the_last_stays(sheaf):
    sheaf.do("table", "create", "ids", "--key", "id:N")
    text = "\n".join(json.dumps({"id": i % 70, "round": i // 70, "note": "x" * (i % 50)}) for i in range(4000))
    sheaf.do("item", "put", "ids", "-", text=text)
    found = {item["id"]: item["round"] for item in map(json.loads, sheaf.do("scan", "ids").splitlines())}
    assert found == {i % 70: i // 70 for i in range(4000)}


def test_queries_take_keys_ranges_indexes_and_filters(shop):
    def found(*words):
        return [item["SK"] for item in shop.items("query", "shop", *words)]

    assert found("C#1") == ["ORDER#1", "ORDER#2", "PROFILE"]
    assert found("C#1", "ORDER#2") == ["ORDER#2"]
    assert found("C#1", "--begins", "ORDER#", "--reverse") == ["ORDER#2", "ORDER#1"]
    assert found("C#1", "--from", "ORDER#2", "--to", "PROFILE") == ["ORDER#2", "PROFILE"]
    assert found("C#1", "--after", "ORDER#1") == ["ORDER#2", "PROFILE"]
    assert found("C#1", "--before", "ORDER#2") == ["ORDER#1"]
    assert found("OPEN", "--index", "byStatus") == ["ORDER#3", "ORDER#1"]
    assert found("OPEN", "--index", "byStatus", "--from", "7.5") == ["ORDER#1"]
    assert found("C#1", "--filter", "total > 10 OR name = 'Ada'") == ["ORDER#2", "PROFILE"]
    assert found("C#1", "--filter", "#t > :min", "--name", "#t=total", "--value", ":min=10") == ["ORDER#2"]
    assert shop.items("query", "shop", "C#1", "PROFILE", "--attributes", "name") == [{"name": "Ada"}]
    assert shop.do("query", "shop", "C#1", "--count") == "3\n"
    assert shop.do("query", "shop", "nobody") == ""


def test_wrong_queries_are_refused(shop):
    assert "no index nothing; it has byStatus" in shop.refusal("query", "shop", "a", "--index", "nothing")
    assert "one of --begins" in shop.refusal("query", "shop", "a", "--after", "b", "--before", "c")
    assert "does not begin" in shop.refusal("query", "shop", "OPEN", "--index", "byStatus", "--begins", "1")
    assert "the whole key is given" in shop.refusal("query", "shop", "a", "b", "--begins", "1")
    assert "a text that begins with ' has no end" in shop.refusal("scan", "shop", "--filter", "a = 'b")
    assert ":name=value" in shop.refusal("scan", "shop", "--filter", "a = :b", "--value", "b=1")
    assert shop.try_to("query", "nowhere", "a").returncode == 2


def test_pages_go_on_where_the_one_before_ended(shop):
    for command, words in [("query", ["C#1"]), ("scan", []), ("scan", ["--index", "byStatus"]), ("scan", ["--filter", "attribute_exists(PK)"])]:
        all_items = shop.items(command, "shop", *words)
        seen, more = [], []
        while True:
            done = shop.try_to(command, "shop", *words, "--limit", "1", *more)
            assert done.returncode == 0, done
            seen += [json.loads(line) for line in done.stdout.splitlines()]
            if "more: --start-key " not in done.stderr:
                break
            more = ["--start-key", done.stderr.split("more: --start-key ")[1].strip().strip("'")]
        assert seen == all_items and len(seen) > 2


def test_segments_are_all_of_a_table(shop):
    def whole(*words):
        return sorted(json.dumps(item) for item in shop.items("scan", "shop", *words))

    assert whole("--segments", "4") == whole()
    assert shop.do("scan", "shop", "--segments", "3", "--count") == "4\n"
    told = shop.try_to("scan", "shop", "--segments", "4", "--limit", "2")
    assert told.returncode == 0 and len(told.stdout.splitlines()) == 2
    # A key of one segment says nothing of the others.
    assert told.stderr == "more: leave --segments out to go on page by page\n"


def test_where_to_go_on_is_told_or_what_it_takes(shop):
    words = ["scan", "shop", "--filter", "attribute_exists(PK)", "--limit", "2", "--attributes"]
    assert shop.try_to(*words, "total").stderr == "more: there are more; add the key to --attributes to go on\n"
    assert "more: --start-key" in shop.try_to(*words, "PK,SK,total").stderr


def test_output_that_cannot_be_written_is_an_error(shop):
    for words in [["scan", "shop", *shop.options], ["--help"], ["completion", "bash"]]:
        with open("/dev/full", "w") as full:
            told = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert told.returncode == 2 and told.stderr == "sheaf: cannot write the standard output\n", told


def test_a_directory_without_a_database_is_not_made_one(tmp_path):
    missing = tmp_path / "missing"
    for words in [
        ["scan", "t"], ["query", "t", "a"], ["item", "get", "t", "a"], ["item", "put", "t", "{}"], ["table", "list"], ["table", "show", "t"],
        ["sql", "SELECT * FROM t"], ["dump", "t"], ["watch", "--model", MODEL, "--for", "0s"],
        ["model", "audit", HR], ["model", "work", HR], ["model", "run", HR, "team", "d-1"], ["model", "advise", HR],
        ["model", "migrate", HR, "--to", "method1"],
    ]:  # fmt: skip
        told = subprocess.run([PROGRAM, *words, "--data", missing], capture_output=True, text=True, timeout=60)
        assert told.returncode == 2 and told.stderr == f"sheaf: there is no database in {missing}\n", (words, told)
    assert not missing.exists()
    Sheaf(["--data", str(missing)]).do("table", "create", "ids", "--key", "id")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_a_directory_of_somebody_else_is_told_as_that(tmp_path):
    data = tmp_path / "data"
    Sheaf(["--data", str(data)]).do("table", "create", "ids", "--key", "id")
    data.chmod(0o700)
    told = subprocess.run(
        [PROGRAM, "scan", "ids", "--data", data], capture_output=True, text=True, timeout=60, preexec_fn=lambda: os.setuid(65534)
    )
    assert told.returncode == 2 and told.stderr == f"sheaf: cannot open {data}: permission denied\n", told


def test_costs_are_told_on_the_standard_error(shop):
    told = shop.try_to("query", "shop", "C#1", "--cost")
    assert told.stderr == "3 items read, 1 request, 0.5 units\n" and len(told.stdout.splitlines()) == 3
    told = shop.try_to("item", "put", "shop", '{"PK":"x","SK":"y","status":"OPEN","total":1}', "--cost")
    assert told.stderr == "2 units (table 1, byStatus 1)\n" and told.stdout == ""


def test_statements_run(shop):
    assert shop.items("sql", "SELECT SK FROM shop WHERE PK = ? AND total > ?", "C#1", "10") == [{"SK": "ORDER#2"}]
    assert shop.do("statement", "INSERT INTO shop VALUE {'PK': 'n', 'SK': 'm'}") == ""
    assert shop.items("sql", "SELECT * FROM shop WHERE PK = 'n'", "--dynamodb-json") == [{"PK": {"S": "n"}, "SK": {"S": "m"}}]
    assert shop.try_to("sql", "UPDATE shop SET x = 1 WHERE PK = 'n' AND SK = 'm' AND x = 5").returncode == 1
    assert "such an item already" in shop.refusal("sql", "INSERT INTO shop VALUE {'PK': 'n', 'SK': 'm'}", status=1)
    assert "Query" in shop.do("sql", "--explain", "SELECT * FROM shop WHERE PK = 'n'")
    (query,) = shop.items("sql", "--explain", "--json", "SELECT * FROM shop.byStatus WHERE status = 'OPEN'")
    assert query == {"operation": "Query", "table": "shop", "index": "byStatus", "text": 'Query shop.byStatus: status = "OPEN"'}
    (scan,) = shop.items("sql", "--explain", "--json", "SELECT * FROM shop")
    assert scan["operation"] == "Scan" and scan["fix"].startswith("give PK by =")
    assert len(shop.items("sql", "SELECT * FROM shop")) == 5
    told = shop.try_to("sql", "SELECT * FROM shop", "--limit", "2")
    assert len(told.stdout.splitlines()) == 2 and "more: --token " in told.stderr
    token = told.stderr.split("more: --token ")[1].strip().strip("'")
    assert len(shop.items("sql", "SELECT * FROM shop", "--token", token)) == 3
    assert "sheaf: " in shop.refusal("sql", "SELEKT")


def test_the_environment_says_where_the_data_is(serving, tmp_path):
    def run(*words, **variables):
        environment = {**os.environ, **variables}
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, env=environment)

    there, elsewhere = str(tmp_path / "there"), str(tmp_path / "elsewhere")
    assert run("table", "create", "one", "--key", "id", SHEAF_DATA=there).returncode == 0
    assert run("table", "list", SHEAF_DATA=there).stdout == "one\n"
    # The command line has the last word.
    assert f"no database in {elsewhere}" in run("table", "list", "--data", elsewhere, SHEAF_DATA=there).stderr
    assert run("table", "list", "--endpoint", serving.url, SHEAF_DATA=there).stdout == ""
    assert run("table", "create", "two", "--key", "id", "--region", "eu-west-1", SHEAF_ENDPOINT=serving.url).returncode == 0
    assert run("table", "list", SHEAF_ENDPOINT=serving.url).stdout == "two\n"
    both = run("table", "list", SHEAF_ENDPOINT=serving.url, SHEAF_DATA=there)
    assert both.returncode == 2 and "SHEAF_DATA and SHEAF_ENDPOINT are both set" in both.stderr
    assert "SHEAF_DATA and SHEAF_ENDPOINT are both set" in run("bench", SHEAF_ENDPOINT=serving.url, SHEAF_DATA=there).stderr
    bench = ["bench", "--items", "10", "--seconds", "0.1", "--threads", "1"]
    assert "nowhere" in run(*bench, SHEAF_ENDPOINT="http://nowhere.invalid", AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b").stderr
    assert run(*bench, "--in-memory", SHEAF_ENDPOINT="http://nowhere.invalid").returncode == 0
    assert run("top", "--once", SHEAF_ENDPOINT=serving.url).returncode == 0
    assert "127.0.0.1:9" in run("top", "--once", SHEAF_ENDPOINT="http://127.0.0.1:9").stderr
    assert "127.0.0.1:9" in run("watch", "--model", MODEL, "--for", "0s", SHEAF_ENDPOINT="http://127.0.0.1:9").stderr
    assert run("table", "list").returncode == 2


@pytest.mark.parametrize(
    "words",
    [[], ["nothing"], ["item"], ["item", "get"], ["table", "create", "t", "--data", "/tmp/x"], ["query", "a", "b", "--what"], ["table", "update", "t"],
     ["scan", "t", "--segments", "0"], ["scan", "t", "--limit", "-1"], ["serve", "--port", "x"], ["model", "nothing"], ["completion", "fish"],
     ["model", "plan", HR, "home", "--layuot", "method2"], ["model", "plan", HR, "home", "e-1"], ["model", "run", HR, "home", "e-1", "--csot"],
     ["model", "plan", HR, "home", "--params", "e-1", "--jsn"]],
)  # fmt: skip
def test_wrong_use_ends_with_2(words):
    told = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
    assert told.returncode == 2 and told.stdout == "" and told.stderr != "", told


def test_what_is_mistyped_is_told_with_what_there_is():
    def said(*words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60).stderr

    assert said("scna", "t", "--data", "x") == "sheaf: there is no command scna; did you mean scan?\n"
    assert said("item", "gte", "t", "a") == "sheaf: there is no command item gte; did you mean item get?\n"
    assert said("nothing-like-it") == "sheaf: there is no command nothing-like-it; sheaf --help tells what there is\n"
    assert said("scan", "t", "--limit", "0").startswith("sheaf: --limit: 0 is not a number above 0\n")
    assert said("scan", "t", "--segments", "99").startswith("sheaf: --segments: 99 is not a number from 1 to 64\n")
    assert said("model", "plan", HR, "home", "--layuot", "method2").startswith("sheaf: The following argument was not expected: --layuot\n")
    assert said("model", "plan", HR, "home", "e-1").startswith("sheaf: The following argument was not expected: e-1\n")


def test_help_and_version_end_with_0():
    for words in [["--help"], ["--version"], ["--help-all"], ["item", "update", "--help"]]:
        told = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
        assert told.returncode == 0 and told.stdout != "" and told.stderr == "", told


# At a terminal.


def test_items_are_drawn_to_the_width_of_the_terminal(shop):
    status, shown = run_at_terminal([PROGRAM, "query", "shop", "C#1", "--begins", "ORDER", *shop.options], NO_COLOR=None)
    assert status == 0 and "\x1b[36mORDER#1\x1b[0m" in shown
    lines = plain(shown).splitlines()
    assert lines[0].split() == ["PK", "SK", "status", "total"] and lines[2].split() == ["C#1", "ORDER#1", "OPEN", "10"]
    assert lines[3].split() == ["ORDER#2", "SENT", "25.5"] and lines[4] == "2 items"
    _, shown = run_at_terminal([PROGRAM, "query", "shop", "C#1", *shop.options], NO_COLOR="1")
    assert "\x1b" not in shown and "PROFILE" in shown
    _, shown = run_at_terminal([PROGRAM, "query", "shop", "C#1", "--json", *shop.options])
    assert json.loads(shown.splitlines()[0])["total"] == 10 and "\x1b" not in shown
    shop.do("item", "put", "shop", json.dumps({"PK": "wide", "SK": "x", "text": "long " * 50}))
    for columns in [40, 80, 120]:
        _, shown = run_at_terminal([PROGRAM, "scan", "shop", "--form", "table", *shop.options], columns=columns, NO_COLOR="1")
        assert max(map(len, shown.splitlines())) <= columns and "…" in shown


def test_collections_are_drawn(shop):
    shown = shop.do("query", "shop", "C#1", "--form", "collections")
    assert shown.startswith("┌") and shown.count("C#1") == 1 and "│ name" in shown
    shown = shop.do("item", "get", "shop", "C#1", "PROFILE", "--form", "list")
    assert shown == "PK    C#1\nSK    PROFILE\nname  Ada\n"


def test_a_terminal_has_a_screen_of_items(shop):
    shop.do("item", "put", "shop", "-", text="\n".join(json.dumps({"PK": "many", "SK": f"{i:04}"}) for i in range(100)))
    _, shown = run_at_terminal([PROGRAM, "query", "shop", "many", *shop.options], rows=20, NO_COLOR="1")
    assert len(shown.splitlines()) <= 20 and "--all for all" in shown and "more: --start-key" in shown
    _, shown = run_at_terminal([PROGRAM, "query", "shop", "many", "--all", *shop.options], rows=20, NO_COLOR="1")
    assert "0099" in shown and "100 items" in shown
    _, shown = run_at_terminal([PROGRAM, "query", "shop", "many", "--limit", "30", *shop.options], rows=20, NO_COLOR="1")
    assert "0029" in shown and "0030" not in shown and "30 items\n" in shown


def test_a_terminal_has_a_screen_of_what_is_selected(shop):
    shop.do("item", "put", "shop", "-", text="\n".join(json.dumps({"PK": "many", "SK": f"{i:04}", "even": i % 2}) for i in range(300)))

    def select(where, *words):
        return run_at_terminal([PROGRAM, "sql", f"SELECT PK, SK FROM shop WHERE {where}", *words, *shop.options], rows=20, NO_COLOR="1")[1]

    for where in ["PK = 'many'", "PK = 'many' AND even = 1"]:
        shown = select(where)
        assert len(shown.splitlines()) <= 20 and "on this screen; --all for all" in shown, shown
    token = select("PK = 'many'").split("more: --token ")[1].strip().strip("'")
    assert "0000" not in select("PK = 'many'", "--token", token)
    assert "0299" in select("PK = 'many'", "--all") and "150 items\n" in select("PK = 'many' AND even = 1", "--all")
    assert "1 item\n" in select("PK = 'many' AND SK = '0250' AND even = 0")


def test_a_table_is_deleted_if_its_name_is_typed(shop):
    with AtTerminal([PROGRAM, "table", "delete", "shop", *shop.options]) as program:
        told = program.wait_for(", and cannot be undone. Type its name to go on: ")
        assert "with 4 items," in told or PEER and "with items that were not counted yet," in told
        program.type("shopp\n")
        assert program.finish() == 2 and "nothing was deleted" in program.shown
    assert shop.do("table", "list") == "shop\n"
    with AtTerminal([PROGRAM, "table", "delete", "shop", *shop.options]) as program:
        program.wait_for("go on: ")
        program.type("shop\n")
        assert program.finish() == 0
    assert shop.do("table", "list") == ""
    shop.do("table", "create", "empty", "--key", "id")
    with AtTerminal([PROGRAM, "table", "delete", "empty", *shop.options]) as program:
        program.wait_for("This deletes empty with no items, and cannot be undone.")
