"""Contributor Insights: turned on and off, described, listed. What Debian's client does not know of them (modes) is in
javascript/insights.test.mjs."""

import re

import pytest

from expectations import INVALID, NOT_FOUND, PEER, cases, constraint, refused

pytestmark = pytest.mark.skipif(bool(PEER), reason="others do not have them")

INDEXES = {"local_indexes": {"lsi": "pk:S,l:S"}, "global_indexes": {"two": "g:S,h:S", "one": "g:S"}}


@pytest.fixture
def table(tables):
    return tables.make("pk:S,sk:S", **INDEXES)


def turn(client, action, table, **index):
    return client.update_contributor_insights(TableName=table, ContributorInsightsAction=action, **index)


def told(client, table, **index):
    answer = client.describe_contributor_insights(TableName=table, **index)
    del answer["ResponseMetadata"]
    return answer


def all_pages(client, **request):
    """The names of each page: (table, index)."""
    pages = []
    while True:
        answer = client.list_contributor_insights(**request)
        pages.append([(each["TableName"], each.get("IndexName")) for each in answer["ContributorInsightsSummaries"]])
        assert all(each["ContributorInsightsStatus"] == "ENABLED" for each in answer["ContributorInsightsSummaries"])
        if "NextToken" not in answer:
            return pages
        request["NextToken"] = answer["NextToken"]


def test_they_are_turned_on_and_off(client, table):
    assert told(client, table) == {"TableName": table, "ContributorInsightsStatus": "DISABLED"}
    assert turn(client, "ENABLE", table)["ContributorInsightsStatus"] == "ENABLING"
    on = told(client, table)
    assert (on["TableName"], on["ContributorInsightsStatus"]) == (table, "ENABLED")
    assert "IndexName" not in on
    assert turn(client, "ENABLE", table)["ContributorInsightsStatus"] == "ENABLED"
    assert told(client, table) == on
    assert turn(client, "DISABLE", table)["ContributorInsightsStatus"] == "DISABLING"
    off = told(client, table)
    assert off["ContributorInsightsStatus"] == "DISABLED"
    assert off["LastUpdateDateTime"] >= on["LastUpdateDateTime"]
    assert "ContributorInsightsRuleList" not in off
    assert turn(client, "DISABLE", table)["ContributorInsightsStatus"] == "DISABLED"


@cases("index, kinds", [(None, ["PKC", "SKC", "PKT", "SKT"]), ("two", ["PKC", "SKC", "PKT", "SKT"]), ("one", ["PKC", "PKT"])])
def test_rules_are_named_for_what_they_are_about(client, tables, index, kinds):
    name = tables.make("pk:S,sk:S", **INDEXES)
    of = {"IndexName": index} if index else {}
    answer = turn(client, "ENABLE", name, **of)
    assert answer.get("IndexName") == index
    resource = f"{name}-{index}" if index else name
    rules = told(client, name, **of)["ContributorInsightsRuleList"]
    times = {rule.rsplit("-", 1)[1] for rule in rules}
    assert len(times) == 1 and re.fullmatch(r"\d{13}", times.pop())
    starts = [f"DynamoDBContributorInsights-{kind}-{resource}"[:114] for kind in kinds]
    assert [rule.rsplit("-", 1)[0] for rule in rules] == starts


def test_those_that_are_on_are_listed_page_by_page(client, tables):
    names = sorted(tables.make("pk:S,sk:S", **INDEXES) for _ in range(3))
    assert all_pages(client, TableName=names[0]) == [[]]
    for name in names:
        turn(client, "ENABLE", name)
        turn(client, "ENABLE", name, IndexName="two")
    turn(client, "ENABLE", names[1], IndexName="one")
    expected = [(name, index) for name in names for index in (None, "one", "two") if index != "one" or name == names[1]]
    # Other tests have tables too.
    mine = lambda pages: [each for page in pages for each in page if each[0] in names]
    for size in (1, 2, 100):
        pages = all_pages(client, MaxResults=size)
        assert mine(pages) == expected
        assert all(len(page) <= size for page in pages)
    assert all_pages(client, TableName=names[1], MaxResults=2) == [expected[2:4], expected[4:5]]
    assert all_pages(client, TableName=names[1], MaxResults=3) == [expected[2:5]]
    turn(client, "DISABLE", names[1])
    assert all_pages(client, TableName=names[1]) == [expected[3:5]]
    client.delete_table(TableName=names[2])
    client.get_waiter("table_not_exists").wait(TableName=names[2], WaiterConfig={"Delay": 1})
    assert all(each[0] != names[2] for each in mine(all_pages(client)))


def test_what_is_not_there_is_not_found(client, tables, table):
    name = tables.name()
    message = f"Requested resource not found: Table: {name} not found"
    refused(NOT_FOUND, message, turn, client=client, action="ENABLE", table=name)
    refused(NOT_FOUND, message, told, client=client, table=name)
    refused(NOT_FOUND, message, client.list_contributor_insights, TableName=name)
    for index in ("lsi", "none"):
        message = f"Requested resource not found: Index: {index} not found for table: {table}"
        refused(NOT_FOUND, message, turn, client=client, action="ENABLE", table=table, IndexName=index)
        refused(NOT_FOUND, message, told, client=client, table=table, IndexName=index)


def test_members_have_their_limits(client, unchecked_client, table):
    on = {"client": unchecked_client, "action": "ENABLE", "table": table}
    length = "IndexName must be at least 3 characters long and at most 255 characters long"
    for index in ("", "ab", "a" * 256):
        refused(INVALID, length, turn, **on, IndexName=index)
        refused(INVALID, length, told, client=unchecked_client, table=table, IndexName=index)
    refused(NOT_FOUND, None, turn, **on, IndexName="a" * 255)
    message = constraint("'SWITCH'", "contributorInsightsAction", "satisfy enum value set: [ENABLE, DISABLE]")
    refused(INVALID, message, turn, client=unchecked_client, action="SWITCH", table=table)
    message = constraint("'101'", "maxResults", "have value less than or equal to 100")
    refused(INVALID, message, client.list_contributor_insights, MaxResults=101)
    assert client.list_contributor_insights(MaxResults=100, TableName=table)["ContributorInsightsSummaries"] == []
    refused(INVALID, None, client.list_contributor_insights, NextToken="no token")
