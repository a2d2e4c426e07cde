"""Random requests on a few fixed tables: most of them valid, some with one thing wrong."""

import copy

from comparison.random_expressions import ATTRIBUTES, BINARIES, NUMBERS, STRINGS, Expressions, value


def _table(name, key, local=(), global_=()):
    definitions = {}
    for notation in [key, *(notation for _, notation, _ in [*local, *global_])]:
        definitions.update(part.split(":") for part in notation.split(","))

    def schema(notation):
        return [
            {"AttributeName": part.split(":")[0], "KeyType": kind} for part, kind in zip(notation.split(","), ["HASH", "RANGE"])
        ]

    def indexes(declared):
        return [
            {"IndexName": index, "KeySchema": schema(notation), "Projection": projection}
            for index, notation, projection in declared
        ]

    request = {
        "TableName": name,
        "KeySchema": schema(key),
        "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": kind} for attribute, kind in definitions.items()],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if local:
        request["LocalSecondaryIndexes"] = indexes(local)
    if global_:
        request["GlobalSecondaryIndexes"] = indexes(global_)
    return request


ALL, KEYS_ONLY, SOME = (
    {"ProjectionType": "ALL"},
    {"ProjectionType": "KEYS_ONLY"},
    {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "m"]},
)

TABLES = [
    _table("differential.hash", "pk:S"),
    _table(
        "differential.range",
        "pk:S,sk:N",
        local=[("lsi", "pk:S,b:S", KEYS_ONLY)],
        global_=[("gsi_all", "g:S", ALL), ("gsi_keys", "g:S,h:N", KEYS_ONLY), ("gsi_some", "h:N", SOME)],
    ),
    _table("differential.binary", "pk:B,sk:S", global_=[("inverted", "sk:S,pk:B", ALL)]),
]

KEY_VALUES = {"S": STRINGS[1:5], "N": NUMBERS[:6], "B": BINARIES}


class Schema:
    def __init__(self, declared):
        self.name = declared["TableName"]
        self.types = {each["AttributeName"]: each["AttributeType"] for each in declared["AttributeDefinitions"]}
        self.key = [each["AttributeName"] for each in declared["KeySchema"]]
        self.local = [each["IndexName"] for each in declared.get("LocalSecondaryIndexes", [])]
        self.indexes = {
            each["IndexName"]: [part["AttributeName"] for part in each["KeySchema"]]
            for each in declared.get("LocalSecondaryIndexes", []) + declared.get("GlobalSecondaryIndexes", [])
        }


SCHEMAS = [Schema(declared) for declared in TABLES]


class Requests:
    def __init__(self, dice):
        self.dice = dice
        self.spoiled = False

    def next(self):
        """An operation and a request for it."""
        operation = self.dice.choice(list(self.MAKERS))
        request = self.MAKERS[operation](self)
        self.spoiled = self.dice.random() < 0.3
        if self.spoiled:
            request = Spoiler(self.dice).spoil(operation, request)
        return operation, request

    def schema(self):
        return self.dice.choice(SCHEMAS)

    def key(self, schema):
        return {name: {schema.types[name]: self.dice.choice(KEY_VALUES[schema.types[name]])} for name in schema.key}

    def item(self, schema):
        attributes = self.key(schema)
        for name in self.dice.sample(ATTRIBUTES, self.dice.randint(0, 5)):
            fits = name in schema.types and self.dice.random() < 0.9
            kind = schema.types.get(name)
            attributes[name] = {kind: self.dice.choice(KEY_VALUES[kind])} if fits else value(self.dice)
        return attributes

    def some(self, request, **choices):
        for name, values in choices.items():
            if self.dice.random() < 0.3:
                request[name] = self.dice.choice(values)
        return request

    def put_item(self):
        schema = self.schema()
        request = {"TableName": schema.name, "Item": self.item(schema)}
        self.some(
            request,
            ReturnValues=["ALL_OLD", "NONE"],
            ReturnConsumedCapacity=["TOTAL", "INDEXES"],
            ReturnItemCollectionMetrics=["SIZE"],
        )
        return self.with_condition(request)

    def with_condition(self, request, expressions=None, chance=0.4):
        expressions = expressions or Expressions(self.dice)
        if self.dice.random() < chance:
            request["ConditionExpression"] = expressions.condition()
        return {**request, **expressions.parameters()}

    def get_item(self):
        schema = self.schema()
        expressions = Expressions(self.dice)
        request = {"TableName": schema.name, "Key": self.key(schema)}
        if self.dice.random() < 0.5:
            request["ProjectionExpression"] = expressions.projection()
        self.some(request, ConsistentRead=[True, False], ReturnConsumedCapacity=["TOTAL", "INDEXES", "NONE"])
        return {**request, **expressions.parameters()}

    def delete_item(self):
        schema = self.schema()
        request = {"TableName": schema.name, "Key": self.key(schema)}
        self.some(request, ReturnValues=["ALL_OLD", "NONE"], ReturnConsumedCapacity=["TOTAL", "INDEXES"])
        return self.with_condition(request)

    def update_item(self):
        schema = self.schema()
        expressions = Expressions(self.dice)
        request = {"TableName": schema.name, "Key": self.key(schema), "UpdateExpression": expressions.update()}
        self.some(
            request,
            ReturnValues=["ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "NONE"],
            ReturnConsumedCapacity=["TOTAL", "INDEXES"],
            ReturnItemCollectionMetrics=["SIZE"],
        )
        return self.with_condition(request, expressions, 0.25)

    def query(self):
        schema = self.schema()
        expressions = Expressions(self.dice)
        index = self.dice.choice([None, *schema.indexes])
        keys = schema.indexes[index] if index else schema.key
        operand = lambda name: expressions.value({schema.types[name]: self.dice.choice(KEY_VALUES[schema.types[name]])})
        clauses = [f"{expressions.name(keys[0])} = {operand(keys[0])}"]
        if len(keys) > 1 and self.dice.random() < 0.6:
            name = expressions.name(keys[1])
            clauses.append(
                self.dice.choice(
                    [
                        lambda: f"{name} {self.dice.choice(['=', '<', '<=', '>', '>='])} {operand(keys[1])}",
                        lambda: f"{name} BETWEEN {operand(keys[1])} AND {operand(keys[1])}",
                        lambda: f"begins_with({name}, {operand(keys[1])})",
                    ]
                )()
            )
        request = {"TableName": schema.name, "KeyConditionExpression": " AND ".join(clauses)}
        return self.with_reading(request, index, expressions)

    def scan(self):
        schema = self.schema()
        return self.with_reading({"TableName": schema.name}, self.dice.choice([None, *schema.indexes]), Expressions(self.dice))

    def with_reading(self, request, index, expressions):
        if index:
            request["IndexName"] = index
        if self.dice.random() < 0.3:
            request["FilterExpression"] = expressions.condition()
        if self.dice.random() < 0.2:
            request["ProjectionExpression"] = expressions.projection()
        self.some(request, Limit=[1, 2, 5], ReturnConsumedCapacity=["TOTAL", "INDEXES"])
        if self.dice.random() < 0.1:
            request["Select"] = self.dice.choice(["COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"])
        if self.dice.random() < 0.1:
            request["ConsistentRead"] = True
        if "KeyConditionExpression" in request and self.dice.random() < 0.3:
            request["ScanIndexForward"] = False
        return {**request, **expressions.parameters()}

    def batch_get_item(self):
        tables = {}
        for schema in self.dice.sample(SCHEMAS, self.dice.randint(1, 2)):
            keys = [self.key(schema) for _ in range(self.dice.randint(1, 4))]
            tables[schema.name] = {"Keys": keys if self.dice.random() < 0.1 else distinct(keys)}
        return self.some({"RequestItems": tables}, ReturnConsumedCapacity=["TOTAL", "INDEXES"])

    def batch_write_item(self):
        tables = {}
        for schema in self.dice.sample(SCHEMAS, self.dice.randint(1, 2)):
            writes = []
            for key in distinct([self.key(schema) for _ in range(self.dice.randint(1, 4))]):
                put = {**self.item(schema), **key}
                writes.append({"PutRequest": {"Item": put}} if self.dice.random() < 0.7 else {"DeleteRequest": {"Key": key}})
            tables[schema.name] = writes
        return self.some(
            {"RequestItems": tables}, ReturnConsumedCapacity=["TOTAL", "INDEXES"], ReturnItemCollectionMetrics=["SIZE"]
        )

    def transact_write_items(self):
        actions = []
        for _ in range(self.dice.randint(1, 3)):
            schema = self.schema()
            kind = self.dice.choice(["Put", "Update", "Delete", "ConditionCheck"])
            expressions = Expressions(self.dice)
            action = {"TableName": schema.name}
            action.update({"Item": self.item(schema)} if kind == "Put" else {"Key": self.key(schema)})
            if kind == "Update":
                action["UpdateExpression"] = expressions.update()
            self.some(action, ReturnValuesOnConditionCheckFailure=["ALL_OLD", "NONE"])
            actions.append({kind: self.with_condition(action, expressions, 1 if kind == "ConditionCheck" else 0.3)})
        return self.some({"TransactItems": actions}, ReturnConsumedCapacity=["TOTAL", "INDEXES"])

    def transact_get_items(self):
        gets = []
        for _ in range(self.dice.randint(1, 3)):
            schema = self.schema()
            expressions = Expressions(self.dice)
            get = {"TableName": schema.name, "Key": self.key(schema)}
            if self.dice.random() < 0.3:
                get["ProjectionExpression"] = expressions.projection()
            gets.append({"Get": {**get, **expressions.parameters()}})
        return self.some({"TransactItems": gets}, ReturnConsumedCapacity=["TOTAL", "INDEXES"])

    MAKERS = {
        "PutItem": put_item,
        "GetItem": get_item,
        "UpdateItem": update_item,
        "DeleteItem": delete_item,
        "Query": query,
        "Scan": scan,
        "BatchGetItem": batch_get_item,
        "BatchWriteItem": batch_write_item,
        "TransactWriteItems": transact_write_items,
        "TransactGetItems": transact_get_items,
    }


def distinct(keys):
    return list({repr(sorted(key.items())): key for key in keys}.values())


class Spoiler:
    """Makes one thing wrong."""

    BAD_VALUES = [
        {},
        {"S": "x", "N": "1"},
        {"N": "abc"},
        {"N": "1" * 39},
        {"N": "1e126"},
        {"SS": []},
        {"SS": ["a", "a"]},
        {"NS": ["1", "1.0"]},
        {"NULL": False},
    ]
    BAD_TABLES = ["no.such.table", "bad name!", "", "x" * 300]
    ENUMS = ["ReturnValues", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "Select"]

    def __init__(self, dice):
        self.dice = dice

    def spoil(self, operation, request):
        request = copy.deepcopy(request)
        self.dice.choice(
            [
                self.a_member_is_missing,
                self.a_table_name,
                self.a_value,
                self.a_key,
                self.an_expression,
                self.placeholders,
                self.an_enum,
                self.a_number,
            ]
        )(operation, request)
        return request

    def inner(self, request):
        """The request itself, or one action of a transaction."""
        if request.get("TransactItems"):
            return self.dice.choice(list(self.dice.choice(request["TransactItems"]).values()))
        return request

    def a_member_is_missing(self, _, request):
        target = self.inner(request)
        if target:
            del target[self.dice.choice(list(target))]

    def a_table_name(self, _, request):
        name = self.dice.choice(self.BAD_TABLES)
        target = self.inner(request)
        if "TableName" in target:
            target["TableName"] = name
        elif request.get("RequestItems"):
            request["RequestItems"][name] = request["RequestItems"].pop(self.dice.choice(list(request["RequestItems"])))

    def a_value(self, _, request):
        maps = list(attribute_maps(request))
        if maps:
            target = self.dice.choice(maps)
            target[self.dice.choice([*target, "a"])] = copy.deepcopy(self.dice.choice(self.BAD_VALUES))

    def a_key(self, _, request):
        keys = [target for target in attribute_maps(request) if "pk" in target]
        if keys:
            key = self.dice.choice(keys)
            name = self.dice.choice([name for name in ("pk", "sk") if name in key])
            change = self.dice.choice(["missing", "type", "empty", "extra"])
            if change == "missing":
                del key[name]
            elif change == "extra":
                key["extra"] = {"S": "x"}
            else:
                key[name] = {"BOOL": True} if change == "type" else {"S": ""}

    def an_expression(self, _, request):
        target = self.inner(request)
        expressions = [name for name in target if name.endswith("Expression")]
        if expressions:
            name = self.dice.choice(expressions)
            words = target[name].split(" ")
            position = self.dice.randrange(len(words))
            change = self.dice.choice(["drop", "twice", "junk", "reserved", "empty"])
            if change == "drop":
                del words[position]
            elif change == "twice":
                words.insert(position, words[position])
            elif change == "empty":
                words = []
            else:
                words[position] = "size" if change == "reserved" else self.dice.choice(["&", ")", "nonsense(a)", "OR"])
            target[name] = " ".join(words)

    def placeholders(self, _, request):
        target = self.inner(request)
        kind, sign = self.dice.choice([("ExpressionAttributeNames", "#"), ("ExpressionAttributeValues", ":")])
        if self.dice.random() < 0.5:
            target.setdefault(kind, {})[f"{sign}unused"] = "x" if sign == "#" else {"S": "x"}
        elif target.get(kind):
            del target[kind][self.dice.choice(list(target[kind]))]

    def an_enum(self, _, request):
        request[self.dice.choice([name for name in self.ENUMS if name in request] or ["ReturnConsumedCapacity"])] = "SOMETHING"

    def a_number(self, operation, request):
        if operation in ("Query", "Scan"):
            request[self.dice.choice(["Limit", "Segment", "TotalSegments"])] = self.dice.choice([0, -1, 3])
        elif operation == "TransactWriteItems":
            request["ClientRequestToken"] = "t" * 37


def attribute_maps(node):
    """Every map from names to attribute values in a request: items, keys and expression values."""
    if isinstance(node, list):
        for element in node:
            yield from attribute_maps(element)
    elif isinstance(node, dict):
        for name, element in node.items():
            if name in ("Item", "Key", "ExpressionAttributeValues"):
                yield element
            elif name == "Keys":
                yield from element
            else:
                yield from attribute_maps(element)
