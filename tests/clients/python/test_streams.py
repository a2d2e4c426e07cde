"""DynamoDB Streams: what is recorded, and how it is read."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from attributes import item, plain
from expectations import INVALID, NOT_FOUND, cases, eventually, refused


def with_stream(view):
    return {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": view}}


BOTH_IMAGES = with_stream("NEW_AND_OLD_IMAGES")


def stream_of(client, table):
    return client.describe_table(TableName=table)["Table"]["LatestStreamArn"]


def shards_of(streams, arn):
    shards, start = [], {}
    while True:
        description = streams.describe_stream(StreamArn=arn, **start)["StreamDescription"]
        shards += description["Shards"]
        if "LastEvaluatedShardId" not in description:
            return shards
        start = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}


def iterator(streams, arn, shard, kind="TRIM_HORIZON", **more):
    return streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType=kind, **more)["ShardIterator"]


def read_shard(streams, position, limit=None):
    """Everything from there on; and where to go on, None at the end of a closed shard."""
    records = []
    while position:
        answer = streams.get_records(ShardIterator=position, **({"Limit": limit} if limit else {}))
        position = answer.get("NextShardIterator")
        records += answer["Records"]
        if not answer["Records"]:
            break
    return records, position


def read_all(streams, arn):
    records = []
    for shard in shards_of(streams, arn):
        records += read_shard(streams, iterator(streams, arn, shard["ShardId"]))[0]
    return sorted(records, key=lambda record: int(record["dynamodb"]["SequenceNumber"]))


def records_of(streams, arn, count):
    eventually(lambda: len(read_all(streams, arn)) >= count)
    records = read_all(streams, arn)
    assert len(records) == count, [record["dynamodb"] for record in records]
    return records


def change_an_item(client, table):
    client.put_item(TableName=table, Item=item(pk="a", v=1))
    client.update_item(
        TableName=table, Key=item(pk="a"), UpdateExpression="SET v = :v", ExpressionAttributeValues=item({":v": 2})
    )
    client.delete_item(TableName=table, Key=item(pk="a"))


@cases(
    "view, old_images, new_images",
    [
        ("KEYS_ONLY", [None, None, None], [None, None, None]),
        ("NEW_IMAGE", [None, None, None], [{"pk": "a", "v": 1}, {"pk": "a", "v": 2}, None]),
        ("OLD_IMAGE", [None, {"pk": "a", "v": 1}, {"pk": "a", "v": 2}], [None, None, None]),
        (
            "NEW_AND_OLD_IMAGES",
            [None, {"pk": "a", "v": 1}, {"pk": "a", "v": 2}],
            [{"pk": "a", "v": 1}, {"pk": "a", "v": 2}, None],
        ),
    ],
)
def test_every_change_is_recorded(client, streams, tables, view, old_images, new_images):
    table = tables.make(**with_stream(view))
    arn = stream_of(client, table)
    change_an_item(client, table)
    records = records_of(streams, arn, 3)
    assert [record["eventName"] for record in records] == ["INSERT", "MODIFY", "REMOVE"]
    changes = [record["dynamodb"] for record in records]
    image = lambda change, name: plain(change[name]) if name in change else None
    assert [image(change, "OldImage") for change in changes] == old_images
    assert [image(change, "NewImage") for change in changes] == new_images
    for record in records:
        assert record["eventSource"] == "aws:dynamodb"
        assert record["eventVersion"] == "1.1"
        assert record["awsRegion"]
        assert record["dynamodb"]["Keys"] == item(pk="a")
        assert record["dynamodb"]["StreamViewType"] == view
        assert record["dynamodb"]["SizeBytes"] > 0
        assert re.fullmatch(r"\d{21,40}", record["dynamodb"]["SequenceNumber"])
        assert "userIdentity" not in record
    assert len({record["eventID"] for record in records}) == 3


def test_what_changes_nothing_is_not_recorded(client, streams, tables):
    table = tables.make(**BOTH_IMAGES)
    arn = stream_of(client, table)
    client.put_item(TableName=table, Item=item(pk="a", v=1, tags={"x", "y"}))
    client.put_item(TableName=table, Item={"tags": {"SS": ["y", "x"]}, "v": {"N": "1.0"}, "pk": {"S": "a"}})
    client.update_item(TableName=table, Key=item(pk="a"), UpdateExpression="REMOVE absent")
    client.delete_item(TableName=table, Key=item(pk="never there"))
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName=table, Item=item(pk="a", v=2), ConditionExpression="attribute_not_exists(pk)")
    client.put_item(TableName=table, Item=item(pk="b"))
    assert [plain(record["dynamodb"]["Keys"])["pk"] for record in records_of(streams, arn, 2)] == ["a", "b"]


def test_batches_and_transactions_are_recorded_item_by_item(client, streams, tables):
    table = tables.make(**BOTH_IMAGES)
    arn = stream_of(client, table)
    tables.fill(table, [{"pk": f"{number}"} for number in range(10)])
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": table, "Item": item(pk="new")}},
            {"Delete": {"TableName": table, "Key": item(pk="0")}},
            {"ConditionCheck": {"TableName": table, "Key": item(pk="1"), "ConditionExpression": "attribute_exists(pk)"}},
        ]
    )
    records = records_of(streams, arn, 12)
    assert sorted(record["eventName"] for record in records) == ["INSERT"] * 11 + ["REMOVE"]


def test_streams_are_listed_and_described(client, streams, tables):
    table = tables.make("pk:S,sk:N", **BOTH_IMAGES)
    described = client.describe_table(TableName=table)["Table"]
    arn, label = described["LatestStreamArn"], described["LatestStreamLabel"]
    assert arn == f"{described['TableArn']}/stream/{label}"
    assert described["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert streams.list_streams(TableName=table)["Streams"] == [{"StreamArn": arn, "TableName": table, "StreamLabel": label}]
    description = eventually(
        lambda: streams.describe_stream(StreamArn=arn)["StreamDescription"]["StreamStatus"] == "ENABLED"
        and streams.describe_stream(StreamArn=arn)["StreamDescription"]
    )
    assert (description["StreamViewType"], description["TableName"]) == ("NEW_AND_OLD_IMAGES", table)
    assert description["KeySchema"] == described["KeySchema"]
    assert description["StreamLabel"] == label
    for shard in shards_of(streams, arn):
        assert 28 <= len(shard["ShardId"]) <= 65
        assert shard["SequenceNumberRange"]["StartingSequenceNumber"].isdigit()
        assert "EndingSequenceNumber" not in shard["SequenceNumberRange"]


def test_streams_are_listed_page_by_page(client, streams, tables):
    made = {stream_of(client, tables.make(**BOTH_IMAGES)) for _ in range(3)}
    listed, start = [], {}
    while True:
        page = streams.list_streams(Limit=2, **start)
        assert len(page["Streams"]) <= 2
        listed += [stream["StreamArn"] for stream in page["Streams"]]
        if "LastEvaluatedStreamArn" not in page:
            break
        start = {"ExclusiveStartStreamArn": page["LastEvaluatedStreamArn"]}
    assert made <= set(listed)
    assert len(listed) == len(set(listed))


def test_iterators_start_where_they_say(client, streams, tables):
    table = tables.make("pk:S,sk:N", **BOTH_IMAGES)
    arn = stream_of(client, table)
    write = lambda number: client.put_item(TableName=table, Item=item(pk="a", sk=number))
    latest = {shard["ShardId"]: iterator(streams, arn, shard["ShardId"], "LATEST") for shard in shards_of(streams, arn)}
    for number in range(5):
        write(number)
    records_of(streams, arn, 5)
    seen_from_latest = sum((read_shard(streams, position)[0] for position in latest.values()), [])
    assert len(seen_from_latest) == 5
    shard, records = next(
        (shard["ShardId"], records)
        for shard in shards_of(streams, arn)
        for records in [read_shard(streams, iterator(streams, arn, shard["ShardId"]))[0]]
        if records
    )
    numbers = [int(record["dynamodb"]["Keys"]["sk"]["N"]) for record in records]
    assert numbers == [0, 1, 2, 3, 4], "one partition key is in one shard, in order"
    third = records[2]["dynamodb"]["SequenceNumber"]
    read_from = lambda kind: read_shard(streams, iterator(streams, arn, shard, kind, SequenceNumber=third))[0]
    assert read_from("AT_SEQUENCE_NUMBER") == records[2:]
    assert read_from("AFTER_SEQUENCE_NUMBER") == records[3:]
    assert read_shard(streams, iterator(streams, arn, shard), limit=2)[0] == records
    after_all = iterator(streams, arn, shard, "LATEST")
    assert read_shard(streams, after_all)[0] == []
    write(5)
    assert eventually(lambda: read_shard(streams, after_all)[0])[0]["dynamodb"]["Keys"] == item(pk="a", sk=5)


def test_bad_positions_are_refused(client, streams, tables):
    table = tables.make(**BOTH_IMAGES)
    arn = stream_of(client, table)
    shard = shards_of(streams, arn)[0]["ShardId"]
    get_iterator = streams.get_shard_iterator
    refused(INVALID, None, get_iterator, StreamArn=arn, ShardId=shard, ShardIteratorType="AT_SEQUENCE_NUMBER")
    refused(
        NOT_FOUND, None, get_iterator, StreamArn=arn, ShardId="shardId-00000001234567890123-deadbeef", ShardIteratorType="LATEST"
    )
    refused(INVALID, None, streams.get_records, ShardIterator="nonsense")
    refused(INVALID, None, streams.get_records, ShardIterator=iterator(streams, arn, shard), Limit=1001)
    missing = re.sub(r"/stream/.*", "/stream/2020-01-01T00:00:00.000", arn)
    refused(NOT_FOUND, f"Requested resource not found: Stream: {missing} not found", streams.describe_stream, StreamArn=missing)
    refused(NOT_FOUND, None, get_iterator, StreamArn=missing, ShardId=shard, ShardIteratorType="LATEST")
    refused(INVALID, None, streams.describe_stream, StreamArn="arn:aws:dynamodb:us-east-1:no:such:thing:at:all")


def test_a_stream_is_switched_on_off_and_on_again(client, streams, tables):
    table = tables.make()
    client.put_item(TableName=table, Item=item(pk="before"))
    client.update_table(TableName=table, **with_stream("NEW_IMAGE"))
    tables.wait_until_active(table)
    first = stream_of(client, table)
    message = f"Table already has an enabled stream: TableName: {table}"
    refused(INVALID, message, client.update_table, TableName=table, **with_stream("KEYS_ONLY"))
    client.put_item(TableName=table, Item=item(pk="during"))
    records_of(streams, first, 1)
    client.update_table(TableName=table, StreamSpecification={"StreamEnabled": False})
    described = tables.wait_until_active(table)
    assert "StreamSpecification" not in described and described["LatestStreamArn"] == first
    client.put_item(TableName=table, Item=item(pk="after"))
    eventually(lambda: streams.describe_stream(StreamArn=first)["StreamDescription"]["StreamStatus"] == "DISABLED")
    # What was recorded stays readable, to a definite end.
    for shard in shards_of(streams, first):
        assert "EndingSequenceNumber" in shard["SequenceNumberRange"]
        assert read_shard(streams, iterator(streams, first, shard["ShardId"]))[1] is None
    assert [record["dynamodb"]["Keys"] for record in read_all(streams, first)] == [item(pk="during")]
    refused(
        INVALID,
        f"Table has no stream to disable: TableName: {table}",
        client.update_table,
        TableName=table,
        StreamSpecification={"StreamEnabled": False},
    )
    client.update_table(TableName=table, **with_stream("KEYS_ONLY"))
    tables.wait_until_active(table)
    second = stream_of(client, table)
    assert second != first
    assert {stream["StreamArn"] for stream in streams.list_streams(TableName=table)["Streams"]} == {first, second}
    client.put_item(TableName=table, Item=item(pk="again"))
    assert records_of(streams, second, 1)[0]["dynamodb"]["StreamViewType"] == "KEYS_ONLY"


# A reader that walks the shards while writers write sees every change of every item, once and in order.
def test_a_shard_walk_under_load_misses_nothing(client, streams, tables):
    table = tables.make(**BOTH_IMAGES)
    arn = stream_of(client, table)
    writers, writes = 8, 60
    done = threading.Event()
    seen = []

    def walk():
        positions = {}
        while True:
            finished = done.is_set()
            for shard in shards_of(streams, arn):
                if shard["ShardId"] not in positions:
                    positions[shard["ShardId"]] = iterator(streams, arn, shard["ShardId"])
            fresh = 0
            for shard, position in positions.items():
                records, positions[shard] = read_shard(streams, position, limit=37)
                seen.extend(records)
                fresh += len(records)
            if finished and not fresh and len(seen) >= writers * writes:
                return

    def write(writer):
        for number in range(1, writes + 1):
            update = dict(UpdateExpression="SET n = :n", ExpressionAttributeValues=item({":n": number}))
            client.update_item(TableName=table, Key=item(pk=f"writer {writer}"), **update)

    with ThreadPoolExecutor(writers + 1) as pool:
        walking = pool.submit(walk)
        list(pool.map(write, range(writers)))
        done.set()
        walking.result(timeout=60)
    by_item = {}
    for record in seen:
        change = record["dynamodb"]
        by_item.setdefault(change["Keys"]["pk"]["S"], []).append(
            (int(change["SequenceNumber"]), int(change["NewImage"]["n"]["N"]))
        )
    assert len(by_item) == writers
    for changes in by_item.values():
        assert [number for _, number in changes] == list(range(1, writes + 1))
        assert changes == sorted(changes)
