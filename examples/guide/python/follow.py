import json

from slipway import ORGANIZATION, URL, call


def subscribe(query):
    """Messages of a subscription, until the server or the reader ends it."""
    with call(f"{URL}/graphql", "POST", {"query": query}, {"Accept": "text/event-stream"}) as stream:
        for line in stream:
            if line.startswith(b"data: {"):
                message = json.loads(line[6:])
                if "errors" in message:
                    raise RuntimeError(message["errors"][0]["extensions"]["code"])
                yield message["data"]


build = json.load(call(f"{ORGANIZATION}/pipelines/guide/builds", "POST", {"commit": "HEAD", "branch": "main"}))

# The log ends with its job.
job = build["jobs"][0]["id"]
log = ""
for message in subscribe(f'subscription {{ jobLog(id: "{job}") {{ content cursor }} }}'):
    log += message["jobLog"]["content"]
if "hello" in log:
    print("hello")
# The stream of a build stays open: the reader leaves it when the build has finished.
states = f'subscription {{ build(id: "{build["id"]}") {{ cursor event {{ type }} build {{ state }} }} }}'
for message in subscribe(states):
    if message["build"]["build"]["state"] == "PASSED":
        print("PASSED")
        break
