"""sheaf watch, sheaf top, and what a server watches by itself: real load with skew, told by entity and relation."""

import json
import os
import pty
import re
import select
import subprocess
import time
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from server_process import BINARY, eventually
from test_heat import client

MODEL = f"{Path(__file__).resolve().parent / 'watched.sheaf'}:stored"


def order(customer, number, status="OPEN", **more):
    keys = {"PK": f"CUSTOMER#{customer}", "SK": f"ORDER#o-{number}", "GSI1PK": f"STATUS#{status}", "GSI1SK": f"o-{number}"}
    return {**{name: {"S": value} for name, value in keys.items()}, "status": {"S": status}, **more}


def put_orders(server, chosen, begin=0):
    """An order for each of the customers, 25 at a time."""
    with server.connect() as connection:
        for at in range(0, len(chosen), 25):
            writes = [{"PutRequest": {"Item": order(customer, begin + at + i)}} for i, customer in enumerate(chosen[at : at + 25])]
            answer = connection.call("BatchWriteItem", {"RequestItems": {"shop": writes}})
            assert answer.status == 200 and not answer.value["UnprocessedItems"], answer


def sheaf(*arguments, status=0):
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return done.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def skewed(chance, count):
    """Customer c-7 has most of them."""
    return ["c-7" if chance.random() < 0.7 else f"c-{100 + chance.randrange(50)}" for _ in range(count)]


def test_top_names_hot_keys_and_sums_by_entity(make_server, chance):
    server = make_server("--model", MODEL).start()
    chosen = skewed(chance, 2000)
    put_orders(server, chosen)
    with server.connect() as connection:
        key = {"PK": {"S": "CUSTOMER#c-7"}, "SK": {"S": f"ORDER#o-{chosen.index('c-7')}"}}
        for _ in range(300):
            assert connection.call("GetItem", {"TableName": "shop", "Key": key, "ConsistentRead": True}).status == 200
    admin = f"http://127.0.0.1:{server.admin_port}"
    [told] = lines(sheaf("top", "--endpoint", server.url, "--admin", admin, "--once", "--json", "--rows", 50))
    places = {(each["table"], each.get("index")): each for each in told["resources"]}
    assert places["shop", None]["writes"]["units_per_second"] * told["seconds"] > 1900
    assert places["shop", "by_status"]["writes"]["units_per_second"] > 0
    [hottest] = [each for each in told["keys"] if each["of"] == "shop" and each["partition"] and each["access"] == "writes" and each["share"] > 0.5]
    assert (hottest["kind"], hottest["name"]) == ("Customer", "Customer c-7")
    read = [each for each in told["keys"] if each["access"] == "reads" and not each["partition"]][0]
    assert (read["kind"], read["name"]) == ("Order", f"Order o-{chosen.index('c-7')} of Customer c-7")
    [index] = [each for each in told["keys"] if each["of"] == "shop/by_status" and each["partition"] and each["access"] == "writes"]
    assert index["name"] == "Order (status OPEN)"
    reads = {each["kind"]: each["read_units_per_second"] for each in told["kinds"] if each["of"] == "shop"}
    assert reads["Order"] * told["seconds"] > 200  # of 300; asked for a little later
    # What is written once each is a kind of its own, though no key of it is hot.
    writes = {each["kind"]: each["write_units_per_second"] for each in told["kinds"] if each["of"] == "shop"}
    assert writes["Order"] > 0.25 * sum(writes.values())
    # The two are asked for one after the other, since the server was started.
    assert sum(writes.values()) == pytest.approx(places["shop", None]["writes"]["units_per_second"], rel=0.3)
    grown = {each["name"]: each["items"] for each in told["collections"]}
    assert grown["Customer c-7"] == chosen.count("c-7")
    [latency] = [each for each in told["latencies"] if each["operation"] == "GetItem"]
    assert latency["requests"] == 300 and 0 < latency["p50_seconds"] <= latency["p99_seconds"]
    text = sheaf("top", "--endpoint", server.url, "--once")
    assert re.search(r"^Customer c-7 +shop +writes, partition", text, re.M) and "LATENCIES" not in text
    server.stop()


def test_top_takes_names_from_a_model_of_its_own(make_server, chance):
    server = make_server("--model", MODEL).start()
    put_orders(server, skewed(chance, 200))
    server.stop()
    server = make_server().start()
    put_orders(server, skewed(chance, 200), 200)
    assert "PK=CUSTOMER#c-7" in sheaf("top", "--endpoint", server.url, "--once")
    assert "Customer c-7" in sheaf("top", "--endpoint", server.url, "--once", "--model", MODEL)
    server.stop()


def test_top_is_drawn_again_and_again_until_q(make_server, chance):
    server = make_server("--model", MODEL).start()
    put_orders(server, skewed(chance, 100))
    master, slave = pty.openpty()
    with subprocess.Popen([BINARY, "top", "--endpoint", server.url, "--every", "0.2s"], stdin=slave, stdout=slave, stderr=slave) as top:
        os.close(slave)
        shown = b""
        deadline = time.monotonic() + 60
        while shown.count(b"\x1b[H") < 3:
            assert time.monotonic() < deadline and select.select([master], [], [], 10)[0], shown
            shown += os.read(master, 65536)
        os.write(master, b"q")
        try:
            while select.select([master], [], [], 10)[0]:
                shown += os.read(master, 65536)
        except OSError:
            pass  # the other side is gone
        assert top.wait(30) == 0
    os.close(master)
    assert shown.startswith(b"\x1b[?1049h") and shown.rstrip().endswith(b"\x1b[?1049l") and b"Customer c-7" in shown
    server.stop()


def test_top_of_the_admin_port_alone_has_tables_and_no_keys(make_server):
    server = make_server("--model", MODEL).start()
    admin = f"http://127.0.0.1:{server.admin_port}"
    with subprocess.Popen([BINARY, "top", "--admin", admin, "--json", "--every", "0.3s"], stdout=subprocess.PIPE, text=True) as top:
        number = 0
        while True:
            put_orders(server, ["c-7"] * 25, number)
            number += 25
            told = json.loads(top.stdout.readline())
            if told["resources"] and told["latencies"]:
                break
        assert told["resources"][0]["table"] == "shop" and told["resources"][0]["writes"]["units_per_second"] > 0
        assert told["keys"] == [] and "without --endpoint" in told["trouble"]
        top.terminate()
        assert top.wait(30) == 0
    server.stop()


def test_watch_follows_a_collection_to_its_limit(make_server, chance):
    server = make_server("--model", MODEL).start()
    put_orders(server, ["c-7"] * 500)
    command = [BINARY, "watch", "--model", MODEL, "--endpoint", server.url, "--every", "1s", "--forecast-after", "2s"]
    command += ["--limit", "collection-items=1000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        events = []
        number = 500
        while not any(event["limit"] == "collection-items" for event in events):
            put_orders(server, ["c-7"] * 25, number)
            number += 25
            if select.select([watch.stdout], [], [], 0.25)[0]:
                events.append(json.loads(watch.stdout.readline()))
            assert number < 20_000, events
        [note] = [event for event in events if event["limit"] == "collection-items"]
        assert (note["name"], note["kind"], note["point"]) == ("Customer c-7", "Customer", "G4")
        if note["severity"] == "note":
            assert note["event"] == "begins" and note["value"] < 1000 and note["seconds_to_limit"] > 0 and note["watched_seconds"] >= 2
            put_orders(server, ["c-7"] * max(1000 - number, 0), number)
            while not (events[-1]["limit"] == "collection-items" and events[-1]["severity"] == "warning"):
                events.append(json.loads(watch.stdout.readline()))
            assert events[-1]["event"] == "worsens" and events[-1]["value"] >= 1000
        watch.terminate()
        rest = lines(watch.stdout.read())
        assert watch.wait(30) == 1
    assert rest[-1]["event"] == "end" and rest[-1]["failed"] and rest[-1]["heat"]
    figures = {(each["limit"], each.get("kind")): each for each in rest if each["event"] == "figure"}
    assert figures["collection-items", "Customer"]["warnings"] == 1
    assert ("item-bytes", "Order") in figures
    server.stop()


def test_watch_tells_throttled_customers(make_server):
    server = make_server("--model", MODEL, "--throttle-partitions").start()
    impatient = client(server, 0)
    refused = 0
    for number in range(200):
        try:
            impatient.put_item(TableName="shop", Item=order("c-9", 1, text={"S": "x" * 390 * 1024}))
        except ClientError as error:
            assert error.response["Error"]["Code"] == "ThrottlingException"
            refused += 1
            if refused == 3:
                break
    assert refused == 3
    told = lines(sheaf("watch", "--model", MODEL, "--endpoint", server.url, "--for", "0s", "--json", status=1))
    [throttled] = [event for event in told if event["event"] == "begins" and event["limit"] == "throttled"]
    assert (throttled["severity"], throttled["name"]) == ("error", "Customer c-9")
    [large] = [event for event in told if event["event"] == "begins" and event["limit"] == "item-bytes"]
    assert (large["severity"], large["name"]) == ("warning", "Order o-1 of Customer c-9")
    [shown] = lines(sheaf("top", "--endpoint", server.url, "--once", "--json"))
    assert shown["throttled"][0]["name"] == "Customer c-9"
    server.stop()


def test_watch_knows_collections_where_there_is_no_heat(make_server):
    server = make_server("--model", MODEL, "--no-heat").start()
    put_orders(server, ["c-7"] * 200 + [f"c-{i}" for i in range(100, 150)])
    text = sheaf("watch", "--model", MODEL, "--endpoint", server.url, "--for", "3s", "--every", "1s", "--requests", 600, "--limit", "collection-items=200", status=1)
    assert "warning begins: Customer c-7 in shop: items of a collection: 200, the limit is 200 [collection-items G4]\n  = split it" in text
    assert "does not tell its heat" in text
    # As it is counted: what is counted by Query comes in steps of 4 KB.
    told = lines(sheaf("watch", "--model", MODEL, "--endpoint", server.url, "--for", "3s", "--every", "1s", "--requests", 600, "--json"))
    with server.connect() as connection:
        counted = connection.call("Query", {"TableName": "shop", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "CUSTOMER#c-7"}}}).value
    size = sum(len(name) + len(value["S"]) for item in counted["Items"] for name, value in item.items())
    [figure] = [each for each in told if each["event"] == "figure" and each["limit"] == "collection-bytes" and each.get("kind") == "Customer"]
    assert figure["value"] == size
    server.stop()


def test_a_server_watches_its_models_by_itself(make_server):
    server = make_server("--model", MODEL, "--watch-limit", "collection-items=300").start()
    put_orders(server, ["c-secret"] * 320)
    [began] = eventually(lambda: [e for e in server.events() if e["event"] == "limit warning begins" and e["limit"] == "collection-items" and e["table"] == "shop"], 40)
    assert {"level": "warning", "severity": "warning", "table": "shop", "kind": "Customer", "value": "320", "line": "300"}.items() <= began.items()
    assert 'sheaf_limit_value{limit="collection-items",table="shop",kind="Customer"} 320' in server.metrics_text()
    assert 'sheaf_limit_warnings{limit="collection-items",table="shop",kind="Customer"} 1' in server.metrics_text()
    with server.connect() as connection:
        for number in range(320):
            key = {name: order("c-secret", number)[name] for name in ("PK", "SK")}
            assert connection.call("DeleteItem", {"TableName": "shop", "Key": key}).status == 200
    eventually(lambda: [e for e in server.events() if e["event"] == "limit warning ends" and e["limit"] == "collection-items"], 40)
    assert "c-secret" not in server.metrics_text()
    server.stop()
    assert "c-secret" not in server.log_path.read_text()


def test_a_server_can_be_told_not_to_watch(make_server):
    server = make_server("--model", MODEL, "--no-watch").start()
    put_orders(server, ["c-7"] * 25)
    assert "sheaf_limit_value" not in server.metrics_text()
    server.stop()
    server = make_server("--model", MODEL, "--watch-limit", "collection-item=3")
    done = subprocess.run(server.command() + server.options, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--watch-limit: there is no limit collection-item; there is collection-items" in done.stderr


def test_who_may_read_items_may_see_them_in_top(make_server, directory):
    path = f"{directory}/credentials"
    with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        for name, role in (("boss", "admin"), ("reader", "readonly"), ("meter", "metrics")):
            file.write(f"[{name}]\naws_access_key_id = {name.upper()}\naws_secret_access_key = a-secret-of-{name}-here\nsheaf_role = {role}\n")
    server = make_server("--model", MODEL, "--credentials", path).start()
    known = ["--endpoint", server.url, "--credentials", path, "--profile"]
    sheaf("model", "run", MODEL.removesuffix(":stored"), "put.Customer", '{"id": "c-5", "name": "Eve"}', "--layout", "stored", *known, "boss")
    assert "Customer c-5" in sheaf("top", "--once", *known, "reader")
    denied = subprocess.run([BINARY, "top", "--once", *known, "meter"], capture_output=True, text=True, timeout=60)
    assert denied.returncode == 2 and "status 403" in denied.stderr and "c-5" not in denied.stdout + denied.stderr
    server.stop()
