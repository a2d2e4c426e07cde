"""The server as a process: how it starts, what it refuses to start with, how it ends, and what it writes."""

import json
import re
import signal
import socket
import ssl
import stat
import subprocess
import threading
import time
import urllib.request
import warnings
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from raw_http import Connection, request
from server_process import BINARY, eventually, make_table, scan

SECRET = "a-secret-that-nobody-may-read"
OTHER_SECRET = "another-secret-of-somebody-else"
ROOT = Path(__file__).resolve().parents[2]


def put(number, size=100):
    return {"TableName": "things", "Item": {"pk": {"S": f"key {number}"}, "text": {"S": "x" * size}}}


def run(*options, seconds=10):
    """A server that is expected to end by itself: exit code and what it said."""
    command = [BINARY, "serve", *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
    return ended.returncode, ended.stdout + ended.stderr


def write(path, text, mode=0o600):
    path = Path(path)
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def credentials(**secrets):
    return "".join(f"[{name}]\naws_access_key_id = KEY{name.upper()}\naws_secret_access_key = {secret}\n" for name, secret in secrets.items())


def client(server, key, secret, **more):
    config = Config(retries={"max_attempts": 0}, connect_timeout=10, read_timeout=20)
    return boto3.client("dynamodb", endpoint_url=server.url, aws_access_key_id=key, aws_secret_access_key=secret, config=config, **more)


def denial(call, **arguments):
    with pytest.raises(ClientError) as error:
        call(**arguments)
    return error.value.response["Error"]["Code"]


# Start and end.


def test_what_is_in_flight_at_sigterm_is_answered(server):
    make_table(server)
    connections = [server.connect() for _ in range(64)]
    for connection in connections:
        assert connection.get("/healthz").status == 200
    expected = set()
    for number, connection in enumerate(connections):
        names = [f"{number}-{part}" for part in range(25)]
        expected.update(f"key {name}" for name in names)
        writes = [{"PutRequest": {"Item": put(name, 4000)["Item"]}} for name in names]
        connection.send(request("BatchWriteItem", {"RequestItems": {"things": writes}}))
    server.signal(signal.SIGTERM)
    answers = [connection.answer() for connection in connections]
    assert [answer.status for answer in answers] == [200] * len(answers)
    assert all(answer.value["UnprocessedItems"] == {} for answer in answers)
    closing = sum(answer.headers.get("connection") == "close" for answer in answers)
    print(f"{closing} of {len(answers)} answers came behind the signal")
    for connection in connections:
        assert connection.wait_for_close(5) == b""
        connection.close()
    assert server.process.wait(15) == 0
    server.start()
    assert {item["pk"]["S"] for item in scan(server, "things")} == expected
    server.stop()


def test_a_request_that_has_begun_to_arrive_at_sigterm_is_answered(server):
    make_table(server)
    whole = request("PutItem", put(1, 50_000))
    with server.connect() as begun, server.connect() as idle:
        begun.send(whole[:20_000])
        time.sleep(0.3)
        server.signal(signal.SIGTERM)
        assert idle.wait_for_close(5) == b""
        time.sleep(0.3)
        begun.send(whole[20_000:])
        answer = begun.answer()
        assert answer.status == 200 and answer.headers["connection"] == "close"
    assert server.process.wait(15) == 0
    with pytest.raises(ConnectionError):
        Connection(server.port)
    server.start()
    assert len(scan(server, "things")) == 1


def test_writers_under_load_see_an_end_and_no_lie_at_sigterm(server):
    """Each write was acknowledged and is there, or the connection ended without an answer."""
    make_table(server)
    acknowledged, failures = [], []

    def writer(name):
        number = 0
        try:
            with server.connect() as connection:
                while True:
                    answer = connection.call("PutItem", put(f"{name}-{number}"))
                    if answer.status != 200:
                        failures.append(answer)
                    acknowledged.append(f"key {name}-{number}")
                    number += 1
                    if answer.headers.get("connection") == "close":
                        return
        except Exception as error:
            if not isinstance(error, ConnectionError) and type(error).__name__ != "Closed":
                failures.append(error)

    threads = [threading.Thread(target=writer, args=(name,), daemon=True) for name in range(16)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    begin = time.monotonic()
    server.stop()
    took_s = time.monotonic() - begin
    for thread in threads:
        thread.join(10)
    assert failures == []
    server.start()
    there = {item["pk"]["S"] for item in scan(server, "things")}
    assert set(acknowledged) <= there
    assert len(there) - len(set(acknowledged)) <= len(threads)
    print(f"{len(acknowledged)} acknowledged; ended {took_s * 1000:.0f} ms after the signal")
    assert took_s < 11


def test_a_client_that_never_finishes_does_not_hold_up_the_end(server):
    make_table(server)
    with server.connect() as half:
        half.send(request("PutItem", put(1))[:-1])
        time.sleep(0.2)
        begin = time.monotonic()
        server.stop()
        took_s = time.monotonic() - begin
        print(f"ended {took_s:.1f} s after the signal")
        assert took_s < 8  # the grace for what was accepted is 10


def test_a_second_server_on_the_same_directory_is_refused(server):
    code, words = run("--data", str(server.data), "--port", "0", "--admin-port", "-1")
    assert code == 1
    assert str(server.data) in words and "another process" in words, words
    make_table(server)
    server.check_health()


def test_a_second_server_on_the_same_port_is_refused(server, directory):
    code, words = run("--data", f"{directory}/other", "--port", str(server.port), "--admin-port", "-1")
    assert code == 1
    assert str(server.port) in words and "in use" in words, words
    code, words = run("--in-memory", "--port", "0", "--admin-port", str(server.admin_port))
    assert code != 0
    assert str(server.admin_port) in words and "in use" in words and "--admin-port chooses another" in words, words
    server.check_health()


BAD_OPTIONS = {
    "no place for the data": ([], "--data"),
    "two places for the data": (["--data", "DIR/data", "--in-memory"], "exclude each other"),
    "an unknown option": (["--in-memory", "--nonsense"], "--nonsense"),
    "a port that is none": (["--in-memory", "--port", "70000"], "port"),
    "a port of letters": (["--in-memory", "--port", "http"], "port"),
    "an address that is none": (["--in-memory", "--address", "300.1.1.1"], "300.1.1.1"),
    "too little memory": (["--in-memory", "--memory", "1MB"], "128 MB"),
    "memory of words": (["--in-memory", "--memory", "much"], "--memory"),
    "an unknown durability": (["--data", "DIR/data", "--durability", "some"], "durable"),
    "a certificate without its key": (["--in-memory", "--tls-certificate", "DIR/none"], "--tls-key"),
    "a certificate that is not there": (["--in-memory", "--tls-certificate", "DIR/none", "--tls-key", "DIR/none"], "none"),
    "a config file that is not there": (["--config", "DIR/none"], "none"),
    "an origin that is none": (["--in-memory", "--allow-origin", "nonsense"], "nonsense"),
    "a lag without its table": (["--in-memory", "--index-lag", "50"], "TABLE=MILLISECONDS"),
    "a lag of more than a minute": (["--in-memory", "--read-lag", "things=60001"], "60000"),
    "a lag that ends before it begins": (["--in-memory", "--read-lag", "things=50-5"], "things"),
    "a lag of a table given twice": (["--in-memory", "--index-lag", "things=5", "--index-lag", "things=6"], "twice"),
    "a seed that is none": (["--in-memory", "--lag-seed", "many"], "--lag-seed"),
    "a lag of what is elsewhere": (["--endpoint", "http://127.0.0.1:1", "--index-lag", "*=5"], "--index-lag"),
    "everybody's network without credentials": (["--in-memory", "--address", "0.0.0.0"], "--credentials"),
    "everybody's network of version 6 without credentials": (["--in-memory", "--address", "::"], "--credentials"),
}


@pytest.mark.parametrize("options, told", BAD_OPTIONS.values(), ids=BAD_OPTIONS.keys())
def test_wrong_options_give_a_message_and_a_failure(directory, options, told):
    write(f"{directory}/file", "not a directory")
    options = [option.replace("DIR", directory) for option in options]
    ports = [] if "--port" in options else ["--port", "0"]
    code, words = run(*options, *ports, "--admin-port", "-1")
    assert code == 2, (code, words)
    assert told in words, words


@pytest.mark.parametrize("options", [["--data", "DIR/file"], ["--data", "/proc/nothing/data"], ["--in-memory", "--credentials", "DIR/none"]])
def test_what_cannot_be_opened_is_no_wrong_use(directory, options):
    write(f"{directory}/file", "not a directory")
    options = [option.replace("DIR", directory) for option in options]
    code, words = run(*options, "--port", "0", "--admin-port", "-1")
    assert code == 1 and options[-1] in words, (code, words)


def test_options_come_from_a_config_file(make_server, directory):
    config = write(f"{directory}/sheaf.conf", "memory = 192MB\nregion = eu-central-1\naccount = 123456789012\ndurability = relaxed\n")
    server = make_server("--config", config).start()
    table = make_table(server)
    assert table["TableArn"] == "arn:aws:dynamodb:eu-central-1:123456789012:table/things"
    assert server.wait_for_event("serving")[0]["durability"] == "relaxed"
    assert server.metric("sheaf_request_memory_bytes_max") == 24 << 20
    server.stop()


def test_what_is_wrong_in_a_config_file_is_told(directory):
    for text in ["nonsense = 1\n", "port = http\n", "memory = 1MB\n", "nonsense\n"]:
        config = write(f"{directory}/sheaf.conf", text)
        code, words = run("--config", config, "--data", f"{directory}/data", "--admin-port", "-1")
        assert code > 0 and words.strip(), (text, code, words)


# Who may come in.


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_credentials_that_others_can_read_are_refused(directory, mode):
    path = write(f"{directory}/credentials", credentials(alice=SECRET), mode)
    code, words = run("--in-memory", "--port", "0", "--admin-port", "-1", "--credentials", path)
    assert code > 0
    assert path in words and SECRET not in words, words


def test_wrong_credentials_files_are_refused_without_telling_secrets(directory):
    for text in ["", "nonsense", f"[alice]\naws_secret_access_key = {SECRET}\n", credentials(alice=SECRET) * 2, credentials(alice="short"),
                 credentials(alice=SECRET) + "sheaf_role = king\n", credentials(alice=SECRET) + f"{SECRET} = 1\n"]:
        path = write(f"{directory}/credentials", text)
        code, words = run("--in-memory", "--port", "0", "--admin-port", "-1", "--credentials", path)
        assert code > 0 and words.strip(), (text, words)
        assert SECRET not in words, words


def test_only_who_has_a_secret_comes_in_and_sighup_reads_them_again(make_server, directory):
    path = write(f"{directory}/credentials", credentials(alice=SECRET))
    server = make_server("--credentials", path).start()
    alice, bob = client(server, "KEYALICE", SECRET), client(server, "KEYBOB", OTHER_SECRET)
    assert alice.list_tables()["TableNames"] == []
    assert denial(bob.list_tables) == "UnrecognizedClientException"
    assert denial(client(server, "KEYALICE", OTHER_SECRET).list_tables) == "InvalidSignatureException"
    assert server.call("ListTables", {}).status == 400

    write(path, credentials(bob=OTHER_SECRET))
    server.signal(signal.SIGHUP)
    server.wait_for_event("credentials read again")
    assert bob.list_tables()["TableNames"] == []
    assert denial(alice.list_tables) == "UnrecognizedClientException"

    write(path, credentials(alice=SECRET), 0o644)
    server.signal(signal.SIGHUP)
    server.wait_for_event("credentials stay as they were")
    assert bob.list_tables()["TableNames"] == []
    server.stop()
    assert SECRET not in server.log_path.read_text() and OTHER_SECRET not in server.log_path.read_text()


def test_another_address_is_served_with_credentials(make_server, directory):
    path = write(f"{directory}/credentials", credentials(alice=SECRET))
    server = make_server("--credentials", path, "--address", "0.0.0.0").start()
    server.url = f"http://127.0.0.1:{server.port}"
    assert client(server, "KEYALICE", SECRET).list_tables()["TableNames"] == []
    server.stop()


def make_certificate(directory):
    certificate, key = f"{directory}/certificate.pem", f"{directory}/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True, timeout=60)
    return certificate, key


def test_tls_serves_the_same(make_server, directory):
    certificate, key = make_certificate(directory)
    server = make_server("--tls-certificate", certificate, "--tls-key", key).start()
    assert server.url.startswith("https://")
    alice = client(server, "KEYALICE", SECRET, verify=certificate)
    alice.create_table(TableName="things", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                       AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    item = {"pk": {"S": "large"}, "text": {"S": "x" * 390_000}}
    alice.put_item(TableName="things", Item=item)
    assert alice.get_item(TableName="things", Key={"pk": {"S": "large"}})["Item"] == item

    # Neither plain text nor an old version nor silence gets anywhere, and none is in others' way.
    with server.connect() as plain:
        plain.send(request("ListTables", {}))
        assert b"200 OK" not in (plain.wait_for_close(5) or b"")
    context = ssl.create_default_context(cafile=certificate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
            context.wrap_socket(plain, server_hostname="localhost")
    with server.connect() as silent:
        silent.send(b"\x16\x03\x01")
        begin = time.monotonic()
        assert silent.wait_for_close(15) is not None
        print(f"a silent handshake was closed after {time.monotonic() - begin:.1f} s")
    assert alice.list_tables()["TableNames"] == ["things"]

    # Commands of the workbench have a way of their own.
    command = {"arguments": ["lint-table", "things", "--endpoint", "@server", "--json"], "wait_ms": 20_000}
    asked = urllib.request.Request(f"{server.url}/workbench/api/commands", json.dumps(command).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=30, context=ssl.create_default_context(cafile=certificate)) as answer:
        run = json.load(answer)
    assert run["state"] == "done" and "table things: 1 item read" in run["errors"], run
    server.stop()


# What it writes.


def mode_of(path):
    return stat.S_IMODE(Path(path).stat().st_mode)


def test_the_data_directory_is_for_its_owner_alone(server):
    assert mode_of(server.data) == 0o700


def test_the_audit_log_has_control_operations_and_denials_and_no_secrets(make_server, directory):
    path = write(f"{directory}/credentials", credentials(alice=SECRET) + "[carol]\naws_access_key_id = KEYCAROL\n"
                 f"aws_secret_access_key = {OTHER_SECRET}\nsheaf_role = readonly\n")
    audit = Path(directory, "audit")
    server = make_server("--credentials", path, "--audit-log", str(audit)).start()
    alice, carol = client(server, "KEYALICE", SECRET), client(server, "KEYCAROL", OTHER_SECRET)
    key = {"pk": {"S": "a key that stays out of logs"}}
    alice.create_table(TableName="things", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                       AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    alice.put_item(TableName="things", Item=key)
    assert carol.get_item(TableName="things", Key=key)["Item"] == key
    assert denial(carol.put_item, TableName="things", Item=key) == "AccessDeniedException"
    assert denial(client(server, "KEYALICE", OTHER_SECRET).put_item, TableName="things", Item=key) == "InvalidSignatureException"
    assert denial(alice.delete_table, TableName="nothing") == "ResourceNotFoundException"
    insights = {"TableName": "things", "ContributorInsightsAction": "ENABLE"}
    assert denial(carol.update_contributor_insights, **insights) == "AccessDeniedException"
    assert carol.describe_contributor_insights(TableName="things")["ContributorInsightsStatus"] == "DISABLED"
    assert carol.list_contributor_insights()["ContributorInsightsSummaries"] == []
    alice.update_contributor_insights(**insights)
    alice.delete_table(TableName="things")

    # Put away and opened anew.
    audit.rename(f"{audit}.1")
    server.signal(signal.SIGHUP)
    eventually(audit.exists)
    assert denial(alice.delete_table, TableName="later") == "ResourceNotFoundException"
    server.stop()

    assert mode_of(audit) == mode_of(f"{audit}.1") == 0o600
    text = Path(f"{audit}.1").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    told = [(line["event"], line.get("access_key_id"), line.get("operation"), line["outcome"]) for line in lines]
    assert told == [
        ("control", "KEYALICE", "CreateTable", "ok"),
        ("denial", "KEYCAROL", "PutItem", "AccessDeniedException"),
        ("denial", "KEYALICE", "PutItem", "InvalidSignatureException"),
        ("control", "KEYALICE", "DeleteTable", "ResourceNotFoundException"),
        ("denial", "KEYCAROL", "UpdateContributorInsights", "AccessDeniedException"),
        ("control", "KEYALICE", "UpdateContributorInsights", "ok"),
        ("control", "KEYALICE", "DeleteTable", "ok"),
    ]
    assert [line["table"] for line in lines if line["event"] == "control"] == ["things", "nothing", "things", "things"]
    assert '"DeleteTable"' in audit.read_text() and "later" in audit.read_text()
    everything = text + audit.read_text() + server.log_path.read_text()
    for hidden in [SECRET, OTHER_SECRET, "a key that stays out of logs", "Signature="]:
        assert hidden not in everything, hidden


# A20: growth past a warning line is told, once, and without the key.
@pytest.mark.parametrize("where", ["log", "file"])
def test_models_of_the_start_are_told_in_one_line_and_audited_one_by_one(make_server, directory, where):
    models = [ROOT / "models" / name / "model.sheaf" for name in ("hr", "orgs")]
    audit = Path(directory, "audit")
    options = ["--model", f"{models[0]}:method2", "--model", str(models[1]), *(["--audit-log", str(audit)] if where == "file" else [])]
    server = make_server(*options).start()
    told = server.events()
    (line,) = [event for event in told if event["event"].startswith("serving model")]
    assert (line["count"], line["models"]) == ("2", "hr:method2,orgs")
    assert told[-1]["event"] == "serving" and told[-1]["workbench"] == f"{server.url}/workbench/"
    assert not [event for event in told if event["event"] == "audit"]
    if where == "file":
        assert [json.loads(entry)["table"] for entry in audit.read_text().splitlines()] == ["hr", "orgs"]
    make_table(server)  # what clients do stays in the log, which has no other place
    entries = audit.read_text().splitlines() if where == "file" else [event["entry"] for event in server.wait_for_event("audit")]
    assert json.loads(entries[-1])["operation"] == "CreateTable"


def test_an_item_collection_that_grows_large_is_told_of(server):
    attributes = [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    make_table(server, AttributeDefinitions=attributes, KeySchema=keys)
    with server.connect() as connection:
        for begin in range(0, 10_100, 25):
            writes = [{"PutRequest": {"Item": {"pk": {"S": "a-key-of-its-own"}, "sk": {"N": str(begin + each)}}}} for each in range(25)]
            assert connection.call("BatchWriteItem", {"RequestItems": {"things": writes}}).status == 200
    [warning] = server.wait_for_event("an item collection has grown large")
    assert warning["level"] == "warning" and warning["table"] == "things" and warning["line"] == "items"
    assert 10_000 <= int(warning["items"]) <= 10_100 and int(warning["bytes"]) > 100_000
    server.stop()
    assert "a-key-of-its-own" not in server.log_path.read_text()


SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (-?[0-9.e+-]+|NaN|[+-]Inf)')


def check_prometheus(text):
    """Every sample stands below its family's type, once; the classes of a histogram grow up to its count."""
    assert text.endswith("\n")
    types, seen, family = {}, set(), None
    buckets = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            family, kind = line.split(" ")[2:]
            assert kind in ("counter", "gauge", "histogram") and family not in types, line
            types[family] = kind
            continue
        if line.startswith("# HELP "):
            continue
        match = SAMPLE.fullmatch(line)
        assert match, line
        name, labels, value = match.groups()
        assert (name, labels) not in seen, line
        seen.add((name, labels))
        suffixes = ("_bucket", "_sum", "_count") if types[family] == "histogram" else ("",)
        assert name in [family + suffix for suffix in suffixes], line
        if name.endswith("_total"):
            assert types[family] == "counter" and float(value) >= 0
        if name.endswith("_bucket"):
            series = re.sub(r'(\{|,)le="[^"]*"\}$', r"\1}", labels).replace(",}", "}")
            assert float(value) >= buckets.get(series, 0), line
            buckets[series] = float(value)
        if name.endswith("_count") and types[family] == "histogram":
            assert float(value) == buckets[labels or "{}"], line
    return types


def test_metrics_are_prometheus_text_without_key_values(server):
    make_table(server)
    key = {"pk": {"S": "a key that stays out of metrics"}}
    server.call("PutItem", {"TableName": "things", "Item": {**key, "text": {"S": "text that stays out"}}})
    server.call("GetItem", {"TableName": "things", "Key": key})
    server.call("PutItem", {"TableName": "things", "Item": key, "ConditionExpression": "attribute_not_exists(pk)"})
    server.call("GetItem", {"TableName": 'no"thing\n', "Key": key})
    text = server.metrics_text()
    types = check_prometheus(text)
    assert types["sheaf_request_seconds"] == "histogram"
    assert re.search(r'sheaf_request_seconds_count\{operation="PutItem",table="things"\} [12]\n', text)
    assert 'sheaf_errors_total{operation="PutItem",exception="ConditionalCheckFailedException"} 1\n' in text
    assert 'sheaf_write_units_total{table="things"} ' in text
    assert "stays out" not in text
    with Connection(server.admin_port) as admin:
        assert admin.get("/healthz").status == 200
        assert admin.call("ListTables", {}).status in (404, 405)
    with server.connect() as connection:
        assert connection.get("/metrics").status == 404
