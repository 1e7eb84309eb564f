import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

const token = 'a-secret-of-twenty-characters';
const provisioning = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Linux
    members: [{user: ada@example.com, role: admin}]
    clusters: [{name: Linux, queues: [{key: default}], default_queue: default}]
api_tokens:
  - {user: ada@example.com, description: ci, token: ${token}, scopes: all, organizations: all}
`;

const directory = temporaryDirectory();
let server: Program | undefined;
afterAll(() => {
  server?.child.kill('SIGKILL');
  directory.remove();
});

test('a server with a heap of 512 MB survives readers that ask for all builds with large meta-data at once', async () => {
  const file = join(directory.path, 'slipway.yaml');
  writeFileSync(file, provisioning);
  const program = Program.start(['serve', '--apply', file], { DATA_DIR: join(directory.path, 'data'), PORT: '0' }, [
    '--max-old-space-size=512',
  ]);
  server = program;
  const url = await vi.waitFor(
    () => {
      const [, found] = /"url":"([^"]+)"/.exec(program.stdout) ?? [];
      expect(found).toBeDefined();
      return String(found);
    },
    { timeout: 60_000, interval: 100 },
  );
  const call = (path: string, body?: object) =>
    fetch(`${url}/v2/organizations/acme${path}`, {
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  const steps = 'steps: [{command: "true"}]';
  const made = await call('/pipelines', { name: 'App', repository: 'https://example.com/a.git', configuration: steps });
  expect(made.status).toBe(201);
  const text = 'x'.repeat(100 * 1024);
  const metaData = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`key-${index}`, text]));
  for (let count = 0; count < 25; count += 1) {
    const reply = await call('/pipelines/app/builds', { commit: 'HEAD', branch: 'main', meta_data: metaData });
    expect(reply.status).toBe(201);
    await reply.arrayBuffer();
  }
  let statuses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const replies = await Promise.all(Array.from({ length: 4 }, () => call('/builds')));
    for (const reply of replies) await reply.arrayBuffer();
    statuses = [...statuses, ...replies.map(({ status }) => status)];
  }
  expect(new Set(statuses)).toEqual(new Set([413]));
  const [page, health] = [await call('/builds?per_page=2'), await fetch(`${url}/healthz`)];
  expect([page.status, health.status, program.child.exitCode]).toEqual([200, 200, null]);
  expect(((await page.json()) as unknown[]).length).toBe(2);
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8')) ?? [];
  expect(Number(peak) / 1024).toBeLessThan(1_200);
}, 120_000);
