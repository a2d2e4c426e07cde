"""What a server tells of the keys that are read and written most, of item collections, and what the linter of tables makes of it."""

import http.server
import json
import os
import re
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from server_process import BINARY, eventually, make_table

SECONDS = float(os.environ.get("SHEAF_TEST_SECONDS", "10"))
SECRET = "a-secret-of-many-characters"


def ask(server, target, key=None):
    request = AWSRequest("GET", server.url + target)
    if key:
        SigV4Auth(Credentials(key, SECRET), "dynamodb", "us-east-1").add_auth(request)
    wanted = urllib.request.Request(request.url, headers=dict(request.headers.items()))
    with urllib.request.urlopen(wanted, timeout=20) as answer:
        return json.load(answer)


def heat(server, query="", key=None):
    return ask(server, "/heat" + query, key)


def collections(server, table, *partitions, key=None):
    asked = [("table", table), *(("key", json.dumps({"pk": {"S": each}})) for each in partitions)]
    return ask(server, "/collections?" + urllib.parse.urlencode(asked, quote_via=urllib.parse.quote), key)


def refused(asked):
    with pytest.raises(urllib.error.HTTPError) as error:
        asked()
    return error.value.code, error.value.read().decode()


def client(server, attempts):
    config = Config(retries={"max_attempts": attempts}, connect_timeout=10, read_timeout=60)
    return boto3.client(
        "dynamodb", endpoint_url=server.url, aws_access_key_id="key", aws_secret_access_key="secret", region_name="us-east-1", config=config
    )


def test_the_hottest_keys_are_told_as_they_really_were(make_server, chance):
    server = make_server().start()
    make_table(
        server,
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    weights = [1 / rank for rank in range(1, 301)]
    counts = {}
    with server.connect() as connection:
        for number in chance.choices(range(300), weights, k=6_000):
            counts[number] = counts.get(number, 0) + 1
            key = {"pk": {"S": f"k{number}"}, "sk": {"N": "1"}}
            assert connection.call("GetItem", {"TableName": "things", "Key": key, "ConsistentRead": True}).status == 200
    told = heat(server, "?table=things&seconds=3600&keys=20")
    top = sorted(counts.values(), reverse=True)[:20]
    for listed in ("partitions", "items"):
        keys = told["reads"][listed]
        assert len(keys) == 20
        for place, each in enumerate(keys):
            count = counts[int(each["key"]["pk"]["S"][1:])]
            assert count >= top[place] * 0.97, (place, each)
            assert abs(each["times_per_second"] * told["seconds"] - count) <= 0.1 * count
    assert told["reads"]["units_per_second"] * told["seconds"] == pytest.approx(6_000, rel=0.001)
    assert told["reads"]["partition_keys"] == pytest.approx(len(counts), rel=0.1)
    [everything] = heat(server)["resources"]
    assert everything["table"] == "things" and "partitions" not in everything["reads"]
    server.stop()


def write_credentials(directory):
    path = f"{directory}/credentials"
    with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        for name, role in (("boss", "admin"), ("reader", "readonly"), ("meter", "metrics")):
            file.write(f"[{name}]\naws_access_key_id = {name.upper()}\naws_secret_access_key = {SECRET}\nsheaf_role = {role}\n")
    return path


def test_only_who_may_read_items_sees_their_keys(make_server, directory):
    server = make_server("--credentials", write_credentials(directory)).start()
    assert heat(server, key="READER") == {"resources": []}
    for key in ("METER", "NOBODY", None):
        assert refused(lambda: heat(server, key=key))[0] == 403
        assert refused(lambda: collections(server, "things", "a", key=key))[0] == 403
    assert refused(lambda: collections(server, "things", "a", key="READER"))[0] == 404
    server.stop()


def test_without_it_there_is_nothing_to_tell(make_server):
    server = make_server("--no-heat").start()
    make_table(server)
    status, said = refused(lambda: heat(server))
    assert status == 400 and "not counted" in said
    server.stop()


def make_collections(table, **sizes):
    """A table with collections of so many items each. `table` calls DynamoDB's API."""
    table.create_table(
        TableName="things",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "day")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[
            {"IndexName": "by_day", "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    items = [{"pk": {"S": name}, "sk": {"S": f"{i:04}"}} for name, size in sizes.items() for i in range(size)]
    for at in range(0, len(items), 25):
        answer = table.batch_write_item(RequestItems={"things": [{"PutRequest": {"Item": item}} for item in items[at : at + 25]]})
        assert not answer["UnprocessedItems"]


def lint_table(url, *arguments):
    """What it found, by rule, and what it said."""
    command = [BINARY, "lint-table", "things", "--endpoint", url, "--json", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert told.returncode < 2, told.stderr
    return {each["id"]: each for each in json.loads(told.stdout)}, told.stderr


# Of each item "pk", "sk", the partition key and four digits.
def bytes_of(name, items):
    return items * (4 + len(name) + 4)


def test_sizes_of_collections_are_told_whoever_touches_them(make_server):
    server = make_server("--no-heat").start()
    make_collections(client(server, 3), big=70, small=2)
    told = collections(server, "things", "small", "nobody", "big")
    assert told["table"] == "things"
    assert told["collections"] == [
        {"key": {"pk": {"S": name}}, "items": items, "bytes": bytes_of(name, items)} for name, items in (("small", 2), ("nobody", 0), ("big", 70))
    ]
    assert len(collections(server, "things", *["big"] * 64)["collections"]) == 64
    for status, part, asked in (
        (400, "1 to 64 partition keys", lambda: collections(server, "things", *["big"] * 65)),
        (400, "1 to 64 partition keys", lambda: collections(server, "things")),
        (404, "not_found", lambda: collections(server, "nowhere", "big")),
        (400, "must be a partition key", lambda: ask(server, "/collections?table=things&key=big")),
        (400, "no parameter seconds", lambda: ask(server, "/collections?table=things&seconds=60")),
    ):
        assert (refused(asked)[0], part in refused(asked)[1]) == (status, True), refused(asked)
    server.stop()


# G3, G4: what was read of a collection is a part of it.
def test_the_linter_of_tables_knows_collections_beyond_what_it_read(make_server):
    server = make_server("--no-heat").start()
    sizes = {f"k{i}": 300 for i in range(12)}
    make_collections(client(server, 3), **sizes)
    found, said = lint_table(server.url, "--items", "100", "--limit", "collection-items=299")
    assert "100 items read" in said
    largest = re.search(r"^  largest item collection of those that were read: (k\d+), 300 items, (\d+) bytes$", said, re.M)
    assert largest and int(largest[2]) == bytes_of(largest[1], 300), said
    assert " has 300 items" in found["large-collection"]["message"]
    assert "this endpoint does not tell its heat" in said
    server.stop()


# G7, G11
def test_the_linter_of_tables_tells_what_is_hot(make_server, directory):
    path = write_credentials(directory)
    server = make_server("--credentials", path).start()
    boss = boto3.client("dynamodb", endpoint_url=server.url, aws_access_key_id="BOSS", aws_secret_access_key=SECRET, region_name="us-east-1")
    make_collections(boss, **{f"k{i}": 1 for i in range(120)})
    # Nearly all writes of the table, and all of its index, are of one partition key: enough to tell of a minute later.
    for number in range(40):
        item = {"pk": {"S": "hot"}, "sk": {"S": f"{number}"}, "text": {"S": "x" * 390 * 1024}}
        boss.put_item(TableName="things", Item=item if number % 2 else {**item, "day": {"S": "today"}})
    known = ["--credentials", path, "--profile"]

    def told():
        found, said = lint_table(server.url, *known, "reader")
        assert "does not tell its heat" not in said
        return "uneven-throughput" in found

    eventually(told, 30)  # of less than ten seconds nothing is found
    command = [BINARY, "lint-table", "things", "--endpoint", server.url, *known, "reader"]
    text = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    uneven = [line for line in text.splitlines() if "[uneven-throughput G7 G11]" in line]
    assert any("one partition key has 9" in line and "of the writes; the hottest is hot [" in line for line in uneven), text
    assert any("index by_day: all writes go to 1 partition key" in line and "the hottest is today [" in line for line in uneven), text
    refusal = subprocess.run([*command[:-1], "meter"], capture_output=True, text=True, timeout=60)
    assert refusal.returncode == 2 and "hot" not in refusal.stdout
    server.stop()


def test_an_endpoint_that_has_dynamodb_alone_is_asked_once(make_server):
    server = make_server().start()
    make_collections(client(server, 3), **{f"k{i}": 300 for i in range(12)})
    asked = []

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.answer(404, b"<UnknownOperationException/>", "text/xml")

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name: self.headers[name] for name in ("X-Amz-Target", "Content-Type", "Authorization", "X-Amz-Date") if name in self.headers}
            with urllib.request.urlopen(urllib.request.Request(server.url, body, headers), timeout=20) as answer:
                self.answer(answer.status, answer.read(), answer.headers["Content-Type"])

        def answer(self, status, body, of):
            self.send_response(status)
            for name, value in (("Content-Type", of), ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        found, said = lint_table(f"http://127.0.0.1:{elsewhere.server_port}", "--items", "100", "--limit", "collection-items=299")
        elsewhere.shutdown()
    assert [path.partition("?")[0] for path in asked] == ["/heat", "/collections"]
    assert "this endpoint does not tell its heat: throughput and throttling were not looked at" in said
    assert "large-collection" not in found and "of those that were read" in said
    server.stop()


def test_a_partition_that_is_asked_for_too_much_is_told_of_and_clients_wait_for_it(make_server):
    server = make_server("--throttle-partitions").start()
    make_table(server)
    impatient, patient = client(server, 0), client(server, 10)
    secret = "a-key-of-its-own"
    item = {"pk": {"S": secret}, "text": {"S": "x" * 390 * 1024}}
    with pytest.raises(ClientError) as error:
        for _ in range(100):
            impatient.put_item(TableName="things", Item=item)
    answer = error.value.response
    assert answer["Error"]["Code"] == "ThrottlingException"
    patient.put_item(TableName="things", Item=item)
    told = heat(server, "?table=things")
    assert told["partition_count"] == 4
    assert told["writes"]["throttled_partitions"][0]["key"] == {"pk": {"S": secret}}
    # Of less than ten seconds nothing is found.
    eventually(lambda: "throttled" in [finding["kind"] for finding in heat(server, "?table=things")["findings"]], 30)
    events = server.wait_for_event("uneven or throttled traffic", seconds=30)
    assert {"table": "things", "finding": "throttled"}.items() <= events[0].items()
    assert 'sheaf_heat_finding{table="things",finding="throttled",access="writes"} 1' in server.metrics_text()
    assert secret not in server.metrics_text()
    server.stop()
    assert secret not in server.log_path.read_text()


# A partition must be hot for a minute, which is the machine's: PartitionThrottling.AHotPartitionIsSplitAndThenMoreGetsThrough
# has it in a clock of its own.
@pytest.mark.skipif(SECONDS < 60, reason="takes more than a minute: SHEAF_TEST_SECONDS=60 asks for it")
def test_a_partition_that_stays_hot_is_split_and_then_more_gets_through(make_server):
    server = make_server("--throttle-partitions").start()
    make_table(server, BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
    units = 100
    item = {"text": {"S": "x" * (units * 1024 - 100)}}
    puts = [{"TableName": "things", "Item": {"pk": {"S": f"k{number}"}, **item}} for number in range(32)]
    partition_count = lambda: heat(server, "?table=things")["partition_count"]
    with server.connect() as connection:

        # Three seconds' worth of one partition, several times a second: the units that were written, in one second.
        def write(seconds):
            written, refused, begin = 0, 0, time.monotonic()
            while time.monotonic() < begin + seconds:
                for put in puts:
                    answer = connection.call("PutItem", put)
                    assert answer.status == 200 or b"TableWriteKeyRangeThroughputExceeded" in answer.body, answer
                    written += units * (answer.status == 200)
                    refused += answer.status != 200
                time.sleep(0.25)
            assert refused
            return written / (time.monotonic() - begin)

        # The first second's worth is there at once.
        assert write(20) <= 1_000 * 1.1 + units
        assert partition_count() == 1
        eventually(lambda: write(1) and partition_count() > 1, 120)
        assert write(20) >= 1_000 * 1.4
    server.stop()
