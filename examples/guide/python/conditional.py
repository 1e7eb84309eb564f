from slipway import ORGANIZATION, call

first = call(f"{ORGANIZATION}/pipelines/guide/builds/1")
second = call(f"{ORGANIZATION}/pipelines/guide/builds/1", headers={"If-None-Match": first.headers["ETag"]})
print(second.status)
