"""A server that holds tables to their throughput, and clients that try again."""

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

READS_PER_SECOND = 50
BURST_SECONDS = 300
ITEM_UNITS = 98  # of a strongly consistent read


def client(server, attempts):
    config = Config(retries={"max_attempts": attempts}, connect_timeout=10, read_timeout=20)
    return boto3.client(
        "dynamodb", endpoint_url=server.url, aws_access_key_id="key", aws_secret_access_key="secret", region_name="us-east-1", config=config
    )


def test_a_table_that_was_asked_for_too_much_recovers_and_clients_wait_for_it(make_server):
    server = make_server("--throttle", "--region", "eu-test-1", "--account", "123456789012").start()
    impatient, patient = client(server, 0), client(server, 10)
    impatient.create_table(
        TableName="things",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        ProvisionedThroughput={"ReadCapacityUnits": READS_PER_SECOND, "WriteCapacityUnits": 1000},
    )
    impatient.put_item(TableName="things", Item={"pk": {"S": "a"}, "text": {"S": "x" * 390 * 1024}})
    read = {"TableName": "things", "Key": {"pk": {"S": "a"}}, "ConsistentRead": True}
    reads = 0
    with pytest.raises(ClientError) as error:
        while reads < 10 * BURST_SECONDS:
            impatient.get_item(**read)
            reads += 1
    assert reads >= BURST_SECONDS * READS_PER_SECOND // ITEM_UNITS
    answer = error.value.response
    assert answer["Error"]["Code"] == "ProvisionedThroughputExceededException"
    assert "Item" in patient.get_item(**read)
    server.stop()
