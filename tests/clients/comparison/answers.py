"""Answers in a form that can be compared: what may differ between two right servers is taken out."""

import json
import re
from dataclasses import dataclass

from comparison.random_requests import SCHEMAS

LOCAL_INDEXES = {(schema.name, index) for schema in SCHEMAS for index in schema.local}
PAGES_MAX = 60


def ask(connection, operation, request):
    """Sends a request; reads on to the last page, since pages may be cut differently where the order is free."""
    answer = connection.send(operation, request)
    if operation == "ExecuteStatement" and answer.ok:
        return Comparable.of(operation, request, all_pages(connection, request, answer))
    if operation not in ("Query", "Scan") or not answer.ok:
        return Comparable.of(operation, request, answer)
    items, count, scanned = list(answer.body.get("Items", [])), answer.body.get("Count"), answer.body.get("ScannedCount")
    page = answer
    for _ in range(PAGES_MAX):
        if "LastEvaluatedKey" not in page.body or "Limit" not in request:
            break
        page = connection.send(operation, {**request, "ExclusiveStartKey": page.body["LastEvaluatedKey"]})
        if not page.ok:
            return Comparable.of(operation, request, page)
        items += page.body.get("Items", [])
        count += page.body["Count"]
        scanned += page.body["ScannedCount"]
    body = {**answer.body, "Count": count, "ScannedCount": scanned}
    if "Items" in body:
        body["Items"] = items
    if "LastEvaluatedKey" in body:
        body["LastEvaluatedKey"] = sorted(body["LastEvaluatedKey"])
    if "Limit" in request:
        body.pop("ConsumedCapacity", None)
    answer.body = body
    return Comparable.of(operation, request, answer)


def all_pages(connection, request, answer):
    """Whether there is another page after the last row is not known of AWS, and tokens are nobody's business."""
    items, page = list(answer.body.get("Items", [])), answer
    for _ in range(PAGES_MAX):
        if "NextToken" not in page.body or "Limit" not in request:
            break
        page = connection.send("ExecuteStatement", {**request, "NextToken": page.body["NextToken"]})
        if not page.ok:
            return page
        items += page.body.get("Items", [])
    kept = {name: member for name, member in answer.body.items() if name not in ("NextToken", "LastEvaluatedKey")}
    if "Limit" in request:
        kept.pop("ConsumedCapacity", None)
    answer.body = {**kept, "Items": items} if "Items" in kept else kept
    return answer


@dataclass
class Comparable:
    status: int
    code: str
    message: str
    body: dict

    @property
    def ok(self):
        return self.status == 200

    @classmethod
    def of(cls, operation, request, answer):
        body = {name: member for name, member in answer.body.items() if name not in ("__type", "message", "Message")}
        body = sorted_sets(body)
        free = operation == "ExecuteStatement" and not tells_order(request.get("Statement", ""))
        if free or operation == "Scan" or (operation == "Query" and is_global(request)):
            if "Items" in body:
                body["Items"] = in_any_order(body["Items"])
        # What writes do not answer is told as an empty list or not at all; tests/clients/python asks for the lists.
        if operation == "ExecuteStatement" and not body.get("Items"):
            body.pop("Items", None)
        if operation == "ExecuteTransaction" and not any(body.get("Responses", [])):
            body.pop("Responses", None)
        if operation == "BatchGetItem" and "Responses" in body:
            body["Responses"] = {table: in_any_order(items) for table, items in body["Responses"].items()}
        if isinstance(body.get("ConsumedCapacity"), list):
            body["ConsumedCapacity"] = in_any_order(body["ConsumedCapacity"])
        if operation in ("BatchWriteItem", "TransactWriteItems") and "ItemCollectionMetrics" in body:
            body["ItemCollectionMetrics"] = {
                table: in_any_order(entries) for table, entries in body["ItemCollectionMetrics"].items()
            }
        if "Table" in body or "TableDescription" in body:
            body = {name: settled_table(member) for name, member in body.items()}
        for reason in [*body.get("CancellationReasons", []), *errors_of_statements(body)]:
            if "Message" in reason:
                reason["Message"] = settled(reason["Message"] or "")
        return cls(answer.status, answer.code, settled(answer.message or ""), body)

    def shown(self):
        parts = {"status": self.status, **({"error": self.code, "message": self.message} if not self.ok else {}), **self.body}
        return json.dumps(parts, ensure_ascii=False, sort_keys=True)


# Members that are the server's own: names, times, counters, and what only some servers tell.
TABLE_MEMBERS_OF_ITS_OWN = {
    "TableArn",
    "TableId",
    "IndexArn",
    "CreationDateTime",
    "LatestStreamArn",
    "LatestStreamLabel",
    "TableStatus",
    "IndexStatus",
    "ItemCount",
    "TableSizeBytes",
    "IndexSizeBytes",
    "WarmThroughput",
    "LastUpdateToPayPerRequestDateTime",
    "TableThroughputModeSummary",
    "DeletionProtectionEnabled",
}


def settled_table(node):
    if isinstance(node, list):
        elements = [settled_table(element) for element in node]
        return in_any_order(elements) if elements and "AttributeType" in elements[0] else elements
    if not isinstance(node, dict):
        return node
    return {name: settled_table(member) for name, member in node.items() if name not in TABLE_MEMBERS_OF_ITS_OWN}


def is_global(request):
    return "IndexName" in request and (request.get("TableName"), request["IndexName"]) not in LOCAL_INDEXES


def tells_order(statement):
    """Whether a SELECT says in which order its rows come: one partition does, and ORDER BY, unless index keys are equal."""
    source = re.search(r'FROM "([^"]*)"(?:\."([^"]*)")?', statement)
    if not source or (source.group(2) and (source.group(1), source.group(2)) not in LOCAL_INDEXES):
        return False
    return "ORDER BY" in statement or (
        re.findall(r'\bpk"? (\S+)', statement) == ["="] and not re.search(r"\b(OR|NOT)\b", statement)
    )


def errors_of_statements(body):
    """Those of a batch of statements."""
    responses = body.get("Responses", [])
    return [each["Error"] for each in responses if "Error" in each] if isinstance(responses, list) else []


def in_any_order(elements):
    return sorted(elements, key=lambda element: json.dumps(element, sort_keys=True))


def sorted_sets(node):
    if isinstance(node, list):
        return [sorted_sets(element) for element in node]
    if not isinstance(node, dict):
        return node
    return {
        name: sorted(member) if name in ("SS", "NS", "BS") and isinstance(member, list) else sorted_sets(member)
        for name, member in node.items()
    }


def settled(message):
    """AWS's regions differ in a counter in front of some messages; the order inside braces is free; echoes are long."""
    message = re.sub(r"^1 validation error detected: (?!Value )", "", message)
    message = re.sub(r"Value '[\[{].*[\]}]' at", "Value '...' at", message, flags=re.S)
    return re.sub(
        r"\{([^{}:=]*(?:, [^{}=]*)*)\}", lambda found: "{" + ", ".join(sorted(found.group(1).split(", "))) + "}", message
    )


def differing(first, second):
    """The names of what differs between two answers."""
    names = [name for name in ("status", "code", "message") if getattr(first, name) != getattr(second, name)]
    if first.code == second.code == "SerializationException":
        names = []
    members = sorted({*first.body, *second.body})
    return names + [name for name in members if first.body.get(name) != second.body.get(name)]
