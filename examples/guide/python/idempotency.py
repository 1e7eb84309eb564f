import json
import uuid

from slipway import ORGANIZATION, call, graphql

pipeline = f"{ORGANIZATION}/pipelines/guide"
headers = {"Idempotency-Key": str(uuid.uuid4())}
for _attempt in (1, 2):
    build = json.load(call(f"{pipeline}/builds", "POST", {"commit": "HEAD", "branch": "main"}, headers))
    print(build["number"])

start = """mutation ($pipeline: ID!) {
  buildCreate(input: { pipelineID: $pipeline, commit: "HEAD", branch: "main" }) { build { number } } }"""
variables = {"pipeline": json.load(call(pipeline))["graphql_id"]}
headers = {"Idempotency-Key": str(uuid.uuid4())}
for _attempt in (1, 2):
    print(graphql(start, variables, headers)["data"]["buildCreate"]["build"]["number"])
