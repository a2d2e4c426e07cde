"""What tests expect over and over: an answer that refuses, and a state that comes soon."""

import os
import time

import pytest
from botocore.exceptions import ClientError

# Set if the server is not Sheaf but one to compare with.
PEER = os.environ.get("SHEAF_TESTS_PEER")

INVALID = "ValidationException"
NOT_FOUND = "ResourceNotFoundException"
IN_USE = "ResourceInUseException"
CONDITION_FAILED = "ConditionalCheckFailedException"
CANCELED = "TransactionCanceledException"

OPV = "One or more parameter values were invalid: "
ONE_ERROR = "1 validation error detected: "


def constraint(value, member, rule):
    """How AWS tells that a member of a request is not as it must be. value: as it is echoed, or None."""
    echo = "" if value is None else f"{value} "
    return f"{ONE_ERROR}Value {echo}at '{member}' failed to satisfy constraint: Member must {rule}"


def cases(names, rows):
    """A test for each row, named by the row's first value."""
    return pytest.mark.parametrize(names, rows, ids=[str(row[0]) or "empty" for row in rows])


def refused(code, message, call, **parameters):
    """Calls, expects the error, and returns its answer. message: exact, or None where only the code is known."""
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    answer = caught.value.response
    assert answer["Error"]["Code"] == code, answer["Error"]
    if message is not None:
        assert told(answer) == without_counter(message)
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
    return answer


def told(answer):
    """The message."""
    return without_counter(answer["Error"]["Message"])


def without_counter(message):
    """AWS's regions differ: since 2026 most put a counter in front of messages that had none. Peers are not held to it."""
    if PEER and message.startswith(ONE_ERROR) and not message.startswith(f"{ONE_ERROR}Value "):
        return message[len(ONE_ERROR) :]
    return message


def eventually(check, deadline_s=20):
    """The first true result of check(). Indexes follow their table, and tables their requests, within moments."""
    end = time.monotonic() + deadline_s
    pause_s = 0.01
    while True:
        result = check()
        if result:
            return result
        assert time.monotonic() < end, f"not within {deadline_s} s"
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.5, 0.5)
