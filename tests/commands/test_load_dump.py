"""sheaf load and sheaf dump: formats, tables that are made, bad lines, going on after kill -9, endpoints."""

import base64
import bz2
import gzip
import hashlib
import http.client
import http.server
import json
import lzma
import os
import pty
import random
import re
import shlex
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
MANY = 60_000


def sheaf(*arguments, stdin=None, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=300, input=stdin)
    assert done.returncode == status, (done.stdout, done.stderr)
    done.out, done.err = done.stdout.decode(errors="replace"), done.stderr.decode()
    return done


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
        types = re.search(r"--types (.*)", told)
        options = ["--types", *shlex.split(types.group(1))] if types else []
        assert bool(types) == ("csv" in name)
        # The export says how its table was made.
        made = [] if name == "export" else ["--like", "Things"]
        sheaf("load", f"Others{number}", out, *made, *options, *database)
        assert dumped(database, f"Others{number}") == expected, name


def test_an_export_is_as_aws_writes_it(database, tmp_path):
    source = tmp_path / "source.jsonl"
    source.write_text(lines(100))
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


def test_standard_streams(database, tmp_path):
    sheaf("load", "Things", "-", "--key", "pk:S,sk:N", *database, stdin=gzip.compress(lines(50).encode()))
    out = sheaf("dump", "Things", "--compress", "gzip", *database)
    assert len(gzip.decompress(out.stdout).splitlines()) == 50
    assert out.err.startswith("50 items of Things")


def test_the_table_is_made_or_it_is_said_how(database, tmp_path):
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


def test_a_type_of_what_is_no_column_is_refused(tmp_path):
    database = ["--data", tmp_path / "data"]
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("id,born\n1,1815\n")
    other.write_text("id,died\n1,1852\n")
    told = sheaf("load", "Things", one, "--key", "id:N", "--types", "borm:N", *database, status=2).err
    assert "one.csv: there is no column borm, which was given a type; there are id, born" in told
    assert "not found" in sheaf("table", "show", "Things", *database, status=2).err
    # Of several files, each may have its own.
    sheaf("load", "Things", one, other, "--key", "id:N", "--types", "born:N,died:N,*:any", *database)


def test_heads_of_csv_may_say_the_types(database, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text('id,age:N,age,tags:SS,place:M,raw:any\n1,30,,"[""x""]","{""k"":[1,{""$B"":""AA==""}]}","{""NULL"":true}"\n2,,old,,,\n')
    sheaf("load", "Things", file, "--key", "id:N", *database)
    first, second = (json.loads(line) for line in dumped(database, "Things"))
    assert first == {
        "id": {"N": "1"},
        "age": {"N": "30"},
        "tags": {"SS": ["x"]},
        "place": {"M": {"k": {"L": [{"N": "1"}, {"B": "AA=="}]}}},
        "raw": {"NULL": True},
    }
    assert second == {"id": {"N": "2"}, "age": {"S": "old"}}
    # A name that ends as a type does comes back as it was.
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"id":1,"age:N":"old"}\n')
    sheaf("load", "Odd", odd, "--key", "id:N", *database)
    sheaf("dump", "Odd", "--out", tmp_path / "odd.csv", *database)
    sheaf("load", "Again", tmp_path / "odd.csv", "--key", "id:N", *database)
    assert dumped(database, "Again") == dumped(database, "Odd") == ['{"age:N": {"S": "old"}, "id": {"N": "1"}}']


def test_bad_lines_are_named(database, tmp_path):
    file = tmp_path / "bad.jsonl"
    file.write_text('{"id":1}\n{"id":"x"}\n{"no":1}\n{\n{"id":5,"s":{"$SS":[]}}\n{"id":6}\n')
    done = sheaf("load", "Things", file, "--key", "id:N", *database, status=1)
    assert f"{file}:2: " in done.err and "--skip-bad" in done.err
    assert "there is no table Things" in sheaf("dump", "Things", *database, status=2).err, "it is made for what can be put"
    sheaf("table", "create", "Things", "--key", "id:N", *database)
    sheaf("load", "Things", file, *database, status=1)
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
    assert report["whole"] and 0 < report["items"] and report["items"] + report["before"] == count
    assert json.loads(sheaf(*command[1:]).out)["items"] == 0


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
    told = os.read(master, 4096)
    # However fast the machine: rates are told after half a second.
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.6)
    process.send_signal(signal.SIGCONT)
    try:
        while part := os.read(master, 4096):
            told += part
    except OSError:
        pass
    assert process.wait() == 0
    assert re.search(rb"\d+ items \(\d+ %\), \d+ a second, [\d.]+ MB/s, [\d a-z]+ left", told), told
    assert all(line.endswith(b"\x1b[K") for line in told.strip().split(b"\r") if line), told


class FaultyEndpoint:
    """Hands requests on to a server. `fault(operation, count)` gives the status and exception of those that are refused, or "silence"."""

    def __init__(self, url, fault):
        target = url.removeprefix("http://")
        counts, endpoint = {}, self
        self.silent, self.over = threading.Event(), threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers["X-Amz-Target"].split(".")[-1]
                counts[operation] = counts.get(operation, 0) + 1
                found = fault(operation, counts[operation])
                if found == "silence":
                    endpoint.silent.set()
                    endpoint.over.wait()
                    self.close_connection = True
                    return
                if found:
                    self.answer(found[0], json.dumps({"__type": f"x#{found[1]}", "message": "so it is"}).encode())
                    return
                connection = http.client.HTTPConnection(target)
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "content-length")}
                connection.request("POST", self.path, body, headers)
                answer = connection.getresponse()
                self.answer(answer.status, answer.read())

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.shutdown()


def test_a_position_of_another_table_is_refused(tmp_path):
    file, position = tmp_path / "a.jsonl", tmp_path / "position"
    file.write_text(lines(300))
    command = ["load", "Things", file, "--key", "pk:S,sk:N", "--resume", position]
    first, second = ["--data", tmp_path / "first"], ["--data", tmp_path / "second"]
    assert sheaf(*command, *first).out.startswith("300 items put into Things (")
    assert sheaf(*command, *first).out == "all of it was loaded before; nothing was done\n"
    done = sheaf(*command, *second, status=2)
    assert f"{position} is of another load: the table Things of then is not there any more; remove it to begin anew" in done.err
    sheaf("table", "create", "Things", "--key", "pk", "--sort", "sk:N", *second)
    assert f"{position} is of another load: the table Things is not the one of then" in sheaf(*command, *second, status=2).err
    file.write_text(lines(301))
    assert f"{position} is of another load: the file {file} is not the one of then" in sheaf(*command, *first, status=2).err
    position.unlink()
    assert "has items already" in sheaf(*command, *first, status=2).err
    assert sheaf(*command, *second).out.startswith("301 items put into Things")


@pytest.mark.parametrize("status, exception", [(400, "ExpiredTokenException"), (400, "AccessDeniedException"), (413, "RequestTooLarge")])
def test_refused_credentials_end_a_load_and_lose_nothing(tmp_path, serving, status, exception):
    file, position = tmp_path / "a.jsonl", tmp_path / "position"
    file.write_text(lines(3000))
    command = ["load", "Things", file, "--key", "pk:S,sk:N", "--threads", "2", "--skip-bad", "9999", "--resume", position]
    with FaultyEndpoint(serving.url, lambda operation, count: operation == "BatchWriteItem" and count > 30 and (status, exception)) as faulty:
        done = sheaf(*command, "--endpoint", faulty.url, status=2)
    assert f"{exception}: so it is" in done.err
    assert re.search(r"sheaf: \d+ items and perhaps some more were put before that; the same command goes on from here", done.err)
    report = json.loads(sheaf(*command, "--json", "--endpoint", serving.url).out)
    assert report["bad"] == 0 and report["items"] + report["before"] == 3000
    assert len(dumped(["--endpoint", serving.url], "Things")) == 3000


def test_an_endpoint_that_says_nothing_is_told_and_can_be_left(tmp_path, serving):
    file = tmp_path / "a.jsonl"
    file.write_text(lines(5000))
    with FaultyEndpoint(serving.url, lambda operation, count: operation == "BatchWriteItem" and count > 20 and "silence") as faulty:
        process = subprocess.Popen(
            [PROGRAM, "load", "Things", str(file), "--key", "pk:S,sk:N", "--endpoint", faulty.url],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        told = process.stderr.readline()
        assert re.fullmatch(r"sheaf: no answer for [5-9] s\n", told), told
        process.send_signal(signal.SIGINT)
        told = process.stderr.readline()
        assert re.fullmatch(r"sheaf: waiting for \d requests under way; Ctrl-C again ends at once\n", told), told
        time.sleep(1.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == -signal.SIGINT


def test_lines_of_a_pipe_are_put_while_it_is_open(tmp_path, serving):
    database = ["--endpoint", serving.url]
    process = subprocess.Popen(
        [PROGRAM, "load", "Things", "-", "--key", "id:N", "--endpoint", serving.url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdin.write('{"id":1}\n{"id":2}\n{"id')
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and subprocess.run([PROGRAM, "item", "get", "Things", "2", *database], capture_output=True).returncode != 0:
        time.sleep(0.1)
    assert len(dumped(database, "Things")) == 2
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 2
    assert process.stdout.read().startswith("2 items put into Things")


def test_what_aws_prints_is_loaded(database, tmp_path):
    page = {"Items": [{"id": {"N": "1"}, "tags": {"SS": ["a"]}}, {"id": {"N": "2"}}], "Count": 2, "ScannedCount": 2, "ConsumedCapacity": None}
    plain = [{"id": 1, "list": [{"x": [1]}]}, {"id": 2}]
    texts = {
        "scan": json.dumps(page, indent=4),
        "scan-on-one-line": json.dumps(page),
        "get": json.dumps({"Item": {"id": {"N": "1"}, "text": {"S": "}]\\\""}}}, indent=4),
        "array": json.dumps(plain),
        "printed-array": json.dumps(plain, indent=2),
        "printed-objects": "\n".join(json.dumps(item, indent=2) for item in plain),
    }
    for name, text in texts.items():
        file = tmp_path / f"{name}.json"
        file.write_text(text + "\n")
        sheaf("load", name, file, "--key", "id:N", *database)
        assert len(dumped(database, name)) == (1 if name == "get" else 2), name
    assert json.loads(dumped(database, "scan")[0]) == page["Items"][0]
    assert json.loads(dumped(database, "printed-array")[0])["list"] == {"L": [{"M": {"x": {"L": [{"N": "1"}]}}}]}
    file.write_text(json.dumps(plain, indent=2)[:-5])
    assert "the file ends in the midst of" in sheaf("load", "cut", file, "--key", "id:N", *database, status=2).err


def test_files_that_cannot_be_read_are_told_before_a_table_is_made(tmp_path):
    database = ["--data", tmp_path / "data"]
    for name, content, told in [
        ("semicolons.csv", b"id;name\n1;a\n", 'there is no column id, which is of the table\'s key; the first row is "id;name": is ; the separator?'),
        ("mac.csv", b"id,name\r1,a\r2,b\r", "carriage return alone"),
        ("unnamed.csv", b"id,,name\r\n1,2,3\r\n", "column 2 has no name"),
        ("quote.csv", b'id,name\n1,"a\n2,b\n3,c\n', "line 2: a quote opens a cell in this row, and nothing closes it"),
        ("a.jsonl.xz", lzma.compress(b'{"id":1}\n'), "xz"),
        ("a.jsonl.bz2", bz2.compress(b'{"id":1}\n'), "bzip2"),
        ("utf16.csv", "id,name\n1,a\n".encode("utf-16"), "UTF-16"),
    ]:
        file = tmp_path / name
        file.write_bytes(content)
        done = sheaf("load", "Things", file, "--key", "id:N", "--skip-bad", "100", *database, status=2)
        assert told in done.err and done.err.count("\n") == 1, done.err
        assert "there is no table Things" in sheaf("dump", "Things", *database, status=2).err
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in [loop, tmp_path / ("x" * 300)]:
        assert f"cannot look at {path}: " in sheaf("load", "Things", path, "--key", "id:N", *database, status=2).err


def test_a_stray_quote_costs_one_row(tmp_path):
    database = ["--data", tmp_path / "data"]
    file = tmp_path / "a.csv"
    file.write_text('id,name\n1,a\n2,5" pipe\n3,c\n4,d\n')
    done = sheaf("load", "Things", file, "--key", "id:N", "--skip-bad", "1", *database, status=1)
    assert done.out.startswith("3 items put") and f"{file}:3: there is a quote inside of cell 2" in done.err


def test_awkward_items_come_back(database, tmp_path):
    given = [{"pk": "\t", "*": 1, "it's": 2, "\\*": "x", "n": 5}, {"pk": "x" * 900, "big": "y" * 200_000, "n": "text"}]
    file = tmp_path / "a.jsonl"
    file.write_text("\n\n" + "".join(json.dumps(item) + "\n" for item in given))
    sheaf("load", "Things", file, "--key", "pk:S", *database)
    expected = dumped(database, "Things")
    assert len(expected) == 2
    for name in ["a.csv", "copy.jsonl"]:
        told = sheaf("dump", "Things", "--segments", "1", "--out", tmp_path / name, *database).out
        types = re.search(r"--types (.*)", told)
        more = ["--types", *shlex.split(types.group(1))] if types else []
        sheaf("load", f"From-{name}", tmp_path / name, "--like", "Things", *more, *database)
        assert dumped(database, f"From-{name}") == expected


def test_a_dump_that_is_whole_is_left_as_it_is(database, tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(lines(10))
    sheaf("load", "Things", file, "--key", "pk:S,sk:N", *database)
    command = ["dump", "Things", "--out", tmp_path / "out.jsonl", "--resume", tmp_path / "position", *database]
    sheaf(*command)
    assert sheaf(*command).out == "all of it was dumped before; nothing was done\n"
