"""sheaf model check and sheaf model errors."""

import json
import os
import subprocess
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]

WRONG = """model shop {
  entity Customer { id id; name }
  entity Order { id id; total number }
  rel Custmer 1--* Order as orders / customer
  layout roots { table app { pk PK; sk SK } entity Customer { key "<id>" / "X" } entity Order { key "<id>" / "X" } }
}
"""
COLLIDING = WRONG.replace("Custmer", "Customer")
WARNED = """model shop {
  entity Customer { id id; naïve string }
  pattern customer(c: Customer, city: string) = $c
}
""".replace("naïve", "`naïve`")


def sheaf(*arguments, text=None):
    return subprocess.run([PROGRAM, "model", *arguments], input=text, capture_output=True, text=True, timeout=60)


def test_a_mistake_is_told_with_its_place_its_id_and_the_fix():
    told = sheaf("check", "-", text=WRONG)
    assert told.returncode == 1
    assert "-:4:7: error: there is no entity named Custmer [unknown-entity]\n" in told.stderr
    assert "= write Customer" in told.stderr
    assert told.stdout == ""


def test_json_has_all_that_an_editor_needs():
    told = sheaf("check", "--json", "-", text=WRONG)
    assert told.returncode == 1 and told.stderr == ""
    assert json.loads(told.stdout) == [
        {
            "file": "-",
            "line": 4,
            "column": 7,
            "end_line": 4,
            "end_column": 14,
            "severity": "error",
            "id": "unknown-entity",
            "message": "there is no entity named Custmer",
            "fix": "write Customer",
        }
    ]


def test_json_names_the_layout_and_the_other_place():
    (mistake,) = json.loads(sheaf("check", "--json", "-", text=COLLIDING).stdout)
    assert mistake["id"] == "key-collision" and mistake["layout"] == "roots"
    (note,) = mistake["notes"]
    assert note["line"] == 5 and note["column"] < mistake["column"]


def test_warnings_do_not_fail_the_check():
    told = sheaf("check", "--json", "-", text=WARNED)
    assert told.returncode == 0
    (warning,) = json.loads(told.stdout)
    assert (warning["severity"], warning["id"]) == ("warning", "unused-parameter")


def test_warnings_are_told_by_the_check_alone():
    assert "[unused-parameter]" in sheaf("check", "-", text=WARNED).stderr
    for command in ["plan", "-"], ["draw", "-"]:
        told = sheaf(*command, text=WARNED)
        assert (told.returncode, told.stderr) == (0, "")


def test_several_files_are_one_array(tmp_path):
    for name, text in [("a.sheaf", WRONG), ("b.sheaf", WARNED), ("c.sheaf", "model c { }")]:
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in ["a.sheaf", "b.sheaf", "c.sheaf"]]
    told = sheaf("check", "--json", *paths)
    assert told.returncode == 1
    assert [each["file"] for each in json.loads(told.stdout)] == paths[:2]
    assert json.loads(sheaf("check", "--json", paths[2]).stdout) == []


def test_whatever_bytes_a_file_has_the_json_is_utf8(tmp_path):
    path = tmp_path / "bad.sheaf"
    path.write_bytes(b'model m { entity A { id id; "\xe4" \xff x ' + "ä".encode() * 50 + b" } }")
    told = subprocess.run([PROGRAM, "model", "check", "--json", str(path)], capture_output=True, timeout=60)
    assert told.returncode == 1
    mistakes = json.loads(told.stdout.decode("utf-8"))
    assert "bad-text" in {each["id"] for each in mistakes}
    assert any("\ufffd" in each["message"] for each in mistakes)


def test_a_file_that_is_not_there_is_no_mistake_of_a_model():
    told = sheaf("check", "--json", "/nowhere.sheaf")
    assert told.returncode == 2 and told.stdout == "" and "cannot read /nowhere.sheaf" in told.stderr


def test_what_is_no_file_of_a_model_is_told():
    for command in ["check", "fmt", "lint", "plan"]:
        told = sheaf(command, str(ROOT / "models/hr"))
        assert told.returncode == 2 and told.stdout == "" and "models/hr is a directory: name a model file in it" in told.stderr
    for command in ["check", "fmt", "lint"]:
        told = sheaf(command, "-", text="")
        assert told.returncode == 2 and "nothing was read" in told.stderr


def test_the_layout_of_the_standard_input_is_checked():
    laid_out = sheaf("fmt", "-", text=WRONG).stdout
    told = sheaf("fmt", "-", "--check", text=WRONG.replace("  ", " "))
    assert told.returncode == 1 and told.stdout == "-\n"
    told = sheaf("fmt", "-", "--check", text=laid_out)
    assert told.returncode == 0 and told.stdout == ""


def test_a_model_in_json_is_printed_in_the_language(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(sheaf("json", "-", text=COLLIDING).stdout)
    before = path.read_text()
    told = sheaf("fmt", str(path))
    assert told.returncode == 0 and told.stdout.startswith("model shop {\n") and path.read_text() == before
    assert sheaf("json", "-", text=told.stdout).stdout == before
    told = sheaf("fmt", "--check", str(path))
    assert told.returncode == 2 and "is JSON" in told.stderr


def test_errors_lists_every_page_with_its_sentence():
    listed = sheaf("errors")
    assert listed.returncode == 0
    ids = [line.split()[0] for line in listed.stdout.splitlines()]
    assert ids == sorted(path.stem for path in (ROOT / "doc" / "errors").glob("*.md"))
    assert all(line.endswith(".") for line in listed.stdout.splitlines())


def test_errors_are_told_in_json():
    listed = json.loads(sheaf("errors", "--json").stdout)
    assert [page["id"] for page in listed] == [line.split()[0] for line in sheaf("errors").stdout.splitlines()]
    page = json.loads(sheaf("errors", "unknown-entity", "--json").stdout)
    assert page["page"] == sheaf("errors", "unknown-entity").stdout
    assert {"id": page["id"], "sentence": page["sentence"]} in listed


def test_errors_prints_a_page():
    assert sheaf("errors", "key-collision").stdout == (ROOT / "doc/errors/key-collision.md").read_text()


def test_errors_proposes_an_id():
    told = sheaf("errors", "key-colision")
    assert told.returncode == 2 and "there is key-collision" in told.stderr
