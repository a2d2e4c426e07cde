"""Random declarations of tables, and random changes to the fixed ones that are refused: one or two things are wrong."""

import copy

from comparison.random_requests import ALL, KEYS_ONLY, SCHEMAS, SOME

NAME = "differential.declared"
ATTRIBUTES = ["pk", "sk", "x", "y"]


class TableRequests:
    def __init__(self, dice):
        self.dice = dice
        self.spoiled = True

    def next(self):
        operation = self.dice.choices(["CreateTable", "UpdateTable", "DescribeTable", "ListTables"], [8, 3, 1, 1])[0]
        return (
            operation,
            {
                "CreateTable": self.create_table,
                "UpdateTable": self.update_table,
                "DescribeTable": self.describe_table,
                "ListTables": self.list_tables,
            }[operation](),
        )

    def key(self, parts_max=2):
        names = self.dice.sample(ATTRIBUTES, self.dice.randint(1, parts_max))
        return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ["HASH", "RANGE", "RANGE"])]

    def throughput(self):
        return {"ReadCapacityUnits": self.dice.randint(1, 5), "WriteCapacityUnits": self.dice.randint(1, 5)}

    def index(self, number, provisioned):
        declared = {
            "IndexName": f"index{number}",
            "KeySchema": self.key(),
            "Projection": copy.deepcopy(self.dice.choice([ALL, KEYS_ONLY, SOME])),
        }
        if provisioned:
            declared["ProvisionedThroughput"] = self.throughput()
        return declared

    def create_table(self):
        dice = self.dice
        provisioned = dice.random() < 0.4
        request = {"TableName": NAME, "KeySchema": self.key()}
        if provisioned:
            request["ProvisionedThroughput"] = self.throughput()
        if not provisioned or dice.random() < 0.5:
            request["BillingMode"] = "PROVISIONED" if provisioned else "PAY_PER_REQUEST"
        if dice.random() < 0.4:
            request["GlobalSecondaryIndexes"] = [self.index(number, provisioned) for number in range(dice.randint(1, 2))]
        if dice.random() < 0.3 and len(request["KeySchema"]) == 2:
            hash_key = request["KeySchema"][0]
            range_key = {"AttributeName": dice.choice(ATTRIBUTES), "KeyType": "RANGE"}
            request["LocalSecondaryIndexes"] = [
                {"IndexName": "local", "KeySchema": [hash_key, range_key], "Projection": dict(KEYS_ONLY)}
            ]
        if dice.random() < 0.2:
            request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": dice.choice(["KEYS_ONLY", "NEW_IMAGE"])}
        used = {part["AttributeName"] for part in request["KeySchema"]}
        for each in request.get("GlobalSecondaryIndexes", []) + request.get("LocalSecondaryIndexes", []):
            used |= {part["AttributeName"] for part in each["KeySchema"]}
        request["AttributeDefinitions"] = [{"AttributeName": name, "AttributeType": dice.choice("SNB")} for name in sorted(used)]
        for _ in range(dice.choice([0, 1, 1, 2])):
            self.spoil(request)
        return request

    def spoil(self, request):
        dice = self.dice
        indexes = request.get("GlobalSecondaryIndexes", []) + request.get("LocalSecondaryIndexes", [])
        changes = [
            lambda: request.pop(dice.choice(list(request))),
            lambda: request.update(TableName=dice.choice(["ab", "", "bad name!", "x" * 256])),
            lambda: request.update(BillingMode=dice.choice(["PROVISIONED", "PAY_PER_REQUEST", "FREE"])),
            lambda: request.update(
                ProvisionedThroughput=dice.choice([self.throughput(), {"ReadCapacityUnits": 0, "WriteCapacityUnits": 1}, {}])
            ),
            lambda: request.update(KeySchema=dice.choice([[], self.key(3), self.key()])),
            lambda: request.get("AttributeDefinitions", []).append({"AttributeName": "unused", "AttributeType": "S"}),
            lambda: request.get("AttributeDefinitions", [{}])[0].update(AttributeType="M"),
            lambda: request.update(GlobalSecondaryIndexes=[]),
            lambda: request.update(
                StreamSpecification=dice.choice(
                    [{"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}, {"StreamEnabled": True}]
                )
            ),
        ]
        if request.get("KeySchema"):
            changes.append(lambda: dice.choice(request["KeySchema"]).update(KeyType=dice.choice(["HASH", "RANGE", "SORT"])))
        if indexes:
            index = dice.choice(indexes)
            changes += [
                lambda: index.pop(dice.choice(list(index))),
                lambda: index.update(IndexName=dice.choice(["x", "index0", "bad name!"])),
                lambda: index.update(KeySchema=dice.choice([[], self.key()])),
                lambda: index.update(
                    Projection=dice.choice([{}, {"ProjectionType": "SOME"}, {"ProjectionType": "ALL", "NonKeyAttributes": ["a"]}])
                ),
                lambda: index.update(
                    Projection=dice.choice([{"ProjectionType": "INCLUDE"}, {"ProjectionType": "INCLUDE", "NonKeyAttributes": []}])
                ),
            ]
        dice.choice(changes)()

    def update_table(self):
        """Only what is refused: the fixed tables stay as they are."""
        dice = self.dice
        schema = dice.choice(SCHEMAS)
        create = {"Create": self.index(9, False)}
        change = dice.choice(
            [
                {},
                {"GlobalSecondaryIndexUpdates": []},
                {"GlobalSecondaryIndexUpdates": [{}]},
                {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "no_such_index"}}]},
                {"GlobalSecondaryIndexUpdates": [create]},
                {"GlobalSecondaryIndexUpdates": [{**create, "Delete": {"IndexName": "gsi_all"}}]},
                {
                    "GlobalSecondaryIndexUpdates": [
                        {"Update": {"IndexName": "no_such_index", "ProvisionedThroughput": self.throughput()}}
                    ]
                },
                {"ProvisionedThroughput": self.throughput()},
                {"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}},
                {"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": self.throughput()},
                {"BillingMode": "PROVISIONED"},
                {"BillingMode": "FREE"},
                {"StreamSpecification": {"StreamEnabled": False}},
            ]
        )
        return {"TableName": dice.choice([schema.name, schema.name, schema.name, "no.such.table", "x"]), **change}

    def describe_table(self):
        return {"TableName": self.dice.choice([*(schema.name for schema in SCHEMAS), "no.such.table", "ab", "bad name!"])}

    def list_tables(self):
        return self.dice.choice(
            [{"Limit": 0}, {"Limit": 101}, {"ExclusiveStartTableName": "x"}, {"ExclusiveStartTableName": "bad name!"}]
        )
