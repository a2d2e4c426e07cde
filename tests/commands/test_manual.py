"""sheaf completion and sheaf man: all commands and options are there, and shells and man take what is made."""

import os
import re
import shutil
import subprocess

import pytest

from terminal import AtTerminal

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]


def sheaf(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def tree(path=()):
    """Every command with its options, as its help tells them."""
    told = sheaf(*path, "--help")
    options = set(re.findall(r"^  +(?:-\w,)?(--[\w-]+)", told, re.M)) | set(re.findall(r"^  +(-\w)\b", told, re.M))
    commands = told.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
    all_commands = {path: options}
    for name in re.findall(r"^  ([\w-]+)", commands, re.M):
        all_commands.update(tree((*path, name)))
    return all_commands


@pytest.fixture(scope="module")
def commands():
    found = tree()
    assert ("table", "create") in found and ("model", "migrate") in found or len(found) > 30
    assert "--gsi" in found["table", "create"] and "-l" in found["table", "list"]
    return found


def offered(script, *words):
    """What bash would offer behind these words, the last of which is not finished."""
    program = f"""{script}
COMP_WORDS=({' '.join(f'"{word}"' for word in ('sheaf', *words))}) COMP_CWORD={len(words)}
_sheaf; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done
    return set(done.stdout.split())


def test_bash_takes_it_and_offers_every_command_and_option(commands, tmp_path):
    script = tmp_path / "sheaf.bash"
    script.write_text(sheaf("completion", "bash"))
    subprocess.run(["bash", "-n", script], check=True)
    source = f'source "{script}"'
    # One shell for all of them.
    asked = [
        f"COMP_WORDS=({' '.join(['sheaf', *path, beginning])}) COMP_CWORD={len(path) + 1}; _sheaf; echo \"${{COMPREPLY[*]}}\""
        for path in commands for beginning in ("--", '""')
    ]  # fmt: skip
    done = subprocess.run(["bash", "--norc", "-c", "\n".join([source, *asked])], capture_output=True, text=True, timeout=60)
    assert done.stderr == "", done.stderr
    answers = done.stdout.split("\n")
    for number, (path, options) in enumerate(commands.items()):
        longs = {option for option in options if option.startswith("--")}
        assert longs <= set(answers[2 * number].split()), path
        below = {other[-1] for other in commands if len(other) == len(path) + 1 and other[:-1] == path}
        assert below <= set(answers[2 * number + 1].split()), path
    assert offered(source, "query", "app", "a", "--form", "") == {"table", "collections", "list"}
    assert offered(source, "statement", "--exp") == {"--explain"}
    assert offered(source, "completion", "") == {"bash", "zsh"}
    assert {"table", "man", "model"} <= offered(source, "man", "") and offered(source, "man", "table", "c") == {"create"}
    assert offered(source, "table", "c") == {"create"}


def completed(shell, ready, typed, until, directory):
    """What is shown when Tab is pressed in a shell at a terminal."""
    (directory / "people.csv").touch()
    (directory / "shop").mkdir()
    path = f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}"
    with AtTerminal(shell, columns=120, PATH=path, INPUTRC="/dev/null", HOME=str(directory)) as terminal:
        terminal.type(f"cd {directory}; {ready}; PS1='rea''dy> '\n")
        terminal.wait_for("ready> ")
        while terminal.read_some(0.5):
            pass
        place = terminal.type(typed)
        return terminal.wait_for(until, place)


@pytest.mark.parametrize(
    "typed, until",
    [
        ("sheaf loa\t", "sheaf load "), ("sheaf load app peo\t", "people.csv "), ("sheaf load app --format d\t", "dynamodb "),
        ("sheaf doctor sh\t", "shop/"), ("sheaf doctor --rep\t", "--repair "), ("sheaf dump app --comp\tz\t", "--compress zstd "),
        ("sheaf bench --zi\t", "--zipf "), ("sheaf item \t\t", "update"),
    ],
)  # fmt: skip
def test_bash_completes_at_a_terminal(tmp_path, typed, until):
    if os.path.basename(PROGRAM) != "sheaf":
        pytest.skip("the program has another name")
    completed(["bash", "--norc", "--noprofile", "-i"], "source <(sheaf completion bash)", typed, until, tmp_path)


@pytest.mark.skipif(shutil.which("zsh") is None or os.path.basename(PROGRAM) != "sheaf", reason="there is no zsh")
@pytest.mark.parametrize("typed, until", [("sheaf loa\t", "load "), ("sheaf load app peo\t", "people.csv "), ("sheaf dump app --comp\tz\t", "zstd "), ("sheaf doctor --rep\t", "--repair ")])
def test_zsh_completes_at_a_terminal(tmp_path, typed, until):
    folder = tmp_path / "functions"
    folder.mkdir()
    (folder / "_sheaf").write_text(sheaf("completion", "zsh"))
    completed(["zsh", "-f", "-i"], f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D", typed, until, tmp_path)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_takes_it(tmp_path):
    script = tmp_path / "_sheaf"
    script.write_text(sheaf("completion", "zsh"))
    subprocess.run(["zsh", "-n", script], check=True)
    told = subprocess.run(
        ["zsh", "-f", "-c", f'autoload -Uz compinit; compinit -D; source "{script}"; whence -w _sheaf _sheaf_table_create; print $_comps[sheaf]'],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert told.stdout == "_sheaf: function\n_sheaf_table_create: function\n_sheaf\n" and told.stderr == "", told


def test_zsh_has_every_command_and_option(commands):
    script = sheaf("completion", "zsh")
    functions = dict(re.findall(r"^(_sheaf\w*)\(\) \{\n(.*?)^\}", script, re.M | re.S))
    for path, options in commands.items():
        body = functions["_" + "_".join(["sheaf", *path]).replace("-", "_")]
        for option in options:
            assert f"{option}[" in body, (path, option)
        for other in commands:
            if len(other) == len(path) + 1 and other[:-1] == path:
                assert f"'{other[-1]}:" in body, other


def test_every_command_has_a_manual_page_with_every_option(commands, tmp_path):
    assert sheaf("man", "--all", str(tmp_path)) == ""
    assert {page.name for page in tmp_path.iterdir()} == {"-".join(["sheaf", *path]) + ".1" for path in commands}
    for path, options in commands.items():
        page = (tmp_path / ("-".join(["sheaf", *path]) + ".1")).read_text()
        assert page == sheaf("man", *path)
        for option in options:
            assert option.replace("-", "\\-") in page, (path, option)


def test_files_to_write_are_named_alike_everywhere(commands):
    named = {path: re.search(r"^ +(--out\S*)", sheaf(*path, "--help"), re.M) for path in commands}
    writing = {path: set(names.group(1).split(",")) for path, names in named.items() if names}
    assert ("dump",) in writing and ("model", "draw") in writing
    for path, names in writing.items():
        assert names == {"--out", "--output"}, path


def test_options_are_told_once_and_so_that_they_can_be_read(commands, tmp_path):
    sheaf("man", "--all", str(tmp_path))
    for page in tmp_path.iterdir():
        text = page.read_text()
        assert text.count("\\-\\-help\\fR, ") + text.count(", \\fB\\-\\-help\\fR") <= 1 and text.count("\\fB\\-\\-help\\-all\\fR\n") <= 1, page
        assert " in [" not in text and "POSITIVE" not in text, page
    for path in commands:
        told = sheaf(*path, "--help")
        assert not re.search(r"\w:\w+ in \[|:POSITIVE", told), told


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_groff_has_nothing_against_manual_pages(tmp_path):
    sheaf("man", "--all", str(tmp_path))
    for page in tmp_path.iterdir():
        told = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True, timeout=60)
        assert told.returncode == 0 and told.stderr == "", (page, told.stderr)


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man")
def test_man_shows_them(tmp_path):
    page = tmp_path / "sheaf-item-update.1"
    page.write_text(sheaf("man", "item", "update"))
    told = subprocess.run(["man", "-l", page], capture_output=True, text=True, timeout=60, env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
    if "No manual entry" in told.stderr or "minimized" in told.stdout:
        pytest.skip("man is not set up here")
    assert "EXIT STATUS" in told.stdout and "--set" in told.stdout, told


def test_there_is_no_page_of_what_is_no_command():
    told = subprocess.run([PROGRAM, "man", "table", "nothing"], capture_output=True, text=True, timeout=60)
    assert told.returncode == 2 and "sheaf table has no command nothing" in told.stderr
