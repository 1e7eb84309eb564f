import hashlib
import hmac
import json
import re
import time
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

from slipway import ORGANIZATION, call

secret = str(uuid.uuid4())


def is_genuine(header, body):
    """Whether Slipway has signed these bytes within the last five minutes."""
    parts = re.fullmatch(r"timestamp=(\d+),signature=([0-9a-f]{64})", header)
    if not parts or abs(time.time() - int(parts[1])) > 300:
        return False
    expected = hmac.new(secret.encode(), parts[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(parts[2], expected)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers.get("X-Buildkite-Signature", ""), body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        print(str(genuine).lower(), json.loads(body)["event"])

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
settings = {"url": f"http://127.0.0.1:{server.server_port}/", "token": secret, "token_mode": "signature"}
body = {"provider": "webhook", "description": "Guide", "settings": settings, "scope": "all"}
service = json.load(call(f"{ORGANIZATION}/services", "POST", body))
server.handle_request()
call(f"{ORGANIZATION}/services/{service['id']}", "DELETE")
