# openapi-generator-cli generate -i $SLIPWAY_URL/v2/openapi.json -g python --package-name slipway -o .; pip install .
import os
import sys

import slipway

name, passed = (sys.argv[1:] + ["Example", "example"])[:2]
org = os.environ.get("SLIPWAY_ORGANIZATION", "demo")
configuration = slipway.Configuration(
    host=os.environ.get("SLIPWAY_URL", "http://127.0.0.1:3000"), access_token=os.environ["SLIPWAY_TOKEN"]
)

with slipway.ApiClient(configuration) as client:
    body = slipway.PipelineCreateRequest(
        name=name, repository="https://git.example.com/demo/example.git", configuration="steps: []"
    )
    pipeline = slipway.PipelineApi(client).pipeline_create(org, body)
    build = slipway.BuildApi(client).build_get(org, passed, 1)
    job = build.jobs[0].actual_instance
    print(pipeline.slug, build.state, job.exit_status)
