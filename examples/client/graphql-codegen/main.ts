// npm install @graphql-codegen/cli @graphql-codegen/typescript-operations @graphql-codegen/typed-document-node; npx graphql-codegen
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { CreatePipelineDocument, PassedBuildDocument } from './slipway.js';

async function execute<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) {
  const reply = await fetch(`${process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000'}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env['SLIPWAY_TOKEN']}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await reply.json()) as { data?: Data; errors?: { message: string }[] };
  if (!data || errors) throw new Error(errors?.map(({ message }) => message).join('; ') ?? reply.statusText);
  return data;
}

const [name = 'Example', passed = 'example'] = process.argv.slice(2);
const org = process.env['SLIPWAY_ORGANIZATION'] ?? 'demo';
const { organization, build } = await execute(PassedBuildDocument, { organization: org, build: `${org}/${passed}/1` });
const repository = { url: 'https://git.example.com/demo/example.git' };
const input = { organizationId: organization!.id, name, repository, steps: { yaml: 'steps: []' } };
const { pipelineCreate } = await execute(CreatePipelineDocument, { input });
const job = build?.jobs?.edges?.[0]?.node;
const exitStatus = job?.__typename === 'JobTypeCommand' ? job.exitStatus : job?.__typename;
console.log(pipelineCreate?.pipeline.slug, build?.state, exitStatus);
