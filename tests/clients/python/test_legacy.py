"""The parameters from before expressions: Expected, KeyConditions, filters, AttributeUpdates, AttributesToGet."""

from attributes import item, plain, plain_items, value
from expectations import CONDITION_FAILED, INVALID, OPV, cases, refused

STORED = {"pk": "a", "text": "hello", "number": 5, "strings": {"red", "green"}, "list": ["x"], "nothing": None}

MIXED = (
    "Can not use both expression and non-expression parameters in the same request: "
    "Non-expression parameters: {{{}}} Expression parameters: {{{}}}"
)


def condition(operator, *values):
    parts = {"ComparisonOperator": operator}
    if values:
        parts["AttributeValueList"] = [value(operand) for operand in values]
    return parts


# Attribute, condition, whether it holds for STORED; the same language in Expected, QueryFilter and ScanFilter.
CONDITIONS = [
    ("text EQ", "text", condition("EQ", "hello"), True),
    ("text NE", "text", condition("NE", "hello"), False),
    ("number LT", "number", condition("LT", 6), True),
    ("number LE", "number", condition("LE", 5), True),
    ("number GT", "number", condition("GT", 5), False),
    ("number GE", "number", condition("GE", 5), True),
    ("number NOT_NULL", "number", condition("NOT_NULL"), True),
    ("absent NOT_NULL", "absent", condition("NOT_NULL"), False),
    ("absent NULL", "absent", condition("NULL"), True),
    ("a null attribute is NOT_NULL", "nothing", condition("NOT_NULL"), True),
    ("text CONTAINS", "text", condition("CONTAINS", "ell"), True),
    ("set CONTAINS", "strings", condition("CONTAINS", "red"), True),
    ("list CONTAINS", "list", condition("CONTAINS", "x"), True),
    ("text NOT_CONTAINS", "text", condition("NOT_CONTAINS", "xyz"), True),
    ("text BEGINS_WITH", "text", condition("BEGINS_WITH", "hel"), True),
    ("text IN", "text", condition("IN", "bye", "hello"), True),
    ("number BETWEEN", "number", condition("BETWEEN", 5, 9), True),
    ("number BETWEEN outside", "number", condition("BETWEEN", 6, 9), False),
    ("type differs", "number", condition("EQ", "5"), False),
]


@cases("what, attribute, comparison, holds", CONDITIONS)
def test_comparisons_hold_or_not(client, tables, what, attribute, comparison, holds):
    table = tables.make("pk:S,sk:S", items=[{**STORED, "sk": "s"}])
    put = dict(TableName=table, Item=item(STORED, sk="s"), Expected={attribute: comparison})
    if holds:
        client.put_item(**put)
    else:
        refused(CONDITION_FAILED, "The conditional request failed", client.put_item, **put)
    scanned = client.scan(TableName=table, ScanFilter={attribute: comparison})
    queried = client.query(TableName=table, KeyConditions={"pk": condition("EQ", "a")}, QueryFilter={attribute: comparison})
    for answer in (scanned, queried):
        assert (answer["Count"], answer["ScannedCount"]) == (1 if holds else 0, 1)


def test_expected_values_and_existence(client, tables):
    table = tables.make()
    put = dict(TableName=table, Item=item(pk="a", v=1))
    client.put_item(Expected={"pk": {"Exists": False}}, **put)
    refused(CONDITION_FAILED, None, client.put_item, Expected={"pk": {"Exists": False}}, **put)
    client.put_item(Expected={"v": {"Value": value(1)}}, **put)
    client.put_item(Expected={"v": {"Exists": True, "Value": value(1)}}, **put)
    refused(CONDITION_FAILED, None, client.put_item, Expected={"v": {"Value": value(2)}}, **put)
    refused(CONDITION_FAILED, None, client.delete_item, TableName=table, Key=item(pk="a"), Expected={"v": {"Value": value(2)}})
    client.delete_item(TableName=table, Key=item(pk="a"), Expected={"v": {"Value": value(1)}})
    assert client.scan(TableName=table)["Count"] == 0


def test_conditional_operators_join_conditions(client, tables):
    table = tables.make(items=[STORED])
    expected = {"text": condition("EQ", "hello"), "number": condition("EQ", 6)}
    put = dict(TableName=table, Item=item(STORED), Expected=expected)
    refused(CONDITION_FAILED, None, client.put_item, **put)
    refused(CONDITION_FAILED, None, client.put_item, ConditionalOperator="AND", **put)
    client.put_item(ConditionalOperator="OR", **put)
    assert client.scan(TableName=table, ScanFilter=expected)["Count"] == 0
    assert client.scan(TableName=table, ScanFilter=expected, ConditionalOperator="OR")["Count"] == 1


@cases(
    "operator, operands, expected",
    [
        ("EQ", [3], [3]),
        ("LT", [3], [1, 2]),
        ("LE", [3], [1, 2, 3]),
        ("GT", [3], [4, 5]),
        ("GE", [3], [3, 4, 5]),
        ("BETWEEN", [2, 4], [2, 3, 4]),
    ],
)
def test_key_conditions_pick_a_range(client, tables, operator, operands, expected):
    table = tables.make("pk:S,sk:N", items=[{"pk": "a", "sk": number} for number in range(1, 6)])
    conditions = {"pk": condition("EQ", "a"), "sk": condition(operator, *operands)}
    answer = client.query(TableName=table, KeyConditions=conditions)
    assert [attributes["sk"] for attributes in plain_items(answer)] == expected
    answer = client.query(TableName=table, KeyConditions=conditions, ScanIndexForward=False, Limit=1)
    assert [attributes["sk"] for attributes in plain_items(answer)] == expected[-1:]


def test_key_conditions_begin_with(client, tables):
    table = tables.make("pk:S,sk:S", items=[{"pk": "a", "sk": sk} for sk in ("x1", "x2", "y1")])
    conditions = {"pk": condition("EQ", "a"), "sk": condition("BEGINS_WITH", "x")}
    assert client.query(TableName=table, KeyConditions=conditions)["Count"] == 2
    refused(
        INVALID,
        "Attempted conditional constraint is not an indexable operation",
        client.query,
        TableName=table,
        KeyConditions={"pk": condition("EQ", "a"), "sk": condition("NE", "x")},
    )
    missed = "Query condition missed key schema element: pk"
    refused(INVALID, missed, client.query, TableName=table, KeyConditions={"sk": condition("EQ", "x")})


BEFORE = {"pk": "a", "n": 1, "s": "text", "set": {"a", "b"}, "list": [1]}


@cases(
    "what, updates, after",
    [
        ("PUT", {"n": {"Action": "PUT", "Value": value(9)}}, {**BEFORE, "n": 9}),
        ("PUT is the default", {"v": {"Value": value("new")}}, {**BEFORE, "v": "new"}),
        ("DELETE an attribute", {"s": {"Action": "DELETE"}}, {"pk": "a", "n": 1, "set": {"a", "b"}, "list": [1]}),
        ("DELETE members", {"set": {"Action": "DELETE", "Value": value({"a", "c"})}}, {**BEFORE, "set": {"b"}}),
        ("ADD to a number", {"n": {"Action": "ADD", "Value": value(4)}}, {**BEFORE, "n": 5}),
        ("ADD to nothing", {"v": {"Action": "ADD", "Value": value(4)}}, {**BEFORE, "v": 4}),
        ("ADD members", {"set": {"Action": "ADD", "Value": value({"c"})}}, {**BEFORE, "set": {"a", "b", "c"}}),
        ("ADD to a list", {"list": {"Action": "ADD", "Value": value([2])}}, {**BEFORE, "list": [1, 2]}),
    ],
)
def test_attribute_updates(client, tables, what, updates, after):
    table = tables.make(items=[BEFORE])
    answer = client.update_item(TableName=table, Key=item(pk="a"), AttributeUpdates=updates, ReturnValues="ALL_NEW")
    assert plain(answer["Attributes"]) == after


@cases(
    "what, updates, message",
    [
        ("a key", {"pk": {"Value": value("b")}}, f"{OPV}Cannot update attribute pk. This attribute is part of the key"),
        ("ADD a string", {"s": {"Action": "ADD", "Value": value("x")}}, f"{OPV}ADD action is not supported for the type S"),
        (
            "DELETE a string",
            {"s": {"Action": "DELETE", "Value": value("x")}},
            f"{OPV}DELETE action with value is not supported for the type S",
        ),
        ("PUT nothing", {"s": {"Action": "PUT"}}, f"{OPV}Only DELETE action is allowed when no attribute value is specified"),
    ],
)
def test_attribute_updates_that_make_no_sense(client, tables, what, updates, message):
    table = tables.make(items=[BEFORE])
    refused(INVALID, message, client.update_item, TableName=table, Key=item(pk="a"), AttributeUpdates=updates)


def test_attribute_updates_with_expected(client, tables):
    table = tables.make(items=[BEFORE])
    update = dict(TableName=table, Key=item(pk="a"), AttributeUpdates={"n": {"Action": "ADD", "Value": value(1)}})
    refused(CONDITION_FAILED, None, client.update_item, Expected={"n": {"Value": value(2)}}, **update)
    client.update_item(Expected={"n": {"Value": value(1)}}, **update)
    assert plain(client.get_item(TableName=table, Key=item(pk="a"), ConsistentRead=True)["Item"])["n"] == 2


def test_attributes_to_get(client, tables):
    table = tables.make(items=[BEFORE])
    wanted = dict(AttributesToGet=["n", "list", "absent"])
    expected = {"n": 1, "list": [1]}
    assert plain(client.get_item(TableName=table, Key=item(pk="a"), **wanted)["Item"]) == expected
    assert plain_items(client.scan(TableName=table, **wanted)) == [expected]
    assert plain_items(client.query(TableName=table, KeyConditions={"pk": condition("EQ", "a")}, **wanted)) == [expected]
    answer = client.batch_get_item(RequestItems={table: {"Keys": [item(pk="a")], **wanted}})
    assert plain(answer["Responses"][table][0]) == expected


@cases(
    "operation, parameters, old, new",
    [
        (
            "put_item",
            {"Item": item(pk="a"), "Expected": {"pk": {"Exists": False}}, "ConditionExpression": "attribute_exists(pk)"},
            "Expected",
            "ConditionExpression",
        ),
        (
            "get_item",
            {"Key": item(pk="a"), "AttributesToGet": ["a"], "ProjectionExpression": "a"},
            "AttributesToGet",
            "ProjectionExpression",
        ),
        (
            "update_item",
            {"Key": item(pk="a"), "AttributeUpdates": {}, "UpdateExpression": "REMOVE a"},
            "AttributeUpdates",
            "UpdateExpression",
        ),
        (
            "scan",
            {"ScanFilter": {"a": condition("NULL")}, "FilterExpression": "attribute_exists(a)"},
            "ScanFilter",
            "FilterExpression",
        ),
        (
            "query",
            {
                "KeyConditions": {"pk": condition("EQ", "a")},
                "QueryFilter": {"a": condition("NULL")},
                "FilterExpression": "attribute_exists(a)",
            },
            "QueryFilter",
            "FilterExpression",
        ),
    ],
)
def test_old_and_new_parameters_do_not_mix(client, tables, operation, parameters, old, new):
    table = tables.make()
    refused(INVALID, MIXED.format(old, new), getattr(client, operation), TableName=table, **parameters)


def test_key_conditions_go_with_a_filter_expression(client, tables):
    table = tables.make("pk:S,sk:N", items=[{"pk": "a", "sk": 1, "v": 1}, {"pk": "a", "sk": 2}])
    answer = client.query(TableName=table, KeyConditions={"pk": condition("EQ", "a")}, FilterExpression="attribute_exists(v)")
    assert (answer["Count"], answer["ScannedCount"]) == (1, 2)
