"""doc/model.schema.json against the models that the program writes and reads."""

import copy
import json
import os
import random
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "doc" / "model.schema.json").read_text())
SEED = int(os.environ.get("SHEAF_TEST_SEED", "20240601"))
ROUNDS = int(os.environ.get("SHEAF_TEST_ROUNDS", "1"))

# What may stand in the place of something else.
STRANGE = [None, True, False, 0, 1, -1, 2.5, "", "x", "*", "$x.y", "a b", "`", "<", "<x>", "A#<x:000>", "\\", "1--*", "a^2",
           [], ["x"], [1], [True], [[]], {}, {"x": 1}, {"name": "x"}, {"path": "$x"}, {"now": True}, {"now": 1}, {"map": {}},
           {"list": "int"}, {"expression": [1, {"+": 2}]}, "ids", "string", "between", "set", "put", "keys", "edges"]


def program(*arguments, text=""):
    done = subprocess.run([os.environ["SHEAF_TESTS_MODEL_JSON"], *arguments], input=text, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def examples():
    return json.loads(program("examples"))


@pytest.fixture(scope="module")
def validator():
    return jsonschema.Draft202012Validator(SCHEMA)


def verdicts_of_program(models):
    answers = program("check", text="".join(json.dumps(model) + "\n" for model in models)).splitlines()
    assert len(answers) == len(models)
    return answers


def places(value, path=()):
    """The paths of all values inside `value`."""
    yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list):
        for i, element in enumerate(value):
            yield from places(element, (*path, i))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def changed(chance, model):
    """A model with one change, and what it was."""
    model = copy.deepcopy(model)
    path = chance.choice([path for path in places(model) if path])
    holder = at(model, path[:-1])
    value = holder[path[-1]]
    kind = chance.randrange(4)
    if kind == 0:
        del holder[path[-1]]
        return model, f"{path} removed"
    if kind == 1 and isinstance(value, dict):
        name = chance.choice(["unknown", "name", "path", "value", "kind", "as", "on", "pk", "ids", "edge", "doc", "limit", "page"])
        value[name] = chance.choice(STRANGE)
        return model, f"{path} with {name}={value[name]!r}"
    if kind == 2 and isinstance(value, list):
        value.append(chance.choice(STRANGE))
        return model, f"{path} with {value[-1]!r}"
    holder[path[-1]] = chance.choice(STRANGE)
    return model, f"{path}={holder[path[-1]]!r}"


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def objects_of(schema):
    """All parts of the schema that describe objects."""
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects_of(part)


def test_no_object_is_open():
    found = list(objects_of(SCHEMA))
    assert len(found) > 40
    for schema in found:
        assert schema.get("additionalProperties") is False or "map" in schema["properties"], schema


def test_the_examples_are_valid(examples, validator):
    assert len(examples) >= 5
    for model in examples:
        errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(model)]
        assert errors == []


def test_what_editors_are_tested_with_is_a_model(validator):
    model = json.loads(program("read", text=(ROOT / "tests" / "editors" / "example.sheaf").read_text()))
    assert validator.is_valid(model)


def test_the_examples_use_all_that_there_is(examples):
    """Every member that the schema knows is in an example, so none is misspelt in both."""
    used = {step for model in examples for path in places(model) for step in path if isinstance(step, str)}
    known = {name for schema in objects_of(SCHEMA) for name in schema["properties"]}
    assert known - used == set()


def test_broken_models_are_invalid(validator):
    model = {"model": "m", "entities": [{"name": "E", "fields": [{"name": "id", "id": True}]}]}
    assert validator.is_valid(model)
    for broken in [
        [],
        {},
        {"model": ""},
        {**model, "tabels": []},
        {**model, "entities": [{"name": "E", "fields": [{"name": "x", "type": "strng"}]}]},
        {**model, "entities": [{"name": "E", "key": {"pk": "A#<id"}}]},
        {**model, "entities": [{"name": "E", "key": {"sk": "A#<id>"}}]},
        {**model, "relations": [{"from": "A", "cardinality": "1-*", "to": "B", "forward": "b"}]},
        {**model, "relations": [{"from": "A", "cardinality": "1--*", "to": "B", "forward": "b", "via": "ids"}]},
        {**model, "patterns": [{"name": "p", "from": "$a", "limit": 1, "page": 1}]},
        {**model, "operations": [{"name": "o", "writes": [{"kind": "put"}]}]},
        {**model, "expects": [{"pattern": "p", "expectations": [{"what": "reads"}]}]},
    ]:
        assert not validator.is_valid(broken), broken


def test_the_program_and_the_schema_agree_on_changed_models(examples, validator):
    chance = random.Random(SEED)
    changes = [changed(chance, chance.choice(examples)) for _ in range(1500 * ROUNDS)]
    answers = verdicts_of_program([model for model, _ in changes])
    valid = 0
    for (model, what), answer in zip(changes, answers):
        is_valid = validator.is_valid(model)
        valid += is_valid
        assert is_valid == (answer == "ok"), f"SHEAF_TEST_SEED={SEED} {what}: the program says {answer}"
        assert is_valid or answer.startswith("$"), f"names no place: {answer}"
    assert 100 * ROUNDS < valid < 1400 * ROUNDS
