import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { operatorSocket } from '../../src/services/operator-socket.js';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { type Ended, Program } from '../support/program.js';

const provisioning = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - {slug: acme, name: Acme, members: [{user: ada@example.com, role: admin}]}
`;

describe('slipway backup beside a server that holds the embedded database', () => {
  const directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const at = (name: string) => join(directory.path, name);
  let server: Program;
  let url: string;
  const run = (args: string[], more: Record<string, string> = {}): Promise<Ended> =>
    Program.run(args, { DATA_DIR: dataDir, ...more });

  beforeAll(async () => {
    writeFileSync(at('slipway.yaml'), provisioning);
    await migrateDataDirectory(dataDir);
    server = Program.start(['serve', '--apply', at('slipway.yaml')], { DATA_DIR: dataDir, PORT: '0' });
    url = (await server.until(/"url":"(http:[^"]+)"/))[1] ?? '';
  }, 90_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    directory.remove();
  });

  test('is made by the server, which goes on, and restores to the same', async () => {
    const made = await run(['backup', '--json', at('one.tar')]);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('it makes the backup')]);
    const { rows, id } = JSON.parse(made.stdout) as { rows: number; id: string };
    expect(rows).toBeGreaterThan(3);
    expect(statSync(at('one.tar')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).not.toContain('requested-backup.part');
    await server.healthy(url);

    const verified = await run(['restore', '--verify', at('one.tar')]);
    expect([verified.code, verified.stderr]).toEqual([0, expect.any(String)]);
    const copy = { DATA_DIR: at('copy'), SECRET_KEY: readFileSync(join(dataDir, 'secret-key'), 'utf8').trim() };
    const restored = await run(['restore', at('one.tar')], copy);
    expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)]);
    expect((await run(['export'], copy)).stdout).toContain('acme');
    const again = await run(['backup', at('one.tar')]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('exists already')]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  }, 90_000);

  test('goes into a folder under a name by its time', async () => {
    const made = await run(['backup', '--to', `file:${at('place')}`]);
    expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
    expect(readdirSync(at('place')).filter((name) => name.endsWith('.tar'))).toEqual([
      expect.stringMatching(/^slipway-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar$/),
    ]);
  }, 60_000);

  test('one at a time, and one that nobody takes any more leaves nothing', async () => {
    // Asked for and not read: the server keeps it for whoever asked.
    const asked = request({ socketPath: operatorSocket(dataDir), method: 'POST', path: '/backup' });
    const response = new Promise((resolve) => asked.once('response', resolve));
    asked.end();
    await response;
    const second = await run(['backup', at('two.tar')]);
    asked.destroy();
    if (second.code !== 0) expect(second.stderr).toContain('makes a backup for another command');
    await expect.poll(() => readdirSync(dataDir), { timeout: 30_000 }).not.toContain('requested-backup.part');
    const third = await run(['backup', at('three.tar')]);
    expect([third.code, third.stderr]).toEqual([0, expect.any(String)]);
  }, 90_000);

  test('a stop of the server takes the socket away, and the command opens the database itself', async () => {
    expect((await server.stop()).code).toBe(0);
    expect(existsSync(operatorSocket(dataDir))).toBe(false);
    const made = await run(['backup', at('four.tar')]);
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining('a server has')]);
  }, 60_000);
});
