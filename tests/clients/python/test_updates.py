"""UpdateItem: what each clause does, what comes back, what is refused."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from attributes import item, plain
from expectations import CONDITION_FAILED, INVALID, OPV, cases, eventually, refused

BAD_PATH = "The document path provided in the update expression is invalid for update"
BAD_TYPE = "An operand in the update expression has an incorrect data type"
MISSING_OPERAND = "The provided expression refers to an attribute that does not exist in the item"

BEFORE = {"pk": "a", "n": 10, "s": "text", "list": [1, 2, 3], "map": {"x": 1, "y": {"z": 2}}, "set": {"a", "b"}, "ns": {1, 2}}


def update(client, table, expression, values=None, names=None, key=None, **more):
    request = dict(TableName=table, Key=item(key or {"pk": "a"}), UpdateExpression=expression, **more)
    if values:
        request["ExpressionAttributeValues"] = item(values)
    aliases = {"#list": "list", "#map": "map", "#set": "set", **(names or {})}
    used = {alias: name for alias, name in aliases.items() if alias in expression + more.get("ConditionExpression", "")}
    if used:
        request["ExpressionAttributeNames"] = used
    return client.update_item(**request)


def stored(client, table, **key):
    answer = client.get_item(TableName=table, Key=item(key or {"pk": "a"}), ConsistentRead=True)
    return plain(answer["Item"]) if "Item" in answer else None


def after(**changes):
    result = {**BEFORE, **changes}
    return {name: value for name, value in result.items() if value is not ...}


@cases(
    "expression, values, changes",
    [
        ("SET v = :v", {":v": "new"}, {"v": "new"}),
        ("SET n = n + :v", {":v": 5}, {"n": 15}),
        ("SET n = :v - n", {":v": 5}, {"n": -5}),
        ("SET n = n + n", {}, {"n": 20}),
        ("SET v = n", {}, {"v": 10}),
        ("SET v = :v, w = :w", {":v": 1, ":w": [1, {"a": {"b"}}]}, {"v": 1, "w": [1, {"a": {"b"}}]}),
        ("SET n = s, s = n", {}, {"n": "text", "s": 10}),
        ("SET v = if_not_exists(v, :v)", {":v": 0}, {"v": 0}),
        ("SET n = if_not_exists(n, :v)", {":v": 0}, {"n": 10}),
        ("SET v = if_not_exists(v, :zero) + :one", {":zero": 0, ":one": 1}, {"v": 1}),
        ("SET #list = list_append(#list, :v)", {":v": [4]}, {"list": [1, 2, 3, 4]}),
        ("SET #list = list_append(:v, #list)", {":v": [0]}, {"list": [0, 1, 2, 3]}),
        ("SET v = list_append(if_not_exists(v, :empty), :v)", {":empty": [], ":v": ["x"]}, {"v": ["x"]}),
        ("SET #list[1] = :v", {":v": "two"}, {"list": [1, "two", 3]}),
        ("SET #list[9] = :v", {":v": "end"}, {"list": [1, 2, 3, "end"]}),
        ("SET #list[0] = #list[2], #list[2] = #list[0]", {}, {"list": [3, 2, 1]}),
        ("SET #map.x = :v", {":v": 9}, {"map": {"x": 9, "y": {"z": 2}}}),
        ("SET #map.y.w = :v", {":v": 9}, {"map": {"x": 1, "y": {"z": 2, "w": 9}}}),
        ("SET #map.y.z = #map.y.z + :v", {":v": 1}, {"map": {"x": 1, "y": {"z": 3}}}),
        ("REMOVE n, s", {}, {"n": ..., "s": ...}),
        ("REMOVE #list[0], #list[2]", {}, {"list": [2]}),
        ("REMOVE #map.y.z", {}, {"map": {"x": 1, "y": {}}}),
        ("REMOVE absent, #list[9]", {}, {}),
        ("ADD n :v", {":v": -3}, {"n": 7}),
        ("ADD v :v", {":v": 3}, {"v": 3}),
        ("ADD #set :v", {":v": {"b", "c"}}, {"set": {"a", "b", "c"}}),
        ("ADD v :v", {":v": {1, 2}}, {"v": {1, 2}}),
        ("ADD #map.x :v", {":v": 4}, {"map": {"x": 5, "y": {"z": 2}}}),
        ("DELETE #set :v", {":v": {"b", "absent"}}, {"set": {"a"}}),
        ("DELETE ns :v", {":v": {1, 2}}, {"ns": ...}),
        ("DELETE absent :v", {":v": {"a"}}, {}),
        (
            "SET v = :v REMOVE s ADD n :one DELETE #set :a",
            {":v": 1, ":one": 1, ":a": {"a"}},
            {"v": 1, "s": ..., "n": 11, "set": {"b"}},
        ),
        ("set v = :v remove s", {":v": 1}, {"v": 1, "s": ...}),
    ],
)
def test_an_update_changes_what_it_says(client, tables, expression, values, changes):
    table = tables.make(items=[BEFORE])
    answer = update(client, table, expression, values, ReturnValues="ALL_NEW")
    assert plain(answer["Attributes"]) == after(**changes)
    assert stored(client, table) == after(**changes)


@cases(
    "expression, values, message",
    [
        ("SET pk = :v", {":v": "b"}, f"{OPV}Cannot update attribute pk. This attribute is part of the key"),
        ("REMOVE pk", {}, f"{OPV}Cannot update attribute pk. This attribute is part of the key"),
        ("SET n = n + :v", {":v": "text"}, None),
        ("SET s = s + :v", {":v": 1}, BAD_TYPE),
        ("SET v = absent", {}, MISSING_OPERAND),
        ("SET v = absent + :v", {":v": 1}, MISSING_OPERAND),
        ("SET absent.x = :v", {":v": 1}, BAD_PATH),
        ("SET #map.absent.x = :v", {":v": 1}, BAD_PATH),
        ("SET s.x = :v", {":v": 1}, BAD_PATH),
        ("SET #list.x = :v", {":v": 1}, BAD_PATH),
        ("SET #map[0] = :v", {":v": 1}, BAD_PATH),
        ("REMOVE absent.x", {}, BAD_PATH),
        ("SET s = list_append(s, :v)", {":v": [1]}, BAD_TYPE),
        ("ADD s :v", {":v": 1}, BAD_TYPE),
        ("ADD n :v", {":v": {1}}, BAD_TYPE),
        ("DELETE #set :v", {":v": {1}}, BAD_TYPE),
        (
            "ADD n :v",
            {":v": "text"},
            "Invalid UpdateExpression: Incorrect operand type for operator or function; "
            "operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        (
            "SET v = :v, v = :v",
            {":v": 1},
            "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [v], path two: [v]",
        ),
        (
            "SET #map.x = :v REMOVE #map",
            {":v": 1},
            "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [map, x], path two: [map]",
        ),
        (
            "SET v = :v SET w = :v",
            {":v": 1},
            'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;',
        ),
        ("", {}, "Invalid UpdateExpression: The expression can not be empty;"),
        ("SET v", {}, 'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "v"'),
    ],
)
def test_an_update_that_makes_no_sense_is_refused(client, tables, expression, values, message):
    table = tables.make(items=[BEFORE])
    refused(INVALID, message, update, client=client, table=table, expression=expression, values=values)
    assert stored(client, table) == BEFORE


def test_adding_up_to_too_many_digits_is_refused(client, tables):
    table = tables.make(items=[{"pk": "a", "n": 10**37}])
    refused(INVALID, None, update, client=client, table=table, expression="ADD n :v", values={":v": Decimal("0.1")})
    assert stored(client, table)["n"] == 10**37


@cases(
    "return_values, expected",
    [
        ("NONE", None),
        ("ALL_OLD", BEFORE),
        ("ALL_NEW", after(n=11, v=1, s=..., map={"x": 5, "y": {"z": 2}})),
        ("UPDATED_OLD", {"n": 10, "s": "text", "map": {"x": 1}}),
        ("UPDATED_NEW", {"n": 11, "v": 1, "map": {"x": 5}}),
    ],
)
def test_an_update_returns_what_was_asked(client, tables, return_values, expected):
    table = tables.make(items=[BEFORE])
    values = {":one": 1, ":five": 5}
    answer = update(client, table, "SET v = :one, #map.x = :five REMOVE s ADD n :one", values, ReturnValues=return_values)
    assert (plain(answer["Attributes"]) if "Attributes" in answer else None) == expected


@pytest.mark.parametrize("return_values", ["ALL_OLD", "UPDATED_OLD"])
def test_a_new_item_has_nothing_old_to_return(client, tables, return_values):
    table = tables.make()
    assert "Attributes" not in update(client, table, "SET v = :v", {":v": 1}, ReturnValues=return_values)
    assert stored(client, table) == {"pk": "a", "v": 1}


def test_an_update_creates_a_missing_item(client, tables):
    table = tables.make("pk:S,sk:N")
    answer = update(client, table, "ADD visits :one", {":one": 1}, key={"pk": "a", "sk": 1}, ReturnValues="ALL_NEW")
    assert plain(answer["Attributes"]) == {"pk": "a", "sk": 1, "visits": 1}


def test_an_update_without_an_expression_creates_the_key_alone(client, tables):
    table = tables.make()
    client.update_item(TableName=table, Key=item(pk="a"))
    assert stored(client, table) == {"pk": "a"}


@cases("expression, values", [("REMOVE v", {}), ("DELETE v :v", {":v": {"a"}})])
def test_removing_from_a_missing_item_creates_nothing(client, tables, expression, values):
    table = tables.make()
    answer = update(client, table, expression, values, ReturnValues="ALL_NEW")
    assert "Attributes" not in answer
    assert stored(client, table) is None


def test_a_condition_is_judged_before_the_update(client, tables):
    table = tables.make(items=[BEFORE])
    more = dict(ConditionExpression="n > :limit")
    refused(
        CONDITION_FAILED,
        "The conditional request failed",
        update,
        client=client,
        table=table,
        expression="SET n = n + s",
        values={":limit": 10},
        **more,
    )
    assert stored(client, table) == BEFORE
    update(client, table, "SET n = n - :one", {":limit": 9, ":one": 1}, **more)
    assert stored(client, table)["n"] == 9


# A16: a parent with its children embedded changes in one atomic update.
def test_embedded_children_change_with_their_parent(client, tables):
    order = {"pk": "order#1", "amount": 30, "parts": {"l1": {"price": 10, "qty": 1}, "l2": {"price": 20, "qty": 1}}}
    table = tables.make(items=[order])
    answer = update(
        client,
        table,
        "SET parts.l1.qty = parts.l1.qty + :one, amount = amount + parts.l1.price, parts.l3 = :l3 REMOVE parts.l2",
        {":one": 1, ":l3": {"price": 5, "qty": 2}, ":max": 3},
        key={"pk": "order#1"},
        ConditionExpression="size(parts) < :max",
        names={},
        ReturnValues="ALL_NEW",
    )
    assert plain(answer["Attributes"]) == {
        "pk": "order#1",
        "amount": 40,
        "parts": {"l1": {"price": 10, "qty": 2}, "l3": {"price": 5, "qty": 2}},
    }


# A7, A9: an update moves an item into, within and out of an index; index keys keep their type.
def test_updates_move_items_in_an_index(client, tables):
    table = tables.make(global_indexes={"by_status": "status:S,due:N"})
    names = {"#status": "status"}

    def indexed(status):
        answer = client.query(
            TableName=table,
            IndexName="by_status",
            KeyConditionExpression="#status = :s",
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=item({":s": status}),
        )
        return [plain(attributes)["pk"] for attributes in answer["Items"]]

    update(client, table, "SET #status = :s", {":s": "open"}, names)
    update(client, table, "SET due = :d", {":d": 1})
    eventually(lambda: indexed("open") == ["a"])
    update(client, table, "SET #status = :s", {":s": "done"}, names)
    eventually(lambda: indexed("done") == ["a"] and indexed("open") == [])
    update(client, table, "REMOVE due")
    eventually(lambda: indexed("done") == [])
    message = f"{OPV}Type mismatch for Index Key due Expected: N Actual: S IndexName: by_status"
    refused(INVALID, message, update, client=client, table=table, expression="SET due = :d", values={":d": "soon"})
    message = (
        "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value "
        "that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."
    )
    refused(INVALID, message, update, client=client, table=table, expression="SET #status = :s", values={":s": ""}, names=names)


def test_many_writers_lose_no_increment(client, tables):
    table = tables.make(items=[{"pk": "a", "n": 0}])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: update(client, table, "ADD n :one", {":one": 1}), range(200)))
    assert stored(client, table)["n"] == 200
