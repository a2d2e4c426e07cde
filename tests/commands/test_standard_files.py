"""Programs whose standard files somebody has closed: what they tell must not land in a database's files."""

import os
import socket
import subprocess

import pytest

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]


def run(*words, closed="", **options):
    """`closed`: how a shell says it, as in ">&-"."""
    command = ["bash", "-c", f'exec "$0" "$@" {closed}', PROGRAM, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data"
    assert run("table", "create", "things", "--key", "id", "--data", path).returncode == 0
    assert run("item", "put", "things", '{"id":"a","n":1}', "--data", path).returncode == 0
    yield path
    # Still what it was.
    assert run("scan", "things", "--data", path).stdout == '{"id":"a","n":1}\n'
    told = run("doctor", path)
    assert told.returncode == 0 and "all is well" in told.stdout, told


def is_somewhere(text, directory):
    return any(text.encode() in path.read_bytes() for path in directory.rglob("*") if path.is_file())


def test_a_closed_output_is_told_of(data):
    done = run("scan", "things", "--data", data, closed=">&-")
    assert done.returncode == 2 and done.stderr == "sheaf: cannot write the standard output\n"
    assert not is_somewhere('"id":"a"', data)


@pytest.mark.parametrize("words", [["scan", "things", "--cost"], ["item", "put", "things", '{"no":1}']])
def test_what_is_told_to_a_closed_error_is_nowhere(data, words):
    done = run(*words, "--data", data, closed="2>&-")
    assert done.returncode == (0 if "scan" in words else 2)
    assert not is_somewhere("0.5 units", data) and not is_somewhere("the item has no id", data)


def test_a_closed_input_is_empty(data):
    done = run("item", "put", "things", "-", "--data", data, closed="<&-")
    assert done.returncode == 2 and "the standard input has no items" in done.stderr, done


def test_all_of_them_can_be_closed(data):
    assert run("scan", "things", "--cost", "--data", data, closed="<&- >&- 2>&-").returncode == 2
    assert not is_somewhere('"id":"a"', data) and not is_somewhere("0.5 units", data)


def without_null(path):
    """Words before a command: where it runs, nothing can be opened at /dev/null."""
    with socket.socket(socket.AF_UNIX) as there:
        there.bind(str(path))
    mounted = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"]), "sh", "-c", f'mount --bind "{path}" /dev/null && exec "$@"', "sh"]
    return mounted if subprocess.run([*mounted, "true"], capture_output=True).returncode == 0 else None


def test_what_cannot_be_held_ends_with_a_reason(tmp_path):
    before = without_null(tmp_path / "socket")
    if not before:
        pytest.skip("nothing can be mounted here")
    command = [*before, "bash", "-c", 'exec "$0" --version <&-', PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == "", done
    assert done.stderr.startswith("sheaf: a standard file is closed, and /dev/null cannot be opened in its place: "), done
