"""CreateTable, DescribeTable, ListTables, UpdateTable, DeleteTable."""

import datetime
import re

from attributes import item
from declaration import attribute_definitions, declaration, index
from expectations import IN_USE, INVALID, NOT_FOUND, ONE_ERROR, OPV, cases, eventually, refused

NOT_FOUND_TABLE = "Requested resource not found: Table: {} not found"
PROVISIONED = dict(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6})


def describe(client, table):
    return client.describe_table(TableName=table)["Table"]


def test_a_table_is_described_as_it_was_declared(client, tables):
    name = tables.name()
    request = declaration(
        name,
        "pk:S,sk:N",
        local_indexes={"lsi": ("pk:S,l:B", "KEYS_ONLY")},
        global_indexes={"gsi": ("g:S,sk:N", ["x", "y"])},
    )
    created = client.create_table(**request)["TableDescription"]
    assert created["TableStatus"] in ("CREATING", "ACTIVE")
    tables.wait_until_active(name)
    table = describe(client, name)
    assert table["TableName"] == name
    assert table["KeySchema"] == request["KeySchema"]
    assert sorted(table["AttributeDefinitions"], key=repr) == sorted(request["AttributeDefinitions"], key=repr)
    assert table["TableStatus"] == "ACTIVE"
    assert re.fullmatch(rf"arn:aws:dynamodb:[a-z0-9-]+:\d{{12}}:table/{re.escape(name)}", table["TableArn"])
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", table["TableId"])
    age = datetime.datetime.now(datetime.timezone.utc) - table["CreationDateTime"]
    assert abs(age) < datetime.timedelta(minutes=5)
    assert (table["ItemCount"], table["TableSizeBytes"]) == (0, 0)
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["ProvisionedThroughput"] == {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
    (local_index,) = table["LocalSecondaryIndexes"]
    assert local_index["IndexArn"] == f"{table['TableArn']}/index/lsi"
    assert local_index["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    assert "IndexStatus" not in local_index
    (global_index,) = table["GlobalSecondaryIndexes"]
    assert global_index["IndexStatus"] == "ACTIVE"
    assert global_index["Projection"]["ProjectionType"] == "INCLUDE"
    assert sorted(global_index["Projection"]["NonKeyAttributes"]) == ["x", "y"]
    assert global_index["KeySchema"] == request["GlobalSecondaryIndexes"][0]["KeySchema"]
    assert "StreamSpecification" not in table and "LatestStreamArn" not in table


def test_provisioned_throughput_is_described(client, tables):
    table = describe(client, tables.make(**PROVISIONED))
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 5
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 6
    assert table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED") == "PROVISIONED"


def test_a_table_of_the_same_name_is_another_table(client, tables):
    name = tables.make(items=[{"pk": "a"}])
    first = describe(client, name)["TableId"]
    refused(IN_USE, f"Table already exists: {name}", client.create_table, **declaration(name))
    client.delete_table(TableName=name)
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    client.create_table(**declaration(name))
    tables.wait_until_active(name)
    assert describe(client, name)["TableId"] != first
    assert client.scan(TableName=name)["Count"] == 0


def test_waiters_see_a_table_come_and_go(client, tables):
    name = tables.name()
    client.create_table(**declaration(name))
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    assert describe(client, name)["TableStatus"] == "ACTIVE"
    deleted = client.delete_table(TableName=name)["TableDescription"]
    assert (deleted["TableName"], deleted["TableStatus"]) == (name, "DELETING")
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    refused(NOT_FOUND, NOT_FOUND_TABLE.format(name), client.describe_table, TableName=name)
    refused(NOT_FOUND, NOT_FOUND_TABLE.format(name), client.delete_table, TableName=name)
    refused(NOT_FOUND, "Requested resource not found", client.scan, TableName=name)


def test_tables_are_listed_in_order_page_by_page(client, tables):
    names = sorted(tables.make() for _ in range(5))
    prefix = names[0].split(".")[0]
    listed = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 3}).build_full_result()["TableNames"]
    assert [name for name in listed if name.startswith(prefix)] == names
    assert listed == sorted(listed, key=str.encode)
    page = client.list_tables(ExclusiveStartTableName=names[1], Limit=2)
    assert len(page["TableNames"]) == 2
    assert page["LastEvaluatedTableName"] == page["TableNames"][-1]
    client.list_tables(ExclusiveStartTableName="no.such.table")


@cases("limit, side", [(0, "greater than or equal to 1"), (101, "less than or equal to 100")])
def test_a_list_has_a_limit(unchecked_client, limit, side):
    message = f"{ONE_ERROR}Value '{limit}' at 'limit' failed to satisfy constraint: Member must have value {side}"
    refused(INVALID, message, unchecked_client.list_tables, Limit=limit)


KEY = {"AttributeName": "pk", "KeyType": "HASH"}
SORT_KEY = {"AttributeName": "sk", "KeyType": "RANGE"}
PK_DEFINED = {"AttributeName": "pk", "AttributeType": "S"}
SK_DEFINED = {"AttributeName": "sk", "AttributeType": "S"}


# A2: only S, N and B can be keys.
@cases(
    "what, changes, message",
    [
        (
            "a map as key",
            {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "M"}]},
            f"{ONE_ERROR}Value 'M' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: "
            "Member must satisfy enum value set: [B, N, S]",
        ),
        (
            "a list as sort key",
            {"KeySchema": [KEY, SORT_KEY], "AttributeDefinitions": [PK_DEFINED, {"AttributeName": "sk", "AttributeType": "L"}]},
            f"{ONE_ERROR}Value 'L' at 'attributeDefinitions.2.member.attributeType' failed to satisfy constraint: "
            "Member must satisfy enum value set: [B, N, S]",
        ),
        (
            "short name",
            {"TableName": "ab"},
            f"{ONE_ERROR}Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
        ),
        (
            "undefined key",
            {"AttributeDefinitions": [{"AttributeName": "other", "AttributeType": "S"}]},
            f"{OPV}Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [other]",
        ),
        (
            "too few definitions",
            {"KeySchema": [KEY, SORT_KEY]},
            "Invalid KeySchema: Some index key attribute have no definition",
        ),
        (
            "range first",
            {"KeySchema": [SORT_KEY, KEY], "AttributeDefinitions": [PK_DEFINED, SK_DEFINED]},
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        ),
        (
            "two hashes",
            {"KeySchema": [KEY, {"AttributeName": "sk", "KeyType": "HASH"}], "AttributeDefinitions": [PK_DEFINED, SK_DEFINED]},
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        ),
        (
            "superfluous definition",
            {"AttributeDefinitions": [PK_DEFINED, SK_DEFINED]},
            f"{OPV}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
        ),
        (
            "no throughput",
            {"BillingMode": "PROVISIONED"},
            f"{OPV}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
        ),
        (
            "throughput on demand",
            {"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}},
            f"{OPV}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
        ),
        (
            "a local index without sort key",
            {"LocalSecondaryIndexes": [index("lsi", "pk:S")]},
            f"{OPV}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
        ),
        (
            "an empty list of indexes",
            {"GlobalSecondaryIndexes": []},
            f"{OPV}List of GlobalSecondaryIndexes is empty",
        ),
        (
            "the same index twice",
            {"GlobalSecondaryIndexes": [index("gsi", "pk:S"), index("gsi", "pk:S")]},
            f"{OPV}Duplicate index name: gsi",
        ),
        (
            "ALL with attributes",
            {
                "GlobalSecondaryIndexes": [
                    {"IndexName": "gsi", "KeySchema": [KEY], "Projection": {"ProjectionType": "ALL", "NonKeyAttributes": ["x"]}}
                ]
            },
            f"{OPV}ProjectionType is ALL, but NonKeyAttributes is specified",
        ),
        (
            "a stream without view",
            {"StreamSpecification": {"StreamEnabled": True}},
            None,
        ),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(unchecked_client, tables, what, changes, message):
    request = {**declaration(tables.name()), **changes}
    refused(INVALID, message, unchecked_client.create_table, **request)


# A13: 20 global indexes at most. Local ones: 5.
def test_the_number_of_indexes_is_limited(client, tables):
    twenty = {f"gsi{number}": f"g{number}:S" for number in range(20)}
    table = tables.make(global_indexes=twenty)
    assert len(describe(client, table)["GlobalSecondaryIndexes"]) == 20
    message = f"{OPV}GlobalSecondaryIndex count exceeds the per-table limit of 20"
    refused(INVALID, message, client.create_table, **declaration(tables.name(), global_indexes={**twenty, "one_more": "more:S"}))
    six = {f"lsi{number}": f"pk:S,l{number}:S" for number in range(6)}
    message = f"{OPV}Number of LocalSecondaryIndexes exceeds per-table limit of 5"
    refused(INVALID, message, client.create_table, **declaration(tables.name(), "pk:S,sk:S", local_indexes=six))
    refused(
        "LimitExceededException",
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20",
        client.update_table,
        TableName=table,
        AttributeDefinitions=attribute_definitions("more:S"),
        GlobalSecondaryIndexUpdates=[{"Create": index("one_more", "more:S")}],
    )


def add_index(client, table, name, spec, notation):
    return client.update_table(
        TableName=table,
        AttributeDefinitions=attribute_definitions(notation),
        GlobalSecondaryIndexUpdates=[{"Create": index(name, spec)}],
    )["TableDescription"]


# A7, A9: an index that is added later is filled from the items that are there; what does not fit is left out.
def test_an_added_index_is_filled_and_can_be_removed(client, tables):
    items = [{"pk": f"{number:04}", "g": f"group {number % 5}", "data": "x" * 100} for number in range(500)]
    misfits = [{"pk": "no key"}, {"pk": "wrong type", "g": 5}, {"pk": "list", "g": ["x"]}]
    table = tables.make(items=items + misfits)
    answer = add_index(client, table, "by_group", ("g:S,pk:S", "KEYS_ONLY"), "g:S,pk:S")
    (described,) = answer["GlobalSecondaryIndexes"]
    assert described["IndexName"] == "by_group" and described["IndexStatus"] in ("CREATING", "ACTIVE")
    # Items written while the index is being filled are in it too.
    client.put_item(TableName=table, Item=item(pk="late", g="group 1"))
    client.delete_item(TableName=table, Key=item(pk="0001"))
    tables.wait_until_active(table)
    answer = client.query(
        TableName=table, IndexName="by_group", KeyConditionExpression="g = :g", ExpressionAttributeValues=item({":g": "group 1"})
    )
    assert [attributes["pk"]["S"] for attributes in answer["Items"]] == [f"{number:04}" for number in range(6, 500, 5)] + ["late"]
    scanned = client.get_paginator("scan").paginate(TableName=table, IndexName="by_group").build_full_result()
    assert scanned["Count"] == 500
    client.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_group"}}])
    eventually(
        lambda: "GlobalSecondaryIndexes" not in describe(client, table) and describe(client, table)["TableStatus"] == "ACTIVE"
    )
    assert describe(client, table)["AttributeDefinitions"] == [PK_DEFINED]
    message = "The table does not have the specified index: by_group"
    refused(INVALID, message, client.scan, TableName=table, IndexName="by_group")
    assert client.scan(TableName=table, Select="COUNT")["Count"] == 503


def test_an_index_can_be_made_again_under_its_name(client, tables):
    table = tables.make(items=[{"pk": "a", "x": "1", "y": 2}])
    for notation, key in (("x:S", "x"), ("y:N", "y")):
        add_index(client, table, "gsi", notation, notation)
        tables.wait_until_active(table)
        answer = client.scan(TableName=table, IndexName="gsi", Limit=1)
        assert set(answer["LastEvaluatedKey"]) == {"pk", key}
        client.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "gsi"}}])
        eventually(lambda: "GlobalSecondaryIndexes" not in describe(client, table))
        tables.wait_until_active(table)


def test_index_updates_that_make_no_sense_are_refused(client, tables):
    table = tables.make(global_indexes={"gsi": "g:S"})
    update = lambda *changes, **more: dict(TableName=table, GlobalSecondaryIndexUpdates=list(changes), **more)
    definitions = dict(AttributeDefinitions=attribute_definitions("g:S"))
    refused(
        INVALID,
        "Attempting to create an index which already exists",
        client.update_table,
        **update({"Create": index("gsi", "g:S")}, **definitions),
    )
    refused(NOT_FOUND, None, client.update_table, **update({"Delete": {"IndexName": "nope"}}))
    refused(INVALID, None, client.update_table, **update({"Create": index("new", "undefined:S")}, **definitions))
    actions = ", ".join(f"GlobalSecondaryIndexUpdate.{action}" for action in ("Update", "Create", "Delete"))
    message = f"{OPV}One of {actions} must not be null"
    refused(INVALID, message, client.update_table, **update({}))
    refused(INVALID, None, client.update_table, TableName=table)
    refused(NOT_FOUND, None, client.update_table, TableName=tables.name(), **PROVISIONED)


def test_the_billing_mode_changes_both_ways(client, tables):
    table = tables.make(global_indexes={"gsi": "g:S"})
    throughput = {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}
    client.update_table(
        TableName=table,
        BillingMode="PROVISIONED",
        ProvisionedThroughput=throughput,
        GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "gsi", "ProvisionedThroughput": throughput}}],
    )
    described = tables.wait_until_active(table)
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 3
    assert described["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["WriteCapacityUnits"] == 4
    assert described["BillingModeSummary"]["BillingMode"] == "PROVISIONED"
    client.update_table(TableName=table, ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 8})
    assert tables.wait_until_active(table)["ProvisionedThroughput"]["ReadCapacityUnits"] == 7
    refused(
        INVALID,
        None,
        client.update_table,
        TableName=table,
        ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 8},
    )
    client.update_table(TableName=table, BillingMode="PAY_PER_REQUEST")
    described = tables.wait_until_active(table)
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    client.put_item(TableName=table, Item=item(pk="a", g="x"))


def test_the_table_class_is_kept(client, tables):
    table = tables.make(TableClass="STANDARD_INFREQUENT_ACCESS")
    assert describe(client, table)["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"
    client.update_table(TableName=table, TableClass="STANDARD")
    eventually(lambda: describe(client, table).get("TableClassSummary", {}).get("TableClass", "STANDARD") == "STANDARD")


# A20: bytes and items are known.
def test_items_and_bytes_are_counted(client, tables):
    table = tables.make(
        items=[{"pk": f"{number:03}", "g": "x"} for number in range(10)], global_indexes={"gsi": ("g:S", "KEYS_ONLY")}
    )

    def counted():
        described = describe(client, table)
        (global_index,) = described["GlobalSecondaryIndexes"]
        return described["ItemCount"], described["TableSizeBytes"], global_index["ItemCount"]

    eventually(lambda: counted() == (10, 70, 10))
