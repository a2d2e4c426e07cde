"""Values of every type and size: what is kept exactly, what is normalised, what is refused."""

from decimal import Decimal

import pytest

from attributes import item, plain
from expectations import INVALID, OPV, cases, refused

TOO_LARGE = "Item size has exceeded the maximum allowed size"
UPDATE_TOO_LARGE = "Item size to update has exceeded the maximum allowed size"
TOO_DEEP = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"


def put_and_get(client, table, attributes):
    client.put_item(TableName=table, Item=attributes)
    return client.get_item(TableName=table, Key={"pk": attributes["pk"]}, ConsistentRead=True)["Item"]


@pytest.mark.parametrize(
    "attribute",
    [
        {"S": "text"},
        {"S": ""},
        {"S": 'tab\tquote"backslash\\newline\n\u0001 \u2028 é 日本 \U0001f600'},
        {"N": "0"},
        {"N": "-1.5"},
        {"B": b"\x00\x01\xfe\xff"},
        {"B": b""},
        {"BOOL": True},
        {"BOOL": False},
        {"NULL": True},
        {"L": []},
        {"M": {}},
        {"L": [{"S": "a"}, {"N": "1"}, {"L": [{"M": {"x": {"NULL": True}}}]}]},
        {"M": {"a": {"S": ""}, "é.[0]#:": {"L": [{"BOOL": False}]}, "": {"S": "an empty name is fine inside"}}},
    ],
    ids=repr,
)
def test_a_value_comes_back_as_it_was(client, tables, attribute):
    table = tables.make()
    assert put_and_get(client, table, {"pk": {"S": "a"}, "v": attribute})["v"] == attribute


@pytest.mark.parametrize(
    "members", [{"SS": ["b", "a", "", "é"]}, {"NS": ["3", "-1", "2.5", "0"]}, {"BS": [b"\x01", b"", b"\xff"]}]
)
def test_a_set_keeps_its_members(client, tables, members):
    table = tables.make()
    ((set_type, elements),) = members.items()
    stored = put_and_get(client, table, {"pk": {"S": "a"}, "v": members})["v"]
    assert sorted(stored[set_type]) == sorted(elements)


NINES = "9" * 38


@cases(
    "written, kept",
    [
        (NINES, NINES),
        ("-" + NINES, "-" + NINES),
        ("1234567890.1234567890123456789012345678", "1234567890.1234567890123456789012345678"),
        ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
        ("1.50", "1.5"),
        ("007", "7"),
        ("-0", "0"),
        ("0.0", "0"),
        ("1e2", "100"),
        ("1E-3", "0.001"),
        ("+5", "5"),
        ("123.456e1", "1234.56"),
        (NINES + "E+88", NINES + "0" * 88),
        ("1E+125", "1" + "0" * 125),
    ],
)
def test_a_number_keeps_38_digits_in_plain_form(client, tables, written, kept):
    table = tables.make()
    assert put_and_get(client, table, {"pk": {"S": "a"}, "v": {"N": written}})["v"] == {"N": kept}


def test_the_smallest_number_keeps_its_value(client, tables):
    table = tables.make()
    stored = put_and_get(client, table, {"pk": {"S": "a"}, "v": {"N": "-1E-130"}})["v"]
    assert Decimal(stored["N"]) == Decimal("-1E-130")


@cases(
    "written, message",
    [
        ("1" * 39, "Attempting to store more than 38 significant digits in a Number"),
        ("1E126", "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        ("-1E126", "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        ("1E-131", "Number underflow. Attempting to store a number with magnitude smaller than supported range"),
        ("abc", "The parameter cannot be converted to a numeric value: abc"),
        ("", "The parameter cannot be converted to a numeric value"),
        ("1,5", "The parameter cannot be converted to a numeric value: 1,5"),
        ("NaN", "The parameter cannot be converted to a numeric value: NaN"),
        ("0x10", "The parameter cannot be converted to a numeric value: 0x10"),
    ],
)
def test_a_number_that_is_none_is_refused(client, tables, written, message):
    table = tables.make()
    refused(INVALID, message, client.put_item, TableName=table, Item={"pk": {"S": "a"}, "v": {"N": written}})


@cases(
    "attribute, message",
    [
        ({"SS": []}, f"{OPV}An string set  may not be empty"),
        ({"NS": []}, f"{OPV}An number set  may not be empty"),
        ({"BS": []}, f"{OPV}Binary sets should not be empty"),
        ({"SS": ["a", "b", "a"]}, f"{OPV}Input collection [a, b, a] contains duplicates."),
        ({"NS": ["1", "1.0"]}, None),
        ({"NULL": False}, f"{OPV}Null attribute value types must have the value of true"),
        ({}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        (
            {"S": "a", "N": "1"},
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        ),
        ({"L": [{"SS": []}]}, f"{OPV}An string set  may not be empty"),
        ({"M": {"x": {}}}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
    ],
)
def test_a_malformed_value_is_refused(unchecked_client, tables, attribute, message):
    table = tables.make()
    refused(INVALID, message, unchecked_client.put_item, TableName=table, Item={"pk": {"S": "a"}, "v": attribute})


def nested(levels):
    """An attribute value that is `levels` deep, itself included."""
    attribute = {"S": "inside"}
    for level in range(levels - 1):
        attribute = {"M": {"x": attribute}} if level % 2 else {"L": [attribute]}
    return attribute


def test_documents_nest_32_levels(client, tables):
    table = tables.make()
    deepest = nested(32)
    assert put_and_get(client, table, {"pk": {"S": "a"}, "v": deepest})["v"] == deepest
    refused(INVALID, TOO_DEEP, client.put_item, TableName=table, Item={"pk": {"S": "a"}, "v": nested(33)})


# A1: an item of 400 KB (409,600 bytes, names and values) is taken, one byte more is not.
def test_an_item_has_at_most_400_kb(client, tables):
    table = tables.make()
    largest = item(pk="a", v="x" * (409600 - 4))
    assert put_and_get(client, table, largest) == largest
    larger = item(pk="a", v="x" * (409600 - 3))
    refused(INVALID, TOO_LARGE, client.put_item, TableName=table, Item=larger)
    refused(INVALID, TOO_LARGE, client.batch_write_item, RequestItems={table: [{"PutRequest": {"Item": larger}}]})
    refused(INVALID, TOO_LARGE, client.transact_write_items, TransactItems=[{"Put": {"TableName": table, "Item": larger}}])


# A1: an update cannot grow an item beyond it either.
def test_an_update_cannot_grow_an_item_beyond_400_kb(client, tables):
    table = tables.make(items=[{"pk": "a", "v": "x" * (409600 - 4 - 10)}])
    update = dict(TableName=table, Key=item(pk="a"), UpdateExpression="SET w = :w")
    refused(INVALID, UPDATE_TOO_LARGE, client.update_item, ExpressionAttributeValues=item({":w": "y" * 10}), **update)
    client.update_item(ExpressionAttributeValues=item({":w": "y" * 9}), **update)
    assert client.describe_table(TableName=table)["Table"]["TableStatus"] == "ACTIVE"
    stored = client.get_item(TableName=table, Key=item(pk="a"), ConsistentRead=True)["Item"]
    assert stored["w"] == {"S": "y" * 9}


def test_large_binaries_and_sets_come_back(client, tables):
    table = tables.make()
    binary = bytes(range(256)) * 1000
    members = {f"member {number:05}" for number in range(5000)}
    stored = plain(put_and_get(client, table, item(pk="a", binary=binary, members=members)))
    assert stored["binary"] == binary
    assert stored["members"] == members


def test_items_with_many_attributes_come_back(client, tables):
    table = tables.make()
    attributes = {f"attribute {number}": number for number in range(3000)}
    assert plain(put_and_get(client, table, item(attributes, pk="a"))) == {"pk": "a", **attributes}


def test_attribute_names_may_be_long_or_strange(client, tables):
    table = tables.make()
    attributes = {"n" * 60000: 1, "with space": 2, "ünï.cödé": 3, "[0]": 4, "#hash": 5, ":colon": 6, "a.b": 7}
    assert plain(put_and_get(client, table, item(attributes, pk="a"))) == {"pk": "a", **attributes}
