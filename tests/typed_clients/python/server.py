"""Servers that live as long as the tests, and what the program itself answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

PROGRAM = os.environ["SHEAF_TESTS_PROGRAM"]
MODELS = Path(os.environ["SHEAF_TESTS_MODELS"])
EXAMPLES = sorted(path.name for path in MODELS.iterdir())
SECRET = os.environ["AWS_SECRET_ACCESS_KEY"]
TOKEN = "a+token/of=some+length"


def sheaf(*arguments: object) -> str:
    return spoken(*arguments)[0]


def spoken(*arguments: object) -> tuple[str, str]:
    """What it prints, and what it says beside."""
    command = [PROGRAM, "model", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, done.stderr


class Server:
    """A server of all examples, with their data."""

    def __init__(self, folder: Path, with_credentials: bool) -> None:
        path = folder / "credentials"
        keys = [("boss", ""), ("reader", "sheaf_role = readonly\n"), ("guest", f"aws_session_token = {TOKEN}\n")]
        path.write_text(
            "\n".join(
                f"[{name}]\naws_access_key_id = {name.upper()}\naws_secret_access_key = {SECRET}\n{more}"
                for name, more in keys
            )
        )
        path.chmod(0o600)
        options = ["--in-memory", "--port", "0", "--admin-port", "-1", "--log-format", "json", "--model", str(MODELS)]
        options += ["--credentials", str(path)] if with_credentials else []
        log = folder / "log"
        with open(log, "wb") as output:
            self.process = subprocess.Popen([PROGRAM, "serve", *options], stderr=output)
        self.url = ""
        while not self.url:
            assert self.process.poll() is None, log.read_text()
            for line in log.read_text().splitlines():
                if '"event":"serving",' in line and line.endswith("}"):
                    self.url = json.loads(line)["url"]
        for model in EXAMPLES:
            sheaf("load", MODELS / model / "model.sheaf", MODELS / model / "data.json", "--endpoint", self.url)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def questions(model: str) -> list[dict[str, Any]]:
    """What is asked of an example before anything is changed."""
    asked = []
    for step in json.loads((MODELS / model / "answers.json").read_text()):
        if "do" in step:
            break
        if "error" not in step and "layouts" not in step:
            asked.append(step)
    return asked


def documents_of(url: str, model: str, pattern: str, values: list[Any]) -> list[Any]:
    """What `sheaf model run` prints. What is null is left out there, and so can only be at the end."""
    given = [value for value in values if value is not None]
    assert values[: len(given)] == given
    texts = [value if isinstance(value, str) else json.dumps(value) for value in given]
    decoder, documents = json.JSONDecoder(), []
    cursor: list[str] = []
    while True:
        text, told = spoken("run", MODELS / model / "model.sheaf", pattern, *texts, "--endpoint", url, *cursor)
        at = 0
        while text[at:].strip():
            document, at = decoder.raw_decode(text, at)
            documents.append(document)
            at += len(text[at:]) - len(text[at:].lstrip())
        more = re.search(r"^more: (--cursor) (\S+)$", told, re.MULTILINE)
        if not more:
            return documents
        cursor = list(more.groups())
