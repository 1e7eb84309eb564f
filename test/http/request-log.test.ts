import express from 'express';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { agentRouter } from '../../src/agent-api/router.js';
import { createLog } from '../../src/server/logging.js';
import { requestRecords } from '../../src/server/requests.js';
import type { Services } from '../../src/services/services.js';

/** Sends one request to an application and returns the reply with the log lines that it caused. */
async function request(
  path: string,
  surfaces: (application: express.Express, services: Services) => void,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string; lines: Record<string, unknown>[] }> {
  const stream = new PassThrough();
  const log = await createLog('debug', stream as unknown as NodeJS.WriteStream);
  const db = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('broken');
      },
    },
  );
  // Only the log and the broken database are used before the request fails.
  const services = { log, db, clock: { now: () => new Date() } } as unknown as Services;
  const application = express();
  const record = requestRecords(services, null);
  surfaces(application, services);
  const server = createServer((asked, reply) => {
    record(asked, reply);
    application(asked, reply);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const body = await reply.text();
  const lines: Record<string, unknown>[] = [];
  while (!lines.some((line) => line['status'] !== undefined)) {
    const chunk = (stream.read() ?? (await new Promise((resolve) => stream.once('data', resolve)))) as Buffer;
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line) as Record<string, unknown>);
  }
  server.close();
  return { status: reply.status, body, lines };
}

describe('the request log', () => {
  test('an error of the agent API is logged with request_id, route template and the level as a word', async () => {
    const { status, lines } = await request(
      '/v3/jobs/9d0f5b1e-1111-4222-8333-444444444444',
      (application, services) => application.use('/v3', agentRouter(services)),
      { authorization: 'Token some-token', 'x-request-id': 'from-the-proxy' },
    );
    expect(status).toBe(500);
    const failure = lines.find((line) => line['msg'] === 'agent request failed');
    expect(failure).toMatchObject({
      level: 'error',
      request_id: expect.any(String),
      method: 'GET',
      route: '/v3/jobs/:job',
    });
    expect(failure).not.toHaveProperty('requestId');
    expect(failure).not.toHaveProperty('path');
  });

  test('a request from a known caller is logged with the kind and id of the caller', async () => {
    const { lines } = await request('/it', (application) =>
      application.get('/it', (_request, response) => {
        response.locals['actor'] = { kind: 'user', userId: 'u-1' };
        response.json({});
      }),
    );
    expect(lines.find((line) => line['msg'] === 'request')).toMatchObject({
      level: 'info',
      route: '/it',
      actor: 'user',
      actor_id: 'u-1',
    });
  });
});
