import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { installedProgram, ProxyProgram } from '../support/proxy-programs.js';
import { describeUnless } from '../support/skips.js';
import { testPort } from '../support/test-port.js';
import { startTraefik } from '../support/traefik-sample.js';

/** What a replica does, as far as a proxy sees it, and what has come to it. */
class Replica {
  status = 200;
  readonly requests: string[] = [];
  probes = 0;
  forwarded: IncomingMessage['headers'] = {};
  private readonly server: Server = createServer((incoming, response) => {
    if (incoming.url === '/readyz') this.probes += 1;
    else this.requests.push(`${incoming.method} ${incoming.url}`);
    this.forwarded = incoming.headers;
    incoming.resume();
    // A change that is on its way on a connection that ends in this moment is lost: kept ones are `rolling-restart`'s.
    response.shouldKeepAlive = false;
    response.writeHead(this.status).end('replica');
  });

  async start(): Promise<this> {
    this.server.on('upgrade', (incoming, socket) => {
      this.requests.push(`upgrade ${incoming.url}`);
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    });
    // Nobody else gets the port once it is stopped.
    const port = await testPort();
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

type Ports = readonly [proxy: number, first: number, second: number];
type Places = [place: string, replacement: string][];

/** Puts the ports of the test into a sample, and fails where a sample has changed so that one is not there. */
function withPorts(text: string, places: Places): string {
  return places.reduce((result, [place, replacement]) => {
    if (!result.includes(place)) throw new Error(`the sample has no ${place}`);
    return result.replaceAll(place, replacement);
  }, text);
}

const upstreams = ([, first, second]: Ports): Places => [
  ['127.0.0.1:3000', `127.0.0.1:${first}`],
  ['127.0.0.1:3001', `127.0.0.1:${second}`],
];

const samples: [string, string, (program: string, ports: Ports) => ProxyProgram][] = [
  [
    'deploy/nginx/slipway.conf',
    'nginx',
    (program, ports) => {
      const text = readFileSync('deploy/nginx/slipway.conf', 'utf8');
      const places: Places = [['listen 80;', `listen 127.0.0.1:${ports[0]};`], ...upstreams(ports)];
      return ProxyProgram.nginx(program, withPorts(text, places));
    },
  ],
  [
    'deploy/caddy/Caddyfile',
    'caddy',
    (program, ports) => {
      const text = readFileSync('deploy/caddy/Caddyfile', 'utf8');
      const places: Places = [['ci.example.com {', `http://127.0.0.1:${ports[0]} {`], ...upstreams(ports)];
      return ProxyProgram.caddy(program, `{\nadmin off\n}\n${withPorts(text, places)}`);
    },
  ],
  ['deploy/traefik', 'traefik', (program, [proxy, ...replicas]) => startTraefik(program, proxy, replicas)],
  [
    'the Caddyfile of compose.yaml',
    'caddy',
    (program, [proxy, first, second]) => {
      const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
        configs: { caddyfile: { content: string } };
      };
      const places: Places = [
        ['slipway-1:3000', `127.0.0.1:${first}`],
        ['slipway-2:3000', `127.0.0.1:${second}`],
        [':3000 {', `http://127.0.0.1:${proxy} {`],
      ];
      return ProxyProgram.caddy(program, withPorts(compose.configs.caddyfile.content, places));
    },
  ],
];

for (const [name, programName, start] of samples) {
  const program = installedProgram(programName);
  const reason = program === null ? `${programName} is not installed` : null;
  describeUnless(reason, name, () => testProxy(programName, (ports) => start(program ?? '', ports)));
}

function testProxy(programName: string, start: (ports: Ports) => ProxyProgram): void {
  let replicas: Replica[] = [];
  let proxy: ProxyProgram;
  let url: string;

  beforeEach(async () => {
    replicas = [await new Replica().start(), await new Replica().start()];
    const ports = [await testPort(), replicas[0]?.port ?? 0, replicas[1]?.port ?? 0] as const;
    proxy = start(ports);
    url = `http://127.0.0.1:${ports[0]}`;
    await proxy.answers(`${url}/metrics`);
    // Caddy and Traefik may leave a replica out until they have looked at it.
    const isSeen = () => replicas.every(({ requests: seen, probes }) => probes > 0 || seen.length > 0);
    await vi.waitFor(
      async () => {
        expect((await fetch(`${url}/v2/user`)).status).toBe(200);
        expect(isSeen()).toBe(true);
      },
      { timeout: 20_000, interval: 100 },
    );
    for (const { requests: seen } of replicas) seen.length = 0;
  });
  afterEach(async () => {
    await proxy.stop();
    for (const replica of replicas) await replica.stop();
  });

  const requests = () => replicas.flatMap((replica) => replica.requests);
  const statuses = async (count: number, init?: RequestInit) => {
    const seen: number[] = [];
    for (let time = 0; time < count; time += 1) seen.push((await fetch(`${url}/v2/user`, init)).status);
    return seen;
  };

  test('metrics are hidden from those who come through the proxy, and nothing else is', async () => {
    const { port } = new URL(url);
    // As a client that does not normalize paths sends them.
    const ask = (path: string) =>
      new Promise<number>((resolve, reject) => {
        request({ host: '127.0.0.1', port, path }, (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    for (const path of ['/metrics', '/metrics?x=1', '/%6detrics']) expect([path, await ask(path)]).toEqual([path, 404]);
    // Traefik passes it on as it is, and Slipway has no such path.
    expect(await ask('/v2/../metrics')).toBe(programName === 'traefik' ? 200 : 404);
    expect(requests().filter((line) => /metrics/.test(line) && !/^GET \/v2\/\.\.\/metrics$/.test(line))).toEqual([]);
    expect(await ask('/acme/metrics')).toBe(200);
  });

  test('every read and change is answered while one replica is gone', async () => {
    await replicas[0]?.stop();
    // So many that the one that is gone is found out by a read: a change that finds out may be lost behind Caddy.
    expect(new Set(await statuses(20))).toEqual(new Set([200]));
    expect(new Set(await statuses(6, { method: 'POST', body: '{}' }))).toEqual(new Set([200]));
  });

  test('WebSocket upgrades reach a replica, and so do the address of the caller and the host', async () => {
    await fetch(`${url}/v2/user`);
    const { forwarded } = replicas.find((replica) => replica.requests.length > 0) ?? new Replica();
    expect(forwarded['x-forwarded-for']).toBe('127.0.0.1');
    expect(forwarded['x-forwarded-proto']).toBe('http');
    const upgraded = await new Promise<number>((resolve, reject) => {
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'x'.repeat(24),
        'Sec-WebSocket-Version': '13',
      };
      request(`${url}/graphql`, { headers })
        .on('upgrade', (reply, socket) => {
          socket.destroy();
          resolve(reply.statusCode ?? 0);
        })
        .on('response', (reply) => resolve(reply.statusCode ?? 0))
        .on('error', reject)
        .end();
    });
    expect(upgraded).toBe(101);
  });

  if (programName === 'nginx')
    test('a read that a stopping replica refuses is answered by another one, and a change is not sent twice', async () => {
      if (replicas[0]) replicas[0].status = 503;
      expect(new Set(await statuses(6))).toEqual(new Set([200]));
      if (replicas[1]) replicas[1].status = 503;
      const before = requests().filter((line) => line.startsWith('POST')).length;
      await statuses(1, { method: 'POST', body: '{}' });
      expect(requests().filter((line) => line.startsWith('POST')).length - before).toBeLessThanOrEqual(1);
    });
}
