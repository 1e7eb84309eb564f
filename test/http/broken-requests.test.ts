import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import express from 'express';
import { filesRouter } from '../../src/artifact-transfer/router.js';
import { acceptUpgrades } from '../../src/server/upgrades.js';
import { notFound } from '../../src/server/requests.js';
import { Gate } from '../../src/server/gate.js';
import { uploadRouter } from '../../src/test-uploads/router.js';
import { hashToken } from '../../src/auth/secrets.js';
import { World } from '../support/world.js';

let world: World;
let port: number;
let close: () => void;
beforeAll(async () => {
  world = await World.create();
  await world.insert('suites', {
    organizationId: world.organization.id,
    slug: 'unit',
    name: 'Unit',
    defaultBranch: 'main',
    tokenHash: hashToken('suite-token'),
  });
  const gate = new Gate(
    express().use('/files', filesRouter(world.services)).use('/v1/uploads', uploadRouter(world.services)).use(notFound),
  );
  const server = createServer(gate.listener);
  acceptUpgrades(
    server,
    gate,
    (path) => (path === '/fails' ? () => Promise.reject(new Error('cannot')) : null),
    world.services.log,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(async () => {
  close();
  await world.close();
});

/**
 * Sends raw bytes and returns the status of the reply. The server closes the connection: a client that ends its side
 * before the reply may lose it, since Node then ends the other.
 */
const send = (bytes: string) =>
  new Promise<number>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])))
      .on('error', reject);
  });

describe('a request to upgrade to a WebSocket', () => {
  test.each(['//', 'http://[', '//[', '*', '/%', '//graphql'])(
    'a request for a WebSocket at the target %s is answered 404',
    async (target) => {
      expect(await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).toBe(
        404,
      );
    },
  );

  test('a request for a WebSocket whose connection cannot be taken over is answered 500', async () => {
    expect(await send('GET /fails HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')).toBe(500);
  });
});

describe('a request body that no handler reads', () => {
  test('the connection is closed when the client continues to send the body after the reply', async () => {
    let text = '';
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 40}\r\n\r\n`),
      );
      const piece = Buffer.alloc(64 * 1024);
      const write = () => void (socket.destroyed || socket.write(piece, () => setImmediate(write)));
      socket.once('data', write);
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('error', () => undefined)
        .on('close', () => resolve());
    });
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('a multipart form that ends inside its file', () => {
  const part = (name: string, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const post = (path: string, headers: string, body: string) =>
    send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  const body = `${part('format')}junit\r\n${part('data', '; filename="a.xml"')}<testsuite`;

  test('a form that ends inside its file is answered 400 to a test collector', async () => {
    expect(await post('/v1/uploads', 'Authorization: Token token="suite-token"\r\n', body)).toBe(400);
    expect(
      await post(
        '/v1/uploads',
        'Authorization: Token token="suite-token"\r\n',
        body.replace('name="data"', 'name="other"'),
      ),
    ).toBe(400);
  });

  test('a form that ends inside its file is refused to strangers like any other request', async () => {
    expect(await post('/v1/uploads', '', body)).toBe(401);
    expect([400, 404]).toContain(
      await post('/files/uploads', '', `${part('key')}a.txt\r\n${part('file', '; filename="a.txt"')}hel`),
    );
  });
});
