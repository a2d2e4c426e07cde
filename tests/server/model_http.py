"""Models over HTTP, as a program without any library would ask them."""

import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from server_process import BINARY

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
EXAMPLES = sorted(path.name for path in MODELS.iterdir())


def http(server, path, body=None, method=None, **headers):
    """The status, the headers and the JSON of the answer. `body` is sent as JSON; bytes are sent as they are."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    fields = {} if data is None else {"Content-Type": "application/json"}
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    request = urllib.request.Request(server.url + path, data=data, method=method, headers=fields)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return answer.status, answer.headers, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, error.headers, json.loads(text) if text else None


def sheaf(*arguments):
    """What the program prints."""
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def layouts_of(example):
    model = json.loads(sheaf("model", "json", MODELS / example / "model.sheaf"))
    return ["default", *(layout["name"] for layout in model.get("layouts", []))]


def load(server, example, layout="default"):
    folder = MODELS / example
    sheaf("model", "load", folder / "model.sheaf", folder / "data.json", "--layout", layout, "--endpoint", server.url)


def curl(server, path, *options, key=None):
    """The status and the JSON that curl gets; signed if `key` is given: ID:SECRET."""
    command = ["curl", "--silent", "--show-error", "--max-time", "60", "--write-out", "\n%{http_code}", *options]
    if key:
        command += ["--aws-sigv4", "aws:amz:us-east-1:dynamodb", "--user", key]
    done = subprocess.run([*command, server.url + path], capture_output=True, text=True, timeout=90, check=True)
    body, _, status = done.stdout.rpartition("\n")
    return int(status), json.loads(body) if body else None


def in_any_order(value):
    """Lists of documents without an order, so that they can be compared."""
    if isinstance(value, dict):
        return {name: in_any_order(part) for name, part in value.items()}
    if isinstance(value, list):
        return sorted(map(in_any_order, value), key=lambda part: json.dumps(part, sort_keys=True))
    return value


def as_query(values):
    """Parameters of a pattern in a query: what is no text is JSON."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    return urllib.parse.urlencode(texts)
