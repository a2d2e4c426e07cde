"""Commands that a page asks for: they work where they are confined, and reach nothing else."""

import ctypes
import json
import subprocess
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from server_process import BINARY, eventually

MODEL = (Path(__file__).parent / "killed.sheaf").read_text()
# Measured in a moment.
SMALL = """model notes {
  entity Folder { id id; name }
  entity Note { id id; text }
  rel Folder 1--* Note as notes / folder { size avg 2 max 5 }
  pattern notes(f: Folder) = $f.notes
}
"""
RUN_S = 120


def ask(server, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    wanted = urllib.request.Request(
        f"{server.url}/workbench/api/{path}", data=data, method=method, headers={"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(wanted, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def run(server, *arguments, **files):
    """What it is when it is done."""
    texts = {name.replace("_", "."): text for name, text in files.items()}
    status, state = ask(server, "POST", "commands", {"arguments": arguments, "files": texts, "wait_ms": 20_000})
    assert status == 200, state

    def done():
        told = ask(server, "GET", f"commands/{state['id']}?wait_ms=20000")[1]
        return told if told["state"] == "done" else None

    return eventually(done, RUN_S)


def left_behind(directory):
    return [path for path in Path(directory).iterdir() if path.name.startswith("sheaf-workbench-")]


def can_confine():
    create_ruleset, version = 444, 1
    return ctypes.CDLL(None).syscall(create_ruleset, None, 0, version) >= 1


@pytest.fixture
def place(directory, monkeypatch):
    """Where a server makes its temporary files."""
    path = Path(directory) / "temporary"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    return path


def test_commands_have_what_they_need(make_server, place):
    server = make_server().start()
    at_server = ["--endpoint", "@server"]
    for arguments in [
        ["check", "model.sheaf"],
        ["explain", "model.sheaf"],
        ["plan", "small.sheaf", "notes", "--params", "--", "-a folder"],
        ["lint", "model.sheaf", "--all-layouts", "--json"],
        ["measure", "small.sheaf", "--runs", "2", "--scale", "0.1", "--html", "page.html"],
        ["measure", "small.sheaf", "--runs", "2", "--scale", "0.1", "--store", "rocksdb"],
        ["generate", "model.sheaf", "--scale", "0.1", "--out", "data.json"],
        ["generate", "model.sheaf", "--scale", "0.1", "--load", *at_server],
        ["audit", "model.sheaf", *at_server],
        ["infer", "app", *at_server],
        ["migrate", "model.sheaf", "--to", "other", "--plan", *at_server],
        ["migrate", "model.sheaf", "--to", "other", *at_server],
        ["load", "model.sheaf", "data.json", "--data", "scratch"],
    ]:
        done = run(server, "model", *arguments, model_sheaf=MODEL, small_sheaf=SMALL, data_json="{}")
        has_findings = arguments[0] == "lint" and done["status"] == 1
        assert done["status"] == 0 or has_findings, (arguments, done)
        if "--html" in arguments:
            assert list(done["files"]) == ["page.html"]
        if "--out" in arguments:
            assert list(done["files"]) == ["data.json"]
    assert left_behind(place) == []
    server.stop()


def test_commands_are_refused_other_files(make_server, place):
    server = make_server().start()
    for word in ["/etc/passwd", "[/etc/passwd]", "[/etc/passwd,model.sheaf]", "[a,[../x]]", "--data=[/etc]"]:
        status, answer = ask(server, "POST", "commands", {"arguments": ["model", "check", word], "files": {}})
        assert status == 400 and "a page has no files but those that it sends" in str(answer), (word, answer)
    server.stop()


@pytest.mark.skipif(not can_confine(), reason="this kernel has no Landlock")
def test_what_is_confined_reaches_no_other_file(directory):
    """Also with words that a server would have refused."""
    own, other = Path(directory) / "own", Path(directory) / "other"
    own.mkdir()
    other.mkdir()
    untidy = "model   m { entity A { id id } }"
    (own / "model.sheaf").write_text(untidy)
    (other / "model.sheaf").write_text(untidy)

    def sheaf(*arguments, **environment):
        settings = {"SHEAF_CONFINED": str(own), "TMPDIR": str(own), "HOME": str(own), **environment}
        return subprocess.run([BINARY, *arguments], cwd=own, env=settings, capture_output=True, text=True, timeout=60)

    assert sheaf("model", "check", "model.sheaf").returncode == 0
    foreign = str(other / "model.sheaf")
    for path in [foreign, "../other/model.sheaf", "/etc/passwd"]:
        told = sheaf("model", "check", path)
        assert told.returncode != 0 and f"cannot read {path}" in told.stderr, told
    assert sheaf("model", "fmt", foreign).returncode != 0
    assert (other / "model.sheaf").read_text() == untidy
    assert sheaf("model", "load", "model.sheaf", "--data", str(other / "data")).returncode != 0
    assert not (other / "data").exists()
    assert sheaf("model", "fmt", "model.sheaf").returncode == 0
    assert (own / "model.sheaf").read_text() != untidy
    # A program that cannot be confined though the kernel can does not run.
    assert "cannot be confined" in sheaf("model", "check", "model.sheaf", SHEAF_CONFINED=str(own / "none")).stderr


def test_a_server_without_a_place_for_files_serves_on(make_server, monkeypatch, directory):
    monkeypatch.setenv("TMPDIR", str(Path(directory) / "none"))
    server = make_server().start()
    status, answer = ask(server, "POST", "commands", {"arguments": ["model", "errors"], "files": {}})
    assert status == 503 and "no directory for temporary files" in str(answer), answer
    server.check_health()
    server.stop()


def test_who_waits_keeps_nobody_from_asking(make_server, place):
    server = make_server().start()
    assert run(server, "model", "apply", "model.sheaf", "--endpoint", "@server", model_sheaf=SMALL)["status"] == 0
    arguments = ["watch", "--model", "model.sheaf", "--for", "1h", "--endpoint", "@server"]
    status, state = ask(server, "POST", "commands", {"arguments": arguments, "files": {"model.sheaf": SMALL}})
    assert status == 200 and state["state"] == "running", state
    path = f"commands/{state['id']}"
    threads = [threading.Thread(target=ask, args=(server, "GET", path + "?wait_ms=25000")) for _ in range(12)]
    for thread in threads:
        thread.start()
    assert ask(server, "GET", "about")[0] == 200  # within its time
    eventually(lambda: sum(thread.is_alive() for thread in threads) == 3)
    assert ask(server, "DELETE", path)[0] == 200
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    assert eventually(lambda: ask(server, "GET", path)[1]["state"] == "done")
    assert left_behind(place) == []
    server.stop()
