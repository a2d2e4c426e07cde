"""Writers that know what they were promised, and the check that it was kept.

Every writer has items of its own, so that it knows them exactly but for the request that was not answered. Counters
are shared: of them only what was acknowledged and what was sent is known.
"""

import threading
from collections import Counter

from raw_http import Closed
from server_process import make_table, scan

TABLE = "things"
INDEX = "by-bucket"
BUCKETS = 8
COUNTERS = 4
PARTS = 3


def declare(server):
    return make_table(
        server,
        TABLE,
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "bucket", "AttributeType": "S"},
        ],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[
            {
                "IndexName": INDEX,
                "KeySchema": [{"AttributeName": "bucket", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )


def key_of(item):
    return item["pk"]["S"], int(item["sk"]["N"])


def key_attributes(key):
    return {"pk": {"S": key[0]}, "sk": {"N": str(key[1])}}


class Writer(threading.Thread):
    """Writes until the connection breaks."""

    def __init__(self, number, connect, chance):
        super().__init__(daemon=True)
        self.number = number
        self.connect = connect
        self.chance = chance
        self.items = {}  # by key: the item that was acknowledged last; none: deleted, or never written
        self.in_flight = {}  # the same, if the request that was not answered took effect
        self.sent = Counter()  # of the shared counters
        self.acknowledged = Counter()
        self.serial = 0
        self.answers = 0
        self.failure = None

    def run(self):
        try:
            with self.connect() as connection:
                while True:
                    self.write(connection)
        except (Closed, ConnectionError):
            pass
        except Exception as error:  # shown by the test's own thread
            self.failure = error

    def write(self, connection):
        what = self.chance.choices([self.put, self.delete, self.count, self.transact], [5, 1, 2, 3])[0]
        what(connection)
        self.answers += 1

    def item(self, key):
        self.serial += 1
        return {
            **key_attributes(key),
            "bucket": {"S": f"bucket {self.chance.randrange(BUCKETS)}"},
            "text": {"S": f"{key} {self.serial} " + "x" * self.chance.randrange(1200)},
        }

    def call(self, connection, operation, body, changes):
        """`changes` take effect as a whole or not at all; known when there is an answer."""
        self.in_flight = changes
        answer = connection.call(operation, body)
        assert answer.status == 200, answer
        for key, item in changes.items():
            if item is None:
                self.items.pop(key, None)
            else:
                self.items[key] = item
        self.in_flight = {}

    def put(self, connection):
        key = (f"items of {self.number}", self.chance.randrange(1000))
        item = self.item(key)
        self.call(connection, "PutItem", {"TableName": TABLE, "Item": item}, {key: item})

    def delete(self, connection):
        key = (f"items of {self.number}", self.chance.randrange(1000))
        self.call(connection, "DeleteItem", {"TableName": TABLE, "Key": key_attributes(key)}, {key: None})

    def count(self, connection):
        counter = self.chance.randrange(COUNTERS)
        self.sent[counter] += 1
        body = {
            "TableName": TABLE,
            "Key": key_attributes(("counters", counter)),
            "UpdateExpression": "ADD amount :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
        answer = connection.call("UpdateItem", body)
        assert answer.status == 200, answer
        self.acknowledged[counter] += 1

    def transact(self, connection):
        """Replaces all parts of a thing: their texts must be of one transaction."""
        thing = self.chance.randrange(200)
        keys = [(f"thing {self.number}.{thing}", part) for part in range(PARTS)]
        items = {key: self.item(key) for key in keys}
        serial = self.serial
        for item in items.values():
            item["transaction"] = {"N": str(serial)}
        writes = [{"Put": {"TableName": TABLE, "Item": item}} for item in items.values()]
        self.call(connection, "TransactWriteItems", {"TransactItems": writes}, items)

    def check_and_adopt(self, found):
        """What is there is what was acknowledged, or that and the request in flight as a whole. Goes on from there."""
        after = {**self.items, **self.in_flight}
        after = {key: item for key, item in after.items() if item is not None}
        mine = {key: item for key, item in found.items() if self.owns(key)}
        if mine != self.items and mine != after:
            lost = sorted(key for key in self.items if mine.get(key) != self.items[key] and key not in self.in_flight)
            strange = sorted(key for key in mine if key not in after)
            halved = {key: mine.get(key) == item for key, item in self.in_flight.items()}
            raise AssertionError(
                f"writer {self.number}: lost or changed {lost[:5]}, not expected {strange[:5]}, in flight {halved}"
            )
        self.items, self.in_flight = mine, {}

    def owns(self, key):
        return key[0] == f"items of {self.number}" or key[0].startswith(f"thing {self.number}.")


def read_items(server):
    items = scan(server, TABLE, ConsistentRead=True)
    found = {key_of(item): item for item in items}
    assert len(found) == len(items)
    return found


def check_counters(found, writers):
    sent = sum((writer.sent for writer in writers), Counter())
    acknowledged = sum((writer.acknowledged for writer in writers), Counter())
    for counter in range(COUNTERS):
        amount = int(found.get(("counters", counter), {"amount": {"N": "0"}})["amount"]["N"])
        assert acknowledged[counter] <= amount <= sent[counter], (counter, acknowledged, amount, sent)


def check_index(server, found):
    items = scan(server, TABLE, IndexName=INDEX)
    by_key = {key_of(item): item for item in items}
    assert len(by_key) == len(items)
    assert by_key == {key: item for key, item in found.items() if "bucket" in item}


def check_stream(server, found):
    """The images of all changes, in their order, lead to the items that are there."""
    prefix = "DynamoDBStreams_20120810."
    arn = server.call("DescribeTable", {"TableName": TABLE}).value["Table"]["LatestStreamArn"]
    replayed, numbers = {}, set()
    with server.connect() as connection:

        def call(operation, body):
            answer = connection.call(prefix + operation, body)
            assert answer.status == 200, answer
            return answer.value

        for shard in call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]:
            where = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
            iterator = call("GetShardIterator", where)["ShardIterator"]
            while iterator:
                page = call("GetRecords", {"ShardIterator": iterator})
                if not page["Records"]:
                    break
                iterator = page.get("NextShardIterator")
                for record in page["Records"]:
                    change = record["dynamodb"]
                    assert change["SequenceNumber"] not in numbers
                    numbers.add(change["SequenceNumber"])
                    replayed[key_of(change["Keys"])] = change.get("NewImage")
    assert {key: item for key, item in replayed.items() if item is not None} == found
    return len(numbers)
