"""sheaf shell: at a terminal, and without one."""

import json
import os
import stat
import subprocess
import time

import pytest

from terminal import PATIENCE_S, AtTerminal, plain

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
MAKE = """table create app --key PK --sort SK --gsi 'byTotal=kind/total:N'
item put app '{"PK":"a","SK":"1","kind":"x","total":5}'
INSERT INTO app VALUE {'PK': 'a', 'SK': '2', 'kind': 'x', 'total': 3};
"""


def run(database, text, *words, **variables):
    environment = {**os.environ, **variables}
    return subprocess.run(
        [PROGRAM, "shell", *words, *database], input=text, capture_output=True, text=True, timeout=120, env=environment
    )


def lines(told):
    assert told.returncode == 0, told
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_the_standard_input_is_run_line_by_line(database):
    assert run(database, MAKE).returncode == 0
    told = run(database, "-- a comment\n# and another\n\nquery app a\nSELECT SK\n  FROM app\n  WHERE PK = 'a';SELECT total FROM app WHERE SK = '2'")
    assert lines(told) == [
        {"PK": "a", "SK": "1", "kind": "x", "total": 5}, {"PK": "a", "SK": "2", "kind": "x", "total": 3},
        {"SK": "1"}, {"SK": "2"}, {"total": 3},
    ]  # fmt: skip


def test_commands_may_be_typed_as_elsewhere(database):
    run(database, MAKE)
    told = run(database, "sheaf scan app --count\nscan app --count;\nitem get app a '2' --attributes SK ;\nitem get app a 2; \nselect SK from app where PK = 'a' and SK = '1';")
    assert lines(told) == [2, 2, {"SK": "2"}, {"PK": "a", "SK": "2", "kind": "x", "total": 3}, {"SK": "1"}]
    put = """item put app '{"PK":"a;","SK":";"}'\nitem get app a\\; ';'"""
    assert lines(run(database, put)) == [{"PK": "a;", "SK": ";"}]


def test_a_table_and_an_index_in_use_are_not_named(database):
    run(database, MAKE)
    told = run(database, "\\use app\nquery a --attributes SK\nitem get a 2 --attributes total\n\\index byTotal\nquery x --attributes SK\n\\use\nscan app --count")
    assert lines(told) == [{"SK": "1"}, {"SK": "2"}, {"total": 3}, {"SK": "2"}, {"SK": "1"}, 2]
    assert lines(run(database, "scan --count", "app")) == [2]


@pytest.mark.parametrize(
    "wrong, status, said",
    [
        ("query nowhere a", 2, "nowhere"),
        ("query", 2, "required"),
        ("item get app a 9", 1, "no such item"),
        ("\\nothing", 2, "\\help tells"),
        ("\\use nowhere", 2, "sheaf: "),
        ("\\index x", 2, "\\use one first"),
        ("SELEKT * FROM app;", 2, "there is no command SELEKT; did you mean select?"),
        ("qurey 5", 2, "there is no command qurey; did you mean query?"),
        ("item gte app a", 2, "there is no command item gte; did you mean item get?"),
        ("query app a 1 --limit 0", 2, "0 is not a number above 0"),
        ("item get app [a] 1", 1, "no such item"),
        ("item put app '{", 2, "a quote has no end"),
    ],
)
def test_the_first_error_ends_it(database, wrong, status, said):
    run(database, MAKE)
    told = run(database, f"query app a 1\n{wrong}\nquery app a 2\n")
    assert told.returncode == status and len(told.stdout.splitlines()) == 1 and said in told.stderr, told


def test_quit_ends_it_and_nothing_else_is_run(tmp_path):
    told = run(["--data", str(tmp_path / "data")], "\\quit\nquery nowhere a\n")
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_what_cannot_be_reached_is_told_at_once():
    told = run(["--endpoint", "http://127.0.0.1:1"], "")
    assert told.returncode == 2 and told.stderr.startswith("sheaf: ")


# At a terminal.


class Typist(AtTerminal):
    def __init__(self, database, home, *words, **options):
        super().__init__(
            [PROGRAM, "shell", *words, *database], HOME=str(home), XDG_STATE_HOME=str(home / "state"), NO_COLOR="1", **options
        )

    def key(self, typed):
        """Types at the prompt: before it is there, the terminal is not libedit's, and keys mean something else."""
        deadline = time.monotonic() + PATIENCE_S
        while not plain(self.shown).endswith("> "):
            assert time.monotonic() < deadline, self.shown
            self.read_some(1)
        return self.type(typed)

    def answer(self, typed, until):
        return self.wait_for(until, self.key(typed))

    def leave(self):
        self.key("\x04")
        return self.finish()


def test_items_are_drawn_with_counts_and_units(database, tmp_path):
    run(database, MAKE)
    with Typist(database, tmp_path) as shell:
        shown = shell.answer("query app a\n", "units\n")
        assert "PK  SK" in shown and "2 items\n" in shown and "0.5 units" in shown
        shown = shell.answer("SELECT * FROM app\n", "     > ")
        shown = shell.answer("WHERE PK = 'a' AND SK = '2';\n", "units\n")
        assert "1 item\n" in shown
        shown = shell.answer("\\json\n", "as JSON\n")
        assert '{"PK":"a","SK":"1","kind":"x","total":5}' in shell.answer("query app a 1\n", "units\n")
        shell.answer("\\timing\n", "timing is on\n")
        assert " ms\n" in shell.answer("item get app a 1\n", " ms\n")
        assert "app" in shell.answer("\\tables\n", " ms\n")
        # What is wrong is told, and the next line is read.
        shell.answer("query nowhere a\n", "sheaf> ")
        shell.answer("\\use app\n", "app> ")
        shell.answer("\\index byTotal\n", "app.byTotal> ")
        assert "PartiQL" in shell.answer("\\help\n", "\\quit")
        shell.key("\\quit\n")
        assert shell.finish() == 0


def test_tab_completes(tmp_path):
    database = ["--data", str(tmp_path / "data")]
    run(database, MAKE)
    with Typist(database, tmp_path) as shell:
        # What was completed is what is run: how libedit draws it is its own affair.
        shell.answer("qu\ta\ta\n", "units\n")
        shown = shell.answer("qu\ta\ta --rev\t--att\tSK,to\t\n", "units\n")
        assert [line.split() for line in shown.splitlines() if line[:1].isdigit()][:2] == [["2", "3"], ["1", "5"]]
        shell.answer("SEL\t* FR\tap\tWH\tto\t= 3;\n", "1 item\n")
        place = shell.key("item \t\t")
        assert {"delete", "get", "put", "update"} <= set(shell.wait_for("update", place).split())
        shell.type("\x03")
        shell.answer("\\us\ta\t\n", "app> ")
        shell.answer("query x --index by\t\n", "byTotal 0.5)\n")
        assert shell.leave() == 0


def test_lines_are_remembered_for_their_owner(tmp_path):
    database = ["--data", str(tmp_path / "data")]
    run(database, MAKE)
    with Typist(database, tmp_path) as shell:
        shell.answer("scan app --count\n", "units\n")
        shell.answer("SELECT SK\n", "> ")
        shell.answer("FROM app;\n", "units\n")
        assert shell.leave() == 0
    kept = tmp_path / "state/sheaf/history"
    assert kept.read_text() == "scan app --count\nSELECT SK FROM app;\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with Typist(database, tmp_path) as shell:
        shell.answer("\x1b[A\x1b[A\n", "units\n")
        assert shell.leave() == 0
        assert "scan app --count" in shell.shown


def test_control_c_forgets_a_line_and_a_statement(tmp_path):
    database = ["--data", str(tmp_path / "data")]
    run(database, MAKE)
    with Typist(database, tmp_path) as shell:
        shell.key("item put app nonsense\x03")
        shell.answer("SELECT *\n", "     > ")
        shell.key("FROM\x03")
        shell.answer("scan app --count\n", "units\n")
        assert shell.leave() == 0
        assert "sheaf: " not in shell.shown


def test_control_c_forgets_nothing_too(tmp_path):
    database = ["--data", str(tmp_path / "data")]
    run(database, MAKE)
    with Typist(database, tmp_path) as shell:
        shown = shell.answer("\x03", "^C\nsheaf> ")
        shown = shell.answer("scan se\x03", "^C\nsheaf> ")
        shell.answer("SELECT *\n", "     > ")
        shown = shell.answer("\x03", "^C\nsheaf> ")
        assert "     > " not in shown
        shell.answer("scan app --count\n", "units\n")
        assert shell.leave() == 0


def things(count, note="x"):
    return "".join(json.dumps({"id": str(i), "note": note * 20}) + "\n" for i in range(count))


def test_load_and_dump_are_commands_of_the_shell(database, tmp_path):
    file, copy = tmp_path / "things of today.jsonl", tmp_path / "copy.jsonl"
    file.write_text(things(300))
    told = run(database, f"load Things '{file}' --key id:S\n\\use Things\ndump --out {copy} --format json\nload {copy} --replace\nscan --count")
    assert told.returncode == 0 and told.stdout.splitlines()[-1] == "300", told
    assert sorted(copy.read_text().splitlines()) == sorted(line.replace(", ", ",").replace(": ", ":") for line in file.read_text().splitlines())
    told = run(database, f"load nowhere {tmp_path}/none\nscan Things --count")
    assert told.returncode == 2 and told.stdout == "" and "there is no file" in told.stderr, told
    with Typist(database, tmp_path) as shell:
        shell.answer(f"load Others {copy} --key id:S\n", "300 items put into Others")
        shell.answer("\\use Others\n", "Others> ")
        shell.answer(f"load {copy}\n", "has items already")
        shown = shell.answer("dump --format json\n", "300 items of Others")
        assert shown.count('"id":') == 300
        assert "TABLE" in shell.answer("load --help\n", "--if-absent")
        assert shell.leave() == 0


def test_control_c_ends_a_command_and_not_the_shell(tmp_path):
    database = ["--data", str(tmp_path / "data")]
    file, position = tmp_path / "many.jsonl", tmp_path / "position"
    file.write_text(things(15_000))
    with Typist(database, tmp_path) as shell:
        load = f"load Things {file} --key id:S --resume {position}"
        place = shell.key(f"{load} --threads 1\n")
        shell.wait_for(" items (", place)  # progress
        shell.type("\x03")
        shell.wait_for("interrupted; the same command goes on", place)
        shell.answer("scan Things --limit 1\n", "1 item\n")
        # Lines are typed as before: the terminal is the editor's again, and only while a line is typed.
        shell.answer("\x1b[A\x01\x0btable list\n", "Things\n")
        place = shell.key(f"load Others {file} --key id:S --threads 1\n")
        shell.wait_for(" items (", place)
        shell.type("\x03")
        shell.wait_for("what was put stays", place)
        assert shell.leave() == 0
    kept = (tmp_path / "state/sheaf/history").read_text().splitlines()
    assert kept[0].startswith("load Things") and kept[-1].startswith("load Others") and "table list" in kept
    # What was interrupted goes on.
    told = run(database, f"{load} --threads 16\nscan Things --count")
    assert told.returncode == 0 and told.stdout.splitlines()[-1] == "15000", told


def test_texts_in_other_scripts_can_be_typed(tmp_path):
    database = ["--data", str(tmp_path / "data")]
    with Typist(database, tmp_path) as shell:
        shell.answer("table create places --key id\n", "sheaf> ")
        shell.answer("item put places '{\"id\":\"Zürich 東京\"}'\n", "1 unit\n")
        assert shell.leave() == 0
    assert lines(run(database, "scan places")) == [{"id": "Zürich 東京"}]
