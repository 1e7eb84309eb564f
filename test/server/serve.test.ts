import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

const file = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - {slug: acme, name: Acme, members: [{user: ada@example.com, role: admin}]}
api_tokens:
  - {user: ada@example.com, description: ci, token: a-secret-of-twenty-characters, scopes: all, organizations: all}
`;

describe('slipway serve', () => {
  const directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const provisioning = join(directory.path, 'slipway.yaml');
  let program: Program;
  let url: string;

  const start = async () => {
    program = Program.start(['serve', '--apply', provisioning], { DATA_DIR: dataDir, PORT: '0' });
    url = (await program.until(/"url":"(http:[^"]+)"/))[1] ?? '';
  };
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

  beforeAll(async () => {
    writeFileSync(provisioning, file);
    await migrateDataDirectory(dataDir);
    await start();
  }, 90_000);
  afterAll(async () => {
    await program.stop('SIGKILL');
    directory.remove();
  });

  test('slipway serve is healthy on the port it chose, and its URLs name that port', async () => {
    const reply = await ask('/healthz');
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }]);
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(program.stdout).toContain(`"base_url":"${url}"`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('the home page is JSON for programs and HTML for browsers', async () => {
    expect(await (await ask('/', { accept: 'application/json' })).json()).toEqual({
      message: '🛠',
      timestamp: expect.any(Number),
    });
    for (const accept of ['text/html', '*/*'])
      expect((await ask('/', { accept })).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test.each([
    '/acme',
    '/acme/deploy/builds/3',
    '/organizations/acme/agents/0190',
    '/nobody/nothing/builds/1',
    '/acme/x/y/z',
    '/acme/%3Cscript%3E',
  ])('%s leads people who are not signed in to the sign-in page and back, whether or not it exists', async (path) => {
    const reply = await fetch(url + path, { redirect: 'manual' });
    expect([reply.status, reply.headers.get('location')]).toEqual([
      302,
      `/login?return_to=${encodeURIComponent(path)}`,
    ]);
  });

  test.each(['/robots.txt', '/v1/nothing', '/webhooks/nothing', '/badge/unknown.svg', `/badge/${'0'.repeat(50)}.svg`])(
    '%s is answered 404 in JSON',
    async (path) => {
      const reply = await ask(path);
      expect([reply.status, await reply.json()]).toEqual([404, { message: expect.any(String) }]);
    },
  );

  test('a path that cannot be decoded is answered 400 without internal details', async () => {
    const reply = await ask('/acme/%E0%A4%A');
    expect([reply.status, await reply.text()]).toEqual([400, '{"message":"Bad Request"}']);
  });

  test('badges are images that must not be cached', async () => {
    const reply = await ask('/badge/sample.svg?status=failing&theme=slack');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(reply.headers.get('cache-control')).toContain('no-store');
    const text = await reply.text();
    expect(text).toContain('failing');
    expect(text).toContain('#d7100c');
  });

  test('slipway serve accepts and serves files at signed URLs only', async () => {
    const put = await fetch(`${url}/files/uploads/0190?expires=9999999999&signature=x`, { method: 'PUT', body: 'x' });
    const form = await fetch(`${url}/files/uploads`, { method: 'POST', body: 'x' });
    expect([put.status, form.status, (await ask('/files/artifacts/0190?expires=1&signature=x')).status]).toEqual([
      404, 415, 404,
    ]);
  });

  test('the metrics count requests by route template, never by path', async () => {
    await fetch(`${url}/acme/secret-name/builds/7`, { redirect: 'manual' });
    const text = await (await ask('/metrics')).text();
    expect(text).toContain(
      'slipway_http_request_duration_seconds_count{method="GET",route="/:organization/:pipeline/builds/:number",status="302"}',
    );
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('secret-name');
  });

  test('the metrics are at one spelling of their path, so that a proxy can hide them', async () => {
    for (const path of ['/metrics/', '/Metrics', '/METRICS', '//metrics', '/%6detrics'])
      expect([path, (await (await ask(path)).text()).includes('process_resident_memory_bytes')]).toEqual([path, false]);
  });

  test('slipway serve writes neither its key nor secrets to its logs', async () => {
    await ask('/badge/0123456789abcdef0123456789abcdef0123456789abcdef01.svg', {
      authorization: 'Bearer a-secret-of-twenty-characters',
    });
    const key = join(dataDir, 'secret-key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    for (const secret of [readFileSync(key, 'utf8'), 'a-secret-of-twenty-characters', '0123456789abcdef0123'])
      expect(program.stdout + program.stderr).not.toContain(secret);
    for (const line of program.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  test('a second process on the same data directory is refused, naming the first', async () => {
    const second = await Program.run(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`${dataDir} is in use by process ${program.child.pid}`);
    const onSamePort = await Program.run(['serve'], { DATA_DIR: dataDir, PORT: new URL(url).port });
    expect(onSamePort.stderr).toContain(`is in use by process ${program.child.pid}`);
  });

  test('a port that is in use is named in the error, with a remedy', async () => {
    const other = join(directory.path, 'other');
    const second = await Program.run(['serve'], { DATA_DIR: other, PORT: new URL(url).port });
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining(`port ${new URL(url).port} on 127.0.0.1 is taken`),
    ]);
    expect(existsSync(join(other, 'database'))).toBe(false);
  });

  test('a refused provisioning file prevents the start and changes nothing', async () => {
    const wrong = join(directory.path, 'wrong.yaml');
    writeFileSync(wrong, 'users:\n  - {email: ada@example.com, nmae: Ada}\n');
    const other = join(directory.path, 'third');
    const { code, stderr } = await Program.run(['serve', '--apply', wrong], { DATA_DIR: other, PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toContain(`${wrong}:2:30: unknown key "nmae"`);
    expect(stderr).toContain(`${wrong}:2:5: name is missing`);
    expect(existsSync(other)).toBe(false);
  });

  test('the port opens once requests are answered, so that a proxy never sends one to a server that starts', async () => {
    const { port } = new URL(url);
    const key = readFileSync(join(dataDir, 'secret-key'), 'utf8');
    expect((await program.stop()).code).toBe(0);
    program = Program.start(['serve'], { DATA_DIR: dataDir, PORT: port });
    const answers = new Set<number>();
    const deadline = Date.now() + 60_000;
    while (!answers.has(200) && Date.now() < deadline && program.child.exitCode === null) {
      const reply = await fetch(`${url}/healthz`).catch(() => null);
      if (reply) answers.add(reply.status);
      else await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect([...answers]).toEqual([200]);
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(key);
  }, 90_000);

  test('a server that was asked to stop refuses probes first and serves on, so that a proxy has time to look', async () => {
    await program.stop();
    program = Program.start(['serve'], { DATA_DIR: dataDir, PORT: '0', DRAIN_DELAY: '2' });
    url = (await program.until(/"url":"(http:[^"]+)"/))[1] ?? '';
    const seen = async (path: string) => (await ask(path)).status;
    expect([await seen('/readyz'), await seen('/v2/user')]).toEqual([200, 401]);
    program.child.kill('SIGTERM');
    while ((await seen('/readyz')) === 200) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([await seen('/readyz'), await seen('/healthz'), await seen('/v2/user')]).toEqual([503, 503, 401]);
    const { code } = await program.ended;
    expect(code).toBe(0);
    await expect(ask('/readyz')).rejects.toThrow('fetch failed');
    await start();
  }, 90_000);

  test('SIGTERM ends the process cleanly, and it starts again on the same data with the same key', async () => {
    const key = readFileSync(join(dataDir, 'secret-key'), 'utf8');
    const { code } = await program.stop();
    expect(code).toBe(0);
    expect(program.stdout.trim().split('\n').at(-1)).toContain('"msg":"stopped"');
    expect(existsSync(join(dataDir, 'slipway.lock'))).toBe(false);
    await start();
    await program.healthy(url);
    expect(program.stdout).toContain('"changes":0');
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(key);
  }, 90_000);
});
