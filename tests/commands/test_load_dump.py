"""sheaf load and sheaf dump: formats, tables that are made, bad lines, going on after kill -9, endpoints."""

import base64
import gzip
import hashlib
import json
import os
import pty
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
MANY = 60_000


def sheaf(*arguments, stdin=None, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=300, input=stdin)
    assert done.returncode == status, (done.stdout, done.stderr)
    done.out, done.err = done.stdout.decode(errors="replace"), done.stderr.decode()
    return done


@pytest.fixture(params=["directory", "endpoint"])
def database(request, tmp_path):
    if request.param == "directory":
        yield ["--data", tmp_path / "data"]
        return
    server = subprocess.Popen(
        [PROGRAM, "serve", "--in-memory", "--port", "0", "--admin-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for line in server.stdout:
            if found := re.search(r"http://[\d.]+:\d+", line):
                break
        yield ["--endpoint", found.group(0)]
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def items(count):
    for i in range(count):
        yield {
            "pk": {"S": f"user-{i % 97}"},
            "sk": {"N": str(i)},
            "name": {"S": f"Zoë, \"{i}\"\n€"},
            "big": {"N": "1.2345678901234567890123456789012345678"},
            "photo": {"B": base64.b64encode(bytes([0, 255, i % 256])).decode()},
            "tags": {"SS": ["a", f"b{i % 5}"]},
            "doc": {"M": {"list": {"L": [{"N": "1"}, {"NULL": True}, {"BOOL": False}]}, "ns": {"NS": ["1", "2.5"]}}},
        }


def lines(count):
    return "".join(json.dumps({"Item": item}) + "\n" for item in items(count))


def dumped(database, table):
    out = sheaf("dump", table, *database).out
    return sorted(json.dumps(json.loads(line)["Item"], sort_keys=True) for line in out.splitlines())


def test_every_format_comes_back_as_it_was(database, tmp_path):
    source = tmp_path / "source.jsonl"
    source.write_text(lines(500))
    done = sheaf("load", "Things", source, "--key", "pk:S,sk:N", *database)
    assert done.out.startswith("500 items put into Things")
    expected = dumped(database, "Things")
    assert len(expected) == 500
    for number, (name, more) in enumerate(
        [
            ("a.jsonl", []),
            ("a.jsonl.gz", []),
            ("a.jsonl.zst", []),
            ("plain.jsonl", ["--format", "json"]),
            ("a.csv", []),
            ("a.csv.gz", []),
            ("export", ["--format", "export"]),
        ]
    ):
        out = tmp_path / name
        told = sheaf("dump", "Things", "--out", out, *more, *database).out
        assert told.startswith("500 items of Things")
        types = re.search(r"--types '(.*)'", told)
        options = ["--types", types.group(1)] if types else []
        assert bool(types) == ("csv" in name)
        # The export says how its table was made.
        made = [] if name == "export" else ["--like", "Things"]
        sheaf("load", f"Others{number}", out, *made, *options, *database)
        assert dumped(database, f"Others{number}") == expected, name


def test_an_export_is_as_aws_writes_it(tmp_path):
    source = tmp_path / "source.jsonl"
    source.write_text(lines(100))
    database = ["--data", tmp_path / "data"]
    sheaf("load", "Things", source, "--key", "pk:S,sk:N", *database)
    sheaf("dump", "Things", "--format", "export", "--out", tmp_path / "export", *database)
    summary = json.loads((tmp_path / "export/manifest-summary.json").read_text())
    assert summary["itemCount"] == 100 and summary["outputFormat"] == "DYNAMODB_JSON"
    assert summary["tableArn"].endswith(":table/Things")
    count = 0
    for line in (tmp_path / "export/manifest-files.json").read_text().splitlines():
        entry = json.loads(line)
        data = (tmp_path / "export/data" / Path(entry["dataFileS3Key"]).name).read_bytes()
        digest = hashlib.md5(data).digest()
        assert entry["md5Checksum"] == base64.b64encode(digest).decode()
        assert entry["etag"] == hashlib.md5(digest).hexdigest() + "-1"
        found = [json.loads(each) for each in gzip.decompress(data).decode().splitlines()]
        assert all(list(each) == ["Item"] for each in found) and len(found) == entry["itemCount"]
        count += len(found)
    assert count == 100
    for name in ["manifest-summary", "manifest-files"]:
        digest = hashlib.md5((tmp_path / f"export/{name}.json").read_bytes()).digest()
        assert (tmp_path / f"export/{name}.md5").read_text() == base64.b64encode(digest).decode()
    data = next((tmp_path / "export/data").glob("*.gz"))
    data.write_bytes(data.read_bytes()[:-1] + b"x")
    assert "is not what was exported" in sheaf("load", "Others", tmp_path / "export", *database, status=2).err


def test_standard_streams(tmp_path):
    database = ["--data", tmp_path / "data"]
    sheaf("load", "Things", "-", "--key", "pk:S,sk:N", *database, stdin=gzip.compress(lines(50).encode()))
    out = sheaf("dump", "Things", "--compress", "gzip", *database)
    assert len(gzip.decompress(out.stdout).splitlines()) == 50
    assert out.err.startswith("50 items of Things")


def test_the_table_is_made_or_it_is_said_how(tmp_path):
    database = ["--data", tmp_path / "data"]
    file = tmp_path / "a.csv"
    file.write_text('id,age,note\r\n7,30,"a\r\nb"\r\n8,,\r\n')
    done = sheaf("load", "Things", file, *database, status=2)
    assert "there is no table Things" in done.err and "--key PK:S" in done.err
    sheaf("load", "Things", file, "--key", "id:N", "--types", "age:N", *database)
    assert dumped(database, "Things") == ['{"age": {"N": "30"}, "id": {"N": "7"}, "note": {"S": "a\\r\\nb"}}', '{"id": {"N": "8"}}']
    done = sheaf("load", "Things", file, *database, status=2)
    assert "has items already" in done.err and "--replace" in done.err and "--if-absent" in done.err
    assert "2 were there already" in sheaf("load", "Things", file, "--if-absent", *database).out
    assert sheaf("load", "Things", file, "--replace", *database).out.startswith("2 items put")
    report = json.loads(sheaf("load", "Things", file, "--replace", "--json", *database).out)
    assert report["items"] == 2 and report["bad"] == 0 and report["whole"]
    assert "no file" in sheaf("load", "Things", tmp_path / "none", *database, status=2).err
    assert "there is no table Nothing" in sheaf("dump", "Nothing", *database, status=2).err


def test_bad_lines_are_named(tmp_path):
    database = ["--data", tmp_path / "data"]
    file = tmp_path / "bad.jsonl"
    file.write_text('{"id":1}\n{"id":"x"}\n{"no":1}\n{\n{"id":5,"s":{"$SS":[]}}\n{"id":6}\n')
    done = sheaf("load", "Things", file, "--key", "id:N", *database, status=1)
    assert f"{file}:2: " in done.err and "--skip-bad" in done.err
    assert dumped(database, "Things") == []
    done = sheaf("load", "Things", file, "--skip-bad", "4", *database, status=1)
    for line in [2, 3, 4, 5]:
        assert f"{file}:{line}: " in done.err
    assert "4 lines could not be loaded" in done.err
    assert len(dumped(database, "Things")) == 2


def test_a_load_that_is_killed_goes_on(tmp_path):
    chance = random.Random(5)
    database = ["--data", tmp_path / "data"]
    file, position = tmp_path / "many.jsonl.gz", tmp_path / "position"
    file.write_bytes(gzip.compress(lines(MANY).encode(), 1))
    command = [PROGRAM, "load", "Things", file, "--key", "pk:S,sk:N", "--resume", position, *database]
    kills = 0
    for _ in range(15):
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=chance.uniform(0.05, 0.4))
            if process.returncode == 0:
                break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
    assert kills > 0
    subprocess.run(list(map(str, command)), check=True, timeout=300, stdout=subprocess.DEVNULL)
    found = sheaf("dump", "Things", *database).out.splitlines()
    assert sorted(int(json.loads(line)["Item"]["sk"]["N"]) for line in found) == list(range(MANY))


def test_a_dump_that_is_killed_goes_on_and_has_all_items_once(tmp_path):
    chance = random.Random(6)
    database = ["--data", tmp_path / "data"]
    file = tmp_path / "many.jsonl"
    file.write_text(lines(MANY))
    sheaf("load", "Things", file, "--key", "pk:S,sk:N", *database)
    for format_of in ["json", "export"]:
        out, position = tmp_path / f"out-{format_of}", tmp_path / f"position-{format_of}"
        command = ["dump", "Things", "--format", format_of, "--out", out, "--resume", position, *database]
        for _ in range(20):
            process = subprocess.Popen(list(map(str, [PROGRAM, *command])), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=chance.uniform(0.05, 1.0))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                assert format_of == "export" or not out.exists()
        else:
            sheaf(*command)
        assert process.returncode in (0, -signal.SIGKILL)
        sheaf("load", f"Others-{format_of}", out, "--like", "Things", *database)
        report = json.loads(sheaf("load", f"More-{format_of}", out, "--like", "Things", "--json", *database).out)
        assert report["items"] == MANY


def test_a_load_that_is_interrupted_says_how_to_go_on(tmp_path):
    count = 15_000
    file, position = tmp_path / "many.jsonl", tmp_path / "position"
    file.write_text(lines(count))
    command = [PROGRAM, "load", "Things", file, "--key", "pk:S,sk:N", "--json", "--resume", position, "--data", tmp_path / "data"]
    process = subprocess.Popen(
        list(map(str, [*command, "--threads", "1"])), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "SHEAF_PROGRESS": "lines"}
    )
    assert process.stderr.readline().startswith("progress: ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    report = json.loads(out)
    assert process.returncode == 2 and not report["whole"] and report["items"] < count and "the same command goes on" in err
    report = json.loads(sheaf(*command[1:]).out)
    assert report["whole"] and report["items"] == count


def test_an_endpoint_that_is_gone_is_told_and_not_waited_for_in_silence(tmp_path):
    server = subprocess.Popen(
        [PROGRAM, "serve", "--in-memory", "--port", "0", "--admin-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    url = next(found.group(0) for line in server.stdout if (found := re.search(r"http://[\d.]+:\d+", line)))
    file = tmp_path / "many.jsonl"
    file.write_text(lines(MANY))
    process = subprocess.Popen(
        [PROGRAM, "load", "Things", str(file), "--key", "pk:S,sk:N", "--endpoint", url],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "SHEAF_PROGRESS": "lines"},
    )  # fmt: skip
    assert process.stderr.readline().startswith("progress: ")
    server.kill()
    server.wait()
    told = next(line for line in process.stderr if not line.startswith("progress: "))
    assert told.startswith("sheaf: nothing is done for ") and "cannot connect to" in told and "asking again" in told
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2 and "interrupted" in err


def test_progress_is_told_on_a_terminal(tmp_path):
    file = tmp_path / "many.jsonl"
    file.write_text(lines(MANY))
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "load", "Things", str(file), "--key", "pk:S,sk:N", "--data", str(tmp_path / "data")],
        stdout=subprocess.DEVNULL,
        stderr=slave,
    )
    os.close(slave)
    told = b""
    try:
        while part := os.read(master, 4096):
            told += part
    except OSError:
        pass
    assert process.wait() == 0
    assert re.search(rb"\d+ items \(\d+ %\), \d+ a second, [\d.]+ MB/s, [\d a-z]+ left", told), told
