// npx openapi-typescript@7 $SLIPWAY_URL/v2/openapi.json -o slipway.ts; npm install openapi-fetch
import createClient from 'openapi-fetch';
import type { paths } from './slipway.js';

const [name = 'Example', passed = 'example'] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl: process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000',
  headers: { Authorization: `Bearer ${process.env['SLIPWAY_TOKEN']}` },
});
const org = process.env['SLIPWAY_ORGANIZATION'] ?? 'demo';

const created = await client.POST('/v2/organizations/{org}/pipelines', {
  params: { path: { org } },
  body: { name, repository: 'https://git.example.com/demo/example.git', configuration: 'steps: []' },
});
if (created.error) throw new Error(created.error.message);

const build = await client.GET('/v2/organizations/{org}/pipelines/{slug}/builds/{number}', {
  params: { path: { org, slug: passed, number: 1 } },
});
const job = build.data?.jobs?.[0];
console.log(created.data?.slug, build.data?.state, job?.type === 'script' ? job.exit_status : job?.type);
