"""Random requests with the parameters from before expressions."""

from comparison.random_expressions import ATTRIBUTES, NUMBERS, STRINGS, a_set, scalar, value
from comparison.random_requests import KEY_VALUES, Requests

OPERATORS = {
    "EQ": 1,
    "NE": 1,
    "LT": 1,
    "LE": 1,
    "GT": 1,
    "GE": 1,
    "NULL": 0,
    "NOT_NULL": 0,
    "CONTAINS": 1,
    "NOT_CONTAINS": 1,
    "BEGINS_WITH": 1,
    "BETWEEN": 2,
    "IN": 3,
}
KEY_OPERATORS = ["EQ", "LT", "LE", "GT", "GE", "BETWEEN", "BEGINS_WITH"]


class LegacyRequests(Requests):
    def comparison(self):
        operator, operands = self.dice.choice(list(OPERATORS.items()))
        if self.dice.random() < 0.05:
            operands = self.dice.randint(0, 3)
        condition = {"ComparisonOperator": operator}
        if operands:
            kind, values = self.dice.choice([("S", STRINGS[1:]), ("N", NUMBERS[:8])])
            same = [{kind: self.dice.choice(values)} for _ in range(operands)]
            condition["AttributeValueList"] = same if self.dice.random() < 0.9 else [value(self.dice) for _ in range(operands)]
        return condition

    def conditions(self, request, name):
        chosen = self.dice.sample(ATTRIBUTES, self.dice.randint(1, 2))
        request[name] = {attribute: self.comparison() for attribute in chosen}
        return self.some(request, ConditionalOperator=["AND", "OR"])

    def expected(self, request):
        if self.dice.random() < 0.5:
            return self.conditions(request, "Expected")
        attribute = self.dice.choice(ATTRIBUTES)
        exists = self.dice.choice([{"Exists": False}, {"Value": scalar(self.dice)}, {"Exists": True, "Value": scalar(self.dice)}])
        request["Expected"] = {attribute: exists}
        return request

    def put_item(self):
        schema = self.schema()
        return self.expected({"TableName": schema.name, "Item": self.item(schema)})

    def delete_item(self):
        schema = self.schema()
        return self.expected({"TableName": schema.name, "Key": self.key(schema)})

    def update_item(self):
        schema = self.schema()
        updates = {}
        for attribute in self.dice.sample(ATTRIBUTES, self.dice.randint(0, 3)):
            action = self.dice.choice(["PUT", "PUT", "ADD", "DELETE", None])
            update = {"Action": action} if action else {}
            if action == "ADD":
                update["Value"] = {"N": self.dice.choice(NUMBERS[:8])} if self.dice.random() < 0.5 else a_set(self.dice)
            elif action == "DELETE":
                update.update({"Value": a_set(self.dice)} if self.dice.random() < 0.5 else {})
            elif self.dice.random() < 0.95:
                update["Value"] = value(self.dice)
            updates[attribute] = update
        request = {"TableName": schema.name, "Key": self.key(schema), "AttributeUpdates": updates}
        self.some(request, ReturnValues=["ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
        return self.expected(request) if self.dice.random() < 0.3 else request

    def get_item(self):
        schema = self.schema()
        names = self.dice.sample([*ATTRIBUTES, *schema.key], self.dice.randint(1, 3))
        return {"TableName": schema.name, "Key": self.key(schema), "AttributesToGet": names}

    def query(self):
        schema = self.schema()
        index = self.dice.choice([None, *schema.indexes])
        keys = schema.indexes[index] if index else schema.key
        operand = lambda name: {schema.types[name]: self.dice.choice(KEY_VALUES[schema.types[name]])}
        conditions = {keys[0]: {"ComparisonOperator": "EQ", "AttributeValueList": [operand(keys[0])]}}
        if len(keys) > 1 and self.dice.random() < 0.6:
            operator = self.dice.choice(KEY_OPERATORS if self.dice.random() < 0.9 else list(OPERATORS))
            values = [operand(keys[1]) for _ in range(OPERATORS[operator])]
            conditions[keys[1]] = {"ComparisonOperator": operator, "AttributeValueList": values}
        request = {"TableName": schema.name, "KeyConditions": conditions}
        if index:
            request["IndexName"] = index
        return self.reading(request, "QueryFilter")

    def scan(self):
        schema = self.schema()
        return self.reading({"TableName": schema.name}, "ScanFilter")

    def reading(self, request, filter_name):
        if self.dice.random() < 0.5:
            self.conditions(request, filter_name)
        self.some(request, AttributesToGet=[["a"], ["b", "m"], ["pk"]], Limit=[1, 3])
        return request

    MAKERS = {
        "PutItem": put_item,
        "GetItem": get_item,
        "UpdateItem": update_item,
        "DeleteItem": delete_item,
        "Query": query,
        "Scan": scan,
    }
