import { call, organization } from './slipway.js';

const first = await call(`${organization}/pipelines/guide/builds/1`);
const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' };
const second = await call(`${organization}/pipelines/guide/builds/1`, { headers });
console.log(second.status);
