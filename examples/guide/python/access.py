import json

from slipway import ORGANIZATION, ROOT, call, graphql

print(json.dumps("read_builds" in json.load(call(f"{ROOT}/access-token"))["scopes"]))
print(call(f"{ORGANIZATION}/builds").headers["X-Accepted-OAuth-Scopes"])
print(graphql("{ viewer { user { email } } }")["data"]["viewer"]["user"]["email"])
