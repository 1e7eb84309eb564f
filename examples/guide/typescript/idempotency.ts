import { call, graphql, organization, read } from './slipway.js';

const pipeline = `${organization}/pipelines/guide`;
const body = { commit: 'HEAD', branch: 'main' };
const headers = { 'Idempotency-Key': crypto.randomUUID() };
for (const _attempt of [1, 2]) {
  const build = await read<{ number: number }>(await call(`${pipeline}/builds`, { method: 'POST', body, headers }));
  console.log(build.number);
}

const { graphql_id } = await read<{ graphql_id: string }>(await call(pipeline));
const start = `mutation ($pipeline: ID!) {
  buildCreate(input: { pipelineID: $pipeline, commit: "HEAD", branch: "main" }) { build { number } } }`;
const again = { 'Idempotency-Key': crypto.randomUUID() };
for (const _attempt of [1, 2]) {
  const { data } = await graphql<{ buildCreate: { build: { number: number } } }>(start, { pipeline: graphql_id }, again);
  console.log(data?.buildCreate.build.number);
}
