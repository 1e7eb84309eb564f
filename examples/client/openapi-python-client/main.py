# pip install openapi-python-client; openapi-python-client generate --url $SLIPWAY_URL/v2/openapi.json --meta none --output-path slipway
import os
import sys

from slipway import AuthenticatedClient
from slipway.api.build import build_get
from slipway.api.pipeline import pipeline_create
from slipway.models import Build, Pipeline, PipelineCreateRequest, ScriptJob

name, passed = (sys.argv[1:] + ["Example", "example"])[:2]
org = os.environ.get("SLIPWAY_ORGANIZATION", "demo")
url = os.environ.get("SLIPWAY_URL", "http://127.0.0.1:3000")
client = AuthenticatedClient(base_url=url, token=os.environ["SLIPWAY_TOKEN"])

body = PipelineCreateRequest(
    name=name, repository="https://git.example.com/demo/example.git", configuration="steps: []"
)
pipeline = pipeline_create.sync(org, client=client, body=body)
assert isinstance(pipeline, Pipeline), pipeline

build = build_get.sync(org, passed, 1, client=client)
assert isinstance(build, Build), build
job = build.jobs[0] if build.jobs else None
print(pipeline.slug, build.state.value, job.exit_status if isinstance(job, ScriptJob) else job)
