# pip install ariadne-codegen; ariadne-codegen
import os
import sys

from slipway import Client, PipelineCreateInput, PipelineRepositoryInput, PipelineStepsInput

name, passed = (sys.argv[1:] + ["Example", "example"])[:2]
org = os.environ.get("SLIPWAY_ORGANIZATION", "demo")
url = os.environ.get("SLIPWAY_URL", "http://127.0.0.1:3000") + "/graphql"
client = Client(url, headers={"Authorization": f"Bearer {os.environ['SLIPWAY_TOKEN']}"})

read = client.passed_build(organization=org, build=f"{org}/{passed}/1")
assert read.organization and read.build and read.build.jobs and read.build.jobs.edges
created = client.create_pipeline(
    PipelineCreateInput(
        organization_id=read.organization.id,
        name=name,
        repository=PipelineRepositoryInput(url="https://git.example.com/demo/example.git"),
        steps=PipelineStepsInput(yaml="steps: []"),
    )
)
assert created.pipeline_create
edge = read.build.jobs.edges[0]
job = edge.node if edge else None
exit_status = job.exit_status if job and job.typename__ == "JobTypeCommand" else None
print(created.pipeline_create.pipeline.slug, read.build.state.value, exit_status)
