#include "clients/python.h"

namespace sheaf::clients {

const std::string_view kPythonHead = R"py(
from __future__ import annotations

import dataclasses
import datetime
import hashlib
import hmac
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Generic, Iterator, Literal, NotRequired, TypeAlias, TypedDict, TypeVar

T = TypeVar("T")
)py";

const std::string_view kPythonRuntime = R"py(

class Cost(TypedDict):
    requests: int
    rounds: int
    units: float
    items_read: int


@dataclasses.dataclass
class Page(Generic[T]):
    documents: list[T]
    cursor: str | None = None  # there may be more
    cost: Cost | None = None
    plan: str | None = None


@dataclasses.dataclass
class Outcome:
    """What an operation did, all of it in one transaction."""

    put: list[Any]  # the ids of what was put, generated ones among them
    copies: int = 0
    deleted: int = 0
    pending: int = 0
    retries: int = 0
    cost: Cost | None = None
    plan: str | None = None


class ModelError(Exception):
    """What the server answers instead; its classes say what can be done about it."""

    def __init__(self, status: int, code: str, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.fix = status, code, message, fix


class InvalidError(ModelError):
    """The request is wrong, and stays wrong."""


class ForbiddenError(ModelError):
    """The credentials are missing, wrong, or not for this."""


class NotFoundError(ModelError):
    """Something that the request names does not exist."""


class ConflictError(ModelError):
    """It exists already, is in use, a check failed, or others were faster."""


class ThrottledError(ModelError):
    """Too many requests: try again later."""


class ServerError(ModelError):
    """The server has a problem: the outcome of an operation is not known if `code` is `unknown`."""


_ERRORS = {403: ForbiddenError, 404: NotFoundError, 409: ConflictError, 429: ThrottledError}


@dataclasses.dataclass(frozen=True)
class Credentials:
    """Signs requests, as those to DynamoDB are signed."""

    access_key_id: str
    secret_access_key: str
    session_token: str | None = None


class Pages(Generic[T]):
    """The documents of a pattern, fetched page by page as they are asked for: `for each in pages`."""

    def __init__(self, client: ModelClient, pattern: str, parameters: dict[str, Any]) -> None:
        self._client, self._pattern, self._parameters = client, pattern, parameters

    def page(self, cursor: str | None = None, *, plan: bool = False, cost: bool = False) -> Page[T]:
        """One page: the first, or the one behind `cursor`."""
        return self._client.ask(self._pattern, self._parameters, cursor=cursor, plan=plan, cost=cost)

    def pages(self, cursor: str | None = None) -> Iterator[Page[T]]:
        while True:
            page = self.page(cursor)
            yield page
            cursor = page.cursor
            if cursor is None:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.documents


class ModelClient:
    """What clients of all models have: patterns and operations by name, without types."""

    _model: str

    def __init__(
        self, url: str, credentials: Credentials | None = None, *, region: str = "us-east-1", timeout: float = 60
    ) -> None:
        """`url` is where the server is: http://127.0.0.1:8000. Credentials are needed if it asks for them."""
        self._url, self._credentials = url.rstrip("/"), credentials
        self._region, self._timeout = region, timeout

    def ask(
        self,
        pattern: str,
        parameters: dict[str, Any] | list[Any],
        *,
        cursor: str | None = None,
        plan: bool = False,
        cost: bool = False,
    ) -> Page[Any]:
        """A page of what a pattern finds. `parameters` by name, or in their order."""
        asked = {"cursor": cursor} if cursor is not None else {}
        answer = self._send("patterns", pattern, parameters, {**asked, "plan": plan, "cost": cost})
        return Page(answer["documents"], answer.get("cursor"), answer.get("cost"), answer.get("plan"))

    def act(
        self, operation: str, parameters: dict[str, Any] | list[Any], *, plan: bool = False, cost: bool = False
    ) -> Outcome:
        answer = self._send("operations", operation, parameters, {"plan": plan, "cost": cost})
        known = {field.name for field in dataclasses.fields(Outcome)}
        return Outcome(**{name: value for name, value in answer.items() if name in known})

    def _send(self, kind: str, name: str, parameters: object, asked: dict[str, Any]) -> dict[str, Any]:
        path = "/".join(["/models", _escaped(self._model), kind, _escaped(name)])
        body = json.dumps({"with": parameters, **asked}).encode()
        headers = {"content-type": "application/json"}
        if self._credentials is not None:
            _sign(self._url + path, headers, body, self._credentials, self._region)
        request = urllib.request.Request(self._url + path, data=body, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                whole: dict[str, Any] = json.loads(answer.read())
                return whole
        except urllib.error.HTTPError as refused:
            raise _error_of(refused.code, refused.read()) from None


def _error_of(status: int, text: bytes) -> ModelError:
    try:
        error = json.loads(text)["error"]
        code, message, fix = error["code"], error["message"], error.get("fix")
    except (ValueError, LookupError, TypeError):
        # Not from the server itself, but from what is in front of it.
        code, message, fix = "http", f"the server answered {status}", None
    made = _ERRORS.get(status, InvalidError if status < 500 else ServerError)
    return made(status, code, message, fix)


def _escaped(text: str) -> str:
    return urllib.parse.quote(text, safe="-._~")


def _sign(url: str, headers: dict[str, str], body: bytes, credentials: Credentials, region: str) -> None:
    """AWS Signature Version 4 of a POST: adds the headers that it needs."""
    parts = urllib.parse.urlsplit(url)
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    headers["x-amz-date"] = date
    if credentials.session_token is not None:
        headers["x-amz-security-token"] = credentials.session_token
    signed = {**headers, "host": parts.netloc}
    names = sorted(signed)
    request = "\n".join(
        [
            "POST",
            "/".join(map(_escaped, parts.path.split("/"))),
            "",
            *(f"{name}:{signed[name]}" for name in names),
            "",
            ";".join(names),
            hashlib.sha256(body).hexdigest(),
        ]
    )
    scope = f"{date[:8]}/{region}/dynamodb/aws4_request"
    key = ("AWS4" + credentials.secret_access_key).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(request.encode()).hexdigest()])
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={credentials.access_key_id}/{scope}, "
        f"SignedHeaders={';'.join(names)}, Signature={signature}"
    )
)py";

}  // namespace sheaf::clients
