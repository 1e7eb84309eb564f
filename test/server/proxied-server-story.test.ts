import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/database.js';
import { PingStream } from '../support/ping-stream.js';
import { Program } from '../support/program.js';
import { installedProgram, ProxyProgram } from '../support/proxy-programs.js';
import { describeUnless } from '../support/skips.js';
import { Listener, socketClient } from '../graphql/subscriptions/support.js';
import { testPort } from '../support/test-port.js';
import { startTraefik } from '../support/traefik-sample.js';

/** Bytes of the artifact that goes through each proxy and back; `PROXY_ARTIFACT_MB=1000` for a large one. */
const artifactBytes = Number(process.env['PROXY_ARTIFACT_MB'] ?? 100) * 1_000_000;

const token = 'a-secret-of-twenty-characters';
const agentToken = 'an-agent-token-of-the-test';
const provisioning = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Linux
    members: [{user: ada@example.com, role: admin}]
    clusters:
      - name: Linux
        queues: [{key: default}]
        default_queue: default
        agent_tokens: [{description: machines, token: ${agentToken}}]
    pipelines:
      - slug: large
        name: Large
        repository: https://git.example.com/large.git
        cluster: Linux
        configuration: |
          env: {BUILDKITE_SKIP_CHECKOUT: "true"}
          steps:
            - command: >-
                head -c ${artifactBytes} /dev/urandom > large.bin && sha256sum large.bin | cut -c1-64 > sum.txt &&
                buildkite-agent artifact upload "large.bin;sum.txt" && rm large.bin
api_tokens:
  - {user: ada@example.com, description: ci, token: ${token}, scopes: all, organizations: all}
`;

/** Whether an nginx passes trailers: 1.27.2 and newer. */
function passesTrailers(program: string): boolean {
  const { stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
  const [, major = 0, minor = 0, patch = 0] = (/(\d+)\.(\d+)\.(\d+)/.exec(stderr) ?? []).map(Number);
  return major * 1_000_000 + minor * 1_000 + patch >= 1_027_002;
}

interface Sample {
  program: string;
  /** Starts the sample of deploy between two ports; both replicas are the one server. */
  start(program: string, proxy: number, server: number): ProxyProgram;
  trailers(program: string): boolean;
}

const replicas = (text: string, server: number) =>
  text.replaceAll('127.0.0.1:3000', `127.0.0.1:${server}`).replaceAll('127.0.0.1:3001', `127.0.0.1:${server}`);

const samples: Sample[] = [
  {
    program: 'nginx',
    start: (program, proxy, server) => {
      const text = replicas(readFileSync('deploy/nginx/slipway.conf', 'utf8'), server)
        .replace('listen 80;', `listen 127.0.0.1:${proxy};`)
        .replaceAll(/# (proxy_pass_trailers|proxy_set_header TE)/g, passesTrailers(program) ? '$1' : '# $1');
      return ProxyProgram.nginx(program, text);
    },
    trailers: passesTrailers,
  },
  {
    program: 'caddy',
    start: (program, proxy, server) => {
      const text = replicas(readFileSync('deploy/caddy/Caddyfile', 'utf8'), server);
      const own = text.replace('ci.example.com {', `http://127.0.0.1:${proxy} {`);
      return ProxyProgram.caddy(program, `{\nadmin off\n}\n${own}`);
    },
    trailers: () => true,
  },
  {
    program: 'traefik',
    start: (program, proxy, server) => startTraefik(program, proxy, [server]),
    trailers: () => true,
  },
];

for (const sample of samples) {
  const program = installedProgram(sample.program);
  const reason = program === null ? `${sample.program} is not installed` : null;
  describeUnless(reason, `a server behind the ${sample.program} of deploy`, () => proxied(sample, program ?? ''));
}

function proxied(sample: Sample, program: string): void {
  const directory = temporaryDirectory();
  let proxy: ProxyProgram;
  let server: Program;
  let url: string;
  beforeAll(async () => {
    const [front, back] = [await testPort(), await testPort()];
    url = `http://127.0.0.1:${front}`;
    const file = join(directory.path, 'slipway.yaml');
    writeFileSync(file, provisioning);
    server = Program.start(['serve', '--apply', file], {
      DATA_DIR: join(directory.path, 'data'),
      PORT: String(back),
      BASE_URL: url,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    await server.until(/"msg":"listening"/);
    proxy = sample.start(program, front, back);
    await proxy.answers(`${url}/healthz`);
    // Proxies with health checks may leave a server out until they have looked at it.
    await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), { timeout: 10_000 });
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await proxy.stop();
    directory.remove();
  });

  const ask = async <T>(path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(path.startsWith('http') ? path : url + path, { headers, ...init });
    return (await reply.json()) as T;
  };

  test('WebSockets and event streams are open, and pass on each message as it comes', async () => {
    const query = 'subscription { pipelines(id: "acme") { cursor event { type } } }';
    const client = socketClient(url, token);
    const listener = new Listener(client, query);
    await listener.until(() => listener.messages.length === 1);
    listener.stop();
    await client.dispose();

    const control = new AbortController();
    const reply = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
      signal: control.signal,
    });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!/^event: next\n/m.test(text)) text += (await reader?.read())?.value ?? '';
    // The stream has not ended.
    control.abort();
  });

  test(`an artifact of ${artifactBytes / 1e6} MB goes through by the agent that makes it, and comes back whole`, async () => {
    const agent = Program.start(
      [
        'agent',
        'start',
        '--endpoint',
        `${url}/v3`,
        '--token',
        agentToken,
        '--build-path',
        join(directory.path, 'builds'),
      ],
      {},
    );
    try {
      const builds = '/v2/organizations/acme/pipelines/large/builds';
      await ask(builds, { method: 'POST', body: JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'Large' }) });
      const state = async () => (await ask<{ state: string }>(`${builds}/1`)).state;
      await vi.waitFor(async () => expect(await state()).toMatch(/passed|failed/), { timeout: 300_000, interval: 500 });
      expect(await state()).toBe('passed');
      const artifacts = await ask<{ filename: string; file_size: number; download_url: string }[]>(
        `${builds}/1/artifacts`,
      );
      const read = async (name: string) => {
        const found = artifacts.find(({ filename }) => filename === name);
        const { url: address } = await ask<{ url: string }>(found?.download_url ?? '', { redirect: 'manual' });
        expect(address.startsWith(url)).toBe(true);
        const reply = await fetch(address);
        const hash = createHash('sha256');
        const pieces: Uint8Array[] = [];
        let bytes = 0;
        for await (const piece of reply.body ?? []) {
          hash.update(piece as Uint8Array);
          bytes += (piece as Uint8Array).length;
          if (bytes < 1_000) pieces.push(piece as Uint8Array);
        }
        return { bytes, sum: hash.digest('hex'), text: Buffer.concat(pieces).toString() };
      };
      const large = await read('large.bin');
      expect(large.bytes).toBe(artifactBytes);
      expect(large.sum).toBe((await read('sum.txt')).text.trim());
    } finally {
      await agent.stop('SIGKILL');
    }
  }, 400_000);

  test('streams of agents are open, and their ends arrive with trailers where the proxy passes them', async () => {
    const call = async (path: string, credential: string, body: object = {}) => {
      const headers = { authorization: `Token ${credential}`, 'content-type': 'application/json' };
      const reply = await fetch(`${url}/v3${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await reply.json()) as { id: string; access_token: string };
    };
    const fields = { name: 'agent', hostname: 'box', os: 'linux', arch: 'amd64', version: '3.137.0', build: 'x' };
    const { id, access_token: session } = await call('/register', agentToken, {
      ...fields,
      meta_data: ['queue=default'],
      pid: 7,
      features: [],
    });
    await call('/connect', session);
    const stream = PingStream.open(url, { session, id });
    expect(await stream.next()).toBeDefined();
    expect((await server.stop()).code).toBe(0);
    const { status, grpcStatus } = await stream.ended;
    expect([status, grpcStatus !== undefined]).toEqual([200, sample.trailers(program)]);
  }, 60_000);
}
