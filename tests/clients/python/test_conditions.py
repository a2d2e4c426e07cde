"""Condition expressions: which hold, and which are refused. Filters share the language."""

from concurrent.futures import ThreadPoolExecutor

from attributes import item
from expectations import CONDITION_FAILED, INVALID, cases, refused

STORED = {
    "pk": "a",
    "text": "hello",
    "number": 5,
    "binary": b"\x01\x02",
    "yes": True,
    "nothing": None,
    "list": ["x", 2, {"in": "deep"}],
    "map": {"nested": {"leaf": "value"}, "count": 7},
    "strings": {"red", "green"},
    "numbers": {1, 2, 3},
    "other": 5,
}

# Expression, values, whether it holds for STORED.
CONDITIONS = [
    ("attribute_exists(#text)", {}, True),
    ("attribute_exists(absent)", {}, False),
    ("attribute_not_exists(absent)", {}, True),
    ("attribute_exists(#map.nested.leaf)", {}, True),
    ("attribute_exists(#list[2].#in)", {}, True),
    ("attribute_exists(#list[3])", {}, False),
    ("attribute_type(#text, :v)", {":v": "S"}, True),
    ("attribute_type(#number, :v)", {":v": "S"}, False),
    ("attribute_type(nothing, :v)", {":v": "NULL"}, True),
    ("attribute_type(strings, :v)", {":v": "SS"}, True),
    ("begins_with(#text, :v)", {":v": "hel"}, True),
    ("begins_with(#text, :v)", {":v": "ell"}, False),
    ("begins_with(#binary, :v)", {":v": b"\x01"}, True),
    ("contains(#text, :v)", {":v": "ell"}, True),
    ("contains(strings, :v)", {":v": "red"}, True),
    ("contains(strings, :v)", {":v": "re"}, False),
    ("contains(numbers, :v)", {":v": 2}, True),
    ("contains(#list, :v)", {":v": "x"}, True),
    ("contains(#list, :v)", {":v": {"in": "deep"}}, True),
    ("contains(absent, :v)", {":v": "x"}, False),
    ("size(#text) = :v", {":v": 5}, True),
    ("size(#list) > :v", {":v": 3}, False),
    ("size(strings) = :v", {":v": 2}, True),
    ("size(#map) = :v", {":v": 2}, True),
    ("size(#binary) <= :v", {":v": 2}, True),
    ("size(#number) = :v", {":v": 1}, False),
    ("#number = :v", {":v": 5}, True),
    ("#number <> :v", {":v": 5}, False),
    ("#number <> :v", {":v": "5"}, True),
    ("absent <> :v", {":v": 1}, True),
    ("absent = :v", {":v": 1}, False),
    ("#number < :v", {":v": 10}, True),
    ("#number >= :v", {":v": 5}, True),
    ("#number > :v", {":v": 5}, False),
    ("#number < :v", {":v": "9"}, False),
    ("#number = #other", {}, True),
    (":v = #number", {":v": 5}, True),
    ("#number BETWEEN :v AND :w", {":v": 5, ":w": 6}, True),
    ("#number BETWEEN :v AND :w", {":v": 6, ":w": 7}, False),
    ("#text IN (:v, :w)", {":v": "bye", ":w": "hello"}, True),
    ("#text IN (:v)", {":v": "bye"}, False),
    ("#map.nested = :v", {":v": {"leaf": "value"}}, True),
    ("#list = :v", {":v": ["x", 2, {"in": "deep"}]}, True),
    ("#list = :v", {":v": ["x", 2]}, False),
    ("strings = :v", {":v": {"green", "red"}}, True),
    ("numbers = :v", {":v": {1, 2}}, False),
    ("yes = :v", {":v": True}, True),
    ("nothing = :v", {":v": None}, True),
    ("#number = :v AND #text = :w", {":v": 5, ":w": "hello"}, True),
    ("#number = :v AND #text = :w", {":v": 5, ":w": "bye"}, False),
    ("#number = :v OR #text = :w", {":v": 6, ":w": "hello"}, True),
    ("NOT #number = :v", {":v": 5}, False),
    ("NOT (#number = :v OR #text = :w)", {":v": 6, ":w": "bye"}, True),
    ("#number = :v OR #number = :w AND #text = :x", {":v": 5, ":w": 5, ":x": "bye"}, True),
    ("(#number = :v OR #number = :w) AND #text = :x", {":v": 5, ":w": 6, ":x": "bye"}, False),
    ("#number = :v and not #text = :w or yes = :x", {":v": 5, ":w": "bye", ":x": False}, True),
]

ALIASES = {
    "#text": "text",
    "#number": "number",
    "#list": "list",
    "#map": "map",
    "#binary": "binary",
    "#in": "in",
    "#other": "other",
}


def parameters(expression, values):
    names = {alias: name for alias, name in ALIASES.items() if alias in expression}
    request = {}
    if names:
        request["ExpressionAttributeNames"] = names
    if values:
        request["ExpressionAttributeValues"] = item(values)
    return request


@cases("expression, values, holds", CONDITIONS)
def test_a_condition_holds_or_not(client, tables, expression, values, holds):
    table = tables.make(items=[STORED])
    request = parameters(expression, values)
    put = dict(TableName=table, Item=item(STORED), ConditionExpression=expression, **request)
    if holds:
        client.put_item(**put)
    else:
        refused(CONDITION_FAILED, "The conditional request failed", client.put_item, **put)
    answer = client.scan(TableName=table, FilterExpression=expression, **request)
    assert (answer["Count"], answer["ScannedCount"]) == (1 if holds else 0, 1)


def test_on_a_missing_item_no_attribute_exists(client, tables):
    table = tables.make()
    put = dict(TableName=table, Item=item(pk="a"))
    refused(CONDITION_FAILED, None, client.put_item, ConditionExpression="attribute_exists(pk)", **put)
    values = item({":v": 1})
    refused(CONDITION_FAILED, None, client.put_item, ConditionExpression="v = :v", ExpressionAttributeValues=values, **put)
    client.put_item(ConditionExpression="attribute_not_exists(pk)", **put)
    refused(CONDITION_FAILED, None, client.put_item, ConditionExpression="attribute_not_exists(pk)", **put)


INVALID_CONDITIONS = [
    ("", {}, "Invalid ConditionExpression: The expression can not be empty;"),
    ("a = ", {}, 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="'),
    ("name = :v", {":v": 1}, "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: name"),
    (
        "a = :missing",
        {},
        "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :missing",
    ),
    (
        "#missing = :v",
        {":v": 1},
        "Invalid ConditionExpression: An expression attribute name used in the document path is not defined; "
        "attribute name: #missing",
    ),
    ("nonsense(a, :v)", {":v": 1}, "Invalid ConditionExpression: Invalid function name; function: nonsense"),
    (
        "begins_with(a)",
        {},
        "Invalid ConditionExpression: Incorrect number of operands for operator or function; "
        "operator or function: begins_with, number of operands: 1",
    ),
    (
        "begins_with(a, :v)",
        {":v": 1},
        "Invalid ConditionExpression: Incorrect operand type for operator or function; "
        "operator or function: begins_with, operand type: N",
    ),
    (
        "((a = :v))",
        {":v": 1},
        "Invalid ConditionExpression: The expression has redundant parentheses;",
    ),
    (
        "a = a",
        {},
        "Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; "
        "operator: =, first operand: [a]",
    ),
    (
        "a BETWEEN :v AND :w",
        {":v": 2, ":w": 1},
        "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
        "lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
    ),
    (
        "attribute_exists(a)",
        {":unused": 1},
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}",
    ),
]


@cases("expression, values, message", INVALID_CONDITIONS)
def test_an_invalid_condition_is_refused(client, tables, expression, values, message):
    table = tables.make()
    more = {"ExpressionAttributeValues": item(values)} if values else {}
    refused(INVALID, message, client.put_item, TableName=table, Item=item(pk="a"), ConditionExpression=expression, **more)
    assert client.scan(TableName=table)["Count"] == 0


def test_values_need_an_expression(client, tables):
    table = tables.make()
    message = "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"
    values = item({":v": 1})
    refused(INVALID, message, client.put_item, TableName=table, Item=item(pk="a"), ExpressionAttributeValues=values)


def test_expressions_have_limits(client, tables):
    table = tables.make()
    put = dict(TableName=table, Item=item(pk="a"))
    longest = "attribute_not_exists(" + "a" * (4096 - len("attribute_not_exists()")) + ")"
    assert len(longest) == 4096
    client.put_item(ConditionExpression=longest, **put)
    longer = longest.replace("(a", "(aa")
    message = "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
    refused(INVALID, message, client.put_item, ConditionExpression=longer, **put)
    hundred = {f":v{number}": number for number in range(100)}
    refused(
        CONDITION_FAILED,
        None,
        client.put_item,
        ConditionExpression=f"a IN ({', '.join(hundred)})",
        ExpressionAttributeValues=item(hundred),
        **put,
    )
    values = {**hundred, ":more": 1}
    refused(
        INVALID,
        None,
        client.put_item,
        ConditionExpression=f"a IN ({', '.join(values)})",
        ExpressionAttributeValues=item(values),
        **put,
    )


# A concurrent counter: every conditional write that says it succeeded did.
def test_conditions_decide_between_writers(client, tables):
    table = tables.make(items=[{"pk": "a", "version": 0, "wins": 0}])

    def writer(_):
        wins = 0
        for version in range(20):
            try:
                client.update_item(
                    TableName=table,
                    Key=item(pk="a"),
                    UpdateExpression="SET version = :next ADD wins :one",
                    ConditionExpression="version = :now",
                    ExpressionAttributeValues=item({":now": version, ":next": version + 1, ":one": 1}),
                )
                wins += 1
            except client.exceptions.ConditionalCheckFailedException:
                pass
        return wins

    with ThreadPoolExecutor(8) as pool:
        wins = sum(pool.map(writer, range(8)))
    stored = client.get_item(TableName=table, Key=item(pk="a"), ConsistentRead=True)["Item"]
    assert stored["wins"] == {"N": str(wins)} == stored["version"]
