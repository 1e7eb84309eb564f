import type { IncomingMessage } from 'node:http';
import express from 'express';
import supertest from 'supertest';
import { agentRouter } from '../../src/agent-api/router.js';
import { readConfig } from '../../src/server/config.js';
import { ConfigError } from '../../src/services/config-error.js';
import { clientAddress, trustProxies } from '../../src/http/client-address.js';
import { createApplication } from '../../src/server/application.js';
import { World } from '../support/world.js';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a caller', () => {
  const trust = trustProxies(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1']);

  test.each([
    ["without a trusted proxy is the socket's", undefined, '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['outside the trusted proxies is its own, whatever it forwards', trust, '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['behind a trusted proxy is the one it names', trust, '10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['behind a proxy on IPv4 in IPv6 is the one it names', trust, '::ffff:10.1.2.3', '198.51.100.7', '198.51.100.7'],
    [
      'behind two trusted proxies is the first that is not trusted',
      trust,
      '10.1.2.3',
      '6.6.6.6, 198.51.100.7, 10.9.9.9',
      '198.51.100.7',
    ],
    [
      'that forged a forwarded entry is the one the proxy saw',
      trust,
      '10.1.2.3',
      '127.0.0.1, 198.51.100.7',
      '198.51.100.7',
    ],
    ['forwarded with a port is the address alone', trust, '10.1.2.3', '198.51.100.7:8080', '198.51.100.7'],
    ['forwarded in brackets is the address alone', trust, '10.1.2.3', '[2001:db9::1]:443', '2001:db9::1'],
    ['on IPv4 in IPv6 is written as IPv4', undefined, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['that a trusted proxy does not know is null', trust, '10.1.2.3', 'unknown', null],
    ['whose connection is closed is null', trust, undefined, '1.2.3.4', null],
  ])('the address of a caller %s', (_name, trusted, socket, forwarded, expected) => {
    expect(clientAddress(from(socket, forwarded), trusted)).toBe(expected);
  });
});

describe('TRUSTED_PROXIES', () => {
  test('TRUSTED_PROXIES lists networks and addresses, and is empty by default', () => {
    expect(readConfig({}).trustedProxies).toEqual([]);
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual(['10.0.0.0/8', '::1']);
  });

  test.each(['proxy.example.com', '10.0.0.0/99', '0.0.0.0/0', '::/0'])(
    'TRUSTED_PROXIES=%s is refused at start',
    (value) => {
      expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow(ConfigError);
    },
  );

  test('TRUSTED_PROXIES decides which address an agent token allows, and whether a request came over HTTPS', async () => {
    const world = await World.create();
    try {
      await world.services.db.updateTable('agent_tokens').set({ allowedIpAddresses: '198.51.100.0/24' }).execute();
      const register = (trustsProxy: typeof world.services.trustsProxy) => {
        const services = { ...world.services, ...(trustsProxy ? { trustsProxy } : {}) };
        const app = createApplication(
          services,
          [
            { path: '/v3', router: agentRouter(services) },
            {
              path: '/secure',
              router: express.Router().get('/', (request, response) => void response.json(request.secure)),
            },
          ],
          { metrics: false },
        );
        const behind = { 'X-Forwarded-For': '198.51.100.7', 'X-Forwarded-Proto': 'https' };
        return {
          status: supertest(app)
            .post('/v3/register')
            .set({ Authorization: `Token ${world.agentToken}`, ...behind })
            .send({ name: 'a', meta_data: ['queue=default'] })
            .then(({ status }) => status),
          secure: supertest(app)
            .get('/secure')
            .set(behind)
            .then(({ body }) => body as boolean),
        };
      };
      const nobody = register(undefined);
      expect([await nobody.status, await nobody.secure]).toEqual([403, false]);
      const proxy = register(trustProxies(['127.0.0.0/8', '::1']));
      expect([await proxy.status, await proxy.secure]).toEqual([200, true]);
      expect(await world.services.db.selectFrom('agents').select('ipAddress').execute()).toEqual([
        { ipAddress: '198.51.100.7' },
      ]);
    } finally {
      await world.close();
    }
  });
});
