import { call, graphql, organization } from './slipway.js';

const reply = await call(`${organization}/pipelines`, { method: 'POST', body: {} });
const { message, errors = [] } = (await reply.json()) as { message: string; errors?: { field: string; code: string }[] };
console.log(`${reply.status} ${message}: ${errors.map(({ field, code }) => `${field} ${code}`).join(', ')}`);

const refused = await graphql(
  'mutation { pipelineCreate(input: { organizationId: "demo", name: "", repository: { url: "" } }) { pipeline { slug } } }',
);
for (const { extensions } of refused.errors ?? []) {
  console.log(`${extensions.code}: ${extensions.fields?.map(({ field }) => field).join(', ')}`);
}
