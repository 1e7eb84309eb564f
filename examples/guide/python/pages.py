import json
import re

from slipway import ORGANIZATION, call, graphql

numbers, url = [], f"{ORGANIZATION}/pipelines/guide/builds?per_page=2"
while url:
    reply = call(url)
    numbers += [build["number"] for build in json.load(reply)]
    link = re.search(r'<([^>]+)>; rel="next"', reply.headers.get("Link", ""))
    url = link and link[1]
print(*numbers)

query = """query ($after: String) { pipeline(slug: "demo/guide") {
  builds(first: 2, after: $after) { pageInfo { hasNextPage endCursor } edges { node { number } } } } }"""
numbers, page = [], {"hasNextPage": True, "endCursor": None}
while page["hasNextPage"]:
    builds = graphql(query, {"after": page["endCursor"]})["data"]["pipeline"]["builds"]
    numbers += [edge["node"]["number"] for edge in builds["edges"]]
    page = builds["pageInfo"]
print(*numbers)
