"""A server that holds tables to their throughput, and clients that try again."""

import subprocess
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

READS_PER_SECOND = 10
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
    got = patient.get_item(**read)
    assert "Item" in got and got["ResponseMetadata"]["RetryAttempts"] > 0
    retries = retries_in_javascript(server)
    assert retries > 0
    server.stop()


CLIENTS = Path(__file__).resolve().parents[1] / "clients"
READ_AGAIN = """
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
const client = new DynamoDBClient({ endpoint: process.argv[1], region: "us-east-1", maxAttempts: 12,
  credentials: { accessKeyId: "key", secretAccessKey: "secret" } });
const answer = await client.send(new GetItemCommand({ TableName: "things", Key: { pk: { S: "a" } }, ConsistentRead: true }));
if (!answer.Item) throw new Error("no item");
console.log(answer.$metadata.attempts - 1);
"""


# The client before it has left the table in debt.
def retries_in_javascript(server):
    subprocess.run([CLIENTS / "install", CLIENTS], check=True, timeout=300)
    command = ["node", "--no-warnings", "--input-type=module", "-e", READ_AGAIN, server.url]
    return int(subprocess.run(command, cwd=CLIENTS, check=True, capture_output=True, text=True, timeout=120).stdout)
