"""sheaf model advise."""

import gzip
import json
import os
import pty
import re
import select
import subprocess
from pathlib import Path

import pytest

from terminal import plain

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
HR = MODELS / "hr/model.sheaf"

ADDRESSES = """model shop {
  entity Customer { id id; name }
  entity Address within customer { nick id; street }
  rel Customer 1--* Address as addresses / customer { size avg 3 max 10; on delete cascade }
  pattern profile(c: Customer) = $c + addresses
}
"""


def advise(*arguments, **options):
    return subprocess.run([PROGRAM, "model", "advise", *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def advice(*arguments, status=0):
    told = advise(*arguments, "--json")
    assert told.returncode == status, told.stderr + told.stdout
    return json.loads(told.stdout)


@pytest.fixture
def addresses(tmp_path):
    path = tmp_path / "shop.sheaf"
    path.write_text(ADDRESSES)
    return path


def test_a_relation_is_advised_with_why_the_price_and_what_would_change_it():
    told = advise(HR, "Department.staff")
    assert told.returncode == 0 and told.stderr == ""
    lines = told.stdout.splitlines()
    assert lines[0] == "Department.staff 1--* Employee: via index"
    assert lines[1] == "  because    it is looked up by its own id, which does not tell its parent"
    assert "F8   90      at most 90 (declared, line 6)" in told.stdout
    assert "- the index is eventually consistent (K4)" in told.stdout
    assert "embed      cannot: the id of an Employee does not say in which Department it lies" in told.stdout
    assert "F16 is yes: via edges pk one (method-3)" in told.stdout
    assert "open       F16  Must the newest links be seen at once" in told.stdout


def test_all_relations_are_advised_if_none_is_named():
    assert [each["relation"] for each in advice(HR)] == ["Department.staff", "Employee.reports", "Employee.mentees"]
    assert [each["relation"] for each in advice(HR, "Employee.mentor")] == ["Employee.mentees"]


def test_json_has_everything_and_open_questions_with_their_ids(addresses):
    (told,) = advice(addresses)
    assert told["via"] == "embed" and told["outcome"] == "embed"
    assert {each["question"] for each in told["answers"]} >= {"F1", "F2", "F8", "F12", "F23"}
    f8 = next(each for each in told["answers"] if each["question"] == "F8")
    assert (f8["answer"], f8["source"], f8["line"]) == (10, "declared", 4)
    assert {"question": "F8", "answer": 11, "via": "collection", "outcome": "collection"} in told["changes"]
    assert [each["question"] for each in told["open"]] == ["F13"]
    assert told["open"][0]["forms"] == "yes or no"
    assert {each["via"] for each in told["rejected"]} == {"collection", "path", "index", "ref", "edges", "graph", "lists", "ids"}
    assert told["trade_offs"] and told["way"]
    assert "written" not in told


def test_every_change_that_is_told_is_what_the_answer_gives(addresses):
    for model in (addresses, HR):
        for told in advice(model):
            for change in told["changes"]:
                answer = f"{told['relation']}:{change['question']}={change['answer']}"
                (other,) = advice(model, told["relation"], "--answer", answer)
                assert other["outcome"] == change["outcome"], answer


def test_answers_are_of_all_relations_or_of_one(addresses):
    assert advice(addresses, "--answer", "F8=11")[0]["via"] == "collection"
    assert advice(addresses, "--answer", "f13=no")[0]["via"] == "collection"
    told = advice(HR, "--answer", "Employee.mentees:F16=yes")
    assert [each["via"] for each in told] == ["index", "index", "edges pk one"]
    # The one of a relation comes before that of all.
    told = advice(HR, "--answer", "F16=yes", "--answer", "Employee.mentees:F16=no")
    assert [each["via"] for each in told] == ["edges pk one", "edges pk one", "index"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--answer", "F8"], "--answer takes QUESTION=ANSWER"),
        (["--answer", "F99=1"], "--trees lists the questions"),
        (["--answer", "F22=yes"], "--answer takes QUESTION=ANSWER"),
        (["--answer", "F8=many"], "F8 is answered by a whole number, not many"),
        (["--answer", "F10=sometimes"], "never, rarely or often"),
        (["--answer", "Nobody.at:F8=1"], "there is no relation Nobody.at"),
        (["Nobody.at"], "there are Customer.addresses"),
        (["--layout", "nowhere"], "has no layout nowhere"),
        (["--load", "/nowhere.json"], "/nowhere.json"),
    ],
)
def test_wrong_use_is_told(addresses, arguments, said):
    told = advise(addresses, *arguments)
    assert told.returncode == 2 and told.stdout == "" and said in told.stderr, told.stderr


def test_files_that_cannot_be_advised(tmp_path):
    assert advise().returncode == 2
    assert advise("/nowhere.sheaf").returncode == 2
    wrong = tmp_path / "wrong.sheaf"
    wrong.write_text("model m { entity A { id id } rel A 1--* B as b / a }")
    told = advise(wrong)
    assert told.returncode == 1 and "there is no entity named B" in told.stderr
    told = advise("-", "--write", input=ADDRESSES)
    assert told.returncode == 2 and "--write needs a file" in told.stderr


LADDER = """model ladder {
  entity Student { id id; name }
  entity Place { country id; state id; city id; store none }
  rel Place 1--* Student as residents / home { size unbounded }
  pattern home(s: Student) = $s { *, home }
  op move(s: Student, p: Place) = set $s.home = $p
}
"""
BY_PARTS = """  pattern livingIn(country: string, state: string?, city: string?) =
    Student where home.country = $country and home.state = $state and home.city = $city page 50 {}
"""


def check(path):
    return subprocess.run([PROGRAM, "model", "check", path], capture_output=True, text=True, timeout=120)


def test_what_is_advised_for_what_has_no_items_can_be_used(tmp_path):
    path = tmp_path / "ladder.sheaf"
    for text, via in ((LADDER, "edges pk many"), (LADDER.replace("  op move", BY_PARTS + "  op move"), "graph")):
        path.write_text(text)
        # What Sheaf chooses by itself, and what it writes down.
        assert check(path).returncode == 0, check(path).stderr
        (told,) = advice(path)
        assert told["via"] == via
        assert advise(path, "--write").returncode == 0
        assert f"via {via} }}" in path.read_text()
        assert check(path).returncode == 0, check(path).stderr


def test_the_school_without_its_keys_is_a_graph_again(tmp_path):
    text = (MODELS / "school/model.sheaf").read_text()
    text = re.sub(r"    via graph.*?;\n", "", text, flags=re.S)
    text = re.sub(r"  compare .*\n|  table school.*\n|    (tag|key|index) .*;\n", "", text)
    text = re.sub(r"  layout pairs \{.*?\n  \}\n", "", text, flags=re.S)
    path = tmp_path / "school.sheaf"
    path.write_text(text)
    assert "graph key" not in text and "layout" not in text
    assert [each["via"] for each in advice(path)] == ["graph", "graph"]
    assert advise(path, "--write").returncode == 0
    assert path.read_text().count("via graph") == 2
    # Within the budgets of the model, and with the same answers.
    assert check(path).returncode == 0, check(path).stderr
    tried = subprocess.run([PROGRAM, "model", "test", path, "--answers", MODELS / "school/answers.json", "--load", MODELS / "school/data.json"],
                           capture_output=True, text=True, timeout=120)
    assert tried.returncode == 0, tried.stdout + tried.stderr


def test_mistakes_of_the_model_are_told_and_end_with_1(tmp_path):
    path = tmp_path / "shop.sheaf"
    path.write_text(ADDRESSES.replace("}\n", "}\n  pattern streets(s: string) = Address where street = $s\n", 1))
    told = advise(path)
    assert told.returncode == 1 and "1 mistake" in told.stderr and "streets cannot be answered" in told.stderr
    # It is advised none the less, and what was wrong before is not held against anything.
    assert told.stdout.startswith("Customer.addresses 1--* Address: via collection")
    assert "cannot: streets" not in told.stdout and "ref        cannot: profile cannot be answered" in told.stdout


def test_a_strategy_is_refused_for_what_it_brings_and_not_for_what_was_wrong_before(tmp_path):
    path = tmp_path / "two.sheaf"
    path.write_text(ADDRESSES.replace("pattern profile", """entity A { id id; x }
  entity B { id id; y }
  rel A *--* B as bs / as { via lists }
  pattern profile"""))
    (told, _) = advice(path, status=1)
    assert told["via"] == "embed"
    assert not [each for each in told["rejected"] if "bs" in each["reason"]]


def test_copies_are_told_with_why_and_what_would_change_them(tmp_path):
    path = tmp_path / "cp.sheaf"
    path.write_text("""model cp {
  entity D { id id; name changes rarely }
  entity E { id id; x }
  rel D 1--* E as es / d { required; size avg 20 max 50000; on delete cascade }
  pattern card(e: E) = $e { *, d { name } } rate 1000/s
  pattern list(d: D) = $d.es page 50 rate 1/s
  op ren(d: D, n: string) = set $d.name = $n rate 1/day
}
""")
    told = advise(path).stdout
    assert "copies     no: too many items would hold it\n" in told
    assert "             F4   50000   at most 50000 hold it (declared, line 4)\n" in told
    assert "             unless F4 is 1000: copy\n" in told
    copies = advice(path)[0]["copies"]
    assert {"question": "F4", "answer": 1000, "outcome": "copy"} in copies["changes"]
    assert [each["question"] for each in copies["answers"]] == ["F3", "F10", "F15", "F4"]


def test_it_says_what_the_linter_will_say(tmp_path):
    path = tmp_path / "posts.sheaf"
    path.write_text("""model posts {
  entity User { id id; name }
  entity Post { id id; text }
  rel User 1--* Post as posts / user { required; size unbounded; on delete cascade }
  pattern posts(u: User) = $u.posts page 20
  pattern post(p: Post) = $p
}
""")
    (told,) = advice(path)
    assert told["via"] == "index" and "<at:month>" in told["notes"][0]
    assert advise(path, "--write").returncode == 0
    found = subprocess.run([PROGRAM, "model", "lint", path, "--json"], capture_output=True, text=True, timeout=120)
    linted = {f"{each['id']}: {each['message']}" for each in json.loads(found.stdout)}
    assert told["lint"] and set(told["lint"]) <= linted
    assert "lint       " in advise(path).stdout


# --- Data

def test_sizes_are_seen_in_a_data_file(addresses, tmp_path):
    many = {"Customer": [{"id": "c", "name": "n"}],
            "Address": [{"customer": "c", "nick": f"a{i}", "street": "s"} for i in range(11)]}
    data = tmp_path / "data.json"
    data.write_text(json.dumps(many))
    (told,) = advice(addresses, "--load", data)
    f8 = next(each for each in told["answers"] if each["question"] == "F8")
    assert (f8["answer"], f8["source"]) == (11, "seen") and f8["instead_of"].startswith("10 (declared)")
    assert told["via"] == "collection"
    many["Address"].pop()
    data.write_text(json.dumps(many))
    assert advice(addresses, "--load", data)[0]["via"] == "embed"
    lines = tmp_path / "data.jsonl"
    many["Address"].append({"customer": "c", "nick": "last", "street": "s"})
    lines.write_text("".join(json.dumps({kind: [each]}) + "\n" for kind in many for each in many[kind]))
    assert advice(addresses, "--load", lines)[0]["via"] == "collection"
    # They are told by what they are, as sheaf model load does.
    other = tmp_path / "lines"
    lines.rename(other)
    assert advice(addresses, "--load", other)[0]["via"] == "collection"
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(other.read_bytes()))
    assert advice(addresses, "--load", packed)[0]["via"] == "collection"


@pytest.mark.parametrize(
    "model, layout, relation, most",
    [
        ("hr", "default", "Department.staff", 3),
        ("hr", "method4", "Department.staff", 3),
        ("friends", "default", "User.friends", 2),
        ("friends", "lists", "User.friends", 2),
        ("addresses", "default", "Customer.addresses", None),
        ("repo_ids", "default", "User.repos", None),
    ],
)
def test_sizes_are_seen_in_a_database(tmp_path, model, layout, relation, most):
    file, database = MODELS / model / "model.sheaf", tmp_path / "db"
    loaded = subprocess.run([PROGRAM, "model", "load", file, MODELS / model / "data.json", "--layout", layout, "--data", database],
                            capture_output=True, text=True, timeout=120)
    assert loaded.returncode == 0, loaded.stderr
    # Without the sizes that are declared, what is seen counts.
    unsaid = tmp_path / "model.sheaf"
    unsaid.write_text(re.sub(r"size (of \w+ )?(avg \d+ )?max \d+;?", "", file.read_text()))
    seen = []
    for source in (["--load", MODELS / model / "data.json"], ["--data", database]):
        told = advise(unsaid, relation, "--layout", layout, "--json", *source)
        if told.returncode == 1 and told.stdout == "":
            pytest.skip("the layout needs its sizes")
        (each,) = json.loads(told.stdout)
        seen.append(next((a["answer"], a["source"]) for a in each["answers"] if a["question"] == "F8"))
    assert seen[0] == seen[1] and seen[0][1] == "seen"
    assert most is None or seen[0][0] == most


# --- What is written down

def test_a_written_strategy_is_judged_and_a_contradiction_ends_with_1(tmp_path):
    path = tmp_path / "shop.sheaf"
    for via, more, status, verdict in [
        ("embed", "", 0, "agrees"),
        ("collection", "", 0, "differs"),
        ("embed", "  pattern address(a: Address) = $a\n", 1, "contradicted"),
        ("index", "", 1, "contradicted"),
    ]:
        path.write_text(ADDRESSES.replace("{ size", f"{{ via {via}; size").replace("  pattern profile", more + "  pattern profile"))
        (told,) = advice(path, status=status)
        assert told["written"]["via"] == via and told["written"]["verdict"] == verdict, via
        assert bool(told["written"]["objections"]) == (verdict == "contradicted")
    assert "contradicted" in advise(path).stdout


def test_the_examples_are_judged_as_the_linter_finds_them():
    contradicted = {}
    for model in sorted(MODELS.glob("*/model.sheaf")):
        told = advise(model, "--json")
        names = [each["relation"] for each in json.loads(told.stdout) if each.get("written", {}).get("verdict") == "contradicted"]
        assert told.returncode == (1 if names else 0), model
        if names:
            contradicted[model.parent.name] = names
    assert contradicted == {"friends": ["User.friends"], "projects": ["Project.tasks"], "shop": ["Order.items"]}


# --- Writing

def test_write_puts_the_choice_into_the_file(addresses):
    told = advise(addresses, "--write")
    assert told.returncode == 0, told.stderr
    assert "Customer.addresses: via embed is written\n" in told.stderr
    assert "{ size avg 3 max 10; on delete cascade; via embed }" in addresses.read_text()
    # The second time there is nothing to do.
    before = addresses.read_text()
    told = advise(addresses, "--write")
    assert told.returncode == 0 and told.stderr == "" and addresses.read_text() == before
    assert advice(addresses)[0]["written"]["verdict"] == "agrees"


def test_write_replaces_what_is_contradicted_and_leaves_what_only_differs(tmp_path):
    path = tmp_path / "shop.sheaf"
    path.write_text(ADDRESSES.replace("{ size", "{ via index; size"))
    assert advise(path, "--write").returncode == 0
    assert "{ via embed; size" in path.read_text()
    path.write_text(ADDRESSES.replace("{ size", "{ via collection; size"))
    assert advise(path, "--write").returncode == 0
    assert "{ via collection; size" in path.read_text()
    assert advise(path, "Customer.addresses", "--write").returncode == 0
    assert "{ via embed; size" in path.read_text()


def test_write_into_a_layout_and_comments_stay(tmp_path):
    path = tmp_path / "hr.sheaf"
    path.write_text(HR.read_text().replace("  pattern teamIds", "  layout mine { entity Employee { tag \"e\" } }  // mine\n  pattern teamIds", 1))
    told = advise(path, "Department.staff", "--layout", "mine", "--answer", "F16=yes", "--write")
    assert told.returncode == 0, told.stderr
    text = path.read_text()
    assert "rel Department.staff via edges pk one" in text and "// mine" in text
    check = subprocess.run([PROGRAM, "model", "check", path], capture_output=True, text=True, timeout=120)
    assert check.returncode == 0, check.stderr


# --- Questions

def on_a_terminal(arguments, typed):
    """What is shown, but for its colour, while `typed` is answered, line by line, and then nothing more, and the status."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(PROGRAM, [PROGRAM, "model", "advise", *map(str, arguments)])
    shown = b""
    try:
        while select.select([terminal], [], [], 60)[0]:
            data = os.read(terminal, 4096)
            if not data:
                break
            shown += data
            if shown.endswith(b"know) "):
                os.write(terminal, (typed.pop(0) if typed else "").encode() + b"\n")
    except OSError:
        pass  # it has ended
    return plain(shown.decode()), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_on_a_terminal_it_asks_what_could_change_the_choice(addresses):
    shown, status = on_a_terminal([addresses], ["no"])
    assert status == 0
    assert shown.startswith("Customer.addresses: F13 Are the many rarely changed on their own? (yes or no; yes if you do not know)")
    assert "Customer.addresses 1--* Address: via collection" in shown
    # What is no answer is asked again; nothing leaves it as it is.
    shown, status = on_a_terminal([addresses], ["perhaps", ""])
    assert shown.count("F13 Are the many rarely") == 2
    assert "perhaps is no answer: say yes or no, or nothing to leave it" in shown
    assert "Customer.addresses 1--* Address: via embed" in shown
    shown, status = on_a_terminal([addresses, "--no-questions"], [])
    assert status == 0 and shown.startswith("Customer.addresses 1--* Address: via embed")


STAFF = """model staff {
  entity Department { id id; name changes rarely }
  entity Employee { id id; name }
  rel Department 1--* Employee as staff / department { required; size SIZE; on delete cascade }
  pattern team(d: Department) = $d.staff page 50
  pattern home(e: Employee) = $e { *, department { name } } RATE
  op rename(d: Department, n: string) = set $d.name = $n RATE
}
"""


def staff(path, size, read="", write=""):
    path.write_text(STAFF.replace("SIZE", size).replace("RATE", read, 1).replace("RATE", write, 1))
    return path


def test_what_decides_of_copies_is_asked_too(tmp_path):
    path = staff(tmp_path / "staff.sheaf", "avg 20 max 90")
    (told,) = advice(path)
    assert [each["question"] for each in told["open"]] == ["F16", "F11"] and told["open"][1]["assumed"] == 1
    assert "             F11  How many reads are there for each write? (a whole number; assumed: 1)\n" in advise(path).stdout
    shown, status = on_a_terminal([path], ["", "10", ""])
    assert status == 0
    # One answer opens the next question: what is read so often may have to be new.
    asked = re.findall(r"Department.staff: (F\d+) .*? if you do not know\)", shown)
    assert asked == ["F16", "F11", "F15"]
    assert "Department.staff 1--* Employee: via index copy department(name)" in shown


def test_what_grows_without_bound_is_not_copied_whatever_the_average(tmp_path):
    path = staff(tmp_path / "staff.sheaf", "avg 400 unbounded", "rate 100/s", "rate 1/day")
    told = advise(path).stdout
    assert "copies     no: too many items would hold it\n" in told and "many-copies" not in told
    assert "             F4   1001    without bound: thousands are assumed (assumed)\n" in told
    (told,) = advice(path, "--answer", "F4=400")
    assert told["via"] == "index copy department(name)"


def test_rates_say_what_is_seldom_and_what_is_busy(tmp_path):
    path = tmp_path / "rates.sheaf"
    path.write_text("""model rates {
  entity User { id id; name }
  entity Repo { id id; name }
  entity Note within user { id id; text changes often }
  rel User *--* Repo as repos / users { size of repos max 5; size of users max 5 }
  rel User 1--* Note as notes / user { size avg 30 max 90; on delete cascade }
  pattern nightly(u: User) = $u.repos rate 1/day
  pattern notes(u: User) = $u + notes
  pattern note(n: Note) = $n rate 5000/s
}
""")
    repos, notes = advice(path)
    assert repos["via"].startswith("ids")
    assert {each["question"]: (each["answer"], each["source"]) for each in repos["answers"]}["F21"] == ("yes", "inferred")
    assert notes["via"] == "index"
    assert {each["question"]: (each["answer"], each["source"]) for each in notes["answers"]}["F23"] == ("yes", "assumed")
    assert "F23" in [each["question"] for each in notes["open"]]


def test_it_measures_on_the_data_that_is_given(tmp_path):
    database = tmp_path / "db"
    arguments = [HR, "Department.staff", "--measure"]
    data = MODELS / "hr/data.json"
    assert advice(*arguments, "--load", data)[0]["measured_on"] == str(data)
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(data.read_bytes()))
    assert advice(*arguments, "--load", packed)[0]["measured_on"] == str(packed)
    loaded = subprocess.run([PROGRAM, "model", "load", HR, data, "--data", database], capture_output=True, text=True, timeout=120)
    assert loaded.returncode == 0, loaded.stderr
    seen = advice(*arguments, "--data", database)[0]["measured_on"]
    assert seen.endswith(", generated from seed 1, with as many of each as were seen")
    assert int(seen.split()[0]) < 50
    # Of nothing but patterns, copies would cost nothing: what every model has is written to generated data.
    unwritten = tmp_path / "unwritten.sheaf"
    unwritten.write_text(re.sub(r"  op .*\n|  expect .*\n", "", HR.read_text()))
    told = advice(unwritten, "Department.staff", "--measure", "--load", data)[0]["measured_on"]
    assert f"and not on {data}: the model declares no operations" in told


# --- The document

def test_the_document_shows_the_trees_that_decide():
    told = advise("--trees")
    assert told.returncode == 0
    assert told.stdout in (ROOT / "doc/advise.md").read_text()


def test_what_is_measured_is_held_against_the_tables():
    plain, measured = advise(HR, "Employee.reports"), advise(HR, "Employee.reports", "--measure")
    assert plain.returncode == measured.returncode == 0, measured.stderr
    assert re.search(r"measured +on 2100 entities and 5600 links, generated from seed 1\n", measured.stdout)
    contradicting = re.findall(r" +via (.*?) took ([0-9.]+) requests and ([0-9.]+) units, via index took ([0-9.]+) and ([0-9.]+) \(F22\)", measured.stdout)
    assert contradicting and "(F22)" not in plain.stdout
    for _, requests, units, own_requests, own_units in contradicting:
        assert float(requests) <= float(own_requests) and float(units) <= float(own_units)
        assert (requests, units) != (own_requests, own_units)
    # What is best by its own figures is contradicted by nobody.
    assert "(F22)" not in advise(HR, "Department.staff", "--measure").stdout
