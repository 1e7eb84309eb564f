import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { call, organization, read } from './slipway.js';

const secret = crypto.randomUUID();

/** Whether Slipway has signed these bytes within the last five minutes. */
function isGenuine(header: string, body: string): boolean {
  const [, timestamp = '', signature = ''] = /^timestamp=(\d+),signature=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  const given = Buffer.from(signature, 'hex');
  const recent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return recent && given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const settings = { url, token: secret, token_mode: 'signature' };
const body = { provider: 'webhook', description: 'Guide', settings, scope: 'all' };
const delivery = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
const service = await read<{ id: string }>(await call(`${organization}/services`, { method: 'POST', body }));

const [request, response] = await delivery;
const received = await text(request);
const genuine = isGenuine(String(request.headers['x-buildkite-signature']), received);
response.writeHead(genuine ? 204 : 401, { Connection: 'close' }).end();
console.log(genuine, (JSON.parse(received) as { event: string }).event);
await call(`${organization}/services/${service.id}`, { method: 'DELETE' });
server.close();
