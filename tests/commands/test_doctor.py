"""sheaf doctor and sheaf bench: as they are called. All that doctor finds is tested beside it (doctor_test)."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
LOSE_INDEX_ENTRIES = os.environ["SHEAF_TESTS_LOSE_INDEX_ENTRIES"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"


def sheaf(*arguments, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, (done.stdout, done.stderr)
    return done


def loaded(tmp_path):
    data = tmp_path / "data"
    sheaf("model", "load", HR, HR.parent / "data.json", "--data", data)
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps({"id": str(i), "body": "x" * 500}) + "\n" for i in range(2000)))
    sheaf("load", "Things", file, "--key", "id:S", "--data", data)
    return data


def test_a_healthy_directory_is_well_and_stays_as_it_is(tmp_path):
    data = loaded(tmp_path)
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    assert "all is well" in sheaf("doctor", data).stdout
    report = json.loads(sheaf("doctor", data, "--json").stdout)
    assert report["well"] and report["findings"] == [] and report["items"] >= 2000 and report["index_entries"] > 0
    assert "all is well" in sheaf("doctor", data, "--repair").stdout
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    assert not list(tmp_path.glob("data.before-repair-*"))


def test_what_is_none_or_open_is_refused(tmp_path):
    assert "is no data directory" in sheaf("doctor", tmp_path / "none", status=2).stderr
    assert not (tmp_path / "none").exists()
    data = loaded(tmp_path)
    server = subprocess.Popen([PROGRAM, "serve", "--data", str(data), "--port", "0", "--admin-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        next(line for line in server.stdout if re.search(r"http://", line))
        assert "is open in another process" in sheaf("doctor", data, status=2).stderr
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    assert "all is well" in sheaf("doctor", data).stdout


def test_damaged_bytes_are_found_and_nothing_is_repaired(tmp_path):
    data = loaded(tmp_path)
    file = tmp_path / "more.jsonl"
    file.write_text("".join(json.dumps({"id": f"m{i}", "body": "x" * 20000}) + "\n" for i in range(10000)))
    sheaf("load", "More", file, "--key", "id:S", "--data", data)
    tables = sorted(data.glob("*.sst"), key=lambda path: path.stat().st_size)
    assert tables, "enough was loaded for files to be written"
    content = bytearray(tables[-1].read_bytes())
    # At its beginning lie rows of other tables, if they were written together, and in its midst two segments of a dump meet.
    content[len(content) // 3] ^= 0xFF
    tables[-1].write_bytes(content)
    report = json.loads(sheaf("doctor", data, "--json", status=1).stdout)
    assert not report["well"] and not report["complete"]
    damaged = [each for each in report["findings"] if each["kind"] == "damaged-file"]
    assert len(damaged) == 1 and damaged[0]["where"].endswith(tables[-1].name)
    told = sheaf("doctor", data, "--repair", status=1).stdout
    assert "nothing is repaired" in told and "restore a copy of the directory" in told and "so much lies before what cannot be read" in told and "sheaf dump --salvage" in told
    assert bytes(content) == tables[-1].read_bytes()
    out = tmp_path / "saved.jsonl"
    assert "--salvage" in sheaf("dump", "More", "--out", out, "--data", data, status=2).stderr
    assert not list(tmp_path.glob("saved*"))
    done = sheaf("dump", "More", "--salvage", "--out", out, "--data", data, status=1)
    assert "1 gap: " in done.stderr
    saved = [json.loads(line)["Item"]["id"]["S"] for line in out.read_text().splitlines()]
    assert 9900 < len(saved) < 10000 and len(set(saved)) == len(saved)
    assert "--resume" in sheaf("dump", "More", "--salvage", "--resume", tmp_path / "p", "--out", out, "--data", data, status=2).stderr


@pytest.fixture
def lost(tmp_path):
    """A directory in which three items lack their entries in an index."""
    if not os.path.exists(LOSE_INDEX_ENTRIES):
        pytest.skip("lose_index_entries is not built")
    data = tmp_path / "data"
    sheaf("table", "create", "app", "--key", "PK", "--sort", "SK", "--gsi", "byTotal=kind/total:N", "--data", data)
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps({"PK": "a", "SK": str(i), "kind": "k", "total": i}) + "\n" for i in range(100)))
    sheaf("load", "app", file, "--data", data)
    subprocess.run([LOSE_INDEX_ENTRIES, data, "app", "byTotal", "3"], check=True)
    return data


def totals(data):
    told = sheaf("query", "app", "k", "--index", "byTotal", "--attributes", "total", "--json", "--data", data).stdout
    return [json.loads(line)["total"] for line in told.splitlines()]


def test_what_follows_from_the_items_is_repaired_and_a_copy_kept(tmp_path, lost):
    assert totals(lost) == list(range(3, 100))
    told = sheaf("doctor", lost, status=1).stdout
    assert "table app, index byTotal: 3 items lack their entries in the index (missing-entry)" in told and "--repair writes them" in told
    assert totals(lost) == list(range(3, 100)) and not list(tmp_path.glob("data.before-*"))
    told = sheaf("doctor", lost, "--repair").stdout
    # First what is wrong, then what is done about it, then how it is now.
    places = [told.index(text) for text in ["(missing-entry)", "repairing:\n  table app, index byTotal", "as it was, it is in", "all is well"]]
    assert places == sorted(places)
    copy = tmp_path / "data.before-repair-1"
    assert str(copy) in told and totals(lost) == list(range(100)) and totals(copy) == list(range(3, 100))
    # The copy is a directory like others.
    sheaf("doctor", copy, status=1)
    sheaf("doctor", copy, "--repair", "--no-backup")
    assert sorted(path.name for path in tmp_path.glob("*before*")) == ["data.before-repair-1"]


def test_a_repair_in_json_says_what_was_wrong_and_where_the_copy_is(tmp_path, lost):
    (tmp_path / "data.before-repair-1").mkdir()
    found = json.loads(sheaf("doctor", lost, "--json", status=1).stdout)
    assert not found["well"] and not found["repaired"] and "backup" not in found
    assert [(each["kind"], each["count"], each["repairable"]) for each in found["findings"]] == [("missing-entry", 3, True)]
    done = json.loads(sheaf("doctor", f"{lost}/", "--repair", "--json").stdout)
    assert done["well"] and done["repaired"] and done["findings"] == [] and done["before"] == found["findings"]
    assert done["backup"] == str(tmp_path / "data.before-repair-2") and os.path.isdir(done["backup"])
    again = json.loads(sheaf("doctor", lost, "--repair", "--json").stdout)
    assert again["well"] and not again["repaired"] and "backup" not in again


def test_wrong_use_of_doctor_is_told(tmp_path, lost):
    assert "--repair" in sheaf("doctor", lost, "--no-backup", status=2).stderr
    assert sheaf("doctor", status=2).stderr
    folder = tmp_path / "closed"
    folder.mkdir()
    lost.rename(folder / "data")
    server = subprocess.Popen([PROGRAM, "serve", "--data", str(folder / "data"), "--port", "0", "--admin-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        next(line for line in server.stdout if re.search(r"http://", line))
        assert "is open in another process" in sheaf("doctor", folder / "data", "--repair", status=2).stderr
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    assert not list(folder.glob("*before*"))


def test_bench_measures_and_leaves_nothing(tmp_path):
    data = tmp_path / "data"
    options = ["--items", "300", "--seconds", "0.5", "--threads", "4", "--data", data]
    told = sheaf("bench", *options).stdout
    assert "GetItem" in told and "PutItem" in told and "p99.9 ms" in told and "say little" in told
    report = json.loads(sheaf("bench", "--reads", "50", "--json", *options).stdout)
    for direction in ["reads", "writes"]:
        figures = report[direction]
        assert figures["count"] > 0 and figures["failed"] == 0 and figures["p50_us"] <= figures["p99_us"] <= figures["max_us"]
    report = json.loads(sheaf("doctor", data, "--json").stdout)
    assert report["well"] and report["tables"] == 0 and report["items"] == 0
    assert sheaf("bench", "--size", "500000", *options, status=2).stderr


def test_models_whose_version_is_kept_are_looked_through(tmp_path):
    data = tmp_path / "data"
    sheaf("model", "load", HR, HR.parent / "data.json", "--layout", "method1", "--data", data)
    for more in [[], ["--finish"]]:
        sheaf("model", "migrate", HR, "--from", "method1", "--to", "method2", *more, "--data", data)
    assert "1 model: all is well" in sheaf("doctor", data).stdout
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text('{"employee_id":"e-99","department_id":"nobody"}\n')
    sheaf("load", "employee-2", foreign, "--replace", "--data", data)
    told = sheaf("doctor", data, status=1).stdout
    assert "model of hr-sheaf: " in told and "e-99" in told and "sheaf model audit --repair" in told
    assert json.loads(sheaf("doctor", data, "--json", status=1).stdout)["models"][0]["problems"]
