import { Agent, createServer, get, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gate } from '../../src/server/gate.js';

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

describe('the gate in front of the application', () => {
  let gate: Gate;
  let server: Server;
  let agent: Agent;
  /** Answers requests; set by each test. */
  let application: RequestListener;
  beforeEach(async () => {
    gate = new Gate((request, response) => application(request, response));
    server = createServer(gate.listener);
    agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  const ask = (path: string, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const port = (server.address() as AddressInfo | null)?.port;
      request({ port, host: '127.0.0.1', path, agent, method }, (response) => {
        let body = '';
        response.on('data', (text) => (body += String(text)));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
        response.on('error', reject);
      })
        .on('error', reject)
        .end();
    });

  test('a gate lets every request through', async () => {
    application = (_request, response) => response.end('hello');
    for (const path of ['/', '/healthz', '/readyz'])
      expect(await ask(path)).toMatchObject({ status: 200, body: 'hello' });
  });

  test('a gate of a process that leaves refuses probes and serves all else, on new connections too, each for one reply', async () => {
    application = (_request, response) => response.end('hello');
    await ask('/');
    gate.leave();
    for (const path of ['/healthz', '/readyz', '/readyz?verbose'])
      expect(await ask(path)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1', connection: 'close' },
        body: '{"message":"Slipway is shutting down"}',
      });
    for (const path of ['/', '/v3/ping', '/healthz/other'])
      expect(await ask(path)).toMatchObject({ status: 200, body: 'hello', headers: { connection: 'close' } });
  });

  test('then it refuses reads, which proxies send again elsewhere, and serves changes', async () => {
    application = (_request, response) => response.end('hello');
    gate.leave();
    gate.refuseReads();
    for (const path of ['/', '/v3/ping', '/readyz'])
      expect(await ask(path)).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
    expect(await ask('/', 'HEAD')).toMatchObject({ status: 503, headers: { connection: 'close' } });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await ask('/', method)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  test('once it drains, every request on an open connection is answered 503 with Retry-After, never 404 or 401', async () => {
    gate.close();
    for (const path of ['/v3/ping', '/agentedge.v1.AgentEdgeService/StreamPings', '/v2/user', '/healthz', '/']) {
      const { status, headers, body } = await ask(path);
      expect([status, headers['retry-after'], headers.connection]).toEqual([503, '1', 'close']);
      expect(JSON.parse(body)).toEqual({ message: 'Slipway is shutting down' });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('a draining gate lets requests in progress finish and accepts no new ones', async () => {
    let finish: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      application = (_request, response) => {
        finish = () => response.end('done');
        resolve();
      };
    });
    const slow = ask('/slow');
    await arrived;
    const { port } = server.address() as AddressInfo;
    const drained = gate.drain(server, 5_000);
    await expect(
      new Promise((resolve, reject) => get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject)),
    ).rejects.toThrow(/ECONNREFUSED/);
    finish();
    expect(await slow).toMatchObject({ status: 200, body: 'done', headers: { connection: 'close' } });
    expect(await drained).toBe(0);
  });

  test('a gate that refuses connections serves those that are open, which nobody can then send elsewhere', async () => {
    application = (_request, response) => response.end('hello');
    await ask('/');
    gate.leave();
    const { port } = server.address() as AddressInfo;
    gate.refuseConnections(server);
    await expect(
      new Promise((resolve, reject) => get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject)),
    ).rejects.toThrow(/ECONNREFUSED/);
    expect(
      await new Promise((resolve, reject) =>
        get({ port, host: '127.0.0.1', agent }, ({ statusCode, headers }) =>
          resolve([statusCode, headers.connection]),
        ).on('error', reject),
      ),
    ).toEqual([200, 'close']);
    expect(await gate.drain(server, 5_000)).toBe(0);
  });

  test('idle keep-alive connections do not delay the end of the process', async () => {
    application = (_request, response) => response.end('hello');
    await ask('/');
    const start = Date.now();
    expect(await gate.drain(server, 5_000)).toBe(0);
    expect(Date.now() - start).toBeLessThan(1_000);
  });

  test('requests that do not finish in time are cut off and counted', async () => {
    const arrived = new Promise<void>((resolve) => {
      application = () => resolve();
    });
    const stuck = ask('/stuck');
    const failed = expect(stuck).rejects.toThrow(/socket hang up|ECONNRESET/);
    await arrived;
    expect(await gate.drain(server, 50)).toBe(1);
    await failed;
  });
});
