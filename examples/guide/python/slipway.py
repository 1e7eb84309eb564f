import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ.get("SLIPWAY_URL", "http://127.0.0.1:3000")
ROOT = f"{URL}/v2"
ORGANIZATION = f"{ROOT}/organizations/demo"


def call(url, method="GET", body=None, headers={}):
    """Sends a request and returns the reply, refused or not; tries again up to five times after 429 and 503."""
    own = {"Authorization": f"Bearer {os.environ['SLIPWAY_TOKEN']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, 7):
        request = urllib.request.Request(url, data, {**own, **headers}, method=method)
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as refused:
            if refused.status not in (429, 503) or attempt == 6:
                return refused
            time.sleep(int(refused.headers.get("Retry-After", attempt)))


def graphql(query, variables={}, headers={}):
    """Sends an operation; the reply has `data`, `errors` or both."""
    return json.load(call(f"{URL}/graphql", "POST", {"query": query, "variables": variables}, headers))
