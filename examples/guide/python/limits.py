from slipway import ORGANIZATION, URL, call

reply = call(f"{ORGANIZATION}/pipelines")
for name in ("Limit", "Remaining"):
    if f"RateLimit-User-{name}" in reply.headers:
        print(name)
points = call(f"{URL}/graphql", "POST", {"query": "{ viewer { id } }"})
if "RateLimit-Complexity-Actual" in points.headers:
    print("Complexity-Actual")
