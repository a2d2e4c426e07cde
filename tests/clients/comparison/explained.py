"""Differences that are known, and why Sheaf answers as it does.

Each entry names the peers it is about and when it applies; it must be as narrow as it can be, since what it matches is
no longer reported. `seen` is a difference: what was asked, both answers, and the names of what differs.
"""

import json
import re
from dataclasses import dataclass
from typing import Callable

from comparison.answers import errors_of_statements


@dataclass
class Seen:
    operation: str
    request: dict
    sheaf: object
    peer: object
    names: list
    spoiled: bool

    def sheaf_says(self, pattern):
        return re.search(pattern, everything_said(self.sheaf), re.S) is not None

    def peer_says(self, pattern):
        return re.search(pattern, everything_said(self.peer), re.S) is not None

    def only(self, *names):
        return set(self.names) <= set(names)

    def asks(self, pattern):
        return re.search(pattern, json.dumps(self.request)) is not None


def removes_only(request):
    """Whether one of its updates takes away and adds nothing."""
    text = json.dumps(request)
    updates = re.findall(r'"UpdateExpression": "([^"]*)"', text)
    if updates:
        return any(not re.search(r"\b(SET|ADD)\b", update) for update in updates)
    return "Update" in text and not re.search(r'"Action": "(PUT|ADD)"|\{"Value": ', text)


def everything_said(answer):
    """The message, and those of a transaction's reasons and of a batch's statements."""
    reasons = [*answer.body.get("CancellationReasons", []), *errors_of_statements(answer.body)]
    return "\n".join([answer.message, *(reason.get("Message", "") for reason in reasons)])


@dataclass
class Explained:
    reason: str
    applies: Callable


EXPLAINED = {"dynoxide": [], "dynalite": []}


def explained(reason, *peers):
    def keep(applies):
        for peer in peers:
            EXPLAINED[peer].append(Explained(reason, applies))
        return applies

    return keep


def explanation(peer_name, seen):
    for entry in EXPLAINED[peer_name]:
        if entry.applies(seen):
            return entry.reason
    return None


@explained("collection sizes are told as AWS's range, not to the byte; transactions tell them too", "dynoxide")
def _(seen):
    return seen.only("ItemCollectionMetrics")


@explained("a projection in TransactGetItems returns what it names, not the key", "dynoxide")
def _(seen):
    return seen.operation == "TransactGetItems" and seen.only("Responses") and seen.asks("ProjectionExpression")


@explained("table names: today's constraint texts, also inside transactions", "dynoxide")
def _(seen):
    return seen.sheaf_says(r"at '([a-zA-Z.0-9]*\.)?tableName' failed") and seen.peer_says(
        "TableName must be|at 'tableName' failed"
    )


@explained("enum members are checked in batches and transactions too", "dynoxide")
def _(seen):
    return seen.operation.startswith(("Batch", "Transact")) and seen.sheaf_says("enum value set")


@explained("AWS's texts, where the peer shows those of its JSON library", "dynoxide")
def _(seen):
    return seen.peer_says("missing field|invalid (value|type|length)|line 1 column")


@explained("expressions of a transaction are checked before anything is read: invalid, not cancelled", "dynoxide")
def _(seen):
    return seen.operation.startswith("Transact") and seen.sheaf.code == "ValidationException"


@explained("a literal operand has a type that the operator can take", "dynoxide")
def _(seen):
    return seen.sheaf_says("Incorrect operand type for operator or function")


@explained("the bounds of BETWEEN are checked, whether or not an item is read", "dynoxide")
def _(seen):
    return seen.sheaf_says("The BETWEEN (operator requires|condition was provided)")


@explained("paths into key attributes are refused", "dynoxide")
def _(seen):
    return seen.sheaf_says("Key attributes must be scalars")


@explained("ConditionalOperator needs two conditions to join", "dynoxide")
def _(seen):
    return seen.sheaf_says("^ConditionalOperator can")


@explained("legacy comparisons are checked for the type and number of their values", "dynoxide")
def _(seen):
    return seen.sheaf_says(
        "ComparisonOperator [A-Z_]+ is not valid for|AttributeValueList must be of same type|argument\\(s\\) for the"
        "|must be used with ComparisonOperator"
    )


@explained("a page of a table without sort key ends: the start key is honoured", "dynoxide")
def _(seen):
    return seen.operation == "Query" and seen.asks('"Limit"') and seen.only("Items", "Count", "ScannedCount")


@explained("AWS's text for operands of the wrong type", "dynoxide")
def _(seen):
    return seen.peer_says("Operands for [+-] must be numbers|list_append requires|typeSet|must be a (number|list|set)")


@explained("syntax errors are told with AWS's token and its surroundings", "dynoxide")
def _(seen):
    return seen.sheaf_says(
        "Syntax error; token|expression can not be empty|can only be used once|Invalid function name|number of operands"
    )


@explained("undefined placeholders are told first, with the name of the parameter, in the order of the text", "dynoxide")
def _(seen):
    return seen.sheaf_says("is not defined; attribute (name|value)")


@explained("placeholders that no expression uses are noticed before any item is read", "dynoxide")
def _(seen):
    return seen.sheaf_says("unused in expressions")


@explained("a path that leads into nothing is invalid for update, also in REMOVE, DELETE and ADD", "dynoxide")
def _(seen):
    return seen.operation in ("UpdateItem", "TransactWriteItems") and seen.sheaf_says(
        "document path provided in the update expression"
    )


@explained("REMOVE and DELETE alone create no item", "dynoxide", "dynalite")
def _(seen):
    return removes_only(seen.request) and seen.only("Attributes", "ConsumedCapacity", "ItemCollectionMetrics", "items")


@explained("an update that creates an item has no old attributes to return", "dynoxide")
def _(seen):
    return (
        seen.operation == "UpdateItem"
        and seen.only("Attributes", "ItemCollectionMetrics")
        and seen.asks("ALL_OLD")
        and "Attributes" not in seen.sheaf.body
    )


@explained("an index key that the update itself gives a wrong type is refused before the condition is judged", "dynoxide")
def _(seen):
    return seen.operation in ("UpdateItem", "TransactWriteItems") and seen.sheaf_says("Type mismatch for Index Key")


@explained("what an index does not project cannot be asked of it, or is fetched for a local one", "dynoxide")
def _(seen):
    fetched = (
        seen.asks('"IndexName": "lsi"')
        and seen.only("Items", "Count", "ConsumedCapacity")
        and seen.asks("ProjectionExpression|AttributesToGet|ALL_ATTRIBUTES")
    )
    return seen.operation in ("Query", "Scan") and (
        seen.sheaf_says("does not project|is not supported for global secondary index") or fetched
    )


@explained("a list is extended at its end, never padded; elements are removed by the places they had", "dynoxide")
def _(seen):
    return seen.operation in ("UpdateItem", "TransactWriteItems") and seen.only("Attributes", "items") and seen.asks(r"\[\d\]")


@explained("a stream needs a view type, and one that is off cannot be switched off", "dynoxide")
def _(seen):
    return seen.operation in ("CreateTable", "UpdateTable") and seen.sheaf_says("UpdateViewType|no stream to disable")


@explained("UpdateTable: today's list of what can be changed, and AWS's order of checks", "dynoxide")
def _(seen):
    return seen.operation == "UpdateTable" and not seen.sheaf.ok


@explained("bad values in ExpressionAttributeValues are told with their key, as before 2026", "dynoxide")
def _(seen):
    return seen.sheaf_says("contains invalid value: .* for key :") and seen.only("message")


@explained("reserved words are told as such, with the name of the parameter", "dynoxide")
def _(seen):
    return seen.sheaf_says("Attribute name is a reserved keyword")


@explained("NOT_CONTAINS does not hold for an attribute that is not there", "dynoxide")
def _(seen):
    return seen.asks('"NOT_CONTAINS"') and (seen.peer.ok or seen.sheaf.code == "ConditionalCheckFailedException")


@explained("CreateTable: AWS's order of checks where two things are wrong", "dynoxide")
def _(seen):
    return seen.operation == "CreateTable" and not seen.sheaf.ok and not seen.peer.ok


@explained("a table without billing mode is provisioned and needs its throughput", "dynoxide")
def _(seen):
    return seen.operation == "CreateTable" and seen.sheaf_says("must both be specified when BillingMode is PROVISIONED")


@explained("numbers in the request are checked before what they mean together", "dynoxide")
def _(seen):
    return seen.sheaf_says("at '(totalSegments|segment|limit|Limit)' failed")


@explained("table names of a batch are told as keys of its map", "dynoxide")
def _(seen):
    return seen.operation in ("BatchGetItem", "BatchWriteItem") and seen.sheaf_says("Map keys must satisfy constraint")


@explained("values need an expression that can use them, in the words of before 2026", "dynoxide")
def _(seen):
    return seen.sheaf_says("ExpressionAttributeValues can only be specified when using expressions") and not seen.peer.ok


@explained("placeholders are looked at before what they stand for", "dynoxide")
def _(seen):
    return seen.sheaf_says("ExpressionAttributeValues contains invalid key") and not seen.peer.ok


@explained("Select is looked at before expressions", "dynoxide")
def _(seen):
    return seen.sheaf_says("Cannot specify the|ALL_PROJECTED_ATTRIBUTES can be used|SPECIFIC_ATTRIBUTES")


@explained("AWS evaluates all operands before it walks any path", "dynoxide")
def _(seen):
    operand = (
        "refers to an attribute that does not exist|operand in the update expression has an incorrect data type|Number overflow"
    )
    return seen.sheaf_says(operand) and seen.peer_says("document path provided|refers to an attribute that does not exist")


@explained("paths that overlap or contradict each other are refused before the table is looked at", "dynoxide")
def _(seen):
    return seen.sheaf_says("Two document paths (overlap|conflict)")


@explained("all tables of a request are looked for before its items are looked at", "dynoxide", "dynalite")
def _(seen):
    return (
        seen.operation.startswith(("Batch", "Transact"))
        and seen.sheaf.code == "ResourceNotFoundException"
        and seen.peer.code == "ValidationException"
    )


@explained("a scan of a local index is charged to the index", "dynoxide")
def _(seen):
    return seen.operation == "Scan" and seen.asks('"IndexName": "lsi"') and seen.only("ConsumedCapacity")


@explained("legacy key conditions: AWS's text for operators that are none of keys", "dynoxide")
def _(seen):
    return seen.sheaf_says("not an indexable operation")


@explained("a schema error of a transaction is found before any condition is judged, and told alone", "dynoxide")
def _(seen):
    return seen.operation.startswith("Transact") and seen.sheaf_says(
        "does not match the schema|Missing the key|Type mismatch for key"
    )


@explained("a batch tells a bad key of a put as a schema error", "dynoxide")
def _(seen):
    return (
        seen.operation == "BatchWriteItem"
        and seen.sheaf_says("^The provided key element")
        and seen.peer_says("Missing the key|Type mismatch")
    )


@explained("an operand cannot be compared with itself", "dynoxide")
def _(seen):
    return seen.sheaf_says("first operand must be distinct")


@explained("expressions are checked before the table and its index are looked at", "dynoxide")
def _(seen):
    return seen.operation in ("Query", "Scan") and seen.peer_says("^Consistent reads are not supported")


@explained("keys of a batch are checked against the schema before they are compared", "dynoxide")
def _(seen):
    return seen.operation.startswith("Batch") and seen.peer_says("item keys contains duplicates") and not seen.sheaf.ok


@explained("an index of a provisioned table needs its throughput", "dynoxide")
def _(seen):
    return seen.operation == "CreateTable" and seen.sheaf_says("ProvisionedThroughput is not specified for index")


@explained("a condition on the partition key that is no equality is told as such", "dynoxide")
def _(seen):
    return seen.operation == "Query" and seen.sheaf_says("^Query key condition not supported")


@explained("of the keys in a filter the first in its text is told", "dynoxide")
def _(seen):
    only_others = "^Filter Expression can only contain non-primary key attributes"
    return seen.operation == "Query" and seen.sheaf_says(only_others) and seen.peer_says(only_others)


@explained("a sum of more than 38 digits is refused, as an overflow", "dynoxide", "dynalite")
def _(seen):
    return seen.sheaf_says("^Number overflow") and (seen.peer_says("more than 38 significant digits") or seen.peer.ok)


@explained("key conditions that cannot be: today's texts, with the name of the parameter", "dynoxide", "dynalite")
def _(seen):
    return seen.sheaf_says("^Invalid KeyConditionExpression: (Invalid|KeyConditionExpressions)") and not seen.peer.ok


@explained("key conditions may come in any order, and all keys must be among them", "dynoxide")
def _(seen):
    missed = "^Query condition missed key schema element"
    return (seen.sheaf.ok and seen.peer_says(missed)) or (seen.sheaf_says(missed) and seen.peer_says("^Unsupported KeyConditions"))


@explained("numbers of a set are the same by value, however they are written", "dynoxide")
def _(seen):
    return seen.sheaf.ok and seen.peer_says("Input collection contains duplicates")


@explained("an update that empties an index key cancels its transaction; which it does on AWS is not known", "dynoxide")
def _(seen):
    return seen.operation == "TransactWriteItems" and seen.sheaf_says("attempted to update a secondary index key")


@explained("of several wrong items in a batch the first is told", "dynoxide", "dynalite")
def _(seen):
    wrong = "^One or more parameter values (were invalid|are not valid)|^The provided key element does not match"
    return seen.operation == "BatchWriteItem" and seen.sheaf_says(wrong) and seen.peer_says(wrong)


@explained("of several validation errors of a transaction the first is told", "dynoxide")
def _(seen):
    ours, theirs = (answer.body.get("CancellationReasons", []) for answer in (seen.sheaf, seen.peer))
    same = [us == them or (us["Code"] == "None" and them["Code"] == "ValidationError") for us, them in zip(ours, theirs)]
    return len(same) > 0 and all(same) and seen.only("message", "CancellationReasons")


# Dynalite is of 2020: many checks, texts and members are younger than it.


@explained("transactions are younger than the peer", "dynalite")
def _(seen):
    return seen.peer.code == "UnknownOperationException"


@explained("indexes are metered, collections measured, and reads cost at least half a unit", "dynalite")
def _(seen):
    return seen.only("ConsumedCapacity", "ItemCollectionMetrics")


@explained("tables: today's members, texts and order of checks", "dynalite")
def _(seen):
    return seen.operation in ("CreateTable", "UpdateTable", "DescribeTable", "ListTables") and not (
        seen.sheaf.ok and not seen.peer.ok
    )


@explained("constraints: today's texts", "dynalite")
def _(seen):
    return seen.sheaf_says("failed to satisfy constraint|requestItems parameter is required") and not seen.peer.ok


@explained("syntax errors are told with AWS's token and its surroundings", "dynalite")
def _(seen):
    return seen.sheaf_says("Syntax error; token|reserved keyword|number of operands|Invalid function name|can only be used once")


@explained("legacy conditions are checked for their number, types and values", "dynalite")
def _(seen):
    return seen.sheaf_says(
        "ConditionalOperator can|ComparisonOperator [A-Z_]+ is not valid for|must be of same type|argument\\(s\\) for the"
    )


@explained("Exists with a Value compares the value", "dynalite")
def _(seen):
    return seen.asks('"Exists": true, "Value"') and seen.sheaf.code == "ConditionalCheckFailedException"


@explained("NOT_CONTAINS does not hold for an attribute that is not there", "dynalite")
def _(seen):
    return seen.asks('"NOT_CONTAINS"')


@explained("an attribute that is not there equals nothing, and differs from everything", "dynalite")
def _(seen):
    return seen.asks(r"(<>|=) [#a-z]") and seen.only("status", "code", "message", "Count", "Items")


@explained("what an index does not project cannot be asked of it, or is fetched for a local one", "dynalite")
def _(seen):
    return seen.operation in ("Query", "Scan") and seen.sheaf_says(
        "does not project|is not supported for global secondary index|^Consistent reads"
    )


@explained("empty keys: today's text", "dynalite")
def _(seen):
    return seen.sheaf_says("cannot contain an empty (string|binary) value") and not seen.peer.ok


@explained("Attributes is absent where there is nothing to return", "dynalite")
def _(seen):
    return seen.only("Attributes", "ConsumedCapacity", "ItemCollectionMetrics") and not seen.peer.body.get("Attributes")


@explained("binaries in texts are told as AWS tells them", "dynalite")
def _(seen):
    return seen.sheaf_says("HeapByteBuffer") and not seen.peer.ok


@explained("a literal operand has a type that the operator can take; an operand differs from the others", "dynalite")
def _(seen):
    return seen.sheaf_says("Incorrect operand type for operator or function|first operand must be distinct|redundant parentheses")


@explained("Select, projection and segments must agree", "dynalite")
def _(seen):
    return seen.sheaf_says(
        "Cannot specify the|ALL_PROJECTED_ATTRIBUTES can be used|SPECIFIC_ATTRIBUTES|[sS]egments? parameter is"
    )


@explained("paths into key attributes are refused in conditions too, the first in the text is told", "dynalite")
def _(seen):
    return seen.sheaf_says("Key attributes must be scalars")


@explained("index keys cannot be empty", "dynalite")
def _(seen):
    return seen.sheaf_says("A value specified for a secondary index key|secondary index key to a value that is not supported")


@explained("a local index fetches what it does not project, and that is charged", "dynalite")
def _(seen):
    return seen.asks('"IndexName": "lsi"') and seen.only("Items", "Count", "ConsumedCapacity")


@explained("a comparison with an attribute that is not there, or of another type, does not hold", "dynalite")
def _(seen):
    return seen.asks(r"(<>|=|<|>) [#a-z]") and not {"LastEvaluatedKey", "ScannedCount"} & set(seen.names)


@explained("consistent reads cost double in a Scan", "dynalite")
def _(seen):
    return seen.operation == "Scan" and seen.asks('"ConsistentRead": true') and seen.only("ConsumedCapacity", "Count", "Items")


@explained("OR joins legacy conditions; EQ and NE take values of every type; conditions are checked in order", "dynalite")
def _(seen):
    return seen.asks('"ConditionalOperator": "OR"') or seen.peer_says("(EQ|NE|CONTAINS) is not valid for|argument\\(s\\) for the")


@explained("REMOVE of a path of an item that is not there changes nothing", "dynalite", "dynoxide")
def _(seen):
    return seen.operation == "UpdateItem" and seen.sheaf.ok and seen.peer_says("document path provided in the update expression")


@explained("contains finds elements of every type, and every string contains the empty one", "dynalite")
def _(seen):
    return seen.asks(r"contains\(") and seen.sheaf.ok and not {"LastEvaluatedKey", "ScannedCount"} & set(seen.names)


@explained("what is empty or false is there, has a type and a size, and can be compared", "dynalite")
def _(seen):
    asked = r'size\(|attribute_type\(|\{"BOOL": false\}|\{"[SB]": ""\}'
    return seen.asks(asked) and seen.only("status", "code", "message", "Attributes", "Count", "Items", "ConsumedCapacity")


@explained("all values of a batch are checked before its keys are compared", "dynalite")
def _(seen):
    return seen.operation == "BatchGetItem" and seen.peer_says("item keys contains duplicates") and not seen.sheaf.ok


@explained("NOT may stand before NOT", "dynalite")
def _(seen):
    return seen.asks("NOT NOT") and seen.peer_says('Syntax error; Expected "[(]"')


@explained("legacy conditions are checked in the order of their names", "dynalite")
def _(seen):
    return seen.sheaf_says("^The BETWEEN condition was provided a range") and not seen.peer.ok


@explained("documents are equal by their contents", "dynalite")
def _(seen):
    compared = seen.asks(r'":v\d+": \{"[ML]": ') and seen.asks("(Filter|Condition)Expression")
    return compared and seen.only("status", "code", "message", "Attributes", "Count", "Items", "ConsumedCapacity")
