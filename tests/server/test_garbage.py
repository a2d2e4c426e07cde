"""Input of every wrong kind is answered with an error or closed; the server and its data stay as they were."""

import gzip
import json
import tempfile

import pytest

from raw_http import CREDENTIAL, Closed, Connection, request
from server_process import ServerProcess, make_table, scan

MEGABYTE = 1 << 20
BODY_BYTES_MAX = 16 * MEGABYTE
CLOSE_S = 14
KEY = {"pk": {"S": "kept"}}
ITEM = {**KEY, "text": {"S": "as it was"}}


@pytest.fixture(scope="module")
def healthy():
    """One server for all: none of this may change it."""
    with tempfile.TemporaryDirectory(prefix="sheaf-server-test-") as directory:
        server = ServerProcess(directory).start()
        try:
            make_table(server)
            assert server.call("PutItem", {"TableName": "things", "Item": ITEM}).status == 200
            yield server
            server.stop()
        finally:
            server.kill()


@pytest.fixture
def untouched(healthy):
    pid = healthy.pid
    yield healthy
    healthy.check_health()
    assert healthy.pid == pid
    assert scan(healthy, "things") == [ITEM]


def put(**more):
    return {"TableName": "things", "Item": {"pk": {"S": "new"}}, **more}


def exchange(server, data, ends=True):
    """Sends `data`, and the end if `ends`; all that the server says until it closes, which it must."""
    with Connection(server.port) as connection:
        try:
            connection.send(data)
            if ends:
                connection.socket.shutdown(1)
        except ConnectionError:
            pass
        words = connection.wait_for_close(CLOSE_S)
    assert words is not None, f"not closed within {CLOSE_S} s"
    return words


def check_refused(words):
    """Nothing, or an error. Never success."""
    assert words == b"" or words.startswith((b"HTTP/1.1 4", b"HTTP/1.1 501 ", b"HTTP/1.1 505 ")), words[:200]
    assert b"HTTP/1.1 200" not in words


def test_random_bytes_are_refused(untouched, chance):
    for _ in range(300):
        check_refused(exchange(untouched, chance.randbytes(chance.choice([1, 7, 100, 5000, 70_000]))))


def test_random_bytes_in_a_request_are_refused_or_harmless(untouched, chance):
    """A read with some bytes changed: whatever the answer is, it is one."""
    whole = request("GetItem", {"TableName": "things", "Key": KEY})
    for _ in range(500):
        broken = bytearray(whole)
        for _ in range(chance.choice([1, 1, 2, 10])):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        words = exchange(untouched, bytes(broken))
        assert words == b"" or words.startswith(b"HTTP/1.1 "), words[:200]
        assert not words.startswith((b"HTTP/1.1 500 ", b"HTTP/1.1 503 ")), (bytes(broken), words)


def test_truncated_requests_are_refused(untouched):
    whole = request("PutItem", put())
    for length in range(1, len(whole), 3):
        check_refused(exchange(untouched, whole[:length]))


LINE = b"POST / HTTP/1.1\r\n"
HEAD = LINE + b"Host: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\n"
HEAD += f"Authorization: {CREDENTIAL}\r\nX-Amz-Date: 20260101T000000Z\r\n".encode()
BODY = json.dumps(put()).encode()
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNK = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)

MALFORMED = {
    "a header of 1 MB": HEAD + b"A: " + b"b" * MEGABYTE + b"\r\n" + LENGTH + b"\r\n" + BODY,
    "100,000 headers": HEAD + b"A: b\r\n" * 100_000 + LENGTH + b"\r\n" + BODY,
    "a target of 1 MB": b"POST /" + b"a" * MEGABYTE + HEAD[6:] + LENGTH + b"\r\n" + BODY,
    "a line without end": b"G" * (4 * MEGABYTE),
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n" + BODY,
    "a length with a sign": HEAD + b"Content-Length: +%d\r\n\r\n" % len(BODY) + BODY,
    "a length of words": HEAD + b"Content-Length: many\r\n\r\n" + BODY,
    "a length in hexadecimal": HEAD + b"Content-Length: 0x%x\r\n\r\n" % len(BODY) + BODY,
    "a length beyond 64 bits": HEAD + b"Content-Length: 99999999999999999999999\r\n\r\n" + BODY,
    "a length that wraps around": HEAD + b"Content-Length: %d\r\n\r\n" % (2**64 + len(BODY)) + BODY,
    "an empty length": HEAD + b"Content-Length:\r\n\r\n" + BODY,
    "a length too long": HEAD + b"Content-Length: %d\r\n\r\n" % (len(BODY) + 1) + BODY,
    "two lengths": HEAD + LENGTH + b"Content-Length: 5\r\n\r\n" + BODY,
    "a list of lengths": HEAD + b"Content-Length: %d, %d\r\n\r\n" % (len(BODY), len(BODY)) + BODY,
    "length and chunks": HEAD + LENGTH + CHUNKED + b"\r\n" + CHUNK,
    "chunks and length": HEAD + CHUNKED + LENGTH + b"\r\n" + BODY,
    "chunks under a strange name": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNK,
    "chunks twice": HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + CHUNK,
    "chunks not last": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNK,
    "a blank before the colon": HEAD + b"Transfer-Encoding : chunked\r\n" + LENGTH + b"\r\n" + BODY,
    "a folded header": HEAD + LENGTH + b"A: b\r\n c\r\n\r\n" + BODY,
    "line ends without CR": (HEAD + LENGTH + b"\r\n").replace(b"\r\n", b"\n") + BODY,
    "a CR in a header": HEAD + LENGTH + b"A: b\rTransfer-Encoding: chunked\r\n\r\n" + BODY,
    "a NUL in a header": HEAD + LENGTH + b"A: b\0c\r\n\r\n" + BODY,
    "a header without a name": HEAD + LENGTH + b": b\r\n\r\n" + BODY,
    "a header without a colon": HEAD + LENGTH + b"nonsense\r\n\r\n" + BODY,
    "HTTP/2's preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n\r\n",
    "a TLS hello": bytes.fromhex("16030100f8010000f40303") + b"\0" * 240,
    "a chunk's size of words": HEAD + CHUNKED + b"\r\nmany\r\n" + BODY,
    "a chunk's size beyond 64 bits": HEAD + CHUNKED + b"\r\nfffffffffffffffff\r\n" + BODY,
    "a chunk longer than told": HEAD + CHUNKED + b"\r\n5\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a negative chunk": HEAD + CHUNKED + b"\r\n-5\r\n" + BODY,
    "no host": request("PutItem", put(), Host=None),
    "two hosts": HEAD + b"Host: example.com\r\n" + LENGTH + b"\r\n" + BODY,
    "trailers of 1 MB": HEAD + CHUNKED + b"\r\n" + CHUNK[:-2] + b"A: " + b"b" * MEGABYTE + b"\r\n\r\n",
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_http_is_refused(untouched, data):
    words = exchange(untouched, data)
    check_refused(words)
    assert words.count(b"HTTP/1.1 ") <= 1


def test_what_is_smuggled_behind_a_refused_request_is_not_run(untouched):
    hidden = request("DeleteItem", {"TableName": "things", "Key": KEY})
    for head in [LENGTH + CHUNKED, CHUNKED + LENGTH, b"Content-Length: 0\r\nContent-Length: 5\r\n",
                 b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", b"Content-Length : 0\r\n"]:
        words = exchange(untouched, HEAD + head + b"\r\n0\r\n\r\n" + hidden)
        check_refused(words)
        assert words.count(b"HTTP/1.1 ") <= 1, words


def test_what_is_in_a_body_is_not_a_request(untouched):
    hidden = request("DeleteItem", {"TableName": "things", "Key": KEY})
    with untouched.connect() as connection:
        assert connection.call("PutItem", hidden).exception == "SerializationException"
        assert connection.call("GetItem", {"TableName": "things", "Key": KEY}).value == {"Item": ITEM}


def nested(levels, opening, closing, innermost=b""):
    return opening * levels + innermost + closing * levels


NESTED = {
    "lists": nested(100_000, b"[", b"]"),
    "lists without end": b"[" * 100_000,
    "objects": nested(100_000, b'{"a":', b"}", b"1"),
    "lists of values": b'{"TableName":"things","Item":{"pk":{"S":"new"},"a":'
    + nested(100_000, b'{"L":[', b"]}", b'{"S":"x"}')
    + b"}}",
    "maps of values": b'{"TableName":"things","Item":{"pk":{"S":"new"},"a":'
    + nested(100_000, b'{"M":{"a":', b"}}", b'{"S":"x"}')
    + b"}}",
    "an unknown member": b'{"TableName":"things","Item":{"pk":{"S":"new"}},"Nonsense":' + nested(100_000, b"[", b"]") + b"}",
}


@pytest.mark.parametrize("body", NESTED.values(), ids=NESTED.keys())
def test_deeply_nested_json_is_an_error(untouched, body):
    for operation in ["PutItem", "Scan", "TransactWriteItems", "CreateTable"]:
        answer = untouched.call(operation, body)
        assert answer.status == 400, (operation, answer)
        assert answer.exception in ("SerializationException", "ValidationException"), (operation, answer)


EXPRESSIONS = {
    "parentheses": nested(100_000, b"(", b")", b"pk = :v"),
    "parentheses without end": b"(" * 100_000,
    "negations": b"NOT " * 100_000 + b"pk = :v",
    "conjunctions": b" AND ".join([b"pk = :v"] * 50_000),
    "functions": nested(100_000, b"size(", b")", b"pk"),
    "a path": b".".join([b"a"] * 100_000),
    "indexes": b"a" + b"[0]" * 100_000,
    "within 4 KB, parentheses": nested(2000, b"(", b")", b"pk = :v"),
    "within 4 KB, negations": b"NOT " * 1000 + b"pk = :v",
    "within 4 KB, functions": nested(600, b"size(", b")", b"pk") + b" = :v",
    "within 4 KB, a path": b".".join([b"a"] * 2000) + b" = :v",
    "within 4 KB, indexes": b"a" + b"[0]" * 1300 + b" = :v",
}


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_deeply_nested_expressions_are_errors(untouched, expression):
    values = {"ExpressionAttributeValues": {":v": {"S": "kept"}}}
    text = expression.decode()
    answers = [
        untouched.call("Scan", {"TableName": "things", "FilterExpression": text, **values}),
        untouched.call("PutItem", put(ConditionExpression=text, **values)),
        untouched.call("UpdateItem", {"TableName": "things", "Key": KEY, "UpdateExpression": f"SET a = {text}", **values}),
        untouched.call("Scan", {"TableName": "things", "ProjectionExpression": text}),
    ]
    for answer in answers:
        assert (answer.status, answer.exception) == (400, "ValidationException"), answer


def test_a_body_of_16_megabytes_is_read_and_one_byte_more_is_not(untouched):
    def padded(size):
        start = b'{"TableName":"things","Nonsense":"'
        return start + b"x" * (size - len(start) - 2) + b'"}'

    answer = untouched.call("Scan", padded(BODY_BYTES_MAX))
    assert answer.status in (200, 400), answer
    for data in [request("Scan", padded(BODY_BYTES_MAX + 1)),
                 request("Scan", b"", Content_Length=str(BODY_BYTES_MAX + 1)),
                 request("Scan", b"", Content_Length=str(2**62))]:
        words = exchange(untouched, data, ends=False)
        assert words.startswith(b"HTTP/1.1 413 "), words[:200]
    chunks = b"100000\r\n" + b" " * MEGABYTE + b"\r\n"
    data = request("Scan", b"", Content_Length=None, Transfer_Encoding="chunked") + chunks * 17
    words = exchange(untouched, data, ends=False)
    assert words == b"" or words.startswith(b"HTTP/1.1 413 "), words[:200]


def test_gzip_bombs_are_refused_and_take_no_memory(untouched):
    before = untouched.memory_bytes("VmHWM")
    bomb = gzip.compress(b" " * (64 * MEGABYTE), 9)
    twice = gzip.compress(bomb, 9)
    for _ in range(10):
        answer = untouched.call("Scan", bomb, Content_Encoding="gzip")
        assert answer.status == 413, answer
    assert untouched.call("Scan", twice, Content_Encoding="gzip").exception == "SerializationException"
    for coding in ["gzip, gzip", "deflate", "br", "nonsense"]:
        assert untouched.call("Scan", twice, Content_Encoding=coding).status in (400, 415), coding
    highest = untouched.memory_bytes("VmHWM")
    print(f"highest memory: {before >> 10} KB before, {highest >> 10} KB after")
    assert highest - before < 48 * MEGABYTE


def test_broken_gzip_is_refused(untouched, chance):
    whole = gzip.compress(json.dumps(put()).encode())
    broken = [b"", b"\x1f", whole[:-1], whole[: len(whole) // 2], whole[:-4] + b"\0\0\0\1", b"not gzip", json.dumps(put()).encode()]
    broken += [chance.randbytes(200) for _ in range(50)]
    for body in broken:
        answer = untouched.call("PutItem", body, Content_Encoding="gzip")
        assert answer.status == 400, (body, answer)


WRONG_BODIES = {
    "empty": b"",
    "a blank": b" ",
    "a number": b"1",
    "a string": b'"x"',
    "null": b"null",
    "a list": b"[]",
    "not JSON": b"nonsense",
    "half": BODY[:-1],
    "two": BODY + BODY,
    "a NUL behind it": BODY + b"\0",
    "UTF-8 with a byte too much": BODY.replace(b"new", b"ne\xff"),
    "UTF-8 that is cut": BODY.replace(b"new", b"ne\xe2\x82"),
    "UTF-8 overlong": BODY.replace(b"new", b"\xc0\xaf"),
    "a surrogate in UTF-8": BODY.replace(b"new", b"\xed\xa0\x80"),
    "UTF-16": BODY.decode().encode("utf-16"),
    "a control character": BODY.replace(b"new", b"n\x01w"),
    "a wrong escape": BODY.replace(b"new", rb"n\xw"),
    "a number of a megabyte": b'{"TableName":"things","Item":{"pk":{"S":"new"},"n":{"N":"' + b"9" * MEGABYTE + b'"}}}',
    "an exponent beyond all": BODY[:-2] + b',"n":{"N":"1e999999999999"}}}',
    "a type that is none": b'{"TableName":"things","Item":{"pk":{"X":"new"}}}',
    "two types": b'{"TableName":"things","Item":{"pk":{"S":"new","N":"1"}}}',
    "base64 that is none": BODY[:-2] + b',"b":{"B":"*"}}}',
    "a table name of a megabyte": b'{"TableName":"' + b"t" * MEGABYTE + b'","Item":{}}',
    "a table name with a path": b'{"TableName":"../../etc/passwd","Item":{"pk":{"S":"new"}}}',
}


@pytest.mark.parametrize("body", WRONG_BODIES.values(), ids=WRONG_BODIES.keys())
def test_wrong_bodies_are_errors_with_a_name(untouched, body):
    answer = untouched.call("PutItem", body)
    assert answer.status == 400, answer
    assert answer.exception in ("SerializationException", "ValidationException"), answer
    json.loads(answer.body.decode("utf-8", "strict"))


def test_unknown_targets_and_wrong_types_are_errors(untouched):
    for target in ["DynamoDB_20120810.Nonsense", "DynamoDB_20111205.PutItem", "PutItem.PutItem", "DynamoDB_20120810.", "x" * 4000 + "."]:
        answer = untouched.call(target, put())
        assert (answer.status, answer.exception) == (400, "UnknownOperationException"), answer
    assert untouched.call(None, put()).exception == "UnknownOperationException"
    for content_type in [None, "text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense", "a" * 4000]:
        answer = untouched.call("PutItem", put(), Content_Type=content_type)
        assert answer.status in (400, 404, 415), answer
    for method, path in [("GET", "/nonsense"), ("PUT", "/"), ("DELETE", "/"), ("POST", "/nonsense"), ("NONSENSE", "/"),
                         ("POST", "/../../etc/passwd"), ("POST", "//"), ("GET", "/metrics")]:
        answer = untouched.call("PutItem", put(), method=method, path=path)
        assert answer.status in (400, 404, 405), (method, path, answer)


def test_a_host_or_origin_from_elsewhere_is_turned_away(untouched):
    for headers in [{"Host": "example.com"}, {"Host": "localhost.example.com"}, {"Origin": "http://example.com"}, {"Origin": "null"}]:
        answer = untouched.call("PutItem", put(), **headers)
        assert answer.status in (400, 403), (headers, answer)


def test_unknown_names_do_not_become_metrics(untouched):
    """Labels are bounded, whatever names clients invent."""
    with untouched.connect() as connection:
        for number in range(3000):
            answer = connection.call("GetItem", {"TableName": f"invented-{number}", "Key": KEY})
            assert answer.exception == "ResourceNotFoundException"
    text = untouched.metrics_text()
    print(f"{len(text)} bytes of metrics after 3,000 invented tables")
    assert "invented-" not in text


def test_a_connection_goes_on_behind_an_error_of_its_content(untouched):
    with untouched.connect() as connection:
        for body in [b"nonsense", NESTED["lists"], b'{"TableName":"nothing"}']:
            assert connection.call("PutItem", body).status == 400
            assert connection.call("GetItem", {"TableName": "things", "Key": KEY}).value == {"Item": ITEM}
        with pytest.raises((Closed, ConnectionError)):
            connection.send(b"nonsense\r\n\r\n")
            assert connection.answer().status == 400
            connection.call("GetItem", {"TableName": "things", "Key": KEY})
