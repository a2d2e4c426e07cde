"""sheaf watch and sheaf top as they are called: what is wrong, lists, and a database without a server."""

import json
import os
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
HR = ROOT / "models/hr/model.sheaf"
MODEL = f"{HR}:method2"


def sheaf(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def data(tmp_path):
    loaded = sheaf("model", "load", HR, HR.parent / "data.json", "--layout", "method2", "--data", tmp_path / "data")
    assert loaded.returncode == 0, loaded.stderr
    return tmp_path / "data"


def test_limits_are_listed_with_their_points():
    told = sheaf("watch", "--list", "--limit", "few=7")
    assert told.returncode == 0
    rows = {line.split()[0]: line.split() for line in told.stdout.splitlines()}
    assert rows["few"][1:4] == ["G2", "7", "8"]
    assert rows["collection-bytes-max"][1:6] == ["G3", "10", "GB", "8", "GB"]
    assert {row[1] for row in rows.values()} == {"point", "G1", "G2", "G3", "G4", "G7", "G10", "G11", "G12"}


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--data", "x"], "--model FILE"),
        (["--model", MODEL], "--endpoint URL"),
        (["--model", "/nowhere.sheaf", "--data", "x"], "/nowhere.sheaf"),
        (["--model", f"{HR}:nowhere", "--data", "x"], "has no layout nowhere"),
        (["--model", MODEL, "--data", "x", "--for", "soon"], "--for is a time such as 30s"),
        (["--model", MODEL, "--data", "x", "--every", "0.5s"], "--every is 1 second at least"),
        (["--model", MODEL, "--data", "x", "--limit", "collection-itms=3"], "there is collection-items"),
        (["--model", MODEL, "--endpoint", "http://127.0.0.1:9", "--for", "0s"], "127.0.0.1:9"),
    ],
)
def test_wrong_use_of_watch_is_told(arguments, said, tmp_path):
    told = subprocess.run([PROGRAM, "watch", *arguments], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert told.returncode == 2 and told.stdout == "" and said in told.stderr


def test_a_directory_can_be_watched(data):
    told = sheaf("watch", "--model", MODEL, "--data", data, "--for", "0s", "--json")
    assert told.returncode == 0, told.stderr
    *figures, end = map(json.loads, told.stdout.splitlines())
    assert end["event"] == "end" and end["items"] >= 7 and not end["heat"] and not end["failed"]
    assert {"Department", "Employee"} <= {each["kind"] for each in figures if each["limit"] == "item-bytes"}


def test_what_is_too_much_is_a_matter_of_limits_and_severity(data):
    watch = ["watch", "--model", MODEL, "--data", data, "--for", "0s", "--limit", "item-bytes=100", "--limit", "near-percent=10"]
    told = sheaf(*watch)
    assert told.returncode == 1 and "warning begins: " in told.stdout and "[item-bytes G1]\n  = move what grows" in told.stdout
    assert sheaf(*watch, "--fail-on", "error").returncode == 0


def test_top_needs_a_server():
    told = sheaf("top", "--endpoint", "http://127.0.0.1:9", "--once")
    assert told.returncode == 2 and "is a server running there?" in told.stderr
    assert sheaf("top", "--endpoint", "aws").returncode == 2
    assert "is a time such as" in sheaf("top", "--every", "x").stderr
