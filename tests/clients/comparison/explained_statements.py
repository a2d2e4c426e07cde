"""Differences between answers to PartiQL statements that are known, and why Sheaf answers as it does.

Statements have entries of their own, since what is known of expressions is not thereby known of them. A batch is looked at
statement by statement, and each difference in it must be explained. The peer does not know much of PartiQL; what it lacks
is told by its own words where it can be, so that a valid statement that Sheaf refuses, or answers wrongly, is still seen.
"""

import re

from comparison.answers import Comparable, errors_of_statements, in_any_order
from comparison.explained import Explained, Seen

STATEMENTS = {"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"}
ENTRIES = []
NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "
IN_TRANSACTION = r"Validation failed in TransactStatements\[\d+\]: "


def explained(reason):
    def keep(applies):
        ENTRIES.append(Explained(reason, applies))
        return applies

    return keep


def explanation_of_statements(seen):
    reasons = [next((entry.reason for entry in ENTRIES if entry.applies(part)), None) for part in parts(seen)]
    return None if None in reasons else reasons[0]


def parts(seen):
    """The statements of a batch, and the answers to each, where these differ; what it consumes only if none does."""
    ours, theirs = seen.sheaf.body.get("Responses"), seen.peer.body.get("Responses")
    if seen.operation != "BatchExecuteStatement" or not ours or not theirs:
        return [seen]
    members = zip(seen.request["Statements"], ours, theirs)
    return [
        Seen(seen.operation, member, of_member(us), of_member(them), names_of_member(us, them), seen.spoiled)
        for member, us, them in members
        if us != them
    ] or [seen]


def of_member(response):
    error = response.get("Error")
    body = {name: member for name, member in response.items() if name != "Error"}
    return Comparable(400 if error else 200, error["Code"] if error else "", error["Message"] if error else "", body)


def names_of_member(us, them):
    names = [name for name in sorted({*us, *them} - {"Error"}) if us.get(name) != them.get(name)]
    first, second = (each.get("Error", {}) for each in (us, them))
    return names + [name.lower() for name in ("Code", "Message") if first.get(name) != second.get(name)]


@explained("the peer's parser does not know semicolons and comments")
def _(seen):
    return seen.peer_says(f"{NOT_WELL_FORMED}(Unexpected character: '[;/-]'|Malformed RETURNING)") and seen.asks(r";\"|/\*|-- ")


@explained("the peer does not know statements that begin with FROM, nor EXISTS in transactions")
def _(seen):
    return seen.peer_says(f"{NOT_WELL_FORMED}Expected data manipulation$") and seen.asks('"Statement": "(FROM|EXISTS)')


@explained("AWS's texts, where the peer shows those of its JSON library")
def _(seen):
    return seen.peer_says("missing field|invalid (value|type|length)|line 1 column")


@explained("the peer does not notice that a statement is not well formed")
def _(seen):
    return seen.spoiled and seen.peer.ok and seen.sheaf_says(f"^({IN_TRANSACTION})?{NOT_WELL_FORMED}")


@explained("what is not well formed is told in the words of the open-source parser on which AWS's is built")
def _(seen):
    return seen.sheaf_says(f"^({IN_TRANSACTION})?{NOT_WELL_FORMED}") and seen.spoiled and not seen.peer.ok


@explained("the peer does not know functions but begins_with and contains")
def _(seen):
    return seen.peer_says(f"{NOT_WELL_FORMED}Unknown operator: [(]") and seen.asks(r"attribute_|size *[(]|exists[(]")


@explained("the peer does not know NOT IN, NOT BETWEEN, IS NULL and IS with a type")
def _(seen):
    return seen.peer_says(f"{NOT_WELL_FORMED}(Unknown operator: NOT|Expected MISSING or NOT|Expected 'MISSING' but)")


@explained(
    "the peer takes SET and REMOVE once each, in this order, sums of a path and a value, no functions of sets, no elements"
)
def _(seen):
    asked = r"REMOVE .* (SET|REMOVE) |SET .* SET |[+-] \S+ [+-] |= [(]|= \S+ [+-] |set_(add|delete)[(]|, \S+ = |= [a-z][.\[]"
    told = f"UPDATE requires a WHERE clause|{NOT_WELL_FORMED}(Unexpected value token: [(]|Expected attribute path on left side)"
    return seen.peer_says(told) and seen.asks(asked)


@explained("reads that overlap, or that say too little for an order, are refused; the peer has no ORDER BY")
def _(seen):
    return seen.sheaf_says(
        f"^({IN_TRANSACTION})?(Overlapping conditions with|Must have (WHERE|at least one|hash key)|Attribute \\w+ in ORDER BY)"
    )


@explained("the peer has no ORDER BY")
def _(seen):
    return (
        seen.only("Items", "ConsumedCapacity")
        and "Items" in seen.names
        and seen.asks("ORDER BY")
        and in_any_order(seen.sheaf.body.get("Items", [])) == in_any_order(seen.peer.body.get("Items", []))
    )


@explained("the bounds of BETWEEN are checked, as in expressions")
def _(seen):
    return seen.sheaf_says("The BETWEEN operator requires")


@explained("operands, functions, aliases and paths are checked before the table is looked at, in AWS's words")
def _(seen):
    return seen.sheaf_says(
        f"^({IN_TRANSACTION})?(Incorrect operand type for|Incorrect number of operands|Operator or function requires a document path"
        "|Invalid attribute type name|Unrecognized function: |Unsupported operator in Condition|The IN operator is provided with too"
        "|Aliasing is not supported|List index is not within|Unexpected path component|A path may contain|Path component cannot)"
    )


@explained("paths into key attributes are refused, as in expressions")
def _(seen):
    return seen.sheaf_says("Key attributes must be scalars")


@explained("there are as many parameters as question marks")
def _(seen):
    return seen.sheaf_says("Number of parameters in request and statement don't match")


@explained("the members of a request are checked first, in AWS's words")
def _(seen):
    return seen.sheaf_says("failed to satisfy (constraint|enum value set)")


@explained("AWS does not name the table that is not there, and looks for it before it judges conditions")
def _(seen):
    reasons = [reason["Code"] for reason in seen.sheaf.body.get("CancellationReasons", [])]
    return seen.only("message", "CancellationReasons") and (
        seen.peer_says("Requested resource not found: Table: ") or "ResourceNotFound" in reasons
    )


@explained("each partition that a SELECT reads is charged for itself")
def _(seen):
    return seen.operation == "ExecuteStatement" and seen.only("ConsumedCapacity") and seen.asks(r" IN [\[(]| OR ")


@explained("updates: AWS's texts and order of checks, and nothing is made up for what is missing")
def _(seen):
    return seen.sheaf_says(
        "refers to an attribute that does not exist|operand in the update expression has an incorrect data type|Number overflow"
        "|document path provided in the update expression|Two document paths overlap|Type mismatch for Index Key"
    )


@explained("a failed condition tells the item if asked to")
def _(seen):
    return seen.only("Item") and seen.asks('"ReturnValuesOnConditionCheckFailure": "ALL_OLD"') and "Item" in seen.sheaf.body


@explained("a SELECT among others names the key and nothing else")
def _(seen):
    return seen.sheaf_says(r"Select statements within \w+ must specify the primary key in the where clause")


@explained("a write names one value for each key attribute")
def _(seen):
    return seen.sheaf_says("^Multiple conditions on same key|Where clause does not contain a mandatory equality")


@explained("literals are checked in AWS's words")
def _(seen):
    return seen.sheaf_says(
        "Unsupported data type|contains duplicates|Empty bags are|38 significant digits|Number (over|under)flow"
    )


@explained("the peer does not know exponents and signs in sets, nor quoted names in values")
def _(seen):
    return seen.peer_says(
        f'{NOT_WELL_FORMED}(Unexpected value in item literal: e3|Mixed types in|Unexpected value token: "[a-z]")'
    )


@explained("the peer does not know numbers with exponents, nor values of every kind on the left of a comparison")
def _(seen):
    refused = seen.peer_says(NOT_WELL_FORMED + "|UPDATE requires a WHERE clause") or seen.only("items", "Item", "Items")
    return (refused and seen.asks(r"[^\"]-7e3")) or seen.peer_says(
        f"{NOT_WELL_FORMED}(Unknown operator: [-'0-9}}>\\]]|Expected '[)]' but got '[>,]')"
    )


@explained("the peer takes functions of attributes, not of paths")
def _(seen):
    return seen.peer_says(f"{NOT_WELL_FORMED}Expected '[,)]' but got '[\\[.]'")


@explained("the peer takes a path on the right of an operator for a string, and stores its name where it is assigned")
def _(seen):
    judged = all(
        answer.ok or "ConditionalCheckFailed" in answer.code or answer.message.endswith("[ConditionalCheckFailed]")
        for answer in (seen.sheaf, seen.peer)
    )
    return judged and not seen.only("ConsumedCapacity") and seen.asks(r'[=<>] [a-z][^ (,]*(?! [+-])[ ,")]')


@explained("each statement of a transaction is judged")
def _(seen):
    ours, theirs = (answer.body.get("CancellationReasons", []) for answer in (seen.sheaf, seen.peer))
    same = [us == them or (us["Code"] != "None" and them["Code"] == "None") for us, them in zip(ours, theirs)]
    return len(same) > 1 and all(same) and seen.only("message", "CancellationReasons")


@explained("key values have the type of the schema")
def _(seen):
    return seen.sheaf_says("(?m)^(Key attribute's data type should match|The provided key element does not match the schema)")


@explained("an operand cannot be compared with itself, as in expressions")
def _(seen):
    return seen.sheaf_says("first operand must be distinct")


@explained("parameters are checked first")
def _(seen):
    return seen.spoiled and seen.sheaf_says(
        "^The parameter cannot be converted|may not be empty$|Null attribute value types must|Supplied AttributeValue"
    )


@explained("the peer forgets what its token was for if there are maps in a statement")
def _(seen):
    return seen.peer_says("^NextToken does not match request") and seen.asks('"Parameters": .*"M": |{\'')


@explained("of two things that are wrong with a statement the first in AWS's order is told, as far as it is known")
def _(seen):
    told = "(?m)(Invalid returning clause: |This operation is not supported on an index$|SET_(ADD|DELETE) (must|at)|argument to SET_|Unsupported (condition|value in an update) at)"
    return seen.sheaf_says(told) and seen.names != ["items"] and seen.sheaf.code.startswith("Validation") and not seen.peer.ok


@explained("an attribute is named once, and a key attribute is not set")
def _(seen):
    return seen.spoiled and seen.sheaf_says("(?m)The attribute name is given twice: |Cannot update attribute")


@explained("a transaction looks for its tables before it looks at indexes, and for items that it has twice before conditions")
def _(seen):
    twice = seen.sheaf_says("^Transaction request cannot include multiple operations") and not seen.peer.ok
    return twice or (seen.peer_says("Reads on indices are not supported") and seen.sheaf_says("Requested resource not found"))


@explained("a batch does not tell of a table that is not there")
def _(seen):
    return (
        seen.operation == "BatchExecuteStatement" and seen.sheaf.code == "ResourceNotFound" and seen.only("TableName", "message")
    )


@explained("begins_with and contains are for binaries, too")
def _(seen):
    return seen.only("Items", "ConsumedCapacity") and seen.asks(r"(begins_with|contains)[(]\S+, [?]") and seen.asks('"B": ')


@explained("nothing but a table and its index is read from")
def _(seen):
    return seen.spoiled and seen.sheaf_says("FROM clause may only contain a ")


@explained("what a statement is refused for in a transaction is told with its place, and before anything is cancelled")
def _(seen):
    refused = (
        "This operation is not supported on an index|FROM clause may only contain a single table name|RETURNING clause is not"
    )
    return seen.operation == "ExecuteTransaction" and seen.sheaf_says(f"^{IN_TRANSACTION}({refused})") and not seen.peer.ok


@explained("a batch or transaction is refused as a whole, though the peer does not know one of its statements")
def _(seen):
    whole = "^(Read and write requests together|ExecuteTransaction API does not support both|Provided list of item keys)"
    return seen.sheaf_says(whole) and seen.peer_says(f"{NOT_WELL_FORMED}|UPDATE requires a WHERE clause|Reads on indices are not")


@explained("a statement of a batch that does not name one item has none that another could have, too")
def _(seen):
    told = "Select statements within BatchExecuteStatement must specify the primary key|Multiple conditions on same key"
    return seen.sheaf_says(told) and seen.peer_says("^Provided list of item keys contains duplicates")


@explained("conditions under OR and NOT are filters, too, and an index must hold what they ask for")
def _(seen):
    branches = r'"lsi\\".* OR [(]*pk |"gsi_keys\\".* OR [(]*g |"gsi_some\\".* OR [(]*h '
    unheld = "does not project one or more filter attributes"
    return seen.sheaf_says(unheld) and seen.asks(r" OR |NOT ") and not seen.asks(branches)


@explained("a key that is said to be two things, or not to be one, is compared as a filter")
def _(seen):
    return seen.sheaf.ok and seen.peer_says("^Invalid key value$") and seen.asks("pk (=|IN) .* AND .*pk (=|IN) |NOT .*pk (=|IN) ")


@explained("what an index does not project is named once, in the order of the columns, which is that of their names")
def _(seen):
    unheld = r"Global secondary index \w+ does not project \[(.*)\]"
    ours, theirs = (re.search(unheld, each.message) for each in (seen.sheaf, seen.peer))
    return seen.only("message") and ours and theirs and set(ours[1].split(", ")) == set(theirs[1].split(", "))


@explained("INSERT INTO without VALUE is well formed to the open-source parser on which AWS's is built")
def _(seen):
    return seen.sheaf_says("INSERT INTO takes one VALUE") and seen.peer_says(f"{NOT_WELL_FORMED}Expected 'VALUE'")


@explained("in a batch, a parameter that is no number is the error of its statement, also if it is empty")
def _(seen):
    told = "The parameter cannot be converted to a numeric value$"
    return seen.operation == "BatchExecuteStatement" and seen.sheaf_says(told) and seen.peer_says(f"^{told}") and seen.asks('"N": ""')


@explained("the peer misreads comparisons whose value is on the left")
def _(seen):
    left = r"(WHERE|AND|OR|NOT|[(]) ?('[^']*'|[?]|-?[0-9.]+|true|false|null|<<.*>>|\[.*\]|[{].*[}]) (=|<>|!=|<|<=|>|>=) [a-z]"
    return seen.asks(left) and not seen.only("ConsumedCapacity")


@explained("assignments take what was there before, whatever else is assigned")
def _(seen):
    return seen.sheaf.ok and seen.peer_says("^SET expression \\w+ requires numeric") and seen.asks("SET .*, .* WHERE")


@explained("a key that cannot be is found before any condition is judged, and told alone")
def _(seen):
    told = "A value specified for a secondary index key is not supported|Missing the key"
    return seen.operation == "ExecuteTransaction" and seen.sheaf_says(told) and not seen.peer.ok


@explained("statements of a batch that failed add nothing to what it consumes; see doc/compatibility.md")
def _(seen):
    failed = seen.operation == "BatchExecuteStatement" and errors_of_statements(seen.sheaf.body)
    return failed and seen.only("ConsumedCapacity") and len(seen.sheaf.body["ConsumedCapacity"]) > 0


@explained("attributes on the right of an operator are asked for, too")
def _(seen):
    unheld = "does not project one or more filter attributes"
    return seen.sheaf_says(unheld) and seen.peer_says(unheld) and seen.asks(r"[=<>] [a-z]\b")
