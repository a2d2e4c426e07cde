"""Time to live, tags, limits and endpoints."""

import time

import pytest

from attributes import item
from declaration import declaration
from expectations import INVALID, NOT_FOUND, PEER, cases, eventually, refused


def set_ttl(client, table, enabled, attribute="expires"):
    return client.update_time_to_live(TableName=table, TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute})


def ttl(client, table):
    return client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]


def test_time_to_live_is_switched_on_and_off(client, tables):
    table = tables.make()
    assert ttl(client, table) == {"TimeToLiveStatus": "DISABLED"}
    answer = set_ttl(client, table, True)
    assert answer["TimeToLiveSpecification"] == {"Enabled": True, "AttributeName": "expires"}
    assert ttl(client, table)["AttributeName"] == "expires"
    eventually(lambda: ttl(client, table)["TimeToLiveStatus"] == "ENABLED")
    refused(INVALID, "TimeToLive is already enabled", set_ttl, client=client, table=table, enabled=True)
    message = "TimeToLive is active on a different AttributeName: current AttributeName is expires"
    refused(INVALID, message, set_ttl, client=client, table=table, enabled=False, attribute="other")


def test_time_to_live_cannot_be_switched_off_twice(client, tables):
    table = tables.make()
    refused(INVALID, "TimeToLive is already disabled", set_ttl, client=client, table=table, enabled=False)
    name = tables.name()
    message = f"Requested resource not found: Table: {name} not found"
    refused(NOT_FOUND, message, client.describe_time_to_live, TableName=name)
    refused(NOT_FOUND, message, set_ttl, client=client, table=name, enabled=True)


# AWS takes days for it; Sheaf looks every few seconds.
def test_expired_items_are_removed_and_others_stay(client, streams, tables):
    stream = {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}
    table = tables.make(global_indexes={"gsi": ("g:S", "KEYS_ONLY")}, StreamSpecification=stream)
    set_ttl(client, table, True)
    now = int(time.time())
    kept = {
        "in an hour": now + 3600,
        "text": "soon",
        "far past": now - 6 * 365 * 24 * 3600,
    }
    for pk, expires in kept.items():
        client.put_item(TableName=table, Item=item(pk=pk, expires=expires, g="g"))
    client.put_item(TableName=table, Item=item(pk="no attribute", g="g"))
    for number in range(5):
        client.put_item(TableName=table, Item=item(pk=f"expired {number}", expires=now - 60, g="g"))
    found = lambda **more: {attributes["pk"]["S"] for attributes in client.scan(TableName=table, **more)["Items"]}
    expected = {*kept, "no attribute"}
    eventually(lambda: found(ConsistentRead=True) == expected and found(IndexName="gsi") == expected)
    # The records tell that nobody's request removed them.
    arn = client.describe_table(TableName=table)["Table"]["LatestStreamArn"]
    records = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        start = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
        records += streams.get_records(ShardIterator=start["ShardIterator"])["Records"]
    removals = [record for record in records if record["eventName"] == "REMOVE"]
    assert {record["dynamodb"]["OldImage"]["pk"]["S"] for record in removals} == {f"expired {number}" for number in range(5)}
    service = {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}
    assert all(record["userIdentity"] == service for record in removals)


def tags(client, arn):
    return {tag["Key"]: tag["Value"] for tag in client.list_tags_of_resource(ResourceArn=arn)["Tags"]}


def test_tags_are_set_changed_and_removed(client, tables):
    name = tables.name()
    client.create_table(**declaration(name, Tags=[{"Key": "team", "Value": "blue"}, {"Key": "env", "Value": ""}]))
    arn = tables.wait_until_active(name)["TableArn"]
    eventually(lambda: tags(client, arn) == {"team": "blue", "env": ""})
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "red"}, {"Key": "cost:centre", "Value": "a/b"}])
    eventually(lambda: tags(client, arn) == {"team": "red", "env": "", "cost:centre": "a/b"})
    client.untag_resource(ResourceArn=arn, TagKeys=["env", "never set"])
    eventually(lambda: tags(client, arn) == {"team": "red", "cost:centre": "a/b"})


def test_tags_that_make_no_sense_are_refused(client, unchecked_client, tables):
    arn = client.describe_table(TableName=tables.make())["Table"]["TableArn"]
    tag = lambda *pairs: dict(ResourceArn=arn, Tags=[{"Key": key, "Value": value} for key, value in pairs])
    refused(INVALID, None, unchecked_client.tag_resource, **tag())
    refused(INVALID, None, client.tag_resource, **tag(("aws:mine", "x")))
    refused(INVALID, None, client.tag_resource, **tag(("same", "x"), ("same", "y")))
    refused(INVALID, None, client.tag_resource, **tag(*((f"key {number}", "x") for number in range(51))))
    refused(INVALID, None, client.list_tags_of_resource, ResourceArn="not-a-valid-arn")
    assert tags(client, arn) == {}


def test_many_tags_are_listed_page_by_page(client, tables):
    arn = client.describe_table(TableName=tables.make())["Table"]["TableArn"]
    wanted = {f"key {number}": f"value {number}" for number in range(30)}
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": key, "Value": value} for key, value in wanted.items()])
    listed = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn).build_full_result()["Tags"]
    assert {tag["Key"]: tag["Value"] for tag in listed} == wanted


def test_limits_and_endpoints_are_told(client):
    limits = client.describe_limits()
    assert all(limits[name] >= 1 for name in ("AccountMaxReadCapacityUnits", "AccountMaxWriteCapacityUnits"))
    assert all(limits[name] >= 1 for name in ("TableMaxReadCapacityUnits", "TableMaxWriteCapacityUnits"))
    (endpoint,) = client.describe_endpoints()["Endpoints"]
    assert endpoint["Address"]
    assert endpoint["CachePeriodInMinutes"] > 0


BACKUP = "arn:aws:dynamodb:us-east-1:000000000000:table/t/backup/01234567890123-01234567"


@cases(
    "operation, parameters",
    [
        ("create_backup", {"TableName": "table", "BackupName": "backup"}),
        ("restore_table_from_backup", {"TargetTableName": "table", "BackupArn": BACKUP}),
        ("export_table_to_point_in_time", {"TableArn": "arn:aws:dynamodb:us-east-1:000000000000:table/t", "S3Bucket": "bucket"}),
    ],
)
def test_what_is_not_offered_is_refused_and_not_ignored(client, operation, parameters):
    """Either served or refused with an error of DynamoDB's own: never an answer that a client cannot read."""
    with pytest.raises(client.exceptions.ClientError) as caught:
        getattr(client, operation)(**parameters)
    answer = caught.value.response
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert answer["Error"]["Code"] == "UnknownOperationException"


@pytest.mark.skipif(bool(PEER), reason="others do not know all of these")
def test_what_there_is_none_of_is_not_found(client, tables):
    assert client.list_backups()["BackupSummaries"] == []
    assert client.list_global_tables()["GlobalTables"] == []
    assert client.list_exports()["ExportSummaries"] == []
    assert client.list_imports()["ImportSummaryList"] == []
    assert client.describe_kinesis_streaming_destination(TableName=tables.make())["KinesisDataStreamDestinations"] == []
    refused("BackupNotFoundException", f"Backup not found: {BACKUP}", client.describe_backup, BackupArn=BACKUP)
    refused("GlobalTableNotFoundException", None, client.describe_global_table, GlobalTableName="nothing")
