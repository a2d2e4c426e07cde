"""Programs as people write them, over the types of their models. What is ignored as an error must be one: mypy says so."""

from __future__ import annotations

import importlib
import json
import re
import urllib.request

import pytest

import hr
import server
import shop
import support
from addresses import AddressesClient
from billing import BillingClient, InvoiceDocument
from hr import ConflictError, Credentials, Employee, ForbiddenError, HrClient, InvalidError, ModelError, NotFoundError
from odd_names import OddNamesClient
from shop import OrderId, ShopClient
from support import SupportClient


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


@pytest.mark.parametrize("model", server.EXAMPLES)
def test_an_example_answers_its_client_as_it_answers_the_program(url: str, guarded: str, model: str) -> None:
    module = importlib.import_module(model)
    name = "".join(part.capitalize() for part in model.split("_")) + "Client"
    client = getattr(module, name)(guarded, module.Credentials("BOSS", server.SECRET))
    with urllib.request.urlopen(f"{url}/models/{model}") as answer:
        patterns = {each["name"]: each for each in json.load(answer)["patterns"]}
    asked = server.questions(model)
    assert asked
    for step in asked:
        pattern, values = patterns[step["ask"]], step.get("with", [])
        found = getattr(client, snake(step["ask"]))(*values)
        if pattern["gives"] == "pages":
            documents = list(found)
        else:
            documents = [] if found is None else [found]
        assert documents == server.documents_of(guarded, model, step["ask"], values), step


def test_hr_a_team_who_joins_it_and_errors_as_classes(url: str) -> None:
    client = HrClient(url)
    team: list[Employee] = list(client.team("d-2"))
    assert sorted(employee["name"] for employee in team) == ["Cathy", "David", "Edward"]
    assert client.hire({"id": "e-9", "name": "Zoe"}, "d-2").put == ["e-9"]
    outcome = client.act("link.Employee.manager", ["e-9", "e-3"], plan=True, cost=True)
    assert outcome.cost is not None and outcome.cost["requests"] > 0
    client.set_employee("e-9", {"name": "Zoey", "mentor": "e-4"})
    home = client.home("e-9")
    assert home is not None and home["name"] == "IT"
    assert client.home("e-99") is None

    with pytest.raises(ConflictError) as raised:
        client.hire({"id": "e-9", "name": "Zoe"}, "d-2")
    assert isinstance(raised.value, ModelError)
    assert (raised.value.status, raised.value.code) == (409, "in_use")
    assert str(raised.value) == "there is already an Employee e-9"
    with pytest.raises(NotFoundError):
        client.move("e-9", "d-9")
    with pytest.raises(NotFoundError) as unknown:
        client.ask("tema", {"d": "d-1"})
    assert unknown.value.fix == "write team"

    with pytest.raises(InvalidError):
        client.put_department({"id": "d-8", "name": "x", "color": "red"})  # type: ignore[typeddict-item]
    with pytest.raises(InvalidError):
        client.put_department({"id": "d-8"})  # type: ignore[typeddict-item]
    with pytest.raises(InvalidError):
        client.rename("d-1", 7)  # type: ignore[arg-type]


def test_shop_ids_of_several_parts_and_pages_one_after_the_other(url: str) -> None:
    client = ShopClient(url + "/")
    order_id: OrderId = ("ann", 7)
    order = client.order(order_id)
    assert order is not None and [item["sku"] for item in order["items"]] == ["lamp", "nail", "rope"]
    for number in range(100, 145):
        client.put_order({"customer": "ann", "number": number, "placed_on": "2026-02-03"})
    numbers = [each["number"] for each in client.orders("ann")]
    assert len(numbers) == 47 and numbers == sorted(numbers, reverse=True)
    assert [len(page.documents) for page in client.orders("ann").pages()] == [20, 20, 7]
    first = client.orders("ann").page(cost=True, plan=True)
    assert first.cost is not None and first.cost["requests"] == 1 and first.plan is not None
    assert client.orders("ann").page(first.cursor).documents[0]["number"] == numbers[20]
    with pytest.raises(shop.InvalidError, match="other parameters"):
        client.orders("bob").page(first.cursor)
    with pytest.raises(shop.InvalidError):
        client.order(7)  # type: ignore[arg-type]


def test_support_nested_lists_enums_and_generated_ids(url: str) -> None:
    client = SupportClient(url)
    org = client.org_and_users("acme")
    assert org is not None and org["plan"] in ("FREE", "PRO")
    put = client.put_ticket({"subject": "Lamp is broken", "owner": ["acme", org["users"][0]["name"]]}).put
    ticket = client.ticket(put[0])
    assert ticket is not None and ticket["subject"] == "Lamp is broken"
    with pytest.raises(support.InvalidError):
        client.put_org({"name": "x", "plan": "GOLD"})  # type: ignore[typeddict-item]


def test_billing_edges_with_fields_and_ends_that_may_be_missing(url: str) -> None:
    client = BillingClient(url)
    client.put_customer({"id": "c9", "name": "Zoe"})
    client.put_invoice({"id": "i9", "date": "2026-01-02", "status": "OPEN", "customer": "c9"})
    client.put_bill({"id": "b9", "amount": 12.5})
    client.link_invoice_bills("i9", "b9", {"share": 0.5})
    invoice: InvoiceDocument | None = client.invoice("i9")
    assert invoice is not None
    assert invoice["bills"] == [{"id": "b9", "amount": 12.5, "edge": {"share": 0.5}}]
    assert invoice["customer"]["name"] == "Zoe"


def test_addresses_what_is_embedded_is_put_with_its_parent(url: str) -> None:
    client = AddressesClient(url)
    client.put_customer(
        {"id": "zoe", "name": "Zoe", "addresses": [{"nickname": "home", "street": "A 1", "city": "X"}]}
    )
    client.move(("zoe", "home"), "B 2", "Y")
    customer = client.customer("zoe")
    assert customer is not None
    assert customer["addresses"] == [{"nickname": "home", "street": "B 2", "city": "Y"}]


def test_requests_are_signed_if_there_are_credentials_and_roles_are_kept(guarded: str) -> None:
    client = HrClient(guarded, Credentials("BOSS", server.SECRET))
    assert len(list(client.team("d-2"))) == 3
    assert len(list(HrClient(guarded, Credentials("GUEST", server.SECRET, server.TOKEN)).team("d-2"))) == 3
    client.rename("d-1", 'Ärzte & "Co"\n')
    home = client.home("e-1")
    assert home is not None and home["name"] == 'Ärzte & "Co"\n'
    reader = HrClient(guarded, Credentials("READER", server.SECRET), region="eu-west-1")
    assert len(list(reader.team("d-2"))) == 3
    with pytest.raises(ForbiddenError) as raised:
        reader.move("e-1", "d-2")
    assert raised.value.code == "forbidden"
    for wrong in (None, Credentials("BOSS", "wrong"), Credentials("NOBODY", server.SECRET)):
        with pytest.raises(ForbiddenError) as refused:
            list(HrClient(guarded, wrong).team("d-2"))
        assert refused.value.code == "unauthenticated"


def test_names_that_the_language_uses_can_be_called() -> None:
    client = OddNamesClient("http://127.0.0.1:1", timeout=1)
    with pytest.raises(OSError):
        client.list2("x")
    with pytest.raises(OSError):
        list(client.ask2("x"))
    with pytest.raises(OSError):
        client.import_({"id": "x", "class": "c", "a-b": 1, "str": "s", "items": []})


def test_what_is_in_front_of_the_server_may_answer_too() -> None:
    made = hr._error_of(502, b"<html>")
    assert isinstance(made, hr.ServerError) and (made.status, made.code) == (502, "http")
    assert isinstance(hr._error_of(429, b"{}"), hr.ThrottledError)
