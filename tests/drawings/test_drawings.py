"""Drawings of models: those that are kept are those that the program makes, every one is XML, and all text has its place."""

import json
import os
import random
import subprocess
import unicodedata
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHEAF = os.environ["SHEAF_TESTS_PROGRAM"]
SEED = int(os.environ.get("SHEAF_TEST_SEED", "20260101"))
ROUNDS = int(os.environ.get("SHEAF_TEST_ROUNDS", "1"))
SVG = "{http://www.w3.org/2000/svg}"
KEPT = sorted([*ROOT.glob("models/*/drawings/*.svg"), *ROOT.glob("doc/drawings/*.svg")])

PIECES = ["<", ">", "&", "\"", "'", "]]>", "<!--", "<![CDATA[", "</text>", "&amp;", "|", "\\", "%", "#", "{", "}", "-", " ", "\u00a0",
          "plain", "Ünïcode", "部门", "ｆｕｌｌ", "e\u0301", "👍", "👩\u200d💻", "\u202e", "\ufeff", "\u0001", "\u2028", "\uffff", "W" * 30]


def draw(directory, model, data=None, *options):
    (directory / "model.json").write_text(json.dumps(model))
    command = [SHEAF, "model", "draw", str(directory / "model.json"), *options]
    if data is not None:
        (directory / "data.json").write_text(json.dumps(data))
        command += ["--data", str(directory / "data.json")]
    done = subprocess.run(command, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def strange_text(dice, pieces_max=4):
    return "".join(dice.choice(PIECES) for _ in range(dice.randint(1, pieces_max)))


def strange_model(dice):
    """A few entities with relations and names of all kinds of characters, and data for them."""
    def name(number):
        return strange_text(dice).replace("`", "") + str(number)

    entities, relations, data = [], [], {}
    for number in range(dice.randint(1, 5)):
        fields = [{"name": name(0), "id": True}] + [{"name": name(i)} for i in range(1, dice.randint(2, 5))]
        entities.append({"name": name(number), "fields": fields})
        data[entities[-1]["name"]] = [
            {field["name"]: strange_text(dice, 8) + (str(i) if field.get("id") else "") for field in fields} for i in range(dice.randint(1, 4))
        ]
    for number in range(dice.randint(0, 6)):
        source, target = dice.choice(entities), dice.choice(entities)
        forward, backward = name(10 + number), name(20 + number)
        cardinality = dice.choice(["1--*", "*--*"])
        sizes = [{"of": end, "max": 9} for end in ([forward] if cardinality == "1--*" else [forward, backward])]
        relations.append({"from": source["name"], "cardinality": cardinality, "to": target["name"], "forward": forward,
                          "backward": backward, "sizes": sizes})
    return {"model": name(0), "entities": entities, "relations": relations}, data


def test_kept_drawings_are_what_the_program_draws():
    done = subprocess.run([ROOT / "script" / "draw", "--check", SHEAF], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr


@pytest.mark.parametrize("path", KEPT, ids=lambda path: str(path.relative_to(ROOT)))
def test_kept_drawings_are_xml_that_needs_nothing_else(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg"
    assert root.find(SVG + "title").text
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "title", "style", "rect", "path", "circle", "text"}
    text = path.read_text()
    assert "url(" not in text and "href" not in text and "@import" not in text
    assert "prefers-color-scheme:dark" in text


@pytest.mark.parametrize("seed", range(SEED, SEED + 25 * ROUNDS))
def test_any_text_gives_xml(tmp_path, seed):
    dice = random.Random(seed)
    model, data = strange_model(dice)
    root = ElementTree.fromstring(draw(tmp_path, model, data, "--as", "svg"))
    texts = {element.text for element in root.iter(SVG + "text")}
    plain = [field["name"] for entity in model["entities"] for field in entity["fields"] if field["name"].isascii() and field["name"].isprintable()]
    assert all(name in texts for name in plain)


def problems_in_browser(tmp_path, drawings):
    """What room.js finds in the drawings, by name."""
    page = tmp_path / "page.html"
    body = "\n".join(svg.replace("<svg ", f'<svg data-name="{name}" ', 1) for name, svg in drawings.items())
    script = Path(__file__).with_name("room.js").read_text()
    page.write_text(f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{body}<script>{script}</script></body></html>')
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )
    lines = done.stdout.split("<body>")[1].split("</body>")[0].strip().splitlines()
    assert lines[0] == "checked"
    return lines[1:]


def test_all_text_has_its_place_in_a_browser(tmp_path):
    drawings = {str(path.relative_to(ROOT)): path.read_text() for path in KEPT}
    for seed in range(SEED, SEED + 12 * ROUNDS):
        directory = tmp_path / str(seed)
        directory.mkdir()
        model, data = strange_model(random.Random(seed))
        drawings[f"strange {seed}"] = draw(directory, model, data, "--as", "svg")
    assert problems_in_browser(tmp_path, drawings) == []


def test_text_without_a_place_is_found(tmp_path):
    svg = KEPT[0].read_text()
    wrong = svg.replace("</text>", " " * 30 + "and much more than there is room for</text>", 5)
    assert problems_in_browser(tmp_path, {"wrong": wrong}) != []


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (["collections"], 2, "need sample data"),
    (["--layout", "none"], 2, "has no layout none"),
    (["--data", "none.json"], 2, "cannot read none.json"),
    (["--index", "none"], 2, "has no index none"),
    (["--output", "/none/such"], 2, "cannot write /none/such"),
    (["nonsense"], 2, "nonsense not in {attributes,chart,collections,relations,side-by-side}"),
    (["--as", "pdf"], 2, "pdf not in {markdown,svg,text}"),
])
def test_what_cannot_be_drawn_is_told(arguments, status, message):
    done = subprocess.run([SHEAF, "model", "draw", ROOT / "models/hr/model.sheaf", *arguments], capture_output=True, text=True)
    assert done.returncode == status
    assert message in done.stderr
    assert done.stdout == ""


def test_a_model_with_mistakes_is_not_drawn(tmp_path):
    (tmp_path / "wrong.sheaf").write_text("model wrong { entity A { id id; id } }")
    done = subprocess.run([SHEAF, "model", "draw", tmp_path / "wrong.sheaf"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "error" in done.stderr and done.stdout == ""


def columns(line):
    """As terminals count them; not by the program's own table."""
    def width(c):
        if unicodedata.category(c) in ("Mn", "Me") or c == "\u200d":
            return 0
        return 2 if unicodedata.east_asian_width(c) in "WF" else 1

    return sum(map(width, line))


@pytest.mark.parametrize("seed", range(SEED, SEED + 10 * ROUNDS))
def test_tables_for_terminals_are_rectangles(tmp_path, seed):
    model, data = strange_model(random.Random(seed))
    text = draw(tmp_path, model, data, "chart", "attributes", "collections")
    assert not any(ord(c) < 32 and c != "\n" for c in text)
    tables = [block for block in text.split("\n\n") if block.startswith("┌")]
    assert tables
    for table in tables:
        widths = {columns(line) for line in table.splitlines()}
        assert len(widths) == 1 and max(widths) <= 120, table
