"""One server: requests of any shape, signed, over one connection; answers as they came."""

import http.client
import json
from dataclasses import dataclass
from urllib.parse import urlparse

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


@dataclass
class Answer:
    status: int
    body: dict

    @property
    def ok(self):
        return self.status == 200

    @property
    def code(self):
        return self.body.get("__type", "").split("#")[-1]

    @property
    def message(self):
        return self.body.get("message", self.body.get("Message", ""))


class Connection:
    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.host = urlparse(endpoint).netloc
        self.socket = http.client.HTTPConnection(self.host, timeout=30)
        self.signer = SigV4Auth(Credentials("tests", "tests"), "dynamodb", "us-east-1")

    def send(self, operation, request):
        body = json.dumps(request).encode()
        headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Host": self.host,
        }
        signed = AWSRequest("POST", self.endpoint, headers=headers, data=body)
        self.signer.add_auth(signed)
        try:
            return self._exchange(body, dict(signed.headers))
        except (http.client.HTTPException, ConnectionError):
            # The other side closed the connection while it was idle.
            self.socket.close()
            return self._exchange(body, dict(signed.headers))

    def _exchange(self, body, headers):
        self.socket.request("POST", "/", body, headers)
        response = self.socket.getresponse()
        text = response.read()
        try:
            return Answer(response.status, json.loads(text) if text else {})
        except ValueError:
            return Answer(response.status, {"__type": "NotJson", "message": text[:200].decode(errors="replace")})
