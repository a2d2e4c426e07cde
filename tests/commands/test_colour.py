"""Colour at a terminal, and none elsewhere."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from terminal import plain, run_at_terminal

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
MODELS = Path(__file__).resolve().parents[2] / "models"
HR = str(MODELS / "hr/model.sheaf")
WRONG = """model shop {
  entity Customer { id id; name }
  rel Custmer 1--* Customer as customers / customer
  pattern customer(c: Customer, city: string) = $c
}
"""

RED, YELLOW, CYAN, GREEN, BOLD = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[32m", "\x1b[1m"
DIM, END = "\x1b[2m", "\x1b[0m"


def lines(shown):
    """Without colour, and without lines that tell how far it is."""
    cleared = re.sub(r"\r[^\r\n]*\r\x1b\[K", "", shown)
    return sorted(line for line in plain(cleared).split("\n") if not line.startswith("\r"))


@pytest.fixture
def told(tmp_path):
    """What a command says at a terminal, which is what it says elsewhere with colour in it."""
    (tmp_path / "wrong.sheaf").write_text(WRONG)
    (tmp_path / "warned.sheaf").write_text(WRONG.replace("Custmer", "Customer"))

    # `same` is what must not differ from one run to the next, with or without colour.
    def tell(*words, same=lines):
        command = [PROGRAM, *(word.replace("@", f"{tmp_path}/") for word in words)]
        status, shown = run_at_terminal(command, columns=300, NO_COLOR=None)
        for variables in [{"NO_COLOR": "1"}, {"NO_COLOR": None, "TERM": "dumb"}]:
            again, uncoloured = run_at_terminal(command, columns=300, **variables)
            assert again == status and same(uncoloured) == same(shown) and END not in uncoloured
        elsewhere = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=60)
        assert same(elsewhere.stdout) == same(shown) and elsewhere.returncode == status and END not in elsewhere.stdout
        return shown

    return tell


def test_mistakes_and_warnings_of_models(told):
    shown = told("model", "check", "@wrong.sheaf", HR)
    assert f"wrong.sheaf:3:7:{END} {RED}error:{END} there is no entity named Custmer" in shown
    assert f"{RED}      ^^^^^^^{END}\n" in shown and f": {RED}1 mistake{END}\n" in shown
    assert f": {GREEN}fine{END}\n" in shown
    assert f"{YELLOW}warning:{END} " in told("model", "check", "@warned.sheaf")
    assert f"{RED}error:{END} there is no entity" in told("model", "plan", "@wrong.sheaf")


def test_findings_of_models(told):
    shown = told("model", "lint", HR)
    assert f"model.sheaf:5:10:{END} {CYAN}note:{END} " in shown and f"1 model, {YELLOW}1 finding{END}\n" in shown
    assert f"1 model, {RED}1 finding{END}\n" in told("model", "lint", HR, "--fail-on", "note")
    assert f"1 model, {GREEN}0 findings{END}\n" in told("model", "lint", HR, "--severity", "index-per-relation=off")


def test_plans(told):
    assert told("model", "plan", HR, "home", "--layout", "method4").startswith(f"{BOLD}home(e){END}: 2 requests")


def test_advice_bills_and_claims(told):
    assert told("model", "advise", HR, "--no-questions").startswith(f"{BOLD}Department.staff 1--* Employee{END}: via index\n")
    assert f"\n{BOLD}total{END}" in told("model", "cost", HR, "--layout", "method2")
    shown = told("model", "claims", "I3")
    assert f"{BOLD}edges (methods 3 and 4){END}\n  {GREEN}holds:{END} - extra items take storage" in shown


def without_times(shown):
    """Columns are as wide as what stands in them."""
    return [re.sub(r"[\d.]+x\b", "", " ".join(line.split())) for line in lines(shown) if "microseconds" not in line]


def test_measures(told):
    shown = told("model", "measure", HR, "--count", "Department=4", "--count", "Employee=40", "--runs", "2", same=without_times)
    assert f"{BOLD}{HR}{END}: 4 layouts, 4 Department, 40 Employee" in shown
    assert re.search(f"\n{re.escape(BOLD)}layout +requests [^\n]*{re.escape(END)}\nmethod1 ", shown), shown
    assert f"\n{BOLD}fewest requests{END}: method1\nfewest units: method1\n" in shown


def test_explained_plans(told, tmp_path):
    shown = told("model", "explain", HR)
    assert f"\n{BOLD}home(e){END}: 2 requests" in shown and "\n  1. GetItem: " in shown
    (tmp_path / "over.sheaf").write_text(Path(HR).read_text().replace("budget 2 requests", "budget 1 requests"))
    shown = told("model", "explain", "@over.sheaf")
    assert f"{RED}error:{END} home takes 2 requests, and its budget is 1" in shown and f"\n{BOLD}home(e){END}: 2 requests" in shown


def test_inferred_models(told, tmp_path):
    support = [MODELS / "support/model.sheaf", MODELS / "support/data.json", "--data", tmp_path / "data"]
    subprocess.run([PROGRAM, "model", "load", *support], check=True, stdout=subprocess.DEVNULL)
    shown = told("model", "infer", "support", "--data", "@data")
    assert f"{DIM}// Inferred from 10 items of the table support.{END}\n" in shown and "\nmodel support {\n" in shown
    assert f"\n{DIM}  // What the data cannot show:{END}\n" in shown


def test_directories(told, tmp_path):
    subprocess.run([PROGRAM, "table", "create", "app", "--key", "id", "--data", tmp_path / "data"], check=True)
    assert f": {GREEN}all is well{END}\n" in told("doctor", "@data")
    assert told("doctor", "@nothing").startswith(f"{RED}sheaf:{END} ")


@pytest.mark.parametrize("words", [["scna"], ["table", "list", "--what"], ["table", "list", "--data", "/nowhere/at/all"], ["model", "check", "/nowhere"]])
def test_errors(told, words):
    assert told(*words).startswith(f"{RED}sheaf:{END} ")
