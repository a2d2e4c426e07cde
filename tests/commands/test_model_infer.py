"""sheaf model infer and sheaf model import."""

import json
import os
import subprocess
from pathlib import Path

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"


def sheaf(*arguments, **options):
    return subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def loaded(tmp_path, model, layout="default"):
    database = tmp_path / f"{model}-{layout}"
    done = sheaf("load", MODELS / model / "model.sheaf", MODELS / model / "data.json", "--layout", layout, "--data", database)
    assert done.returncode == 0, done.stderr
    return database


def test_what_is_inferred_checks_plans_and_audits(tmp_path):
    database, file = loaded(tmp_path, "support"), tmp_path / "desk.sheaf"
    done = sheaf("infer", "support", "--data", database, "--name", "desk", "--output", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert done.stderr == "support: 10 of 10 items were read\n"
    text = file.read_text()
    assert "model desk {" in text
    assert "rel User 1--* Ticket as tickets / owner { via index on GSI1;" in text
    assert sheaf("check", file).returncode == 0
    assert sheaf("fmt", "--check", file).returncode == 0
    assert sheaf("apply", file, "--data", database).returncode == 0
    audit = sheaf("audit", file, "--data", database)
    assert audit.returncode == 0, audit.stdout
    assert "10 items: 10 entities, 0 edges; 0 findings" in audit.stdout
    answer = sheaf("run", file, "userTickets", '["acme", "ann"]', "--data", database)
    assert answer.stdout.count('"subject"') == 2, answer.stderr


def test_several_tables_are_one_model(tmp_path):
    database = loaded(tmp_path, "hr", "method1")
    done = sheaf("infer", "department", "employee", "--data", database)
    assert done.returncode == 0, done.stderr
    assert "rel Department 1--* Employee as employees / department { via index on by_department;" in done.stdout
    assert "in employee;" in done.stdout


def test_a_part_is_read_and_the_share_is_told(tmp_path):
    database = loaded(tmp_path, "posts")
    done = sheaf("infer", "app", "--data", database, "--items", 5, "--json")
    assert done.returncode == 0, done.stderr
    assert "app: 5 of 13 items were read (38.461 %)" in done.stderr
    report = json.loads(done.stdout)
    assert report["tables"] == [{"table": "app", "items_read": 5, "items": 13}]
    assert "Inferred from 5 of 13 items" in report["model"]
    assert all(0 < each["confidence"] < 1 and each["agree"] <= each["of"] for each in report["inferences"])
    assert any(each["about"] == "patterns" for each in report["questions"])
    assert "13 of 13" in sheaf("infer", "app", "--data", database, "--items", 0).stderr


def test_an_endpoint_is_as_good_as_a_directory(tmp_path):
    command = [PROGRAM, "serve", "--in-memory", "--port", "0", "--admin-port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        url = server.stderr.readline().split(" url=")[1].split()[0]
        orgs = MODELS / "orgs"
        assert sheaf("load", orgs / "model.sheaf", orgs / "data.json", "--endpoint", url).returncode == 0
        there = sheaf("infer", "orgs", "--endpoint", url)
        assert there.returncode == 0, there.stderr
        here = sheaf("infer", "orgs", "--data", loaded(tmp_path, "orgs"))
        assert sorted(there.stdout.splitlines()) == sorted(here.stdout.splitlines())
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_a_data_model_of_workbench_is_imported(tmp_path):
    file = tmp_path / "repos.json"
    exported = sheaf("export", MODELS / "repos/model.sheaf", "--as", "workbench", "--data", MODELS / "repos/data.json", "--output", file)
    assert exported.returncode == 0, exported.stderr
    done = sheaf("import", file, "--name", "again")
    assert done.returncode == 0, done.stderr
    assert "model again {" in done.stdout
    assert "rel User *--* Repo as repos / users {" in done.stdout
    assert sheaf("check", "-", input=done.stdout).returncode == 0


def test_wrong_use_says_what_to_do(tmp_path):
    database = loaded(tmp_path, "orgs")
    unknown = sheaf("infer", "nothing", "--data", database)
    assert unknown.returncode == 2 and "nothing" in unknown.stderr and unknown.stdout == ""
    assert sheaf("infer", "orgs").returncode != 0
    file = tmp_path / "none.json"
    file.write_text("{}")
    wrong = sheaf("import", file)
    assert wrong.returncode == 2 and "no data model of NoSQL Workbench" in wrong.stderr
    assert sheaf("import", tmp_path / "missing.json").returncode == 2
