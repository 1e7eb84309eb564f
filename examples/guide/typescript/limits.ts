import { call, organization, root } from './slipway.js';

const reply = await call(`${organization}/pipelines`);
for (const name of ['Limit', 'Remaining']) if (reply.headers.has(`RateLimit-User-${name}`)) console.log(name);
const query = { query: '{ viewer { id } }' };
const points = await call(root.replace(/v2$/, 'graphql'), { method: 'POST', body: query });
if (points.headers.has('RateLimit-Complexity-Actual')) console.log('Complexity-Actual');
