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


def inferred_from_a_part(tmp_path, model, counts, items, layout="default"):
    """What is inferred from `items` items, of several times as many; and that all were read is no other model."""
    database, table = tmp_path / "part", model.parent.name if model.name == "model.sheaf" else model.stem
    done = sheaf("generate", model, "--layout", layout, "--count", *counts, "--load", "--data", database)
    assert done.returncode == 0, done.stderr
    done = sheaf("infer", table, "--data", database, "--items", items)
    assert done.returncode == 0, done.stderr
    assert "%)" in done.stderr, done.stderr
    file = tmp_path / "inferred.sheaf"
    file.write_text(done.stdout)
    assert sheaf("check", file).returncode == 0
    every = sheaf("infer", table, "--data", database, "--items", 0).stdout

    def relations(text):
        return [line.split("{")[0] for line in text.splitlines() if line.startswith("  rel ")]

    assert relations(done.stdout) == relations(every)
    return done.stdout


# E22 and E23, and keys that Sheaf allocates: edges lie behind another word than those that they lead to.
def test_edges_of_a_table_that_is_read_in_part_are_edges(tmp_path):
    file = tmp_path / "club.sheaf"
    file.write_text(
        "model club { entity User { id id; name } entity Group { id id; title } "
        "rel User *--* Group as groups / members { size of groups avg 5 max 50; size of members avg 10 max 90; via edges } }"
    )
    text = inferred_from_a_part(tmp_path, file, ["User=200"], 500)
    assert "rel User *--* Group as groups / users {" in text and "within" not in text, text


def test_movies_that_are_read_in_part_have_edges(tmp_path):
    text = inferred_from_a_part(tmp_path, MODELS / "movies/model.sheaf", ["Actor=60"], 400)
    assert "rel Actor *--* Movie as movies / actors {" in text and "within" not in text, text
    assert "copy movies(year)" in text, text


def test_repos_that_are_read_in_part_have_edges(tmp_path):
    for layout in ["default", "by_repo"]:
        (tmp_path / layout).mkdir()
        text = inferred_from_a_part(tmp_path / layout, MODELS / "repos/model.sheaf", ["User=60"], 400, layout)
        assert " *--* " in text and "within" not in text, text


def test_friends_that_are_read_in_part_are_friends(tmp_path):
    text = inferred_from_a_part(tmp_path, MODELS / "friends/model.sheaf", ["User=200"], 1500)
    assert "rel User *--* User as friends {" in text and "copy friends(name)" in text, text


def test_ids_of_two_parts_are_as_good(tmp_path):
    file = tmp_path / "teams.sheaf"
    file.write_text(
        "model teams { entity User { org id; handle id; name } entity Group { org id; code id; title } "
        "rel User *--* Group as groups / members { size of groups avg 5 max 50; size of members avg 10 max 90; via edges } "
        "entity Post { id id; text } rel User 1--* Post as posts / writer { via index; size avg 2 max 20 } }"
    )
    text = inferred_from_a_part(tmp_path, file, ["User=200", "Post=100"], 500)
    assert "rel User *--* Group as groups / users {" in text and "within" not in text, text
    assert "rel User 1--* Post as posts / writer { via index on GSI1;" in text, text


# A reference that not all have: among others, not the first that is read.
def test_a_reference_is_one_whatever_the_id_is_called_and_who_has_none(tmp_path):
    file = tmp_path / "blog.sheaf"
    file.write_text(
        "model blog { entity Person { handle id } entity Post { id id; text } "
        "rel Person 1--* Post as posts / writer { via index; size avg 2 max 20 } }"
    )
    for seed in ["1", "3"]:
        database = tmp_path / seed
        done = sheaf("generate", file, "--count", "Person=20", "Post=50", "--seed", seed, "--load", "--data", database)
        assert done.returncode == 0, done.stderr
        done = sheaf("infer", "blog", "--data", database)
        assert "rel Person 1--* Post as posts / writer { via index on GSI1;" in done.stdout, done.stdout
        assert "handle id;" in done.stdout and "store none" not in done.stdout, done.stdout


def test_an_endpoint_is_as_good_as_a_directory(tmp_path):
    command = [PROGRAM, "serve", "--in-memory", "--port", "0", "--admin-port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in server.stderr if " url=" in line)
        url = line.split(" url=")[1].split()[0]
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
