import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as secureRequest, type Server as HttpsServer } from 'node:https';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { WebSocket, WebSocketServer } from 'ws';
import { Gate } from '../../src/server/gate.js';
import { createHttpServer } from '../../src/server/listen.js';
import { readTlsPair, reloadCertificates } from '../../src/server/tls.js';
import { acceptUpgrades, type Upgrade } from '../../src/server/upgrades.js';
import { makeCertificate, noCertificates } from '../support/certificate.js';
import { temporaryDirectory } from '../support/directory.js';
import { describeUnless } from '../support/skips.js';

const log = pino({ level: 'silent' });
const directory = temporaryDirectory();
afterAll(() => directory.remove());

describeUnless(noCertificates, 'a server with TLS_CERT and TLS_KEY', () => {
  const files = makeCertificate(directory.path, 'served');
  const root = 'https://localhost';
  const sockets = new WebSocketServer({ noServer: true });
  let server: Server;
  let stopReload: () => void;
  let port: number;
  beforeAll(async () => {
    const gate = new Gate((request, response) => response.end(`${request.method} ${request.url}`));
    server = createHttpServer(gate.listener, { pair: readTlsPair(files), root: () => root });
    const echo: Upgrade = async (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (client) =>
        client.on('message', (text) => client.send(String(text))),
      );
      return true;
    };
    acceptUpgrades(server, gate, (path) => (path === '/graphql' ? echo : null), log);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    stopReload = reloadCertificates(server as unknown as HttpsServer, files, log, 20);
  });
  afterAll(async () => {
    stopReload();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  interface Reply {
    status: number | undefined;
    headers: Record<string, string | string[] | undefined>;
    body: string;
  }
  const ask = (send: typeof plainRequest, options: object): Promise<Reply> =>
    new Promise((resolve, reject) => {
      send({ host: '127.0.0.1', port, path: '/v2?a=1', agent: false, ...options }, (reply) => {
        let body = '';
        reply.setEncoding('utf8').on('data', (text: string) => (body += text));
        reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, body }));
      })
        .on('error', reject)
        .end();
    });
  const secure = (options: object = {}) =>
    ask(secureRequest, { ca: readFileSync(files.certificate), servername: 'localhost', ...options });
  const served = (): Promise<PeerCertificate> =>
    new Promise((resolve, reject) => {
      const socket: TLSSocket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      }).on('error', reject);
    });

  test('answers https, and tells browsers to stay with it', async () => {
    const { status, headers, body } = await secure();
    expect([status, body, headers['strict-transport-security']]).toEqual([200, 'GET /v2?a=1', 'max-age=31536000']);
  });

  test('sends reads that come in plain HTTP to BASE_URL, and refuses changes', async () => {
    expect(await ask(plainRequest, {})).toMatchObject({ status: 308, headers: { location: `${root}/v2?a=1` } });
    expect(await ask(plainRequest, { path: 'http://elsewhere.example/x' })).toMatchObject({
      headers: { location: `${root}/` },
    });
    const refused = await ask(plainRequest, { method: 'POST' });
    expect([refused.status, refused.headers['location'], refused.body]).toEqual([
      426,
      undefined,
      JSON.stringify({ message: `This port speaks https: send the request to ${root}` }),
    ]);
  });

  test('opens WebSockets, and answers other offers to change the protocol as plain requests', async () => {
    const client = new WebSocket(`wss://127.0.0.1:${port}/graphql`, { rejectUnauthorized: false });
    const echoed = new Promise((resolve) => client.once('message', (text) => resolve(String(text))));
    client.once('open', () => client.send('hello'));
    expect(await echoed).toBe('hello');
    client.terminate();
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' };
    expect(await secure({ headers })).toMatchObject({ status: 200, body: 'GET /v2?a=1' });
  });

  test('is not stopped by connections that say nothing, or nonsense', async () => {
    const silent = connect({ port, host: '127.0.0.1' });
    const nonsense = connect({ port, host: '127.0.0.1' }, () => nonsense.write(Buffer.from([0x16, 1, 2, 3, 4, 5, 6])));
    nonsense.on('error', () => undefined);
    await new Promise((resolve) => nonsense.once('close', resolve));
    expect(await secure()).toMatchObject({ status: 200 });
    silent.destroy();
  });

  test('takes new files as soon as they fit each other, and keeps the former ones until then', async () => {
    const before = (await served()).fingerprint256;
    const next = makeCertificate(directory.path, 'next');
    const replace = (from: string, to: string) => {
      copyFileSync(from, `${to}.new`);
      renameSync(`${to}.new`, to);
    };
    replace(next.certificate, files.certificate);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await served()).fingerprint256).toBe(before);
    replace(next.key, files.key);
    await vi.waitFor(async () => expect((await served()).fingerprint256).not.toBe(before), { timeout: 5_000 });
  });

  test('does not start with files that do not fit, and says in one sentence what is wrong', () => {
    const other = makeCertificate(directory.path, 'other');
    const empty = join(directory.path, 'empty.pem');
    writeFileSync(empty, '');
    const problems = (
      [
        [join(directory.path, 'none.crt'), files.key],
        [empty, files.key],
        [files.certificate, empty],
        [files.certificate, other.key],
      ] as const
    ).map(([certificate, key]) => {
      try {
        readTlsPair({ certificate, key });
        return null;
      } catch (error) {
        return String(error).replaceAll(`${directory.path}/`, '');
      }
    });
    expect(problems).toEqual([
      'ConfigError: TLS_CERT: none.crt cannot be read (ENOENT): name the file with the certificate in PEM',
      'ConfigError: TLS_CERT: empty.pem holds no certificate: it must be PEM, as -----BEGIN …-----',
      expect.stringContaining('TLS_KEY: empty.pem holds no key that can be read without a passphrase'),
      expect.stringContaining('TLS_KEY: the key in other.key is not that of the first certificate in served.crt'),
    ]);
  });
});
