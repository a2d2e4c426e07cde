"""CreateTable requests from a short notation: declaration("t", "pk:S,sk:N", global_indexes={"by_owner": "owner:S"})."""

ON_DEMAND = {"BillingMode": "PAY_PER_REQUEST"}


def key_parts(notation):
    return [tuple(part.split(":")) for part in notation.split(",")]


def key_schema(notation):
    return [
        {"AttributeName": name, "KeyType": "HASH" if position == 0 else "RANGE"}
        for position, (name, _) in enumerate(key_parts(notation))
    ]


def attribute_definitions(*notations):
    types = dict(part for notation in notations for part in key_parts(notation))
    return [{"AttributeName": name, "AttributeType": types[name]} for name in types]


def projection(spec):
    if isinstance(spec, str):
        return {"ProjectionType": spec}
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(spec)}


def index(name, spec):
    """spec: a key notation, or a key notation with a projection: ("owner:S", "KEYS_ONLY") or ("owner:S", ["a", "b"])."""
    notation, projected = (spec, "ALL") if isinstance(spec, str) else spec
    return {"IndexName": name, "KeySchema": key_schema(notation), "Projection": projection(projected)}


def index_notation(spec):
    return spec if isinstance(spec, str) else spec[0]


def declaration(table, key="pk:S", local_indexes=None, global_indexes=None, **more):
    local_indexes, global_indexes = local_indexes or {}, global_indexes or {}
    notations = [key] + [index_notation(spec) for spec in [*local_indexes.values(), *global_indexes.values()]]
    request = {"TableName": table, "KeySchema": key_schema(key), "AttributeDefinitions": attribute_definitions(*notations)}
    if local_indexes:
        request["LocalSecondaryIndexes"] = [index(name, spec) for name, spec in local_indexes.items()]
    if global_indexes:
        request["GlobalSecondaryIndexes"] = [index(name, spec) for name, spec in global_indexes.items()]
    if "ProvisionedThroughput" not in more and "BillingMode" not in more:
        request.update(ON_DEMAND)
    return {**request, **more}
