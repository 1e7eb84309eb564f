import json

from slipway import ORGANIZATION, call, graphql

reply = call(f"{ORGANIZATION}/pipelines", "POST", {})
refused = json.load(reply)
fields = ", ".join(f"{error['field']} {error['code']}" for error in refused.get("errors", []))
print(f"{reply.status} {refused['message']}: {fields}")

mutation = """mutation { pipelineCreate(input: { organizationId: "demo", name: "", repository: { url: "" } }) {
  pipeline { slug } } }"""
for error in graphql(mutation).get("errors", []):
    extensions = error["extensions"]
    print(f"{extensions['code']}: {', '.join(field['field'] for field in extensions.get('fields', []))}")
