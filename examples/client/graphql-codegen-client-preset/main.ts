// npm install @graphql-codegen/cli @graphql-codegen/client-preset; npx graphql-codegen
import { graphql } from './slipway/index.js';
import type { TypedDocumentString } from './slipway/graphql.js';

const passedBuild = graphql(`
  query PassedBuild($organization: ID!, $build: ID!) {
    organization(slug: $organization) { id }
    build(slug: $build) { state jobs(first: 1) { edges { node { __typename ... on JobTypeCommand { exitStatus } } } } }
  }
`);
const createPipeline = graphql(`
  mutation CreatePipeline($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipeline { slug } } }
`);

async function execute<Data, Variables>(query: TypedDocumentString<Data, Variables>, variables: Variables) {
  const reply = await fetch(`${process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000'}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env['SLIPWAY_TOKEN']}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await reply.json()) as { data?: Data; errors?: { message: string }[] };
  if (!data || errors) throw new Error(errors?.map(({ message }) => message).join('; ') ?? reply.statusText);
  return data;
}

const [name = 'Example', passed = 'example'] = process.argv.slice(2);
const org = process.env['SLIPWAY_ORGANIZATION'] ?? 'demo';
const { organization, build } = await execute(passedBuild, { organization: org, build: `${org}/${passed}/1` });
const repository = { url: 'https://git.example.com/demo/example.git' };
const input = { organizationId: organization!.id, name, repository, steps: { yaml: 'steps: []' } };
const { pipelineCreate } = await execute(createPipeline, { input });
const job = build?.jobs?.edges?.[0]?.node;
const exitStatus = job?.__typename === 'JobTypeCommand' ? job.exitStatus : job?.__typename;
console.log(pipelineCreate?.pipeline.slug, build?.state, exitStatus);
